// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counters - the counters: value, increment, wrap.
//
// Counter 0 is mcycle, 2 minstret, 3.. the programmable ones; all of them are one loop. A counter takes its
// events at the clock edge; what is read is the value before (Unprivileged ISA, Zicsr; facts section 13). An
// explicit write replaces the increment of its cycle, and so cannot wrap the counter.
//
// What comes late in a cycle, the increment, has little left to do. It meets only the LOW low bits of a
// counter. The bits above count by one or stand, and a flag says that they are all ones: a cycle after they
// have counted, which is in time, because from one carry into them to the next there are two. So the way from
// an event to the next value ends in a clock enable, the one to the wrap in a gate.
//
// Cost: a bit of a counter is one 4-input LUT on its carry chain, because the load shares the adder's free
// operand: while a counter is loaded, its operand is all ones, the sum is garbage, and nobody looks at it.
// (Which counter is loaded comes over a boundary that the mapper keeps, so it cannot undo that.) And it is
// its share of the read multiplexer.
//
// With CSR_PIPELINE, for a fast clock, the load keeps off the carry chain, and whether a loaded value is all
// ones is known a cycle later.
//
// A simulator has another form of the same (pmu_forms proves it): the low bits of eight counters are added in
// one word (tally_pmu_counters_low), and the high ones are looked at when they change.

`default_nettype none

module tally_pmu_counters #(
    parameter HPM_N = 29,
    parameter HPM_W = 64,
    parameter INC_W = 1,  // bits of the largest increment
    parameter [31:0] UNIT = 32'd0,  // counters that count by 1 at most
    parameter [31:0] SUMS = 32'd0,  // counters whose carry out of the low bits is known from over_i and one_i
    parameter [0:0] NEAR = 1'b1,    // somebody looks at near_o
    parameter [0:0] CSR_PIPELINE = 1'b0  // hot_i stands in registers
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire [INC_W*32-1:0]  inc_i,         // counter i counts by inc_i[i*INC_W +: INC_W]
    // UNIT: one_i is the same; SUMS: that is one, or more than that and passes the end of the low bits
    input  wire [31:0]          one_i,
    input  wire [31:0]          over_i,
    output reg  [31:0]          brim_o,        // ... whose low bits above the largest increment's are ones
    output reg  [31:0]          wrap_o,        // is incremented past the end of its width at this clock edge
    output reg  [31:0]          full_o,        // ... would be, if it counted by 1 and were not written,
    output reg  [31:0]          ends_o,        // ... or if its low bits handed one on
    // as they stand: the three lowest bits of each, and whether all others are ones
    output reg  [32*3-1:0]      low_o,
    output reg  [31:0]          near_o,

    // access: one counter a cycle
    input  wire [4:0]           index_i,
    input  wire [31:0]          hot_i,         // the same, a bit each
    output wire [63:0]          count_o,       // of a counter that is there
    input  wire [31:0]          load_i,        // counter i is written; without CSR_PIPELINE all in reset
    input  wire [63:0]          count_i
);
  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] PRESENT = HPM | 32'h5;
  localparam [63:0] WIDTH   = 64'hFFFF_FFFF_FFFF_FFFF >> (64 - HPM_W);
  // After a carry the low bits are less than any increment's own carry needs: the top one is 0.
  localparam            LOW      = INC_W == 1 ? 1 : INC_W + 1;
  // The bits above the low ones, and those of them that programmable counters have.
  localparam            HIGH     = 64 - LOW;
  localparam            SHORT    = HPM_W <= LOW;  // none
  localparam [HIGH-1:0] HPM_HIGH = WIDTH[63:LOW];

`ifdef SYNTHESIS
  (* mem2reg *) reg [LOW-1:0]  low_q [0:31];
