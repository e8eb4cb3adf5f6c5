// SPDX-License-Identifier: Apache-2.0
// tally_lsu - the load/store unit: loads, stores, LR/SC and AMO; DTLB, page-table walker, D cache, store
// queue, PMP (docs/hart.md, Interfaces). This module wires its parts together.
//
//   tally_lsu_pipeline    EX: address, DTLB, D cache read. M: PMA, tags, store queue search, decision
//   tally_lsu_completion  W: PMP's answer, alignment, completion
//   tally_load_queue      loads that have not completed; they go through EX and M again
//   tally_lsu_replay      the operation that blocks everything younger; it goes through EX and M again
//   tally_lsu_nonspec     AMO, LR, SC and device reads of the oldest instruction
//   tally_lsu_bus         requests to the bus
//
// A load that hits is done in M and completes in W. Completion is decided in M only, so there is at most one
// a cycle. The walker's PTE accesses pass through EX and M too.
//
// Stores are checked in M, complete, and wait in the store queue until they retire. The bus performs requests
// in their order: a line asked for after a write was given to the bus includes it, and a store to a line on
// its way waits for the line. Loads of one aligned word of 8 bytes are performed in program order
// (unprivileged manual, RVWMO).
//
// lc_dsrc_o: codes of spec/record.yaml. lc_l1miss_o: a load missed if its word was not there when it first
// looked without an older store or load before it; a store, LR, SC or AMO if its whole line was not in the
// cache when it first looked. db_rsp_err_i is used with single reads, LR, SC and AMO (access fault); main
// memory always answers lines.

