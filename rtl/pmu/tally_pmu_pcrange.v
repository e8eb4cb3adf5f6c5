// tally_pmu_pcrange - the range of program counters that a counter can be limited to (docs/pmu.md).
//
// shpmpclo, shpmpchi and shpmpcsel, and which lanes retire from inside. With one lane the limit is nothing
// but a reason to stop: stop_o says for which counters that select a retire event (which is why writes of
// events are watched). With more lanes counters choose from a second set of lines.
//
// Combinational, but for the registers.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_pcrange #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter HPM_N    = 29
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire [RETIRE_W*XLEN-1:0] ret_pc_i,
    output wire [RETIRE_W-1:0]      inside_o,
    output wire [31:0]              stop_o,     // one lane: it is outside, and this counter's event is its

    // access
    output reg  [XLEN-1:0]          low_o,
    output reg  [XLEN-1:0]          high_o,
    output reg  [31:0]              range_o,    // counters that have the limit
    input  wire                     low_we_i,
    input  wire                     high_we_i,
    input  wire [XLEN-1:1]          bound_i,    // bit 0 is 0
    input  wire                     range_we_i,
    input  wire [31:0]              range_i,
    // events as counters get them
    input  wire [4:0]               index_i,
    input  wire                     event_we_i,
    input  wire [7:0]               event_i
);
  `include "tally_event_fn.vh"

  localparam [31:0] HPM = ((32'd1 << HPM_N) - 32'd1) << 3;

  always @(posedge clk) begin
    if (rst) begin
      low_o   <= {XLEN{1'b0}};
      high_o  <= {XLEN{1'b0}};
      range_o <= 32'd0;
    end else begin
      if (low_we_i)   low_o   <= {bound_i, 1'b0};
      if (high_we_i)  high_o  <= {bound_i, 1'b0};
      if (range_we_i) range_o <= range_i & HPM;
    end
  end

  genvar l;
  generate
    for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
      wire [XLEN-1:0] pc = ret_pc_i[l*XLEN +: XLEN];
      assign inside_o[l] = pc >= low_o & pc < high_o;
    end

    if (RETIRE_W == 1) begin : g_stop
      // The lines of retire events, in the order in which counters know them.
      localparam [63:0] ONES = 64'hFFFF_FFFF_FFFF_FFFF;
      wire [63:0] low_retire   = tally_lines_low(ONES, 64'd0);
      wire [63:0] mid_retire   = tally_lines_mid(ONES, 64'd0);
      wire [63:0] cache_retire = tally_lines_cache(ONES, 64'd0);

      reg [31:0] retire_q;   // the counter's event is a retire event
      always @(posedge clk) begin
        if (rst)
          retire_q <= 32'd0;
        else if (event_we_i)
          retire_q[index_i] <= event_i[7] ? cache_retire[event_i[5:0]]
                             : event_i[6] ? mid_retire[event_i[5:0]] : low_retire[event_i[5:0]];
      end
      assign stop_o = retire_q & range_o & {32{~inside_o}};
    end else begin : g_lines
      assign stop_o = 32'd0;
      wire unused_ok = &{1'b0, index_i, event_we_i, event_i};
    end
  endgenerate
endmodule

`default_nettype wire