`endif
  (* mem2reg *) reg [HIGH-1:0] high_q [0:31];
  reg [31:0]                   last_q;            // the high bits are all ones, or have just counted
  reg [31:0]                   last;              // the same, where it matters
  wire [31:0]                  fresh_q;           // it does not know: the counter has just been loaded,
  wire [1:0]                   fresh_ones;        // ... with all ones: mcycle and minstret, the others
  wire                         load_all, load_hpm;

`ifdef SYNTHESIS
  // ---- read
  genvar c, k;
  generate
    for (c = 0; c < 64; c = c + 1) begin : g_column
      wire [31:0] column;
      for (k = 0; k < 32; k = k + 1) begin : g_counter
        wire [63:0] count = {high_q[k], low_q[k]};
        assign column[k] = count[c];
      end
      tally_mux32 #(.MASK(PRESENT), .ONE_HOT(CSR_PIPELINE)) u_read (
          .sel_i(index_i), .hot_i(hot_i), .in_i(column), .out_o(count_o[c])
      );
    end
  endgenerate
`endif

  // ---- increment
  wire [31:0] load = load_i;
`ifdef SYNTHESIS
  (* mem2reg *) reg [LOW:0]  low_d [0:31];
  (* mem2reg *) reg [HIGH:0] high_d [0:31];
`endif
  reg [31:0] carry;      // the low bits hand one to the high ones
`ifdef SYNTHESIS
  reg [31:0] ones;       // the high bits are all ones; anything while they are loaded
  reg        unused;
  integer    i;
  always @* begin
    for (i = 0; i < 32; i = i + 1) begin
      if (UNIT[i] && LOW == 1 && !CSR_PIPELINE)  // one LUT with the load
        low_d[i] = {&low_q[i] & inc_i[i*INC_W], low_q[i] ^ {LOW{inc_i[i*INC_W]}}};
      // what is known early first: a clock enable
      else if (UNIT[i]) low_d[i] = inc_i[i*INC_W] ? {1'b0, low_q[i]} + 1'b1 : {1'b0, low_q[i]};
      else low_d[i] = {1'b0, low_q[i]} + {{LOW + 1 - INC_W{1'b0}}, inc_i[i*INC_W +: INC_W]};
      carry[i]  = SUMS[i] ? over_i[i] | one_i[i] & (&low_q[i]) : low_d[i][LOW];
      brim_o[i] = low_q[i][LOW-1];
      // one more bit at the low end carries the 1 in: of three operands Yosys would make two adders
      {high_d[i], unused} = {1'b0, high_q[i] & (i < 3 ? {HIGH{1'b1}} : HPM_HIGH), 1'b1}
                          + {1'b0, {HIGH{load[i] & ~CSR_PIPELINE}}, 1'b1};
      ones[i]   = i < 3 ? high_d[i][HIGH] : high_d[i][SHORT ? 0 : HPM_W - LOW];  // the end of the carry
      last[i]   = fresh_q[i] ? |(fresh_ones & (i < 3 ? 2'd2 : 2'd1)) : last_q[i];
      wrap_o[i] = PRESENT[i] & ~load[i]
                & (i >= 3 && SHORT ? |(low_d[i] & ~WIDTH[LOW:0]) : carry[i] & last[i]);
      full_o[i] = PRESENT[i]
                & (i >= 3 && SHORT ? &(low_q[i] | ~WIDTH[LOW-1:0]) : &low_q[i] & last[i]);
      ends_o[i] = PRESENT[i] & last[i];
    end
  end

  // ---- how near to the wrap
  localparam [63:0] LOWEST = 64'd7;
  reg  [63:0] whole;
  integer     n;
  always @* begin
    for (n = 0; n < 32; n = n + 1) begin
      whole           = {high_q[n], low_q[n]};
      low_o[n*3 +: 3] = whole[2:0];
      near_o[n]       = &(whole | ~WIDTH | LOWEST);
    end
  end

