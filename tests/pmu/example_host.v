// SPDX-License-Identifier: Apache-2.0
// example_host - a minimal host of tally_pmu: it meets the contract of docs/integration.md, no more.
//
// One instruction a cycle from a list in the bench. An instruction works (any non-CSR instruction),
// accesses a CSR, returns from a trap or an event-based branch, or waits for an interrupt. Modes M, S and U;
// traps go to M-mode.
// The guide shows pieces of this file, which a test compares.

`include "tally_spec.vh"

`default_nettype none

module example_host #(parameter COUNTER_RAM = 0, parameter CSR_PIPELINE = 0) (
    input  wire        clk, rst,
    output reg  [63:0] pc_q,           // instruction at hand
    input  wire [1:0]  insn_kind_i,    // 0 works, 1 CSR, 2 MRET, with insn_op_i not 0 uebret, 3 WFI
    input  wire [11:0] insn_num_i,
    input  wire [1:0]  insn_op_i,      // 0 none (CSRRS or CSRRC of x0), 1 CSRRW, 2 CSRRS, 3 CSRRC
    // rs1 of a CSR instruction; operand of uebret; ev_retire of an instruction that works, without INST
    input  wire [63:0] insn_data_i,
    output wire [63:0] result_o,       // what a CSR instruction reads
    output wire        retire_o, trap_o
);
  localparam [11:0] MENVCFG = `TALLY_CSR_MENVCFG, MSTATEEN0 = `TALLY_CSR_MSTATEEN0, MIP = `TALLY_CSR_MIP,
                    MSTATUS = `TALLY_CSR_MSTATUS, MEPC = `TALLY_CSR_MEPC;

  wire        pmu_hit, pmu_illegal, pmu_virtual, set_lcofip, ebb_req, uebret_illegal, uebret_virtual;
  wire [63:0] pmu_rdata, ebb_target, ebb_return;
  wire [3:0]  ret_max;

  // ---- the host's own state
  reg  [1:0]  priv_q, mpp_q;
  reg         mie_q, mpie_q, lcofip_q, halted_q, access_q;
  reg  [63:0] time_q, menvcfg_q, mstateen0_q, mepc_q;
  wire        is_csr = insn_kind_i == 2'd1, write = insn_op_i != 2'd0;
  wire        is_uebret = insn_kind_i == 2'd2 & write, is_mret = insn_kind_i == 2'd2 & ~write;

  // Offered as soon as the instruction is at hand; the answers are there when `run` is 1.
  wire [11:0] num       = is_csr ? insn_num_i : 12'd0;   // 0: no access, whatever the instruction holds
  wire        own       = num == MENVCFG | num == MSTATEEN0 | num == MIP | num == MSTATUS | num == MEPC;
  wire        exception = is_csr & (pmu_hit ? pmu_illegal | pmu_virtual : ~own | priv_q < num[9:8])
                        | is_uebret & (uebret_illegal | uebret_virtual);

  // The limit of retirement. With CSR_PIPELINE it is 0 in the first cycle of an access, which the host knows
  // by itself: access_q is 1 from the second on. With COUNTER_RAM it takes ret_max_o: csr_ready_next_o tells
  // a cycle earlier, but from the second cycle on, and each access would wait longer.
  wire hold = COUNTER_RAM != 0 ? ret_max == 4'd0 : CSR_PIPELINE != 0 & num != 12'd0 & ~access_q;

  // An interrupt, else an event-based branch is taken between instructions; nothing retires while the unit or
  // the clock says so.
  wire interrupt = lcofip_q & (mie_q | priv_q != 2'd3) & ~halted_q;
  wire run       = ~halted_q & ~hold;
  wire branch    = run & ebb_req & ~interrupt;
  wire retire    = run & ~interrupt & ~branch & ~exception;
  wire trap      = interrupt | run & exception & ~branch;
  assign {retire_o, trap_o} = {retire, trap};

  // The bits of the instruction, whether it retires or not; counts of what happens in the cycle.
  wire [`TALLY_EVR_N-1:0] work = insn_kind_i == 2'd0 ? insn_data_i[`TALLY_EVR_N-1:0] : {`TALLY_EVR_N{1'b0}};
  reg  [`TALLY_EVR_N-1:0] ev_retire;
  reg  [`TALLY_EVC_N-1:0] ev_cycle;
  always @* begin
    ev_retire = work;
    ev_retire[`TALLY_EVR_INST] = 1'b1;
    ev_retire[`TALLY_EVR_CSR]  = is_csr;
    ev_retire[`TALLY_EVR_TRET] = insn_kind_i == 2'd2;
    ev_cycle = {`TALLY_EVC_N{1'b0}};
    ev_cycle[`TALLY_EVC_CYCLE]     = ~halted_q;
    ev_cycle[`TALLY_EVC_INTERRUPT] = interrupt;
    ev_cycle[`TALLY_EVC_EXCEPTION] = trap & ~interrupt;
  end

  // A set by the unit wins over a clear by software in the same cycle.
  wire mip_write = is_csr & retire & write & num == MIP;
  wire lcofi_bit = insn_data_i[`TALLY_INT_LCOFI];
  wire lcofip_sw = insn_op_i == 2'd3 ? lcofip_q & ~lcofi_bit : lcofi_bit | insn_op_i == 2'd2 & lcofip_q;
  always @(posedge clk) lcofip_q <= ~rst & (set_lcofip | (mip_write ? lcofip_sw : lcofip_q));

  tally_pmu #(.COUNTER_RAM(COUNTER_RAM), .CSR_PIPELINE(CSR_PIPELINE), .EBB(1)) u_pmu (
      .clk(clk), .rst(rst), .csr_valid_i(is_csr & retire), .csr_num_i(num), .csr_op_i(insn_op_i),
      .csr_wdata_i(insn_data_i), .csr_priv_i(priv_q), .csr_v_i(1'b0), .csr_hit_o(pmu_hit),
      .csr_illegal_o(pmu_illegal), .csr_virtual_o(pmu_virtual), .csr_rdata_o(pmu_rdata), .csr_tm_o(),
      .csr_ready_next_o(), .env_cde_i(menvcfg_q[`TALLY_MENVCFG_CDE_LSB]), .env_pdiss_i(1'b0),
      .env_pdisv_i(1'b0), .env_mstateen0_i(mstateen0_q), .env_hstateen0_i(64'd0), .env_sstateen0_i(32'd1),
      .env_hcounteren_i(32'd0), .env_lcofip_i(lcofip_q), .env_time_i(time_q), .env_htimedelta_i(64'd0),
      .env_tlb_inval_i(1'b0), .mode_priv_i(priv_q), .mode_v_i(1'b0), .mode_stopcount_i(1'b0),
      .mode_debug_i(1'b0), .mode_halted_i(halted_q), .ev_retire_i(ev_retire), .ev_cycle_i(ev_cycle),
      .dec_valid_i(retire), .dec_pc_i(pc_q), .dec_mode_i({1'b0, priv_q}), .dec_sample_o(),
      .dec_type_i({insn_kind_i == 2'd2, work[`TALLY_EVR_STORE], work[`TALLY_EVR_LOAD]}), .ret_valid_i(retire),
      .ret_pc_i(pc_q), .ret_mode_i({1'b0, priv_q}), .ret_next_pc_i(pc_q), .ret_flush_pc_i(64'd0),
      .ret_flushed_i(1'b0), .ret_uebret_i(is_uebret & retire), .ret_uebret_ge_i(insn_data_i[0]),
      .ret_max_o(ret_max), .irq_lcofi_o(set_lcofip), .irq_lambi_o(), .irq_andes_o(), .ebb_req_o(ebb_req),
      .ebb_target_o(ebb_target), .ebb_ack_i(branch), .ebb_return_o(ebb_return),
      .uebret_illegal_o(uebret_illegal), .uebret_virtual_o(uebret_virtual), .trk_dispatched_i(1'b0),
      .trk_issued_i(1'b0), .trk_completed_i(1'b0), .trk_oldest_i(1'b0), .trk_retired_i(1'b0),
      .trk_trapped_i(1'b0), .trk_flushed_i(1'b0), .trk_flush_why_i(2'd0), .trk_flush_pc_i(64'd0),
      .trk_itype_i(4'd0), .trk_mispred_i(1'b0), .trk_itmiss_i(1'b0), .trk_icmiss_i(1'b0), .trk_l1miss_i(1'b0),
      .trk_llmiss_i(1'b0), .trk_l1tlbmiss_i(1'b0), .trk_lltlbmiss_i(1'b0), .trk_dsrc_i(4'd0),
      .trk_ev_i({`TALLY_EVR_N{1'b0}}), .trk_vaddr_i(64'd0), .trk_paddr_i(64'd0), .trk_target_i(64'd0),
      .rec_valid_o(), .rec_ready_i(1'b0), .rec_addr_o(), .rec_data_o(), .rec_done_i(1'b0), .xlat_req_o(),
      .xlat_vaddr_o(), .xlat_mode_o(), .xlat_done_i(1'b0), .xlat_fault_i(1'b0), .xlat_paddr_i(56'd0)
  );

  // ---- the rest of the hart: its CSRs, traps, modes
  assign result_o = pmu_hit ? pmu_rdata : num == MENVCFG ? menvcfg_q : num == MSTATEEN0 ? mstateen0_q
                  : num == MIP     ? {63'd0, lcofip_q} << `TALLY_INT_LCOFI
                  : num == MSTATUS ? {51'd0, mpp_q, 3'd0, mpie_q, 3'd0, mie_q, 3'd0} : mepc_q;
  wire own_we = is_csr & retire & ~pmu_hit & insn_op_i == 2'd1;  // the others are not needed here

  always @(posedge clk) begin
    time_q   <= rst ? 64'd0 : time_q + 64'd1;
    access_q <= ~rst & num != 12'd0 & ~retire & ~trap & ~branch;
    halted_q <= ~rst & (halted_q | retire & insn_kind_i == 2'd3) & ~lcofip_q & ~set_lcofip;
    if (rst) begin
      {priv_q, mpp_q, mie_q, mpie_q, pc_q, menvcfg_q, mstateen0_q, mepc_q} <= {4'b1111, 2'b00, 256'd0};
    end else if (trap) begin
      {mepc_q, pc_q} <= {pc_q, 64'h1000};   // the vector
      {mpp_q, priv_q, mpie_q, mie_q} <= {priv_q, 2'd3, mie_q, 1'b0};
    end else if (branch) pc_q <= ebb_target;
    else if (retire) begin
      pc_q <= is_mret ? mepc_q : is_uebret ? ebb_return : pc_q + 64'd4;
      if (is_mret) {priv_q, mie_q} <= {mpp_q, mpie_q};
      if (own_we & num == MENVCFG) menvcfg_q <= insn_data_i;
      if (own_we & num == MSTATEEN0) mstateen0_q <= insn_data_i;
      if (own_we & num == MEPC) mepc_q <= insn_data_i;
      if (own_we & num == MSTATUS)
        {mpp_q, mpie_q, mie_q} <= {insn_data_i[12:11], insn_data_i[7], insn_data_i[3]};
    end
  end
endmodule

`default_nettype wire
