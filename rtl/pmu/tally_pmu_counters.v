// tally_pmu_counters - the counters: value, selected event, increment, wrap.
//
// Counter 0 is mcycle, 2 minstret, 3.. the programmable ones; all of them are one loop. A counter takes its
// events at the clock edge; what is read is the value before (Unprivileged ISA, Zicsr; facts section 13). An
// explicit write replaces the increment of its cycle, and so cannot wrap the counter.
//
// Cost: a bit of a counter is one 4-input LUT on its carry chain, because the load shares the adder's free
// operand: while a counter is loaded, its operand is all ones, the sum is garbage, and nobody looks at it.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_counters #(
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
    input  wire                 halted_i,      // the core clock is: mcycle stands
    input  wire [31:0]          stop_i,        // does not count in this cycle
    output reg  [31:0]          wrap_o,        // is incremented past the end of its width at this clock edge

    // access: one counter a cycle
    input  wire [4:0]           index_i,
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
  // A sum of two numbers shows its carry in its top bit if one of them is less than half of the range.
  localparam        TOP_BIT_TELLS = HPM_W > INC_W;

  localparam [7:0]  INSTRET = tally_event_short(`TALLY_EV_INST_RET);

  (* mem2reg *) reg [63:0] count_q [0:31];
  (* mem2reg *) reg [63:0] count_d [0:31];
  (* mem2reg *) reg [7:0]  event_q [0:31];

  assign count_o = count_q[index_i];
  assign event_o = event_q[index_i];

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

  // ---- next value of every counter
  reg [7:0]        sel;
  reg              load;
  reg [INC_W-1:0]  inc;
  reg [63:0]       sum, mask;
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
      mask = i < 3 ? 64'hFFFF_FFFF_FFFF_FFFF : WIDTH;
      sum  = count_q[i] + {{64 - INC_W{load}}, inc};
      if (!PRESENT[i]) begin
        count_d[i] = 64'd0;
        wrap_o[i]  = 1'b0;
      end else begin
        count_d[i] = (load ? count_i : sum) & mask;
        if (i < 3)
          wrap_o[i] = count_q[i][63] & ~sum[63] & ~load;
        else if (TOP_BIT_TELLS)
          wrap_o[i] = count_q[i][HPM_W-1] & ~sum[HPM_W-1] & ~load;
        else
          wrap_o[i] = |(sum & ~WIDTH) & ~load;
      end
    end
  end

  integer r;
  always @(posedge clk) begin
    for (r = 0; r < 32; r = r + 1) begin
      count_q[r] <= rst ? 64'd0 : count_d[r];
      if (rst | !HPM[r])
        event_q[r] <= 8'd0;
      else if (event_we_i & index_i == r[4:0])
        event_q[r] <= event_i;
    end
  end

`ifdef FORMAL
  // The state of one counter as software knows it, for tests/formal.
  wire [4:0]  formal_index;
  wire [63:0] formal_count    = count_q[formal_index];
  wire [55:0] formal_selector = tally_event_long(event_q[formal_index]);
`endif
endmodule

`default_nettype wire