`else
  // ---- low bits, a field a counter
  wire [32*LOW-1:0] low, over;   // over: the top bit of a field: it hands one on, unless SUMS says when

  function [8*LOW-1:0] kept;   // the bits of eight counters that are there
    input integer first;
    integer       f;
    for (f = 0; f < 8; f = f + 1)
      kept[f*LOW +: LOW] = !PRESENT[first+f] ? {LOW{1'b0}} : first + f < 3 ? {LOW{1'b1}} : WIDTH[LOW-1:0];
  endfunction

  genvar g, k;
  generate
    for (g = 0; g < 32; g = g + 8) begin : g_low
      wire [8*LOW-1:0] inc;
      for (k = 0; k < 8; k = k + 1) begin : g_field
        assign inc[k*LOW +: INC_W] = UNIT[g+k] ? {INC_W{1'b0}} : inc_i[(g+k)*INC_W +: INC_W];
        if (INC_W < LOW) begin : g_rest
          assign inc[k*LOW+INC_W +: LOW-INC_W] = {LOW - INC_W{1'b0}};
        end
      end
      tally_pmu_counters_low #(.LOW(LOW), .KEPT(kept(g))) u_low (
          .clk(clk), .rst(rst),
          .one_i(one_i[g +: 8] & UNIT[g +: 8]),
          .inc_i(inc),
          .low_o(low[g*LOW +: 8*LOW]),
          .over_o(over[g*LOW +: 8*LOW]),
          .load_i(load[g +: 8]),
          .value_i(count_i[LOW-1:0])
      );
    end
  endgenerate

  // ---- high bits
  reg [31:0]  moved_q;    // have just changed
  wire [31:0] moves = load | carry | {32{rst & CSR_PIPELINE}};
  integer     r;
  always @(posedge clk) begin
    moved_q <= moves;
    if (|moves)
      for (r = 0; r < 32; r = r + 1)
        if (moves[r])
          high_q[r] <= (load[r] ? count_i[63:LOW] : high_q[r] + 1'b1)
                     & (r < 3 ? {HIGH{1'b1}} : HPM_HIGH) & {HIGH{PRESENT[r] & ~rst}};
    if (|(moved_q | load))
      for (r = 0; r < 32; r = r + 1)
        if (load[r] & ~CSR_PIPELINE) last_q[r] <= PRESENT[r] & (r < 3 ? load_all : load_hpm);
        else if (moved_q[r])   last_q[r] <= PRESENT[r] & (&(high_q[r] | (r < 3 ? {HIGH{1'b0}} : ~HPM_HIGH)));
  end

  // ---- carry and wrap: unless some high bits are all ones, none wraps
  localparam [31:0] LONG = 32'd7;  // of 64 bits in any case
  reg [LOW:0]       sum;
  integer           i;
  always @* begin
    sum    = {LOW + 1{1'b0}};
    carry  = 32'd0;
    full_o = 32'd0;
    if (|over) for (i = 0; i < 32; i = i + 1) carry[i] = over[i*LOW + LOW - 1];
    for (i = 0; i < 32; i = i + 1) if (SUMS[i]) carry[i] = over_i[i] | one_i[i] & (&low[i*LOW +: LOW]);
    last   = last_q & ~fresh_q | fresh_q & ({32{fresh_ones[1]}} & LONG | {32{fresh_ones[0]}} & ~LONG);
    ends_o = PRESENT & last;
    wrap_o = carry & ~load & ends_o;
    if (|ends_o) for (i = 0; i < 32; i = i + 1) full_o[i] = &low[i*LOW +: LOW] & ends_o[i];
    if (SHORT)
      for (i = 3; i < 32; i = i + 1) begin
        sum       = {1'b0, low[i*LOW +: LOW]} + {{LOW + 1 - INC_W{1'b0}},
                    UNIT[i] ? {{INC_W - 1{1'b0}}, one_i[i]} : inc_i[i*INC_W +: INC_W]};
        wrap_o[i] = PRESENT[i] & ~load[i] & |(sum & ~WIDTH[LOW:0]);
        full_o[i] = PRESENT[i] & &(low[i*LOW +: LOW] | ~WIDTH[LOW-1:0]);
      end
  end

  // ---- as they stand
  assign count_o = {high_q[index_i], low[index_i*LOW +: LOW]};
  wire [31:0]     brim, near;
  wire [32*3-1:0] lowest;
  generate
    for (k = 0; k < 32; k = k + 1) begin : g_counter
      wire [LOW-1:0] mine  = low[k*LOW +: LOW];
      wire [63:0]    count = {high_q[k], mine};
      assign lowest[k*3 +: 3] = count[2:0];
      assign near[k]          = NEAR & (&(count | ~WIDTH | 64'd7));
      assign brim[k]          = SUMS[k] & mine[LOW-1];
    end
  endgenerate
  always @* brim_o = brim;
  always @* low_o  = lowest;
  always @* near_o = near;

`endif

  // ---- a value that is loaded: are its high bits all ones, those of mcycle and minstret, and those of the
  // others.
  wire [63:0] load_long  = count_i | ~(64'hFFFF_FFFF_FFFF_FFFF << LOW);
  wire [63:0] load_short = load_long | ~WIDTH;
  generate
    if (CSR_PIPELINE) begin : g_fresh
      reg [31:0] loaded_q;
      reg [3:0]  long_q, short_q;    // sixteen bits are
      integer    p;
      always @(posedge clk) begin
        loaded_q <= load;
        for (p = 0; p < 4; p = p + 1) begin
          long_q[p]  <= &load_long[16*p +: 16];
          short_q[p] <= &load_short[16*p +: 16];
        end
      end
      assign fresh_q    = loaded_q;
      assign fresh_ones = {&long_q, &short_q};
      assign {load_all, load_hpm} = 2'd0;
    end else begin : g_stale
      assign fresh_q    = 32'd0;
      assign fresh_ones = 2'd0;
      assign load_all   = &load_long & ~rst;
      assign load_hpm   = &load_short & ~rst;
    end
  endgenerate

`ifdef SYNTHESIS
  // ---- state
  integer r;
  always @(posedge clk) begin
    for (r = 0; r < 32; r = r + 1) begin
      if (!PRESENT[r]) begin
        low_q[r]  <= {LOW{1'b0}};
        high_q[r] <= {HIGH{1'b0}};
        last_q[r] <= 1'b0;
      end else begin
        low_q[r] <= rst ? {LOW{1'b0}} : (load[r] ? count_i[LOW-1:0] : low_d[r][LOW-1:0])
                                      & (r < 3 ? {LOW{1'b1}} : WIDTH[LOW-1:0]);
        // The reset as a reset of the flip-flops: with another input the LUT of a bit would be two.
        if (CSR_PIPELINE & rst) high_q[r] <= {HIGH{1'b0}};
        else if (load[r] | carry[r])
          high_q[r] <= rst & ~CSR_PIPELINE ? {HIGH{1'b0}} : (load[r] ? count_i[63:LOW] : high_d[r][HIGH-1:0])
                                          & (r < 3 ? {HIGH{1'b1}} : HPM_HIGH);
        last_q[r] <= load[r] & ~CSR_PIPELINE ? (r < 3 ? load_all : load_hpm) : ones[r];
      end
    end
  end

  wire unused_ok = &{1'b0, unused, hot_i};
`else
  wire unused_ok = &{1'b0, hot_i};
`endif

`ifdef FORMAL
  // The state of one counter as software knows it, for tests/formal, which has the form for simulators.
  wire [4:0]      formal_index;
  wire [LOW-1:0]  formal_low   = low[formal_index*LOW +: LOW];
  wire [63:0]     formal_count = {high_q[formal_index], formal_low};

  // A carry finds the flag right: it comes from a low part whose top bit is 1, and leaves a 0 there.
  wire [HIGH-1:0] formal_high = high_q[formal_index] | (formal_index < 5'd3 ? {HIGH{1'b0}} : ~HPM_HIGH);
  always @* if (!rst & PRESENT[formal_index]) begin
    last_is_last: assert (!formal_low[LOW-1] || last[formal_index] == &formal_high);
    last_settles: assert (moved_q[formal_index] || last_q[formal_index] == &formal_high);
  end
`endif
endmodule

`default_nettype wire