`default_nettype none
`include "tally_hart.vh"
`include "tally_lsu.vh"

module tally_lsu #(
    parameter        TAG_W         = 3,
    parameter        DCACHE_WAYS   = 4,                 // at least 2
    parameter        DCACHE_SETS   = 64,                // at most 64
    parameter        MSHRS         = 2,                 // misses under way: 1 or 2
    parameter        STQ_DEPTH     = 8,
    parameter        DTLB_ENTRIES  = 16,
    parameter        L2TLB_ENTRIES = 256,
    parameter [55:0] RAM_BASE      = 56'h8000_0000,
    parameter        MEM_W         = 36                 // main memory ends below 2^MEM_W
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [55:0]      ram_size_i,     // bytes

    // back end: an operation in EX
    input  wire             ls_valid_i,
    output wire             ls_ready_o,
    input  wire [2:0]       ls_op_i,        // TALLY_LS_*
    input  wire [4:0]       ls_f5_i,
    input  wire [1:0]       ls_size_i,
    input  wire             ls_uns_i,
    input  wire [63:0]      ls_base_i,
    input  wire [11:0]      ls_off_i,
    input  wire [63:0]      ls_wdata_i,
    input  wire [TAG_W-1:0] ls_tag_i,

    // back end: effective context, stable while anything is in flight; satp and ADUE also serve the
    // instruction side
    input  wire [1:0]       ls_priv_i,
    input  wire             ls_mxr_i,
    input  wire             ls_sum_i,
    input  wire [63:0]      ls_satp_i,
    input  wire             ls_adue_i,
    input  wire [63:0]      pmp_cfg_i,
    input  wire             pmp_mml_i,      // mseccfg
    input  wire             pmp_mmwp_i,
    input  wire [8*54-1:0]  pmp_addr_i,
    input  wire [8*MEM_W-1:0]  pmp_shape_i,
    input  wire             pmp_fine_i,     // a region may begin or end inside a page

    // front end: fetch asks PMP in cycles without an access in M
    input  wire             fp_ask_i,       // an answer is needed
    input  wire [MEM_W-1:2] fp_first_i,     // the first and the last word
    input  wire [MEM_W-1:2] fp_last_i,
    input  wire [1:0]       fp_priv_i,
    output wire             fp_free_o,
    output wire             fp_fail_o,      // late-arriving

    // back end: commit
    input  wire             head_valid_i,
    input  wire [TAG_W-1:0] head_tag_i,
    input  wire             ad_ok_i,
    input  wire             st_commit_i,    // late-arriving; stores only, not SC or AMO
    input  wire             retire_i,       // late-arriving; the oldest instruction, of any kind
    input  wire             flush_i,        // late-arriving
    input  wire             flush_tlb_i,    // late-arriving

    // back end: an access begins, that is, it is translated and nothing keeps it from being performed. One
    // that must not be speculative begins when the bus works for it, any other in M
    output wire             start_o,
    output wire [TAG_W-1:0] start_tag_o,
    output wire             bus_start_o,
    output wire [TAG_W-1:0] bus_tag_o,

    // back end: a load is in M, start_tag_o, and may complete in the next cycle
    output wire             m_load_o,

    // back end: completion
    output wire             lc_possible_o,  // an access may complete,
    output wire             lc_certain_o,   // completes for certain,
    output wire             lc_valid_o,     // ... or does because PMP denies it (late-arriving)
    output wire [TAG_W-1:0] lc_tag_o,
    output wire             lc_hit_o,       // ... as a load from the D cache, unless PMP denies it,
    output wire [63:0]      lc_hit_value_o, // whose value this is (both from registers)
    output wire [63:0]      lc_value_o,     // late-arriving
    output wire             lc_exc_o,
    output wire [3:0]       lc_cause_o,
    output wire [63:0]      lc_tval_o,
    output wire [63:0]      lc_vaddr_o,
    output wire [55:0]      lc_paddr_o,
    output wire             lc_l1acc_o,
    output wire             lc_l1miss_o,
    output wire             lc_tlbacc_o,
    output wire             lc_tlbmiss_o,
    output wire             lc_l2tlbmiss_o,
    output wire             lc_uncached_o,
    output wire             lc_fwd_o,
    output wire [3:0]       lc_dsrc_o,
    output wire             lsu_nonspec_o,  // the oldest may begin an access, or has
    output wire             mem_idle_o,

    // front end: walks for the ITLB
    input  wire             iw_req_i,
    input  wire [63:0]      iw_va_i,
    input  wire [1:0]       iw_priv_i,
    input  wire             iw_ad_i,
    output wire             iw_done_o,
    output wire             iw_fault_o,
    output wire             iw_accfault_o,
    output wire             iw_adneed_o,
    output wire [43:0]      iw_ppn_o,
    output wire [1:0]       iw_level_o,
    output wire             iw_g_o,
    output wire             iw_u_o,
    output wire             iw_x_o,
    output wire             iw_r_o,
    output wire             iw_w_o,
    output wire             iw_l2miss_o,

    // sample records: the physical page of a page of their buffer, which S-mode may write
    input  wire             rw_req_i,       // held until done; dropping it for a cycle cancels it
    input  wire [63:12]     rw_va_i,
    input  wire             rw_machine_i,   // physical, for M-mode; else for S-mode, by satp
    output wire             rw_done_o,
    output wire             rw_fault_o,
    output wire [55:12]     rw_page_o,

    // bus
    output wire             db_req_valid_o,
    input  wire             db_req_ready_i,
    output wire [2:0]       db_req_op_o,
    output wire [55:0]      db_req_addr_o,
    output wire [1:0]       db_req_size_o,
    output wire [63:0]      db_req_wdata_o,
    output wire [7:0]       db_req_wstrb_o,
    output wire [4:0]       db_req_f5_o,
    output wire [3:0]       db_req_id_o,
    input  wire             db_rsp_valid_i,
    input  wire [3:0]       db_rsp_id_i,
    input  wire [63:0]      db_rsp_data_i,
    input  wire             db_rsp_err_i,
    input  wire             inv_valid_i,
    input  wire [55:6]      inv_addr_i,

    // events
    output wire [`TALLY_EVM_N-1:0] evm_o
);

  wire unused_ok = &{1'b0, iw_va_i[63:39], iw_va_i[11:0], 1'b0};

  // The access in M
  wire             m_valid, m_uns, m_mxr, m_sum, m_walk, m_tlbacc, m_tlbmiss, m_l2miss, m_reads, m_ram;
  wire [2:0]       m_op;
  wire [4:0]       m_f5;
  wire [1:0]       m_size, m_priv;
  wire [7:0]       m_strb;
  wire [63:0]      m_va, m_wdata;
  wire [55:0]      m_pa;
  wire [TAG_W-1:0] m_tag;
  wire             m_hold, m_from_op, m_from_lq, m_pte, m_located, pmp_fail;

  // Its completion, and denials by PMP in W
  wire             c_valid, c_may, c_exc, c_l1acc, c_l1miss, c_uncached, c_fwd;
  wire [3:0]       c_cause, c_dsrc;
  wire             c_hit;
  wire [63:0]      c_raw, c_value;
  wire             w_deny, w_pte_deny, w_hold_deny, w_undo, w_new;
  wire             ev_load, ev_miss, ev_merge;

  // The held operation
  wire             h_none, h_walks, h_full, h_serial, h_go, h_taken, h_uns, h_mxr, h_sum;
  wire             h_tlbmiss, h_l2miss, h_found, h_exc, h_done, h_line, h_oldest;
  wire [2:0]       h_op;
  wire [4:0]       h_f5;
  wire [1:0]       h_size, h_priv;
  wire [63:0]      h_va, h_wdata;
  wire [55:0]      h_pa;
  wire [TAG_W-1:0] h_tag;
  wire [3:0]       h_cause;

  // Load queue: the load in EX; updates of the one in M
  wire             lq_go, lq_unc, lq_old, lq_seen, lq_miss, lq_merge;
  wire [TAG_W-1:0] lq_tag;
  wire [55:0]      lq_pa;
  wire [63:0]      lq_va;
  wire [11:3]      lq_index;
  wire [5:0]       lq_info;
  wire             ld_try, ld_older, ld_new, ld_stay, ld_done, ld_device, ld_stores, ld_loads, ld_word;
  wire             ld_release, ld_any, ld_reg, ld_old, ld_seen, ld_miss, ld_merge;
  wire [MSHRS-1:0] lq_keep;

  // Access of the oldest instruction
  wire             dev_ready, ns_req, ns_req_held, ns_req_writes, ns_taken, ns_for_held, ns_err;
  wire [55:0]      dev_addr;
  wire [1:0]       dev_size;
  wire [TAG_W-1:0] ns_tag;
  wire [63:0]      ns_data;

  // Store queue
  wire                 stq_full, stq_empty, stq_drained, stq_shift, stq_merge, stq_fwd;
  wire                 stq_find, stq_store, stq_put;
  wire [STQ_DEPTH-1:0] stq_overlap, stq_all, stq_head;
  wire [63:0]          stq_fwd_data;
  wire                 st_valid, st_unc, st_pop, writes_idle;
  wire [MEM_W-1:0]     st_addr;
  wire [1:0]           st_size;
  wire [63:0]          st_data;
  wire [7:0]           st_strb;
  wire [11:6]          st_next_set;

  // D cache
  wire                 dc_rd, dc_stale, dc_hit, dc_line, dc_coming, dc_dead, dc_present, dc_reg, dc_full;
  wire                 dc_ask, dc_old;
  wire [11:3]          dc_index;
  wire [63:0]          dc_data;
  wire [MSHRS-1:0]     dc_busy;
  wire                 beat, beat_reg, dc_st_ready;
  wire [2:0]           beat_word;
  wire                 line_req, line_void, line_reg, line_taken, inv;
  wire [MEM_W-1:6]     line_addr, inv_line;

  // Walker
  wire                 wk_d_done, wk_fault, wk_accfault, wk_adneed, wk_l2miss, wk_g, wk_reads, wk_ad_busy;
  wire [38:12]         wk_va;
  wire [43:0]          wk_ppn;
  wire [1:0]           wk_level;
  wire [4:0]           wk_perm;
  wire                 wk_rd_req, wk_rd_write, wk_rd_machine, wk_rd_taken;
  wire                 wk_bus_req, wk_bus_sc, wk_bus_taken;
  wire [55:0]          wk_rd_addr, wk_bus_addr;
  wire [63:0]          wk_bus_data;
  wire                 pte_hit, pte_old, pte_reg;
  wire                 wk_found = wk_d_done && h_walks;   // not if it was flushed meanwhile

  // Answers of the bus
  wire rsp_line   = db_rsp_valid_i && db_rsp_id_i[3:1] == 3'd0;
  wire rsp_write  = db_rsp_valid_i && db_rsp_id_i == `TALLY_DID_WRITE;
  wire rsp_single = db_rsp_valid_i && db_rsp_id_i == `TALLY_DID_SINGLE;
  wire rsp_walk   = db_rsp_valid_i && db_rsp_id_i == `TALLY_DID_WALK;

  // ---------------------------------------------------------------------------------------------------------
  // EX, M and W

  tally_lsu_pipeline #(
      .TAG_W(TAG_W), .MSHRS(MSHRS), .DTLB_ENTRIES(DTLB_ENTRIES), .RAM_BASE(RAM_BASE), .MEM_W(MEM_W)
  ) u_pipeline (
      .clk(clk), .rst(rst), .flush_i(flush_i), .ram_size_i(ram_size_i),
      // back end
      .ls_valid_i(ls_valid_i), .ls_ready_o(ls_ready_o), .ls_op_i(ls_op_i), .ls_f5_i(ls_f5_i),
      .ls_size_i(ls_size_i), .ls_uns_i(ls_uns_i), .ls_base_i(ls_base_i), .ls_off_i(ls_off_i),
      .ls_wdata_i(ls_wdata_i), .ls_tag_i(ls_tag_i), .ls_priv_i(ls_priv_i), .ls_mxr_i(ls_mxr_i),
      .ls_sum_i(ls_sum_i), .ls_satp_i(ls_satp_i),
      // held operation
      .h_none_i(h_none), .h_go_i(h_go), .h_taken_o(h_taken), .h_op_i(h_op), .h_f5_i(h_f5),
      .h_size_i(h_size), .h_uns_i(h_uns), .h_va_i(h_va), .h_pa_i(h_pa), .h_wdata_i(h_wdata),
      .h_tag_i(h_tag), .h_priv_i(h_priv), .h_mxr_i(h_mxr), .h_sum_i(h_sum), .h_tlbmiss_i(h_tlbmiss),
      .h_l2miss_i(h_l2miss), .h_found_i(h_found), .h_exc_i(h_exc), .h_cause_i(h_cause), .h_done_i(h_done),
      .h_line_i(h_line),
      // load queue
      .lq_go_i(lq_go), .lq_tag_i(lq_tag), .lq_pa_i(lq_pa), .lq_va_i(lq_va), .lq_index_i(lq_index),
      .lq_info_i(lq_info), .lq_unc_i(lq_unc), .lq_old_i(lq_old), .lq_seen_i(lq_seen), .lq_miss_i(lq_miss),
      .lq_merge_i(lq_merge),
      // walker
      .wk_rd_req_i(wk_rd_req), .wk_taken_o(wk_rd_taken), .wk_rd_addr_i(wk_rd_addr),
      .wk_rd_write_i(wk_rd_write), .wk_rd_machine_i(wk_rd_machine), .wk_reads_i(wk_reads), .pte_o(m_pte),
      .pte_hit_o(pte_hit), .pte_old_o(pte_old), .pte_reg_o(pte_reg),
      .fill_i(wk_found && !wk_fault && !wk_accfault && !wk_adneed), .fill_va_i(wk_va), .fill_ppn_i(wk_ppn),
      .fill_level_i(wk_level), .fill_perm_i(wk_perm), .flush_tlb_i(flush_tlb_i),
      // D cache
      .rd_o(dc_rd), .rd_index_o(dc_index), .dc_old_o(dc_old), .dc_ask_o(dc_ask), .dc_stale_i(dc_stale),
      .dc_hit_i(dc_hit), .dc_data_i(dc_data), .dc_line_i(dc_line), .dc_coming_i(dc_coming),
      .dc_dead_i(dc_dead), .dc_present_i(dc_present), .dc_reg_i(dc_reg), .dc_full_i(dc_full),
      .dc_busy0_i(dc_busy[0]),
      // store queue
      .stq_full_i(stq_full), .stq_empty_i(stq_empty), .stq_overlap_i(|stq_overlap), .stq_fwd_i(stq_fwd),
      .stq_data_i(stq_fwd_data), .stq_find_o(stq_find), .stq_store_o(stq_store), .stq_put_o(stq_put),
      // bus
      .ns_data_i(ns_data), .ns_err_i(ns_err),
      // the access in M
      .m_valid_o(m_valid), .m_op_o(m_op), .m_f5_o(m_f5), .m_size_o(m_size), .m_strb_o(m_strb),
      .m_uns_o(m_uns), .m_va_o(m_va), .m_pa_o(m_pa), .m_wdata_o(m_wdata), .m_tag_o(m_tag),
      .m_load_o(m_load_o), .m_priv_o(m_priv), .m_mxr_o(m_mxr), .m_sum_o(m_sum), .m_walk_o(m_walk),
      .m_tlbacc_o(m_tlbacc), .m_tlbmiss_o(m_tlbmiss), .m_l2miss_o(m_l2miss), .m_reads_o(m_reads),
      .m_ram_o(m_ram), .m_located_o(m_located), .start_o(start_o),
      // where it goes
      .hold_o(m_hold), .src_op_o(m_from_op), .src_lq_o(m_from_lq), .lq_try_o(ld_try), .lq_older_i(ld_older),
      .lq_new_o(ld_new), .lq_stay_o(ld_stay), .lq_done_o(ld_done), .lq_device_o(ld_device),
      .lq_stores_o(ld_stores), .lq_loads_o(ld_loads), .lq_word_o(ld_word), .lq_release_o(ld_release),
      .lq_any_o(ld_any), .lq_reg_o(ld_reg), .lq_old_o(ld_old), .lq_seen_o(ld_seen), .lq_miss_o(ld_miss),
      .lq_merge_o(ld_merge), .c_valid_o(c_valid), .c_may_o(c_may), .c_exc_o(c_exc), .c_cause_o(c_cause),
      .c_hit_o(c_hit), .c_value_o(c_value), .c_raw_o(c_raw), .c_l1acc_o(c_l1acc), .c_l1miss_o(c_l1miss),
      .c_uncached_o(c_uncached), .c_fwd_o(c_fwd), .c_dsrc_o(c_dsrc),
      .ev_load_o(ev_load), .ev_miss_o(ev_miss), .ev_merge_o(ev_merge)
  );

  // PMP checks the access in M, and fetches while there is none.
  tally_pmp #(
      .MEM_W(MEM_W)
  ) u_pmp (
      .cfg_i       (pmp_cfg_i),
      .mml_i       (pmp_mml_i),
      .mmwp_i      (pmp_mmwp_i),
      .addr_flat_i (pmp_addr_i),
      .shape_flat_i(pmp_shape_i),
      .ask_i       (m_valid || fp_ask_i),
      .first_i     (m_valid ? m_pa[MEM_W-1:2] : fp_first_i),
      .last_i      (m_valid ? {m_pa[MEM_W-1:3], m_pa[2] || &m_size} : fp_last_i),
      .priv_i      (m_valid ? m_priv : fp_priv_i),
      .op_i        (!m_valid ? 2'd2 : m_reads ? 2'd0 : 2'd1),
      .fail_o      (pmp_fail)
  );

  assign fp_free_o = !m_valid;
  assign fp_fail_o = pmp_fail;

  tally_lsu_completion #(
      .TAG_W(TAG_W)
  ) u_completion (
      .clk(clk), .rst(rst), .flush_i(flush_i),
      // M
      .m_valid_i(m_valid), .m_pte_i(m_pte), .m_lq_i(m_from_lq), .m_ram_i(m_ram), .m_new_i(ld_new),
      .m_hold_i(m_hold && !m_walk), .m_pmp_fail_i(pmp_fail), .m_op_i(m_op), .m_size_i(m_size),
      .m_uns_i(m_uns), .m_tag_i(m_tag), .m_va_i(m_va), .m_pa_i(m_pa), .m_located_i(m_located),
      .m_tlbacc_i(m_tlbacc), .m_tlbmiss_i(m_tlbmiss), .m_l2miss_i(m_l2miss), .c_valid_i(c_valid),
      .c_may_i(c_may), .c_exc_i(c_exc), .c_cause_i(c_cause), .c_hit_i(c_hit),
      .c_value_i(c_value), .c_raw_i(c_raw), .c_l1acc_i(c_l1acc), .c_l1miss_i(c_l1miss),
      .c_uncached_i(c_uncached), .c_fwd_i(c_fwd), .c_dsrc_i(c_dsrc),
      .ev_load_i(ev_load), .ev_miss_i(ev_miss), .ev_merge_i(ev_merge),
      // taken back
      .deny_o(w_deny), .pte_deny_o(w_pte_deny), .hold_deny_o(w_hold_deny), .undo_o(w_undo), .new_o(w_new),
      // back end
      .lc_possible_o(lc_possible_o), .lc_certain_o(lc_certain_o), .lc_valid_o(lc_valid_o),
      .lc_tag_o(lc_tag_o), .lc_hit_o(lc_hit_o), .lc_hit_value_o(lc_hit_value_o), .lc_value_o(lc_value_o),
      .lc_exc_o(lc_exc_o), .lc_cause_o(lc_cause_o),
      .lc_tval_o(lc_tval_o), .lc_vaddr_o(lc_vaddr_o), .lc_paddr_o(lc_paddr_o), .lc_l1acc_o(lc_l1acc_o),
      .lc_l1miss_o(lc_l1miss_o), .lc_tlbacc_o(lc_tlbacc_o), .lc_tlbmiss_o(lc_tlbmiss_o),
      .lc_l2tlbmiss_o(lc_l2tlbmiss_o), .lc_uncached_o(lc_uncached_o), .lc_fwd_o(lc_fwd_o),
      .lc_dsrc_o(lc_dsrc_o),
      // events
      .ev_load_o(evm_o[`TALLY_EVM_L1D_LD_SPEC]), .ev_miss_o(evm_o[`TALLY_EVM_L1D_LD_MISS_SPEC]),
      .ev_merge_o(evm_o[`TALLY_EVM_L1D_MERGE])
  );

  // ---------------------------------------------------------------------------------------------------------
  // Operations that left M without completing

  tally_load_queue #(
      .TAG_W(TAG_W), .STQ_DEPTH(STQ_DEPTH), .MSHRS(MSHRS)
  ) u_load_queue (
      .clk(clk), .rst(rst), .flush_i(flush_i), .head_tag_i(head_tag_i),
      // EX
      .go_o(lq_go), .tag_o(lq_tag), .pa_o(lq_pa), .va_o(lq_va), .index_o(lq_index), .info_o(lq_info),
      .unc_o(lq_unc), .old_o(lq_old), .seen_o(lq_seen), .miss_o(lq_miss), .merge_o(lq_merge),
      // M
      .m_tag_i(m_tag), .m_pa_i(m_pa), .m_va_i(m_va),
      .m_info_i({m_size, m_uns, m_tlbacc, m_tlbmiss, m_l2miss}), .m_op_i(m_from_op), .m_again_i(m_from_lq),
      .m_try_i(ld_try), .older_load_o(ld_older), .new_i(ld_new), .stay_i(ld_stay), .done_i(ld_done),
      .for_device_i(ld_device), .for_stores_i(ld_stores), .for_loads_i(ld_loads), .for_word_i(ld_word),
      .for_release_i(ld_release), .for_any_i(ld_any), .reg_i(ld_reg), .old_i(ld_old), .seen_i(ld_seen),
      .miss_i(ld_miss), .merge_i(ld_merge),
      // W
      .w_new_i(w_new), .w_tag_i(lc_tag_o), .w_done_i(lc_certain_o), .w_valid_i(lc_valid_o),
      // store queue, D cache
      .stq_overlap_i(stq_overlap), .stq_valid_i(stq_all), .stq_head_i(stq_head), .stq_shift_i(stq_shift),
      .stq_merge_i(stq_merge), .busy_i(dc_busy), .beat_i(beat), .beat_reg_i(beat_reg),
      .beat_word_i(beat_word), .keep_o(lq_keep),
      // device reads
      .device_o(dev_ready), .device_addr_o(dev_addr), .device_size_o(dev_size),
      .answer_i(rsp_single && !ns_for_held), .answer_tag_i(ns_tag)
  );

  tally_lsu_replay #(
      .TAG_W(TAG_W)
  ) u_replay (
      .clk(clk), .rst(rst), .flush_i(flush_i),
      // M, W
      .enter_i(m_hold), .walk_i(m_walk), .op_i(m_op), .f5_i(m_f5), .size_i(m_size), .uns_i(m_uns),
      .va_i(m_va), .pa_i(m_pa), .wdata_i(m_wdata), .tag_i(m_tag), .priv_i(m_priv), .mxr_i(m_mxr),
      .sum_i(m_sum), .tlbmiss_i(m_tlbmiss), .l2miss_i(m_l2miss), .line_i(dc_line), .deny_i(w_hold_deny),
      // its reason to wait
      .stq_full_i(stq_full), .answer_i(rsp_single && ns_for_held), .walk_done_i(wk_found),
      .walk_fault_i(wk_fault), .walk_accfault_i(wk_accfault), .walk_adneed_i(wk_adneed),
      .walk_l2miss_i(wk_l2miss),
      // EX
      .none_o(h_none), .walks_o(h_walks), .full_o(h_full), .serial_o(h_serial), .go_o(h_go),
      .taken_i(h_taken), .op_o(h_op), .f5_o(h_f5), .size_o(h_size), .uns_o(h_uns), .va_o(h_va), .pa_o(h_pa),
      .wdata_o(h_wdata), .tag_o(h_tag), .priv_o(h_priv), .mxr_o(h_mxr), .sum_o(h_sum),
      .tlbmiss_o(h_tlbmiss), .l2miss_o(h_l2miss), .found_o(h_found), .exc_o(h_exc), .cause_o(h_cause),
      .done_o(h_done), .line_o(h_line)
  );

  // ---------------------------------------------------------------------------------------------------------
  // Bus

  tally_lsu_nonspec #(
      .TAG_W(TAG_W)
  ) u_nonspec (
      .clk(clk), .rst(rst), .flush_i(flush_i), .retire_i(retire_i), .head_valid_i(head_valid_i),
      .head_tag_i(head_tag_i), .nonspec_o(lsu_nonspec_o), .serial_i(h_serial), .held_tag_i(h_tag),
      .held_op_i(h_op), .held_oldest_o(h_oldest), .device_i(dev_ready), .stq_empty_i(stq_empty),
      .deny_i(w_deny), .ad_busy_i(wk_ad_busy), .req_o(ns_req), .req_held_o(ns_req_held),
      .req_writes_o(ns_req_writes), .taken_i(ns_taken), .rsp_i(rsp_single), .rsp_data_i(db_rsp_data_i),
      .rsp_err_i(db_rsp_err_i), .for_held_o(ns_for_held), .start_o(bus_start_o), .tag_o(ns_tag),
      .data_o(ns_data), .err_o(ns_err)
  );

  tally_lsu_bus #(
      .MEM_W(MEM_W)
  ) u_bus (
      .clk(clk), .rst(rst),
      // D cache, walker
      .line_req_i(line_req), .line_void_i(line_void), .line_reg_i(line_reg), .line_addr_i(line_addr),
      .line_taken_o(line_taken), .wk_req_i(wk_bus_req), .wk_sc_i(wk_bus_sc), .wk_addr_i(wk_bus_addr),
      .wk_data_i(wk_bus_data), .wk_taken_o(wk_bus_taken),
      // store queue
      .stq_empty_i(stq_empty), .st_valid_i(st_valid), .st_ready_i(dc_st_ready), .st_addr_i(st_addr),
      .st_size_i(st_size), .st_data_i(st_data), .st_strb_i(st_strb), .st_unc_i(st_unc), .st_pop_o(st_pop),
      .writes_idle_o(writes_idle),
      // the oldest instruction
      .ns_req_i(ns_req), .ns_held_i(ns_req_held), .ns_writes_i(ns_req_writes), .ns_taken_o(ns_taken),
      .dev_addr_i(dev_addr), .dev_size_i(dev_size), .h_op_i(h_op), .h_f5_i(h_f5), .h_size_i(h_size),
      .h_pa_i(h_pa), .h_wdata_i(h_wdata),
      // bus
      .inv_valid_i(inv_valid_i), .inv_addr_i(inv_addr_i), .inv_o(inv), .inv_line_o(inv_line),
      .db_req_valid_o(db_req_valid_o), .db_req_ready_i(db_req_ready_i), .db_req_op_o(db_req_op_o),
      .db_req_addr_o(db_req_addr_o), .db_req_size_o(db_req_size_o), .db_req_wdata_o(db_req_wdata_o),
      .db_req_wstrb_o(db_req_wstrb_o), .db_req_f5_o(db_req_f5_o), .db_req_id_o(db_req_id_o),
      .rsp_write_i(rsp_write)
  );

  assign mem_idle_o   = stq_drained && writes_idle;
  assign start_tag_o  = m_tag;
  assign bus_tag_o    = ns_tag;

  // ---------------------------------------------------------------------------------------------------------
  // Store queue, D cache, walker

  // Data in the byte lanes of its address: repeated over all of them
  `include "tally_lanes.vh"

  tally_stq #(
      .DEPTH(STQ_DEPTH), .ADDR_W(MEM_W)
  ) u_stq (
      .clk(clk), .rst(rst),
      // M: a store completes; search
      .put_store_i(stq_store), .put_i(stq_put), .put_addr_i(m_pa[MEM_W-1:0]), .put_size_i(m_size),
      .put_data_i(spread(m_size, m_wdata)), .put_strb_i(m_strb), .put_unc_i(!m_ram), .full_o(stq_full),
      .empty_o(stq_empty), .find_i(stq_find), .find_addr_i(m_pa[MEM_W-1:3]), .find_strb_i(m_strb),
      .overlap_o(stq_overlap), .fwd_o(stq_fwd), .fwd_data_o(stq_fwd_data), .valid_o(stq_all),
      // commit
      .commit_i(st_commit_i), .flush_i(flush_i), .drained_o(stq_drained),
      // the head
      .head_valid_o(st_valid), .head_addr_o(st_addr), .head_size_o(st_size), .head_data_o(st_data),
      .head_strb_o(st_strb), .head_unc_o(st_unc), .next_set_o(st_next_set), .head_o(stq_head), .pop_i(st_pop),
      .shift_o(stq_shift), .merge_o(stq_merge)
  );

  // Lines that a load or the walker still needs
  localparam [MSHRS-1:0] LINE0 = 1;
  wire [MSHRS-1:0] dc_keep = lq_keep | ((LINE0 << pte_reg) & {MSHRS{pte_old}});

  tally_dcache #(
      .WAYS(DCACHE_WAYS), .SETS(DCACHE_SETS), .MSHRS(MSHRS), .MEM_W(MEM_W)
  ) u_dcache (
      .clk(clk), .rst(rst),
      // EX and M
      .rd_i(dc_rd), .rd_addr_i(dc_index), .m_line_i(m_pa[MEM_W-1:6]), .m_word_i(m_pa[5:3]),
      .m_old_i(dc_old), .m_stale_o(dc_stale), .m_hit_o(dc_hit), .m_data_o(dc_data), .m_line_o(dc_line),
      .m_coming_o(dc_coming), .m_dead_o(dc_dead), .m_present_o(dc_present), .m_reg_o(dc_reg),
      .m_full_o(dc_full), .m_ask_i(dc_ask), .m_undo_i(w_undo), .keep_i(dc_keep), .busy_o(dc_busy),
      .beat_o(beat), .beat_reg_o(beat_reg), .beat_word_o(beat_word),
      // the oldest store, invalidations
      .s_next_set_i(st_next_set), .s_line_i(st_addr[MEM_W-1:6]), .s_word_i(st_addr[5:3]), .s_data_i(st_data),
      .s_strb_i(st_strb), .s_ready_o(dc_st_ready), .s_do_i(st_pop && !st_unc), .inv_i(inv),
      .inv_line_i(inv_line),
      // bus
      .req_o(line_req), .req_void_o(line_void), .req_reg_o(line_reg), .req_line_o(line_addr),
      .req_taken_i(line_taken), .rsp_i(rsp_line), .rsp_reg_i(db_rsp_id_i[0]), .rsp_data_i(db_rsp_data_i)
  );

  reg wake_q;                               // late-arriving: a waiting walker asks again a cycle later
  always @(posedge clk) wake_q <= beat || stq_shift;
  tally_walker #(
      .ENTRIES(L2TLB_ENTRIES)
  ) u_walker (
      .clk(clk), .rst(rst), .satp_i(ls_satp_i), .adue_i(ls_adue_i), .flush_tlb_i(flush_tlb_i),
      // requests: the held operation, the front end, sample records
      .d_req_i(h_walks), .d_va_i(h_va[38:12]), .d_store_i(h_op != `TALLY_LS_LOAD && h_op != `TALLY_LS_LR),
      .d_user_i(h_priv == 2'd0), .d_sum_i(h_sum), .d_mxr_i(h_mxr), .d_ad_i(ad_ok_i && h_oldest),
      .d_done_o(wk_d_done), .i_req_i(iw_req_i), .i_va_i(iw_va_i[38:12]), .i_user_i(iw_priv_i == 2'd0),
      .i_ad_i(iw_ad_i), .i_done_o(iw_done_o), .r_req_i(rw_req_i), .r_va_i(rw_va_i),
      .r_machine_i(rw_machine_i), .r_fine_i(pmp_fine_i), .r_done_o(rw_done_o), .r_page_o(rw_page_o),
      // the answer
      .fault_o(wk_fault), .accfault_o(wk_accfault), .adneed_o(wk_adneed), .l2miss_o(wk_l2miss),
      .va_o(wk_va), .ppn_o(wk_ppn), .level_o(wk_level), .g_o(wk_g), .perm_o(wk_perm),
      // PTE accesses
      .reads_o(wk_reads), .rd_req_o(wk_rd_req), .rd_addr_o(wk_rd_addr), .rd_write_o(wk_rd_write),
      .rd_machine_o(wk_rd_machine), .rd_taken_i(wk_rd_taken), .m_fault_i(!m_ram), .m_deny_i(w_pte_deny),
      .m_hit_i(pte_hit), .m_data_i(dc_data), .wake_i(wake_q),
      // bus
      .bus_req_o(wk_bus_req), .bus_sc_o(wk_bus_sc), .bus_addr_o(wk_bus_addr), .bus_data_o(wk_bus_data),
      .bus_taken_i(wk_bus_taken), .bus_rsp_i(rsp_walk), .bus_rsp_data_i(db_rsp_data_i),
      .ad_busy_o(wk_ad_busy),
      // events
      .ev_l2_rd_o(evm_o[`TALLY_EVM_L2TLB_RD]), .ev_l2_miss_o(evm_o[`TALLY_EVM_L2TLB_MISS]),
      .ev_walk_o(evm_o[`TALLY_EVM_WALK_CYC])
  );

  assign rw_fault_o    = wk_fault || wk_accfault;
  assign iw_fault_o    = wk_fault;
  assign iw_accfault_o = wk_accfault;
  assign iw_adneed_o   = wk_adneed;
  assign iw_ppn_o      = wk_ppn;
  assign iw_level_o    = wk_level;
  assign iw_g_o        = wk_g;
  assign iw_u_o        = wk_perm[3];
  assign iw_x_o        = wk_perm[2];
  assign iw_w_o        = wk_perm[1];
  assign iw_r_o        = wk_perm[0];
  assign iw_l2miss_o   = wk_l2miss;

  assign evm_o[`TALLY_EVM_L1D_REFILL] = line_taken && !line_void;
  assign evm_o[`TALLY_EVM_SQ_FULL]    = h_full;

  // Read by test benches by name; no logic depends on them
  /* verilator lint_off UNUSEDSIGNAL */
  wire [MSHRS-1:0] probe_misses = dc_busy;
  wire             probe_load   = ev_load;
  reg              probe_lc_load;
  always @(posedge clk) probe_lc_load <= ev_load;
  wire             probe_lc_missed   = lc_l1miss_o;
  wire             probe_walk        = wk_found;
  wire [TAG_W-1:0] probe_walk_tag    = h_tag;
  wire             probe_walk_missed = wk_l2miss;
  wire             probe_single      = db_req_valid_o && db_req_id_o == `TALLY_DID_SINGLE;
  wire             probe_lc_hit = lc_hit_o;
  wire [1:0]       probe_size   = m_size;
  wire [55:0]      probe_paddr  = m_pa;
  /* verilator lint_on UNUSEDSIGNAL */

endmodule

`default_nettype wire
