// tally_pmu_counters_lazy - the counters of tally_pmu_counters at less than half of their cost.
//
// Only the LIVE low bits of a counter count in place. The high part rests in an array with one port, and a
// carry that it is still owed waits in a flag; one incrementer behind the port brings one counter a cycle up
// to date, in turn, or the one that a CSR access addresses. So a high bit costs a flip-flop with enable, or
// a bit of distributed RAM where the target has it (asynchronous read), and its share of the read
// multiplexer; the path from an event to the interrupt is LIVE bits of carry long instead of 64.
//
// Exact in every cycle, like the other: a read adds the carry that is owed; `last` knows that the high part,
// carry included, is all ones, so that a carry out of the low part is the overflow in the very cycle in
// which it happens.
//
// What the host must know:
// - count_o is good only while access_i is 1, in the cycle in which the access is performed;
// - while busy_o is 1 there must be no access. It rises when a carry has waited for half of the time until
//   the next, because accesses have kept the port; the turn takes 32 cycles, and there are at least 64 left.
//   A host that leaves a quarter of all cycles without access to a counter will never see it.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_counters_lazy #(
    parameter HPM_N  = 29,
    parameter HPM_W  = 64,
    parameter LINE_W = 1,
    parameter COMB_N = 0,                      // counters 3 .. 3+COMB_N-1 take a combination's count as well
    parameter INC_W  = LINE_W,                 // bits of the largest increment
    parameter [0:0] LIMIT = 1'b0               // counters choose between two sets of lines
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire [LINE_W*64-1:0] low_line_i,    // event lines (tally_pmu_lines)
    input  wire [LINE_W*64-1:0] mid_line_i,
    input  wire [LINE_W*64-1:0] cache_line_i,
    input  wire [31:0]          limit_i,       // LIMIT: counter i has these lines instead
    input  wire [LINE_W*64-1:0] low_limit_i,
    input  wire [LINE_W*64-1:0] mid_limit_i,
    input  wire [LINE_W*64-1:0] cache_limit_i,
    // combinations' counts (tally_pmu_combine)
    input  wire [(COMB_N > 0 ? COMB_N : 1)*INC_W-1:0] comb_count_i,
    input  wire                 halted_i,
    input  wire [31:0]          stop_i,
    output reg  [31:0]          wrap_o,

    input  wire [4:0]           index_i,
    input  wire                 access_i,      // counter index_i is read or written
    output wire                 busy_o,
    output wire [63:0]          count_o,
    input  wire                 count_we_i,
    input  wire [63:0]          count_i,
    output wire [7:0]           event_o,
    input  wire                 event_we_i,
    input  wire [7:0]           event_i
);
  `include "tally_event_fn.vh"

  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] PRESENT = HPM | 32'h5;
  localparam [63:0] WIDTH   = 64'hFFFF_FFFF_FFFF_FFFF >> (64 - HPM_W);
  localparam [7:0]  INSTRET = tally_event_short(`TALLY_EV_INST_RET);

  // From one carry to the next there are at least 2^7 cycles.
  localparam LIVE = INC_W + 7;
  localparam HIGH = 64 - LIVE;
  localparam [HIGH-1:0] HPM_HIGH = WIDTH[63:LIVE];   // bits of the high part that programmable counters have
  localparam            SHORT    = HPM_W <= LIVE;    // they have none

  (* mem2reg *) reg [LIVE-1:0] low_q [0:31];
  (* mem2reg *) reg [LIVE-1:0] low_d [0:31];
  (* mem2reg *) reg [7:0]      event_q [0:31];
  reg [HIGH-1:0] high_q [0:31];
  reg [31:0]     known_q;    // the high part has been written since reset; else it is 0
  reg [31:0]     carry_q;    // owed to the high part
  // high part and what it is owed: all ones; not kept up to date while something is owed
  reg [31:0]     last_q;
  reg [4:0]      turn_q;

  assign event_o = event_q[index_i];

  // ---- the port
  wire [4:0]      at       = access_i ? index_i : turn_q;
  wire [HIGH-1:0] mask     = at < 5'd3 ? {HIGH{1'b1}} : HPM_HIGH;
  wire [HIGH-1:0] high_now = (known_q[at] ? high_q[at] : {HIGH{1'b0}}) + {{HIGH - 1{1'b0}}, carry_q[at]};
  wire [HIGH-1:0] high_new = (count_we_i ? count_i[63:LIVE] : high_now) & mask;

  assign count_o = {high_now & mask, low_q[index_i]};

  always @(posedge clk) high_q[at] <= high_new;

  // ---- the planes of the lines
  wire [63:0] low_line [0:LINE_W-1];
  wire [63:0] mid_line [0:LINE_W-1];
  wire [63:0] cache_line [0:LINE_W-1];
  wire [63:0] low_limit [0:LINE_W-1];
  wire [63:0] mid_limit [0:LINE_W-1];
  wire [63:0] cache_limit [0:LINE_W-1];
  genvar p;
  generate
    for (p = 0; p < LINE_W; p = p + 1) begin : g_plane
      assign low_line[p]    = low_line_i[p*64 +: 64];
      assign mid_line[p]    = mid_line_i[p*64 +: 64];
      assign cache_line[p]  = cache_line_i[p*64 +: 64];
      assign low_limit[p]   = low_limit_i[p*64 +: 64];
      assign mid_limit[p]   = mid_limit_i[p*64 +: 64];
      assign cache_limit[p] = cache_limit_i[p*64 +: 64];
    end
  endgenerate

  // ---- the low parts
  reg [7:0]        sel;
  reg              load;
  reg [INC_W-1:0]  inc;
  reg [LIVE:0]     sum;
  reg [31:0]       over, waits;
  integer          i, b;
  always @* begin
    for (i = 0; i < 32; i = i + 1) begin
      sel  = i == 2 ? INSTRET : event_q[i];
      load = count_we_i & index_i == i[4:0];
      inc  = {INC_W{1'b0}};
      for (b = 0; b < LINE_W; b = b + 1)
        inc[b] = i == 0              ? b == 0 & ~halted_i :
                 LIMIT && limit_i[i] ? (sel[7] ? cache_limit[b][sel[5:0]] :
                                        sel[6] ? mid_limit[b][sel[5:0]] : low_limit[b][sel[5:0]])
                                     : (sel[7] ? cache_line[b][sel[5:0]] :
                                        sel[6] ? mid_line[b][sel[5:0]] : low_line[b][sel[5:0]]);
      if (i >= 3 && i < 3 + COMB_N) inc = inc | comb_count_i[(i-3)*INC_W +: INC_W];
      inc = inc & {INC_W{~stop_i[i]}};
      sum      = {1'b0, low_q[i]} + {{LIVE + 1 - INC_W{1'b0}}, inc};
      low_d[i] = load ? count_i[LIVE-1:0] : sum[LIVE-1:0];
      if (i >= 3 && SHORT) begin
        over[i]   = 1'b0;
        wrap_o[i] = ~load & |(sum & ~WIDTH[LIVE:0]);
        low_d[i]  = low_d[i] & WIDTH[LIVE-1:0];
      end else begin
        over[i]   = ~load & sum[LIVE];
        wrap_o[i] = over[i] & last_q[i];
      end
      waits[i] = carry_q[i] & low_q[i][LIVE-1];
      if (!PRESENT[i]) begin
        low_d[i]  = {LIVE{1'b0}};
        over[i]   = 1'b0;
        wrap_o[i] = 1'b0;
        waits[i]  = 1'b0;
      end
    end
  end

  reg busy_q;
  always @(posedge clk) busy_q <= ~rst & |waits;
  assign busy_o = busy_q;

  // ---- state
  wire last_new = &(high_new | ~mask);
  integer r;
  always @(posedge clk) begin
    for (r = 0; r < 32; r = r + 1) begin
      low_q[r] <= rst ? {LIVE{1'b0}} : low_d[r];
      if (rst | !HPM[r])
        event_q[r] <= 8'd0;
      else if (event_we_i & index_i == r[4:0])
        event_q[r] <= event_i;

      if (rst | !PRESENT[r]) begin
        known_q[r] <= 1'b0;
        carry_q[r] <= 1'b0;
        last_q[r]  <= 1'b0;
      end else if (at == r[4:0]) begin
        known_q[r] <= 1'b1;
        carry_q[r] <= over[r];
        last_q[r]  <= last_new & ~over[r];
      end else if (over[r]) begin
        carry_q[r] <= 1'b1;
        last_q[r]  <= 1'b0;
      end
    end
    turn_q <= rst ? 5'd0 : turn_q + {4'd0, ~access_i};
  end

`ifdef FORMAL
  // The state of one counter as software knows it, for tests/formal.
  wire [4:0]      formal_index;
  wire [HIGH-1:0] formal_mask     = formal_index < 5'd3 ? {HIGH{1'b1}} : HPM_HIGH;
  wire [HIGH-1:0] formal_rests    = known_q[formal_index] ? high_q[formal_index] : {HIGH{1'b0}};
  wire [HIGH-1:0] formal_high     = formal_rests + {{HIGH - 1{1'b0}}, carry_q[formal_index]};
  wire [63:0]     formal_count    = {formal_high & formal_mask, low_q[formal_index]};
  wire [55:0]     formal_selector = tally_event_long(event_q[formal_index]);

  // Why it is exact, for any one counter. A carry is never owed twice:
  wire            owes = carry_q[formal_index];
  wire [LIVE-1:0] low  = low_q[formal_index];
  always @* if (!rst) carry_owed_once: assert (!(owes & over[formal_index]));
  // ... because while one waits in the upper half of the low part, the turn comes nearer with every cycle in
  // which busy_o is 1, and that is every cycle but the first; the count gains at most MOST in each.
  localparam [LIVE-1:0] HALF = {1'b1, {LIVE - 1{1'b0}}};
  localparam [LIVE-1:0] MOST = {{LIVE - INC_W{1'b0}}, {INC_W{1'b1}}};
  wire [4:0]      wait_left = formal_index - turn_q;
  wire [LIVE-1:0] gained    = MOST * ({{LIVE - 5{1'b0}}, 5'd31} - {{LIVE - 5{1'b0}}, wait_left});
  always @* begin
    if (!rst & owes & low >= HALF)
      turn_in_time: assert (low <= HALF + MOST - 1'b1 + (busy_q ? MOST + gained : {LIVE{1'b0}}));
    // What rests has no bits beyond the width; `last` is 0 while something is owed, and else tells.
    if (!rst) rests_in_width: assert ((formal_rests & ~formal_mask) == {HIGH{1'b0}});
    if (!rst & PRESENT[formal_index])
      last_is_last: assert (last_q[formal_index] == (!owes & &(formal_rests | ~formal_mask)));
  end
`endif
endmodule

`default_nettype wire
