// SPDX-License-Identifier: Apache-2.0
// tally_track - follows the tagged instruction through the back end, for the PMU's `track` port
// (docs/integration.md, The points in time of a sample). There is at most one.
//
// A stage is reported in the first cycle in which the instruction is in it, from registers; the end in its
// own cycle. An instruction that runs again because a page's A or D bit has to be set stays the same sample:
// nothing else can come between, so the next that is dispatched is the same one.

`default_nettype none
`include "tally_spec.vh"
`include "tally_hart.vh"

module tally_track #(
    parameter XLEN  = 64,
    parameter TAG_W = 3
) (
    input  wire             clk,
    input  wire             rst,

    // the instruction in ID
    input  wire             sample_i,        // it is the sample
    input  wire             lost_i,          // ... and is dropped before its dispatch
    input  wire             dispatch_i,
    input  wire [TAG_W-1:0] dispatch_tag_i,
    input  wire [2:0]       dispatch_unit_i,
    input  wire [3:0]       dispatch_itype_i,
    input  wire             dispatch_itmiss_i,
    input  wire             dispatch_icmiss_i,

    // units
    input  wire             issued_i,        // it leaves IS
    input  wire [TAG_W-1:0] issued_tag_i,
    input  wire             ex_valid_i,      // an instruction is in EX and has its operands,
    input  wire             ex_done_i,       // and is not flushed
    input  wire [TAG_W-1:0] ex_tag_i,
    input  wire             ex_branch_i,
    input  wire [3:0]       ex_itype_i,
    input  wire             md_done_i,
    input  wire [TAG_W-1:0] md_tag_i,
    input  wire             mem_start_i,     // a memory access is translated and under way,
    input  wire [TAG_W-1:0] mem_tag_i,
    input  wire             bus_start_i,     // or the bus performs it: an access that is not speculative
    input  wire [TAG_W-1:0] bus_tag_i,
    input  wire             lc_done_i,
    input  wire [TAG_W-1:0] lc_tag_i,
    input  wire             lc_l1miss_i,
    input  wire             lc_tlbmiss_i,
    input  wire             lc_l2tlbmiss_i,
    input  wire [3:0]       lc_dsrc_i,

    // commit
    input  wire             head_valid_i,
    input  wire [TAG_W-1:0] head_tag_i,
    input  wire             head_sys_done_i, // the oldest acts at commit, and has executed
    input  wire             retire_i,
    input  wire             exception_i,
    input  wire             replay_i,        // it runs again to set A or D
    input  wire             flush_i,
    input  wire             squash_i,        // by the branch ex_tag_i
    input  wire [XLEN-1:0]  squash_pc_i,

    // stages, and the end
    output wire             dispatched_o,
    output wire             issued_o,
    output wire             completed_o,
    output wire             oldest_o,
    output wire             retired_o,
    output wire             trapped_o,
    output wire             flushed_o,
    output wire [1:0]       flush_why_o,
    output wire [XLEN-1:0]  flush_pc_o,      // the branch that had been mispredicted, or 0

    // its properties
    output wire [3:0]       itype_o,         // of a branch, once it is resolved
    output wire             mispred_o,
    output wire             itmiss_o,
    output wire             icmiss_o,
    output wire [TAG_W-1:0] tag_o,           // its entry of the scoreboard,
    output wire             accessed_o,      // and whether its address is valid
    output wire             l1miss_o,
    output wire             tlbmiss_o,
    output wire             l2tlbmiss_o,
    output wire [3:0]       dsrc_o
);
  reg             live_q;
  reg             again_q;     // it is fetched again
  reg             entered_q;   // dispatched in the cycle before
  reg             old_q;       // reported as the oldest,
  reg             begun_q;     // as issued
  reg             taken_q;     // left IS in the cycle before, for the multiplier or divider
  reg             done_q;      // completed in the cycle before
  reg [TAG_W-1:0] tag_q;
  reg [2:0]       unit_q;
  reg [3:0]       itype_q, dsrc_q;
  reg             mispred_q, itmiss_q, icmiss_q, accessed_q, l1miss_q, tlbmiss_q, l2tlbmiss_q;

  // Dispatch arrives late; stored fields do not wait for it: there is no other sample.
  wire enters     = !live_q && (sample_i || again_q);
  wire mine       = dispatch_i && enters;
  wire system     = unit_q == `TALLY_U_SYS;
  wire muldiv     = unit_q == `TALLY_U_MUL || unit_q == `TALLY_U_DIV || unit_q == `TALLY_U_COUNT;
  wire mine_head  = live_q && head_valid_i && head_tag_i == tag_q;
  wire mine_sys   = mine_head && head_sys_done_i;
  wire mine_issue = issued_i && issued_tag_i == tag_q;
  wire mine_valid = ex_valid_i && ex_tag_i == tag_q && !system;
  wire mine_ex    = ex_done_i && ex_tag_i == tag_q;
  wire mine_md    = md_done_i && md_tag_i == tag_q;
  wire mine_lc    = lc_done_i && lc_tag_i == tag_q;
  wire mine_mem   = (mem_start_i && mem_tag_i == tag_q) || (bus_start_i && bus_tag_i == tag_q);
  wire again      = mine_head && replay_i;
  wire ends       = retired_o || trapped_o || flushed_o;

  assign dispatched_o = entered_q;
  assign issued_o     = live_q && !begun_q && (taken_q || mine_valid || mine_mem || mine_sys);
  assign completed_o  = live_q && begun_q && (done_q || (system && (retired_o || trapped_o)));
  assign oldest_o     = mine_head && !old_q;
  assign retired_o    = mine_head && retire_i;
  assign trapped_o    = mine_head && exception_i;

  // A squash keeps the branch and older instructions; only IS is younger, so only an unissued one can be
  // hit.
  wire [TAG_W-1:0] age_mine   = tag_q - head_tag_i;
  wire [TAG_W-1:0] age_branch = ex_tag_i - head_tag_i;
  wire             squashed   = live_q && squash_i && age_mine > age_branch;
  wire             dropped    = live_q && flush_i && !retired_o && !trapped_o && !again;

  assign flushed_o   = squashed || dropped || lost_i;
  assign flush_why_o = {1'b0, !flush_i};
  assign flush_pc_o  = flush_i ? {XLEN{1'b0}} : squash_pc_i;

  always @(posedge clk) begin
    if (rst)        live_q <= 1'b0;
    else if (mine)  live_q <= 1'b1;
    else if (ends || again) live_q <= 1'b0;

    if (rst || mine) again_q <= 1'b0;
    else if (again)  again_q <= 1'b1;

    entered_q <= mine && !again_q && !rst;
    taken_q   <= live_q && mine_issue && muldiv;
    done_q    <= live_q && ((mine_ex && !system) || mine_md || mine_lc);
    if (enters) begin
      tag_q  <= dispatch_tag_i;
      unit_q <= dispatch_unit_i;
      if (!again_q) {old_q, begun_q} <= 2'b00;
    end else begin
      if (oldest_o) old_q   <= 1'b1;
      if (issued_o) begun_q <= 1'b1;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Properties. The outcome of a branch is known when it is resolved.

  wire [3:0] decoded = dispatch_itype_i == `TALLY_ITYPE_BR_NT ? `TALLY_ITYPE_NONE : dispatch_itype_i;

  always @(posedge clk) begin
    if (enters) begin
      itype_q    <= decoded;
      itmiss_q   <= dispatch_itmiss_i;
      icmiss_q   <= dispatch_icmiss_i;
      mispred_q  <= 1'b0;
      accessed_q <= 1'b0;
    end else begin
      if (mine_ex && ex_branch_i) begin
        itype_q   <= ex_itype_i;
        mispred_q <= squash_i;
      end
      if (mine_lc) begin
        accessed_q  <= 1'b1;
        l1miss_q    <= lc_l1miss_i;
        tlbmiss_q   <= lc_tlbmiss_i;
        l2tlbmiss_q <= lc_l2tlbmiss_i;
        dsrc_q      <= lc_dsrc_i;
      end
    end
  end

  assign itype_o     = live_q ? itype_q : decoded;
  assign mispred_o   = live_q && mispred_q;
  assign itmiss_o    = live_q ? itmiss_q : dispatch_itmiss_i;
  assign icmiss_o    = live_q ? icmiss_q : dispatch_icmiss_i;
  assign tag_o       = tag_q;
  assign accessed_o  = live_q && accessed_q;
  assign l1miss_o    = accessed_o && l1miss_q;
  assign tlbmiss_o   = accessed_o && tlbmiss_q;
  assign l2tlbmiss_o = accessed_o && l2tlbmiss_q;
  assign dsrc_o      = accessed_o ? dsrc_q : `TALLY_DSRC_NONE;
endmodule

`default_nettype wire
