// SPDX-License-Identifier: Apache-2.0
// tally_hart - the reference hart: wires its modules and the PMU that it hosts together (docs/hart.md).
//
// No logic of its own. One bus port, interrupt lines and time come from the machine. Wires are grouped by the
// module that drives them.

`default_nettype none
`include "tally_spec.vh"
`include "tally_hart.vh"
`include "tally_frontend.vh"
`include "tally_lsu.vh"

module tally_hart #(
    parameter HARTID        = 0,
    parameter XLEN          = 64,     // the only width of this hart
    parameter MEM_W         = 36,     // main memory and devices end at 2^MEM_W at most
    parameter TAG_W         = 3,      // log2 of scoreboard entries
    parameter BTB_ENTRIES   = 128,
    parameter BHT_ENTRIES   = 16384,
    parameter ITB_ENTRIES   = 512,
    parameter RAS_ENTRIES   = 16,
    parameter FQ_DEPTH      = 4,      // fetch groups
    parameter ICACHE_WAYS   = 4,
    parameter ICACHE_SETS   = 64,
    parameter ITLB_ENTRIES  = 16,
    parameter DCACHE_WAYS   = 4,      // at least 2
    parameter DCACHE_SETS   = 64,     // at most 64
    parameter MSHRS         = 2,      // outstanding misses: 1 or 2
    parameter STQ_DEPTH     = 8,      // stores on their way to the cache
    parameter DTLB_ENTRIES  = 16,
    parameter L2TLB_ENTRIES = 256,    // a power of two
    parameter ZBA_ZBB       = 1,      // address generation and basic bit manipulation
    parameter SMEPMP        = 1,      // mseccfg: PMP for M-mode too
    parameter HPM_N         = 29,
    parameter HPM_W         = 64,
    parameter ANDES         = 1,      // the Andes view of the counters, and interrupt 18 by its numbers
    parameter COMB_N        = HPM_N < 4 ? HPM_N : 4,  // counters with combined selectors
    parameter PCRANGE       = 1,      // counters limited to a range of pcs
    parameter SSPESA        = 0,      // attribution of overflows: shpmspc, shpmsdata
    parameter SMPDIS        = 0,      // sampling of instructions, into registers or memory
    parameter EBB           = 0,      // event-based branches
    parameter COUNTER_RAM   = 0       // counters in a RAM: half of the logic, and an access may wait
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [55:0] ram_size_i,   // bytes of main memory at 0x8000_0000

    input  wire        irq_msip_i,
    input  wire        irq_mtip_i,
    input  wire        irq_meip_i,
    input  wire        irq_seip_i,
    input  wire [63:0] time_i,

    // bus port (docs/hart.md)
    output wire        req_valid_o,
    input  wire        req_ready_i,
    output wire [2:0]  req_op_o,
    output wire [55:0] req_addr_o,
    output wire [1:0]  req_size_o,
    output wire [63:0] req_wdata_o,
    output wire [7:0]  req_wstrb_o,
    output wire [4:0]  req_f5_o,
    output wire [3:0]  req_id_o,
    output wire        lr_void_o,    // pulse: this hart's reservation is lost
    input  wire        rsp_valid_i,
    input  wire [3:0]  rsp_id_i,
    input  wire [63:0] rsp_data_i,
    input  wire        rsp_last_i,
    input  wire        rsp_err_i,
    input  wire        inv_valid_i,
    input  wire [55:6] inv_addr_i
);
  localparam META_W = `TALLY_FE_META_W(BTB_ENTRIES, BHT_ENTRIES, RAS_ENTRIES);

  // ---------------------------------------------------------------------------------------------------------
  // Fetch

  // instruction queue
  wire              fq_valid, fq_rvc, fq_bad, fq_taken, fq_exc, fq_half, fq_icmiss, fq_itmiss;
  wire [XLEN-1:0]   fq_pc, fq_target;
  wire [31:0]       fq_insn, fq_full;
  wire [META_W-1:0] fq_meta;
  wire [3:0]        fq_cause;
  // cache lines, page walks, PMP
  wire              ib_req_valid, ib_req_single;
  wire [55:0]       ib_req_addr;
  wire              iw_req, iw_ad;
  wire [XLEN-1:0]   iw_va;
  wire              fp_ask;
  wire [MEM_W-1:2]  fp_first, fp_last;
  wire [1:0]        fp_priv;
  wire [`TALLY_EVF_N-1:0] evf;

  // decode
  wire              de_illegal, de_word, de_a_pc, de_b_imm, de_use1, de_use2, de_rdwe;
  wire [2:0]        de_unit, de_funct3, de_ls_op, de_type;
  wire [4:0]        de_alu, de_rs1, de_rs2, de_rd, de_ls_f5;
  wire [31:0]       de_imm;
  wire [3:0]        de_sys, de_itype;

  // dispatch
  wire              fq_ready, dispatch, to_is, d_exc, d_rdwe, bogus, dec_valid, d_sample, d_sample_lost;
  wire [3:0]        d_cause, d_itype;
  wire [2:0]        d_unit, dec_type;
  wire              slot_fe, slot_be, slot_badspec;

  // ---------------------------------------------------------------------------------------------------------
  // Execute

  // issue
  wire              is_ready, src1_res, src2_res, issued;
  wire [XLEN-1:0]   is_seq;
  wire [META_W-1:0] is_meta;
  wire [TAG_W-1:0]  src1_tag, src2_tag, issued_tag;
  wire              ex_valid, ex_branch, ex_sub, ex_shift, ex_left, ex_rot, ex_arith, ex_low;
  wire              ex_word, ex_rvc, ex_seq_ok, ex_dest_ok;
  wire [TAG_W-1:0]  ex_tag;
  wire [4:0]        ex_op;
  wire [XLEN-1:0]   ex_a, ex_b, ex_pc, ex_seq, ex_dest, ex_predicted;
  wire [31:0]       ex_imm;
  wire [2:0]        ex_funct3;
  wire [3:0]        ex_itype;
  wire [META_W-1:0] ex_meta;
  wire              md_valid, md_div, md_count, md_word;
  wire [1:0]        md_op;
  wire [TAG_W-1:0]  md_tag_in;
  wire [XLEN-1:0]   md_a, md_b;
  wire              ls_valid, ls_uns;
  wire [TAG_W-1:0]  ls_tag;
  wire [2:0]        ls_op;
  wire [4:0]        ls_f5;
  wire [1:0]        ls_size;
  wire [XLEN-1:0]   ls_base, ls_wdata;
  wire [11:0]       ls_off;

  // ALU and branches; multiplier and divider
  wire              ex_mispred;
  wire [XLEN-1:0]   ex_value, ex_next_pc;
  wire [3:0]        ex_itype_out;
  wire              bu_valid, bu_rvc, bu_taken, bu_mispred;
  wire [XLEN-1:0]   bu_pc, bu_target;
  wire [2:0]        bu_type;
  wire [META_W-1:0] bu_meta;
  wire              md_ready, md_ended;
  wire [TAG_W-1:0]  md_tag;
  wire [XLEN-1:0]   md_value;

  // result bus, redirect
  wire              md_take, md_done, res_done, res_early;
  wire [TAG_W-1:0]  res_tag;
  wire [XLEN-1:0]   res_operand, res_value;
  wire              squash, cancel, rd_valid, rd_mispred;
  wire [XLEN-1:0]   rd_pc;
  wire [META_W-1:0] rd_meta;

  // ---------------------------------------------------------------------------------------------------------
  // Memory

  // load/store unit: completions, and answers to fetch and to the unit
  wire              ls_ready, lc_possible, lc_certain, lc_valid, lc_exc, lc_uncached, lc_fwd;
  wire              lc_l1acc, lc_l1miss, lc_tlbacc, lc_tlbmiss, lc_l2tlbmiss;
  wire              mem_start, bus_start, m_load, lc_hit;
  wire [TAG_W-1:0]  mem_tag, bus_tag;
  wire [TAG_W-1:0]  lc_tag;
  wire [XLEN-1:0]   lc_hit_value, lc_value, lc_tval, lc_vaddr;
  wire [55:0]       lc_paddr;
  wire [3:0]        lc_cause, lc_dsrc;
  wire              lsu_nonspec, mem_idle;
  wire [`TALLY_EVM_N-1:0] evm;
  wire              fp_free, fp_fail, iw_done, iw_fault, iw_accfault, iw_adneed, iw_g, iw_u, iw_x;
  wire [43:0]       iw_ppn;
  wire [1:0]        iw_level;
  wire              xlat_done, xlat_fault;
  wire [55:12]      xlat_page;
  wire              db_req_valid;
  wire [2:0]        db_req_op;
  wire [55:0]       db_req_addr;
  wire [1:0]        db_req_size;
  wire [3:0]        db_req_id;
  wire [63:0]       db_req_wdata;
  wire [7:0]        db_req_wstrb;

  // bus: grants, and answers, which are registered there
  wire              ib_req_ready, db_req_ready, rec_ready, ib_rsp_valid, db_rsp_valid, rec_done;
  wire              rsp_last, rsp_err, inv_valid, bus_read, bus_write;
  wire [3:0]        rsp_id;
  wire [63:0]       rsp_data;
  wire [55:6]       inv_addr;

  // ---------------------------------------------------------------------------------------------------------
  // Commit

  // scoreboard
  wire              rob_ready, src1_done, src2_done;
  wire [TAG_W-1:0]  d_tag;
  wire [XLEN-1:0]   src1_value, src2_value;
  // the oldest instruction
  wire              head_valid, head_begin, head_sys_done, ad_ok, st_commit;
  wire [TAG_W-1:0]  head_tag;
  wire [`TALLY_EVR_N-1:0] head_events;
  // the sample's memory access
  wire [TAG_W-1:0]  sample_tag;
  wire [XLEN-1:0]   sample_vaddr;
  wire [55:0]       sample_paddr;
  // retirement, traps, flushes
  wire              ret_we, ret_valid, ret_count, ret_flushed;
  wire [4:0]        ret_rd;
  wire [TAG_W-1:0]  ret_tag;
  wire [XLEN-1:0]   ret_value, ret_pc, ret_next_pc, ret_flush_pc;
  wire              trap, trap_irq, exception, replay, mret, sret, ebb, uebret, uebret_ge;
  wire [3:0]        trap_cause;
  wire [XLEN-1:0]   trap_epc, trap_tval;
  wire              flush, flush_tlb, flush_icache, halted, stall_fe, stall_be;
  wire [XLEN-1:0]   flush_pc;
  // CSR access
  wire              csr_valid, csr_ready;
  wire [11:0]       csr_num;
  wire [1:0]        csr_op;
  wire [XLEN-1:0]   csr_wdata;

  // CSR file
  wire              csr_illegal, csr_context, csr_write, satp_write, irq, wake, tvm, tw, tsr, adue;
  wire [XLEN-1:0]   csr_rdata, trap_target, mepc, sepc, satp;
  wire [1:0]        priv, ls_priv;
  wire              ls_mxr, ls_sum, pmp_fine, pmp_write, pmp_mml, pmp_mmwp, cde, pdiss, lcofip;
  wire              sstateen_c;
  wire [63:0]       pmp_cfg, mstateen0;
  wire [8*54-1:0]   pmp_addr;
  wire [8*MEM_W-1:0] pmp_shape;

  // the unit
  wire              pmu_hit, pmu_illegal, pmu_virtual, pmu_tm, set_lcofip, set_lambip, set_andes;
  wire              dec_sample, hold, rec_valid, xlat_req, xlat_machine, ebb_req, uebret_denied;
  wire [XLEN-1:0]   pmu_rdata, ebb_target, ebb_return;
  wire [55:0]       rec_addr;
  wire [63:0]       rec_data;
  wire [XLEN-1:12]  xlat_va_page;

  /* verilator lint_off UNUSEDSIGNAL */ // this hart has no use for these
  wire              icache_idle;       // fetch waits for an invalidation by itself
  wire              iw_r, iw_w, iw_l2miss;
  /* verilator lint_on UNUSEDSIGNAL */

  // ---------------------------------------------------------------------------------------------------------
  // Instances, in the order of the pipeline

  tally_frontend #(
      .ICACHE_WAYS(ICACHE_WAYS), .ICACHE_SETS(ICACHE_SETS), .BTB_ENTRIES(BTB_ENTRIES),
      .BHT_ENTRIES(BHT_ENTRIES), .ITB_ENTRIES(ITB_ENTRIES), .RAS_ENTRIES(RAS_ENTRIES),
      .ITLB_ENTRIES(ITLB_ENTRIES),
      .FQ_DEPTH(FQ_DEPTH), .MEM_W(MEM_W)
  ) u_frontend (
      .clk(clk), .rst(rst), .ram_size_i(ram_size_i), .fq_valid_o(fq_valid), .fq_ready_i(fq_ready),
      .fq_pc_o(fq_pc), .fq_insn_o(fq_insn), .fq_full_o(fq_full), .fq_bad_o(fq_bad), .fq_rvc_o(fq_rvc),
      .fq_taken_o(fq_taken), .fq_target_o(fq_target), .fq_meta_o(fq_meta), .fq_exc_o(fq_exc),
      .fq_cause_o(fq_cause), .fq_half_o(fq_half), .fq_icmiss_o(fq_icmiss), .fq_itmiss_o(fq_itmiss),
      .rd_valid_i(rd_valid), .rd_pc_i(rd_pc), .rd_mispred_i(rd_mispred), .rd_meta_i(rd_meta),
      .bu_valid_i(bu_valid), .bu_pc_i(bu_pc), .bu_rvc_i(bu_rvc), .bu_taken_i(bu_taken),
      .bu_target_i(bu_target), .bu_type_i(bu_type), .bu_mispred_i(bu_mispred), .bu_meta_i(bu_meta),
      .ctx_priv_i(priv), .ctx_satp_i(satp), .ctx_adue_i(adue),
      .ad_ok_i(ad_ok), .flush_icache_i(flush_icache), .icache_idle_o(icache_idle),
      .flush_tlb_i(flush_tlb), .halt_i(halted), .fp_ask_o(fp_ask), .fp_first_o(fp_first), .fp_last_o(fp_last),
      .fp_priv_o(fp_priv), .fp_free_i(fp_free), .fp_fail_i(fp_fail),
      .pmp_fine_i(pmp_fine), .evf_o(evf), .ib_req_valid_o(ib_req_valid), .ib_req_ready_i(ib_req_ready),
      .ib_req_addr_o(ib_req_addr), .ib_req_single_o(ib_req_single), .ib_rsp_valid_i(ib_rsp_valid),
      .ib_rsp_data_i(rsp_data), .ib_rsp_last_i(rsp_last), .ib_rsp_err_i(rsp_err),
      .iw_req_o(iw_req), .iw_va_o(iw_va), .iw_ad_o(iw_ad), .iw_done_i(iw_done), .iw_fault_i(iw_fault),
      .iw_accfault_i(iw_accfault), .iw_adneed_i(iw_adneed), .iw_ppn_i(iw_ppn), .iw_level_i(iw_level),
      .iw_g_i(iw_g), .iw_u_i(iw_u), .iw_x_i(iw_x)
  );

  tally_decode #(
      .ZBA_ZBB(ZBA_ZBB), .EBB(EBB)
  ) u_decode (
      .insn_i(fq_full), .bad_i(fq_bad), .illegal_o(de_illegal),
      .unit_o(de_unit), .alu_o(de_alu), .word_o(de_word), .a_pc_o(de_a_pc),
      .b_imm_o(de_b_imm), .imm_o(de_imm), .rs1_o(de_rs1), .rs2_o(de_rs2),
      .rd_o(de_rd), .use1_o(de_use1), .use2_o(de_use2), .rdwe_o(de_rdwe),
      .funct3_o(de_funct3), .ls_op_o(de_ls_op), .ls_f5_o(de_ls_f5),
      .sys_o(de_sys), .itype_o(de_itype), .type_o(de_type)
  );

  tally_dispatch u_dispatch (
      .clk(clk), .rst(rst), .fq_valid_i(fq_valid), .fq_ready_o(fq_ready), .fq_taken_i(fq_taken),
      .fq_exc_i(fq_exc), .fq_cause_i(fq_cause), .illegal_i(de_illegal),
      .unit_i(de_unit), .type_i(de_type), .rob_ready_i(rob_ready),
      .is_ready_i(is_ready), .dispatch_o(dispatch), .to_is_o(to_is),
      .exc_o(d_exc), .cause_o(d_cause), .unit_o(d_unit), .cancel_i(cancel),
      .halted_i(halted), .bogus_o(bogus), .dec_valid_o(dec_valid), .dec_type_o(dec_type),
      .dec_sample_i(dec_sample), .sample_o(d_sample), .sample_lost_o(d_sample_lost),
      .ev_fe_o(slot_fe), .ev_be_o(slot_be), .ev_badspec_o(slot_badspec),
      .rdwe_i(de_rdwe), .itype_i(de_itype), .rdwe_o(d_rdwe),
      .itype_o(d_itype)
  );

  tally_issue #(
      .XLEN(XLEN), .TAG_W(TAG_W), .META_W(META_W)
  ) u_issue (
      .clk(clk), .rst(rst), .is_ready_o(is_ready), .is_valid_i(to_is), .is_tag_i(d_tag),
      .is_unit_i(d_unit), .is_alu_i(de_alu), .is_word_i(de_word), .is_a_pc_i(de_a_pc),
      .is_b_imm_i(de_b_imm), .is_imm_i(de_imm), .is_rs1_i(de_rs1), .is_rs2_i(de_rs2), .is_rd_i(de_rd),
      .is_use1_i(de_use1), .is_use2_i(de_use2), .is_rdwe_i(de_rdwe), .is_funct3_i(de_funct3),
      .is_ls_op_i(de_ls_op), .is_ls_f5_i(de_ls_f5), .is_itype_i(de_itype), .is_pc_i(fq_pc),
      .is_rvc_i(fq_rvc), .is_taken_i(fq_taken), .is_target_i(fq_target), .is_meta_i(fq_meta),
      .is_seq_o(is_seq), .is_meta_o(is_meta), .squash_i(squash),
      .flush_i(flush), .src1_tag_o(src1_tag), .src1_res_o(src1_res), .src1_done_i(src1_done),
      .src1_value_i(src1_value), .src2_tag_o(src2_tag), .src2_res_o(src2_res), .src2_done_i(src2_done),
      .src2_value_i(src2_value), .ret_we_i(ret_we), .ret_rd_i(ret_rd), .ret_tag_i(ret_tag),
      .ret_value_i(ret_value), .ex_done_i(ex_valid), .ex_tag_i(ex_tag), .ex_value_i(ex_value),
      .res_done_i(res_early), .res_tag_i(res_tag), .res_value_i(res_operand),
      .m_load_i(m_load), .m_tag_i(mem_tag), .lc_done_i(lc_valid), .lc_value_i(lc_value), .lc_hit_i(lc_hit),
      .lc_hit_value_i(lc_hit_value),
      .alu_valid_o(ex_valid), .alu_tag_o(ex_tag), .alu_branch_o(ex_branch), .alu_op_o(ex_op),
      .alu_sub_o(ex_sub), .alu_shift_o(ex_shift), .alu_left_o(ex_left), .alu_rot_o(ex_rot),
      .alu_arith_o(ex_arith), .alu_low_o(ex_low), .alu_word_o(ex_word), .alu_a_o(ex_a), .alu_b_o(ex_b),
      .alu_imm_o(ex_imm), .alu_funct3_o(ex_funct3), .alu_itype_o(ex_itype), .alu_pc_o(ex_pc),
      .alu_rvc_o(ex_rvc), .alu_seq_o(ex_seq), .alu_dest_o(ex_dest), .alu_predicted_o(ex_predicted),
      .alu_seq_ok_o(ex_seq_ok), .alu_dest_ok_o(ex_dest_ok), .alu_meta_o(ex_meta),
      .md_ready_i(md_ready), .md_valid_o(md_valid), .md_div_o(md_div), .md_count_o(md_count),
      .md_op_o(md_op), .md_word_o(md_word), .md_tag_o(md_tag_in), .md_a_o(md_a), .md_b_o(md_b),
      .ls_ready_i(ls_ready), .ls_valid_o(ls_valid), .ls_tag_o(ls_tag), .ls_op_o(ls_op), .ls_f5_o(ls_f5),
      .ls_size_o(ls_size), .ls_uns_o(ls_uns), .ls_base_o(ls_base), .ls_off_o(ls_off),
      .ls_wdata_o(ls_wdata), .issued_o(issued), .issued_tag_o(issued_tag)
  );

  tally_execute #(
      .XLEN(XLEN), .META_W(META_W), .ZBA_ZBB(ZBA_ZBB)
  ) u_execute (
      .clk(clk), .rst(rst), .flush_i(flush), .valid_i(ex_valid),
      .branch_i(ex_branch), .op_i(ex_op), .sub_i(ex_sub), .shift_i(ex_shift),
      .left_i(ex_left), .rot_i(ex_rot), .arith_i(ex_arith), .low_i(ex_low),
      .word_i(ex_word), .a_i(ex_a), .b_i(ex_b), .imm_i(ex_imm),
      .funct3_i(ex_funct3), .itype_i(ex_itype), .pc_i(ex_pc),
      .rvc_i(ex_rvc), .seq_i(ex_seq), .dest_i(ex_dest), .predicted_i(ex_predicted),
      .seq_ok_i(ex_seq_ok), .dest_ok_i(ex_dest_ok), .meta_i(ex_meta),
      .value_o(ex_value), .mispred_o(ex_mispred), .next_pc_o(ex_next_pc),
      .itype_o(ex_itype_out), .bu_valid_o(bu_valid), .bu_pc_o(bu_pc), .bu_rvc_o(bu_rvc),
      .bu_taken_o(bu_taken), .bu_target_o(bu_target), .bu_type_o(bu_type), .bu_mispred_o(bu_mispred),
      .bu_meta_o(bu_meta)
  );

  tally_muldiv #(
      .TAG_W(TAG_W), .ZBA_ZBB(ZBA_ZBB)
  ) u_muldiv (
      .clk(clk), .rst(rst), .flush_i(flush), .ready_o(md_ready),
      .valid_i(md_valid), .div_i(md_div), .count_i(md_count),
      .op_i(md_op), .word_i(md_word), .tag_i(md_tag_in), .a_i(md_a),
      .b_i(md_b), .done_o(md_ended), .take_i(md_take), .tag_o(md_tag),
      .value_o(md_value)
  );

  tally_result_bus #(
      .XLEN(XLEN), .TAG_W(TAG_W)
  ) u_result_bus (
      .lc_possible_i(lc_possible), .lc_certain_i(lc_certain), .lc_done_i(lc_valid), .lc_exc_i(lc_exc),
      .lc_tag_i(lc_tag), .lc_value_i(lc_value), .lc_tval_i(lc_tval),
      .md_ready_i(md_ended), .md_take_o(md_take), .md_done_o(md_done), .md_tag_i(md_tag),
      .md_value_i(md_value), .done_o(res_done), .early_o(res_early),
      .tag_o(res_tag), .operand_o(res_operand), .value_o(res_value)
  );

  tally_redirect #(
      .XLEN(XLEN), .META_W(META_W)
  ) u_redirect (
      .flush_i(flush), .flush_pc_i(flush_pc), .ex_mispred_i(ex_mispred), .ex_next_pc_i(ex_next_pc),
      .ex_meta_i(ex_meta), .is_bogus_i(bogus), .is_seq_pc_i(is_seq), .is_meta_i(is_meta),
      .squash_o(squash), .cancel_o(cancel), .valid_o(rd_valid),
      .pc_o(rd_pc), .mispred_o(rd_mispred), .meta_o(rd_meta)
  );

  tally_lsu #(
      .TAG_W(TAG_W), .DCACHE_WAYS(DCACHE_WAYS), .DCACHE_SETS(DCACHE_SETS), .MSHRS(MSHRS),
      .STQ_DEPTH(STQ_DEPTH), .DTLB_ENTRIES(DTLB_ENTRIES), .L2TLB_ENTRIES(L2TLB_ENTRIES), .MEM_W(MEM_W)
  ) u_lsu (
      .clk(clk), .rst(rst), .ram_size_i(ram_size_i), .ls_valid_i(ls_valid), .ls_ready_o(ls_ready),
      .ls_op_i(ls_op), .ls_f5_i(ls_f5), .ls_size_i(ls_size), .ls_uns_i(ls_uns), .ls_base_i(ls_base),
      .ls_off_i(ls_off), .ls_wdata_i(ls_wdata), .ls_tag_i(ls_tag), .ls_priv_i(ls_priv), .ls_mxr_i(ls_mxr),
      .ls_sum_i(ls_sum), .ls_satp_i(satp), .ls_adue_i(adue),
      .head_valid_i(head_begin), .head_tag_i(head_tag), .ad_ok_i(ad_ok),
      .st_commit_i(st_commit), .retire_i(ret_valid), .flush_i(flush), .flush_tlb_i(flush_tlb),
      .lc_possible_o(lc_possible), .lc_certain_o(lc_certain), .lc_valid_o(lc_valid), .lc_tag_o(lc_tag),
      .m_load_o(m_load), .lc_hit_o(lc_hit), .lc_hit_value_o(lc_hit_value), .lc_value_o(lc_value),
      .lc_exc_o(lc_exc), .lc_cause_o(lc_cause), .lc_tval_o(lc_tval),
      .lc_vaddr_o(lc_vaddr), .lc_paddr_o(lc_paddr), .lc_l1acc_o(lc_l1acc), .lc_l1miss_o(lc_l1miss),
      .lc_tlbacc_o(lc_tlbacc), .lc_tlbmiss_o(lc_tlbmiss), .lc_l2tlbmiss_o(lc_l2tlbmiss),
      .lc_uncached_o(lc_uncached), .lc_fwd_o(lc_fwd), .lc_dsrc_o(lc_dsrc),
      .start_o(mem_start), .start_tag_o(mem_tag), .bus_start_o(bus_start), .bus_tag_o(bus_tag),
      .lsu_nonspec_o(lsu_nonspec), .mem_idle_o(mem_idle), .pmp_cfg_i(pmp_cfg), .pmp_addr_i(pmp_addr),
      .pmp_mml_i(pmp_mml), .pmp_mmwp_i(pmp_mmwp),
      .pmp_shape_i(pmp_shape), .pmp_fine_i(pmp_fine), .fp_ask_i(fp_ask),
      .fp_first_i(fp_first), .fp_last_i(fp_last),
      .fp_priv_i(fp_priv), .fp_free_o(fp_free), .fp_fail_o(fp_fail),
      .iw_req_i(iw_req), .iw_va_i(iw_va), .iw_priv_i(priv), .iw_ad_i(iw_ad), .iw_done_o(iw_done),
      .iw_fault_o(iw_fault), .iw_accfault_o(iw_accfault), .iw_adneed_o(iw_adneed), .iw_ppn_o(iw_ppn),
      .iw_level_o(iw_level), .iw_g_o(iw_g), .iw_u_o(iw_u), .iw_x_o(iw_x), .iw_r_o(iw_r), .iw_w_o(iw_w),
      .iw_l2miss_o(iw_l2miss), .rw_req_i(xlat_req), .rw_va_i(xlat_va_page), .rw_machine_i(xlat_machine),
      .rw_done_o(xlat_done), .rw_fault_o(xlat_fault), .rw_page_o(xlat_page),
      .db_req_valid_o(db_req_valid), .db_req_ready_i(db_req_ready), .db_req_op_o(db_req_op),
      .db_req_addr_o(db_req_addr), .db_req_size_o(db_req_size), .db_req_wdata_o(db_req_wdata),
      .db_req_wstrb_o(db_req_wstrb), .db_req_f5_o(req_f5_o), .db_req_id_o(db_req_id),
      .db_rsp_valid_i(db_rsp_valid), .db_rsp_id_i(rsp_id), .db_rsp_data_i(rsp_data),
      .db_rsp_err_i(rsp_err), .inv_valid_i(inv_valid), .inv_addr_i(inv_addr),
      .evm_o(evm)
  );

  tally_hartbus u_hartbus (
      .clk(clk), .rst(rst), .ib_req_valid_i(ib_req_valid), .ib_req_ready_o(ib_req_ready),
      .ib_req_addr_i(ib_req_addr), .ib_req_single_i(ib_req_single), .ib_rsp_valid_o(ib_rsp_valid),
      .db_req_valid_i(db_req_valid), .db_req_ready_o(db_req_ready), .db_req_op_i(db_req_op),
      .db_req_addr_i(db_req_addr), .db_req_size_i(db_req_size), .db_req_id_i(db_req_id),
      .db_req_wdata_i(db_req_wdata), .db_req_wstrb_i(db_req_wstrb), .db_rsp_valid_o(db_rsp_valid),
      .rec_valid_i(rec_valid), .rec_ready_o(rec_ready), .rec_addr_i(rec_addr), .rec_data_i(rec_data),
      .rec_done_o(rec_done), .req_valid_o(req_valid_o), .req_ready_i(req_ready_i), .req_op_o(req_op_o),
      .req_addr_o(req_addr_o), .req_size_o(req_size_o), .req_wdata_o(req_wdata_o),
      .req_wstrb_o(req_wstrb_o), .req_id_o(req_id_o), .rsp_valid_i(rsp_valid_i), .rsp_id_i(rsp_id_i),
      .ev_read_o(bus_read), .ev_write_o(bus_write), .rsp_data_i(rsp_data_i), .rsp_last_i(rsp_last_i),
      .rsp_err_i(rsp_err_i), .inv_valid_i(inv_valid_i), .inv_addr_i(inv_addr_i),
      .rsp_id_o(rsp_id), .rsp_data_o(rsp_data), .rsp_last_o(rsp_last), .rsp_err_o(rsp_err),
      .inv_valid_o(inv_valid), .inv_addr_o(inv_addr)
  );

  tally_commit #(
      .XLEN(XLEN), .TAG_W(TAG_W)
  ) u_commit (
      .clk(clk), .rst(rst), .d_ready_o(rob_ready), .d_tag_o(d_tag), .d_valid_i(dispatch),
      .d_insn_i(fq_insn), .d_rvc_i(fq_rvc), .d_rd_i(de_rd), .d_rdwe_i(d_rdwe), .d_unit_i(d_unit),
      .d_funct3_i(de_funct3), .d_sys_i(de_sys), .d_ls_op_i(de_ls_op), .d_itype_i(d_itype),
      .d_exc_i(d_exc), .d_cause_i(d_cause), .d_half_i(fq_half), .d_icmiss_i(fq_icmiss),
      .d_itmiss_i(fq_itmiss), .ex_done_i(ex_valid), .ex_tag_i(ex_tag), .ex_value_i(ex_value),
      .ex_mispred_i(squash), .ex_next_pc_i(ex_next_pc), .ex_pc_i(ex_pc), .ex_itype_i(ex_itype_out),
      .res_done_i(res_done), .res_early_i(res_early), .res_tag_i(res_tag), .res_value_i(res_value),
      .lc_done_i(lc_valid), .lc_certain_i(lc_certain), .lc_exc_i(lc_exc), .lc_cause_i(lc_cause),
      .lc_vaddr_i(lc_vaddr), .lc_paddr_i(lc_paddr),
      .lc_flags_i({lc_fwd, lc_uncached, lc_l2tlbmiss, lc_tlbmiss, lc_tlbacc, lc_l1miss, lc_l1acc}),
      .src1_tag_i(src1_tag), .src1_res_i(src1_res), .src1_done_o(src1_done), .src1_value_o(src1_value),
      .src2_tag_i(src2_tag), .src2_res_i(src2_res), .src2_done_o(src2_done), .src2_value_o(src2_value),
      .ret_we_o(ret_we), .ret_rd_o(ret_rd), .ret_tag_o(ret_tag), .ret_value_o(ret_value),
      .head_valid_o(head_valid), .head_begin_o(head_begin), .head_sys_done_o(head_sys_done),
      .head_tag_o(head_tag), .ad_ok_o(ad_ok), .st_commit_o(st_commit),
      .lsu_nonspec_i(lsu_nonspec), .mem_idle_i(mem_idle), .flush_tlb_o(flush_tlb),
      .flush_icache_o(flush_icache), .csr_valid_o(csr_valid), .csr_num_o(csr_num), .csr_op_o(csr_op),
      .csr_wdata_o(csr_wdata), .csr_ready_i(csr_ready), .csr_illegal_i(csr_illegal),
      .csr_rdata_i(csr_rdata), .csr_context_i(csr_context), .trap_o(trap), .trap_irq_o(trap_irq),
      .trap_cause_o(trap_cause),
      .trap_epc_o(trap_epc), .trap_tval_o(trap_tval), .trap_target_i(trap_target),
      .mret_o(mret), .sret_o(sret), .mepc_i(mepc), .sepc_i(sepc), .ebb_req_i(ebb_req),
      .ebb_target_i(ebb_target), .ebb_o(ebb), .ebb_return_i(ebb_return),
      .uebret_denied_i(uebret_denied), .uebret_o(uebret), .uebret_ge_o(uebret_ge),
      .lr_void_o(lr_void_o),
      .hold_i(hold), .irq_i(irq), .csr_write_i(csr_write), .wake_i(wake),
      .priv_i(priv), .tvm_i(tvm), .tw_i(tw), .tsr_i(tsr), .flush_o(flush), .flush_pc_o(flush_pc),
      .halted_o(halted), .ret_valid_o(ret_valid), .ret_count_o(ret_count), .ret_pc_o(ret_pc),
      .ret_next_pc_o(ret_next_pc), .ret_flush_pc_o(ret_flush_pc), .ret_flushed_o(ret_flushed),
      .head_events_o(head_events), .stall_fe_o(stall_fe), .stall_be_o(stall_be),
      .exception_o(exception), .replay_o(replay), .sample_tag_i(sample_tag),
      .sample_vaddr_o(sample_vaddr), .sample_paddr_o(sample_paddr)
  );

  tally_csr #(
      .XLEN(XLEN), .HARTID(HARTID), .MEM_W(MEM_W), .SMEPMP(SMEPMP), .ANDES(ANDES)
  ) u_csr (
      .clk(clk), .rst(rst), .acc_valid_i(csr_valid), .acc_num_i(csr_num), .acc_op_i(csr_op),
      .acc_wdata_i(csr_wdata), .acc_illegal_o(csr_illegal), .acc_rdata_o(csr_rdata),
      .acc_context_o(csr_context), .satp_write_o(satp_write),
      .pmu_hit_i(pmu_hit), .pmu_illegal_i(pmu_illegal), .pmu_virtual_i(pmu_virtual),
      .pmu_rdata_i(pmu_rdata), .pmu_tm_i(pmu_tm), .trap_i(trap), .trap_irq_i(trap_irq),
      .trap_cause_i(trap_cause), .trap_epc_i(trap_epc), .trap_tval_i(trap_tval),
      .trap_target_o(trap_target), .mret_i(mret), .sret_i(sret),
      .mepc_o(mepc), .sepc_o(sepc), .irq_msip_i(irq_msip_i), .irq_mtip_i(irq_mtip_i),
      .irq_meip_i(irq_meip_i), .irq_seip_i(irq_seip_i), .set_lcofip_i(set_lcofip),
      .set_lambip_i(set_lambip), .set_andes_i(set_andes), .time_i(time_i),
      .irq_o(irq), .write_o(csr_write), .wake_o(wake), .priv_o(priv),
      .tvm_o(tvm), .tw_o(tw), .tsr_o(tsr), .satp_o(satp), .adue_o(adue),
      .ls_priv_o(ls_priv), .ls_mxr_o(ls_mxr), .ls_sum_o(ls_sum),
      .pmp_cfg_o(pmp_cfg), .pmp_mml_o(pmp_mml), .pmp_mmwp_o(pmp_mmwp), .pmp_addr_o(pmp_addr),
      .pmp_shape_o(pmp_shape), .pmp_fine_o(pmp_fine), .pmp_write_o(pmp_write), .cde_o(cde), .pdiss_o(pdiss),
      .mstateen0_o(mstateen0), .sstateen_c_o(sstateen_c), .lcofip_o(lcofip)
  );

  tally_pmu_adapter #(
      .XLEN(XLEN), .TAG_W(TAG_W), .HPM_N(HPM_N), .HPM_W(HPM_W), .ANDES(ANDES), .COMB_N(COMB_N),
      .PCRANGE(PCRANGE), .SSPESA(SSPESA), .SMPDIS(SMPDIS), .EBB(EBB), .COUNTER_RAM(COUNTER_RAM)
  ) u_adapter (
      .clk(clk), .rst(rst), .csr_valid_i(csr_valid), .csr_num_i(csr_num), .csr_op_i(csr_op),
      .csr_wdata_i(csr_wdata), .csr_ready_o(csr_ready), .csr_hit_o(pmu_hit), .csr_illegal_o(pmu_illegal),
      .csr_virtual_o(pmu_virtual), .csr_rdata_o(pmu_rdata), .csr_tm_o(pmu_tm),
      .priv_i(priv), .cde_i(cde), .pdiss_i(pdiss), .mstateen0_i(mstateen0),
      .sstateen_c_i(sstateen_c), .lcofip_i(lcofip), .time_i(time_i), .satp_write_i(satp_write),
      .pmp_write_i(pmp_write), .flush_tlb_i(flush_tlb), .set_lcofip_o(set_lcofip),
      .set_lambip_o(set_lambip), .set_andes_o(set_andes), .dec_valid_i(dec_valid), .dec_pc_i(fq_pc),
      .dec_type_i(dec_type), .dec_sample_o(dec_sample), .dispatch_i(dispatch), .dispatch_tag_i(d_tag),
      .dispatch_unit_i(d_unit), .dispatch_itype_i(d_itype), .dispatch_itmiss_i(fq_itmiss),
      .dispatch_icmiss_i(fq_icmiss), .dispatch_sample_i(d_sample), .sample_lost_i(d_sample_lost),
      .issued_i(issued), .issued_tag_i(issued_tag), .ex_valid_i(ex_valid), .ex_branch_i(ex_branch),
      .ex_tag_i(ex_tag), .ex_itype_i(ex_itype_out), .ex_pc_i(ex_pc), .squash_i(squash),
      .md_done_i(md_done), .md_tag_i(md_tag), .mem_start_i(mem_start), .mem_tag_i(mem_tag),
      .bus_start_i(bus_start), .bus_tag_i(bus_tag), .lc_done_i(lc_valid), .lc_tag_i(lc_tag),
      .lc_l1miss_i(lc_l1miss), .lc_tlbmiss_i(lc_tlbmiss), .lc_l2tlbmiss_i(lc_l2tlbmiss),
      .lc_dsrc_i(lc_dsrc), .sample_tag_o(sample_tag), .sample_vaddr_i(sample_vaddr),
      .sample_paddr_i(sample_paddr), .head_valid_i(head_valid), .head_sys_done_i(head_sys_done),
      .head_tag_i(head_tag), .head_events_i(head_events),
      .retire_i(ret_valid), .retire_count_i(ret_count), .ret_pc_i(ret_pc), .ret_next_pc_i(ret_next_pc),
      .ret_flush_pc_i(ret_flush_pc), .ret_flushed_i(ret_flushed),
      .flush_i(flush), .exception_i(exception), .replay_i(replay), .interrupt_i(trap_irq),
      .cause_i(trap_cause), .uebret_i(uebret), .uebret_ge_i(uebret_ge), .ebb_i(ebb),
      .ebb_req_o(ebb_req), .ebb_target_o(ebb_target), .ebb_return_o(ebb_return),
      .uebret_denied_o(uebret_denied), .halted_i(halted), .hold_o(hold),
      .stall_fe_i(stall_fe), .stall_be_i(stall_be), .slot_fe_i(slot_fe), .slot_be_i(slot_be),
      .slot_badspec_i(slot_badspec), .bus_read_i(bus_read), .bus_write_i(bus_write),
      .evf_i(evf), .evm_i(evm), .rec_valid_o(rec_valid), .rec_ready_i(rec_ready), .rec_addr_o(rec_addr),
      .rec_data_o(rec_data), .rec_done_i(rec_done), .xlat_req_o(xlat_req), .xlat_page_o(xlat_va_page),
      .xlat_machine_o(xlat_machine), .xlat_done_i(xlat_done), .xlat_fault_i(xlat_fault),
      .xlat_page_i(xlat_page)
  );
endmodule

`default_nettype wire
