// SPDX-License-Identifier: Apache-2.0
// andes_test - the Andes view, in the proposal's polarity of the masks and in the silicon's
// (docs/rulings.md, Andes masks).
//
// Only the meaning of a mask's bit differs; every other rule is tested in both. A line of the bench is a
// cycle: an access, or an instruction with the event LOAD, retires in a mode.

`include "tally_spec.vh"

`default_nettype none

module andes_test #(
    parameter SILICON = 0,
    parameter SWRITE  = 1
);
  localparam [1:0]  M = 2'd3, S = 2'd1, U = 2'd0;
  localparam [1:0]  READ = 2'd0, WRITE = 2'd1, SET = 2'd2, CLEAR = 2'd3;
  localparam [63:0] COUNTERS = 64'h7D;                  // cycle, instret, four programmable ones
  localparam [63:0] FREE = SILICON != 0 ? 64'd0 : COUNTERS;  // a mask that lets every counter count
  localparam [11:0] EVENT = `TALLY_CSR_MHPMEVENT3, COUNTER = `TALLY_CSR_MHPMCOUNTER3;

  reg          clk = 1'b0, rst = 1'b1;
  reg          valid = 1'b0, work = 1'b0;
  reg  [11:0]  num = 12'd0;
  reg  [1:0]   op = READ, priv = M;
  reg  [63:0]  data = 64'd0;
  wire         illegal, virt, lcofi, andes;
  wire [63:0]  rdata;
  reg  [`TALLY_EVR_N-1:0] ev_retire;
  always @* begin
    ev_retire = {`TALLY_EVR_N{1'b0}};
    ev_retire[`TALLY_EVR_INST] = valid | work;
    ev_retire[`TALLY_EVR_LOAD] = work;
  end

  tally_pmu #(.HPM_N(4), .ANDES(1), .ANDES_SILICON(SILICON), .ANDES_SWRITE(SWRITE)) u_pmu (
      .clk(clk), .rst(rst),
      .csr_valid_i(valid), .csr_num_i(num), .csr_op_i(op), .csr_wdata_i(data), .csr_priv_i(priv),
      .csr_v_i(1'b0), .csr_hit_o(), .csr_illegal_o(illegal), .csr_virtual_o(virt), .csr_rdata_o(rdata),
      .csr_tm_o(),
      .csr_ready_next_o(),
      .env_cde_i(1'b0), .env_pdiss_i(1'b0), .env_pdisv_i(1'b0), .env_mstateen0_i(64'd1),
      .env_hstateen0_i(64'd0), .env_sstateen0_i(32'd0), .env_hcounteren_i(32'd0), .env_lcofip_i(1'b0),
      .env_time_i(64'd0), .env_htimedelta_i(64'd0), .env_tlb_inval_i(1'b0),
      .mode_priv_i(priv), .mode_v_i(1'b0), .mode_stopcount_i(1'b0), .mode_debug_i(1'b0), .mode_halted_i(1'b0),
      .ev_retire_i(ev_retire), .ev_cycle_i({`TALLY_EVC_N{1'b0}}),
      .dec_valid_i(1'b0), .dec_pc_i(64'd0), .dec_type_i(3'd0), .dec_mode_i(3'd0), .dec_sample_o(),
      .ret_valid_i(valid | work), .ret_pc_i(64'd0), .ret_mode_i({1'b0, priv}), .ret_next_pc_i(64'd0),
      .ret_flush_pc_i(64'd0), .ret_flushed_i(1'b0), .ret_uebret_i(1'b0), .ret_uebret_ge_i(1'b0), .ret_max_o(),
      .irq_lcofi_o(lcofi), .irq_lambi_o(), .irq_andes_o(andes),
      .ebb_req_o(), .ebb_target_o(), .ebb_ack_i(1'b0), .ebb_return_o(), .uebret_illegal_o(),
      .uebret_virtual_o(),
      .trk_dispatched_i(1'b0), .trk_issued_i(1'b0), .trk_completed_i(1'b0), .trk_oldest_i(1'b0),
      .trk_retired_i(1'b0), .trk_trapped_i(1'b0), .trk_flushed_i(1'b0), .trk_flush_why_i(2'd0),
      .trk_flush_pc_i(64'd0), .trk_itype_i(4'd0), .trk_mispred_i(1'b0), .trk_itmiss_i(1'b0),
      .trk_icmiss_i(1'b0), .trk_l1miss_i(1'b0), .trk_llmiss_i(1'b0), .trk_l1tlbmiss_i(1'b0),
      .trk_lltlbmiss_i(1'b0), .trk_dsrc_i(4'd0), .trk_ev_i({`TALLY_EVR_N{1'b0}}), .trk_vaddr_i(64'd0),
      .trk_paddr_i(64'd0), .trk_target_i(64'd0),
      .rec_valid_o(), .rec_ready_i(1'b0), .rec_addr_o(), .rec_data_o(), .rec_done_i(1'b0),
      .xlat_req_o(), .xlat_vaddr_o(), .xlat_mode_o(), .xlat_done_i(1'b0), .xlat_fault_i(1'b0),
      .xlat_paddr_i(56'd0)
  );

  // ---- a cycle
  integer errors, checks;
  reg     was_andes, was_lcofi;
  task tick;
    begin
      #4 {was_andes, was_lcofi} = {andes, lcofi};
      #1 clk = 1'b1;
      #5 clk = 1'b0;
      {valid, work} = 2'b00;
    end
  endtask
  task compare(input [63:0] value, input [63:0] wanted, input [8*48-1:0] what);
    begin
      checks = checks + 1;
      if (value !== wanted) begin
        errors = errors + 1;
        $display("FAIL: %0s: %h, expected %h", what, value, wanted);
      end
    end
  endtask
  task csr(input [1:0] p, input [1:0] o, input [11:0] n, input [63:0] d);
    begin
      {priv, op, num, data} = {p, o, n, d};
      #1 valid = ~illegal & ~virt;
      if (!valid) begin
        errors = errors + 1;
        $display("FAIL: access %0d of %h in mode %0d is refused", o, n, p);
      end
      tick;
    end
  endtask
  task reads(input [1:0] p, input [11:0] n, input [63:0] wanted, input [8*48-1:0] what);
    begin
      {priv, op, num} = {p, READ, n};
      #1 compare({illegal, rdata}, {1'b0, wanted}, what);
      valid = 1'b1;
      tick;
    end
  endtask
  task refused(input [1:0] p, input [1:0] o, input [11:0] n, input [8*48-1:0] what);
    begin
      {priv, op, num} = {p, o, n};
      #1 compare(illegal, 1'b1, what);
    end
  endtask
  task loads(input [1:0] p, input integer n);
    integer i;
    for (i = 0; i < n; i = i + 1) begin
      {priv, work} = {p, 1'b1};
      tick;
    end
  endtask

  // Of the modes M, S, U: its number, its mask (M-mode's name), its filter
  function [1:0] mode(input integer i); mode = i == 0 ? M : i == 1 ? S : U; endfunction
  function [11:0] mask(input integer i); mask = `TALLY_CSR_MCOUNTERMASK_M + i; endfunction
  function [63:0] filter(input integer i); filter = 64'd1 << (`TALLY_MCYCLECFG_MINH_LSB - i); endfunction
  // Counters of `which` do not count (do)
  task stop(input [1:0] p, input [11:0] n, input [63:0] which);
    csr(p, SILICON != 0 ? SET : CLEAR, n, which);
  endtask
  task go(input [1:0] p, input [11:0] n, input [63:0] which);
    csr(p, SILICON != 0 ? CLEAR : SET, n, which);
  endtask

  integer i, j, n;
  initial begin
    {errors, checks} = 0;
    #2 clk = 1'b1;
    #5 clk = 1'b0;
    rst = 1'b0;

    // after reset every counter counts everywhere, and nothing is enabled
    for (i = 0; i < 3; i = i + 1) reads(M, mask(i), FREE, "a mask after reset");
    reads(M, `TALLY_CSR_MCOUNTERWEN, 64'd0, "mcounterwen after reset");
    reads(M, `TALLY_CSR_MCOUNTERINEN, 64'd0, "mcounterinen after reset");
    reads(M, `TALLY_CSR_MCOUNTEROVF, 64'd0, "mcounterovf after reset");

    // a mask's bit is the filter of its mode, and no other's
    for (i = 0; i < 3; i = i + 1) begin
      stop(M, mask(i), 64'hD);
      reads(M, `TALLY_CSR_MCYCLECFG, filter(i), "mcyclecfg beside a mask");
      reads(M, `TALLY_CSR_MINSTRETCFG, filter(i), "minstretcfg beside a mask");
      reads(M, EVENT, filter(i), "mhpmevent3 beside a mask");
      reads(M, EVENT + 12'd1, 64'd0, "mhpmevent4 beside a mask");
      for (j = 0; j < 3; j = j + 1) reads(M, mask(j), i == j ? FREE ^ 64'hD : FREE, "the masks");
      csr(M, WRITE, mask(i), FREE);
      reads(M, EVENT, 64'd0, "mhpmevent3 again");
      csr(M, WRITE, EVENT + 12'd1, filter(i));
      reads(M, mask(i), FREE ^ 64'h10, "a mask beside mhpmevent4");
      csr(M, WRITE, EVENT + 12'd1, 64'd0);
    end

    // ... and stops the counter there
    csr(M, WRITE, EVENT, `TALLY_EV_INST_LOAD_RET);
    for (i = 0; i < 3; i = i + 1) begin
      stop(M, mask(i), 64'h8);
      for (j = 0; j < 3; j = j + 1) begin
        csr(M, WRITE, COUNTER, 64'd0);
        loads(mode(j), 5);
        reads(M, COUNTER, i == j ? 64'd0 : 64'd5, "a counter under a mask");
      end
      go(M, mask(i), 64'h8);
    end
    csr(M, WRITE, EVENT, 64'd0);

    // S-mode writes where mcounterwen lets, never M-mode's mask
    stop(S, `TALLY_CSR_SCOUNTERMASK_U, COUNTERS);
    csr(S, WRITE, `TALLY_CSR_SCOUNTERINEN, COUNTERS);
    reads(S, `TALLY_CSR_SCOUNTERMASK_U, 64'd0, "S-mode's mask without mcounteren");
    csr(M, WRITE, `TALLY_CSR_MCOUNTEREN, COUNTERS);
    reads(S, `TALLY_CSR_SCOUNTERMASK_U, FREE, "S-mode's write without mcounterwen");
    reads(S, `TALLY_CSR_SCOUNTERMASK_M, 64'd0, "M-mode's mask in S-mode");
    reads(M, `TALLY_CSR_MCOUNTERINEN, 64'd0, "mcounterinen without mcounterwen");
    csr(M, WRITE, `TALLY_CSR_MCOUNTERWEN, 64'h8);
    for (i = 0; i < 3; i = i + 1) begin
      stop(S, `TALLY_CSR_SCOUNTERMASK_M + i, COUNTERS);
      reads(M, mask(i), i == 0 ? FREE : FREE ^ 64'h8, "S-mode's write of a mask");
      csr(M, WRITE, mask(i), FREE);
    end
    refused(U, READ, `TALLY_CSR_SCOUNTERMASK_U, "U-mode reads a mask");

    if (SWRITE == 0) begin
      refused(S, WRITE, `TALLY_CSR_HPMCOUNTER3, "S-mode writes a counter");
    end else begin
      // the proposal's steps in S-mode: not in U-mode, from MAX - period on
      csr(M, WRITE, `TALLY_CSR_MCOUNTEREN, 64'h8);
      csr(S, SET, `TALLY_CSR_SCOUNTERINHIBIT, COUNTERS);
      reads(M, `TALLY_CSR_MCOUNTINHIBIT, 64'h8, "mcountinhibit");
      csr(S, WRITE, `TALLY_CSR_SHPMEVENT3, `TALLY_EV_INST_LOAD_RET);
      stop(S, `TALLY_CSR_SCOUNTERMASK_U, 64'h8);
      csr(S, WRITE, `TALLY_CSR_HPMCOUNTER3, -64'd3);
      csr(S, WRITE, `TALLY_CSR_SCOUNTERINEN, 64'h8);
      csr(S, CLEAR, `TALLY_CSR_SCOUNTERINHIBIT, 64'h8);
      for (n = 1; n <= 3; n = n + 1) begin
        loads(U, 4);
        compare({was_andes, was_lcofi}, 2'b00, "an interrupt of what is masked");
        loads(S, 1);
        compare({was_andes, was_lcofi}, n == 3 ? 2'b10 : 2'b00, "the interrupt at its cause");
      end
      reads(S, `TALLY_CSR_SCOUNTEROVF, 64'h8, "1. which counter");
      csr(S, SET, `TALLY_CSR_SCOUNTERINHIBIT, 64'h8);
      csr(S, WRITE, `TALLY_CSR_HPMCOUNTER3, -64'd2);
      loads(S, 4);
      csr(S, CLEAR, `TALLY_CSR_SCOUNTEROVF, 64'h8);
      reads(M, EVENT, `TALLY_EV_INST_LOAD_RET | filter(2), "OF after scounterovf");
      csr(S, CLEAR, `TALLY_CSR_SCOUNTERINHIBIT, 64'h8);
      loads(S, 2);
      compare({was_andes, was_lcofi}, 2'b10, "the interrupt of the next period");
      // the flag is set: nothing more; without mcounterinen the standard interrupt, never both
      csr(S, WRITE, `TALLY_CSR_HPMCOUNTER3, -64'd1);
      loads(S, 1);
      compare({was_andes, was_lcofi}, 2'b00, "an overflow beside its flag");
      csr(S, WRITE, `TALLY_CSR_SCOUNTEROVF, 64'h8);
      csr(S, CLEAR, `TALLY_CSR_SCOUNTERINEN, 64'h8);
      csr(S, WRITE, `TALLY_CSR_HPMCOUNTER3, -64'd1);
      loads(S, 1);
      compare({was_andes, was_lcofi}, 2'b01, "an overflow without mcounterinen");
    end

    if (errors == 0) $display("PASS: %0d checks", checks);
    $finish;
  end
endmodule

`default_nettype wire
