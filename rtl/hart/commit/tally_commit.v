// SPDX-License-Identifier: Apache-2.0
// tally_commit - the scoreboard (ROB): completion, in-order retirement, and all that acts at retirement.
//
// An entry is taken at dispatch, completed by a unit, and left in order, at most one a cycle. Traps,
// interrupts, CSR accesses, fences, WFI and trap returns act here, when nothing older is left. The
// instruction's events leave in the cycle of its retirement, so that an overflow that it causes interrupts
// before the next one retires (Ssplcofi).

`default_nettype none
`include "tally_hart.vh"

module tally_commit #(
    parameter XLEN  = 64,
    parameter TAG_W = 3,
    parameter EVR_N = `TALLY_EVR_N
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

    // completion
    input  wire             ex_done_i,
    input  wire [TAG_W-1:0] ex_tag_i,
    input  wire [XLEN-1:0]  ex_value_i,
    input  wire             ex_mispred_i,   // late: everything younger than ex_tag_i goes
    input  wire [XLEN-1:0]  ex_next_pc_i,
    input  wire [XLEN-1:0]  ex_pc_i,
    input  wire [3:0]       ex_itype_i,
    input  wire             late_done_i,    // the memory room or the multiplier
    input  wire             late_sure_i,    // ... and not because PMP denies it: known in time to look ahead
    input  wire [TAG_W-1:0] late_tag_i,
    input  wire [XLEN-1:0]  late_value_i,   // or tval with lc_exc_i
    input  wire             lc_done_i,      // ... it is the memory room
    input  wire             lc_sure_i,      // ... the same
    input  wire             lc_exc_i,
    input  wire [3:0]       lc_cause_i,
    input  wire [XLEN-1:0]  lc_vaddr_i,
    input  wire [55:0]      lc_paddr_i,
    input  wire [6:0]       lc_flags_i,     // {fwd, uncached, l2tlbmiss, tlbmiss, tlbacc, l1miss, l1acc}

    // operands of IS
    input  wire [TAG_W-1:0] src1_tag_i,
    input  wire             src1_late_i,
    output wire             src1_done_o,
    output wire [XLEN-1:0]  src1_value_o,
    input  wire [TAG_W-1:0] src2_tag_i,
    input  wire             src2_late_i,
    output wire             src2_done_o,
    output wire [XLEN-1:0]  src2_value_o,

    // registers
    output wire             ret_we_o,
    output wire [4:0]       ret_rd_o,
    output wire [TAG_W-1:0] ret_tag_o,
    output wire [XLEN-1:0]  ret_value_o,

    // memory room
    output wire             head_valid_o,
    output wire             head_done_o,    // it has completed
    output wire [TAG_W-1:0] head_tag_o,
    output wire             ad_ok_o,
    output wire             st_commit_o,
    input  wire             lsu_nonspec_i,  // the oldest must not be interrupted in the next cycle (late)
    input  wire             mem_idle_i,
    output wire             flush_tlb_o,
    output wire             flush_icache_o,

    // CSRs, traps
    output wire             csr_valid_o,
    output wire [11:0]      csr_num_o,
    output wire [1:0]       csr_op_o,
    output wire [XLEN-1:0]  csr_wdata_o,
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
    input  wire             hold_i,         // nothing may retire or fault in this cycle; interrupts may come
    input  wire             irq_i,
    input  wire             csr_write_i,    // what irq_i says is void in the next cycle (late)
    input  wire             wake_i,
    input  wire [1:0]       priv_i,
    input  wire             tvm_i,
    input  wire             tw_i,
    input  wire             tsr_i,

    // flush: everything that has not retired (late)
    output wire             flush_o,
    output wire [XLEN-1:0]  flush_pc_o,
    output wire             halted_o,

    // PMU
    output wire             ret_valid_o,    // late
    output wire             ret_count_o,    // the same, on a wire of its own for the unit
    output wire [XLEN-1:0]  ret_pc_o,
    output wire [XLEN-1:0]  ret_next_pc_o,
    output wire [XLEN-1:0]  ret_flush_pc_o,
    output wire             ret_flushed_o,
    output wire [EVR_N-1:0] ev_head_o,      // of the oldest entry as it stands, retiring or not
    output wire             ev_stall_fe_o,
    output wire             ev_stall_be_o,
    output wire             ev_flush_o,
    output wire             ev_exception_o,
    output wire             ev_interrupt_o,
    output wire [3:0]       ev_cause_o,

    // oldest entry: for tracking and for a test bench
    output wire [3:0]       head_itype_o,
    output wire             head_mispred_o,
    output wire [6:0]       head_flags_o,
    output wire [XLEN-1:0]  head_vaddr_o,
    output wire [55:0]      head_paddr_o,
    output wire [31:0]      head_insn_o,
    output wire [2:0]       head_unit_o,
    output wire [2:0]       head_ls_op_o,
    output wire [2:0]       head_funct3_o,
    output wire             head_sys_write_o,
    output wire             head_sys_ret_o
);
  localparam ROB_N = 1 << TAG_W;

  localparam [TAG_W:0]   ONE  = 1;
  localparam [TAG_W-1:0] ONE_T = 1;

  // ---------------------------------------------------------------------------------------------------------
  // The entries: what dispatch writes, what the units write

  localparam INFO_W = 5 + 1 + 3 + 3 + 4 + 3 + 4 + 4 + 1 + 1 + 1 + 1 + 1;
  localparam I_ITMISS = 0, I_ICMISS = 1, I_RVC = 2, I_DEXC = 4, I_CAUSE = 5, I_DTYPE = 9, I_LS_OP = 13,
             I_SYS = 16, I_UNIT = 23;                // fields of it that are looked at ahead

  reg [31:0]       insn_q   [0:ROB_N-1];
  reg [INFO_W-1:0] info_q   [0:ROB_N-1];
  reg [XLEN-1:0]   early_q  [0:ROB_N-1];   // values that ex_done_i brings,
  reg [XLEN-1:0]   late_q   [0:ROB_N-1];   // and late_done_i: memories, since each has one way in
  reg [ROB_N-1:0]  low_q;                  // bit 0 of the latter
  reg [XLEN-1:0]   next_q   [0:ROB_N-1];   // of control transfers
  reg [3:0]        itype_q  [0:ROB_N-1];   // of control transfers, as resolved
  reg [ROB_N-1:0]  mispred_q;
  reg [XLEN-1:0]   vaddr_q  [0:ROB_N-1];   // of memory accesses
  reg [55:0]       paddr_q  [0:ROB_N-1];
  reg [6:0]        flags_q  [0:ROB_N-1];
  reg [3:0]        lcause_q [0:ROB_N-1];
  reg [ROB_N-1:0]  lexc_q;
  reg [ROB_N-1:0]  done_q;

  reg [TAG_W:0]    head_q, tail_q;         // one bit more than an index: full and empty differ
  wire [TAG_W-1:0] head  = head_q[TAG_W-1:0];
  wire [TAG_W-1:0] tail  = tail_q[TAG_W-1:0];
  wire             empty = head_q == tail_q;
  wire             full  = head == tail && !empty;

  reg              block_q;   // a serialising instruction is under way: nothing behind it is dispatched
  reg              ad_q;      // the oldest instruction runs alone and may set A and D
  reg              halted_q;
  reg              asked_q;   // the oldest instruction acts at commit: sys_*_q say whether it may, csr_*_q
  reg              pipelined_q;  // hold the operands of a CSR access; the PMU has had a cycle to decode them;
  reg              armed_q;   // and what they mean is known
  reg [XLEN-1:0]   npc_q;                  // pc of the next instruction to retire

  integer n;
  initial for (n = 0; n < ROB_N; n = n + 1) begin
    insn_q[n]   = 32'b0;
    info_q[n]   = {INFO_W{1'b0}};
    early_q[n]  = {XLEN{1'b0}};
    late_q[n]   = {XLEN{1'b0}};
    next_q[n]   = {XLEN{1'b0}};
    itype_q[n]  = 4'b0;
    vaddr_q[n]  = {XLEN{1'b0}};
    paddr_q[n]  = 56'b0;
    flags_q[n]  = 7'b0;
    lcause_q[n] = 4'b0;
  end

  wire d_serial = d_unit_i == `TALLY_U_SYS || d_exc_i;

  assign d_ready_o = !full && !block_q && !(ad_q && !empty);
  assign d_tag_o   = tail;

  // Dispatch is known late. What the next entry would hold may be written before.
  always @(posedge clk) begin
    if (!full) begin
      insn_q[tail] <= d_insn_i;
      info_q[tail] <= {d_rd_i, d_rdwe_i, d_unit_i, d_funct3_i, d_sys_i, d_ls_op_i, d_itype_i, d_cause_i,
                       d_exc_i, d_half_i, d_rvc_i, d_icmiss_i, d_itmiss_i};
    end
  end

  always @(posedge clk) begin
    if (ex_done_i) begin
      early_q[ex_tag_i] <= ex_value_i;
      next_q[ex_tag_i]  <= ex_next_pc_i;
      itype_q[ex_tag_i] <= ex_itype_i;
    end
    if (late_done_i) begin
      late_q[late_tag_i] <= late_value_i;
      low_q[late_tag_i]  <= late_value_i[0];
    end
    if (lc_done_i) begin
      vaddr_q[late_tag_i]  <= lc_vaddr_i;
      paddr_q[late_tag_i]  <= lc_paddr_i;
      flags_q[late_tag_i]  <= lc_flags_i;
      lcause_q[late_tag_i] <= lc_cause_i;
    end
    if (!full) begin
      done_q[tail]    <= d_exc_i;
      lexc_q[tail]    <= 1'b0;
      mispred_q[tail] <= 1'b0;
    end
    if (ex_done_i) begin
      done_q[ex_tag_i]    <= 1'b1;
      mispred_q[ex_tag_i] <= ex_mispred_i;
    end
    if (late_done_i) begin
      done_q[late_tag_i] <= 1'b1;
      lexc_q[late_tag_i] <= lc_done_i && lc_exc_i;
    end
  end

  assign src1_done_o  = done_q[src1_tag_i];
  assign src1_value_o = src1_late_i ? late_q[src1_tag_i] : early_q[src1_tag_i];
  assign src2_done_o  = done_q[src2_tag_i];
  assign src2_value_o = src2_late_i ? late_q[src2_tag_i] : early_q[src2_tag_i];

  // ---------------------------------------------------------------------------------------------------------
  // The oldest entry

  wire [4:0]  h_rd;
  wire        h_rdwe, h_half, h_rvc;
  wire [2:0]  h_unit, h_funct3, h_ls_op;
  wire [3:0]  h_sys, h_dtype;
  wire [6:0]  h_unused;

  // What is known about the entry that will be the oldest is read ahead, with what the units say in this
  // cycle, so that a cycle begins with knowing whether it can retire. An entry that is written in this cycle
  // is known a cycle later than it stands here: no unit has completed it by then.
  reg  [INFO_W-1:0] h_info_q;
  reg  [31:0]       h_insn_q;
  reg               h_done_q, h_fault_q;
  reg               h_exc_q;               // it traps, or asks for leave to set A or D
  reg               h_sys_q;               // it acts at commit
  reg               h_plain_q;             // it is done, and retires by itself
  reg               h_trap_q, h_again_q;   // it is done, and traps; it asks for leave
  reg  [3:0]        h_cause_q;
  reg  [3:0]        h_itype_q;             // what its units said, if they have
  reg               h_mispred_q;
  reg  [6:0]        h_flags_q;
  reg  [EVR_N-1:0]  h_ev_q;                // its events
  wire [TAG_W-1:0]  behind = head + ONE_T;

  // ... for both that it may be
  wire late_head   = late_tag_i == head;
  wire late_behind = late_tag_i == behind;
  wire lc_head     = lc_sure_i && late_head;
  wire lc_behind   = lc_sure_i && late_behind;
  wire done_head   = (done_q[head] || (ex_done_i && ex_tag_i == head) || (late_sure_i && late_head)) &&
                     !empty;
  wire done_behind = (done_q[behind] || (ex_done_i && ex_tag_i == behind) || (late_sure_i && late_behind)) &&
                     tail_q != head_q + ONE;

  // A fetch exception, or a memory access that failed
  wire [INFO_W-1:0] info_head    = info_q[head];
  wire [INFO_W-1:0] info_behind  = info_q[behind];
  wire              dexc_head    = info_head[I_DEXC];
  wire              dexc_behind  = info_behind[I_DEXC];
  wire              fault_head   = lc_head ? lc_exc_i : lexc_q[head];
  wire              fault_behind = lc_behind ? lc_exc_i : lexc_q[behind];
  wire              exc_head     = dexc_head || (fault_head && info_head[I_UNIT +: 3] == `TALLY_U_MEM);
  wire              exc_behind   = dexc_behind || (fault_behind && info_behind[I_UNIT +: 3] == `TALLY_U_MEM);
  wire [3:0]        cause_head   = dexc_head ? info_head[I_CAUSE +: 4] :
                                   lc_head ? lc_cause_i : lcause_q[head];
  wire [3:0]        cause_behind = dexc_behind ? info_behind[I_CAUSE +: 4] :
                                   lc_behind ? lc_cause_i : lcause_q[behind];
  wire              ad_head      = exc_head && cause_head == `TALLY_XC_AD;
  wire              ad_behind    = exc_behind && cause_behind == `TALLY_XC_AD;
  wire              ex_head       = ex_done_i && ex_tag_i == head;
  wire              ex_behind     = ex_done_i && ex_tag_i == behind;
  wire [3:0]        itype_head    = ex_head ? ex_itype_i : itype_q[head];
  wire [3:0]        itype_behind  = ex_behind ? ex_itype_i : itype_q[behind];
  wire              misp_head     = ex_head ? ex_mispred_i : mispred_q[head];
  wire              misp_behind   = ex_behind ? ex_mispred_i : mispred_q[behind];
  wire [6:0]        flags_head    = lc_head ? lc_flags_i : flags_q[head];
  wire [6:0]        flags_behind  = lc_behind ? lc_flags_i : flags_q[behind];
  wire              low_head      = lc_head ? late_value_i[0] : low_q[head];
  wire              low_behind    = lc_behind ? late_value_i[0] : low_q[behind];
  wire              sys_head     = !dexc_head && info_head[I_UNIT +: 3] == `TALLY_U_SYS;
  wire              sys_behind   = !dexc_behind && info_behind[I_UNIT +: 3] == `TALLY_U_SYS;

  wire [INFO_W-1:0] info_d  = ret_valid_o ? info_behind : info_head;
  wire [3:0]        itype_d = ret_valid_o ? itype_behind : itype_head;
  wire              misp_d  = ret_valid_o ? misp_behind : misp_head;
  wire [6:0]        flags_d = ret_valid_o ? flags_behind : flags_head;
  wire              sys_d   = ret_valid_o ? sys_behind : sys_head;
  wire [EVR_N-1:0]  ev_head, ev_behind;
  wire              done_d  = (ret_valid_o ? done_behind : done_head) && !flush_o && !rst;
  wire              exc_d   = ret_valid_o ? exc_behind : exc_head;
  wire              ad_d    = ret_valid_o ? ad_behind : ad_head;

  // For both, because it is known last which it is
  tally_retired #(
      .EVR_N(EVR_N)
  ) u_ev_head (
      .unit_i   (info_head[I_UNIT +: 3]),
      .ls_op_i  (info_head[I_LS_OP +: 3]),
      .sys_i    (info_head[I_SYS +: 4]),
      .is_sys_i (sys_head),
      .rvc_i    (info_head[I_RVC]),
      .icmiss_i (info_head[I_ICMISS]),
      .itmiss_i (info_head[I_ITMISS]),
      .itype_i  (info_head[I_UNIT +: 3] == `TALLY_U_BR ? itype_head : info_head[I_DTYPE +: 4]),
      .mispred_i(misp_head),
      .flags_i  (flags_head),
      .low_i    (low_head),
      .ev_o     (ev_head)
  );
  tally_retired #(
      .EVR_N(EVR_N)
  ) u_ev_behind (
      .unit_i   (info_behind[I_UNIT +: 3]),
      .ls_op_i  (info_behind[I_LS_OP +: 3]),
      .sys_i    (info_behind[I_SYS +: 4]),
      .is_sys_i (sys_behind),
      .rvc_i    (info_behind[I_RVC]),
      .icmiss_i (info_behind[I_ICMISS]),
      .itmiss_i (info_behind[I_ITMISS]),
      .itype_i  (info_behind[I_UNIT +: 3] == `TALLY_U_BR ? itype_behind : info_behind[I_DTYPE +: 4]),
      .mispred_i(misp_behind),
      .flags_i  (flags_behind),
      .low_i    (low_behind),
      .ev_o     (ev_behind)
  );

  always @(posedge clk) begin
    h_ev_q   <= ret_valid_o ? ev_behind : ev_head;
    h_info_q <= info_d;
    h_insn_q <= ret_valid_o ? insn_q[behind] : insn_q[head];
    h_done_q  <= done_d;
    h_plain_q <= done_d && !exc_d && !sys_d;
    h_trap_q  <= done_d && exc_d && !ad_d;
    h_again_q <= done_d && ad_d;
    h_fault_q  <= ret_valid_o ? fault_behind : fault_head;
    h_cause_q  <= ret_valid_o ? cause_behind : cause_head;
    h_exc_q    <= exc_d;
    h_sys_q    <= sys_d;
    h_itype_q   <= itype_d;
    h_mispred_q <= misp_d;
    h_flags_q   <= flags_d;
  end

  assign {h_rd, h_rdwe, h_unit, h_funct3, h_sys, h_ls_op, h_dtype, h_unused[6:2],
          h_half, h_rvc, h_unused[1:0]} = h_info_q;

  wire [XLEN-1:0] h_pc     = npc_q;
  wire [31:0]     h_insn   = h_insn_q;
  wire            h_late   = h_unit == `TALLY_U_MEM || h_unit == `TALLY_U_MUL || h_unit == `TALLY_U_DIV ||
                             h_unit == `TALLY_U_COUNT;
  wire [XLEN-1:0] h_value  = h_late ? late_q[head] : early_q[head];
  wire            h_branch = h_unit == `TALLY_U_BR;
  wire            h_is_sys = h_sys_q;
  wire            h_mem    = h_unit == `TALLY_U_MEM;
  wire [3:0]      h_itype  = h_branch ? h_itype_q : h_dtype;
  wire [6:0]      h_flags  = h_mem ? h_flags_q : 7'b0;
  wire            h_lexc   = h_mem && h_fault_q;
  wire [XLEN-1:0] h_seq    = h_pc + (h_rvc ? 2 : 4);
  wire [XLEN-1:0] h_next   = h_branch ? next_q[head] : h_seq;
  wire            h_ready  = h_done_q;

  wire sys_csr    = h_is_sys && h_sys == `TALLY_SYS_CSR;
  wire sys_ecall  = h_is_sys && h_sys == `TALLY_SYS_ECALL;
  wire sys_ebreak = h_is_sys && h_sys == `TALLY_SYS_EBREAK;
  wire sys_mret   = h_is_sys && h_sys == `TALLY_SYS_MRET;
  wire sys_sret   = h_is_sys && h_sys == `TALLY_SYS_SRET;
  wire sys_wfi    = h_is_sys && h_sys == `TALLY_SYS_WFI;
  wire sys_fence  = h_is_sys && h_sys == `TALLY_SYS_FENCE;
  wire sys_fencei = h_is_sys && h_sys == `TALLY_SYS_FENCEI;
  wire sys_sfence = h_is_sys && h_sys == `TALLY_SYS_SFENCE;

  // What acts at commit does so a cycle later: what it is and whether it may is registered. CSR operands are
  // registered with it; the PMU decodes them in the first cycle in which it sees them and answers in the
  // next. Then it is registered what they mean (legal? does it change the context?), which nothing but the
  // instruction could change: the access is three cycles later. Number 0 is no access.
  reg [11:0]     csr_num_q;
  reg [1:0]      csr_op_q;
  reg [XLEN-1:0] csr_wdata_q;
  reg            csr_ok_q, csr_bad_q, csr_context_q;
  reg            sys_denied_q, sys_trap_q;       // a mode that may not; it traps
  reg            sys_ret_q, sys_wfi_q, sys_fence_q;  // it may; of a fence: nothing is left that it waits for
  reg            sys_refetch_q;                  // ... and it is one that refetches
  wire           stays = !flush_o && !ret_valid_o && !rst;
  wire           asked = h_ready && h_is_sys && stays;
  wire           armed = pipelined_q && stays;

  always @(posedge clk) begin
    asked_q  <= asked;
    pipelined_q <= asked_q && sys_csr && stays;
    armed_q  <= armed;
    sys_denied_q  <= sys_denied;
    sys_trap_q    <= asked && (sys_denied || sys_ecall || sys_ebreak);
    sys_ret_q     <= asked && !sys_denied && (sys_mret || sys_sret);
    sys_wfi_q     <= asked && !sys_denied && sys_wfi;
    sys_fence_q   <= asked && !sys_denied && (sys_fence || sys_fencei || sys_sfence) && mem_idle_i;
    sys_refetch_q <= asked && !sys_denied && (sys_fencei || sys_sfence) && mem_idle_i;
    csr_ok_q      <= armed && !csr_illegal_i;
    csr_bad_q     <= armed && csr_illegal_i;
    csr_context_q <= armed && !csr_illegal_i && csr_context_i;
    csr_num_q   <= h_ready && sys_csr && !flush_o && !ret_valid_o ? h_insn[31:20] : 12'd0;
    // CSRRS and CSRRC write unless their source is x0 (or the immediate 0)
    csr_op_q    <= h_funct3[1] && h_insn[19:15] == 5'd0 ? 2'd0 : h_funct3[1:0];
    csr_wdata_q <= h_value;
  end

  assign csr_num_o   = csr_num_q;
  assign csr_op_o    = csr_op_q;
  assign csr_wdata_o = csr_wdata_q;

  // ---------------------------------------------------------------------------------------------------------
  // Decision of the cycle

  wire below_s    = priv_i == 2'd0;
  wire sys_denied = (sys_mret && priv_i != 2'd3) ||
                    (sys_sret && (below_s || (priv_i == 2'd1 && tsr_i))) ||
                    (sys_wfi && priv_i != 2'd3 && (tw_i || below_s)) ||
                    (sys_sfence && (below_s || (priv_i == 2'd1 && tvm_i)));
  // A WFI that waits completes before its interrupt is taken, and with the clock running, so that its
  // retirement is counted.
  // A CSR access whose meaning is known is performed, and the interrupt comes behind it: so the access does
  // not wait for what is pending.
  reg  open_q;                    // all that, known a cycle ahead
  wire irq        = irq_i && open_q;

  // The oldest may retire, or must not; what it does then. A CSR access never meets hold_i: nothing has
  // retired for three cycles.
  wire free       = !irq && !hold_i;
  wire ready      = h_plain_q || sys_ret_q || (sys_wfi_q && wake_i && !halted_q) || sys_fence_q || csr_ok_q;
  wire fails      = h_trap_q || sys_trap_q || csr_bad_q;
  wire refetches  = sys_ret_q || csr_context_q || sys_refetch_q;

  wire illegal    = sys_denied_q || csr_bad_q;
  wire exception  = free && fails;
  wire replay     = free && h_again_q;
  wire retire;
  wire may_retire = ready && !hold_i;
  tally_and_nand u_retire (.en_i(may_retire), .mask_i(open_q), .late_i(irq_i), .out_o(retire));
  tally_and_nand u_count  (.en_i(may_retire), .mask_i(open_q), .late_i(irq_i), .out_o(ret_count_o));

  wire ad         = replay || (ad_q && !retire && !trap_o);
  wire wfi        = sys_wfi_q && !retire && !irq;   // it begins to wait
  wire turns      = trap_o || mret_o || sret_o || csr_write_i;

  always @(posedge clk) open_q <= !(lsu_nonspec_i || ad || wfi || armed || turns || rst);

  assign csr_valid_o    = armed_q;  // an illegal access changes nothing by itself
  assign trap_o         = irq || exception;
  assign trap_irq_o     = irq;
  assign trap_epc_o     = npc_q;
  assign mret_o         = retire && sys_mret;
  assign sret_o         = retire && sys_sret;
  assign flush_o        = irq || (!hold_i && (fails || h_again_q || refetches));
  assign flush_tlb_o    = retire && sys_sfence;
  assign flush_icache_o = retire && sys_fencei;
  assign st_commit_o    = retire && h_mem && h_ls_op == `TALLY_LS_STORE;
  assign ad_ok_o        = ad_q;
  assign head_valid_o   = !empty;
  assign head_done_o    = h_ready;
  assign head_tag_o     = head;
  assign halted_o       = halted_q;

  reg [3:0] cause;
  always @* begin
    if (h_exc_q)         cause = h_cause_q;
    else if (illegal)    cause = `TALLY_XC_ILLEGAL;
    else if (sys_ebreak) cause = `TALLY_XC_BREAK;
    else                 cause = {2'b10, priv_i};  // environment call
  end
  assign trap_cause_o = cause;

  reg [XLEN-1:0] tval;
  always @* begin
    case (cause)
      `TALLY_XC_IACC,
      `TALLY_XC_IPAGE:   tval = h_pc + (h_half ? 2 : 0);
      `TALLY_XC_ILLEGAL: tval = {{XLEN-32{1'b0}}, h_insn};
      `TALLY_XC_BREAK:   tval = h_pc;
      default:            tval = h_lexc ? h_value : {XLEN{1'b0}};
    endcase
  end
  assign trap_tval_o = irq ? {XLEN{1'b0}} : tval;

  assign flush_pc_o = trap_o   ? trap_target_i :
                      sys_mret ? mepc_i :
                      sys_sret ? sepc_i :
                      replay   ? h_pc : h_seq;

  assign ret_valid_o = retire;
  assign ret_we_o    = retire && h_rdwe;
  assign ret_rd_o    = h_rd;
  assign ret_tag_o   = head;
  assign ret_value_o = sys_csr ? csr_rdata_i : h_value;

  wire [XLEN-1:0] next_pc = sys_ret_q ? (sys_mret ? mepc_i : sepc_i) : h_next;   // if it retires

  // Squash: keep everything up to the mispredicted transfer
  wire [TAG_W-1:0] keep = ex_tag_i - head + ONE_T;
  wire [TAG_W:0]   kept = {keep == {TAG_W{1'b0}}, keep};

  always @(posedge clk) begin
    if (rst) begin
      head_q   <= {TAG_W+1{1'b0}};
      tail_q   <= {TAG_W+1{1'b0}};
      block_q  <= 1'b0;
      ad_q     <= 1'b0;
      halted_q <= 1'b0;
      npc_q    <= 64'h1000;
    end else begin
      if (retire) head_q <= head_q + ONE;

      if (flush_o)           tail_q <= retire ? head_q + ONE : head_q;
      else if (ex_mispred_i) tail_q <= head_q + kept;
      else if (d_valid_i)    tail_q <= tail_q + ONE;

      if (flush_o || ex_mispred_i || (retire && h_is_sys)) block_q <= 1'b0;
      else if (d_valid_i && d_serial)                      block_q <= 1'b1;

      ad_q     <= ad;

      halted_q <= sys_wfi_q && !wake_i && !irq;

      if (trap_o)      npc_q <= trap_target_i;
      else if (retire) npc_q <= next_pc;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // PMU

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

  assign ret_pc_o       = h_pc;
  assign ret_next_pc_o  = retire ? next_pc : npc_q;
  assign ret_flush_pc_o = flush_pc_q;
  assign ret_flushed_o  = flushed_q && empty;

  assign ev_head_o      = h_ev_q;
  assign ev_stall_fe_o  = !halted_q && empty;
  assign ev_stall_be_o  = !halted_q && !empty && !retire;
  assign ev_flush_o     = flush_o;
  assign ev_exception_o = exception;
  assign ev_interrupt_o = irq;
  assign ev_cause_o     = cause;

  assign head_itype_o     = h_itype;
  assign head_mispred_o   = h_branch && h_mispred_q;
  assign head_flags_o     = h_flags;
  assign head_vaddr_o     = h_mem ? vaddr_q[head] : {XLEN{1'b0}};
  assign head_paddr_o     = h_mem ? paddr_q[head] : 56'b0;
  assign head_insn_o      = h_insn;
  assign head_unit_o      = h_unit;
  assign head_ls_op_o     = h_ls_op;
  assign head_funct3_o    = h_funct3;
  assign head_sys_write_o = sys_csr && csr_op_q != 2'd0;
  assign head_sys_ret_o   = sys_mret || sys_sret;

  // What a test bench looks at, by name; no logic depends on it
  /* verilator lint_off UNUSEDSIGNAL */
  wire [TAG_W:0] probe_used = tail_q - head_q;
  wire [3:0]     probe_sys  = h_sys;
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
