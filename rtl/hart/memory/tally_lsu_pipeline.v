// SPDX-License-Identifier: Apache-2.0
// tally_lsu_pipeline - EX and M of the load/store unit: selection, the address and its translation, the
// access to D cache and store queue, and the outcome.
//
// EX  selects a load of the load queue, else a PTE access of the walker, else the held operation, else a new
//     one; adds the address; DTLB
// M   PMA and PMP, D cache tags, store queue search: the outcome is decided
//
// M never stalls: a load that cannot complete goes to the load queue, everything else to tally_lsu_replay.
// Translation is Sv39's (privileged manual, Sv39: Page-Based 39-bit Virtual-Memory System).

`default_nettype none
`include "tally_spec.vh"  // TALLY_DSRC_*
`include "tally_hart.vh"

module tally_lsu_pipeline #(
    parameter        TAG_W        = 3,
    parameter        MSHRS        = 2,
    parameter        DTLB_ENTRIES = 16,
    parameter [55:0] RAM_BASE     = 56'h8000_0000,
    parameter        MEM_W        = 36
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             flush_i,
    input  wire [55:0]      ram_size_i,

    // back end: a new operation, and its context
    input  wire             ls_valid_i,
    output wire             ls_ready_o,
    input  wire [2:0]       ls_op_i,
    input  wire [4:0]       ls_f5_i,
    input  wire [1:0]       ls_size_i,
    input  wire             ls_uns_i,
    input  wire [63:0]      ls_base_i,
    input  wire [11:0]      ls_off_i,
    input  wire [63:0]      ls_wdata_i,
    input  wire [TAG_W-1:0] ls_tag_i,
    input  wire [1:0]       ls_priv_i,
    input  wire             ls_mxr_i,
    input  wire             ls_sum_i,
    input  wire [63:0]      ls_satp_i,

    // the held operation (tally_lsu_replay)
    input  wire             h_none_i,
    input  wire             h_go_i,
    output wire             h_taken_o,
    input  wire [2:0]       h_op_i,
    input  wire [4:0]       h_f5_i,
    input  wire [1:0]       h_size_i,
    input  wire             h_uns_i,
    input  wire [63:0]      h_va_i,
    input  wire [55:0]      h_pa_i,
    input  wire [63:0]      h_wdata_i,
    input  wire [TAG_W-1:0] h_tag_i,
    input  wire [1:0]       h_priv_i,
    input  wire             h_mxr_i,
    input  wire             h_sum_i,
    input  wire             h_tlbmiss_i,
    input  wire             h_l2miss_i,
    input  wire             h_found_i,
    input  wire             h_exc_i,
    input  wire [3:0]       h_cause_i,
    input  wire             h_done_i,
    input  wire             h_line_i,

    // a load of the load queue
    input  wire             lq_go_i,
    input  wire [TAG_W-1:0] lq_tag_i,
    input  wire [55:0]      lq_pa_i,
    input  wire [63:0]      lq_va_i,
    input  wire [11:3]      lq_index_i,
    input  wire [5:0]       lq_info_i,
    input  wire             lq_unc_i,
    input  wire             lq_old_i,
    input  wire             lq_seen_i,
    input  wire             lq_miss_i,
    input  wire             lq_merge_i,

    // walker: PTE accesses, and the translation that fills the DTLB
    input  wire             wk_rd_req_i,
    output wire             wk_taken_o,
    input  wire [55:0]      wk_rd_addr_i,
    input  wire             wk_rd_write_i,
    input  wire             wk_rd_machine_i,
    input  wire             wk_reads_i,       // it reads a PTE until it has it
    output wire             pte_o,            // a PTE access is in M,
    output wire             pte_hit_o,        // and its word is there
    output reg              pte_old_o,        // it waits for a word on its way,
    output reg              pte_reg_o,        // in this miss register
    input  wire             fill_i,
    input  wire [38:12]     fill_va_i,
    input  wire [43:0]      fill_ppn_i,
    input  wire [1:0]       fill_level_i,
    input  wire [4:0]       fill_perm_i,
    input  wire             flush_tlb_i,

    // D cache
    output wire             rd_o,             // EX: reads this word
    output wire [11:3]      rd_index_o,
    output wire             dc_old_o,
    output wire             dc_ask_o,
    input  wire             dc_stale_i,
    input  wire             dc_hit_i,
    input  wire [63:0]      dc_data_i,
    input  wire             dc_line_i,
    input  wire             dc_coming_i,
    input  wire             dc_dead_i,
    input  wire             dc_present_i,
    input  wire             dc_reg_i,
    input  wire             dc_full_i,
    input  wire             dc_busy0_i,

    // store queue
    input  wire             stq_full_i,
    input  wire             stq_empty_i,
    input  wire             stq_overlap_i,    // it holds a byte of the access in M,
    input  wire             stq_fwd_i,        // and can forward all of them
    input  wire [63:0]      stq_data_i,
    output reg              stq_find_o,
    output reg              stq_store_o,      // a store from the back end is in M
    output wire             stq_put_o,

    // the answer to an access that is not speculative
    input  wire [63:0]      ns_data_i,
    input  wire             ns_err_i,

    // the access in M
    output reg              m_valid_o,
    output reg  [2:0]       m_op_o,
    output reg  [4:0]       m_f5_o,
    output reg  [1:0]       m_size_o,
    output reg  [7:0]       m_strb_o,         // its byte lanes (not of the load queue's)
    output reg              m_uns_o,
    output reg  [63:0]      m_va_o,
    output reg  [55:0]      m_pa_o,
    output reg  [63:0]      m_wdata_o,
    output reg  [TAG_W-1:0] m_tag_o,
    output wire             m_load_o,         // a load, for the first time or again
    output reg  [1:0]       m_priv_o,
    output reg              m_mxr_o,
    output reg              m_sum_o,
    output reg              m_walk_o,         // needs the walker
    output reg              m_tlbacc_o,
    output reg              m_tlbmiss_o,
    output reg              m_l2miss_o,
    output wire             m_reads_o,        // exceptions of loads; else of stores
    output wire             m_ram_o,          // main memory
    output wire             m_located_o,      // m_pa_o is its physical address
    output wire             start_o,          // it is translated, and does not wait to be the oldest

    // where it goes: to tally_lsu_replay,
    output wire             hold_o,
    // to the load queue,
    output wire             src_op_o,         // from the back end
    output wire             src_lq_o,         // from the load queue
    output wire             lq_try_o,
    input  wire             lq_older_i,       // an older load of the same 8 bytes is there
    output wire             lq_new_o,
    output wire             lq_stay_o,
    output wire             lq_done_o,
    output wire             lq_device_o,
    output wire             lq_stores_o,
    output wire             lq_loads_o,
    output wire             lq_word_o,
    output wire             lq_release_o,
    output wire             lq_any_o,
    output wire             lq_reg_o,
    output wire             lq_old_o,
    output wire             lq_seen_o,
    output wire             lq_miss_o,
    output wire             lq_merge_o,
    // to W: completion
    output wire             c_valid_o,        // it completes
    output wire             c_may_o,          // it is performed if PMP permits it
    output wire             c_exc_o,
    output wire [3:0]       c_cause_o,
    output wire             c_hit_o,          // ... as a load from the D cache,
    output wire [63:0]      c_value_o,        // whose value this is
    output wire [63:0]      c_raw_o,          // read data, not aligned
    output wire             c_l1acc_o,
    output wire             c_l1miss_o,
    output wire             c_uncached_o,
    output wire             c_fwd_o,
    output reg  [3:0]       c_dsrc_o,

    // events
    output wire             ev_load_o,
    output wire             ev_miss_o,
    output wire             ev_merge_o
);

`include "tally_lanes.vh"

  localparam [1:0] SRC_OP = 2'd0, SRC_LQ = 2'd1, SRC_PTE = 2'd2;

  reg              m_load_q;                 // a load from the back end without an exception of its own
  reg  [1:0]       m_src_q;
  reg              m_misal_q;                // misaligned
  reg              m_noncan_q;               // not a canonical address
  reg              m_wide_q;                 // physical address above 56 bits
  reg              m_exc_q;                  // its walk failed
  reg  [3:0]       m_cause_q;
  reg              m_done_q;
  reg              m_line_q;
  reg              m_unc_q;                  // of the load queue's
  reg              m_old_q, m_seen_q, m_miss_q, m_merge_q;

  // ---------------------------------------------------------------------------------------------------------
  // EX: selection

  wire        m_block;
  wire        h_go     = h_go_i && !lq_go_i && !wk_rd_req_i;
  wire        wk_go    = wk_rd_req_i && !lq_go_i;
  assign      ls_ready_o = h_none_i && !lq_go_i && !wk_rd_req_i && !m_block;
  wire        op_go    = (ls_valid_i && ls_ready_o) || h_go;

  assign h_taken_o  = h_go;
  assign wk_taken_o = wk_go;

  wire [2:0]  ex_op    = h_none_i ? ls_op_i : h_op_i;
  wire [1:0]  ex_size  = h_none_i ? ls_size_i : h_size_i;
  wire [1:0]  ex_priv  = h_none_i ? ls_priv_i : h_priv_i;
  wire        ex_mxr   = h_none_i ? ls_mxr_i : h_mxr_i;
  wire        ex_sum   = h_none_i ? ls_sum_i : h_sum_i;
  wire [63:0] ex_addr  = ls_base_i + {{52{ls_off_i[11]}}, ls_off_i};
  wire [63:0] ex_va    = h_none_i ? ex_addr : h_va_i;
  wire        ex_sv39  = ex_priv != 2'd3 && ls_satp_i[63:60] == 4'd8;
  wire        ex_store = ex_op == `TALLY_LS_STORE || ex_op == `TALLY_LS_SC || ex_op == `TALLY_LS_AMO;
  wire        ex_noncan = ex_sv39 && !(&ex_va[63:38] || ~|ex_va[63:38]);
  wire        ex_wide  = !ex_sv39 && |ex_va[63:56];
  wire        ex_misal = (ex_size[1] && ex_va[1]) || (&ex_size && ex_va[2]) || (|ex_size && ex_va[0]);
  wire        ex_found = !h_none_i && h_found_i;
  wire        ex_look  = ex_sv39 && !ex_misal && !ex_noncan;  // these exceptions come before translation
  wire        dtlb_hit;
  wire [43:0] dtlb_ppn;
  wire        ex_miss  = ex_look && !dtlb_hit && !ex_found;

  // The DTLB's page arrives last: it is ORed to the address selected before, which is 0 there.
  wire [55:0] ex_pa    = ex_found ? h_pa_i : {ex_va[55:12] & {44{!ex_sv39}}, ex_va[11:0]};
  wire [55:0] early_pa = lq_go_i ? lq_pa_i : wk_rd_req_i ? wk_rd_addr_i : ex_pa;

  assign rd_o       = lq_go_i || wk_rd_req_i || op_go;
  assign rd_index_o = lq_go_i ? lq_index_i : wk_rd_req_i ? wk_rd_addr_i[11:3] : ex_va[11:3];

  tally_dtlb #(
      .ENTRIES(DTLB_ENTRIES)
  ) u_dtlb (
      .clk         (clk),
      .rst         (rst),
      .lk_valid_i  (op_go && ex_sv39 && !ex_found),
      .lk_va_i     (ex_va[38:12]),
      .lk_asid_i   (ls_satp_i[59:44]),
      .lk_store_i  (ex_store),
      .lk_user_i   (ex_priv == 2'd0),
      .lk_sum_i    (ex_sum),
      .lk_mxr_i    (ex_mxr),
      .hit_o       (dtlb_hit),
      .ppn_o       (dtlb_ppn),
      .fill_i      (fill_i),
      .fill_va_i   (fill_va_i),
      .fill_ppn_i  (fill_ppn_i),
      .fill_level_i(fill_level_i),
      .fill_perm_i (fill_perm_i),
      .flush_i     (flush_tlb_i)
  );

  wire unused_satp = &{1'b0, ls_satp_i[43:0], 1'b0};   // the walker's

  // ---------------------------------------------------------------------------------------------------------
  // EX to M

  always @(posedge clk) begin
    m_valid_o   <= ((lq_go_i || op_go) && !flush_i) || wk_go;
    stq_store_o <= op_go && ex_op == `TALLY_LS_STORE && !flush_i;
    m_load_q    <= op_go && ex_op == `TALLY_LS_LOAD && !flush_i && !ex_misal && !ex_noncan && !ex_wide &&
                   (h_none_i || !h_exc_i);
    stq_find_o  <= wk_go ||
                   (op_go && (ex_op == `TALLY_LS_LOAD || ex_op == `TALLY_LS_STORE) && !flush_i);
    if (rst) begin
      m_valid_o   <= 1'b0;
      stq_store_o <= 1'b0;
      m_load_q    <= 1'b0;
      stq_find_o  <= 1'b0;
    end
  end

  always @(posedge clk) begin
    if (lq_go_i || wk_rd_req_i || op_go) m_pa_o <= early_pa | {dtlb_ppn, 12'd0};
    if (lq_go_i) begin
      m_src_q     <= SRC_LQ;
      m_op_o      <= `TALLY_LS_LOAD;
      m_tag_o     <= lq_tag_i;
      m_va_o      <= lq_va_i;
      {m_size_o, m_uns_o, m_tlbacc_o, m_tlbmiss_o, m_l2miss_o} <= lq_info_i;
      m_misal_q   <= 1'b0;
      m_noncan_q  <= 1'b0;
      m_wide_q    <= 1'b0;
      m_walk_o    <= 1'b0;
      m_exc_q     <= 1'b0;
      m_done_q    <= 1'b0;
      m_unc_q     <= lq_unc_i;
      m_old_q     <= lq_old_i;
      m_seen_q    <= lq_seen_i;
      m_miss_q    <= lq_miss_i;
      m_merge_q   <= lq_merge_i;
    end else if (wk_go) begin
      m_src_q     <= SRC_PTE;
      m_op_o      <= wk_rd_write_i ? `TALLY_LS_STORE : `TALLY_LS_LOAD;
      m_size_o    <= 2'd3;
      m_strb_o    <= 8'hFF;
      m_priv_o    <= {wk_rd_machine_i, 1'b1};
      m_wide_q    <= 1'b0;
    end else if (op_go) begin
      m_src_q     <= SRC_OP;
      m_op_o      <= ex_op;
      m_f5_o      <= h_none_i ? ls_f5_i : h_f5_i;
      m_size_o    <= ex_size;
      m_uns_o     <= (h_none_i ? ls_uns_i : h_uns_i) && ex_op == `TALLY_LS_LOAD;
      m_va_o      <= ex_va;
      m_strb_o    <= lanes(ex_size, ex_va[2:0]);
      m_wdata_o   <= h_none_i ? ls_wdata_i : h_wdata_i;
      m_tag_o     <= h_none_i ? ls_tag_i : h_tag_i;
      m_priv_o    <= ex_priv;
      m_mxr_o     <= ex_mxr;
      m_sum_o     <= ex_sum;
      m_misal_q   <= ex_misal;
      m_noncan_q  <= ex_noncan;
      m_wide_q    <= ex_wide;
      m_walk_o    <= ex_miss && (h_none_i || !h_exc_i);
      m_tlbacc_o  <= ex_look;
      m_tlbmiss_o <= ex_miss || (!h_none_i && h_tlbmiss_i);
      m_l2miss_o  <= !h_none_i && h_l2miss_i;
      m_exc_q     <= !h_none_i && h_exc_i;
      m_cause_q   <= h_cause_i;
      m_done_q    <= !h_none_i && h_done_i;
      m_line_q    <= h_line_i;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // M: where it goes, and whether it may

  wire        src_op   = m_valid_o && m_src_q == SRC_OP;
  wire        src_lq   = m_valid_o && m_src_q == SRC_LQ;
  wire        src_pte  = m_valid_o && m_src_q == SRC_PTE;

  assign src_op_o = src_op;
  assign src_lq_o = src_lq;
  assign pte_o    = src_pte;

  wire        m_load   = m_op_o == `TALLY_LS_LOAD;
  assign      m_load_o = m_load && (src_op || src_lq);
  wire        m_store  = m_op_o == `TALLY_LS_STORE;
  wire        m_atomic = !m_load && !m_store;
  assign      m_reads_o = m_load || m_op_o == `TALLY_LS_LR;

  wire        in_ram, pma_fail;

  tally_pma #(
      .RAM_BASE(RAM_BASE),
      .MEM_W   (MEM_W)
  ) u_pma (
      .ram_size_i(ram_size_i),
      .addr_i    (m_pa_o),
      .size_i    (m_size_o),
      .store_i   (m_store),
      .atomic_i  (m_atomic),
      .ram_o     (in_ram),
      .fail_o    (pma_fail)
  );

  assign m_ram_o = in_ram;

  // Exceptions, the first that holds: misaligned, page fault, (the walk's result), access fault. PMP's access
  // fault follows in W.
  wire        refused   = m_wide_q || pma_fail || (m_done_q && ns_err_i);
  wire        early_exc = m_misal_q || m_noncan_q || m_exc_q;
  wire        m_exc     = src_op && (early_exc || (!m_walk_o && refused));
  wire        m_may     = src_op && !early_exc && !m_walk_o && !refused;
  wire        lq_err    = src_lq && m_unc_q && ns_err_i;

  assign m_located_o = src_lq || !(early_exc || m_wide_q);
  assign start_o     = src_op && !m_walk_o && m_located_o && (m_store || (m_load && in_ram));

  assign c_may_o   = m_may;
  assign c_exc_o   = m_exc || lq_err;
  assign c_cause_o = m_misal_q  ? (m_reads_o ? `TALLY_XC_LMISAL : `TALLY_XC_SMISAL) :
                     m_noncan_q ? (m_reads_o ? `TALLY_XC_LPAGE : `TALLY_XC_SPAGE) :
                     m_exc_q    ? m_cause_q :
                                  (m_reads_o ? `TALLY_XC_LACC : `TALLY_XC_SACC);

  // ---------------------------------------------------------------------------------------------------------
  // M: loads

  // An address outside main memory is in no line and waits for none. PMA's answer is late-arriving and
  // applied last: a line that was asked for in spite of it is given up in W, as with PMP's.
  wire            ld_try   = m_load_q && !m_walk_o && ~|m_pa_o[55:MEM_W];
  wire            ld_op    = m_may && m_load;                             // for the first time
  wire            ld_dev   = ld_op && !in_ram;
  wire            ld_new   = ld_try && in_ram;
  wire            ld_again = src_lq && !m_unc_q;

  wire            older_st = ld_try && stq_overlap_i;
  wire            fwd      = ld_new && !lq_older_i && stq_fwd_i;
  wire            look     = ((ld_try && !lq_older_i && !older_st) || ld_again) && !dc_stale_i;
  wire            hit      = look && dc_hit_i;
  wire            no_hit   = look && !dc_hit_i;
  wire            missed   = no_hit && (in_ram || src_lq);
  wire            seen     = src_lq && m_seen_q;
  wire            dc_old   = (src_lq && m_old_q) || (src_pte && pte_old_o);
  wire            not_mine = dc_dead_i && !dc_old;                        // invalidated before this load came
  wire            w_mine   = dc_coming_i ? !not_mine : !dc_full_i;        // it comes, and may be used,
  wire            w_reg    = dc_coming_i ? dc_reg_i : MSHRS > 1 && dc_busy0_i;  // in this miss register

  // PTE reads
  wire            pte_look = src_pte && m_load && ~|m_pa_o[55:MEM_W] && !stq_overlap_i && !dc_stale_i;

  assign pte_hit_o = pte_look && dc_hit_i;
  assign dc_old_o  = dc_old;
  assign dc_ask_o  = (no_hit || (pte_look && !dc_hit_i)) && !dc_coming_i && !dc_full_i;

  always @(posedge clk) begin
    if (src_pte) begin
      pte_old_o <= !pte_hit_o && ((pte_look && w_mine) || (pte_old_o && dc_stale_i));
      pte_reg_o <= w_reg;
    end
    if (!wk_reads_i || rst) pte_old_o <= 1'b0;
  end

  assign lq_try_o     = ld_try;
  assign lq_new_o     = ld_op;
  assign lq_stay_o    = ld_op || (ld_again && !(dc_hit_i && !dc_stale_i));
  assign lq_done_o    = src_lq && (m_unc_q || (dc_hit_i && !dc_stale_i));
  assign lq_device_o  = ld_dev;
  assign lq_stores_o  = older_st || (ld_dev && !stq_empty_i);
  assign lq_loads_o   = ld_new && lq_older_i;
  assign lq_word_o    = missed && (dc_coming_i ? !not_mine && !dc_present_i : !dc_full_i);
  assign lq_release_o = missed && dc_coming_i && not_mine;
  assign lq_any_o     = missed && !dc_coming_i && dc_full_i;
  assign lq_reg_o     = w_reg;
  assign lq_old_o     = (missed && w_mine) || (dc_old && dc_stale_i);
  assign lq_seen_o    = seen || look;
  assign lq_miss_o    = (seen && m_miss_q) || (!seen && missed);
  assign lq_merge_o   = (seen && m_merge_q) || (!seen && missed && dc_coming_i);

  assign ev_load_o    = ld_new;
  assign ev_miss_o    = missed && !seen;
  assign ev_merge_o   = missed && !seen && dc_coming_i;

  // ---------------------------------------------------------------------------------------------------------
  // M: completion, or the replay register

  wire   ns_done = m_may && m_atomic && m_done_q;

  assign stq_put_o = m_may && m_store && !stq_full_i;
  assign hold_o    = (src_op && !early_exc && m_walk_o)
                     || (m_may && m_store && stq_full_i)
                     || (m_may && m_atomic && !m_done_q);

  // Registered state only: EX is closed in the cycle in which M may turn out to be blocked.
  assign m_block   = src_op && (m_walk_o || (m_store && stq_full_i) || (m_atomic && !m_done_q));

  wire   from_bus  = src_lq ? m_unc_q : m_done_q;

  // The store queue's answer is late-arriving: only what the cache has is aligned here.
  tally_load_value u_value (
      .raw_i  (dc_data_i),
      .byte_i (m_pa_o[2:0]),
      .size_i (m_size_o),
      .uns_i  (m_uns_o),
      .value_o(c_value_o)
  );

  assign c_hit_o      = hit;
  assign c_raw_o      = stq_fwd_i ? stq_data_i : from_bus ? ns_data_i : dc_data_i;
  assign c_valid_o    = m_exc || stq_put_o || ns_done || fwd || hit || (src_lq && m_unc_q);
  assign c_uncached_o = src_lq ? m_unc_q : m_may && !in_ram;
  assign c_l1acc_o    = src_lq ? !m_unc_q : m_may && in_ram;
  assign c_l1miss_o   = src_lq ? m_miss_q
                               : m_may && in_ram && (m_atomic ? !m_line_q : m_store && !dc_line_i);
  assign c_fwd_o      = fwd;

  always @* begin
    if (c_exc_o || m_store)           c_dsrc_o = `TALLY_DSRC_NONE;
    else if (m_atomic)                c_dsrc_o = `TALLY_DSRC_MEM;
    else if (c_uncached_o)            c_dsrc_o = `TALLY_DSRC_DEVICE;
    else if (fwd)                     c_dsrc_o = `TALLY_DSRC_STQ;
    else if (!c_l1miss_o)             c_dsrc_o = `TALLY_DSRC_L1;
    else if (m_merge_q)               c_dsrc_o = `TALLY_DSRC_COMING;
    else                              c_dsrc_o = `TALLY_DSRC_MEM;
  end

  // Read by test benches by name; no logic depends on them
  /* verilator lint_off UNUSEDSIGNAL */
  wire             probe_access = op_go;
  wire [TAG_W-1:0] probe_tag    = h_none_i ? ls_tag_i : h_tag_i;
  wire [63:0]      probe_va     = ex_va;
  wire             probe_sv39   = ex_sv39;
  wire             probe_hit    = dtlb_hit;
  wire [43:0]      probe_ppn    = dtlb_ppn;
  /* verilator lint_on UNUSEDSIGNAL */

endmodule

`default_nettype wire
