// SPDX-License-Identifier: Apache-2.0
// tally_frontend - F1 and F2 of the reference hart: predicted, translated, cached instruction fetch.
//
//   F1  pc addresses I cache, target buffer and counters; the ITLB translates it
//   F2  PMP and PMA, tag compare, way select; the prediction selects the next pc; the group enters the queue
//   AL  tally_fetchq aligns its oldest instruction and expands it
//   ID  which decode gets, registered
//
// Fetch takes 8 aligned bytes a cycle. A redirect is late-arriving in cycle 0 and registered; nothing is
// offered to decode in cycle 1. After a misprediction cycle 1 is F1 already, and the instruction is in ID in
// cycle 4. A redirect by commit may change the context, which is registered too and costs one cycle more. A
// predicted taken transfer costs one fetch cycle, which the queue usually hides. A direct jump or a return
// that is not predicted redirects fetch when it is in ID, and a conditional branch whose counter says so; the
// next instruction is in ID four cycles later.
//
// While F2 holds a group, F1 holds the address behind it. F2 may wait for a refill or the walker without a
// replay, since the RAMs hold their outputs. A fetch exception enters the queue in place of instructions;
// then fetch waits for a redirect.
//
// The walker is first asked without permission to set A. It is asked again with it only if the page may be
// fetched from, only A is missing, and the group holds the first instruction after a redirect by commit,
// while ad_ok_i says that this one is not speculative. Otherwise the internal cause 14 enters the queue.
//
// Events (evf_o, registered), one for each occurrence: L1I_RD a group of main memory looked up; L1I_RD_MISS a
// line requested; ITLB_RD a group looked up with translation on; ITLB_MISS a request to the walker;
// DEC_REDIRECT a redirect from ID.
// Implements docs/hart.md, Interfaces; privileged manual, Sv39 and Physical Memory Protection, for fetches.

`default_nettype none
`include "tally_frontend.vh"

