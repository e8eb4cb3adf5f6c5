// SPDX-License-Identifier: Apache-2.0
// rocket_tally - the unit beside Rocket's CSR file, in one module with it (rocket.py): its numbers are
// answered here, everything else there.
//
// Rocket asks twice: in ID, whether an access is legal, and in WB for the data. The unit has one access,
// which is WB's in the cycle in which a CSR instruction retires; ID waits for that cycle. A write flushes
// what is younger, so an answer in ID holds until WB. `time` stays Rocket's, which leaves it to firmware.
//
// The trace port tells what retires, and not where a branch goes: that is the pc of the next instruction. So
// lane 1 has the instruction without its direction, and lane 0, with the next one, the direction of a branch.

`include "tally_spec.vh"

`default_nettype none

module rocket_tally (
    input  wire        clk, rst,

    // Rocket: WB, ID
    input  wire [11:0] rw_addr_i,
    input  wire [2:0]  rw_cmd_i,        // 2 read, 5 write, 6 set, 7 clear; bit 2: it is performed
    input  wire [63:0] rw_wdata_i,
    input  wire        retire_i,
    input  wire [31:0] decode_inst_i,
    input  wire        trace_valid_i, trace_exception_i,
    input  wire [39:0] trace_pc_i,
    input  wire [31:0] trace_insn_i,
    input  wire [63:0] cause_i,         // of the exception
    input  wire [1:0]  prv_i,
    input  wire        mie_i, sie_i, debug_i, wfi_i, // mstatus.MIE, SIE

    // the CSR file's answers, and what Rocket gets
    input  wire [63:0] rdata_i,
    input  wire        illegal_i, stall_i, irq_i,
    input  wire [63:0] irq_cause_i,
    output wire [63:0] rdata_o, irq_cause_o, cause_o,
    output wire        illegal_o, stall_o, irq_o
);
  localparam EVR_N = `TALLY_EVR_N, EVC_N = `TALLY_EVC_N, BIT = `TALLY_INT_LCOFI;

  // ---- the access
  wire        in_wb   = retire_i & rw_cmd_i[1:0] != 2'd0;
  wire [2:0]  f3      = decode_inst_i[14:12];
  wire        id_read = f3[1] & decode_inst_i[19:15] == 5'd0;
  wire [11:0] asked   = in_wb ? rw_addr_i : decode_inst_i[31:20];
  wire [11:0] num     = asked == `TALLY_CSR_TIME ? 12'd0 : asked;
  wire [1:0]  op      = in_wb ? rw_cmd_i[1:0] & {2{rw_cmd_i[2]}} : id_read ? 2'd0 : f3[1:0];
  wire        hit, illegal;
  wire [63:0] rdata;
  assign rdata_o   = in_wb & hit ? rdata : is_scause & lcofi_q ? LCOFI : rdata_i | {63'd0, own_bit} << BIT;
  assign illegal_o = hit ? illegal : illegal_i;
  assign stall_o   = stall_i | in_wb;

  // ---- the interrupt, LCOFI: its bits of mip, mie and mideleg, and of sip and sie where it is delegated.
  // Rocket's CSR file has no trap with this cause to S-mode. It gets SEI instead, which firmware delegates,
  // too, and scause is answered here until S-mode traps again or writes it.
  localparam [63:0] INT = 64'd1 << `TALLY_MCAUSE_INT_LSB, LCOFI = INT | BIT, SEI = INT | `TALLY_INT_SEI;
  reg         lcofip_q, lcofie_q, deleg_q, trap_q, trap_lcofi_q, lcofi_q;
  wire        irq_lcofi;
  wire        is_mip    = rw_addr_i == `TALLY_CSR_MIP | rw_addr_i == `TALLY_CSR_SIP & deleg_q;
  wire        is_mie    = rw_addr_i == `TALLY_CSR_MIE | rw_addr_i == `TALLY_CSR_SIE & deleg_q;
  wire        is_deleg  = rw_addr_i == `TALLY_CSR_MIDELEG, is_scause = rw_addr_i == `TALLY_CSR_SCAUSE;
  wire        own_bit   = is_mip & lcofip_q | is_mie & lcofie_q | is_deleg & deleg_q;
  wire        written   = rw_cmd_i[1:0] == 2'd1 ? rw_wdata_i[BIT]
                        : rw_cmd_i[0] ? own_bit & ~rw_wdata_i[BIT] : own_bit | rw_wdata_i[BIT];
  wire        write     = in_wb & rw_cmd_i[2];
  wire        to_s      = deleg_q & cause_i == LCOFI;
  wire        enabled   = deleg_q ? ~prv_i[1] & (~prv_i[0] | sie_i) : ~&prv_i | mie_i;
  always @(posedge clk) begin
    lcofip_q     <= ~rst & (irq_lcofi | (write & is_mip ? written : lcofip_q));
    lcofie_q     <= ~rst & (write & is_mie ? written : lcofie_q);
    deleg_q      <= ~rst & (write & is_deleg ? written : deleg_q);
    trap_q       <= ~rst & trace_valid_i & trace_exception_i;
    trap_lcofi_q <= to_s;
    // a trap went to S-mode if that is the mode behind it
    lcofi_q      <= ~rst & (trap_q & prv_i == 2'd1 ? trap_lcofi_q : lcofi_q & ~(write & is_scause));
  end
  assign irq_o       = irq_i | lcofip_q & lcofie_q & enabled & ~debug_i;
  assign irq_cause_o = irq_i ? irq_cause_i : LCOFI;
  assign cause_o     = to_s ? SEI : cause_i;

  // ---- what retires
  wire             retires = trace_valid_i & ~trace_exception_i;
  wire [EVR_N-1:0] decoded;
  wire [2:0]       kind;
  wire [3:0]       itype;
  tally_rvfi_decode #(.XLEN(64)) u_decode (
      .insn_i(trace_insn_i), .taken_i(1'b0), .wrote_i(1'b1), .event_o(decoded), .type_o(kind), .itype_o(itype)
  );
  wire             branch = decoded[`TALLY_EVR_BR_NT];
  reg              branch_q;            // the last one was a branch
  reg  [39:0]      behind_q;            // ... where it goes if not taken
  reg  [EVR_N-1:0] direction, whole;
  always @* begin
    direction = {EVR_N{1'b0}};
    direction[`TALLY_EVR_BR_TK] = trace_pc_i != behind_q;
    direction[`TALLY_EVR_BR_NT] = trace_pc_i == behind_q;
    whole = decoded;
    whole[`TALLY_EVR_BR_NT] = 1'b0;
  end
  always @(posedge clk) begin
    if (trace_valid_i) branch_q <= retires & branch;
    if (retires) behind_q <= trace_pc_i + (&trace_insn_i[1:0] ? 40'd4 : 40'd2);
    if (rst) branch_q <= 1'b0;
  end

  reg [EVC_N*2-1:0] ev_cycle;
  always @* begin
    ev_cycle = {EVC_N * 2{1'b0}};
    ev_cycle[`TALLY_EVC_CYCLE*2]     = ~wfi_i;
    ev_cycle[`TALLY_EVC_EXCEPTION*2] = trace_valid_i & trace_exception_i & ~cause_i[63];
    ev_cycle[`TALLY_EVC_INTERRUPT*2] = trace_valid_i & trace_exception_i & cause_i[63];
  end

  // ---- the unit; ports that such a host lacks are open or 0
  /* verilator lint_off PINMISSING */
  tally_pmu #(
      .RETIRE_W(2), .EVC_W(2), .SMCSRIND(0), .SMCDELEG(0), .SMSTATEEN(0)
  ) u_pmu (
      .clk(clk), .rst(rst), .csr_valid_i(in_wb & hit), .csr_num_i(num), .csr_op_i(op),
      .csr_wdata_i(rw_wdata_i), .csr_priv_i(prv_i), .csr_v_i(1'b0), .csr_hit_o(hit), .csr_illegal_o(illegal),
      .csr_rdata_o(rdata), .env_cde_i(1'b0), .env_pdiss_i(1'b0), .env_pdisv_i(1'b0),
      .env_mstateen0_i(64'd0), .env_hstateen0_i(64'd0), .env_sstateen0_i(32'd0), .env_hcounteren_i(32'd0),
      .env_lcofip_i(lcofip_q), .env_time_i(64'd0), .env_htimedelta_i(64'd0), .env_tlb_inval_i(1'b0),
      .mode_priv_i(prv_i), .mode_v_i(1'b0), .mode_stopcount_i(debug_i), .mode_debug_i(debug_i),
      .mode_halted_i(wfi_i), .ev_retire_i({whole, direction}), .ev_cycle_i(ev_cycle), .dec_valid_i(1'b0),
      .dec_pc_i(64'd0), .dec_type_i(3'd0), .dec_mode_i(3'd0), .trk_dispatched_i(1'b0), .trk_issued_i(1'b0),
      .trk_completed_i(1'b0), .trk_oldest_i(1'b0), .trk_retired_i(1'b0), .trk_trapped_i(1'b0),
      .trk_flushed_i(1'b0), .trk_flush_why_i(2'd0), .trk_flush_pc_i(64'd0), .trk_itype_i(4'd0),
      .trk_mispred_i(1'b0), .trk_itmiss_i(1'b0), .trk_icmiss_i(1'b0), .trk_l1miss_i(1'b0),
      .trk_llmiss_i(1'b0), .trk_l1tlbmiss_i(1'b0), .trk_lltlbmiss_i(1'b0), .trk_dsrc_i(4'd0),
      .trk_ev_i({EVR_N{1'b0}}), .trk_vaddr_i(64'd0), .trk_paddr_i(64'd0), .trk_target_i(64'd0),
      .ret_valid_i({retires, trace_valid_i & branch_q}), .ret_pc_i(128'd0), .ret_mode_i(6'd0),
      .ret_next_pc_i(64'd0), .ret_flush_pc_i(64'd0), .ret_flushed_i(1'b0), .ret_uebret_i(1'b0),
      .ret_uebret_ge_i(1'b0), .irq_lcofi_o(irq_lcofi), .ebb_ack_i(1'b0), .rec_ready_i(1'b0),
      .rec_done_i(1'b0), .xlat_done_i(1'b0), .xlat_fault_i(1'b0), .xlat_paddr_i(56'd0)
  );
  /* verilator lint_on PINMISSING */

  wire unused_ok = &{1'b0, kind, itype, f3[2], decode_inst_i[11:0]};
endmodule

`default_nettype wire
