// SPDX-License-Identifier: Apache-2.0
// tally_commit - the commit stage: retirement, trap or wait of the oldest instruction.
//
// It retires, traps, is interrupted, waits, or runs again to set A or D; at most one a cycle, in order.
// Traps, interrupts, event-based branches, CSR accesses, fences, WFI and returns happen here, when nothing
// older is left. Its
// events leave in the cycle of its retirement, so that an overflow that it causes interrupts before the next
// one retires (Ssplcofi). tally_scoreboard holds the instructions, tally_system those that act at commit.

`default_nettype none
`include "tally_spec.vh"
`include "tally_hart.vh"

module tally_commit #(
    parameter XLEN  = 64,
    parameter TAG_W = 3
) (
    input  wire             clk,
    input  wire             rst,

    // dispatch
    output wire             d_ready_o,      // a flush or squash stops dispatch by itself
    output wire [TAG_W-1:0] d_tag_o,
    input  wire             d_valid_i,
    input  wire [31:0]      d_insn_i,
    input  wire             d_rvc_i,
    input  wire [4:0]       d_rd_i,
    input  wire             d_rdwe_i,
    input  wire [2:0]       d_unit_i,
    input  wire [2:0]       d_funct3_i,
    input  wire [3:0]       d_sys_i,
    input  wire [2:0]       d_ls_op_i,
    input  wire [3:0]       d_itype_i,
    input  wire             d_exc_i,
    input  wire [3:0]       d_cause_i,
    input  wire             d_half_i,
    input  wire             d_icmiss_i,
    input  wire             d_itmiss_i,

    // completion: of EX; of the load/store unit or the multiplier, which share a result bus
    input  wire             ex_done_i,
    input  wire [TAG_W-1:0] ex_tag_i,
    input  wire [XLEN-1:0]  ex_value_i,
    input  wire             ex_mispred_i,   // late-arriving: everything younger than ex_tag_i goes
    input  wire [XLEN-1:0]  ex_next_pc_i,
    input  wire [XLEN-1:0]  ex_pc_i,
    input  wire [3:0]       ex_itype_i,
    input  wire             res_done_i,     // late-arriving
    input  wire             res_early_i,    // the same, but for accesses that PMP denies; early
    input  wire [TAG_W-1:0] res_tag_i,
    input  wire [XLEN-1:0]  res_value_i,    // or tval with lc_exc_i
    input  wire             lc_done_i,      // ... it is the load/store unit's
    input  wire             lc_certain_i,   // ... the same
    input  wire             lc_exc_i,
    input  wire [3:0]       lc_cause_i,
    input  wire [XLEN-1:0]  lc_vaddr_i,
    input  wire [55:0]      lc_paddr_i,
    input  wire [`TALLY_LSF_N-1:0] lc_flags_i,

    // operands of IS
    input  wire [TAG_W-1:0] src1_tag_i,
    input  wire             src1_res_i,     // it completes on the result bus
    output wire             src1_done_o,
    output wire [XLEN-1:0]  src1_value_o,
    input  wire [TAG_W-1:0] src2_tag_i,
    input  wire             src2_res_i,
    output wire             src2_done_o,
    output wire [XLEN-1:0]  src2_value_o,

    // registers
    output wire             ret_we_o,
    output wire [4:0]       ret_rd_o,
    output wire [TAG_W-1:0] ret_tag_o,
    output wire [XLEN-1:0]  ret_value_o,

    // load/store unit
    output wire             head_valid_o,
    output wire             head_begin_o,   // the oldest may begin an operation that must not be interrupted
    output wire             head_sys_done_o, // it acts at commit, and has executed
    output wire [TAG_W-1:0] head_tag_o,
    output wire             ad_ok_o,
    output wire             st_commit_o,
    input  wire             lsu_nonspec_i,  // no interrupt in the next cycle (late-arriving)
    input  wire             mem_idle_i,
    output wire             flush_tlb_o,
    output wire             flush_icache_o,

    // CSRs, traps
    output wire             csr_valid_o,
    output wire [11:0]      csr_num_o,
    output wire [1:0]       csr_op_o,
    output wire [XLEN-1:0]  csr_wdata_o,
    input  wire             csr_ready_i,    // if it stays, it can be performed in the next cycle
    input  wire             csr_illegal_i,
    input  wire [XLEN-1:0]  csr_rdata_i,
    input  wire             csr_context_i,
    output wire             trap_o,
    output wire             trap_irq_o,
    output wire [3:0]       trap_cause_o,   // of an exception
    output wire [XLEN-1:0]  trap_epc_o,
    output wire [XLEN-1:0]  trap_tval_o,
    input  wire [XLEN-1:0]  trap_target_i,
    output wire             mret_o,
    output wire             sret_o,
    input  wire [XLEN-1:0]  mepc_i,
    input  wire [XLEN-1:0]  sepc_i,

    // event-based branches
    input  wire             ebb_req_i,      // one is to be delivered, if this is U-mode
    input  wire [XLEN-1:0]  ebb_target_i,
    output wire             ebb_o,          // it is: nothing retires
    input  wire [XLEN-1:0]  ebb_return_i,   // where uebret goes
    input  wire             uebret_denied_i,
    output wire             uebret_o,       // uebret retires,
    output wire             uebret_ge_o,    // ... with this operand
    output reg              lr_void_o,      // a cycle later than either: the reservation of LR is lost

    // interrupts and mode
    input  wire             hold_i,         // nothing may retire or fault in this cycle; interrupts may come
    input  wire             irq_i,
    input  wire             csr_write_i,    // irq_i does not hold in the next cycle (late-arriving)
    input  wire             wake_i,
    input  wire [1:0]       priv_i,
    input  wire             tvm_i,
    input  wire             tw_i,
    input  wire             tsr_i,

    // flush: everything that has not retired (late-arriving)
    output wire             flush_o,
    output wire [XLEN-1:0]  flush_pc_o,
    output wire             halted_o,

    // the unit: retirement
    output wire             ret_valid_o,    // late-arriving
    output wire             ret_count_o,    // the same, on a wire of its own for the unit
    output wire [XLEN-1:0]  ret_pc_o,
    output wire [XLEN-1:0]  ret_next_pc_o,
    output wire [XLEN-1:0]  ret_flush_pc_o,
    output wire             ret_flushed_o,
    output wire             exception_o,
    output wire             replay_o,       // the oldest runs again to set A or D
    output wire             stall_fe_o,
    output wire             stall_be_o,

    // ... and the oldest instruction, whether it retires or not
    output wire [`TALLY_EVR_N-1:0] head_events_o,

    // ... and where an instruction has accessed memory
    input  wire [TAG_W-1:0] sample_tag_i,
    output wire [XLEN-1:0]  sample_vaddr_o,
    output wire [55:0]      sample_paddr_o
);
  // ---------------------------------------------------------------------------------------------------------
  // The oldest instruction

  reg              ad_q;      // it runs alone and may set A and D
  reg              halted_q;
  reg  [XLEN-1:0]  npc_q;     // its pc, or that of the next one

  wire             retire;
  wire             head_valid, head_done, head_plain, head_trap, head_again, head_exc, head_fault, head_sys;
  wire [31:0]      head_insn;
  wire [`TALLY_ROB_W-1:0] head_info;
  wire [3:0]       head_cause;
  wire [XLEN-1:0]  head_value, head_next;

  // A debugger in a test bench holds the hart between two instructions by writing to probe_halt: nothing
  // retires, traps or begins, and fetch starts again at npc_q in each cycle. probe_sync then forgets
  // translations and instructions. Nothing else writes to them.
  reg probe_halt = 1'b0;
  reg probe_sync = 1'b0;
  reg halt_q, sync_q;
  always @(posedge clk) begin
    halt_q <= probe_halt && !rst;
    sync_q <= probe_sync && !rst;
  end
  wire hold = hold_i || halt_q;

  tally_scoreboard #(
      .XLEN (XLEN),
      .TAG_W(TAG_W)
  ) u_scoreboard (
      .clk(clk), .rst(rst),
      .d_ready_o(d_ready_o), .d_tag_o(d_tag_o), .d_valid_i(d_valid_i), .d_insn_i(d_insn_i),
      .d_rvc_i(d_rvc_i), .d_rd_i(d_rd_i), .d_rdwe_i(d_rdwe_i), .d_unit_i(d_unit_i),
      .d_funct3_i(d_funct3_i), .d_sys_i(d_sys_i), .d_ls_op_i(d_ls_op_i), .d_itype_i(d_itype_i),
      .d_exc_i(d_exc_i), .d_cause_i(d_cause_i), .d_half_i(d_half_i), .d_icmiss_i(d_icmiss_i),
      .d_itmiss_i(d_itmiss_i),
      .ex_done_i(ex_done_i), .ex_tag_i(ex_tag_i), .ex_value_i(ex_value_i), .ex_mispred_i(ex_mispred_i),
      .ex_next_pc_i(ex_next_pc_i), .ex_itype_i(ex_itype_i),
      .res_done_i(res_done_i), .res_early_i(res_early_i), .res_tag_i(res_tag_i), .res_value_i(res_value_i),
      .lc_done_i(lc_done_i), .lc_certain_i(lc_certain_i), .lc_exc_i(lc_exc_i), .lc_cause_i(lc_cause_i),
      .lc_vaddr_i(lc_vaddr_i), .lc_paddr_i(lc_paddr_i), .lc_flags_i(lc_flags_i),
      .src1_tag_i(src1_tag_i), .src1_res_i(src1_res_i), .src1_done_o(src1_done_o),
      .src1_value_o(src1_value_o), .src2_tag_i(src2_tag_i), .src2_res_i(src2_res_i),
      .src2_done_o(src2_done_o), .src2_value_o(src2_value_o),
      .retire_i(retire), .flush_i(flush_o), .ad_i(ad_q),
      .head_valid_o(head_valid), .head_tag_o(head_tag_o), .head_insn_o(head_insn), .head_info_o(head_info),
      .head_done_o(head_done), .head_plain_o(head_plain), .head_trap_o(head_trap),
      .head_again_o(head_again), .head_exc_o(head_exc), .head_fault_o(head_fault),
      .head_cause_o(head_cause), .head_sys_o(head_sys), .head_events_o(head_events_o),
      .head_value_o(head_value), .head_next_o(head_next), .sample_tag_i(sample_tag_i),
      .sample_vaddr_o(sample_vaddr_o), .sample_paddr_o(sample_paddr_o)
  );

  wire [2:0] unit    = head_info[`TALLY_ROB_UNIT +: 3];
  wire [2:0] ls_op   = head_info[`TALLY_ROB_LS_OP +: 3];
  wire [2:0] funct3  = head_info[`TALLY_ROB_FUNCT3 +: 3];
  wire [3:0] sys_op  = head_info[`TALLY_ROB_SYS +: 4];

  wire is_csr, is_ebreak, is_mret, is_sret, is_uebret, is_fencei, is_sfence;
  wire sys_armed, sys_ready, sys_wfi, sys_return, sys_fails, sys_illegal, sys_refetch;

  tally_system #(
      .XLEN(XLEN)
  ) u_system (
      .clk(clk), .rst(rst),
      .head_done_i(head_done), .head_sys_i(head_sys), .head_op_i(sys_op), .head_funct3_i(funct3),
      .head_insn_i(head_insn), .head_value_i(head_value), .leaves_i(flush_o || retire),
      .priv_i(priv_i), .tvm_i(tvm_i), .tw_i(tw_i), .tsr_i(tsr_i),
      .uebret_denied_i(uebret_denied_i), .mem_idle_i(mem_idle_i),
      .csr_num_o(csr_num_o), .csr_op_o(csr_op_o), .csr_wdata_o(csr_wdata_o), .csr_valid_o(csr_valid_o),
      .csr_ready_i(csr_ready_i), .csr_illegal_i(csr_illegal_i), .csr_context_i(csr_context_i),
      .is_csr_o(is_csr), .is_ebreak_o(is_ebreak), .is_mret_o(is_mret), .is_sret_o(is_sret),
      .is_uebret_o(is_uebret), .is_fencei_o(is_fencei), .is_sfence_o(is_sfence),
      .armed_o(sys_armed), .ready_o(sys_ready), .wfi_o(sys_wfi), .return_o(sys_return),
      .fails_o(sys_fails), .illegal_o(sys_illegal), .refetch_o(sys_refetch)
  );

  // The pc behind it, and the pc of its successor if it retires
  wire [XLEN-1:0] seq_pc  = npc_q + (head_info[`TALLY_ROB_RVC] ? 2 : 4);
  wire [XLEN-1:0] next_pc = sys_return ? (is_mret ? mepc_i : is_sret ? sepc_i : ebb_return_i) :
                            unit == `TALLY_U_BR ? head_next : seq_pc;

  // ---------------------------------------------------------------------------------------------------------
  // Decision of the cycle

  // Interrupts are enabled a cycle ahead. Not while the load/store unit performs an access that must not be
  // repeated, nor before an instruction that runs again for A or D, nor in the cycle after a
  // trap, return or CSR write. A WFI that waits completes before its interrupt is taken, and with the clock
  // running, so that its retirement is counted. A CSR access that is armed is performed, and the interrupt
  // follows it: so the access does not wait for the pending bits.
  reg  open_q;
  wire irq        = irq_i && open_q;

  // An event-based branch is delivered where an interrupt could be taken, if there is none. Its request comes
  // from registers, so it precedes the retirement behind its cause. It is of U-mode: the unit's mode follows
  // this one's by a cycle, in which nothing is taken.
  wire branches   = ebb_req_i && open_q && !hold;
  wire preceded   = irq_i || ebb_req_i;   // by a trap or a branch, if open_q

  // hold stops retirement and exceptions. A CSR access never meets it: nothing has retired for
  // three cycles.
  wire free       = !hold && !(open_q && preceded);
  wire ready      = head_plain || sys_ready || (sys_wfi && wake_i && !halted_q);
  wire fails      = head_trap || sys_fails;
  wire exception  = free && fails;
  wire replay     = free && head_again;
  wire may_retire = ready && !hold;
  tally_and_nand u_retire (.en_i(may_retire), .mask_i(open_q), .last_i(preceded), .out_o(retire));
  tally_and_nand u_count  (.en_i(may_retire), .mask_i(open_q), .last_i(preceded), .out_o(ret_count_o));

  wire ad         = replay || (ad_q && !retire && !trap_o);
  wire waits      = sys_wfi && !retire && !irq;   // WFI begins to wait
  wire turns      = trap_o || mret_o || sret_o || csr_write_i;

  wire closes     = lsu_nonspec_i || ad || sys_armed;

  always @(posedge clk) open_q <= !(closes || waits || turns || probe_halt || rst);

  assign trap_o         = irq || exception;
  assign trap_irq_o     = irq;
  assign trap_epc_o     = npc_q;
  assign mret_o         = retire && is_mret;
  assign sret_o         = retire && is_sret;
  assign ebb_o          = branches && !irq;
  assign uebret_o       = retire && is_uebret;
  assign uebret_ge_o    = head_insn[20];
  assign flush_o        = irq || halt_q || (!hold && (branches || fails || head_again || sys_refetch));
  assign flush_tlb_o    = (retire && is_sfence) || sync_q;
  assign flush_icache_o = (retire && is_fencei) || sync_q;
  assign st_commit_o    = retire && unit == `TALLY_U_MEM && ls_op == `TALLY_LS_STORE;
  assign ad_ok_o        = ad_q;
  assign head_valid_o   = head_valid;
  assign head_sys_done_o = head_done && head_sys;
  assign head_begin_o   = head_valid && !hold;
  assign halted_o       = halted_q;
  assign replay_o       = replay;

  always @(posedge clk) begin
    if (rst) begin
      ad_q     <= 1'b0;
      halted_q <= 1'b0;
      npc_q    <= 64'h1000;
    end else begin
      ad_q     <= ad;
      halted_q <= sys_wfi && !wake_i && !irq;
      if (trap_o)      npc_q <= trap_target_i;
      else if (ebb_o)  npc_q <= ebb_target_i;
      else if (retire) npc_q <= next_pc;
    end
  end

  always @(posedge clk) lr_void_o <= ebb_o || uebret_o;

  // ---------------------------------------------------------------------------------------------------------
  // Traps

  reg [3:0] cause;
  always @* begin
    if (head_exc)         cause = head_cause;
    else if (sys_illegal) cause = `TALLY_XC_ILLEGAL;
    else if (is_ebreak)   cause = `TALLY_XC_BREAK;
    else                  cause = {2'b10, priv_i};  // environment call
  end
  assign trap_cause_o = cause;

  reg [XLEN-1:0] tval;
  always @* begin
    case (cause)
      `TALLY_XC_IACC,
      `TALLY_XC_IPAGE:   tval = npc_q + (head_info[`TALLY_ROB_HALF] ? 2 : 0);
      `TALLY_XC_ILLEGAL: tval = {{XLEN-32{1'b0}}, head_insn};
      `TALLY_XC_BREAK:   tval = npc_q;
      default:           tval = head_fault ? head_value : {XLEN{1'b0}};
    endcase
  end
  assign trap_tval_o = irq ? {XLEN{1'b0}} : tval;

  assign flush_pc_o = trap_o    ? trap_target_i :
                      branches  ? ebb_target_i :
                      is_mret   ? mepc_i :
                      is_sret   ? sepc_i :
                      is_uebret ? ebb_return_i :
                      replay || halt_q ? npc_q : seq_pc;

  // ---------------------------------------------------------------------------------------------------------
  // Retirement

  assign ret_valid_o = retire;
  assign ret_we_o    = retire && head_info[`TALLY_ROB_RDWE];
  assign ret_rd_o    = head_info[`TALLY_ROB_RD +: 5];
  assign ret_tag_o   = head_tag_o;
  assign ret_value_o = is_csr ? csr_rdata_i : head_value;

  // The instruction that flushed the pipeline last, as long as nothing younger is dispatched
  reg [XLEN-1:0] flush_pc_q;
  reg            flushed_q;

  always @(posedge clk) begin
    if (flush_o)           flush_pc_q <= npc_q;
    else if (ex_mispred_i) flush_pc_q <= ex_pc_i;
    if (flush_o || ex_mispred_i) flushed_q <= 1'b1;
    else if (d_valid_i)          flushed_q <= 1'b0;
    if (rst) begin
      flush_pc_q <= {XLEN{1'b0}};
      flushed_q  <= 1'b0;
    end
  end

  assign ret_pc_o       = npc_q;
  assign ret_next_pc_o  = retire ? next_pc : npc_q;
  assign ret_flush_pc_o = flush_pc_q;
  assign ret_flushed_o  = flushed_q && !head_valid;
  assign exception_o    = exception;
  assign stall_fe_o     = !halted_q && !head_valid;
  assign stall_be_o     = !halted_q && head_valid && !retire;

  // ---------------------------------------------------------------------------------------------------------
  // Compared by the harness, by name; no logic depends on it

  /* verilator lint_off UNUSEDSIGNAL */
  wire             probe_is_mem        = unit == `TALLY_U_MEM;
  wire             probe_retire        = retire;
  wire             probe_trap          = trap_o;
  wire             probe_interrupt     = irq;
  wire             probe_exception     = trap_o && !irq;
  wire             probe_ebb           = ebb_o;
  wire [XLEN-1:0]  probe_pc            = npc_q;
  wire [31:0]      probe_insn          = head_insn;
  wire [1:0]       probe_priv          = priv_i;
  wire [XLEN-1:0]  probe_next_pc       = trap_o ? trap_target_i :
                                         ebb_o  ? ebb_target_i : ret_next_pc_o;
  wire             probe_rd_we         = ret_we_o;
  wire [4:0]       probe_rd            = ret_rd_o;
  wire [XLEN-1:0]  probe_rd_val        = ret_value_o;
  wire [2:0]       probe_mem_op        = !probe_is_mem             ? 3'd0 :
                                         ls_op == `TALLY_LS_LOAD  ? 3'd1 :
                                         ls_op == `TALLY_LS_STORE ? 3'd2 :
                                         ls_op == `TALLY_LS_AMO   ? 3'd3 :
                                         ls_op == `TALLY_LS_LR    ? 3'd4 : 3'd5;
  wire [1:0]       probe_mem_size      = funct3[1:0];
  wire [XLEN-1:0]  probe_epc           = npc_q;
  wire [XLEN-1:0]  probe_tval          = trap_tval_o;
  wire             probe_sc_fail       = head_events_o[`TALLY_EVR_SC_FAIL];
  wire             probe_csr_changed   = trap_o || is_mret || is_sret || ebb_o || is_uebret ||
                                         (is_csr && csr_op_o != 2'd0);
  wire             probe_rob_empty     = !head_valid;
  wire             probe_flush         = flush_o;
  wire             probe_halted        = halt_q;
  wire             probe_closes        = closes;
  wire             probe_mem_idle      = mem_idle_i;
  wire             probe_redirect      = ex_mispred_i;
  wire [XLEN-1:0]  probe_ex_next_pc    = ex_next_pc_i;
  wire             probe_ex_done       = ex_done_i && !flush_o;
  wire             probe_dispatch      = d_valid_i;
  wire [TAG_W-1:0] probe_dispatch_tag  = d_tag_o;
  wire [1:0]       probe_dispatch_miss = {d_itmiss_i, d_icmiss_i};
  wire [31:0]      probe_d_insn        = d_insn_i;
  wire             probe_d_icmiss      = d_icmiss_i;
  wire             probe_d_itmiss      = d_itmiss_i;
  wire             probe_d_exc         = d_exc_i;
  wire [3:0]       probe_d_cause       = d_cause_i;
  wire             probe_lc_valid      = lc_done_i;
  wire             probe_lc_exc        = lc_exc_i;
  wire [3:0]       probe_lc_cause      = lc_cause_i;
  wire [TAG_W-1:0] probe_lc_tag        = res_tag_i;
  wire             probe_lc_fwd        = lc_flags_i[`TALLY_LSF_FWD];
  wire [3:0]       probe_lc_miss       = {lc_flags_i[`TALLY_LSF_FWD], lc_flags_i[`TALLY_LSF_L2MISS],
                                          lc_flags_i[`TALLY_LSF_TLBMISS], lc_flags_i[`TALLY_LSF_L1MISS]};
  wire [TAG_W-1:0] probe_head_tag      = head_tag_o;
  wire             probe_head_done     = head_done;
  wire [2:0]       probe_head_unit     = unit;
  wire [2:0]       probe_head_op       = ls_op;
  wire [3:0]       probe_sys           = sys_op;
  wire             unused_ok           = &{1'b0, head_info};
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
