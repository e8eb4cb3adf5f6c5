// SPDX-License-Identifier: Apache-2.0
// tally_system - instructions that act at commit: CSR accesses, trap returns, uebret, WFI, fences, ECALL and
// EBREAK.
//
// The oldest instruction and its permission to act are registered: it acts a cycle after it has
// completed. CSR operands are registered with that; the unit decodes them in the first cycle in which it sees
// them and answers in the next. Then legality and change of context are registered, which nothing but the
// instruction itself could change: an access is performed three cycles after its completion, or when the unit
// is ready for it.
// Privileged manual, CSR Instructions; Trap-Return Instructions; Wait for Interrupt; mstatus.TVM, TW, TSR.

`default_nettype none
`include "tally_hart.vh"

module tally_system #(
    parameter XLEN = 64
) (
    input  wire            clk,
    input  wire            rst,

    // the oldest instruction
    input  wire            head_done_i,
    input  wire            head_sys_i,      // it acts at commit
    input  wire [3:0]      head_op_i,
    input  wire [2:0]      head_funct3_i,
    input  wire [31:0]     head_insn_i,
    input  wire [XLEN-1:0] head_value_i,
    input  wire            leaves_i,        // it retires or is flushed (late-arriving)

    // mode, and prohibitions of mstatus
    input  wire [1:0]      priv_i,
    input  wire            tvm_i,
    input  wire            tw_i,
    input  wire            tsr_i,
    input  wire            uebret_denied_i,
    input  wire            mem_idle_i,      // nothing is left that a fence waits for

    // CSR access
    output wire [11:0]     csr_num_o,       // 0: none
    output wire [1:0]      csr_op_o,
    output wire [XLEN-1:0] csr_wdata_o,
    output wire            csr_valid_o,     // performed, if it is legal
    input  wire            csr_ready_i,     // if it stays, it can be performed in the next cycle
    input  wire            csr_illegal_i,
    input  wire            csr_context_i,   // a write changes the context of fetch or memory accesses

    // kind of the instruction
    output wire            is_csr_o,
    output wire            is_ebreak_o,
    output wire            is_mret_o,
    output wire            is_sret_o,
    output wire            is_uebret_o,
    output wire            is_fencei_o,
    output wire            is_sfence_o,

    // registered permissions
    output wire            armed_o,         // not registered: the access is performed in the next cycle
    output wire            ready_o,         // retire: a CSR access, trap return or fence
    output wire            wfi_o,           // wait
    output wire            return_o,        // retire: a trap return or uebret
    output wire            fails_o,         // trap:
    output wire            illegal_o,       // ... with an illegal-instruction exception
    output wire            refetch_o        // flush younger instructions
);
  wire sys_ecall  = head_sys_i && head_op_i == `TALLY_SYS_ECALL;
  wire sys_wfi    = head_sys_i && head_op_i == `TALLY_SYS_WFI;
  wire sys_fence  = head_sys_i && head_op_i == `TALLY_SYS_FENCE;

  assign is_csr_o    = head_sys_i && head_op_i == `TALLY_SYS_CSR;
  assign is_ebreak_o = head_sys_i && head_op_i == `TALLY_SYS_EBREAK;
  assign is_mret_o   = head_sys_i && head_op_i == `TALLY_SYS_MRET;
  assign is_sret_o   = head_sys_i && head_op_i == `TALLY_SYS_SRET;
  assign is_uebret_o = head_sys_i && head_op_i == `TALLY_SYS_UEBRET;
  assign is_fencei_o = head_sys_i && head_op_i == `TALLY_SYS_FENCEI;
  assign is_sfence_o = head_sys_i && head_op_i == `TALLY_SYS_SFENCE;

  wire below_s = priv_i == 2'd0;
  wire denied  = (is_mret_o && priv_i != 2'd3) ||
                 (is_sret_o && (below_s || (priv_i == 2'd1 && tsr_i))) ||
                 (is_uebret_o && uebret_denied_i) ||
                 (sys_wfi && priv_i != 2'd3 && (tw_i || below_s)) ||
                 (is_sfence_o && (below_s || (priv_i == 2'd1 && tvm_i)));

  reg  asked_q;                                // the head is an instruction that acts at commit
  reg  pipelined_q;                            // the unit has had a cycle to decode its CSR access
  reg  armed_q;                                // its legality is known
  reg  denied_q, trap_q;                       // its mode may not; it traps
  reg  return_q, wfi_q, fence_q;               // it may; of a fence: nothing is left that it waits for
  reg  refetch_q;                              // ... and younger instructions are fetched again
  reg  csr_ok_q, csr_bad_q, csr_context_q;
  reg  [11:0] num_q;                           // of the CSR that it accesses
  // A debugger in a test bench writes to a CSR of a hart that it holds (tally_commit): first its number and
  // the value, probe_write when their legality is known. Nothing else writes to them.
  reg             probe_write = 1'b0;
  reg  [11:0]     probe_num   = 12'd0;
  reg  [XLEN-1:0] probe_wdata = {XLEN{1'b0}};

  wire stays = !leaves_i && !rst;
  wire asked = head_done_i && head_sys_i && stays;
  wire armed = pipelined_q && stays && csr_ready_i;
  reg  write_waits_q;
  wire write = probe_write || write_waits_q;

  always @(posedge clk) begin
    asked_q       <= asked;
    pipelined_q   <= asked_q && is_csr_o && stays;
    // The number 0 means no access: the instruction is illegal, and the unit is told nothing.
    armed_q       <= (armed && num_q != 12'd0) || (write && csr_ready_i);
    write_waits_q <= write && !csr_ready_i && !rst;
    denied_q      <= denied;
    trap_q        <= asked && (denied || sys_ecall || is_ebreak_o);
    return_q      <= asked && !denied && (is_mret_o || is_sret_o || is_uebret_o);
    wfi_q         <= asked && !denied && sys_wfi;
    fence_q       <= asked && !denied && (sys_fence || is_fencei_o || is_sfence_o) && mem_idle_i;
    refetch_q     <= asked && !denied && (is_fencei_o || is_sfence_o) && mem_idle_i;
    csr_ok_q      <= armed && !csr_illegal_i;
    csr_bad_q     <= armed && csr_illegal_i;
    csr_context_q <= armed && !csr_illegal_i && csr_context_i;
  end

  assign armed_o   = armed;
  assign ready_o   = return_q || fence_q || csr_ok_q;
  assign wfi_o     = wfi_q;
  assign return_o  = return_q;
  assign fails_o   = trap_q || csr_bad_q;
  assign illegal_o = denied_q || csr_bad_q;
  assign refetch_o = return_q || csr_context_q || refetch_q;

  // Operands of a CSR access
  reg [1:0]      op_q;
  reg [XLEN-1:0] wdata_q;

  always @(posedge clk) begin
    num_q   <= probe_num | (head_done_i && is_csr_o && !leaves_i ? head_insn_i[31:20] : 12'd0);
    // CSRRS and CSRRC write unless their source is x0 (or the immediate 0).
    op_q    <= probe_num != 12'd0 ? 2'd1 :
               head_funct3_i[1] && head_insn_i[19:15] == 5'd0 ? 2'd0 : head_funct3_i[1:0];
    wdata_q <= probe_num != 12'd0 ? probe_wdata : head_value_i;
  end

  assign csr_num_o   = num_q;
  assign csr_op_o    = op_q;
  assign csr_wdata_o = wdata_q;
  assign csr_valid_o = armed_q;   // an illegal access changes nothing by itself

  wire unused_ok = &{1'b0, head_insn_i, head_funct3_i[2]};
endmodule

`default_nettype wire
