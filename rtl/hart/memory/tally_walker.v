// SPDX-License-Identifier: Apache-2.0
// tally_walker - page-table walker of both TLBs, with the second-level TLB in front of it (privileged manual,
// Sv39 and Virtual Address Translation Process; docs/hart.md, Translation).
//
// One request at a time: the data side has priority, sample records come last. A request that hits the
// second-level TLB is answered in the third cycle after it is taken; a walk needs three cycles a level while
// the PTEs are in the D cache. PTEs are read through the pipeline of the load/store unit like loads (PMP,
// PMA, stores that have not left), see rd_* and m_*. A or D is set by an LR and an SC on the bus; if the PTE
// has changed meanwhile, or the SC fails, the walk starts again. A request that is withdrawn before it is
// answered has no effect.

`default_nettype none

module tally_walker #(
    parameter ENTRIES = 256   // of the second-level TLB
) (
    input  wire         clk,
    input  wire         rst,

    input  wire [63:0]  satp_i,
    input  wire         adue_i,        // Svadu: A and D are set here; else a clear A or D is a page fault
    input  wire         flush_tlb_i,

    // data side: an access that missed the DTLB. Held until done.
    input  wire         d_req_i,
    input  wire [38:12] d_va_i,
    input  wire         d_store_i,
    input  wire         d_user_i,
    input  wire         d_sum_i,
    input  wire         d_mxr_i,
    input  wire         d_ad_i,        // A and D may be set now
    output wire         d_done_o,      // with the outputs of the answer, below

    // instruction side: same
    input  wire         i_req_i,
    input  wire [38:12] i_va_i,
    input  wire         i_user_i,
    input  wire         i_ad_i,
    output wire         i_done_o,

    // sample records: S-mode writes anywhere in the page, translated or (satp Bare) not; or M-mode writes
    input  wire         r_req_i,
    input  wire         r_machine_i,
    input  wire         r_fine_i,      // a PMP region may begin or end inside a page
    input  wire [63:12] r_va_i,
    output wire         r_done_o,
    output wire [55:12] r_page_o,      // its physical page, with done

    // the answer: registered
    output wire         fault_o,       // page fault
    output wire         accfault_o,    // access fault
    output wire         adneed_o,      // A or D has to be set, but not now
    output wire         l2miss_o,      // it was a walk
    output wire [38:12] va_o,
    output wire [43:0]  ppn_o,
    output wire [1:0]   level_o,
    output wire         g_o,
    output wire [4:0]   perm_o,        // {D, U, X, W, R}

    // PTE access: taken into the pipeline's EX stage; m_* belong to it in the next cycle
    output wire         reads_o,       // reads a PTE until it has it
    output wire         rd_req_o,
    output wire [55:0]  rd_addr_o,
    output wire         rd_write_o,    // check only: may it be written?
    output wire         rd_machine_o,  // ... by M-mode
    input  wire         rd_taken_i,
    input  wire         m_fault_i,     // PMA forbids it
    input  wire         m_deny_i,      // PMP does; a cycle later
    input  wire         m_hit_i,
    input  wire [63:0]  m_data_i,
    input  wire         wake_i,        // a PTE that was not there may be there now

    // bus: LR and SC of a PTE
    output wire         bus_req_o,
    output wire         bus_sc_o,
    output wire [55:0]  bus_addr_o,
    output wire [63:0]  bus_data_o,
    input  wire         bus_taken_i,
    input  wire         bus_rsp_i,
    input  wire [63:0]  bus_rsp_data_i,
    output wire         ad_busy_o,     // the data side's A or D is being set

    // events
    output wire         ev_l2_rd_o,
    output wire         ev_l2_miss_o,
    output wire         ev_walk_o
);

  // Bit 4: asks for EX and M; one bit, since rd_req_o must arrive early
  localparam [4:0] S_IDLE = 5'd0,   // nothing to do
                   S_L2   = 5'd1,   // the second-level TLB's entry,
                   S_L2D  = 5'd2,   // whether it is the right one
                   S_RD   = 5'd16,  // asks to read a PTE
                   S_M    = 5'd3,   // the PTE in M
                   S_WAIT = 5'd4,   // it is not there yet
                   S_PTE  = 5'd5,   // decides
                   S_CHK  = 5'd17,  // asks whether the PTE may be written
                   S_CHKM = 5'd7,
                   S_LR   = 5'd8,   // asks for the bus
                   S_LRW  = 5'd9,   // waits for it
                   S_SC   = 5'd10,
                   S_SCW  = 5'd11,
                   S_DONE = 5'd12,
                   S_PAGE = 5'd18,  // asks whether the records' page may be written
                   S_PAGEM = 5'd14,
                   S_CHKW  = 5'd15, // PMP's answer to it
                   S_PAGEW = 5'd6;

  reg  [4:0]   state_q, state_d;

  // The request
  reg          inst_q;       // instruction side
  reg          rec_q;        // sample records
  reg          machine_q;    // ... of M-mode
  reg  [8:0]   at_q;         // the word of the records' page that is looked at
  reg  [38:12] va_q;
  reg          store_q, user_q, sum_q, mxr_q;   // of fetches only user
  reg  [15:0]  asid_q;
  reg  [43:0]  root_q;

  // The walk
  reg  [1:0]   level_q;
  reg  [43:0]  table_q;
  reg  [63:0]  pte_q;
  reg          global_q;     // a pointer had G set
  reg          l2miss_q;
  reg          drop_q;       // the request was withdrawn while the bus worked
  reg          changed_q;    // A or D has been set
  reg          fault_q, accfault_q, adneed_q;
  reg  [2:0]   patience_q;
  reg          answered_q;      // the cycle after an answer: its request is still there

  wire [15:0]  satp_asid = satp_i[59:44];
  wire         sv39      = satp_i[63:60] == 4'd8;

  // ---------------------------------------------------------------------------------------------------------
  // Taking a request

  wire         take_d = state_q == S_IDLE && d_req_i && !answered_q;
  wire         take_i = state_q == S_IDLE && !d_req_i && i_req_i && !answered_q;
  wire         take_r = state_q == S_IDLE && !d_req_i && !i_req_i && r_req_i && !answered_q;
  wire         take   = (take_d || take_i || take_r) && !flush_tlb_i;
  wire [38:12] new_va = d_req_i ? d_va_i : i_req_i ? i_va_i : r_va_i[38:12];
  wire         r_sv39 = sv39 && !r_machine_i;
  wire         r_wild = r_sv39 ? !(&r_va_i[63:38] || ~|r_va_i[63:38]) : |r_va_i[63:56];

  wire         l2_hit, l2_g;
  wire [43:0]  l2_ppn;
  wire [4:0]   l2_perm;

  wire         fill;

  tally_l2tlb #(
      .ENTRIES(ENTRIES)
  ) u_l2tlb (
      .clk        (clk),
      .rst        (rst),
      .lk_valid_i (take),
      .lk_va_i    (new_va),
      .lk_asid_i  (satp_asid),
      .hit_o      (l2_hit),
      .ppn_o      (l2_ppn),
      .g_o        (l2_g),
      .perm_o     (l2_perm),
      .fill_i     (fill),
      .fill_va_i  (va_q),
      .fill_asid_i(asid_q),
      .fill_ppn_i (ppn_o),
      .fill_g_i   (g_o),
      .fill_perm_i(perm_o),
      .flush_i    (flush_tlb_i)
  );

  // Gone: the request was withdrawn
  wire gone = drop_q || flush_tlb_i || (rec_q ? !r_req_i : inst_q ? !i_req_i : !d_req_i);

  // ---------------------------------------------------------------------------------------------------------
  // Deciding

  // Leaf permissions {U, X, W, R}
  function permits;
    input [3:0] perm;
    input       inst, store, user, sum, mxr;
    begin
      permits = (user ? perm[3] : !perm[3] || sum)
                && (inst ? perm[2] : store ? perm[1] : perm[0] || (mxr && perm[2]));
    end
  endfunction

  wire       pte_v     = pte_q[0];
  wire       pte_leaf  = pte_q[1] || pte_q[3];
  wire       pte_a     = pte_q[6];
  wire       pte_d     = pte_q[7];
  wire       pte_bad   = !pte_v || (pte_q[2] && !pte_q[1]) || pte_q[63:54] != 10'd0;
  wire       ptr_bad   = pte_q[4] || pte_a || pte_d || level_q == 2'd0;
  wire       misplaced = (level_q != 2'd0 && pte_q[18:10] != 9'd0) || (level_q[1] && pte_q[27:19] != 9'd0);
  wire       pte_ok    = permits(pte_q[4:1], inst_q, store_q, user_q, sum_q, mxr_q);
  wire       pte_ad    = !pte_a || (store_q && !pte_d);    // has to be changed
  wire       may_ad    = rec_q || (inst_q ? i_ad_i : d_ad_i);

  wire       l2_good   = l2_hit && pte_ok && (!store_q || pte_d);

  reg  [1:0] why;    // how the walk ends in S_PTE
  localparam [1:0] W_OK = 2'd0, W_FAULT = 2'd1, W_AD = 2'd2, W_CHANGE = 2'd3;

  always @* begin
    if (pte_bad || (pte_leaf ? !pte_ok || misplaced : ptr_bad)) why = W_FAULT;
    else if (!pte_leaf || !pte_ad) why = W_OK;
    else if (!adue_i) why = W_FAULT;
    else why = may_ad ? W_CHANGE : W_AD;
  end

  // A translation is found. The page of a record must be writable as well.
  wire [4:0] found = rec_q ? S_PAGE : S_DONE;

  // PMP denies the access that was in M in the cycle before
  wire denied = m_deny_i &&
                (state_q == S_PTE || state_q == S_WAIT || state_q == S_CHKW || state_q == S_PAGEW);

  always @* begin
    state_d = state_q;
    case (state_q)
      S_IDLE: if (take) state_d = !take_r ? S_L2 : r_wild ? S_DONE : r_sv39 ? S_L2 : S_PAGE;
      S_L2:   state_d = S_L2D;
      S_L2D:  state_d = l2_good ? found : S_RD;
      S_RD:   if (rd_taken_i) state_d = S_M;
      S_M:    state_d = m_fault_i ? S_DONE : m_hit_i ? S_PTE : S_WAIT;
      S_WAIT: if (wake_i || patience_q == 3'd7) state_d = S_RD;
      S_PTE:  state_d = why == W_CHANGE ? S_CHK : why != W_OK ? S_DONE : pte_leaf ? found : S_RD;
      S_CHK:  if (rd_taken_i) state_d = S_CHKM;
      S_CHKM: state_d = m_fault_i ? S_DONE : S_CHKW;
      S_CHKW: state_d = S_LR;
      S_LR:   if (bus_taken_i) state_d = S_LRW;
      S_LRW:  if (bus_rsp_i) state_d = bus_rsp_data_i == pte_q ? S_SC : S_RD;
      S_SC:   if (bus_taken_i) state_d = S_SCW;
      S_SCW:  if (bus_rsp_i) state_d = bus_rsp_data_i[0] ? S_RD : found;
      S_PAGE: if (rd_taken_i) state_d = S_PAGEM;
      S_PAGEM: state_d = m_fault_i ? S_DONE : S_PAGEW;
      // Every word is a write of its own; if no region ends inside a page, the first is enough.
      S_PAGEW: state_d = !r_fine_i || &at_q ? S_DONE : S_PAGE;
      default: state_d = S_IDLE;
    endcase
    if (denied) state_d = S_DONE;
    // An access on the bus must be waited for; everything else ends at once.
    if (gone && state_q != S_IDLE) begin
      if (state_q == S_LRW || state_q == S_SCW) state_d = bus_rsp_i ? S_IDLE : state_q;
      else if ((state_q == S_LR || state_q == S_SC) && bus_taken_i) state_d = state_d;
      else state_d = S_IDLE;
    end
  end

  // The walk starts: from the second-level TLB, or again because the PTE has changed
  wire start = state_q == S_L2D || ((state_q == S_LRW || state_q == S_SCW) && state_d == S_RD);

  always @(posedge clk) begin
    state_q <= state_d;
    answered_q <= state_q == S_DONE;
    drop_q  <= state_d != S_IDLE && state_q != S_IDLE && gone;
    if (rst) state_q <= S_IDLE;
    if (rst) drop_q <= 1'b0;
  end

  always @(posedge clk) begin
    if (take) begin
      inst_q   <= take_i;
      rec_q    <= take_r;
      machine_q <= take_r && r_machine_i;
      va_q     <= new_va;
      store_q  <= take_d ? d_store_i : take_r;
      user_q   <= take_d ? d_user_i : take_i && i_user_i;
      sum_q    <= d_req_i && d_sum_i;
      mxr_q    <= d_req_i && d_mxr_i;
      asid_q   <= satp_asid;
      root_q   <= satp_i[43:0];
      l2miss_q  <= 1'b0;
      changed_q <= 1'b0;
    end
    if (state_q == S_SCW && bus_rsp_i) changed_q <= !bus_rsp_data_i[0];
    if (start) begin
      level_q  <= 2'd2;
      table_q  <= root_q;
      global_q <= 1'b0;
      l2miss_q <= 1'b1;
    end
    if (take) begin
      fault_q    <= take_r && r_wild;
      accfault_q <= 1'b0;
      adneed_q   <= 1'b0;
    end
    if (take) at_q <= 9'd0;
    else if (state_q == S_PAGEW) at_q <= at_q + 9'd1;
    // A page that is not translated: the PTE that would map it
    if (take_r) begin
      pte_q   <= {10'd0, r_va_i[55:12], 10'd0};
      level_q <= 2'd0;
    end
    // An entry in the form of the PTE that it came from
    if (state_q == S_L2) begin
      pte_q    <= {10'd0, l2_ppn, 2'd0, l2_perm[4], 1'b1, 1'b0, l2_perm[3:0], 1'b1};
      global_q <= l2_g;
      level_q  <= 2'd0;
    end
    if (state_q == S_L2D && l2_good) begin
      global_q <= global_q;
      level_q  <= 2'd0;
      l2miss_q <= 1'b0;
    end
    if ((state_q == S_M || state_q == S_CHKM || state_q == S_PAGEM) && m_fault_i) accfault_q <= 1'b1;
    if (denied) accfault_q <= 1'b1;
    if (state_q == S_M) pte_q <= m_data_i;
    patience_q <= state_q == S_WAIT ? patience_q + 3'd1 : 3'd0;
    if (state_q == S_PTE && !denied) begin
      fault_q  <= why == W_FAULT;
      adneed_q <= why == W_AD;
      global_q <= global_q | pte_q[5];
      if (!pte_leaf) begin
        table_q <= pte_q[53:10];
        level_q <= level_q - 2'd1;
      end
    end
    if (state_q == S_SC) begin
      pte_q[6] <= 1'b1;
      pte_q[7] <= pte_q[7] | store_q;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Outputs

  reg [8:0] vpn;
  always @* begin
    case (level_q)
      2'd2:    vpn = va_q[38:30];
      2'd1:    vpn = va_q[29:21];
      default: vpn = va_q[20:12];
    endcase
  end

  wire [55:0] pte_addr = {table_q, vpn, 3'd0};

  assign r_page_o   = {pte_q[53:28], level_q[1] ? va_q[29:21] : pte_q[27:19],
                       level_q != 2'd0 ? va_q[20:12] : pte_q[18:10]};
  assign reads_o    = state_q == S_RD || state_q == S_M || state_q == S_WAIT;
  assign rd_req_o   = state_q[4];
  assign rd_write_o = state_q != S_RD;
  assign rd_machine_o = machine_q;
  assign rd_addr_o  = state_q == S_PAGE ? {r_page_o, at_q, 3'd0} : pte_addr;

  assign bus_req_o  = state_q == S_LR || state_q == S_SC;
  assign bus_sc_o   = state_q == S_SC;
  assign bus_addr_o = pte_addr;
  assign bus_data_o = {pte_q[63:8], pte_q[7] | store_q, 1'b1, pte_q[5:0]};

  assign ad_busy_o  = !inst_q && !rec_q &&
                      (state_q == S_SC || state_q == S_SCW || (state_q == S_DONE && changed_q));

  // Independent of the request, which the front end drops in the cycle of the answer.
  wire answer     = state_q == S_DONE && !drop_q;

  assign d_done_o   = answer && !inst_q && !rec_q;
  assign i_done_o   = answer && inst_q;
  assign r_done_o   = answer && rec_q;
  assign fault_o    = fault_q;
  assign accfault_o = accfault_q;
  assign adneed_o   = adneed_q;
  assign l2miss_o   = l2miss_q;
  assign va_o       = va_q;
  assign ppn_o      = pte_q[53:10];
  assign level_o    = level_q;
  assign g_o        = global_q;
  assign perm_o     = {pte_q[7], pte_q[4:1]};

  assign fill       = answer && l2miss_q && !fault_q && !accfault_q && !adneed_q && level_q == 2'd0;

  // Walks for records are no events.
  assign ev_l2_rd_o   = state_q == S_L2D && !rec_q;
  assign ev_l2_miss_o = state_q == S_L2D && !l2_good && !rec_q;
  assign ev_walk_o    = state_q != S_IDLE && state_q != S_L2 && state_q != S_L2D && state_q != S_DONE &&
                        !rec_q;

endmodule

`default_nettype wire
