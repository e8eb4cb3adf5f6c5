// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counters for simulation: the low bits of eight counters are added in one word, and the high
// bits are evaluated only when they change.
//
// Of the low bits a counter has a field in a word. The bits below the highest of each field are added at
// once: no field's sum exceeds its highest bit, because an increment has fewer bits than a field. The
// highest bits are added without a carry; a field carries out if its highest bit was 1 and the sum below
// makes it 0.

`default_nettype none

module tally_pmu_counters #(
    parameter HPM_N = 29,
    parameter HPM_W = 64,
    parameter INC_W = 1,
    parameter LOW   = 1,
    parameter [31:0] SINGLE = 32'd0,
    parameter [31:0] COMBINED = 32'd0,
    parameter [0:0] NEAR = 1'b1,
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire [INC_W*32-1:0]  inc_i,
    input  wire [31:0]          one_i,
    input  wire [31:0]          carry_out_i,
    output wire [31:0]          low_rest_ones_o,  // 0 for counters that are not COMBINED
    output reg  [31:0]          wrap_o,
    output reg  [31:0]          at_max_o,
    output wire [31:0]          high_max_o,
    output wire [32*3-1:0]      low_bits_o,
    output wire [31:0]          near_max_o,

    input  wire [4:0]           index_i,
    input  wire [31:0]          hot_i,
    output wire [63:0]          count_o,
    input  wire [31:0]          load_i,
    input  wire [63:0]          count_i
);
  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] PRESENT = HPM | 32'h5;
  localparam [63:0] WIDTH   = 64'hFFFF_FFFF_FFFF_FFFF >> (64 - HPM_W);
  localparam            HIGH     = 64 - LOW;
  localparam            SHORT    = HPM_W <= LOW;
  localparam [HIGH-1:0] HPM_HIGH = WIDTH[63:LOW];
  localparam [31:0]     LONG     = 32'd7;          // counters of 64 bits in any case

  (* mem2reg *) reg [HIGH-1:0] high_q [0:31];
  reg [31:0]                   high_ones_q;
  wire [31:0]                  loaded_q;
  wire [1:0]                   loaded_ones;
  wire                         load_ones_64, load_ones_hpm;
  wire                         unused_ok = &{1'b0, hot_i};

  // ---- low bits
  localparam [LOW-1:0]   ONE  = 1;
  localparam [2*LOW-1:0] TWO  = 3;   // the two lowest bits of two fields, and so on
  localparam [4*LOW-1:0] FOUR = 15;
  localparam [8*LOW-1:0] TOP  = {8{ONE << (LOW - 1)}};

  wire [32*LOW-1:0] low, carries;   // carries: in the highest bit of a field

  function [8*LOW-1:0] kept;   // the bits of eight counters that are present
    input integer first;
    integer       f;
    for (f = 0; f < 8; f = f + 1)
      kept[f*LOW +: LOW] = !PRESENT[first+f] ? {LOW{1'b0}} : first + f < 3 ? {LOW{1'b1}} : WIDTH[LOW-1:0];
  endfunction

  genvar g, k;
  generate
    for (g = 0; g < 32; g = g + 8) begin : g_low
      localparam [8*LOW-1:0] KEPT = kept(g);
      wire [8*LOW-1:0] inc;
      for (k = 0; k < 8; k = k + 1) begin : g_field
        assign inc[k*LOW +: INC_W] = SINGLE[g+k] ? {INC_W{1'b0}} : inc_i[(g+k)*INC_W +: INC_W];
        if (INC_W < LOW) begin : g_rest
          assign inc[k*LOW+INC_W +: LOW-INC_W] = {LOW - INC_W{1'b0}};
        end
      end
      // A bit a counter moves to the low end of its field: first the upper four of them, then two, then one.
      wire [8*LOW-1:0] eight = {{8 * LOW - 8{1'b0}}, one_i[g +: 8] & SINGLE[g +: 8]};
      wire [8*LOW-1:0] fours = (eight | eight << 4 * (LOW - 1)) & {2{FOUR}};
      wire [8*LOW-1:0] twos  = (fours | fours << 2 * (LOW - 1)) & {4{TWO}};
      wire [8*LOW-1:0] ones  = (twos | twos << (LOW - 1)) & {8{ONE}};

      reg  [8*LOW-1:0] low_q;
      wire [8*LOW-1:0] top = low_q & TOP;
      wire [8*LOW-1:0] sum = (low_q & ~TOP) + (ones | inc);
      wire [7:0]       load = load_i[g +: 8];
      reg  [8*LOW-1:0] loaded;
      integer          f;
      always @* begin
        f      = 0;
        loaded = {8 * LOW{1'b0}};
        if (|load) for (f = 0; f < 8; f = f + 1) loaded[f*LOW +: LOW] = {LOW{load[f]}};
      end
      always @(posedge clk) begin
        if (rst)        low_q <= {8 * LOW{1'b0}};
        else if (|load) low_q <= ((sum ^ top) & ~loaded | {8{count_i[LOW-1:0]}} & loaded) & KEPT;
        else            low_q <= (sum ^ top) & KEPT;
      end
      assign low[g*LOW +: 8*LOW]     = low_q;
      assign carries[g*LOW +: 8*LOW] = top & sum;
    end
  endgenerate

  // ---- high bits
  reg [31:0]  carry;
  reg [31:0]  moved_q;    // have just changed
  wire [31:0] moves = load_i | carry | {32{rst & CSR_PIPELINE}};
  integer     r;
  always @(posedge clk) begin
    moved_q <= moves;
    if (|moves)
      for (r = 0; r < 32; r = r + 1)
        if (moves[r])
          high_q[r] <= (load_i[r] ? count_i[63:LOW] : high_q[r] + 1'b1)
                     & (r < 3 ? {HIGH{1'b1}} : HPM_HIGH) & {HIGH{PRESENT[r] & ~rst}};
    if (|(moved_q | load_i))
      for (r = 0; r < 32; r = r + 1)
        if (load_i[r] & ~CSR_PIPELINE) high_ones_q[r] <= PRESENT[r] & (r < 3 ? load_ones_64 : load_ones_hpm);
        else if (moved_q[r])
          high_ones_q[r] <= PRESENT[r] & (&(high_q[r] | (r < 3 ? {HIGH{1'b0}} : ~HPM_HIGH)));
  end

  // ---- carry and overflow: without a counter whose high bits are all ones there is none
  wire [31:0] high_ones = high_ones_q & ~loaded_q
                        | loaded_q & ({32{loaded_ones[1]}} & LONG | {32{loaded_ones[0]}} & ~LONG);
  assign      high_max_o = PRESENT & high_ones;
  reg [LOW:0] sum;
  integer     i;
  always @* begin
    sum      = {LOW + 1{1'b0}};
    carry    = 32'd0;
    at_max_o = 32'd0;
    if (|carries) for (i = 0; i < 32; i = i + 1) carry[i] = carries[i*LOW + LOW - 1];
    for (i = 0; i < 32; i = i + 1)
      if (COMBINED[i]) carry[i] = carry_out_i[i] | one_i[i] & (&low[i*LOW +: LOW]);
    wrap_o = carry & ~load_i & high_max_o;
    if (|high_max_o) for (i = 0; i < 32; i = i + 1) at_max_o[i] = &low[i*LOW +: LOW] & high_max_o[i];
    if (SHORT)
      for (i = 3; i < 32; i = i + 1) begin
        sum         = {1'b0, low[i*LOW +: LOW]} + {{LOW + 1 - INC_W{1'b0}},
                      SINGLE[i] ? {{INC_W - 1{1'b0}}, one_i[i]} : inc_i[i*INC_W +: INC_W]};
        wrap_o[i]   = PRESENT[i] & ~load_i[i] & |(sum & ~WIDTH[LOW:0]);
        at_max_o[i] = PRESENT[i] & &(low[i*LOW +: LOW] | ~WIDTH[LOW-1:0]);
      end
  end

  // ---- values
  assign count_o = {high_q[index_i], low[index_i*LOW +: LOW]};
  generate
    for (k = 0; k < 32; k = k + 1) begin : g_counter
      wire [LOW-1:0] low_part = low[k*LOW +: LOW];
      wire [63:0]    count    = {high_q[k], low_part};
      assign low_bits_o[k*3 +: 3] = NEAR || COMBINED[k] ? count[2:0] : 3'd0;
      assign near_max_o[k]        = NEAR & (&(count | ~WIDTH | 64'd7));
      assign low_rest_ones_o[k]   = COMBINED[k] & low_part[LOW-1];
    end
  endgenerate

  // ---- a loaded value: are its high bits all ones?
  wire [63:0] ones_64  = count_i | ~(64'hFFFF_FFFF_FFFF_FFFF << LOW);
  wire [63:0] ones_hpm = ones_64 | ~WIDTH;
  generate
    if (CSR_PIPELINE) begin : g_later
      reg [31:0] load_q;
      reg [3:0]  ones_64_q, ones_hpm_q;
      integer    p;
      always @(posedge clk) begin
        load_q <= load_i;
        for (p = 0; p < 4; p = p + 1) begin
          ones_64_q[p]  <= &ones_64[16*p +: 16];
          ones_hpm_q[p] <= &ones_hpm[16*p +: 16];
        end
      end
      assign loaded_q    = load_q;
      assign loaded_ones = {&ones_64_q, &ones_hpm_q};
      assign {load_ones_64, load_ones_hpm} = 2'd0;
    end else begin : g_at_once
      assign loaded_q      = 32'd0;
      assign loaded_ones   = 2'd0;
      assign load_ones_64  = &ones_64 & ~rst;
      assign load_ones_hpm = &ones_hpm & ~rst;
    end
  endgenerate
endmodule

`default_nettype wire
