// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_seen - what the hart reports of the sample and of retirement, a cycle later.
//
// Most of it is known late in the hart's cycle. Sampling has time: that a sample has ended is judged in the
// cycle after, and until then the hart retires nothing more (ret_max_o), so that its interrupt comes before
// the next instruction.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_pdis_seen #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                         trk_dispatched_i,
    input  wire                         trk_issued_i,
    input  wire                         trk_completed_i,
    input  wire                         trk_oldest_i,
    input  wire                         trk_retired_i,
    input  wire                         trk_trapped_i,
    input  wire                         trk_flushed_i,
    input  wire [1:0]                   trk_flush_why_i,
    input  wire [XLEN-1:0]              trk_flush_pc_i,
    input  wire [3:0]                   trk_itype_i,
    input  wire                         trk_mispred_i,
    input  wire                         trk_itmiss_i,
    input  wire                         trk_icmiss_i,
    input  wire                         trk_l1miss_i,
    input  wire                         trk_llmiss_i,
    input  wire                         trk_l1tlbmiss_i,
    input  wire                         trk_lltlbmiss_i,
    input  wire [3:0]                   trk_dsrc_i,
    input  wire [XLEN-1:0]              trk_vaddr_i,
    input  wire [63:0]                  trk_paddr_i,
    input  wire [XLEN-1:0]              trk_target_i,
    input  wire [RETIRE_W-1:0]          ret_valid_i,
    input  wire [RETIRE_W*XLEN-1:0]     ret_pc_i,
    input  wire [RETIRE_W*3-1:0]        ret_mode_i,
    input  wire [XLEN-1:0]              ret_next_pc_i,
    input  wire [RETIRE_W*`TALLY_EVR_N-1:0] ev_retire_i,

    output reg                          trk_dispatched_o,
    output reg                          trk_issued_o,
    output reg                          trk_completed_o,
    output reg                          trk_oldest_o,
    output reg                          trk_retired_o,
    output reg                          trk_trapped_o,
    output reg                          trk_flushed_o,
    output reg  [1:0]                   trk_flush_why_o,
    output reg  [XLEN-1:0]              trk_flush_pc_o,
    output reg  [3:0]                   trk_itype_o,
    output reg                          trk_mispred_o,
    output reg                          trk_itmiss_o,
    output reg                          trk_icmiss_o,
    output reg                          trk_l1miss_o,
    output reg                          trk_llmiss_o,
    output reg                          trk_l1tlbmiss_o,
    output reg                          trk_lltlbmiss_o,
    output reg  [3:0]                   trk_dsrc_o,
    output reg  [XLEN-1:0]              trk_vaddr_o,
    output reg  [63:0]                  trk_paddr_o,
    output reg  [XLEN-1:0]              trk_target_o,
    output reg  [RETIRE_W-1:0]          ret_valid_o,
    output reg  [RETIRE_W*XLEN-1:0]     ret_pc_o,
    output reg  [RETIRE_W*3-1:0]        ret_mode_o,
    output reg  [XLEN-1:0]              ret_next_pc_o,
    output reg  [RETIRE_W-1:0]          ret_leaps_o     // it is a transfer that went somewhere
);
  // What is no pulse is looked at together with one.
  always @(posedge clk) begin
    trk_dispatched_o   <= trk_dispatched_i & ~rst;
    trk_issued_o       <= trk_issued_i & ~rst;
    trk_completed_o    <= trk_completed_i & ~rst;
    trk_oldest_o       <= trk_oldest_i & ~rst;
    trk_retired_o      <= trk_retired_i & ~rst;
    trk_trapped_o      <= trk_trapped_i & ~rst;
    trk_flushed_o      <= trk_flushed_i & ~rst;
    ret_valid_o        <= ret_valid_i & {RETIRE_W{~rst}};
    trk_flush_why_o    <= trk_flush_why_i;
    trk_flush_pc_o     <= trk_flush_pc_i;
    trk_itype_o        <= trk_itype_i;
    trk_mispred_o      <= trk_mispred_i;
    trk_itmiss_o       <= trk_itmiss_i;
    trk_icmiss_o       <= trk_icmiss_i;
    trk_l1miss_o       <= trk_l1miss_i;
    trk_llmiss_o       <= trk_llmiss_i;
    trk_l1tlbmiss_o    <= trk_l1tlbmiss_i;
    trk_lltlbmiss_o    <= trk_lltlbmiss_i;
    trk_dsrc_o         <= trk_dsrc_i;
    trk_vaddr_o        <= trk_vaddr_i;
    trk_paddr_o        <= trk_paddr_i;
    trk_target_o       <= trk_target_i;
    ret_pc_o           <= ret_pc_i;
    ret_mode_o         <= ret_mode_i;
    ret_next_pc_o      <= ret_next_pc_i;
  end

  localparam [`TALLY_EVR_N-1:0] ONE = 1;
  localparam [`TALLY_EVR_N-1:0] LEAPS =
      ONE << `TALLY_EVR_TRET | ONE << `TALLY_EVR_BR_TK | ONE << `TALLY_EVR_IND_CALL |
      ONE << `TALLY_EVR_DIR_CALL | ONE << `TALLY_EVR_IND_JMP | ONE << `TALLY_EVR_DIR_JMP |
      ONE << `TALLY_EVR_CORSWAP | ONE << `TALLY_EVR_RETURN | ONE << `TALLY_EVR_IND_LJMP |
      ONE << `TALLY_EVR_DIR_LJMP;
  integer l;
  always @(posedge clk) begin
    for (l = 0; l < RETIRE_W; l = l + 1)
      ret_leaps_o[l] <= |(ev_retire_i[l*`TALLY_EVR_N +: `TALLY_EVR_N] & LEAPS);
  end
endmodule

`default_nettype wire
