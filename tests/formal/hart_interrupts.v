// SPDX-License-Identifier: Apache-2.0
// hart_interrupts - one interrupt for each OF 0 -> 1 and none otherwise, in a unit as the reference hart has
// it: the Andes view, combinations, the program counter range, precise sampling and CSR_PIPELINE at once.
//
// `i` is a counter that the solver chooses and keeps. Events are pmu_formal's matter: here a
// counter wraps when its value falls without a write.
//
// Assumed of the host: as in sampling_access.

`include "tally_spec.vh"

`default_nettype none

module hart_interrupts #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter DECODE_W = 1,
    parameter EVC_W    = 1,
    parameter HPM_N    = 1
) (
    input wire        dispatched, issued, completed, oldest, retired, trapped, flushed, mispred, ret_flushed,
    input wire        env_pdiss, env_pdisv, env_lcofip, env_tlb_inval, rec_ready, rec_done,
    input wire        xlat_done, xlat_fault,
    input wire [1:0]  trk_flush_why,
    input wire [2:0]  dec_mode, ret_mode,
    input wire [3:0]  trk_itype, trk_dsrc,
    input wire [5:0]  misses,
    input wire [55:0] xlat_paddr,
    input wire [63:0] trk_paddr,
    input wire [`TALLY_EVR_N-1:0] trk_ev,
    input wire [XLEN-1:0] dec_pc, trk_flush_pc, trk_vaddr, trk_target, ret_next_pc, ret_flush_pc,
`include "host.vh"
);
  wire       lcofi, andes;
  wire [3:0] ret_max;
  tally_pmu #(
      .XLEN(XLEN), .HPM_N(HPM_N), .ANDES(1), .COMB_N(1), .PCRANGE(1), .CSR_PIPELINE(1), .SSPESA(1),
      .SMPDIS(1), .PDIS_QUEUE(2)
  ) dut (
      .clk(clk), .rst(rst), .csr_valid_i(csr_valid), .csr_num_i(csr_num), .csr_op_i(csr_op),
      .csr_wdata_i(csr_wdata), .csr_priv_i(csr_priv), .csr_v_i(csr_v), .ret_max_o(ret_max),
      .irq_lcofi_o(lcofi), .irq_andes_o(andes), .env_cde_i(env_cde),
      .env_mstateen0_i(env_mstateen0), .env_hstateen0_i(env_hstateen0), .env_hcounteren_i(env_hcounteren),
      .dec_valid_i(dec_valid), .dec_type_i(dec_type), .dec_mode_i(dec_mode), .trk_retired_i(retired),
      .ret_valid_i(ret_valid), .rec_ready_i(rec_ready), .rec_done_i(rec_done), .xlat_done_i(xlat_done),
      .xlat_fault_i(xlat_fault), .xlat_paddr_i(xlat_paddr), .env_pdiss_i(env_pdiss), .env_pdisv_i(env_pdisv),
      .env_lcofip_i(env_lcofip), .env_time_i(env_time),
      .env_htimedelta_i(env_htimedelta), .env_tlb_inval_i(env_tlb_inval), .mode_priv_i(mode_priv),
      .mode_v_i(mode_v), .mode_stopcount_i(mode_stopcount), .mode_halted_i(mode_halted),
      .ev_retire_i(ev_retire),
      .ev_cycle_i(ev_cycle), .dec_pc_i(dec_pc), .trk_dispatched_i(dispatched), .trk_issued_i(issued),
      .trk_completed_i(completed), .trk_oldest_i(oldest), .trk_trapped_i(trapped), .trk_flushed_i(flushed),
      .trk_flush_why_i(trk_flush_why), .trk_flush_pc_i(trk_flush_pc), .trk_itype_i(trk_itype),
      .trk_mispred_i(mispred), .trk_itmiss_i(misses[0]), .trk_icmiss_i(misses[1]), .trk_l1miss_i(misses[2]),
      .trk_llmiss_i(misses[3]), .trk_l1tlbmiss_i(misses[4]), .trk_lltlbmiss_i(misses[5]),
      .trk_dsrc_i(trk_dsrc), .trk_ev_i(trk_ev), .trk_vaddr_i(trk_vaddr), .trk_paddr_i(trk_paddr),
      .trk_target_i(trk_target), .ret_pc_i(ret_pc), .ret_mode_i(ret_mode), .ret_next_pc_i(ret_next_pc),
      .ret_flush_pc_i(ret_flush_pc), .ret_flushed_i(ret_flushed), .ret_uebret_i(1'b0),
      .env_sstateen0_i(32'd0), .mode_debug_i(1'b0), .ret_uebret_ge_i(1'b0), .ebb_ack_i(1'b0)
  );
  (* hierconn *) wire [4:0]  \dut.u_counting.u_select.formal_index ;
  (* hierconn *) wire [4:0]  \dut.u_counting.g_plain.u_counters.formal_index ;
  (* hierconn *) wire [4:0]  \dut.u_counting.g_combine.u_combine.formal_index ;
  (* hierconn *) wire [63:0] \dut.u_counting.g_plain.u_counters.formal_count ;
  (* hierconn *) wire [31:0] \dut.u_counting.wrap , \dut.flags , \dut.inten ;
  (* hierconn *) wire [63:0] \dut.pdisctl ;
  (* hierconn *) wire [4:0]  \dut.index ;
  (* hierconn *) wire        \dut.count_we , \dut.pdisctl_we , \dut.sample_lcofi ;
  (* anyconst *) wire [4:0] i;
  assign \dut.u_counting.u_select.formal_index = i;
  assign \dut.u_counting.g_plain.u_counters.formal_index = i;
  assign \dut.u_counting.g_combine.u_combine.formal_index = i;
  wire [63:0] count = \dut.u_counting.g_plain.u_counters.formal_count ;
  wire [31:0] wrap  = \dut.u_counting.wrap , flags = \dut.flags , inten = \dut.inten ;
  wire        sample_of = \dut.pdisctl [63], sample_asks = \dut.sample_lcofi ;

  reg up = 1'b0;
  always @(posedge clk) up <= up | rst;
  wire on = up & ~rst;
  wire ready = ret_max != 4'd0 && csr_num != 12'd0;
  wire [160:0] rights = {env_cde, env_mstateen0, env_hstateen0, env_hcounteren};
  reg  [160:0] rights_q;
  always @(posedge clk) rights_q <= rights;
  always @* begin
    if (!up) assume (rst);
    assume (csr_priv != 2'd2 & mode_priv != 2'd2 & !csr_v & !mode_v);
    if (!ready) assume (!csr_valid);
    if (ready) assume (rights == rights_q);
  end
  wire written = csr_valid & csr_op != 2'd0;

  localparam [31:0] HPM = ((32'd1 << HPM_N) - 32'd1) << 3, COUNTERS = HPM | 32'h5;

  // Absent counters are read-only 0 (docs/rulings.md, Absent counters).
  prop_holds hart_absent_is_zero (.when_i(up), .holds_i((COUNTERS[i] || count == 64'd0)
      && ((flags | inten) & ~COUNTERS) == 32'd0));

  // A counter wraps exactly when an increment leaves its width: then, and only then, its value falls without
  // a write (Sscofpmf). A counter that is written does not overflow (docs/rulings.md, Counter writes).
  reg [63:0] count_q;
  always @(posedge clk) count_q <= count;
  prop_becomes hart_wraps (.clk(clk), .when_i(on & ~written), .value_i(count < count_q), .then_i(wrap[i]));
  prop_holds hart_write_never_overflows (.when_i(on & \dut.count_we & \dut.index == i), .holds_i(~wrap[i]));
  // OF rises exactly then (Sscofpmf); with the Andes view mcycle and minstret have a flag too.
  prop_becomes hart_of_rises (.clk(clk), .when_i(on & ~flags[i] & ~written), .value_i(flags[i]),
      .then_i(wrap[i] & COUNTERS[i]));
  // mpdisctl.OF likewise: its 0 -> 1 requests the interrupt (event sampling draft, mpdisctl).
  prop_becomes sample_of_rises (.clk(clk), .when_i(on & ~sample_of & ~\dut.pdisctl_we ), .value_i(sample_of),
      .then_i(sample_asks));
  prop_holds sample_asks_once (.when_i(on & sample_asks), .holds_i(~sample_of));

  // One LCOFI for each OF 0 -> 1 and none otherwise (Sscofpmf), a sample's among them; mcounterinen sends a
  // counter's to the Andes interrupt instead (docs/rulings.md, Andes and Sscofpmf).
  // A flag that is cleared in the cycle does not count as set (docs/rulings.md, OF cleared in the cycle of a
  // wrap).
  wire [31:0] rises     = wrap & ~flags & COUNTERS;
  wire [31:0] may_raise = wrap & (~flags | {32{written}}) & COUNTERS;
  prop_holds hart_overflow_requests (.when_i(on & rises[i] & i > 5'd2),
      .holds_i(inten[i] ? andes : lcofi));
  prop_holds hart_sample_requests (.when_i(on & sample_asks), .holds_i(lcofi));
  prop_holds hart_lcofi_only_of_overflow (.when_i(on & lcofi),
      .holds_i(|(may_raise & HPM & ~inten) | sample_asks));
  prop_holds hart_andes_only_of_overflow (.when_i(on & andes), .holds_i(|(may_raise & inten)));
endmodule

`default_nettype wire
