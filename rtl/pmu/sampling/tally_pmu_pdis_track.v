// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_track - the sample on its way: when it reached which stage (Smpdis, PDIS Latencies).
//
// At most one sample is active, from the cycle after its selection to the one in which its end is seen.
// Everything that the hart reports is seen a cycle later (tally_pmu_pdis_seen), so what it reports in the
// selection's own cycle is the first that an active sample sees. Latencies are differences of cycle numbers,
// each saturating by itself; they are shown in the cycle of the end, its own reports included.

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

    // stages, as seen
    input  wire                     dispatched_i,
    input  wire                     issued_i,
    input  wire                     completed_i,
    input  wire                     oldest_i,
    input  wire                     retired_i,
    input  wire                     trapped_i,
    input  wire                     flushed_i,

    output wire                     active_o,
    output wire                     end_o,       // its end is seen in this cycle
    output wire [XLEN-1:0]          pc_o,
    output wire [2:0]               type_o,
    output wire [2:0]               mode_o,
    output reg  [63:0]              lat_o,       // pdislat, in the cycle of the end
    input  wire [11:0]              thresh_i,
    output reg  [4:0]               slow_o       // ... and which of its five are not below: TOTAL first
);
  reg            active_q;
  reg [XLEN-1:0] pc_q;
  reg [2:0]      type_q, mode_q;
  assign active_o = active_q;
  assign end_o    = active_q & (retired_i | trapped_i | flushed_i);
  assign pc_o     = pc_q;
  assign type_o   = type_q;
  assign mode_o   = mode_q;

  wire start = |sample_i;
  // Whether there is a sample is known late, but what is here while there is none nobody looks at: hardware
  // takes what comes until there is one, a simulator the sample alone.
  wire take = ~active_q & `TALLY_ACTIVE(start);

  // ---- who it is
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
    if (take) begin
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

  // ---- stages reached before this cycle, and in it. While no sample is here the simulator looks at nothing.
  function [11:0] more;
    input [11:0] fn_count;
    more = fn_count + {11'd0, ~&fn_count};
  endfunction

  reg        dispatched_q, issued_q, completed_q, oldest_q;
  reg [11:0] total_q, span_q, age_q;    // cycles since selection, last stage, and since it is the oldest
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
      dispatch_lat  = dispatch ? span_q : dispatch_q;
      issue_lat     = !issue ? issue_q : dispatch ? 12'd0 : span_q;
      execution_lat = !complete ? execution_q : issue ? 12'd0 : span_q;
    end
  end

  always @(posedge clk) begin
    if (active_q) begin
      total_q      <= more(total_q);
      span_q       <= dispatch | issue | complete ? 12'd1 : more(span_q);
      age_q        <= more(age);
      dispatched_q <= dispv;
      issued_q     <= issv;
      completed_q  <= execv;
      oldest_q     <= oldv;
      dispatch_q   <= dispatch_lat;
      issue_q      <= issue_lat;
      execution_q  <= execution_lat;
    end
    if (take) begin
      {dispatched_q, issued_q, completed_q, oldest_q} <= 4'd0;
      total_q <= 12'd0;
      span_q  <= 12'd0;
    end
    if (rst) begin
      {dispatched_q, issued_q, completed_q, oldest_q} <= 4'd0;
      total_q     <= 12'd0;
      span_q      <= 12'd0;
      age_q       <= 12'd0;
      dispatch_q  <= 12'd0;
      issue_q     <= 12'd0;
      execution_q <= 12'd0;
    end
  end

  // What each latency may turn out to be is compared beforehand.
  wire zero_slow     = thresh_i == 12'd0;
  wire span_slow     = span_q >= thresh_i;
  wire total_slow    = total_q >= thresh_i;
  wire dispatch_slow = (dispatch ? span_slow : dispatch_q >= thresh_i) & dispv | zero_slow;
  wire issue_slow    = (!issue ? issue_q >= thresh_i : !dispatch & span_slow) & issv | zero_slow;
  wire exec_slow     = (!complete ? execution_q >= thresh_i : !issue & span_slow) & execv | zero_slow;
  wire oldest_slow   = !old & age_q >= thresh_i & oldv & retired_i | zero_slow;

  // How long it was the oldest is said of one that retired only. Of what does not end nobody takes it.
  wire look = `TALLY_ACTIVE(end_o);
  reg oldest_known;
  always @* begin
    oldest_known = 1'b0;
    lat_o        = 64'd0;
    slow_o       = 5'd0;
    if (look) begin
      slow_o = {oldest_slow, exec_slow, issue_slow, dispatch_slow, total_slow};
      oldest_known = oldv & retired_i;
      lat_o = {oldest_known, execv, issv, dispv, age & {12{oldest_known}}, execution_lat & {12{execv}},
               issue_lat & {12{issv}}, dispatch_lat & {12{dispv}}, total_q};
    end
  end
endmodule

`default_nettype wire
