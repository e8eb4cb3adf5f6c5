// SPDX-License-Identifier: Apache-2.0
// tally_lsu - the memory room: loads, stores, LR/SC and AMO; DTLB, walker, D cache, store queue, PMP
// (docs/hart.md).
//
// EX  address, DTLB, D cache RAM read
// M   tags, PMA, store queue search: what happens is decided
// W   PMP's verdict, alignment, completion: registered
//
// A load takes its place in the load queue when M sees it, and leaves it in W if M was all that it needed.
//
// PMP is asked in M and heard in W. What it denies completes there as an exception, and what M has begun is
// taken back: a load leaves the load queue before it can go anywhere, a held operation is dropped before it
// acts, a store waits in the store queue for the flush that its trap brings.
//
// A load that hits is done in M, and completes in W. Everything that cannot go on in M leaves it, so that M
// never stalls:
//   - a load that misses, or must wait for an older store or load, into the load queue, which has a place for
//     every ROB entry; it comes back through EX and M when what it waits for has happened, the oldest first;
//   - what blocks everything younger (DTLB miss, no room for a store, AMO, LR and SC) into the one place of
//     the held operation, and EX is closed until it has come back through EX and M.
// Completion is decided in M only, so there is one a cycle at most. The walker's PTE reads pass through EX
// and M too.
//
// Stores are checked in M, complete, and wait in the store queue. The bus performs in the order of the
// requests: a line asked for after a write has been handed to the bus register includes it, and a store to
// a line on its way waits for the line. Loads to one aligned word of 8 bytes are performed in program order
// (RVWMO, same-address loads).
//
// lc_dsrc_o: codes in tally_lsu.vh. lc_l1miss_o: a load missed if its word was not there when it first
// looked without an older store or load in its way, a store, LR, SC or AMO if its line was not whole in the
// cache when it first looked. rsp_err_i counts for single reads, LR, SC and AMO (access fault); main memory
// always answers lines.

