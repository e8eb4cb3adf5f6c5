// SPDX-License-Identifier: Apache-2.0
// ebb_test - event-based branches, directed: uebbsel without a programmable counter; the unit without
// them (docs/rulings.md, EBB window; spec/events.yaml, EBB.*).
//
// For the hardware's form: for a number whose value is unused its multiplexers output anything, those of
// simulators 0.

`include "tally_spec.vh"

`default_nettype none

module ebb_test #(
    parameter XLEN  = 64,
    parameter HPM_N = 4,
    parameter EBB   = 1
);
  localparam [1:0] M = 2'd3, U = 2'd0, READ = 2'd0, WRITE = 2'd1;
  localparam       COUNTERS = 3 + HPM_N;

  reg             clk = 1'b0, rst = 1'b1, valid = 1'b0, busy = 1'b0;
  reg  [11:0]     num = 12'd0;
  reg  [1:0]      op = READ, priv = M;
  reg  [XLEN-1:0] data = {XLEN{1'b0}};
  wire            hit, illegal, virt;
  wire [XLEN-1:0] rdata;
  wire [`TALLY_EVR_N-1:0] ev_retire = busy ? {`TALLY_EVR_N{1'b1}} : {{`TALLY_EVR_N - 1{1'b0}}, valid};

  // busy: everything happens
  tally_pmu #(.XLEN(XLEN), .HPM_N(HPM_N), .EBB(EBB)) u_pmu (
      .clk(clk), .rst(rst),
      .csr_valid_i(valid), .csr_num_i(num), .csr_op_i(op), .csr_wdata_i(data), .csr_priv_i(priv),
      .csr_v_i(1'b0), .csr_hit_o(hit), .csr_illegal_o(illegal), .csr_virtual_o(virt), .csr_rdata_o(rdata),
      .csr_tm_o(),
      .csr_ready_next_o(),
      .env_cde_i(1'b1), .env_pdiss_i(1'b0), .env_pdisv_i(1'b0), .env_mstateen0_i(~64'd0),
      .env_hstateen0_i(64'd0), .env_sstateen0_i(32'd1), .env_hcounteren_i(32'd0), .env_lcofip_i(1'b0),
      .env_time_i(64'd0), .env_htimedelta_i(64'd0), .env_tlb_inval_i(1'b0),
      .mode_priv_i(priv), .mode_v_i(1'b0), .mode_stopcount_i(1'b0), .mode_debug_i(1'b0), .mode_halted_i(1'b0),
      .ev_retire_i(ev_retire), .ev_cycle_i({`TALLY_EVC_N{busy}}),
      .dec_valid_i(busy), .dec_pc_i({XLEN{1'b0}}), .dec_type_i(3'd4), .dec_mode_i(3'd0), .dec_sample_o(),
      .ret_valid_i(valid | busy), .ret_pc_i({XLEN{1'b0}}), .ret_mode_i({1'b0, priv}),
      .ret_next_pc_i({XLEN{1'b0}}),
      .ret_flush_pc_i({XLEN{1'b0}}), .ret_flushed_i(1'b0), .ret_uebret_i(1'b0), .ret_uebret_ge_i(1'b0),
      .ret_max_o(),
      .irq_lcofi_o(), .irq_lambi_o(), .irq_andes_o(),
      .ebb_req_o(), .ebb_target_o(), .ebb_ack_i(busy), .ebb_return_o(), .uebret_illegal_o(),
      .uebret_virtual_o(),
      .trk_dispatched_i(1'b0), .trk_issued_i(1'b0), .trk_completed_i(1'b0), .trk_oldest_i(1'b0),
      .trk_retired_i(1'b0), .trk_trapped_i(1'b0), .trk_flushed_i(1'b0), .trk_flush_why_i(2'd0),
      .trk_flush_pc_i({XLEN{1'b0}}), .trk_itype_i(4'd0), .trk_mispred_i(1'b0), .trk_itmiss_i(1'b0),
      .trk_icmiss_i(1'b0), .trk_l1miss_i(1'b0), .trk_llmiss_i(1'b0), .trk_l1tlbmiss_i(1'b0),
      .trk_lltlbmiss_i(1'b0), .trk_dsrc_i(4'd0), .trk_ev_i({`TALLY_EVR_N{1'b0}}), .trk_vaddr_i({XLEN{1'b0}}),
      .trk_paddr_i(64'd0), .trk_target_i({XLEN{1'b0}}),
      .rec_valid_o(), .rec_ready_i(1'b0), .rec_addr_o(), .rec_data_o(), .rec_done_i(1'b0),
      .xlat_req_o(), .xlat_vaddr_o(), .xlat_mode_o(), .xlat_done_i(1'b0), .xlat_fault_i(1'b0),
      .xlat_paddr_i(56'd0)
  );

  integer errors, checks;
  task tick;
    begin
      #4 clk = 1'b1;
      #5 clk = 1'b0;
      #1 {valid, busy} = 2'b00;
    end
  endtask
  task compare(input [63:0] value, input [63:0] wanted, input integer n);
    begin
      checks = checks + 1;
      if (value !== wanted) begin
        errors = errors + 1;
        $display("FAIL: mode %0d, csr %h, number %0d: %h, expected %h", priv, num, n, value, wanted);
      end
    end
  endtask
  task writes(input [1:0] p, input [11:0] n, input [XLEN-1:0] d);
    begin
      {priv, op, num, data} = {p, WRITE, n, d};
      #1 compare({62'd0, illegal, virt}, 64'd0, 0);
      valid = 1'b1;
      tick;
    end
  endtask
  task reads(input [1:0] p, input [11:0] n, input [63:0] wanted, input integer about);
    begin
      {priv, op, num} = {p, READ, n};
      #1 compare({{64 - XLEN{1'b0}}, rdata}, wanted, about);
      compare({62'd0, illegal, virt}, 64'd0, about);
      valid = 1'b1;
      tick;
    end
  endtask

  // Counter n holds n times this, and its upper half on RV32 the same.
  localparam [XLEN-1:0] FILL = 32'h01010101;
  task look(input integer about);
    integer k;
    for (k = 0; k < COUNTERS; k = k + 1)
      if (k != 1) begin
        reads(M, `TALLY_CSR_MCYCLE + k, (k + 1) * FILL, about);
        if (XLEN == 32) reads(M, `TALLY_CSR_MCYCLEH + k, (k + 1) * FILL, about);
      end
  endtask

  integer n, i;
  initial begin
    {errors, checks} = 0;
    #2 clk = 1'b1;
    #5 clk = 1'b0;
    rst = 1'b0;
    writes(M, `TALLY_CSR_MCOUNTEREN, ~{XLEN{1'b0}});
    if (EBB != 0) begin
      // uebbsel at cycle, time, instret, and at counters that are not there: uebbcnt is 0, and its writes are
      // ignored
      writes(M, `TALLY_CSR_MCOUNTINHIBIT, ~{XLEN{1'b0}});
      for (n = 0; n < COUNTERS; n = n + 1)
        if (n != 1) begin
          writes(M, `TALLY_CSR_MCYCLE + n, (n + 1) * FILL);
          if (XLEN == 32) writes(M, `TALLY_CSR_MCYCLEH + n, (n + 1) * FILL);
        end
      writes(M, `TALLY_CSR_MEBBCTL, 1);
      writes(M, `TALLY_CSR_SEBBCTL, ~{XLEN{1'b0}});
      for (n = 0; n < 32; n = n + 1) begin
        writes(U, `TALLY_CSR_UEBBSEL, n);
        if (n >= 3 && n < COUNTERS) reads(U, `TALLY_CSR_UEBBCNT, (n + 1) * FILL, n);
        else begin
          reads(U, `TALLY_CSR_UEBBCNT, 0, n);
          writes(U, `TALLY_CSR_UEBBCNT, ~{XLEN{1'b0}});
          if (XLEN == 32) reads(U, `TALLY_CSR_UEBBCNTH, 0, n);
          if (XLEN == 32) writes(U, `TALLY_CSR_UEBBCNTH, ~{XLEN{1'b0}});
          look(n);
        end
      end
    end else begin
      // the two events are in the list, and never happen
      num = `TALLY_CSR_UEBBCNT;
      #1 compare({63'd0, hit}, 64'd0, 0);
      writes(M, `TALLY_CSR_MCYCLE + 5, 0);
      writes(M, `TALLY_CSR_MCOUNTINHIBIT + 3, `TALLY_EV_EBB_BRANCHES);
      writes(M, `TALLY_CSR_MCOUNTINHIBIT + 4, `TALLY_EV_EBB_UNHEARD);
      writes(M, `TALLY_CSR_MCOUNTINHIBIT + 5, `TALLY_EV_INST_RET);
      for (i = 0; i < 16; i = i + 1) begin
        {priv, busy, num} = {i[2] ? M : U, 1'b1, 12'd0};
        tick;
      end
      reads(M, `TALLY_CSR_MCYCLE + 3, 64'd0, 3);
      reads(M, `TALLY_CSR_MCYCLE + 4, 64'd0, 4);
      reads(M, `TALLY_CSR_MCYCLE + 5, 64'd18, 5);  // they and the two reads
    end
    if (errors == 0) $display("PASS: %0d checks", checks);
    $finish;
  end
endmodule

`default_nettype wire
