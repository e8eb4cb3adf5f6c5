// SPDX-License-Identifier: Apache-2.0
// tally_track - follows the tagged instruction through the back end, for the PMU's `track` port.
//
// Pulses are in the cycle in which the thing happens. Of a tagged instruction there is at most one.

`default_nettype none

module tally_track #(
    parameter XLEN  = 64,
    parameter TAG_W = 3
) (
    input  wire             clk,
    input  wire             rst,

    input  wire             sample_i,        // the instruction that is dispatched is the sample
    input  wire             lost_i,          // it is thrown away before its dispatch
    input  wire             dispatch_i,
    input  wire [TAG_W-1:0] dispatch_tag_i,
    input  wire             dispatch_done_i, // complete at once (it carries an exception)
    input  wire             issued_i,
    input  wire [TAG_W-1:0] issued_tag_i,
    input  wire             ex_done_i,
    input  wire [TAG_W-1:0] ex_tag_i,
    input  wire             md_done_i,
    input  wire [TAG_W-1:0] md_tag_i,
    input  wire             lc_done_i,
    input  wire [TAG_W-1:0] lc_tag_i,
    input  wire             head_valid_i,
    input  wire [TAG_W-1:0] head_tag_i,
    input  wire             retire_i,
    input  wire             exception_i,
    input  wire             flush_i,
    input  wire             squash_i,        // by the branch ex_tag_i
    input  wire [XLEN-1:0]  squash_pc_i,

    output wire             head_o,          // it is the oldest: fields of the oldest are its own
    output wire             dispatched_o,
    output wire             issued_o,
    output wire             completed_o,
    output wire             oldest_o,
    output wire             retired_o,
    output wire             trapped_o,
    output wire             flushed_o,
    output wire [1:0]       flush_why_o,
    output wire [XLEN-1:0]  flush_pc_o       // the branch that had been mispredicted, or 0
);
  reg             live_q;
  reg             old_q;    // has been reported as the oldest
  reg [TAG_W-1:0] tag_q;

  wire mine_head = live_q && head_valid_i && head_tag_i == tag_q;
  assign head_o  = mine_head;
  wire ends      = retired_o || trapped_o || flushed_o;

  assign dispatched_o = dispatch_i && sample_i;
  assign issued_o     = live_q && issued_i && issued_tag_i == tag_q;
  assign completed_o  = (live_q && ((ex_done_i && ex_tag_i == tag_q) || (md_done_i && md_tag_i == tag_q) ||
                                    (lc_done_i && lc_tag_i == tag_q))) ||
                        (dispatched_o && dispatch_done_i);
  assign oldest_o     = mine_head && !old_q;
  assign retired_o    = mine_head && retire_i;
  assign trapped_o    = mine_head && exception_i;

  // A squash keeps the branch and older instructions; only IS is younger, so only an unissued one can be
  // hit.
  wire [TAG_W-1:0] age_mine   = tag_q - head_tag_i;
  wire [TAG_W-1:0] age_branch = ex_tag_i - head_tag_i;
  wire             squashed   = live_q && squash_i && age_mine > age_branch;
  wire             dropped    = live_q && flush_i && !retired_o && !trapped_o;

  assign flushed_o   = squashed || dropped || lost_i;
  assign flush_why_o = {1'b0, !flush_i};
  assign flush_pc_o  = flush_i ? {XLEN{1'b0}} : squash_pc_i;

  always @(posedge clk) begin
    if (rst)               live_q <= 1'b0;
    else if (dispatched_o) live_q <= 1'b1;
    else if (ends)         live_q <= 1'b0;

    if (dispatched_o) begin
      tag_q <= dispatch_tag_i;
      old_q <= 1'b0;
    end else if (oldest_o) old_q <= 1'b1;
  end
endmodule

`default_nettype wire
