// SPDX-License-Identifier: Apache-2.0
// tally_pmu_attribution - precise event sample attribution: shpmspc and shpmsdata (event sampling
// draft, Sspesa; docs/sampling.md).
//
// When a counter's overflow sets LCOFIP, the pc to which the overflow belongs and the counter's number are
// captured. For a retire event it is the pc of the instruction that made the counter wrap. For any other
// event it is the pc of the oldest instruction that retires in this cycle; if none retires, of the next one
// to retire, or, while a flush has left the pipeline empty, of the instruction that caused the flush
// (docs/rulings.md, Cycle attribution).
//
// With one retire lane an instruction with an event is also the oldest that retires, so one rule serves both.
// There the late-arriving requests are registered first and the capture follows a cycle
// later. Reads bypass the pending capture, so the delay is not visible to software.

`include "tally_idle.vh"
`include "tally_spec.vh"

`default_nettype none

module tally_pmu_attribution #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter HPM_W    = 64,
    parameter NEXT     = 0    // 1: also with an empty pipeline the next instruction to retire is the cause
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     lcofip_i,        // mip.LCOFIP in this cycle
    input  wire [31:0]              request_i,       // counters that set LCOFIP at this clock edge
    input  wire [31:0]              eligible_i,      // counters whose overflows are captured

    input  wire [RETIRE_W-1:0]      ret_valid_i,
    input  wire [RETIRE_W*XLEN-1:0] ret_pc_i,
    input  wire [XLEN-1:0]          ret_next_pc_i,
    input  wire [XLEN-1:0]          ret_flush_pc_i,
    input  wire                     ret_flushed_i,

    // with more than one lane: selected events, the three lowest bits of the counters
    input  wire [32*8-1:0]          events_i,
    input  wire [32*3-1:0]          low_i,
    input  wire [RETIRE_W*64-1:0]   lane_event_i,    // tally_pmu_events
    input  wire [RETIRE_W-1:0]      in_range_i,      // lanes within the pc range ...
    input  wire [31:0]              pc_range_i,      // ... which limits these counters

    // access
    input  wire                     pc_we_i,
    input  wire                     data_we_i,
    input  wire [XLEN-1:0]          wdata_i,
    output wire [XLEN-1:0]          pc_o,
    output wire [4:0]               cntrid_o
);
  localparam     DELAYED = RETIRE_W == 1;
  reg [XLEN-1:1] pc_q;
  reg [4:0]      cntrid_q;
  // from the cycle before: overflowing counters, their cause, LCOFIP, which registers were written
  reg [31:0]     overflows_q;
  reg [XLEN-1:1] cause_q;
  reg            lcofip_q, wrote_pc_q, wrote_data_q;

  // ---- the counter: the lowest number of those that overflow
  reg  [31:0] overflows;
  always @* begin
    overflows = 32'd0;
    if (`TALLY_ACTIVE(|request_i)) overflows = request_i & eligible_i;
  end
  wire [31:0] candidates = DELAYED ? overflows_q : overflows;
  wire        capture    = |candidates & ~(DELAYED ? lcofip_q : lcofip_i);
  // A tree of five levels: of each pair of halves the lower one, if any of its bits is set.
  wire [15:0] of_16 = candidates[31:16] & {16{~|candidates[15:0]}} | candidates[15:0];
  wire [7:0]  of_8  = of_16[15:8] & {8{~|of_16[7:0]}} | of_16[7:0];
  wire [3:0]  of_4  = of_8[7:4] & {4{~|of_8[3:0]}} | of_8[3:0];
  wire        even  = |of_4[1:0] ? of_4[0] : of_4[2];
  wire [4:0]  index = {~|candidates[15:0], ~|of_16[7:0], ~|of_8[3:0], ~|of_4[1:0], ~even};
  // A write in the cycle of the overflow wins over its capture.
  wire        new_pc   = capture & ~(DELAYED & wrote_pc_q);
  wire        new_data = capture & ~(DELAYED & wrote_data_q);
  assign cntrid_o = DELAYED && new_data ? index : cntrid_q;
  assign pc_o     = {DELAYED && new_pc ? cause_q : pc_q, 1'b0};

  // ---- the cause of an event that no retired instruction has: the oldest instruction
  reg [XLEN-1:0] oldest;
  integer        k;
  always @* begin
    k      = 0;
    oldest = {XLEN{1'b0}};
    if (`TALLY_ACTIVE(|overflows)) begin
      oldest = ret_flushed_i && NEXT == 0 ? ret_flush_pc_i : ret_next_pc_i;
      for (k = RETIRE_W - 1; k >= 0; k = k - 1) if (ret_valid_i[k]) oldest = ret_pc_i[k*XLEN +: XLEN];
    end
  end

  // ---- the cause of a retire event: the lane that makes the counter wrap
  wire [XLEN-1:0] cause;
  wire            unused_low;
  generate
    if (RETIRE_W == 1) begin : g_one_lane
      assign cause      = oldest;
      assign unused_low = &{1'b0, events_i, low_i, lane_event_i, in_range_i, pc_range_i};
    end else begin : g_lanes
      `include "tally_event_fn.vh"
      // The counter wraps in this cycle, so its low bits are the number of events to the wrap.
      localparam [3:0] RANGE = HPM_W >= 3 ? 4'd8 : HPM_W == 2 ? 4'd4 : 4'd2;
      wire [7:0]           selected = events_i[index*8 +: 8];
      wire [3:0]           to_wrap  = RANGE - {1'b0, low_i[index*3 +: 3]};
      wire [RETIRE_W-1:0]  has_event;
      genvar l;
      for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
        wire [63:0] low_event   = tally_lines_low(lane_event_i[l*64 +: 64], 64'd0);
        wire [63:0] mid_event   = tally_lines_mid(lane_event_i[l*64 +: 64], 64'd0);
        wire [63:0] cache_event = tally_lines_cache(lane_event_i[l*64 +: 64], 64'd0);
        assign has_event[l] = (selected[7] ? cache_event[selected[5:0]] :
                               selected[6] ? mid_event[selected[5:0]] : low_event[selected[5:0]])
                            & (in_range_i[l] | ~pc_range_i[index]);
      end
      reg  [XLEN-1:0] wrapping;
      reg  [3:0]      events;
      integer         j;
      always @* begin
        wrapping = oldest;
        events   = 4'd0;
        for (j = 0; j < RETIRE_W; j = j + 1) begin
          if (has_event[j]) begin
            events = events + 4'd1;
            if (events == to_wrap) wrapping = ret_pc_i[j*XLEN +: XLEN];
          end
        end
      end
      assign cause      = wrapping;
      assign unused_low = 1'b0;
    end
  endgenerate

  // ---- registers: a write wins, each by itself
  always @(posedge clk) begin
    if (rst)          pc_q <= {XLEN - 1{1'b0}};
    else if (pc_we_i) pc_q <= wdata_i[XLEN-1:1];
    else if (new_pc)  pc_q <= DELAYED ? cause_q : cause[XLEN-1:1];

    if (rst)            cntrid_q <= 5'd0;
    else if (data_we_i) cntrid_q <= wdata_i[4:0];
    else if (new_data)  cntrid_q <= index;
  end
  always @(posedge clk) begin
    overflows_q  <= overflows;
    lcofip_q     <= lcofip_i;
    wrote_pc_q   <= pc_we_i | rst;
    wrote_data_q <= data_we_i | rst;
    if (`TALLY_ACTIVE(|overflows)) cause_q <= cause[XLEN-1:1];
  end

  wire unused_ok = &{1'b0, of_4[3], unused_low, cause[0], wdata_i};
endmodule

`default_nettype wire
