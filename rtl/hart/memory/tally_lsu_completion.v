// SPDX-License-Identifier: Apache-2.0
// tally_lsu_completion - W of the load/store unit: PMP's answer to the access that was in M, and completion.
//
// PMP is asked in M and its answer is used here. An access that it denies completes as an exception, and the
// work of M is undone: a load leaves the load queue before it is tried again, a held operation is
// dropped before it acts, a line is not asked for; a store stays in the store queue until the flush of its
// trap.
//
// Latency: one cycle after M. lc_value_o is aligned behind the registers.

`default_nettype none
`include "tally_spec.vh"  // TALLY_DSRC_*
`include "tally_hart.vh"

module tally_lsu_completion #(
    parameter TAG_W = 3
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             flush_i,

    // M
    input  wire             m_valid_i,
    input  wire             m_pte_i,          // a PTE access
    input  wire             m_lq_i,           // a load of the load queue
    input  wire             m_ram_i,          // main memory
    input  wire             m_new_i,          // enters the load queue
    input  wire             m_hold_i,         // becomes the held operation, and not for the walker
    input  wire             m_pmp_fail_i,
    input  wire [2:0]       m_op_i,
    input  wire [1:0]       m_size_i,
    input  wire             m_uns_i,
    input  wire [TAG_W-1:0] m_tag_i,
    input  wire [63:0]      m_va_i,
    input  wire [55:0]      m_pa_i,
    input  wire             m_located_i,      // m_pa_i is its physical address
    input  wire             m_tlbacc_i,
    input  wire             m_tlbmiss_i,
    input  wire             m_l2miss_i,
    input  wire             c_valid_i,        // completes
    input  wire             c_may_i,          // is performed if PMP permits it
    input  wire             c_exc_i,
    input  wire [3:0]       c_cause_i,
    input  wire             c_hit_i,          // ... as a load from the D cache,
    input  wire [63:0]      c_value_i,        // whose value this is
    input  wire [63:0]      c_raw_i,
    input  wire             c_l1acc_i,
    input  wire             c_l1miss_i,
    input  wire             c_uncached_i,
    input  wire             c_fwd_i,
    input  wire [3:0]       c_dsrc_i,
    input  wire             ev_load_i,
    input  wire             ev_miss_i,
    input  wire             ev_merge_i,

    // taken back
    output wire             deny_o,           // PMP denies the access
    output wire             pte_deny_o,       // ... of the walker
    output wire             hold_deny_o,      // ... of the held operation
    output wire             undo_o,           // a line that M may have asked for is not to be fetched
    output reg              new_o,            // the access entered the load queue

    // completion
    output wire             lc_possible_o,
    output wire             lc_certain_o,
    output wire             lc_valid_o,
    output reg  [TAG_W-1:0] lc_tag_o,
    output reg              lc_hit_o,         // a load from the D cache:
    output reg  [63:0]      lc_hit_value_o,   // its value
    output reg  [63:0]      lc_value_o,       // the value in any case
    output wire             lc_exc_o,
    output reg  [3:0]       lc_cause_o,
    output wire [63:0]      lc_tval_o,
    output reg  [63:0]      lc_vaddr_o,
    output reg  [55:0]      lc_paddr_o,       // 0 if it has none
    output wire             lc_l1acc_o,
    output wire             lc_l1miss_o,
    output reg              lc_tlbacc_o,
    output reg              lc_tlbmiss_o,
    output reg              lc_l2tlbmiss_o,
    output wire             lc_uncached_o,
    output wire             lc_fwd_o,
    output wire [3:0]       lc_dsrc_o,

    // events: lookups of loads that PMP does not deny
    output wire             ev_load_o,
    output wire             ev_miss_o,
    output wire             ev_merge_o
);

  reg  [63:0] w_raw_q;
  reg  [1:0]  w_size_q;
  reg  [2:0]  w_shift_q;
  reg         w_uns_q, w_sc_q, w_none_q;
  reg         w_done_q, w_exc_q, w_l1acc_q, w_l1miss_q, w_uncached_q, w_fwd_q;
  reg  [3:0]  w_dsrc_q;
  reg         w_may_q;                       // it is performed if PMP permits it,
  reg         w_fail_q;                      // which it does not
  reg         w_held_q;                      // it became the held operation
  reg         pte_new_q;                     // it is a PTE access
  reg         dc_ask_q, dc_out_q;            // it may have asked for a line; outside main memory
  reg         ev_load_q, ev_miss_q, ev_merge_q, ev_may_q;

  wire        live = !flush_i && !rst;

  always @(posedge clk) begin
    w_done_q   <= c_valid_i && live;
    w_may_q    <= c_may_i && live;
    lc_hit_o   <= c_hit_i && live;
    w_fail_q   <= m_pmp_fail_i;
    new_o      <= m_new_i && live;
    w_held_q   <= m_hold_i && live;
    pte_new_q  <= m_pte_i && !rst;
    dc_ask_q   <= !m_lq_i;
    dc_out_q   <= !m_ram_i;
    if (m_valid_i) begin
      w_raw_q        <= c_raw_i;
      lc_hit_value_o <= c_value_i;
      w_size_q       <= m_size_i;
      w_shift_q      <= m_pa_i[2:0];
      w_uns_q        <= m_uns_i;
      w_sc_q         <= m_op_i == `TALLY_LS_SC;
      w_none_q       <= m_op_i == `TALLY_LS_STORE;
      lc_tag_o       <= m_tag_i;
      w_exc_q        <= c_exc_i;
      lc_cause_o     <= c_cause_i;
      lc_vaddr_o     <= m_va_i;
      lc_paddr_o     <= m_pa_i & {56{m_located_i}};
      w_l1acc_q      <= c_l1acc_i;
      w_l1miss_q     <= c_l1miss_i;
      lc_tlbacc_o    <= m_tlbacc_i;
      lc_tlbmiss_o   <= m_tlbmiss_i;
      lc_l2tlbmiss_o <= m_l2miss_i;
      w_uncached_q   <= c_uncached_i;
      w_fwd_q        <= c_fwd_i;
      w_dsrc_q       <= c_dsrc_i;
    end
  end

  assign deny_o        = w_may_q && w_fail_q;
  assign hold_deny_o   = w_held_q && deny_o;
  assign pte_deny_o    = pte_new_q && w_fail_q;
  assign undo_o        = dc_ask_q && (w_fail_q || dc_out_q);

  assign lc_possible_o = w_done_q || w_may_q;
  assign lc_certain_o  = w_done_q;
  assign lc_valid_o    = w_done_q || deny_o;
  assign lc_exc_o      = w_exc_q || deny_o;
  assign lc_tval_o     = lc_vaddr_o;
  assign lc_l1acc_o    = w_l1acc_q && !deny_o;
  assign lc_l1miss_o   = w_l1miss_q && !deny_o;
  assign lc_uncached_o = w_uncached_q && !deny_o;
  assign lc_fwd_o      = w_fwd_q && !deny_o;
  assign lc_dsrc_o     = deny_o ? `TALLY_DSRC_NONE : w_dsrc_q;

  wire [63:0] value;

  tally_load_value u_value (
      .raw_i  (w_raw_q),
      .byte_i (w_shift_q),
      .size_i (w_size_q),
      .uns_i  (w_uns_q),
      .value_o(value)
  );

  always @* begin
    lc_value_o = value;
    if (w_sc_q) lc_value_o = {63'd0, w_raw_q[0]};
    if (w_none_q) lc_value_o = 64'd0;
  end

  always @(posedge clk) begin
    ev_load_q  <= ev_load_i && !rst;
    ev_miss_q  <= ev_miss_i && !rst;
    ev_merge_q <= ev_merge_i && !rst;
    ev_may_q   <= c_may_i;
  end

  assign ev_load_o  = ev_load_q && !(ev_may_q && w_fail_q);
  assign ev_miss_o  = ev_miss_q && !(ev_may_q && w_fail_q);
  assign ev_merge_o = ev_merge_q && !(ev_may_q && w_fail_q);

endmodule

`default_nettype wire
