// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_track - the active sample: its pc, type and mode, the stages it has reached and their
// latencies (event sampling draft, Smpdis, PDIS Latencies).
//
// At most one sample is active, from the cycle after its selection to the cycle of its end. The host's report
// comes a cycle later (tally_pmu_sampling), so the first report that an active sample gets is that of the
// cycle of its selection. Latencies are differences of cycle numbers, each saturating by itself. Outputs are
// valid in the cycle of the end and include its reports.

`include "tally_idle.vh"

`default_nettype none

module tally_pmu_pdis_track #(
    parameter XLEN     = 64,
    parameter DECODE_W = 1
) (
    input  wire                     clk,
    input  wire                     rst,

    // selection
    input  wire [DECODE_W-1:0]      sample_i,
    input  wire [DECODE_W*XLEN-1:0] dec_pc_i,
    input  wire [DECODE_W*3-1:0]    dec_type_i,
    input  wire [DECODE_W*3-1:0]    dec_mode_i,

    // report
    input  wire                     dispatched_i,
    input  wire                     issued_i,
    input  wire                     completed_i,
    input  wire                     oldest_i,
    input  wire                     retired_i,
    input  wire                     trapped_i,
    input  wire                     flushed_i,

    output wire                     active_o,
    output wire                     end_o,          // the sample ends in this cycle
    output wire [XLEN-1:0]          pc_o,
    output wire [2:0]               type_o,
    output wire [2:0]               mode_o,
    output reg  [63:0]              lat_o,          // pdislat
    input  wire [11:0]              thresh_i,       // spdisfilter.THRESH
    output reg  [4:0]               at_thresh_o     // latencies that are not below it, in the order of LATSEL
);
  reg            active_q;
  reg [XLEN-1:0] pc_q;
  reg [2:0]      type_q, mode_q;
  assign active_o = active_q;
  assign end_o    = active_q & (retired_i | trapped_i | flushed_i);
  assign pc_o     = pc_q;
  assign type_o   = type_q;
  assign mode_o   = mode_q;

  // Selection is late-arriving: while no sample is active, hardware loads in every cycle.
  wire start = |sample_i;
  wire load  = ~active_q & `TALLY_ACTIVE(start);

  // ---- the selected instruction
  reg [XLEN-1:0] pc;
  reg [2:0]      kind, mode;
  integer        k;
  always @* begin
    pc   = dec_pc_i[XLEN-1:0];
    kind = dec_type_i[2:0];
    mode = dec_mode_i[2:0];
    for (k = 1; k < DECODE_W; k = k + 1) begin
      if (sample_i[k]) begin
        pc   = dec_pc_i[k*XLEN +: XLEN];
        kind = dec_type_i[k*3 +: 3];
        mode = dec_mode_i[k*3 +: 3];
      end
    end
  end

  always @(posedge clk) begin
    if (rst)        active_q <= 1'b0;
    else if (start) active_q <= 1'b1;
    else if (end_o) active_q <= 1'b0;
    if (load) begin
      pc_q   <= pc;
      type_q <= kind;
      mode_q <= mode;
    end
    if (rst) begin
      pc_q   <= {XLEN{1'b0}};
      type_q <= 3'd0;
      mode_q <= 3'd0;
    end
  end

  // ---- stages: `_q` reached before this cycle, `dispatch`, `issue`, `complete`, `old` in it, `...v` either.
  // A stage counts only once, and only after the stage before it.
  function [11:0] increment;   // saturates
    input [11:0] fn_count;
    increment = fn_count + {11'd0, ~&fn_count};
  endfunction

  reg        dispatched_q, issued_q, completed_q, oldest_q;
  reg [11:0] total_q, stage_q, age_q;    // cycles since selection, since the last stage, as the oldest
  reg [11:0] dispatch_q, issue_q, execution_q;

  reg        dispatch, issue, complete, old, dispv, issv, execv, oldv;
  reg [11:0] age, dispatch_lat, issue_lat, execution_lat;
  always @* begin
    {dispatch, issue, complete, old} = 4'd0;
    {dispv, issv, execv, oldv}       = 4'd0;
    age           = 12'd0;
    dispatch_lat  = 12'd0;
    issue_lat     = 12'd0;
    execution_lat = 12'd0;
    if (active_q) begin
      dispatch = dispatched_i & ~dispatched_q;
      dispv    = dispatched_q | dispatch;
      issue    = dispv & issued_i & ~issued_q;
      issv     = issued_q | issue;
      complete = issv & completed_i & ~completed_q;
      execv    = completed_q | complete;
      old      = oldest_i & ~oldest_q;
      oldv     = oldest_q | old;
      age           = old ? 12'd0 : age_q;
      dispatch_lat  = dispatch ? stage_q : dispatch_q;
      issue_lat     = !issue ? issue_q : dispatch ? 12'd0 : stage_q;
      execution_lat = !complete ? execution_q : issue ? 12'd0 : stage_q;
    end
  end

  always @(posedge clk) begin
    if (active_q) begin
      total_q      <= increment(total_q);
      stage_q      <= dispatch | issue | complete ? 12'd1 : increment(stage_q);
      age_q        <= increment(age);
      dispatched_q <= dispv;
      issued_q     <= issv;
      completed_q  <= execv;
      oldest_q     <= oldv;
      dispatch_q   <= dispatch_lat;
      issue_q      <= issue_lat;
      execution_q  <= execution_lat;
    end
    if (load) begin
      {dispatched_q, issued_q, completed_q, oldest_q} <= 4'd0;
      total_q <= 12'd0;
      stage_q <= 12'd0;
    end
    if (rst) begin
      {dispatched_q, issued_q, completed_q, oldest_q} <= 4'd0;
      total_q     <= 12'd0;
      stage_q     <= 12'd0;
      age_q       <= 12'd0;
      dispatch_q  <= 12'd0;
      issue_q     <= 12'd0;
      execution_q <= 12'd0;
    end
  end

  // ---- latencies and the filter's comparison. Registers are compared before the late-arriving report
  // selects among them. OLDEST is valid only if the sample retired.
  wire thresh_0       = thresh_i == 12'd0;
  wire stage_slow     = stage_q >= thresh_i;
  wire total_slow     = total_q >= thresh_i;
  wire dispatch_slow  = (dispatch ? stage_slow : dispatch_q >= thresh_i) & dispv | thresh_0;
  wire issue_slow     = (!issue ? issue_q >= thresh_i : !dispatch & stage_slow) & issv | thresh_0;
  wire execution_slow = (!complete ? execution_q >= thresh_i : !issue & stage_slow) & execv | thresh_0;
  wire oldest_slow    = !old & age_q >= thresh_i & oldv & retired_i | thresh_0;

  reg oldest_valid;
  always @* begin
    oldest_valid = 1'b0;
    lat_o        = 64'd0;
    at_thresh_o  = 5'd0;
    if (`TALLY_ACTIVE(end_o)) begin
      at_thresh_o  = {oldest_slow, execution_slow, issue_slow, dispatch_slow, total_slow};
      oldest_valid = oldv & retired_i;
      lat_o = {oldest_valid, execv, issv, dispv, age & {12{oldest_valid}}, execution_lat & {12{execv}},
               issue_lat & {12{issv}}, dispatch_lat & {12{dispv}}, total_q};
    end
  end
endmodule

`default_nettype wire
