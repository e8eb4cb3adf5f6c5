// SPDX-License-Identifier: Apache-2.0
// rvfi_unit_top - tally_rvfi and tally_pmu of the same lanes and XLEN, for rvfi_unit_test.cpp. Accesses of
// CSRs come from ports; the socket's outputs go to the golden unit, too.

`include "tally_spec.vh"

`default_nettype none

module rvfi_unit_top #(
    parameter XLEN  = 64,
    parameter NRET  = 2,
    parameter EVC_W = $clog2(NRET + 1),  // not to be changed at an instance
    parameter EVR_N = `TALLY_EVR_N,      // likewise
    parameter EVC_N = `TALLY_EVC_N       // likewise
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [NRET-1:0]        rvfi_valid_i,
    input  wire [NRET*32-1:0]     rvfi_insn_i,
    input  wire [NRET-1:0]        rvfi_trap_i,
    input  wire [NRET-1:0]        rvfi_intr_i,
    input  wire [NRET*2-1:0]      rvfi_mode_i,
    input  wire [NRET*XLEN-1:0]   rvfi_pc_rdata_i,
    input  wire [NRET*XLEN-1:0]   rvfi_pc_wdata_i,
    input  wire                   csr_valid_i,
    input  wire [11:0]            csr_num_i,
    input  wire [1:0]             csr_op_i,
    input  wire [XLEN-1:0]        csr_wdata_i,
    input  wire [1:0]             csr_priv_i,
    input  wire                   lcofip_i,
    output wire                   csr_hit_o,
    output wire                   csr_illegal_o,
    output wire [XLEN-1:0]        csr_rdata_o,
    output wire                   irq_lcofi_o,
    output wire [1:0]             mode_priv_o,
    output wire [NRET*EVR_N-1:0]  ev_retire_o,
    output wire [EVC_N*EVC_W-1:0] ev_cycle_o,
    output wire [NRET-1:0]        ret_valid_o,
    output wire [NRET*XLEN-1:0]   ret_pc_o,
    output wire [NRET*3-1:0]      ret_mode_o,
    output wire [XLEN-1:0]        ret_next_pc_o
);
  wire mode_halted;
  // Outputs of sampling, branches and the checker are open on purpose: only counting is compared here, and
  // the others have tests of their own:
  /* verilator lint_off PINCONNECTEMPTY */
  tally_rvfi #(.XLEN(XLEN), .NRET(NRET), .CHECK(0)) u_rvfi (
      .clk(clk), .rst(rst), .rvfi_valid_i(rvfi_valid_i), .rvfi_order_i({NRET * 64{1'b0}}),
      .rvfi_insn_i(rvfi_insn_i), .rvfi_trap_i(rvfi_trap_i), .rvfi_halt_i({NRET{1'b0}}),
      .rvfi_intr_i(rvfi_intr_i), .rvfi_mode_i(rvfi_mode_i), .rvfi_ixl_i({NRET * 2{1'b0}}),
      .rvfi_pc_rdata_i(rvfi_pc_rdata_i), .rvfi_pc_wdata_i(rvfi_pc_wdata_i),
      .rvfi_mem_addr_i({NRET * XLEN{1'b0}}), .rvfi_mem_rmask_i({NRET * XLEN / 8{1'b0}}),
      .rvfi_mem_wmask_i({NRET * XLEN / 8{1'b0}}), .halted_i(1'b0), .mode_priv_o(mode_priv_o),
      .mode_halted_o(mode_halted), .ev_retire_o(ev_retire_o), .ev_cycle_o(ev_cycle_o),
      .ret_valid_o(ret_valid_o), .ret_pc_o(ret_pc_o), .ret_mode_o(ret_mode_o), .ret_next_pc_o(ret_next_pc_o),
      .dec_valid_o(), .dec_pc_o(), .dec_type_o(), .dec_mode_o(), .dec_sample_i(1'b0), .trk_retired_o(),
      .trk_trapped_o(), .trk_itype_o(), .trk_ev_o(), .trk_vaddr_o(), .trk_target_o(), .broken_o(),
      .broken_seen_o(), .broken_rule_o()
  );
  tally_pmu #(
      .XLEN(XLEN), .RETIRE_W(NRET), .EVC_W(EVC_W), .HPM_N(4), .SMCNTRPMF(0), .SMCSRIND(0), .SMCDELEG(0),
      .SMSTATEEN(0), .SWEVENT(0), .SMALL_EVENTS(1), .SSPESA(1)
  ) u_pmu (
      .clk(clk), .rst(rst), .csr_valid_i(csr_valid_i), .csr_num_i(csr_num_i), .csr_op_i(csr_op_i),
      .csr_wdata_i(csr_wdata_i), .csr_priv_i(csr_priv_i), .csr_v_i(1'b0), .csr_hit_o(csr_hit_o),
      .csr_illegal_o(csr_illegal_o), .csr_virtual_o(), .csr_rdata_o(csr_rdata_o), .csr_tm_o(),
      .csr_ready_next_o(), .env_cde_i(1'b0), .env_pdiss_i(1'b0), .env_pdisv_i(1'b0), .env_mstateen0_i(64'd0),
      .env_hstateen0_i(64'd0), .env_sstateen0_i(32'd0), .env_hcounteren_i(32'd0), .env_lcofip_i(lcofip_i),
      .env_time_i(64'd0), .env_htimedelta_i(64'd0), .env_tlb_inval_i(1'b0), .mode_priv_i(mode_priv_o),
      .mode_v_i(1'b0), .mode_stopcount_i(1'b0), .mode_debug_i(1'b0), .mode_halted_i(mode_halted),
      .ev_retire_i(ev_retire_o), .ev_cycle_i(ev_cycle_o), .dec_valid_i(1'b0), .dec_pc_i({XLEN{1'b0}}),
      .dec_type_i(3'd0), .dec_mode_i(3'd0), .dec_sample_o(), .trk_dispatched_i(1'b0), .trk_issued_i(1'b0),
      .trk_completed_i(1'b0), .trk_oldest_i(1'b0), .trk_retired_i(1'b0), .trk_trapped_i(1'b0),
      .trk_flushed_i(1'b0), .trk_flush_why_i(2'd0), .trk_flush_pc_i({XLEN{1'b0}}), .trk_itype_i(4'd0),
      .trk_mispred_i(1'b0), .trk_itmiss_i(1'b0), .trk_icmiss_i(1'b0), .trk_l1miss_i(1'b0),
      .trk_llmiss_i(1'b0), .trk_l1tlbmiss_i(1'b0), .trk_lltlbmiss_i(1'b0), .trk_dsrc_i(4'd0),
      .trk_ev_i({EVR_N{1'b0}}), .trk_vaddr_i({XLEN{1'b0}}), .trk_paddr_i(64'd0), .trk_target_i({XLEN{1'b0}}),
      .ret_valid_i(ret_valid_o), .ret_pc_i(ret_pc_o), .ret_mode_i(ret_mode_o), .ret_next_pc_i(ret_next_pc_o),
      .ret_flush_pc_i({XLEN{1'b0}}), .ret_flushed_i(1'b0), .ret_uebret_i(1'b0), .ret_uebret_ge_i(1'b0),
      .ret_max_o(), .irq_lcofi_o(irq_lcofi_o), .irq_lambi_o(), .irq_andes_o(), .ebb_req_o(), .ebb_target_o(),
      .ebb_ack_i(1'b0), .ebb_return_o(), .uebret_illegal_o(), .uebret_virtual_o(), .rec_valid_o(),
      .rec_ready_i(1'b0), .rec_addr_o(), .rec_data_o(), .rec_done_i(1'b0), .xlat_req_o(), .xlat_vaddr_o(),
      .xlat_mode_o(), .xlat_done_i(1'b0), .xlat_fault_i(1'b0), .xlat_paddr_i(56'd0)
  );
  /* verilator lint_on PINCONNECTEMPTY */
endmodule

`default_nettype wire