`default_nettype none
`include "tally_spec.vh"  // TALLY_DSRC_*
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
    input  wire [8*54-1:0]  pmp_addr_i,
    input  wire [8*MEM_W-1:0]  pmp_shape_i,
    input  wire             pmp_fine_i,     // a region may begin or end inside a page

    // front end: fetch asks PMP in cycles in which M holds nothing
    input  wire [MEM_W-1:2] fp_first_i,     // the first and the last word
    input  wire [MEM_W-1:2] fp_last_i,
    input  wire [1:0]       fp_priv_i,
    output wire             fp_free_o,
    output wire             fp_fail_o,      // late

    // back end: commit
    input  wire             head_valid_i,
    input  wire [TAG_W-1:0] head_tag_i,
    input  wire             ad_ok_i,
    input  wire             st_commit_i,    // late; stores only, not SC or AMO
    input  wire             retire_i,       // late; the oldest instruction, of any kind
    input  wire             flush_i,        // late
    input  wire             flush_tlb_i,    // late

    // back end: completion
    output wire             lc_turn_o,      // something may complete,
    output wire             lc_sure_o,      // does,
    output wire             lc_valid_o,     // ... or does because PMP denies it (late)
    output reg  [TAG_W-1:0] lc_tag_o,
    output reg  [63:0]      lc_value_o,     // late
    output wire             lc_exc_o,
    output reg  [3:0]       lc_cause_o,
    output wire [63:0]      lc_tval_o,
    output reg  [63:0]      lc_vaddr_o,
    output reg  [55:0]      lc_paddr_o,
    output wire             lc_l1acc_o,
    output wire             lc_l1miss_o,
    output reg              lc_tlbacc_o,
    output reg              lc_tlbmiss_o,
    output reg              lc_l2tlbmiss_o,
    output wire             lc_uncached_o,
    output wire             lc_fwd_o,
    output wire [3:0]       lc_dsrc_o,
    output wire             lsu_nonspec_o,  // the oldest may act in the next cycle, or has (late)
    output wire             mem_idle_o,

    // front end: walks for the ITLB
    input  wire             iw_req_i,
    input  wire [63:0]      iw_va_i,
    input  wire             iw_user_i,
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

    // sample records: the physical page of one of their buffer, with S-mode's right to write it
    input  wire             rw_req_i,       // held until done; taken back for a cycle: forgotten
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
    input  wire             db_rsp_last_i,
    input  wire             db_rsp_err_i,
    input  wire             inv_valid_i,
    input  wire [55:6]      inv_addr_i,

    // events
    output wire [`TALLY_EVM_N-1:0] evm_o
);

  localparam LQ_N = 1 << TAG_W;

  localparam [1:0] SRC_OP = 2'd0, SRC_LQ = 2'd1, SRC_PTE = 2'd2;

  localparam [2:0] H_NONE = 3'd0,   // no operation is held
                   H_WALK = 3'd1,   // for the walker
                   H_ROOM = 3'd2,   // for room in the store queue
                   H_HEAD = 3'd3,   // until it is the oldest, and for the bus
                   H_GO   = 3'd4;   // comes back

  wire unused_ok = &{1'b0, db_rsp_last_i, iw_va_i[63:39], iw_va_i[11:0], 1'b0};

  // Data in the byte lanes of its address: repeated over all of them
  function [63:0] spread;
    input [1:0]  size;
    input [63:0] data;
    begin
      case (size)
        2'd0:    spread = {8{data[7:0]}};
        2'd1:    spread = {4{data[15:0]}};
        2'd2:    spread = {2{data[31:0]}};
        default: spread = data;
      endcase
    end
  endfunction

  function [7:0] lanes;
    input [1:0] size;
    input [2:0] addr;
    begin
      case (size)
        2'd0:    lanes = 8'h01 << addr;
        2'd1:    lanes = 8'h03 << addr;
        2'd2:    lanes = 8'h0F << addr;
        default: lanes = 8'hFF;
      endcase
    end
  endfunction

  // ---------------------------------------------------------------------------------------------------------
  // State

  // The held operation
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
  reg              h_tlbmiss_q, h_l2miss_q;  // it missed
  reg              h_found_q;                // its translation is done: h_pa_q
  reg              h_exc_q;                  // its walk failed,
  reg  [3:0]       h_cause_q;                // so
  reg              h_done_q;                 // the bus has answered
  reg              h_line_q;                 // its line was in the cache

  // M
  reg              m_valid_q;
  reg              m_store_q;                // a store that the back end has sent
  reg              m_load_q;                 // a load that it has, and that has no exception of its own
  reg              m_find_q;                 // older stores matter
  reg  [1:0]       m_src_q;
  reg  [2:0]       m_op_q;
  reg  [4:0]       m_f5_q;
  reg  [1:0]       m_size_q;
  reg  [7:0]       m_strb_q;                 // its byte lanes (not of the load queue's)
  reg              m_uns_q;
  reg  [63:0]      m_va_q;
  reg  [55:0]      m_pa_q;
  reg  [63:0]      m_wdata_q;
  reg  [TAG_W-1:0] m_tag_q;
  reg  [1:0]       m_priv_q;
  reg              m_mxr_q, m_sum_q;
  reg              m_misal_q;                // misaligned
  reg              m_wild_q;                 // not canonical
  reg              m_high_q;                 // physical address above 56 bits
  reg              m_walk_q;                 // needs the walker
  reg              m_tlbacc_q, m_tlbmiss_q, m_l2miss_q;
  reg              m_exc_q;
  reg  [3:0]       m_cause_q;
  reg              m_done_q;
  reg              m_line_q;
  reg              m_unc_q;                  // of the load queue's: lq_unc_q, lq_old_q and so on
  reg              m_old_q, m_seen_q, m_miss_q, m_merge_q;

  // The load queue: a place a ROB entry
  reg  [LQ_N-1:0]  lq_valid_q;
  reg  [LQ_N-1:0]  lq_fly_q;                 // in EX or M
  reg  [LQ_N-1:0]  lq_stq_q;                 // waits for stores (lq_stores_q) to leave the store queue
  reg  [LQ_N-1:0]  lq_ord_q;                 // waits for older loads (lq_loads_q) of the same 8 bytes
  reg  [LQ_N-1:0]  lq_word_q;                // waits for its word to arrive in miss register lq_reg_q
  reg  [LQ_N-1:0]  lq_gone_q;                // waits until that register is free
  reg  [LQ_N-1:0]  lq_full_q;                // waits until any is
  reg  [LQ_N-1:0]  lq_dev_q;                 // waits for a device: until it is the oldest, and for the bus
  reg  [LQ_N-1:0]  lq_reg_q;
  reg  [LQ_N-1:0]  lq_old_q;                 // has waited for a word on its way
  reg  [LQ_N-1:0]  lq_seen_q;                // hit or miss has been decided
  reg  [LQ_N-1:0]  lq_miss_q;                // missed,
  reg  [LQ_N-1:0]  lq_merge_q;               // and the line was on its way
  reg  [LQ_N-1:0]  lq_unc_q;
  (* mem2reg *) reg [STQ_DEPTH-1:0] lq_stores_q [0:LQ_N-1];
  (* mem2reg *) reg [LQ_N-1:0]      lq_loads_q  [0:LQ_N-1];
  (* mem2reg *) reg [11:3]          lq_at_q     [0:LQ_N-1];
  reg  [55:0]      lq_pa_q   [0:LQ_N-1];
  reg  [63:0]      lq_va_q   [0:LQ_N-1];
  reg  [5:0]       lq_info_q [0:LQ_N-1];     // {size, unsigned, translated, DTLB miss, second-level TLB miss}

  // The oldest instruction's access with side effects
  reg              ns_arm_q;                 // may act from now on: no interrupt. Nothing can take that away,
  reg              ns_hold_q;                // and it is the held operation, not a load
  reg              ns_busy_q;                // the bus works
  reg              ns_held_q;                // for the held operation, not for a load
  reg              ns_live_q;                // it has acted, and has not retired
  reg  [TAG_W-1:0] ns_tag_q;
  reg  [63:0]      ns_data_q;
  reg              ns_err_q;

  // Bus request register
  reg              rq_valid_q;
  reg  [2:0]       rq_op_q;
  reg  [55:0]      rq_addr_q;
  reg  [1:0]       rq_size_q;
  reg  [63:0]      rq_wdata_q;
  reg  [7:0]       rq_wstrb_q;
  reg  [4:0]       rq_f5_q;
  reg  [3:0]       rq_id_q;
  reg  [3:0]       writes_q;                 // writes that have not been acknowledged

  // ---------------------------------------------------------------------------------------------------------
  // Wires between the parts

  wire                 stq_full, stq_empty, stq_drained, stq_shift, stq_merge, stq_fwd;
  wire [STQ_DEPTH-1:0] stq_over, stq_all, stq_head;
  wire [63:0]          stq_fwd_data;
  wire                 st_valid, st_unc, st_pop;
  wire [MEM_W-1:0]     st_addr;
  wire [1:0]           st_size;
  wire [63:0]          st_data;
  wire [7:0]           st_strb;
  wire [11:6]          st_soon;

  wire                 dc_stale, dc_hit, dc_line, dc_coming, dc_dead, dc_here, dc_reg, dc_full, dc_ask;
  wire [63:0]          dc_data;
  wire [MSHRS-1:0]     dc_busy;
  wire                 beat, beat_reg;
  wire [2:0]           beat_word;
  wire                 dc_st_ready;
  wire                 line_req, line_void, line_reg, line_taken;
  wire [MEM_W-1:6]     line_addr;
  wire                 inv;
  wire [MEM_W-1:6]     inv_line;

  wire                 dtlb_hit;
  wire [43:0]          dtlb_ppn;

  wire                 wk_d_done;
  wire                 wk_found = wk_d_done && h_state_q == H_WALK;   // not if it was flushed meanwhile
  wire                 wk_fault, wk_accfault, wk_adneed, wk_l2miss, wk_g;
  wire [38:12]         wk_va;
  wire [43:0]          wk_ppn;
  wire [1:0]           wk_level;
  wire [4:0]           wk_perm;
  wire                 wk_reads;
  wire                 wk_rd_req, wk_rd_write, wk_rd_machine, wk_bus_req, wk_bus_sc, wk_bus_taken, wk_ad_busy;
  wire [55:0]          wk_rd_addr, wk_bus_addr;
  wire [63:0]          wk_bus_data;

  wire                 rsp_line   = db_rsp_valid_i && db_rsp_id_i[3:1] == 3'd0;
  wire                 rsp_write  = db_rsp_valid_i && db_rsp_id_i == `TALLY_DID_WRITE;
  wire                 rsp_single = db_rsp_valid_i && db_rsp_id_i == `TALLY_DID_SINGLE;
  wire                 rsp_walk   = db_rsp_valid_i && db_rsp_id_i == `TALLY_DID_WALK;

  // ---------------------------------------------------------------------------------------------------------
  // EX: who enters

  wire [LQ_N-1:0]  lq_waits = lq_stq_q | lq_ord_q | lq_word_q | lq_gone_q | lq_full_q | lq_dev_q;
  reg              w_may_q, w_new_q;         // W: it is performed if PMP permits; it is new in the load queue
  reg              w_fail_q;                 // PMP does not
  wire             w_deny = w_may_q && w_fail_q;
  wire [LQ_N-1:0]  w_new    = {{LQ_N-1{1'b0}}, w_new_q} << lc_tag_o;
  wire [LQ_N-1:0]  w_leaves = w_new & {LQ_N{lc_valid_o}};     // it is done
  wire [LQ_N-1:0]  w_ended  = w_new & {LQ_N{lc_sure_o}};      // the same, but for a load that PMP denies
  wire [LQ_N-1:0]  lq_ready = lq_valid_q & ~(lq_fly_q | lq_waits | w_new);

  // Which of the load queue comes back is decided a cycle earlier.
  wire             lq_any = |lq_ready;
  reg              lq_go;
  reg  [TAG_W-1:0] lq_sel;

  wire             h_none = h_state_q == H_NONE;
  wire             wk_go  = wk_rd_req && !lq_go;
  wire             h_go   = h_state_q == H_GO && !lq_go && !wk_rd_req;
  wire             m_block;
  assign           ls_ready_o = h_none && !lq_go && !wk_rd_req && !m_block;
  wire             op_go  = (ls_valid_i && ls_ready_o) || h_go;

  // The oldest of the load queue
  reg  [TAG_W-1:0] lq_pick, lq_try;
  always @* begin : oldest
    integer n;
    n       = 0;
    lq_pick = head_tag_i;
    lq_try  = head_tag_i;
    if (lq_any) begin
      for (n = LQ_N - 1; n >= 0; n = n - 1) begin
        lq_try = head_tag_i + n[TAG_W-1:0];
        if (lq_ready[lq_try]) lq_pick = lq_try;
      end
    end
  end

  always @(posedge clk) begin
    lq_go <= lq_any && !flush_i && !rst;
    if (lq_any) lq_sel <= lq_pick;
  end

  wire [2:0]  ex_op    = h_none ? ls_op_i : h_op_q;
  wire [1:0]  ex_size  = h_none ? ls_size_i : h_size_q;
  wire [1:0]  ex_priv  = h_none ? ls_priv_i : h_priv_q;
  wire        ex_mxr   = h_none ? ls_mxr_i : h_mxr_q;
  wire        ex_sum   = h_none ? ls_sum_i : h_sum_q;
  wire [63:0] ex_sum_va = ls_base_i + {{52{ls_off_i[11]}}, ls_off_i};
  wire [63:0] ex_va    = h_none ? ex_sum_va : h_va_q;
  wire        ex_sv39  = ex_priv != 2'd3 && ls_satp_i[63:60] == 4'd8;
  wire        ex_store = ex_op == `TALLY_LS_STORE || ex_op == `TALLY_LS_SC || ex_op == `TALLY_LS_AMO;
  wire        ex_wild  = ex_sv39 && !(&ex_va[63:38] || ~|ex_va[63:38]);
  wire        ex_high  = !ex_sv39 && |ex_va[63:56];
  wire        ex_misal = (ex_size[1] && ex_va[1]) || (&ex_size && ex_va[2]) || (|ex_size && ex_va[0]);
  wire        ex_found = !h_none && h_found_q;
  // A page that the DTLB knows is known last: it joins what is chosen before, which is 0 there.
  wire [55:0] ex_pa    = ex_found ? h_pa_q : {ex_va[55:12] & {44{!ex_sv39}}, ex_va[11:0]};
  wire [55:0] early_pa = lq_go ? lq_pa_q[lq_sel] : wk_rd_req ? wk_rd_addr : ex_pa;
  wire        ex_look  = ex_sv39 && !ex_misal && !ex_wild;    // these exceptions come before translation
  wire        ex_miss  = ex_look && !dtlb_hit && !ex_found;

  wire [11:3] rd_addr  = lq_go ? lq_at_q[lq_sel] : wk_rd_req ? wk_rd_addr[11:3] : ex_va[11:3];

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
      .fill_i      (wk_found && !wk_fault && !wk_accfault && !wk_adneed),
      .fill_va_i   (wk_va),
      .fill_ppn_i  (wk_ppn),
      .fill_level_i(wk_level),
      .fill_perm_i (wk_perm),
      .flush_i     (flush_tlb_i)
  );

  // ---------------------------------------------------------------------------------------------------------
  // EX to M

  always @(posedge clk) begin
    m_valid_q <= ((lq_go || op_go) && !flush_i) || wk_go;
    m_store_q <= op_go && ex_op == `TALLY_LS_STORE && !flush_i;
    m_load_q  <= op_go && ex_op == `TALLY_LS_LOAD && !flush_i && !ex_misal && !ex_wild && !ex_high &&
                 (h_none || !h_exc_q);
    m_find_q  <= wk_go ||
                 (op_go && (ex_op == `TALLY_LS_LOAD || ex_op == `TALLY_LS_STORE) && !flush_i);
    if (rst) begin
      m_valid_q <= 1'b0;
      m_store_q <= 1'b0;
      m_load_q  <= 1'b0;
      m_find_q  <= 1'b0;
    end
  end

  always @(posedge clk) begin
    if (lq_go || wk_rd_req || op_go) m_pa_q <= early_pa | {dtlb_ppn, 12'd0};
    if (lq_go) begin
      m_src_q     <= SRC_LQ;
      m_op_q      <= `TALLY_LS_LOAD;
      m_tag_q     <= lq_sel;
      m_va_q      <= lq_va_q[lq_sel];
      {m_size_q, m_uns_q, m_tlbacc_q, m_tlbmiss_q, m_l2miss_q} <= lq_info_q[lq_sel];
      m_misal_q   <= 1'b0;
      m_wild_q    <= 1'b0;
      m_high_q    <= 1'b0;
      m_walk_q    <= 1'b0;
      m_exc_q     <= 1'b0;
      m_done_q    <= 1'b0;
      m_unc_q     <= lq_unc_q[lq_sel];       // only what is in M is written
      m_old_q     <= lq_old_q[lq_sel];
      m_seen_q    <= lq_seen_q[lq_sel];
      m_miss_q    <= lq_miss_q[lq_sel];
      m_merge_q   <= lq_merge_q[lq_sel];
    end else if (wk_go) begin
      m_src_q     <= SRC_PTE;
      m_op_q      <= wk_rd_write ? `TALLY_LS_STORE : `TALLY_LS_LOAD;
      m_size_q    <= 2'd3;
      m_strb_q    <= 8'hFF;
      m_priv_q    <= {wk_rd_machine, 1'b1};
      m_high_q    <= 1'b0;
    end else if (op_go) begin
      m_src_q     <= SRC_OP;
      m_op_q      <= ex_op;
      m_f5_q      <= h_none ? ls_f5_i : h_f5_q;
      m_size_q    <= ex_size;
      m_uns_q     <= (h_none ? ls_uns_i : h_uns_q) && ex_op == `TALLY_LS_LOAD;
      m_va_q      <= ex_va;
      m_strb_q    <= lanes(ex_size, ex_va[2:0]);
      m_wdata_q   <= h_none ? ls_wdata_i : h_wdata_q;
      m_tag_q     <= h_none ? ls_tag_i : h_tag_q;
      m_priv_q    <= ex_priv;
      m_mxr_q     <= ex_mxr;
      m_sum_q     <= ex_sum;
      m_misal_q   <= ex_misal;
      m_wild_q    <= ex_wild;
      m_high_q    <= ex_high;
      m_walk_q    <= ex_miss && (h_none || !h_exc_q);
      m_tlbacc_q  <= ex_look;
      m_tlbmiss_q <= ex_miss || (!h_none && h_tlbmiss_q);
      m_l2miss_q  <= !h_none && h_l2miss_q;
      m_exc_q     <= !h_none && h_exc_q;
      m_cause_q   <= h_cause_q;
      m_done_q    <= !h_none && h_done_q;
      m_line_q    <= h_line_q;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // M: where it goes, and whether it may (PMA, PMP)

  wire        src_op   = m_valid_q && m_src_q == SRC_OP;
  wire        src_lq   = m_valid_q && m_src_q == SRC_LQ;
  wire        src_pte  = m_valid_q && m_src_q == SRC_PTE;

  wire        m_load   = m_op_q == `TALLY_LS_LOAD;
  wire        m_store  = m_op_q == `TALLY_LS_STORE;
  wire        m_atomic = !m_load && !m_store;
  wire        m_reads  = m_load || m_op_q == `TALLY_LS_LR;      // exceptions of loads, else of stores

  wire [55:0] ram_end  = RAM_BASE + ram_size_i;
  wire        in_ram   = m_pa_q >= RAM_BASE && m_pa_q < ram_end && ~|m_pa_q[55:MEM_W];
  wire        in_rom   = m_pa_q[55:16] == 40'h0 && m_pa_q[15:12] != 4'd0;
  wire        in_aclint = m_pa_q[55:16] == 40'h200;
  wire        in_plic  = m_pa_q[55:26] == 30'h3;
  // A store that the device would refuse has retired by then: the widths that these two take are checked
  // here.
  wire        bad_size = (in_aclint && !m_size_q[1]) || (in_plic && m_size_q != 2'd2);
  wire        in_dev   = in_rom
                         || m_pa_q[55:12] == 44'h100         // finisher
                         || in_aclint || in_plic
                         || m_pa_q[55:8] == 48'h10_0000;     // UART

  wire        pmp_fail;

  tally_pmp #(
      .MEM_W(MEM_W)
  ) u_pmp (
      .cfg_i       (pmp_cfg_i),
      .addr_flat_i (pmp_addr_i),
      .shape_flat_i(pmp_shape_i),
      .first_i     (m_valid_q ? m_pa_q[MEM_W-1:2] : fp_first_i),
      .last_i      (m_valid_q ? {m_pa_q[MEM_W-1:3], m_pa_q[2] || &m_size_q} : fp_last_i),
      .priv_i      (m_valid_q ? m_priv_q : fp_priv_i),
      .op_i        (!m_valid_q ? 2'd2 : m_reads ? 2'd0 : 2'd1),
      .fail_o      (pmp_fail)
  );

  assign fp_free_o = !m_valid_q;
  assign fp_fail_o = pmp_fail;

  wire        bad_place = !in_ram && (!in_dev || m_atomic || bad_size || (m_store && in_rom));
  wire        refused   = m_high_q || bad_place || (m_done_q && ns_err_q);   // whatever PMP says

  // Exceptions, the first that holds: misaligned, page fault, (the walk's verdict), access fault
  wire        early_exc = m_misal_q || m_wild_q || m_exc_q;
  wire        m_exc     = src_op && (early_exc || (!m_walk_q && refused));
  wire        m_may     = src_op && !early_exc && !m_walk_q && !refused;  // it is performed if PMP permits it
  wire        lq_err    = src_lq && m_unc_q && ns_err_q;

  wire        c_exc   = m_exc || lq_err;
  wire [3:0]  c_cause = m_misal_q ? (m_reads ? `TALLY_XC_LMISAL : `TALLY_XC_SMISAL) :
                      m_wild_q  ? (m_reads ? `TALLY_XC_LPAGE : `TALLY_XC_SPAGE) :
                      m_exc_q   ? m_cause_q :
                                  (m_reads ? `TALLY_XC_LACC : `TALLY_XC_SACC);

  // ---------------------------------------------------------------------------------------------------------
  // M: loads

  // What lies outside main memory is in no line, nor does it wait for one. That it does is known late, and
  // comes last: a line that was asked for because of it is given up in W, as with PMP's verdict.
  wire            ld_try   = m_load_q && !m_walk_q && ~|m_pa_q[55:MEM_W];
  wire            ld_op    = m_may && m_load;                             // for the first time
  wire            ld_dev   = ld_op && !in_ram;
  wire            ld_new   = ld_try && in_ram;
  wire            ld_again = src_lq && !m_unc_q;

  // Older loads of the same 8 bytes. PMP's verdict comes too late for this: for a load that it denies a
  // younger one waits a cycle in vain.
  reg  [LQ_N-1:0] same;
  always @* begin : older
    integer n;
    n    = 0;
    same = {LQ_N{1'b0}};
    if (ld_try && |lq_valid_q)
      for (n = 0; n < LQ_N; n = n + 1)
        same[n] = lq_valid_q[n] && !w_ended[n] && lq_at_q[n] == m_pa_q[11:3];
  end

  wire            older_ld = |same;
  wire            older_st = ld_try && |stq_over;
  wire            fwd      = ld_new && !older_ld && stq_fwd;
  wire            look     = ((ld_try && !older_ld && !older_st) || ld_again) && !dc_stale;
  wire            hit      = look && dc_hit;
  wire            no_hit   = look && !dc_hit;
  wire            missed   = no_hit && (in_ram || src_lq);
  wire            seen     = src_lq && m_seen_q;
  wire            dc_old   = (src_lq && m_old_q) || (src_pte && pte_old_q);
  wire            not_mine = dc_dead && !dc_old;                          // invalidated before this load came
  wire            lq_stay  = ld_op || (ld_again && !(dc_hit && !dc_stale));

  // PTE reads
  wire            pte_look = src_pte && m_load && ~|m_pa_q[55:MEM_W] && ~|stq_over && !dc_stale;
  wire            pte_hit  = pte_look && dc_hit;

  wire            w_mine   = dc_coming ? !not_mine : !dc_full;            // it comes, and may be used,
  wire            w_reg    = dc_coming ? dc_reg : MSHRS > 1 && dc_busy[0]; // here, or in the one it takes

  assign dc_ask = (no_hit || (pte_look && !dc_hit)) && !dc_coming && !dc_full;

  wire            from_bus = src_lq ? m_unc_q : m_done_q;
  wire [63:0]     raw      = stq_fwd ? stq_fwd_data : from_bus ? ns_data_q : dc_data;

  // ---------------------------------------------------------------------------------------------------------
  // M: completion, or where else to

  wire st_put   = m_may && m_store && !stq_full;
  wire nsp_done  = m_may && m_atomic && m_done_q;
  wire to_h     = (src_op && !early_exc && m_walk_q)
                  || (m_may && m_store && stq_full)
                  || (m_may && m_atomic && !m_done_q);

  // Registered state only: EX is closed in the cycle in which M may turn out to be blocked
  assign m_block = src_op && (m_walk_q || (m_store && stq_full) || (m_atomic && !m_done_q));

  wire   c_valid        = m_exc || st_put || nsp_done || fwd || hit || (src_lq && m_unc_q);
  wire   c_uncached     = src_lq ? m_unc_q : m_may && !in_ram;
  wire   c_l1acc        = src_lq ? !m_unc_q : m_may && in_ram;
  wire   c_l1miss       = src_lq ? m_miss_q
                                 : m_may && in_ram && (m_atomic ? !m_line_q : m_store && !dc_line);

  reg [3:0] c_dsrc;
  always @* begin
    if (c_exc || m_store)             c_dsrc = `TALLY_DSRC_NONE;
    else if (m_atomic)                c_dsrc = `TALLY_DSRC_MEM;
    else if (c_uncached)              c_dsrc = `TALLY_DSRC_DEVICE;
    else if (fwd)                     c_dsrc = `TALLY_DSRC_STQ;
    else if (!c_l1miss)               c_dsrc = `TALLY_DSRC_L1;
    else if (m_merge_q)               c_dsrc = `TALLY_DSRC_COMING;
    else                              c_dsrc = `TALLY_DSRC_MEM;
  end

  // ---------------------------------------------------------------------------------------------------------
  // W

  reg  [63:0] w_raw_q;
  reg  [1:0]  w_size_q;
  reg  [2:0]  w_shift_q;
  reg         w_uns_q, w_sc_q, w_none_q;
  reg         w_done_q, w_exc_q, w_l1acc_q, w_l1miss_q, w_uncached_q, w_fwd_q;
  reg  [3:0]  w_dsrc_q;
  reg         w_held_q;                      // it was put into the held operation's place
  reg         pte_new_q;                     // it is an access to a PTE
  reg         pte_old_q, pte_reg_q;          // the walker waits for a word on its way, in this miss register
  reg         dc_ask_q, dc_out_q;            // what may have asked for a line; it is elsewhere

  wire        live = !flush_i && !rst;

  always @(posedge clk) begin
    w_done_q   <= c_valid && live;
    w_may_q    <= m_may && live;
    w_fail_q   <= pmp_fail;
    w_new_q    <= lq_new && live;
    w_held_q   <= to_h && !m_walk_q && live;
    pte_new_q  <= src_pte && !rst;
    if (src_pte) begin
      pte_old_q <= !pte_hit && ((pte_look && w_mine) || (pte_old_q && dc_stale));
      pte_reg_q <= w_reg;
    end
    if (!wk_reads || rst) pte_old_q <= 1'b0;
    dc_ask_q   <= !src_lq;
    dc_out_q   <= !in_ram;
    if (m_valid_q) begin
      w_raw_q        <= raw;
      w_size_q       <= m_size_q;
      w_shift_q      <= m_pa_q[2:0];
      w_uns_q        <= m_uns_q;
      w_sc_q         <= m_op_q == `TALLY_LS_SC;
      w_none_q       <= m_store;
      lc_tag_o       <= m_tag_q;
      w_exc_q        <= c_exc;
      lc_cause_o     <= c_cause;
      lc_vaddr_o     <= m_va_q;
      lc_paddr_o     <= m_pa_q;
      w_l1acc_q      <= c_l1acc;
      w_l1miss_q     <= c_l1miss;
      lc_tlbacc_o    <= m_tlbacc_q;
      lc_tlbmiss_o   <= m_tlbmiss_q;
      lc_l2tlbmiss_o <= m_l2miss_q;
      w_uncached_q   <= c_uncached;
      w_fwd_q        <= fwd;
      w_dsrc_q       <= c_dsrc;
    end
  end

  assign lc_turn_o     = w_done_q || w_may_q;
  assign lc_sure_o     = w_done_q;
  assign lc_valid_o    = w_done_q || w_deny;
  assign lc_exc_o      = w_exc_q || w_deny;
  assign lc_tval_o     = lc_vaddr_o;
  assign lc_l1acc_o    = w_l1acc_q && !w_deny;
  assign lc_l1miss_o   = w_l1miss_q && !w_deny;
  assign lc_uncached_o = w_uncached_q && !w_deny;
  assign lc_fwd_o      = w_fwd_q && !w_deny;
  assign lc_dsrc_o     = w_deny ? `TALLY_DSRC_NONE : w_dsrc_q;

  reg  [63:0] shifted;
  always @* begin
    shifted = w_raw_q >> {w_shift_q, 3'd0};
    case (w_size_q)
      2'd0:    lc_value_o = {{56{shifted[7] && !w_uns_q}}, shifted[7:0]};
      2'd1:    lc_value_o = {{48{shifted[15] && !w_uns_q}}, shifted[15:0]};
      2'd2:    lc_value_o = {{32{shifted[31] && !w_uns_q}}, shifted[31:0]};
      default: lc_value_o = shifted;
    endcase
    if (w_sc_q) lc_value_o = {63'd0, w_raw_q[0]};
    if (w_none_q) lc_value_o = 64'd0;
  end

  // ---------------------------------------------------------------------------------------------------------
  // Load queue

  wire                 lq_new  = ld_op;
  wire                 w_order = ld_new && older_ld;
  wire                 w_word  = missed && (dc_coming ? !not_mine && !dc_here : !dc_full);
  wire                 w_gone  = missed && dc_coming && not_mine;
  wire                 w_full  = missed && !dc_coming && dc_full;
  wire                 w_old   = missed && w_mine;

  wire [STQ_DEPTH-1:0] w_over   = ld_dev ? stq_all : stq_over;

  // Of what is waited for, a store that leaves in this cycle, and the one that it is merged into
  wire [STQ_DEPTH-1:0] st_left  = stq_head & {STQ_DEPTH{stq_shift}};
  wire [STQ_DEPTH-1:0] st_into  = {stq_head[STQ_DEPTH-2:0], stq_head[STQ_DEPTH-1]} & {STQ_DEPTH{stq_merge}};
  wire [STQ_DEPTH-1:0] w_stores = (w_over & ~st_left) | (st_into & {STQ_DEPTH{|(w_over & stq_head)}});

  // What a load in the queue waits for happens
  reg  [LQ_N-1:0]      stq_left, ord_left, word_came, reg_freed;
  reg  [STQ_DEPTH-1:0] stores_d [0:LQ_N-1];
  always @* begin : awaited
    integer n;
    stq_left  = {LQ_N{1'b0}};
    ord_left  = {LQ_N{1'b0}};
    word_came = {LQ_N{1'b0}};
    reg_freed = {LQ_N{1'b0}};
    for (n = 0; n < LQ_N; n = n + 1) stores_d[n] = lq_stores_q[n];
    if (stq_shift && |lq_stq_q) begin
      for (n = 0; n < LQ_N; n = n + 1)
        stores_d[n] = (lq_stores_q[n] & ~st_left) | (st_into & {STQ_DEPTH{|(lq_stores_q[n] & stq_head)}});
    end
    if (|lq_stq_q) for (n = 0; n < LQ_N; n = n + 1) stq_left[n] = lq_stores_q[n] == {STQ_DEPTH{1'b0}};
    if (|lq_ord_q)
      for (n = 0; n < LQ_N; n = n + 1) ord_left[n] = (lq_loads_q[n] & lq_valid_q) == {LQ_N{1'b0}};
    if (beat && |lq_word_q)
      for (n = 0; n < LQ_N; n = n + 1) word_came[n] = lq_reg_q[n] == beat_reg && lq_at_q[n][5:3] == beat_word;
    if (|lq_gone_q)
      for (n = 0; n < LQ_N; n = n + 1) reg_freed[n] = lq_reg_q[n] ? !dc_busy[MSHRS-1] : !dc_busy[0];
  end

  // Lines that stay until a load or walk that asked before they were invalidated has its word: another hart's
  // writes that come as often as the line does would else keep it from ever having it.
  localparam [MSHRS-1:0] LINE0 = 1;
  reg  [MSHRS-1:0] dc_keep;
  always @* begin : keeps
    integer n;
    dc_keep = {MSHRS{1'b0}};
    if (pte_old_q) dc_keep = LINE0 << pte_reg_q;
    for (n = 0; n < LQ_N; n = n + 1)
      if (lq_valid_q[n] && lq_old_q[n]) dc_keep = dc_keep | (LINE0 << lq_reg_q[n]);
  end

  // Which place: decoded before it is known what happens to it.
  localparam [LQ_N-1:0] PLACE = 1;
  wire            lq_done   = src_lq && (m_unc_q || (dc_hit && !dc_stale));
  wire [LQ_N-1:0] at_m      = PLACE << m_tag_q;
  wire [LQ_N-1:0] at_new    = at_m & {LQ_N{lq_new}};
  wire [LQ_N-1:0] at_stay   = at_m & {LQ_N{lq_stay}};
  wire [LQ_N-1:0] at_done   = at_m & {LQ_N{lq_done}};
  wire [LQ_N-1:0] at_pick   = (PLACE << lq_pick) & {LQ_N{lq_any}};
  wire [LQ_N-1:0] at_answer = (PLACE << ns_tag_q) & {LQ_N{rsp_single && !ns_held_q}};

  always @(posedge clk) begin : load_queue
    integer n;
    lq_valid_q <= (lq_valid_q | at_new) & ~at_done & ~w_leaves;
    lq_fly_q   <= (lq_fly_q | at_pick) & ~at_stay & ~at_done;
    lq_stq_q   <= (lq_stq_q & ~stq_left & ~at_new) | (at_new & {LQ_N{older_st || (ld_dev && !stq_empty)}});
    lq_ord_q   <= (lq_ord_q & ~ord_left & ~at_new) | (at_m & {LQ_N{w_order}});
    lq_word_q  <= (lq_word_q & ~word_came & ~at_stay) | (at_m & {LQ_N{w_word}});
    lq_gone_q  <= (lq_gone_q & ~reg_freed & ~at_stay) | (at_m & {LQ_N{w_gone}});
    lq_full_q  <= (lq_full_q & {LQ_N{&dc_busy}} & ~at_stay) | (at_m & {LQ_N{w_full}});
    lq_dev_q   <= (lq_dev_q & ~at_answer & ~at_new) | (at_m & {LQ_N{ld_dev}});
    if (stq_shift && |lq_stq_q) for (n = 0; n < LQ_N; n = n + 1) lq_stores_q[n] <= stores_d[n];
    if (|lq_ord_q) for (n = 0; n < LQ_N; n = n + 1) lq_loads_q[n] <= lq_loads_q[n] & lq_valid_q;

    // Written before it is known whether the load takes or keeps its place: nobody asks else.
    if (src_op) begin
      lq_unc_q[m_tag_q]    <= ld_dev;
      lq_stores_q[m_tag_q] <= w_stores;
      lq_loads_q[m_tag_q]  <= same;
      lq_at_q[m_tag_q]     <= m_pa_q[11:3];
    end
    if (src_op || src_lq) begin
      lq_reg_q[m_tag_q]   <= w_reg;
      lq_old_q[m_tag_q]   <= w_old || (dc_old && dc_stale);
      lq_seen_q[m_tag_q]  <= seen || look;
      lq_miss_q[m_tag_q]  <= (seen && m_miss_q) || (!seen && missed);
      lq_merge_q[m_tag_q] <= (seen && m_merge_q) || (!seen && missed && dc_coming);
    end
    if (rst || flush_i) begin
      lq_valid_q <= {LQ_N{1'b0}};
      lq_fly_q   <= {LQ_N{1'b0}};
    end
    if (rst) begin
      lq_stq_q  <= {LQ_N{1'b0}};
      lq_ord_q  <= {LQ_N{1'b0}};
      lq_word_q <= {LQ_N{1'b0}};
      lq_gone_q <= {LQ_N{1'b0}};
      lq_full_q <= {LQ_N{1'b0}};
      lq_dev_q  <= {LQ_N{1'b0}};
    end
  end

  // Configuration values, not a reset: these become small memories.
  initial begin : configuration
    integer n;
    for (n = 0; n < LQ_N; n = n + 1) begin
      lq_pa_q[n]   = 56'd0;
      lq_va_q[n]   = 64'd0;
      lq_info_q[n] = 6'd0;
    end
  end

  always @(posedge clk) begin
    if (src_op) begin
      lq_pa_q[m_tag_q]   <= m_pa_q;
      lq_va_q[m_tag_q]   <= m_va_q;
      lq_info_q[m_tag_q] <= {m_size_q, m_uns_q, m_tlbacc_q, m_tlbmiss_q, m_l2miss_q};
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // The held operation

  always @(posedge clk) begin
    if (h_go) h_state_q <= H_NONE;
    if (wk_found) h_state_q <= H_GO;
    if (h_state_q == H_ROOM && !stq_full) h_state_q <= H_GO;
    if (h_state_q == H_HEAD && rsp_single && ns_held_q) h_state_q <= H_GO;
    if (to_h) h_state_q <= m_walk_q ? H_WALK : m_store ? H_ROOM : H_HEAD;
    if (w_held_q && w_deny) h_state_q <= H_NONE;
    if (rst || flush_i) h_state_q <= H_NONE;
  end

  always @(posedge clk) begin
    if (to_h) begin
      h_op_q      <= m_op_q;
      h_f5_q      <= m_f5_q;
      h_size_q    <= m_size_q;
      h_uns_q     <= m_uns_q;
      h_va_q      <= m_va_q;
      h_pa_q      <= m_pa_q;
      h_wdata_q   <= m_wdata_q;
      h_tag_q     <= m_tag_q;
      h_priv_q    <= m_priv_q;
      h_mxr_q     <= m_mxr_q;
      h_sum_q     <= m_sum_q;
      h_tlbmiss_q <= m_tlbmiss_q;
      h_l2miss_q  <= m_l2miss_q;
      h_found_q   <= !m_walk_q;
      h_exc_q     <= 1'b0;
      h_done_q    <= 1'b0;
      h_line_q    <= dc_line;
    end
    if (wk_found) begin
      h_l2miss_q <= h_l2miss_q | wk_l2miss;
      h_exc_q    <= wk_fault || wk_accfault || wk_adneed;
      h_cause_q  <= wk_adneed ? `TALLY_XC_AD :
                    h_op_q == `TALLY_LS_LOAD || h_op_q == `TALLY_LS_LR ?
                        (wk_fault ? `TALLY_XC_LPAGE : `TALLY_XC_LACC) :
                        (wk_fault ? `TALLY_XC_SPAGE : `TALLY_XC_SACC);
    end
    if (h_state_q == H_HEAD && rsp_single && ns_held_q) h_done_q <= 1'b1;
  end

  // ---------------------------------------------------------------------------------------------------------
  // Not speculative: AMO, LR, SC (held) and device reads (load queue) of the oldest instruction

  wire h_is_head = head_valid_i && head_tag_i == h_tag_q;
  wire ns_held   = h_state_q == H_HEAD && h_is_head && stq_empty;
  wire ns_read   = head_valid_i && lq_valid_q[head_tag_i] && lq_dev_q[head_tag_i] && !lq_stq_q[head_tag_i];
  wire ns_soon   = (ns_held || ns_read) && !ns_busy_q;
  wire ns_writes = ns_hold_q && h_op_q != `TALLY_LS_LR;
  wire ns_take;

  // It is announced a cycle before it acts: the interrupt that it holds back is decided early in a cycle. (An
  // instruction that has A or D set runs alone, and commit takes none meanwhile.) Nothing retires before it.
  wire ns_arm    = ns_soon && !ns_take && !w_deny && !flush_i;   // that may be PMP's word on it
  wire ns_live   = ns_take || wk_ad_busy || (ns_live_q && !retire_i && !flush_i);
  assign lsu_nonspec_o = ns_arm || ns_live;

  always @(posedge clk) begin
    ns_arm_q  <= ns_arm;
    ns_hold_q <= ns_held;
    ns_live_q <= ns_live;
    if (ns_take) begin
      ns_tag_q  <= head_tag_i;
      ns_busy_q <= 1'b1;
      ns_held_q <= ns_hold_q;
    end
    if (rsp_single) begin
      ns_busy_q <= 1'b0;
      ns_data_q <= db_rsp_data_i;
      ns_err_q  <= db_rsp_err_i;
    end
    if (rst) begin
      ns_arm_q  <= 1'b0;
      ns_busy_q <= 1'b0;
      ns_live_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Bus requests: a line, the walker, a store, the oldest instruction

  wire rq_free    = !rq_valid_q || db_req_ready_i;
  wire st_ready   = st_valid && (st_unc || dc_st_ready) && writes_q != 4'hF;
  wire wk_ready   = wk_bus_req && stq_empty && !(wk_bus_sc && inv_valid_i);
  wire ns_ready   = ns_arm_q && !(ns_writes && inv_valid_i);

  // A line that PMP denies takes its turn all the same: everyone else would wait for PMP's answer.
  assign line_taken   = rq_free && line_req;
  assign wk_bus_taken = rq_free && !line_req && wk_ready;
  assign st_pop       = rq_free && !line_req && !wk_ready && st_ready;
  assign ns_take      = rq_free && !line_req && !wk_ready && !st_ready && ns_ready;

  // An AMO or SC takes its line out of the cache itself; so the invalidation that the bus sends may come
  // when it likes.
  wire own_inv  = (ns_take && ns_writes) || (wk_bus_taken && wk_bus_sc);
  assign inv      = inv_valid_i || own_inv;
  assign inv_line = inv_valid_i  ? inv_addr_i[MEM_W-1:6] :
                    wk_bus_taken ? wk_bus_addr[MEM_W-1:6] : h_pa_q[MEM_W-1:6];

  wire unused_inv = &{1'b0, inv_addr_i[55:MEM_W], 1'b0};

  wire [55:0] ns_addr = ns_hold_q ? h_pa_q : lq_pa_q[head_tag_i];
  wire [1:0]  ns_size = ns_hold_q ? h_size_q : lq_info_q[head_tag_i][5:4];

  always @(posedge clk) begin
    if (rq_free) begin
      rq_valid_q <= (line_taken && !line_void) || wk_bus_taken || st_pop || ns_take;
      rq_f5_q    <= h_f5_q;
      if (line_req) begin
        rq_op_q   <= `TALLY_BUS_LINE;
        rq_addr_q <= {{56-MEM_W{1'b0}}, line_addr, 6'd0};
        rq_size_q <= 2'd3;
        rq_id_q   <= `TALLY_DID_LINE0 | {3'd0, line_reg};
      end else if (wk_ready) begin
        rq_op_q    <= wk_bus_sc ? `TALLY_BUS_SC : `TALLY_BUS_LR;
        rq_addr_q  <= wk_bus_addr;
        rq_size_q  <= 2'd3;
        rq_wdata_q <= wk_bus_data;
        rq_wstrb_q <= 8'hFF;
        rq_id_q    <= `TALLY_DID_WALK;
      end else if (st_ready) begin
        rq_op_q    <= `TALLY_BUS_WRITE;
        rq_addr_q  <= {{56-MEM_W{1'b0}}, st_addr[MEM_W-1:3], st_addr[2:0] & {3{st_unc}}};
        rq_size_q  <= st_unc ? st_size : 2'd3;
        rq_wdata_q <= st_data;
        rq_wstrb_q <= st_strb;
        rq_id_q    <= `TALLY_DID_WRITE;
      end else begin
        rq_op_q    <= !ns_hold_q ? `TALLY_BUS_READ :
                      h_op_q == `TALLY_LS_LR ? `TALLY_BUS_LR :
                      h_op_q == `TALLY_LS_SC ? `TALLY_BUS_SC : `TALLY_BUS_AMO;
        rq_addr_q  <= ns_addr;
        rq_size_q  <= ns_size;
        rq_wdata_q <= spread(h_size_q, h_wdata_q);
        rq_wstrb_q <= lanes(ns_size, ns_addr[2:0]);
        rq_id_q    <= `TALLY_DID_SINGLE;
      end
    end
    if (rst) rq_valid_q <= 1'b0;
  end

  always @(posedge clk) begin
    if (st_pop != rsp_write) writes_q <= st_pop ? writes_q + 4'd1 : writes_q - 4'd1;
    if (rst) writes_q <= 4'd0;
  end

  assign db_req_valid_o = rq_valid_q;
  assign db_req_op_o    = rq_op_q;
  assign db_req_addr_o  = rq_addr_q;
  assign db_req_size_o  = rq_size_q;
  assign db_req_wdata_o = rq_wdata_q;
  assign db_req_wstrb_o = rq_wstrb_q;
  assign db_req_f5_o    = rq_f5_q;
  assign db_req_id_o    = rq_id_q;

  assign mem_idle_o     = stq_drained && writes_q == 4'd0;

  // ---------------------------------------------------------------------------------------------------------
  // Parts

  tally_stq #(
      .DEPTH (STQ_DEPTH),
      .ADDR_W(MEM_W)
  ) u_stq (
      .clk         (clk),
      .rst         (rst),
      .put_soon_i  (m_store_q),
      .put_i       (st_put),
      .put_addr_i  (m_pa_q[MEM_W-1:0]),
      .put_size_i  (m_size_q),
      .put_data_i  (spread(m_size_q, m_wdata_q)),
      .put_strb_i  (m_strb_q),
      .put_unc_i   (!in_ram),
      .full_o      (stq_full),
      .empty_o     (stq_empty),
      .commit_i    (st_commit_i),
      .flush_i     (flush_i),
      .drained_o   (stq_drained),
      .find_i      (m_find_q),
      .find_addr_i (m_pa_q[MEM_W-1:3]),
      .find_strb_i (m_strb_q),
      .over_o      (stq_over),
      .fwd_o       (stq_fwd),
      .fwd_data_o  (stq_fwd_data),
      .valid_o     (stq_all),
      .head_valid_o(st_valid),
      .head_addr_o (st_addr),
      .head_size_o (st_size),
      .head_data_o (st_data),
      .head_strb_o (st_strb),
      .head_unc_o  (st_unc),
      .soon_set_o  (st_soon),
      .head_o      (stq_head),
      .pop_i       (st_pop),
      .shift_o     (stq_shift),
      .merge_o     (stq_merge)
  );

  tally_dcache #(
      .WAYS (DCACHE_WAYS),
      .SETS (DCACHE_SETS),
      .MSHRS(MSHRS),
      .MEM_W(MEM_W)
  ) u_dcache (
      .clk        (clk),
      .rst        (rst),
      .rd_i       (lq_go || wk_rd_req || op_go),
      .rd_addr_i  (rd_addr),
      .m_line_i   (m_pa_q[MEM_W-1:6]),
      .m_word_i   (m_pa_q[5:3]),
      .m_old_i    (dc_old),
      .m_stale_o  (dc_stale),
      .m_hit_o    (dc_hit),
      .m_data_o   (dc_data),
      .m_line_o   (dc_line),
      .m_coming_o (dc_coming),
      .m_dead_o   (dc_dead),
      .m_here_o   (dc_here),
      .m_reg_o    (dc_reg),
      .m_full_o   (dc_full),
      .m_ask_i    (dc_ask),
      .m_undo_i   (dc_ask_q && (w_fail_q || dc_out_q)),
      .keep_i     (dc_keep),
      .busy_o     (dc_busy),
      .beat_o     (beat),
      .beat_reg_o (beat_reg),
      .beat_word_o(beat_word),
      .s_soon_i   (st_soon),
      .s_line_i   (st_addr[MEM_W-1:6]),
      .s_word_i   (st_addr[5:3]),
      .s_data_i   (st_data),
      .s_strb_i   (st_strb),
      .s_ready_o  (dc_st_ready),
      .s_do_i     (st_pop && !st_unc),
      .inv_i      (inv),
      .inv_line_i (inv_line),
      .req_o      (line_req),
      .req_void_o (line_void),
      .req_reg_o  (line_reg),
      .req_line_o (line_addr),
      .req_taken_i(line_taken),
      .rsp_i      (rsp_line),
      .rsp_reg_i  (db_rsp_id_i[0]),
      .rsp_data_i (db_rsp_data_i)
  );

  wire ev_l2_rd, ev_l2_miss, ev_walk;

  tally_walker #(
      .ENTRIES(L2TLB_ENTRIES)
  ) u_walker (
      .clk           (clk),
      .rst           (rst),
      .satp_i        (ls_satp_i),
      .adue_i        (ls_adue_i),
      .flush_tlb_i   (flush_tlb_i),
      .d_req_i       (h_state_q == H_WALK),
      .d_va_i        (h_va_q[38:12]),
      .d_store_i     (h_op_q != `TALLY_LS_LOAD && h_op_q != `TALLY_LS_LR),
      .d_user_i      (h_priv_q == 2'd0),
      .d_sum_i       (h_sum_q),
      .d_mxr_i       (h_mxr_q),
      .d_ad_i        (ad_ok_i && h_is_head),
      .d_done_o      (wk_d_done),
      .i_req_i       (iw_req_i),
      .i_va_i        (iw_va_i[38:12]),
      .i_user_i      (iw_user_i),
      .i_ad_i        (iw_ad_i),
      .i_done_o      (iw_done_o),
      .r_req_i       (rw_req_i),
      .r_va_i        (rw_va_i),
      .r_machine_i   (rw_machine_i),
      .r_fine_i      (pmp_fine_i),
      .r_done_o      (rw_done_o),
      .r_page_o      (rw_page_o),
      .fault_o       (wk_fault),
      .accfault_o    (wk_accfault),
      .adneed_o      (wk_adneed),
      .l2miss_o      (wk_l2miss),
      .va_o          (wk_va),
      .ppn_o         (wk_ppn),
      .level_o       (wk_level),
      .g_o           (wk_g),
      .perm_o        (wk_perm),
      .reads_o       (wk_reads),
      .rd_req_o      (wk_rd_req),
      .rd_addr_o     (wk_rd_addr),
      .rd_write_o    (wk_rd_write),
      .rd_machine_o  (wk_rd_machine),
      .rd_taken_i    (wk_go),
      .m_fault_i     (!in_ram),
      .m_deny_i      (pte_new_q && w_fail_q),
      .m_hit_i       (pte_hit),
      .m_data_i      (dc_data),
      .wake_i        (beat || stq_shift),
      .bus_req_o     (wk_bus_req),
      .bus_sc_o      (wk_bus_sc),
      .bus_addr_o    (wk_bus_addr),
      .bus_data_o    (wk_bus_data),
      .bus_taken_i   (wk_bus_taken),
      .bus_rsp_i     (rsp_walk),
      .bus_rsp_data_i(db_rsp_data_i),
      .ad_busy_o     (wk_ad_busy),
      .ev_l2_rd_o    (ev_l2_rd),
      .ev_l2_miss_o  (ev_l2_miss),
      .ev_walk_o     (ev_walk)
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

  // ---------------------------------------------------------------------------------------------------------
  // Events

  reg ev_load_q, ev_miss_q, ev_merge_q, ev_may_q;
  always @(posedge clk) begin
    ev_load_q  <= ld_new && !rst;
    ev_miss_q  <= missed && !seen && !rst;
    ev_merge_q <= missed && !seen && dc_coming && !rst;
    ev_may_q   <= m_may;
  end

  assign evm_o[`TALLY_EVM_L1D_LD_SPEC]      = ev_load_q && !(ev_may_q && w_fail_q);
  assign evm_o[`TALLY_EVM_L1D_LD_MISS_SPEC] = ev_miss_q && !(ev_may_q && w_fail_q);
  assign evm_o[`TALLY_EVM_L1D_MERGE]        = ev_merge_q && !(ev_may_q && w_fail_q);
  assign evm_o[`TALLY_EVM_L1D_REFILL]       = line_taken && !line_void;
  assign evm_o[`TALLY_EVM_L2TLB_RD]         = ev_l2_rd;
  assign evm_o[`TALLY_EVM_L2TLB_MISS]       = ev_l2_miss;
  assign evm_o[`TALLY_EVM_WALK_CYC]         = ev_walk;
  assign evm_o[`TALLY_EVM_SQ_FULL]          = h_state_q == H_ROOM;

  // What a test bench looks at, by name; no logic depends on it
  /* verilator lint_off UNUSEDSIGNAL */
  wire [MSHRS-1:0] probe_misses = dc_busy;
  wire [LQ_N-1:0]  probe_waits  = lq_valid_q & (lq_word_q | lq_gone_q | lq_full_q);
  wire             probe_device = lq_valid_q[head_tag_i] && lq_dev_q[head_tag_i];
  wire             probe_load   = ld_new;
  reg              probe_lc_load;
  always @(posedge clk) probe_lc_load <= ld_new;
  wire [1:0]       probe_size   = m_size_q;
  wire [55:0]      probe_paddr  = m_pa_q;
  /* verilator lint_on UNUSEDSIGNAL */

endmodule

`default_nettype wire
