// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counters - the counters: value, increment, overflow.
//
// Counter 0 is mcycle, 2 minstret, 3.. the programmable ones; one loop describes all of them. A counter
// takes its events at the clock edge; a read returns the value before it (unprivileged manual, Zicsr). An
// explicit write replaces the increment of its cycle, and so cannot overflow the counter.
//
// The increment is late-arriving, so little logic follows it: it is added to the LOW low bits only. The high
// bits count by one at most, and a flag, `high_ones`, says that they are all ones. The flag follows the
// high bits by a cycle, which is in time: between two carries into the high bits there are at least two
// cycles. The path from an event to the next value thus ends in a clock enable, the path to the overflow in
// one gate.
//
// Cost: a bit of a counter is one 4-input LUT on its carry chain, because the load shares the adder's free
// operand. While a counter is loaded that operand is all ones and the sum is unused. (The loads come across
// a kept boundary, so the mapper cannot undo this.) The read multiplexer comes on top.
//
// CSR_PIPELINE, for a fast clock: the load keeps off the carry chain, and whether a loaded value is all
// ones is known a cycle later.
//
// rtl/prim/sim has another form for simulators.

`default_nettype none

module tally_pmu_counters #(
    parameter HPM_N = 29,
    parameter HPM_W = 64,
    parameter INC_W = 1,             // bits of the largest increment
    parameter LOW   = 1,             // low bits: after a carry out of them the next cycle has none
    parameter [31:0] SINGLE = 32'd0, // counters that count by 1 at most
    // counters whose carry out of the low bits comes from carry_out_i and one_i
    parameter [31:0] COMBINED = 32'd0,
    // near_max_o is used, and low_bits_o of counters that are not COMBINED; if not, they may be anything
    parameter [0:0] NEAR = 1'b1,
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire [INC_W*32-1:0]  inc_i,         // counter i counts by inc_i[i*INC_W +: INC_W]
    // SINGLE: one_i is the same. COMBINED: it counts by one, or by more and the low bits carry out
    input  wire [31:0]          one_i,
    input  wire [31:0]          carry_out_i,
    output reg  [31:0]          low_rest_ones_o,  // COMBINED: the low bit above the three lowest is 1
    output reg  [31:0]          wrap_o,        // counter i overflows at this clock edge
    output reg  [31:0]          at_max_o,      // it would, if it counted by 1 and were not written,
    output reg  [31:0]          high_max_o,    // ... or if its low bits carried out
    // now: the three lowest bits of each counter, and whether all others are ones
    output reg  [32*3-1:0]      low_bits_o,
    output reg  [31:0]          near_max_o,

    // access: one counter a cycle
    input  wire [4:0]           index_i,
    input  wire [31:0]          hot_i,         // CSR_PIPELINE: index_i decoded, from registers
    output wire [63:0]          count_o,       // of a counter that is present
    // counter i is written; all of them in reset, but not with CSR_PIPELINE
    input  wire [31:0]          load_i,
    input  wire [63:0]          count_i
);
  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] PRESENT = HPM | 32'h5;
  localparam [63:0] WIDTH   = 64'hFFFF_FFFF_FFFF_FFFF >> (64 - HPM_W);
  // The high bits, and those of them that programmable counters have.
  localparam            HIGH     = 64 - LOW;
  localparam            SHORT    = HPM_W <= LOW;  // none
  localparam [HIGH-1:0] HPM_HIGH = WIDTH[63:LOW];

  (* mem2reg *) reg [LOW-1:0]  low_q [0:31];
  (* mem2reg *) reg [HIGH-1:0] high_q [0:31];
  reg [31:0]                   high_ones_q;       // the high bits are all ones, or have just changed
  // CSR_PIPELINE: loaded in the cycle before; this instead of the flag: {mcycle and minstret, all others}
  wire [31:0]                  loaded_q;
  wire [1:0]                   loaded_ones;
  wire                         load_ones_64, load_ones_hpm;  // the same of the value that is being loaded

  // ---- read
  wire [32*64-1:0] counts;
  genvar k;
  generate
    for (k = 0; k < 32; k = k + 1) begin : g_counter
      wire [63:0] count = {high_q[k], low_q[k]};
      assign counts[k*64 +: 64] = count;
    end
  endgenerate
  tally_mux_word #(.W(64), .MASK(PRESENT), .ONE_HOT(CSR_PIPELINE)) u_read (
      .sel_i(index_i), .hot_i(hot_i), .in_i(counts), .out_o(count_o)
  );

  // ---- increment
  (* mem2reg *) reg [LOW:0]  low_d [0:31];
  (* mem2reg *) reg [HIGH:0] high_d [0:31];
  reg [31:0] carry;      // out of the low bits
  reg [31:0] ones;       // the high bits are all ones; unused while they are loaded
  reg [31:0] high_ones;  // the same a cycle later, also of a counter that has been loaded
  reg        unused;
  integer    i;
  always @* begin
    for (i = 0; i < 32; i = i + 1) begin
      if (SINGLE[i] && LOW == 1 && !CSR_PIPELINE)  // one LUT with the load
        low_d[i] = {&low_q[i] & inc_i[i*INC_W], low_q[i] ^ {LOW{inc_i[i*INC_W]}}};
      // both results are early; the late-arriving increment only selects
      else if (SINGLE[i]) low_d[i] = inc_i[i*INC_W] ? {1'b0, low_q[i]} + 1'b1 : {1'b0, low_q[i]};
      else low_d[i] = {1'b0, low_q[i]} + {{LOW + 1 - INC_W{1'b0}}, inc_i[i*INC_W +: INC_W]};
      carry[i]     = COMBINED[i] ? carry_out_i[i] | one_i[i] & (&low_q[i]) : low_d[i][LOW];
      low_rest_ones_o[i] = low_q[i][LOW-1];
      // A further bit at the low end carries the 1 in: of three operands Yosys would make two adders.
      {high_d[i], unused} = {1'b0, high_q[i] & (i < 3 ? {HIGH{1'b1}} : HPM_HIGH), 1'b1}
                          + {1'b0, {HIGH{load_i[i] & ~CSR_PIPELINE}}, 1'b1};
      // the end of the carry chain
      ones[i]       = i < 3 ? high_d[i][HIGH] : high_d[i][SHORT ? 0 : HPM_W - LOW];
      high_ones[i]  = loaded_q[i] ? |(loaded_ones & (i < 3 ? 2'd2 : 2'd1)) : high_ones_q[i];
      wrap_o[i]     = PRESENT[i] & ~load_i[i]
                    & (i >= 3 && SHORT ? |(low_d[i] & ~WIDTH[LOW:0]) : carry[i] & high_ones[i]);
      at_max_o[i]   = PRESENT[i]
                    & (i >= 3 && SHORT ? &(low_q[i] | ~WIDTH[LOW-1:0]) : &low_q[i] & high_ones[i]);
      high_max_o[i] = PRESENT[i] & high_ones[i];
    end
  end

  // ---- distance to the overflow
  localparam [63:0] LOWEST = 64'd7;
  reg  [63:0] whole;
  integer     n;
  always @* begin
    for (n = 0; n < 32; n = n + 1) begin
      whole                = {high_q[n], low_q[n]};
      low_bits_o[n*3 +: 3] = whole[2:0];
      near_max_o[n]        = NEAR & (&(whole | ~WIDTH | LOWEST));
    end
  end

  // ---- a loaded value: are its high bits all ones?
  wire [63:0] ones_64  = count_i | ~(64'hFFFF_FFFF_FFFF_FFFF << LOW);
  wire [63:0] ones_hpm = ones_64 | ~WIDTH;
  generate
    if (CSR_PIPELINE) begin : g_later
      reg [31:0] load_q;
      reg [3:0]  ones_64_q, ones_hpm_q;    // sixteen bits each
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

  // ---- state
  integer r;
  always @(posedge clk) begin
    for (r = 0; r < 32; r = r + 1) begin
      if (!PRESENT[r]) begin
        low_q[r]       <= {LOW{1'b0}};
        high_q[r]      <= {HIGH{1'b0}};
        high_ones_q[r] <= 1'b0;
      end else begin
        low_q[r] <= rst ? {LOW{1'b0}} : (load_i[r] ? count_i[LOW-1:0] : low_d[r][LOW-1:0])
                                      & (r < 3 ? {LOW{1'b1}} : WIDTH[LOW-1:0]);
        // As a reset of the flip-flops: with a further input a bit would take two LUTs.
        if (CSR_PIPELINE & rst) high_q[r] <= {HIGH{1'b0}};
        else if (load_i[r] | carry[r])
          high_q[r] <= rst & ~CSR_PIPELINE ? {HIGH{1'b0}}
                     : (load_i[r] ? count_i[63:LOW] : high_d[r][HIGH-1:0])
                       & (r < 3 ? {HIGH{1'b1}} : HPM_HIGH);
        high_ones_q[r] <= load_i[r] & ~CSR_PIPELINE ? (r < 3 ? load_ones_64 : load_ones_hpm) : ones[r];
      end
    end
  end

  wire unused_ok = &{1'b0, unused, hot_i};

`ifdef FORMAL
  // The state of one counter as software sees it, for tests/formal.
  wire [4:0]      formal_index;
  wire [LOW-1:0]  formal_low   = low_q[formal_index];
  wire [63:0]     formal_count = {high_q[formal_index], formal_low};

  // Wherever there may be a carry the flag is right: the highest of the low bits is 1 before a carry and 0
  // after it.
  wire [HIGH-1:0] formal_high = high_q[formal_index] | (formal_index < 5'd3 ? {HIGH{1'b0}} : ~HPM_HIGH);
  always @* if (!rst & PRESENT[formal_index])
    high_ones_in_time: assert (!formal_low[LOW-1] || high_ones[formal_index] == &formal_high);
`endif
endmodule

`default_nettype wire
