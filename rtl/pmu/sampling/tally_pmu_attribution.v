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
    parameter XLEN       = 64,
    parameter RETIRE_W   = 1,
    parameter HPM_W      = 64,
    parameter HYP        = 0,
    parameter EBB        = 0,
    parameter REGISTERED = 1,  // with one lane: the capture follows a cycle after the request
    parameter NEXT       = 0   // 1: also with an empty pipeline the next instruction to retire is the cause
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     lcofip_i,        // mip.LCOFIP in this cycle
    input  wire [31:0]              request_i,       // counters that set LCOFIP at this clock edge
    input  wire [31:0]              eligible_i,      // counters whose overflows are captured

    input  wire [RETIRE_W-1:0]      ret_valid_i,
    input  wire [RETIRE_W*XLEN-1:0] ret_pc_i,
    input  wire [RETIRE_W*3-1:0]    ret_mode_i,      // EBB: lane 0's is also that of the next to retire
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
    output wire [4:0]               cntrid_o,

    // EBB: routed counters that overflow, and the pc to which the lowest overflow belongs
    input  wire [31:0]              ebb_request_i,
    output wire [XLEN-1:0]          ebb_pc_o
);
  localparam     DELAYED = RETIRE_W == 1 && REGISTERED != 0;
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
  wire [4:0]  index;
  tally_pmu_lowest_counter u_lowest (.counters_i(candidates), .index_o(index));
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
      tally_pmu_cause #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .HPM_W(HPM_W)
      ) u_cause (
          .index_i(index),
          .events_i(events_i),
          .low_i(low_i),
          .lane_event_i(lane_event_i),
          .in_range_i(in_range_i),
          .pc_range_i(pc_range_i),
          .pc_i(ret_pc_i),
          .oldest_i(oldest),
          .cause_o(cause)
      );
      assign unused_low = 1'b0;
    end
  endgenerate

  // ---- the cause of an event-based branch: as above, but always the next to retire if none retires, and 0
  // in place of a pc that is not U-mode's (docs/rulings.md, EBB overflow)
  generate
    if (EBB != 0) begin : g_ebb
      wire [RETIRE_W*XLEN-1:0] user_pc;     // of the lanes
      wire [RETIRE_W-1:0]      user_mode;
      reg  [XLEN-1:0]          user_oldest;
      genvar u;
      for (u = 0; u < RETIRE_W; u = u + 1) begin : g_user
        assign user_mode[u] = ret_mode_i[u*3 +: 2] == 2'd0 & ~(HYP != 0 & ret_mode_i[u*3+2]);
        assign user_pc[u*XLEN +: XLEN] = ret_pc_i[u*XLEN +: XLEN] & {XLEN{user_mode[u]}};
      end
      integer n;
      always @* begin
        n           = 0;
        user_oldest = {XLEN{1'b0}};
        if (`TALLY_ACTIVE(|ebb_request_i)) begin
          user_oldest = ret_next_pc_i & {XLEN{user_mode[0]}};
          for (n = RETIRE_W - 1; n >= 0; n = n - 1)
            if (ret_valid_i[n]) user_oldest = user_pc[n*XLEN +: XLEN];
        end
      end
      if (RETIRE_W == 1) begin : g_one_lane
        assign ebb_pc_o = user_oldest;
      end else begin : g_lanes
        wire [4:0] ebb_index;
        tally_pmu_lowest_counter u_lowest (.counters_i(ebb_request_i), .index_o(ebb_index));
        tally_pmu_cause #(
            .XLEN(XLEN), .RETIRE_W(RETIRE_W), .HPM_W(HPM_W)
        ) u_cause (
            .index_i(ebb_index),
            .events_i(events_i),
            .low_i(low_i),
            .lane_event_i(lane_event_i),
            .in_range_i(in_range_i),
            .pc_range_i(pc_range_i),
            .pc_i(user_pc),
            .oldest_i(user_oldest),
            .cause_o(ebb_pc_o)
        );
      end
    end else begin : g_no_ebb
      assign ebb_pc_o = {XLEN{1'b0}};
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

  wire unused_ok = &{1'b0, unused_low, cause[0], wdata_i, ret_mode_i, ebb_request_i};
endmodule

`default_nettype wire
