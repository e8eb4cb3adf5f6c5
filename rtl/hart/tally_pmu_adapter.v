// SPDX-License-Identifier: Apache-2.0
// tally_pmu_adapter - connects the reference hart to the unit: every port of tally_pmu, and the logic that
// a pipeline adds to feed it. An example for integrators; docs/integration.md is the contract, section by
// section.
//
// - ev_retire: the bits of the oldest instruction, early in the cycle; only ret_valid is late-arriving.
// - ev_cycle: late-arriving signals are registered and counted a cycle later.
// - track: tally_track follows the tagged instruction through the scoreboard.
// - The limit of retirement: `hold_o` is ret_max_o = 0, but from a register and so a cycle earlier. The
//   wait of a CSR access is known a cycle earlier too: `csr_ready_o`.

`default_nettype none
`include "tally_spec.vh"
`include "tally_hart.vh"
`include "tally_frontend.vh"
`include "tally_lsu.vh"

module tally_pmu_adapter #(
    parameter XLEN    = 64,
    parameter TAG_W   = 3,      // log2 of scoreboard entries
    parameter HPM_N   = 29,
    parameter HPM_W   = 64,
    parameter ANDES   = 1,
    parameter COMB_N  = 4,
    parameter PCRANGE = 1,
    parameter SSPESA  = 0,
    parameter SMPDIS  = 0,
    parameter EBB     = 0,
    parameter COUNTER_RAM = 0
) (
    input  wire                    clk,
    input  wire                    rst,

    // CSR accesses, from registers of the commit stage; legality is answered in the cycle after the number,
    // data when the access is performed: a cycle after csr_ready_o = 1
    input  wire                    csr_valid_i,
    input  wire [11:0]             csr_num_i,       // 0: none
    input  wire [1:0]              csr_op_i,
    input  wire [XLEN-1:0]         csr_wdata_i,
    output wire                    csr_ready_o,
    output wire                    csr_hit_o,
    output wire                    csr_illegal_o,
    output wire                    csr_virtual_o,
    output wire [XLEN-1:0]         csr_rdata_o,
    output wire                    csr_tm_o,

    // CSR file: registers that the unit obeys, and its interrupt requests
    input  wire [1:0]              priv_i,
    input  wire                    cde_i,
    input  wire                    pdiss_i,
    input  wire [63:0]             mstateen0_i,
    input  wire                    sstateen_c_i,
    input  wire                    lcofip_i,
    input  wire [63:0]             time_i,
    input  wire                    satp_write_i,
    input  wire                    pmp_write_i,
    input  wire                    flush_tlb_i,
    output wire                    set_lcofip_o,
    output wire                    set_lambip_o,
    output wire                    set_andes_o,

    // decode and dispatch
    input  wire                    dec_valid_i,
    input  wire [XLEN-1:0]         dec_pc_i,
    input  wire [2:0]              dec_type_i,
    output wire                    dec_sample_o,
    input  wire                    dispatch_i,
    input  wire [TAG_W-1:0]        dispatch_tag_i,
    input  wire [2:0]              dispatch_unit_i,
    input  wire [3:0]              dispatch_itype_i,
    input  wire                    dispatch_itmiss_i,
    input  wire                    dispatch_icmiss_i,
    input  wire                    dispatch_sample_i,  // it is the sample
    input  wire                    sample_lost_i,      // the sample is discarded before its dispatch

    // issue and units
    input  wire                    issued_i,
    input  wire [TAG_W-1:0]        issued_tag_i,
    input  wire                    ex_valid_i,
    input  wire                    ex_branch_i,
    input  wire [TAG_W-1:0]        ex_tag_i,
    input  wire [3:0]              ex_itype_i,
    input  wire [XLEN-1:0]         ex_pc_i,
    input  wire                    squash_i,           // by a misprediction in EX
    input  wire                    md_done_i,          // multiplier, divider
    input  wire [TAG_W-1:0]        md_tag_i,
    input  wire                    mem_start_i,        // load/store unit: an access is translated and begins,
    input  wire [TAG_W-1:0]        mem_tag_i,
    input  wire                    bus_start_i,        // ... or the bus works for one that is not speculative
    input  wire [TAG_W-1:0]        bus_tag_i,
    input  wire                    lc_done_i,
    input  wire [TAG_W-1:0]        lc_tag_i,
    input  wire                    lc_l1miss_i,
    input  wire                    lc_tlbmiss_i,
    input  wire                    lc_l2tlbmiss_i,
    input  wire [3:0]              lc_dsrc_i,

    // the scoreboard's entry of the sample
    output wire [TAG_W-1:0]        sample_tag_o,
    input  wire [XLEN-1:0]         sample_vaddr_i,
    input  wire [55:0]             sample_paddr_i,

    // the oldest instruction, and retirement
    input  wire                    head_valid_i,
    input  wire                    head_sys_done_i,    // it acts at commit, and has executed
    input  wire [TAG_W-1:0]        head_tag_i,
    input  wire [`TALLY_EVR_N-1:0] head_events_i,
    input  wire                    retire_i,
    input  wire                    retire_count_i,     // the same for the unit alone
    input  wire [XLEN-1:0]         ret_pc_i,
    input  wire [XLEN-1:0]         ret_next_pc_i,
    input  wire [XLEN-1:0]         ret_flush_pc_i,
    input  wire                    ret_flushed_i,
    input  wire                    flush_i,
    input  wire                    exception_i,
    input  wire                    replay_i,           // the oldest runs again to set A or D
    input  wire                    interrupt_i,
    input  wire [3:0]              cause_i,            // with exception_i
    input  wire                    uebret_i,
    input  wire                    uebret_ge_i,
    input  wire                    ebb_i,              // an event-based branch is delivered
    output wire                    ebb_req_o,
    output wire [XLEN-1:0]         ebb_target_o,
    output wire [XLEN-1:0]         ebb_return_o,
    output wire                    uebret_denied_o,
    input  wire                    halted_i,
    output wire                    hold_o,             // nothing may retire or fault in this cycle

    // events of the cycle
    input  wire                    stall_fe_i,
    input  wire                    stall_be_i,
    input  wire                    slot_fe_i,
    input  wire                    slot_be_i,
    input  wire                    slot_badspec_i,
    input  wire                    bus_read_i,
    input  wire                    bus_write_i,
    input  wire [`TALLY_EVF_N-1:0] evf_i,              // fetch
    input  wire [`TALLY_EVM_N-1:0] evm_i,              // load/store unit

    // sample records to the bus, their pages to the page table walker
    output wire                    rec_valid_o,
    input  wire                    rec_ready_i,
    output wire [55:0]             rec_addr_o,
    output wire [63:0]             rec_data_o,
    input  wire                    rec_done_i,
    output wire                    xlat_req_o,
    output wire [XLEN-1:12]        xlat_page_o,
    output wire                    xlat_machine_o,     // physical; else by satp
    input  wire                    xlat_done_i,
    input  wire                    xlat_fault_i,
    input  wire [55:12]            xlat_page_i
);
  localparam EVC_N = `TALLY_EVC_N;

  wire ex_done = ex_valid_i && !flush_i;

  // ---------------------------------------------------------------------------------------------------------
  // Mode

  // The cycle events are a cycle old, so the mode is too. Retirement does not need the delay: nothing retires
  // in the first cycle of another mode.
  reg [1:0] mode_q;
  always @(posedge clk) mode_q <= rst ? 2'd3 : priv_i;

  // ---------------------------------------------------------------------------------------------------------
  // Cycle events: registered, but for fetch, whose events are registered already

  reg stall_fe_q, stall_be_q, slot_fe_q, slot_be_q, slot_badspec_q, dispatch_q, issued_q;
  reg branch_q, redirect_q, flush_q, exception_q, interrupt_q, bus_read_q, bus_write_q;
  reg [3:0] cause_q;
  reg [`TALLY_EVM_N-1:0] evm_q;

  // Reset as registers, not as part of their next values, which arrive late.
  always @(posedge clk)
    if (rst) begin
      {stall_fe_q, stall_be_q, slot_fe_q, slot_be_q, slot_badspec_q, dispatch_q, issued_q} <= 7'd0;
      {branch_q, redirect_q, flush_q, exception_q, interrupt_q, bus_read_q, bus_write_q}   <= 7'd0;
      cause_q <= 4'd0;
      evm_q   <= {`TALLY_EVM_N{1'b0}};
    end else begin
      stall_fe_q     <= stall_fe_i;
      stall_be_q     <= stall_be_i;
      slot_fe_q      <= slot_fe_i && !halted_i;
      slot_be_q      <= slot_be_i && !halted_i;
      slot_badspec_q <= slot_badspec_i && !halted_i;
      dispatch_q     <= dispatch_i;
      issued_q       <= issued_i;
      branch_q       <= ex_done && ex_branch_i;
      redirect_q     <= squash_i;
      flush_q        <= flush_i && !ebb_i;   // a delivery is no event but its own
      exception_q    <= exception_i;
      interrupt_q    <= interrupt_i;
      cause_q        <= cause_i;
      bus_read_q     <= bus_read_i;
      bus_write_q    <= bus_write_i;
      evm_q          <= evm_i;
    end

  wire data_page   = cause_q == `TALLY_XC_LPAGE || cause_q == `TALLY_XC_SPAGE;
  wire no_access   = cause_q == `TALLY_XC_IACC || cause_q == `TALLY_XC_LACC || cause_q == `TALLY_XC_SACC;

  reg [EVC_N-1:0] ev_cycle;
  always @* begin
    ev_cycle                              = {EVC_N{1'b0}};
    ev_cycle[`TALLY_EVC_CYCLE]            = !halted_i;
    ev_cycle[`TALLY_EVC_STALL_FE]         = stall_fe_q;
    ev_cycle[`TALLY_EVC_STALL_BE]         = stall_be_q;
    ev_cycle[`TALLY_EVC_TD_FE]            = slot_fe_q;
    ev_cycle[`TALLY_EVC_TD_BE]            = slot_be_q;
    ev_cycle[`TALLY_EVC_TD_BADSPEC]       = slot_badspec_q;
    ev_cycle[`TALLY_EVC_DISPATCH]         = dispatch_q;
    ev_cycle[`TALLY_EVC_ISSUE]            = issued_q;
    ev_cycle[`TALLY_EVC_BR_EXEC]          = branch_q;
    ev_cycle[`TALLY_EVC_BR_REDIRECT]      = redirect_q;
    ev_cycle[`TALLY_EVC_FLUSH]            = flush_q;
    ev_cycle[`TALLY_EVC_EXCEPTION]        = exception_q;
    ev_cycle[`TALLY_EVC_INTERRUPT]        = interrupt_q;
    ev_cycle[`TALLY_EVC_PGFLT_CODE]       = exception_q && cause_q == `TALLY_XC_IPAGE;
    ev_cycle[`TALLY_EVC_PGFLT_DATA]       = exception_q && data_page;
    ev_cycle[`TALLY_EVC_MISAL_LD]         = exception_q && cause_q == `TALLY_XC_LMISAL;
    ev_cycle[`TALLY_EVC_MISAL_ST]         = exception_q && cause_q == `TALLY_XC_SMISAL;
    ev_cycle[`TALLY_EVC_ILLEGAL]          = exception_q && cause_q == `TALLY_XC_ILLEGAL;
    ev_cycle[`TALLY_EVC_ACCFLT]           = exception_q && no_access;
    ev_cycle[`TALLY_EVC_L1I_RD]           = evf_i[`TALLY_EVF_L1I_RD];
    ev_cycle[`TALLY_EVC_L1I_RD_MISS]      = evf_i[`TALLY_EVF_L1I_RD_MISS];
    ev_cycle[`TALLY_EVC_ITLB_RD]          = evf_i[`TALLY_EVF_ITLB_RD];
    ev_cycle[`TALLY_EVC_ITLB_MISS]        = evf_i[`TALLY_EVF_ITLB_MISS];
    ev_cycle[`TALLY_EVC_DEC_REDIRECT]     = evf_i[`TALLY_EVF_DEC_REDIRECT];
    ev_cycle[`TALLY_EVC_L1D_LD_SPEC]      = evm_q[`TALLY_EVM_L1D_LD_SPEC];
    ev_cycle[`TALLY_EVC_L1D_LD_MISS_SPEC] = evm_q[`TALLY_EVM_L1D_LD_MISS_SPEC];
    ev_cycle[`TALLY_EVC_L1D_MERGE]        = evm_q[`TALLY_EVM_L1D_MERGE];
    ev_cycle[`TALLY_EVC_L1D_REFILL]       = evm_q[`TALLY_EVM_L1D_REFILL];
    ev_cycle[`TALLY_EVC_L2TLB_RD]         = evm_q[`TALLY_EVM_L2TLB_RD];
    ev_cycle[`TALLY_EVC_L2TLB_MISS]       = evm_q[`TALLY_EVM_L2TLB_MISS];
    ev_cycle[`TALLY_EVC_WALK_CYC]         = evm_q[`TALLY_EVM_WALK_CYC];
    ev_cycle[`TALLY_EVC_SQ_FULL]          = evm_q[`TALLY_EVM_SQ_FULL];
    ev_cycle[`TALLY_EVC_BUS_RD]           = bus_read_q;
    ev_cycle[`TALLY_EVC_BUS_WR]           = bus_write_q;
  end

  // ---------------------------------------------------------------------------------------------------------
  // The tagged instruction

  wire            sampled;       // by the unit, or by a test bench
  wire            trk_dispatched, trk_issued, trk_completed, trk_oldest;
  wire            trk_retired, trk_trapped, trk_flushed;
  wire            trk_mispred, trk_itmiss, trk_icmiss, trk_accessed, trk_l1miss, trk_tlbmiss, trk_l2tlbmiss;
  wire [3:0]      trk_itype, trk_dsrc;
  wire [1:0]      trk_flush_why;
  wire [XLEN-1:0] trk_flush_pc;

  // A test bench tags instructions by writing to probe_tag; nothing else does.
  reg probe_tag = 1'b0;
  reg probe_tag_q;
  always @(posedge clk) probe_tag_q <= probe_tag && !rst;

  assign dec_sample_o = sampled || probe_tag_q;

  tally_track #(
      .XLEN (XLEN),
      .TAG_W(TAG_W)
  ) u_track (
      .clk              (clk),
      .rst              (rst),
      .sample_i         (dispatch_sample_i),
      .lost_i           (sample_lost_i),
      .dispatch_i       (dispatch_i),
      .dispatch_tag_i   (dispatch_tag_i),
      .dispatch_unit_i  (dispatch_unit_i),
      .dispatch_itype_i (dispatch_itype_i),
      .dispatch_itmiss_i(dispatch_itmiss_i),
      .dispatch_icmiss_i(dispatch_icmiss_i),
      .issued_i         (issued_i),
      .issued_tag_i     (issued_tag_i),
      .ex_valid_i       (ex_valid_i),
      .ex_done_i        (ex_done),
      .ex_tag_i         (ex_tag_i),
      .ex_branch_i      (ex_branch_i),
      .ex_itype_i       (ex_itype_i),
      .md_done_i        (md_done_i),
      .md_tag_i         (md_tag_i),
      .mem_start_i      (mem_start_i),
      .mem_tag_i        (mem_tag_i),
      .bus_start_i      (bus_start_i),
      .bus_tag_i        (bus_tag_i),
      .lc_done_i        (lc_done_i),
      .lc_tag_i         (lc_tag_i),
      .lc_l1miss_i      (lc_l1miss_i),
      .lc_tlbmiss_i     (lc_tlbmiss_i),
      .lc_l2tlbmiss_i   (lc_l2tlbmiss_i),
      .lc_dsrc_i        (lc_dsrc_i),
      .head_valid_i     (head_valid_i),
      .head_tag_i       (head_tag_i),
      .head_sys_done_i  (head_sys_done_i),
      .retire_i         (retire_i),
      .exception_i      (exception_i),
      .replay_i         (replay_i),
      .flush_i          (flush_i),
      .squash_i         (squash_i),
      .squash_pc_i      (ex_pc_i),
      .dispatched_o     (trk_dispatched),
      .issued_o         (trk_issued),
      .completed_o      (trk_completed),
      .oldest_o         (trk_oldest),
      .retired_o        (trk_retired),
      .trapped_o        (trk_trapped),
      .flushed_o        (trk_flushed),
      .flush_why_o      (trk_flush_why),
      .flush_pc_o       (trk_flush_pc),
      .itype_o          (trk_itype),
      .mispred_o        (trk_mispred),
      .itmiss_o         (trk_itmiss),
      .icmiss_o         (trk_icmiss),
      .tag_o            (sample_tag_o),
      .accessed_o       (trk_accessed),
      .l1miss_o         (trk_l1miss),
      .tlbmiss_o        (trk_tlbmiss),
      .l2tlbmiss_o      (trk_l2tlbmiss),
      .dsrc_o           (trk_dsrc)
  );

  // ---------------------------------------------------------------------------------------------------------
  // The limit of retirement, a cycle early (docs/integration.md, The limit of retirement a cycle earlier)

  // ret_max_o is 0 in the cycle after the sample retired: its interrupt comes before the next retirement.
  // Non-speculative operations must not begin in that cycle: they would delay the interrupt.
  // While an access is decoded (CSR_PIPELINE) or waits for its counter (COUNTER_RAM), its instruction is the
  // oldest and waits by itself. With COUNTER_RAM nothing retires in the first cycles after reset.
  wire starting;
  generate
    if (COUNTER_RAM != 0) begin : g_start
      reg [5:0] start_q;
      always @(posedge clk) start_q <= rst ? 6'd0 : start_q + {5'd0, starting};
      assign starting = !start_q[5];
    end else begin : g_no_start
      assign starting = 1'b0;
    end
  endgenerate
  reg hold_q;
  always @(posedge clk) hold_q <= starting || (trk_retired && !rst);
  assign hold_o = hold_q;

  // ---------------------------------------------------------------------------------------------------------
  // The unit

  wire [XLEN-1:0] xlat_vaddr;
  wire [1:0]      xlat_mode;       // no hypervisor: 1 satp, 3 physical
  assign xlat_page_o    = xlat_vaddr[XLEN-1:12];
  assign xlat_machine_o = xlat_mode[1];

  // The request and the right to uebret are those of mode_q. It lags in the first cycle of a mode, in which
  // commit delivers and retires nothing.
  wire            uebret_illegal, uebret_virtual;
  assign uebret_denied_o = uebret_illegal || uebret_virtual;

  /* verilator lint_off UNUSEDSIGNAL */ // hold_o and csr_ready_o are the same, earlier
  wire [3:0]      ret_max;
  wire            unused_ok = &{1'b0, xlat_mode[0], xlat_vaddr[11:0]};
  /* verilator lint_on UNUSEDSIGNAL */

  tally_pmu #(
      .XLEN        (XLEN),
      .RETIRE_W    (1),
      .DECODE_W    (1),
      .HPM_N       (HPM_N),
      .HPM_W       (HPM_W),
      .EVC_W       (1),
      .ANDES       (ANDES),
      .COMB_N      (COMB_N),
      .PCRANGE     (PCRANGE),
      .CSR_PIPELINE(1),
      .SSPESA      (SSPESA),
      .SMPDIS      (SMPDIS),
      .EBB         (EBB),
      .COUNTER_RAM (COUNTER_RAM)
  ) u_pmu (
      .clk             (clk),
      .rst             (rst),
      .csr_valid_i     (csr_valid_i),
      .csr_num_i       (csr_num_i),
      .csr_op_i        (csr_op_i),
      .csr_wdata_i     (csr_wdata_i),
      .csr_priv_i      (priv_i),
      .csr_v_i         (1'b0),
      .csr_hit_o       (csr_hit_o),
      .csr_illegal_o   (csr_illegal_o),
      .csr_virtual_o   (csr_virtual_o),
      .csr_rdata_o     (csr_rdata_o),
      .csr_tm_o        (csr_tm_o),
      .csr_ready_next_o(csr_ready_o),
      .env_cde_i       (cde_i),
      .env_pdiss_i     (pdiss_i),
      .env_pdisv_i     (1'b0),
      .env_mstateen0_i (mstateen0_i),
      .env_hstateen0_i (64'b0),
      .env_sstateen0_i ({31'b0, sstateen_c_i}),
      .env_hcounteren_i(32'b0),
      .env_lcofip_i    (lcofip_i),
      .env_time_i      (time_i),
      .env_htimedelta_i(64'b0),
      .env_tlb_inval_i (flush_tlb_i || satp_write_i || pmp_write_i),
      .mode_priv_i     (mode_q),
      .mode_v_i        (1'b0),
      .mode_stopcount_i(1'b0),
      .mode_debug_i    (1'b0),
      .mode_halted_i   (halted_i),
      .ev_retire_i     (head_events_i),
      .ev_cycle_i      (ev_cycle),
      .dec_valid_i     (dec_valid_i),
      .dec_pc_i        (dec_pc_i),
      .dec_type_i      (dec_type_i),
      .dec_mode_i      ({1'b0, priv_i}),
      .dec_sample_o    (sampled),
      .trk_dispatched_i(trk_dispatched),
      .trk_issued_i    (trk_issued),
      .trk_completed_i (trk_completed),
      .trk_oldest_i    (trk_oldest),
      .trk_retired_i   (trk_retired),
      .trk_trapped_i   (trk_trapped),
      .trk_flushed_i   (trk_flushed),
      .trk_flush_why_i (trk_flush_why),
      .trk_flush_pc_i  (trk_flush_pc),
      .trk_itype_i     (trk_itype),
      .trk_mispred_i   (trk_mispred),
      .trk_itmiss_i    (trk_itmiss),
      .trk_icmiss_i    (trk_icmiss),
      .trk_l1miss_i    (trk_l1miss),
      .trk_llmiss_i    (1'b0),
      .trk_l1tlbmiss_i (trk_tlbmiss),
      .trk_lltlbmiss_i (trk_l2tlbmiss),
      .trk_dsrc_i      (trk_dsrc),
      .trk_ev_i        (head_events_i),
      .trk_vaddr_i     (sample_vaddr_i & {XLEN{trk_accessed}}),
      .trk_paddr_i     ({8'b0, sample_paddr_i & {56{trk_accessed}}}),
      .trk_target_i    (ret_next_pc_i),
      .ret_valid_i     (retire_count_i),
      .ret_pc_i        (ret_pc_i),
      .ret_mode_i      ({1'b0, priv_i}),
      .ret_next_pc_i   (ret_next_pc_i),
      .ret_flush_pc_i  (ret_flush_pc_i),
      .ret_flushed_i   (ret_flushed_i),
      .ret_uebret_i    (uebret_i),
      .ret_uebret_ge_i (uebret_ge_i),
      .ret_max_o       (ret_max),
      .irq_lcofi_o     (set_lcofip_o),
      .irq_lambi_o     (set_lambip_o),
      .irq_andes_o     (set_andes_o),
      .ebb_req_o       (ebb_req_o),
      .ebb_target_o    (ebb_target_o),
      .ebb_ack_i       (ebb_i),
      .ebb_return_o    (ebb_return_o),
      .uebret_illegal_o(uebret_illegal),
      .uebret_virtual_o(uebret_virtual),
      .rec_valid_o     (rec_valid_o),
      .rec_ready_i     (rec_ready_i),
      .rec_addr_o      (rec_addr_o),
      .rec_data_o      (rec_data_o),
      .rec_done_i      (rec_done_i),
      .xlat_req_o      (xlat_req_o),
      .xlat_vaddr_o    (xlat_vaddr),
      .xlat_mode_o     (xlat_mode),
      .xlat_done_i     (xlat_done_i),
      .xlat_fault_i    (xlat_fault_i),
      .xlat_paddr_i    ({xlat_page_i, 12'b0})
  );

  // Read by the harness, by name; no logic depends on it
  /* verilator lint_off UNUSEDSIGNAL */
  wire                    probe_sample     = dec_sample_o;
  wire                    probe_issue      = issued_i;
  wire                    probe_ex_branch  = ex_branch_i;
  wire                    probe_resolve    = ex_done && ex_branch_i;
  wire [XLEN-1:0]         probe_resolve_pc = ex_pc_i;
  wire                    probe_md_done    = md_done_i;
  wire                    probe_walks      = evm_i[`TALLY_EVM_WALK_CYC];
  wire [`TALLY_EVM_N-1:0] probe_evm        = evm_i;
  wire [`TALLY_EVF_N-1:0] probe_evf        = evf_i;
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
