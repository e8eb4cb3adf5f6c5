// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counters_low - the low bits of eight counters in one word, as a simulator adds them.
//
// A field a counter. The bits below the top ones are added all at once: no field's sum passes its top bit,
// because an increment has fewer bits than a field. The top bits are added without a carry, and where one was
// 1 and the sum below makes it 0, the field hands one on.
//
// Not for synthesis, where every counter has an adder of its own (tally_pmu_counters).

`default_nettype none

`ifndef SYNTHESIS
module tally_pmu_counters_low #(
    parameter LOW = 4,                                // bits of a field
    parameter [8*LOW-1:0] KEPT = {8 * LOW{1'b1}}      // those that are there
) (
    input  wire             clk,
    input  wire             rst,

    // counter i counts by one_i[i]; by inc_i[i*LOW +: LOW], whose top bit is 0
    input  wire [7:0]       one_i,
    input  wire [8*LOW-1:0] inc_i,
    output wire [8*LOW-1:0] low_o,     // as they stand
    output wire [8*LOW-1:0] over_o,    // the top bit of a field: it hands one on

    input  wire [7:0]       load_i,    // counter i is written
    input  wire [LOW-1:0]   value_i
);
  localparam [LOW-1:0]   ONE  = 1;
  localparam [2*LOW-1:0] TWO  = 3;   // the two lowest bits of two fields, and so on
  localparam [4*LOW-1:0] FOUR = 15;
  localparam [8*LOW-1:0] TOP  = {8{ONE << (LOW - 1)}};

  // A bit a counter at the low ends of the fields: the upper four of them first.
  wire [8*LOW-1:0] eight = {{8 * LOW - 8{1'b0}}, one_i};
  wire [8*LOW-1:0] fours = (eight | eight << 4 * (LOW - 1)) & {2{FOUR}};
  wire [8*LOW-1:0] twos  = (fours | fours << 2 * (LOW - 1)) & {4{TWO}};
  wire [8*LOW-1:0] ones  = (twos | twos << (LOW - 1)) & {8{ONE}};

  reg  [8*LOW-1:0] low_q;
  wire [8*LOW-1:0] top = low_q & TOP;
  wire [8*LOW-1:0] sum = (low_q & ~TOP) + (ones | inc_i);

  assign low_o  = low_q;
  assign over_o = top & sum;

  reg [8*LOW-1:0] loaded;
  integer         i;
  always @* begin
    i      = 0;
    loaded = {8 * LOW{1'b0}};
    if (|load_i) for (i = 0; i < 8; i = i + 1) loaded[i*LOW +: LOW] = {LOW{load_i[i]}};
  end

  always @(posedge clk) begin
    if (rst)          low_q <= {8 * LOW{1'b0}};
    else if (|load_i) low_q <= ((sum ^ top) & ~loaded | {8{value_i}} & loaded) & KEPT;
    else              low_q <= (sum ^ top) & KEPT;
  end
endmodule
`endif

`default_nettype wire