module tally_frontend #(
    parameter ICACHE_WAYS  = 4,
    parameter ICACHE_SETS  = 64,
    parameter BTB_ENTRIES  = 128,
    parameter BHT_ENTRIES  = 16384,
    parameter ITB_ENTRIES  = 512,
    parameter RAS_ENTRIES  = 16,
    parameter ITLB_ENTRIES = 16,
    parameter FQ_DEPTH     = 4,                  // fetch groups
    parameter [55:0] RAM_BASE = 56'h80000000,
    parameter MEM_W        = 36,                 // main memory ends below 2^MEM_W
    parameter [63:0] RESET_PC = 64'h1000,
    parameter META_W = `TALLY_FE_META_W(BTB_ENTRIES, BHT_ENTRIES, RAS_ENTRIES)
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [55:0]       ram_size_i,         // bytes, a multiple of 64

    // to decode: the queue's head
    output wire              fq_valid_o,
    input  wire              fq_ready_i,
    output wire [63:0]       fq_pc_o,
    output wire [31:0]       fq_insn_o,
    output wire [31:0]       fq_full_o,
    output wire              fq_bad_o,
    output wire              fq_rvc_o,
    output wire              fq_taken_o,
    output wire [63:0]       fq_target_o,
    output wire [META_W-1:0] fq_meta_o,
    output wire              fq_exc_o,
    output wire [3:0]        fq_cause_o,
    output wire              fq_half_o,
    output wire              fq_icmiss_o,
    output wire              fq_itmiss_o,

    // from the back end: redirect (late-arriving)
    input  wire              rd_valid_i,
    input  wire [63:0]       rd_pc_i,
    input  wire              rd_mispred_i,
    input  wire [META_W-1:0] rd_meta_i,
    input  wire              ad_ok_i,            // from the cycle after rd_valid_i

    // from the back end: resolved control transfers, the cycle after EX
    input  wire              bu_valid_i,
    input  wire [63:0]       bu_pc_i,
    input  wire              bu_rvc_i,
    input  wire              bu_taken_i,
    input  wire [63:0]       bu_target_i,
    input  wire [2:0]        bu_type_i,
    input  wire              bu_mispred_i,
    input  wire [META_W-1:0] bu_meta_i,

    // context and maintenance
    input  wire [1:0]        ctx_priv_i,
    input  wire [63:0]       ctx_satp_i,
    input  wire              ctx_adue_i,
    input  wire              flush_icache_i,     // with or before its redirect
    output wire              icache_idle_o,
    input  wire              flush_tlb_i,        // with or before its redirect
    input  wire              halt_i,

    // PMP of the load/store unit, free while no access is in M: may all of this be fetched?
    output wire              fp_ask_o,           // an answer is needed; fp_free_i and fp_fail_i are for it
    output wire [MEM_W-1:2]  fp_first_o,         // the first and the last word
    output wire [MEM_W-1:2]  fp_last_o,
    output wire [1:0]        fp_priv_o,
    input  wire              fp_free_i,
    input  wire              fp_fail_i,          // late-arriving, with fp_free_i
    input  wire              pmp_fine_i,         // a region may begin or end inside a page

    // walker: the request is held until done and falls in that cycle; dropping it earlier withdraws it
    output wire              iw_req_o,
    output wire [63:0]       iw_va_o,
    output wire              iw_ad_o,
    input  wire              iw_done_i,
    input  wire              iw_fault_i,
    input  wire              iw_accfault_i,
    input  wire              iw_adneed_i,        // with the leaf's fields below
    input  wire [43:0]       iw_ppn_i,
    input  wire [1:0]        iw_level_i,
    input  wire              iw_g_i,
    input  wire              iw_u_i,
    input  wire              iw_x_i,

    // bus
    output wire              ib_req_valid_o,
    input  wire              ib_req_ready_i,
    output wire              ib_req_single_o,
    output wire [55:0]       ib_req_addr_o,
    input  wire              ib_rsp_valid_i,
    input  wire [63:0]       ib_rsp_data_i,
    input  wire              ib_rsp_last_i,
    input  wire              ib_rsp_err_i,

    output reg  [`TALLY_EVF_N-1:0] evf_o
);

  localparam GM_W = `TALLY_FE_GM_W(BHT_ENTRIES, RAS_ENTRIES);
  localparam [3:0] EXC_ACCESS = 4'd1, EXC_PAGE = 4'd12, EXC_AD = 4'd14;

  // ---------------------------------------------------------------- redirect
  reg              rd_q, rd_mispred_q;
  reg [63:0]       rd_pc_q;
  reg [META_W-1:0] rd_meta_q;

  always @(posedge clk) begin
    rd_q         <= rd_valid_i && !rst;
    rd_mispred_q <= rd_valid_i && rd_mispred_i && !rst;
    rd_pc_q      <= rd_pc_i;
    rd_meta_q    <= rd_meta_i;
  end

  // ---------------------------------------------------------------- context
  // It changes with a redirect by commit, so it is registered like one.
  reg  [1:0]  priv_q;
  reg  [15:0] asid_q;
  reg         adue_q;
  reg         translate_q;
  reg  [9:0]  fetch_ctx_q;
  wire        user       = priv_q == 2'd0;
  wire        translates = ctx_priv_i != 2'd3 && ctx_satp_i[63:60] == 4'd8;
  wire        spaces     = ctx_priv_i == 2'd0 && translates;   // code differs between address spaces

  always @(posedge clk) begin
    priv_q      <= ctx_priv_i;
    asid_q      <= ctx_satp_i[59:44];
    adue_q      <= ctx_adue_i;
    translate_q <= translates;
    fetch_ctx_q <= {ctx_priv_i, (ctx_satp_i[59:52] ^ ctx_satp_i[51:44]) & {8{spaces}}};
  end

  // ---------------------------------------------------------------- state
  reg  [63:1] pc_q;           // F1
  reg         stop_q;         // after an exception: wait for a redirect
  reg         fresh_q;        // nothing has left the queue since a redirect by commit
  reg         ad_q;           // F2's group holds (part of) the first instruction after a redirect by commit

  reg         f2_valid_q;
  reg  [63:1] f2_pc_q;
  reg  [55:3] f2_pa_q;
  reg         f2_xlat_q;      // f2_pa_q is the physical address
  reg         f2_exc_q;       // there is no address: f2_cause_q
  reg  [3:0]  f2_cause_q;
  reg         f2_new_q;       // lookup not yet counted: ITLB ...
  reg         f2_uncounted_q; // ... and I cache
  reg         f2_icmiss_q, f2_itmiss_q;

  reg         walk_q;         // the walker is asked
  reg         walk_ad_q;      // ... to set A
  reg         again_q;        // A is missing and may be set: ask again

  reg         cut_q;          // tally_bpred is told in the next cycle
  reg  [META_W-1:0] cut_meta_q;

  // ---------------------------------------------------------------- F1
  wire        cut;
  wire [63:0] cut_pc;
  wire [META_W-1:0] cut_meta;
  reg         cut_now_q;      // registered: the queue's head does not change meanwhile
  wire        early, early_call, early_ret;   // a transfer before decode, in its first cycle there
  wire        clear    = rd_q || cut_now_q || early;
  wire [63:0] clear_pc = rd_q ? rd_pc_q : early ? fq_target_o : cut_pc;

  wire        f2_go, f2_taken, f2_stops, f2_may_follow;
  wire [38:1] f2_target;
  wire        f1_may    = !stop_q && !halt_i && !cut_q && !clear;
  wire        f1_again  = rd_mispred_q && !halt_i;   // for any F2
  wire        f1_go;
  wire [63:1] f1_pc     = rd_mispred_q ? rd_pc_q[63:1] : pc_q;
  wire        f1_noncan = translate_q && f1_pc[63:38] != {26{f1_pc[38]}};
  wire        f1_wide   = !translate_q && f1_pc[63:56] != 8'd0;
  wire        itlb_hit;
  wire [43:0] itlb_ppn;
  wire        icache_hit, icache_err, icache_miss, icache_buf, icache_sound;
  wire [ICACHE_WAYS-1:0] icache_same;
  wire [63:0] icache_data;

  always @(posedge clk) begin
    if (f2_go && f2_taken) pc_q <= {f2_pc_q[63:39], f2_target};
    if (clear) pc_q <= clear_pc[63:1];
    if (f1_go) pc_q <= {f1_pc[63:3] + 61'd1, 2'b00};
    if (rst) pc_q <= RESET_PC[63:1];
  end

  always @(posedge clk) begin
    if (f2_go && f2_stops) stop_q <= 1'b1;
    if (clear || rst) stop_q <= 1'b0;
  end

  // ---------------------------------------------------------------- F2: address, permissions
  wire        walk_start, walk_done, walk_ok, walk_bad;
  wire [3:0]  walk_cause;
  wire        ask;
  wire [43:0] walk_ppn = {iw_ppn_i[43:18],
                          iw_level_i[1]         ? f2_pc_q[29:21] : iw_ppn_i[17:9],
                          iw_level_i != 2'd0    ? f2_pc_q[20:12] : iw_ppn_i[8:0]};

  always @(posedge clk) begin
    f2_new_q <= f1_go;
    if (f2_go || clear) f2_valid_q <= 1'b0;
    if (ask) f2_uncounted_q <= 1'b0;
    if (walk_done) begin
      f2_xlat_q      <= walk_ok;
      f2_pa_q[55:12] <= walk_ppn;
      f2_exc_q       <= walk_bad;
      f2_cause_q     <= walk_cause;
      again_q        <= !walk_ok && !walk_bad;
    end
    if (flush_tlb_i) again_q <= 1'b0;  // the walk's answer is no longer valid
    if (icache_miss) f2_icmiss_q <= 1'b1;
    if (walk_start) f2_itmiss_q <= 1'b1;
    if (f1_go) begin
      f2_valid_q     <= 1'b1;
      f2_pc_q        <= f1_pc;
      f2_pa_q        <= {translate_q ? itlb_ppn : f1_pc[55:12], f1_pc[11:3]};
      f2_xlat_q      <= !translate_q || itlb_hit;
      f2_exc_q       <= f1_noncan || f1_wide;
      f2_cause_q     <= f1_noncan ? EXC_PAGE : EXC_ACCESS;
      f2_uncounted_q <= 1'b1;
      f2_icmiss_q    <= 1'b0;
      f2_itmiss_q    <= 1'b0;
      again_q        <= 1'b0;
    end
    if (rst) begin
      f2_valid_q <= 1'b0;
      f2_new_q   <= 1'b0;
    end
  end

  wire [1:0] f2_off   = f2_pc_q[2:1];
  wire [55:0] ram_end = RAM_BASE + ram_size_i;
  wire       in_ram   = {f2_pa_q, 3'd0} >= RAM_BASE && {f2_pa_q, 3'd0} < ram_end;
  wire       in_rom   = f2_pa_q[55:16] == 40'd0 && f2_pa_q[15:12] != 4'd0;

  wire       f2_looked;       // PMP has answered
  wire [1:0] denied;          // word 1, word 0

  assign fp_priv_o = priv_q;

  tally_fetch_pmp #(.MEM_W(MEM_W)) u_pmp (
      .clk       (clk),
      .rst       (rst),
      .new_i     (f1_go),
      .clear_i   (clear),
      .valid_i   (f2_valid_q && f2_xlat_q && !f2_exc_q),
      .addr_i    (f2_pa_q[MEM_W-1:3]),
      .known_o   (f2_looked),
      .denied_o  (denied),
      .forget_i  (rd_q && !rd_mispred_q),
      .fp_ask_o  (fp_ask_o),
      .fp_first_o(fp_first_o),
      .fp_last_o (fp_last_o),
      .fp_free_i (fp_free_i),
      .fp_fail_i (fp_fail_i),
      .pmp_fine_i(pmp_fine_i)
  );

  // The group's first instruction is an exception, or memory may be read for it
  wire f2_known   = f2_valid_q && (f2_exc_q || (f2_xlat_q && f2_looked));
  wire f2_nowhere = f2_exc_q || !(in_ram || in_rom);
  wire f2_bad     = f2_nowhere || denied[f2_off[1]];
  assign ask      = f2_known && !f2_bad;

  // ---------------------------------------------------------------- F2: I cache, prediction, queue
  wire        fq_space;       // the queue accepts a group
  wire        predicted;
  wire [1:0]  pred_pos;
  wire        pred_way;
  wire [GM_W-1:0] pred_gm;

  wire f2_fails = f2_bad || icache_err;
  assign f2_go    = f2_known && fq_space && (f2_bad || icache_hit);
  assign f2_taken = predicted && !f2_fails;
  assign f2_may_follow = f2_known && fq_space && !f2_bad && !denied[1];   // the next group follows
  assign f2_stops = f2_fails || (denied[1] && !(f2_taken && !pred_pos[1]));

  // A second half that belongs to the redirect's first instruction may set A as well
  wire f2_runs_on = f2_off == 2'd3 && icache_data[49:48] == 2'b11;
  always @(posedge clk) begin
    if (f2_go) ad_q <= ad_q && f2_runs_on && !f2_taken;
    if (clear) ad_q <= rd_q ? !rd_mispred_q : fresh_q;
    if (rst) ad_q <= 1'b0;
  end

  wire leave;
  always @(posedge clk) begin
    if (leave) fresh_q <= 1'b0;
    if (rd_q) fresh_q <= !rd_mispred_q;
    if (rst) fresh_q <= 1'b0;
  end

  // ---------------------------------------------------------------- walker
  wire may_fetch = iw_x_i && iw_u_i == user;
  assign walk_start = f2_valid_q && !f2_xlat_q && !f2_exc_q && !walk_q && !halt_i && !clear && !flush_tlb_i;
  assign walk_done  = walk_q && iw_done_i && !flush_tlb_i;
  wire   need_a     = iw_adneed_i && adue_q;
  wire   refused    = iw_fault_i || !may_fetch || (iw_adneed_i && !adue_q);
  assign walk_ok    = !iw_accfault_i && !refused && !iw_adneed_i;
  assign walk_bad   = iw_accfault_i || refused || (need_a && !(ad_q && ad_ok_i && !walk_ad_q));
  assign walk_cause = iw_accfault_i ? EXC_ACCESS : refused ? EXC_PAGE : EXC_AD;

  always @(posedge clk) begin
    if (walk_start) begin
      walk_q    <= 1'b1;
      walk_ad_q <= again_q;
    end
    if ((walk_q && iw_done_i) || clear || flush_tlb_i || rst) walk_q <= 1'b0;
  end

  assign iw_req_o  = walk_q && !iw_done_i;
  assign iw_va_o   = {f2_pc_q[63:3], 3'd0};
  assign iw_ad_o   = walk_ad_q;

  // ---------------------------------------------------------------- entries that the predictor forgets
  // A control transfer that was mispredicted is resolved by bu_* in the cycle after its redirect; if none is,
  // the prediction was for something that is not a control transfer.
  always @(posedge clk) begin
    cut_now_q <= cut && !clear && !rst;
    cut_q     <= cut_now_q && !rd_q && !rst;
    if (cut_now_q) cut_meta_q <= cut_meta;
  end
  wire drop = cut_q || (rd_mispred_q && !(bu_valid_i && bu_mispred_i));

  // ---------------------------------------------------------------- events
  always @(posedge clk) begin
    evf_o[`TALLY_EVF_L1I_RD]       <= ask && in_ram && f2_uncounted_q && !rst;
    evf_o[`TALLY_EVF_L1I_RD_MISS]  <= icache_miss && !rst;
    evf_o[`TALLY_EVF_ITLB_RD]      <= f2_new_q && translate_q && !f2_exc_q && !rst;
    evf_o[`TALLY_EVF_ITLB_MISS]    <= walk_start && !rst;
    evf_o[`TALLY_EVF_DEC_REDIRECT] <= early && !rd_q && !rst;
  end

  // ---------------------------------------------------------------- parts
  wire unused_ok = &{1'b0, ctx_satp_i[43:0], clear_pc[0], bu_pc_i[63:39], bu_pc_i[0], bu_target_i[63:39],
                     bu_target_i[0], 1'b0};

  tally_itlb #(.ENTRIES(ITLB_ENTRIES)) u_itlb (
      .clk         (clk),
      .rst         (rst),
      .lk_valid_i  (translate_q),
      .lk_va_i     (f1_pc[38:12]),
      .lk_asid_i   (asid_q),
      .lk_user_i   (user),
      .hit_o       (itlb_hit),
      .ppn_o       (itlb_ppn),
      .fill_i      (walk_done && walk_ok),
      .fill_va_i   (f2_pc_q[38:12]),
      .fill_ppn_i  (iw_ppn_i),
      .fill_level_i(iw_level_i),
      .fill_g_i    (iw_g_i),
      .fill_u_i    (iw_u_i),
      .flush_i     (flush_tlb_i)
  );

  // F1 goes on to the next group while this one leaves. All RAMs that F1 reads wait for this; the tags of the
  // cache arrive last.
  wire f1_next = f1_may && f2_may_follow && !predicted && !icache_err;

  tally_or_gated #(.W(1)) u_f1_go (
      .word_i   (f1_again || (f1_may && !f2_valid_q) || (f1_next && icache_buf)),
      .last_en_i(f1_next && icache_sound),
      .last_i   (|icache_same),
      .word_o   (f1_go)
  );

  tally_icache #(.WAYS(ICACHE_WAYS), .SETS(ICACHE_SETS), .MEM_W(MEM_W)) u_icache (
      .clk            (clk),
      .rst            (rst),
      .rd_en_i        (f1_go),
      .rd_addr_i      (f1_pc[11:3]),
      .lk_valid_i     (ask),
      .lk_cached_i    (in_ram),
      .lk_paddr_i     (f2_pa_q),
      .lk_hold_i      (halt_i),
      .lk_leave_i     (f2_go || clear),
      .lk_hit_o       (icache_hit),
      .lk_buf_o       (icache_buf),
      .lk_sound_o     (icache_sound),
      .lk_same_o      (icache_same),
      .lk_data_o      (icache_data),
      .lk_err_o       (icache_err),
      .miss_o         (icache_miss),
      .flush_i        (flush_icache_i),
      .idle_o         (icache_idle_o),
      .ib_req_valid_o (ib_req_valid_o),
      .ib_req_ready_i (ib_req_ready_i),
      .ib_req_single_o(ib_req_single_o),
      .ib_req_addr_o  (ib_req_addr_o),
      .ib_rsp_valid_i (ib_rsp_valid_i),
      .ib_rsp_data_i  (ib_rsp_data_i),
      .ib_rsp_last_i  (ib_rsp_last_i),
      .ib_rsp_err_i   (ib_rsp_err_i)
  );

  tally_bpred #(
      .BTB_ENTRIES(BTB_ENTRIES),
      .BHT_ENTRIES(BHT_ENTRIES),
      .ITB_ENTRIES(ITB_ENTRIES),
      .RAS_ENTRIES(RAS_ENTRIES)
  ) u_bpred (
      .clk         (clk),
      .rst         (rst),
      .ctx_i       (fetch_ctx_q),
      .rd_en_i     (f1_go),
      .f1_pc_i     (f1_pc[38:3]),
      .f2_pc_i     (f2_pc_q[38:1]),
      .f2_next_i   (pc_q[38:3]),
      .f2_go_i     (f2_go && !f2_fails && !clear),
      .f2_taken_o  (predicted),
      .f2_pos_o    (pred_pos),
      .f2_way_o    (pred_way),
      .f2_target_o (f2_target),
      .f2_gm_o     (pred_gm),
      .bu_valid_i  (bu_valid_i),
      .bu_pc_i     (bu_pc_i[38:1]),
      .bu_rvc_i    (bu_rvc_i),
      .bu_taken_i  (bu_taken_i),
      .bu_target_i (bu_target_i[38:1]),
      .bu_type_i   (bu_type_i),
      .bu_mispred_i(bu_mispred_i),
      .bu_meta_i   (bu_meta_i),
      .early_i     (early && !rd_q),
      .early_pc_i  (fq_pc_o[38:1]),
      .early_rvc_i (fq_rvc_o),
      .early_call_i(early_call),
      .early_ret_i (early_ret),
      .early_meta_i(fq_meta_o),
      .drop_i      (drop),
      .drop_meta_i (cut_q ? cut_meta_q : rd_meta_q)
  );

  tally_fetchq #(
      .DEPTH      (FQ_DEPTH),
      .BTB_ENTRIES(BTB_ENTRIES),
      .BHT_ENTRIES(BHT_ENTRIES),
      .RAS_ENTRIES(RAS_ENTRIES),
      .RESET_PC   (RESET_PC)
  ) u_fetchq (
      .clk          (clk),
      .rst          (rst),
      .clear_i      (clear),
      .clear_pc_i   ({clear_pc[63:1], 1'b0}),
      .redirect_i   (rd_q),
      .leave_o      (leave),
      .ready_o      (fq_space),
      .push_i       (f2_go),
      .push_data_i  (icache_data),
      .push_off_i   (f2_off),
      .push_fault_i (f2_nowhere || icache_err ? 2'b11 : denied),
      .push_cause_i (f2_exc_q ? f2_cause_q : EXC_ACCESS),
      .push_icmiss_i(f2_icmiss_q),
      .push_itmiss_i(f2_itmiss_q),
      .push_taken_i (f2_taken),
      .push_pos_i   (pred_pos),
      .push_way_i   (pred_way),
      .push_target_i(f2_target),
      .push_gm_i    (pred_gm),
      .fq_valid_o   (fq_valid_o),
      .fq_ready_i   (fq_ready_i),
      .fq_pc_o      (fq_pc_o),
      .fq_insn_o    (fq_insn_o),
      .fq_full_o    (fq_full_o),
      .fq_bad_o     (fq_bad_o),
      .fq_rvc_o     (fq_rvc_o),
      .fq_taken_o   (fq_taken_o),
      .fq_target_o  (fq_target_o),
      .fq_meta_o    (fq_meta_o),
      .fq_exc_o     (fq_exc_o),
      .fq_cause_o   (fq_cause_o),
      .fq_half_o    (fq_half_o),
      .fq_icmiss_o  (fq_icmiss_o),
      .fq_itmiss_o  (fq_itmiss_o),
      .cut_o        (cut),
      .cut_pc_o     (cut_pc),
      .cut_meta_o   (cut_meta),
      .early_o      (early),
      .early_call_o (early_call),
      .early_ret_o  (early_ret)
  );

endmodule

`default_nettype wire
