// SPDX-License-Identifier: Apache-2.0
// tally_lsu_replay - the one operation that blocks everything younger: a DTLB miss, a store that finds the
// store queue full, or an AMO, LR or SC. It is held here, EX is closed, and it goes through EX and M again
// when the reason to wait has ended.
//
// Latency: an operation enters in M; go_o at the earliest two cycles later.

`default_nettype none
`include "tally_hart.vh"

module tally_lsu_replay #(
    parameter TAG_W = 3
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             flush_i,

    // M: an operation enters
    input  wire             enter_i,
    input  wire             walk_i,           // for the walker
    input  wire [2:0]       op_i,
    input  wire [4:0]       f5_i,
    input  wire [1:0]       size_i,
    input  wire             uns_i,
    input  wire [63:0]      va_i,
    input  wire [55:0]      pa_i,
    input  wire [63:0]      wdata_i,
    input  wire [TAG_W-1:0] tag_i,
    input  wire [1:0]       priv_i,
    input  wire             mxr_i,
    input  wire             sum_i,
    input  wire             tlbmiss_i,
    input  wire             l2miss_i,
    input  wire             line_i,           // its line is in the D cache
    input  wire             deny_i,           // W: PMP denies the operation that entered in the cycle before

    // its reason to wait
    input  wire             stq_full_i,
    input  wire             answer_i,         // from the bus, for an AMO, LR or SC
    input  wire             walk_done_i,
    input  wire             walk_fault_i,
    input  wire             walk_accfault_i,
    input  wire             walk_adneed_i,
    input  wire             walk_l2miss_i,

    output wire             none_o,           // no operation is held
    output wire             walks_o,          // it waits for the walker,
    output wire             full_o,           // for an entry of the store queue,
    output wire             serial_o,         // until it is the oldest, and for the bus
    output wire             go_o,             // it is ready for EX
    input  wire             taken_i,          // EX takes it

    // the operation
    output wire [2:0]       op_o,
    output wire [4:0]       f5_o,
    output wire [1:0]       size_o,
    output wire             uns_o,
    output wire [63:0]      va_o,
    output wire [55:0]      pa_o,
    output wire [63:0]      wdata_o,
    output wire [TAG_W-1:0] tag_o,
    output wire [1:0]       priv_o,
    output wire             mxr_o,
    output wire             sum_o,
    output wire             tlbmiss_o,
    output wire             l2miss_o,
    output wire             found_o,          // pa_o is its physical address
    output wire             exc_o,            // its walk failed,
    output wire [3:0]       cause_o,          // with this exception
    output wire             done_o,           // the bus has answered
    output wire             line_o
);

  localparam [2:0] H_NONE = 3'd0,
                   H_WALK = 3'd1,
                   H_FULL = 3'd2,
                   H_HEAD = 3'd3,
                   H_GO   = 3'd4;

  reg  [2:0]       h_state_q;
  reg  [2:0]       h_op_q;
  reg  [4:0]       h_f5_q;
  reg  [1:0]       h_size_q;
  reg              h_uns_q;
  reg  [63:0]      h_va_q;
  reg  [55:0]      h_pa_q;
  reg  [63:0]      h_wdata_q;
  reg  [TAG_W-1:0] h_tag_q;
  reg  [1:0]       h_priv_q;
  reg              h_mxr_q, h_sum_q;
  reg              h_tlbmiss_q, h_l2miss_q;
  reg              h_found_q;
  reg              h_exc_q;
  reg  [3:0]       h_cause_q;
  reg              h_done_q;
  reg              h_line_q;

  assign none_o   = h_state_q == H_NONE;
  assign walks_o  = h_state_q == H_WALK;
  assign full_o   = h_state_q == H_FULL;
  assign serial_o = h_state_q == H_HEAD;
  assign go_o     = h_state_q == H_GO;

  always @(posedge clk) begin
    if (taken_i) h_state_q <= H_NONE;
    if (walk_done_i) h_state_q <= H_GO;
    if (h_state_q == H_FULL && !stq_full_i) h_state_q <= H_GO;
    if (h_state_q == H_HEAD && answer_i) h_state_q <= H_GO;
    if (enter_i) h_state_q <= walk_i ? H_WALK : op_i == `TALLY_LS_STORE ? H_FULL : H_HEAD;
    if (deny_i) h_state_q <= H_NONE;
    if (rst || flush_i) h_state_q <= H_NONE;
  end

  always @(posedge clk) begin
    if (enter_i) begin
      h_op_q      <= op_i;
      h_f5_q      <= f5_i;
      h_size_q    <= size_i;
      h_uns_q     <= uns_i;
      h_va_q      <= va_i;
      h_pa_q      <= pa_i;
      h_wdata_q   <= wdata_i;
      h_tag_q     <= tag_i;
      h_priv_q    <= priv_i;
      h_mxr_q     <= mxr_i;
      h_sum_q     <= sum_i;
      h_tlbmiss_q <= tlbmiss_i;
      h_l2miss_q  <= l2miss_i;
      h_found_q   <= !walk_i;
      h_exc_q     <= 1'b0;
      h_done_q    <= 1'b0;
      h_line_q    <= line_i;
    end
    if (walk_done_i) begin
      h_l2miss_q <= h_l2miss_q | walk_l2miss_i;
      h_exc_q    <= walk_fault_i || walk_accfault_i || walk_adneed_i;
      h_cause_q  <= walk_adneed_i ? `TALLY_XC_AD :
                    h_op_q == `TALLY_LS_LOAD || h_op_q == `TALLY_LS_LR ?
                        (walk_fault_i ? `TALLY_XC_LPAGE : `TALLY_XC_LACC) :
                        (walk_fault_i ? `TALLY_XC_SPAGE : `TALLY_XC_SACC);
    end
    if (h_state_q == H_HEAD && answer_i) h_done_q <= 1'b1;
  end

  assign op_o      = h_op_q;
  assign f5_o      = h_f5_q;
  assign size_o    = h_size_q;
  assign uns_o     = h_uns_q;
  assign va_o      = h_va_q;
  assign pa_o      = h_pa_q;
  assign wdata_o   = h_wdata_q;
  assign tag_o     = h_tag_q;
  assign priv_o    = h_priv_q;
  assign mxr_o     = h_mxr_q;
  assign sum_o     = h_sum_q;
  assign tlbmiss_o = h_tlbmiss_q;
  assign l2miss_o  = h_l2miss_q;
  assign found_o   = h_found_q;
  assign exc_o     = h_exc_q;
  assign cause_o   = h_cause_q;
  assign done_o    = h_done_q;
  assign line_o    = h_line_q;

endmodule

`default_nettype wire
