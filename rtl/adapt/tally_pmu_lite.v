// SPDX-License-Identifier: Apache-2.0
// tally_pmu_lite - tally_pmu as a small core wants it: RVFI in, registers on a bus, one interrupt.
// Everything that such a core does not have is tied off here (docs/cores.md, A small core).
//
// The counters of 64 bits are in a RAM; the overflow interrupt is a level until software clears 0x344[13],
// and shpmspc is the pc of the instruction that overflowed. With WINDOWS=1 there is M-mode only. A front
// (tally_bus_wb, _apb, _axil) makes the request port a bus. With SMPDIS instructions are sampled, by M-mode
// alone, and the records leave at the write port, which tally_records_wb, _apb or _axil makes a master's.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_lite #(
    parameter XLEN    = 32,
    parameter HPM_N   = 4,   // programmable counters
    parameter WINDOWS = 1,   // 1: M-mode; 3: M, S, U
    parameter ALIASES = 0,   // 1: every register has aliases that set and clear bits
    parameter SSPESA  = 1,   // exact pc of an overflow
    parameter SMPDIS  = 0,   // sampling of instructions
    parameter ADDR_W  = 32,  // ... bits of a bus address
    parameter CHECK   = 0,   // tally_rvfi_check
    parameter COUNTER_RAM = 1,
    parameter RULES   = 8    // not to be changed at an instance
) (
    input  wire              clk,
    input  wire              rst,

    // the core's RVFI. One without it gives valid, and insn 32'h13; other inputs are 0 (mode: 3)
    input  wire              rvfi_valid_i,
    input  wire [63:0]       rvfi_order_i,     // with CHECK; halt and ixl too
    input  wire [31:0]       rvfi_insn_i,
    input  wire              rvfi_trap_i,
    input  wire              rvfi_halt_i,
    input  wire              rvfi_intr_i,
    input  wire [1:0]        rvfi_mode_i,
    input  wire [1:0]        rvfi_ixl_i,
    input  wire [XLEN-1:0]   rvfi_pc_rdata_i,
    input  wire [XLEN-1:0]   rvfi_pc_wdata_i,
    input  wire [XLEN-1:0]   rvfi_mem_addr_i,  // with SMPDIS; mem_rmask too
    input  wire [XLEN/8-1:0] rvfi_mem_rmask_i,
    input  wire [XLEN/8-1:0] rvfi_mem_wmask_i,
    input  wire              halted_i,         // the core sleeps
    // pulses, each an event (docs/cores.md): from bit 0 STALL_FE, BR_EXEC, BR_REDIRECT, FLUSH,
    // L1I_RD, L1I_RD_MISS, L1D_LD_SPEC, L1D_LD_MISS_SPEC, L1D_REFILL, BUS_RD, BUS_WR, INTERRUPT
    input  wire [11:0]       events_i,

    // registers (tally_pmu_bus)
    input  wire              req_valid_i,
    input  wire              req_write_i,
    input  wire              req_word_i,
    input  wire [18:2]       req_addr_i,
    input  wire [31:0]       req_wdata_i,
    output wire              rsp_valid_o,
    output wire              rsp_error_o,
    output wire [31:0]       rsp_rdata_o,

    // sample records (tally_records); 0 without SMPDIS
    output wire              write_valid_o,
    output wire [ADDR_W-1:2] write_addr_o,
    output wire [31:0]       write_data_o,
    input  wire              write_done_i,
    input  wire              write_error_i,

    output wire              irq_o,            // an overflow, a sample, or the buffer of samples (0x344)
    output wire [RULES-1:0]  broken_seen_o     // tally_rvfi_check: rules that were broken
);
  localparam EVR_N = `TALLY_EVR_N, EVC_N = `TALLY_EVC_N;

  // ---- RVFI
  wire [1:0]       mode_priv;
  wire             mode_halted, ret_valid;
  wire [EVR_N-1:0] ev_retire;
  wire [EVC_N-1:0] ev_rvfi;
  wire [XLEN-1:0]  ret_pc, ret_next_pc;
  wire [2:0]       ret_mode;
  wire             dec_sample, dec_valid, trk_retired, trk_trapped;
  wire [XLEN-1:0]  dec_pc, trk_vaddr, trk_target;
  wire [2:0]       dec_type, dec_mode;
  wire [3:0]       trk_itype;
  wire [EVR_N-1:0] trk_ev;
  wire [RULES-1:0] broken;
  wire [39:0]      broken_rule;
  tally_rvfi #(.XLEN(XLEN), .CHECK(CHECK)) u_rvfi (
      .clk(clk), .rst(rst), .rvfi_valid_i(rvfi_valid_i), .rvfi_order_i(rvfi_order_i),
      .rvfi_insn_i(rvfi_insn_i),
      .rvfi_trap_i(rvfi_trap_i), .rvfi_halt_i(rvfi_halt_i), .rvfi_intr_i(rvfi_intr_i),
      .rvfi_mode_i(WINDOWS == 1 ? 2'd3 : rvfi_mode_i), .rvfi_ixl_i(rvfi_ixl_i),
      .rvfi_pc_rdata_i(rvfi_pc_rdata_i), .rvfi_pc_wdata_i(rvfi_pc_wdata_i), .rvfi_mem_addr_i(rvfi_mem_addr_i),
      .rvfi_mem_rmask_i(rvfi_mem_rmask_i), .rvfi_mem_wmask_i(rvfi_mem_wmask_i), .halted_i(halted_i),
      .mode_priv_o(mode_priv), .mode_halted_o(mode_halted), .ev_retire_o(ev_retire), .ev_cycle_o(ev_rvfi),
      .ret_valid_o(ret_valid), .ret_pc_o(ret_pc), .ret_mode_o(ret_mode), .ret_next_pc_o(ret_next_pc),
      .dec_valid_o(dec_valid), .dec_pc_o(dec_pc), .dec_type_o(dec_type), .dec_mode_o(dec_mode),
      .dec_sample_i(dec_sample), .trk_retired_o(trk_retired), .trk_trapped_o(trk_trapped),
      .trk_itype_o(trk_itype), .trk_ev_o(trk_ev), .trk_vaddr_o(trk_vaddr), .trk_target_o(trk_target),
      .broken_o(broken), .broken_seen_o(broken_seen_o), .broken_rule_o(broken_rule)
  );
  reg [EVC_N-1:0] ev_cycle;
  always @* begin
    ev_cycle = ev_rvfi;
    ev_cycle[`TALLY_EVC_STALL_FE]         = events_i[0];
    ev_cycle[`TALLY_EVC_BR_EXEC]          = events_i[1];
    ev_cycle[`TALLY_EVC_BR_REDIRECT]      = events_i[2];
    ev_cycle[`TALLY_EVC_FLUSH]            = events_i[3];
    ev_cycle[`TALLY_EVC_L1I_RD]           = events_i[4];
    ev_cycle[`TALLY_EVC_L1I_RD_MISS]      = events_i[5];
    ev_cycle[`TALLY_EVC_L1D_LD_SPEC]      = events_i[6];
    ev_cycle[`TALLY_EVC_L1D_LD_MISS_SPEC] = events_i[7];
    ev_cycle[`TALLY_EVC_L1D_REFILL]       = events_i[8];
    ev_cycle[`TALLY_EVC_BUS_RD]           = events_i[9];
    ev_cycle[`TALLY_EVC_BUS_WR]           = events_i[10];
    ev_cycle[`TALLY_EVC_INTERRUPT]        = events_i[11] | ev_rvfi[`TALLY_EVC_INTERRUPT];
  end

  // ---- registers
  wire            csr_valid, csr_hit, csr_illegal, csr_virtual, irq_lcofi, irq_lambi, irq_andes, lcofip,
                  lambip, andesp;
  wire [11:0]     csr_num;
  wire [1:0]      csr_op, csr_priv;
  wire [XLEN-1:0] csr_wdata, csr_rdata;
  wire [3:0]      ret_max;
  tally_pmu_bus #(.XLEN(XLEN), .WINDOWS(WINDOWS), .ALIASES(ALIASES), .SMPDIS(SMPDIS)) u_bus (
      .clk(clk), .rst(rst), .req_valid_i(req_valid_i), .req_write_i(req_write_i), .req_word_i(req_word_i),
      .req_addr_i(req_addr_i), .req_wdata_i(req_wdata_i), .rsp_valid_o(rsp_valid_o),
      .rsp_error_o(rsp_error_o),
      .rsp_rdata_o(rsp_rdata_o), .csr_valid_o(csr_valid), .csr_num_o(csr_num), .csr_op_o(csr_op),
      .csr_wdata_o(csr_wdata), .csr_priv_o(csr_priv), .csr_hit_i(csr_hit), .csr_illegal_i(csr_illegal),
      .csr_virtual_i(csr_virtual), .csr_rdata_i(csr_rdata), .ready_i(ret_max != 4'd0),
      .irq_lcofi_i(irq_lcofi), .irq_lambi_i(irq_lambi), .irq_andes_i(irq_andes),
      .lcofip_o(lcofip), .lambip_o(lambip), .andesp_o(andesp)
  );

  assign irq_o = lcofip | lambip;

  // ---- sample records
  wire            rec_valid, rec_ready, rec_done, xlat_req, xlat_done, xlat_fault, tlb_inval;
  wire [55:0]     rec_addr, xlat_paddr;
  wire [63:0]     rec_data;
  wire [XLEN-1:0] xlat_vaddr;
  wire [1:0]      xlat_mode;
  generate
    if (SMPDIS != 0) begin : g_records
      tally_records #(.XLEN(XLEN), .ADDR_W(ADDR_W)) u_records (
          .clk(clk), .rst(rst), .rec_valid_i(rec_valid), .rec_ready_o(rec_ready), .rec_addr_i(rec_addr),
          .rec_data_i(rec_data), .rec_done_o(rec_done), .xlat_req_i(xlat_req), .xlat_vaddr_i(xlat_vaddr),
          .xlat_mode_i(xlat_mode), .xlat_done_o(xlat_done), .xlat_fault_o(xlat_fault),
          .xlat_paddr_o(xlat_paddr), .tlb_inval_o(tlb_inval), .write_valid_o(write_valid_o),
          .write_addr_o(write_addr_o), .write_data_o(write_data_o), .write_done_i(write_done_i),
          .write_error_i(write_error_i)
      );
    end else begin : g_no_records
      assign {rec_ready, rec_done, xlat_done, xlat_fault, xlat_paddr, tlb_inval} = 61'd0;
      assign {write_valid_o, write_addr_o, write_data_o} = {ADDR_W + 31{1'b0}};
      wire unused_ok = &{1'b0, rec_valid, rec_addr, rec_data, xlat_req, xlat_vaddr, xlat_mode, write_done_i,
                         write_error_i};
    end
  endgenerate

  // ---- the unit
  wire            csr_tm, csr_ready_next, ebb_req, uebret_illegal, uebret_virtual;
  wire [XLEN-1:0] ebb_return, ebb_target;
  tally_pmu #(
      .XLEN(XLEN), .HPM_N(HPM_N), .SMCNTRPMF(0), .SMCSRIND(SMPDIS), .SMCDELEG(0), .SMSTATEEN(SMPDIS),
      .SWEVENT(0), .SMALL_EVENTS(SMPDIS == 0), .SSPESA(SSPESA), .SMPDIS(SMPDIS), .COUNTER_RAM(COUNTER_RAM)
  ) u_pmu (
      .clk(clk), .rst(rst),
      .csr_valid_i(csr_valid), .csr_num_i(csr_num), .csr_op_i(csr_op), .csr_wdata_i(csr_wdata),
      .csr_priv_i(csr_priv), .csr_v_i(1'b0), .csr_hit_o(csr_hit), .csr_illegal_o(csr_illegal),
      .csr_virtual_o(csr_virtual), .csr_rdata_o(csr_rdata), .csr_tm_o(csr_tm),
      .csr_ready_next_o(csr_ready_next),
      .env_cde_i(1'b0), .env_pdiss_i(1'b0), .env_pdisv_i(1'b0), .env_mstateen0_i(64'd0),
      .env_hstateen0_i(64'd0),
      .env_sstateen0_i(32'd0), .env_hcounteren_i(32'd0), .env_lcofip_i(lcofip), .env_time_i(64'd0),
      .env_htimedelta_i(64'd0),
      .env_tlb_inval_i(tlb_inval),
      .mode_priv_i(mode_priv), .mode_v_i(1'b0), .mode_stopcount_i(1'b0), .mode_debug_i(1'b0),
      .mode_halted_i(mode_halted),
      .ev_retire_i(ev_retire), .ev_cycle_i(ev_cycle),
      .dec_valid_i(dec_valid & SMPDIS != 0), .dec_pc_i(dec_pc), .dec_type_i(dec_type), .dec_mode_i(dec_mode),
      .dec_sample_o(dec_sample),
      .trk_dispatched_i(1'b0), .trk_issued_i(1'b0), .trk_completed_i(1'b0), .trk_oldest_i(1'b0),
      .trk_retired_i(trk_retired), .trk_trapped_i(trk_trapped), .trk_flushed_i(1'b0), .trk_flush_why_i(2'd0),
      .trk_flush_pc_i({XLEN{1'b0}}), .trk_itype_i(trk_itype), .trk_mispred_i(1'b0), .trk_itmiss_i(1'b0),
      .trk_icmiss_i(1'b0), .trk_l1miss_i(1'b0), .trk_llmiss_i(1'b0), .trk_l1tlbmiss_i(1'b0),
      .trk_lltlbmiss_i(1'b0), .trk_dsrc_i(4'd0), .trk_ev_i(trk_ev), .trk_vaddr_i(trk_vaddr),
      .trk_paddr_i(64'd0), .trk_target_i(trk_target),
      .ret_valid_i(ret_valid), .ret_pc_i(ret_pc), .ret_mode_i(ret_mode), .ret_next_pc_i(ret_next_pc),
      .ret_flush_pc_i({XLEN{1'b0}}), .ret_flushed_i(1'b0), .ret_uebret_i(1'b0), .ret_uebret_ge_i(1'b0),
      .ret_max_o(ret_max),
      .irq_lcofi_o(irq_lcofi), .irq_lambi_o(irq_lambi), .irq_andes_o(irq_andes), .ebb_req_o(ebb_req),
      .ebb_target_o(ebb_target), .ebb_ack_i(1'b0), .ebb_return_o(ebb_return),
      .uebret_illegal_o(uebret_illegal),
      .uebret_virtual_o(uebret_virtual),
      .rec_valid_o(rec_valid), .rec_ready_i(rec_ready), .rec_addr_o(rec_addr), .rec_data_o(rec_data),
      .rec_done_i(rec_done),
      .xlat_req_o(xlat_req), .xlat_vaddr_o(xlat_vaddr), .xlat_mode_o(xlat_mode), .xlat_done_i(xlat_done),
      .xlat_fault_i(xlat_fault), .xlat_paddr_i(xlat_paddr)
  );

  // of a unit without branches
  wire unused_ok = &{1'b0, csr_tm, csr_ready_next, ebb_req, ebb_target, ebb_return, uebret_illegal,
                     uebret_virtual, andesp,
                     broken, broken_rule, rvfi_mode_i};
endmodule

`default_nettype wire
