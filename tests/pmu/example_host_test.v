// SPDX-License-Identifier: Apache-2.0
// example_host_test - a program for the example host, with the value that each CSR instruction must read.
//
// Shows the guide's promises: exact counts, an overflow interrupt without skid, a delegated access, a wake
// from WFI, a refused access; with COUNTER_RAM also the stall that a host has to obey.

`include "tally_spec.vh"

`default_nettype none

module example_host_test #(
    parameter COUNTER_RAM   = 0,
    parameter CSR_PIPELINE = 0
);
  localparam HANDLER = 1024, SIZE = 2048;  // instructions; four bytes each
  localparam [1:0] READ = 2'd0, WRITE = 2'd1, SET = 2'd2, CLEAR = 2'd3;
  localparam [63:0] OF = 64'h8000_0000_0000_0000, LCOFI = 64'h2000;
  localparam [63:0] LOAD = 64'd1 << `TALLY_EVR_LOAD;

  reg         clk = 1'b0, rst = 1'b1;
  wire [63:0] pc, result;
  wire        retire, trap;
  reg  [1:0]  kind [0:SIZE-1], op [0:SIZE-1];
  reg  [11:0] num [0:SIZE-1];
  reg  [63:0] data [0:SIZE-1], want [0:SIZE-1];
  reg         check [0:SIZE-1];
  wire [10:0] at = pc[12:2];

  example_host #(.COUNTER_RAM(COUNTER_RAM), .CSR_PIPELINE(CSR_PIPELINE)) host (
      .clk(clk), .rst(rst),
      .pc_q(pc),
      .insn_kind_i(kind[at]), .insn_num_i(num[at]), .insn_op_i(op[at]), .insn_data_i(data[at]),
      .result_o(result), .retire_o(retire), .trap_o(trap)
  );

  // ---- the program
  integer here, i;
  task emit(input [1:0] k, input [11:0] n, input [1:0] o, input [63:0] d);
    begin
      {kind[here], num[here], op[here], data[here], check[here]} = {k, n, o, d, 1'b0};
      here = here + 1;
    end
  endtask
  task csr(input [11:0] n, input [1:0] o, input [63:0] d); emit(2'd1, n, o, d); endtask
  // Other instructions than CSR accesses may have a counter's number in these bits: the host drives 0.
  task work(input [63:0] events); emit(2'd0, `TALLY_CSR_MHPMCOUNTER5, READ, events); endtask
  task reads(input [11:0] n, input [63:0] value);
    begin
      csr(n, READ, 64'd0);
      {want[here-1], check[here-1]} = {value, 1'b1};
    end
  endtask

  integer after_overflow, supervisor, refused;
  initial begin
    here = 0;
    while (here < SIZE) work(64'd0);

    here = HANDLER;  // leaves counter 3 stopped, and shows where it was called from
    reads(`TALLY_CSR_MEPC, 64'd0);
    csr(`TALLY_CSR_MCOUNTINHIBIT, SET, 64'h18);
    csr(`TALLY_CSR_MIP, CLEAR, LCOFI);
    csr(`TALLY_CSR_MHPMEVENT3, CLEAR, OF);
    csr(`TALLY_CSR_MHPMEVENT4, CLEAR, OF);
    emit(2'd2, 12'd0, READ, 64'd0);

    here = 0;
    // a read sees everything older and not itself
    csr(`TALLY_CSR_MINSTRET, WRITE, 64'd100);
    reads(`TALLY_CSR_MINSTRET, 64'd100);
    work(64'd0);
    work(LOAD);
    reads(`TALLY_CSR_MINSTRET, 64'd103);
    // an event
    csr(`TALLY_CSR_MHPMEVENT3, WRITE, `TALLY_EV_INST_LOAD_RET);
    csr(`TALLY_CSR_MHPMCOUNTER3, WRITE, 64'd0);
    work(LOAD);
    work(64'd0);
    work(LOAD);
    reads(`TALLY_CSR_MHPMCOUNTER3, 64'd2);
    // more accesses to a counter in a row than COUNTER_RAM likes
    csr(`TALLY_CSR_MHPMEVENT3, WRITE, `TALLY_EV_INST_RET);
    csr(`TALLY_CSR_MHPMCOUNTER3, WRITE, 64'd0);
    for (i = 0; i < 600; i = i + 1) reads(`TALLY_CSR_MHPMCOUNTER3, i);
    // an overflow, and the trap right behind its cause
    csr(`TALLY_CSR_MSTATUS, WRITE, 64'h1808);
    csr(`TALLY_CSR_MHPMCOUNTER3, WRITE, -64'd2);
    work(64'd0);
    work(64'd0);
    after_overflow = here;
    reads(`TALLY_CSR_MHPMCOUNTER3, 64'd2);  // the handler's first two instructions were counted
    // sleep until bus cycles overflow
    csr(`TALLY_CSR_MHPMEVENT4, WRITE, `TALLY_EV_CYCLES_BUS);
    csr(`TALLY_CSR_MHPMCOUNTER4, WRITE, -64'd50);
    csr(`TALLY_CSR_MCOUNTINHIBIT, CLEAR, 64'h10);
    emit(2'd3, 12'd0, READ, 64'd0);
    // S-mode, with counter 3 delegated
    csr(`TALLY_CSR_MCOUNTEREN, WRITE, 64'h8);
    csr(`TALLY_CSR_MSTATEEN0, WRITE, 64'd1 << `TALLY_MSTATEEN0_CSRIND_LSB);
    csr(`TALLY_CSR_MENVCFG, WRITE, 64'd1 << `TALLY_MENVCFG_CDE_LSB);
    csr(`TALLY_CSR_MSTATUS, WRITE, 64'h0888);
    supervisor = here + 2;
    csr(`TALLY_CSR_MEPC, WRITE, supervisor * 4);
    emit(2'd2, 12'd0, READ, 64'd0);
    csr(`TALLY_CSR_SISELECT, WRITE, 64'h43);
    csr(`TALLY_CSR_SIREG, WRITE, 64'd1234);
    reads(`TALLY_CSR_HPMCOUNTER3, 64'd1234);
    reads(`TALLY_CSR_SCOUNTINHIBIT, 64'h8);
    // the other counter is M-mode's
    refused = here;
    reads(`TALLY_CSR_HPMCOUNTER4, 64'd0);
  end

  // ---- the run
  integer errors, traps, stalls, checks, cycles;
  initial begin
    {errors, traps, stalls, checks} = 0;
    #12 rst = 1'b0;
    for (cycles = 0; cycles < 5000 && !(pc == refused * 4 && (trap || retire)); cycles = cycles + 1) step;
    if (!trap || retire) fail("the refused access is not refused");
    if (traps != 2) fail("there are not two overflow interrupts");
    if ((COUNTER_RAM != 0 || CSR_PIPELINE != 0) && stalls == 0) fail("no access had to wait");
    if (COUNTER_RAM == 0 && CSR_PIPELINE == 0 && stalls != 0) fail("an access had to wait");
    if (errors == 0) $display("PASS: %0d reads, %0d cycles of stall", checks, stalls);
    $finish;
  end

  task fail(input [8*40-1:0] what);
    begin
      $display("FAIL: %0s", what);
      errors = errors + 1;
    end
  endtask

  task step;
    begin
      #4;
      if (!retire && !trap && !host.halted_q) begin
        stalls = stalls + 1;
        if (kind[at] != 2'd1) fail("no access, and it had to wait");
      end
      if ((retire || trap && !host.interrupt) && host.u_pmu.ret_max_o == 4'd0)
        fail("retires against ret_max_o");
      if (trap) begin
        traps = traps + 1;
        // the instruction right behind the cause; after WFI the next one
        want[HANDLER] = traps == 1 ? after_overflow * 4 : (after_overflow + 5) * 4;
      end
      if (retire && check[at]) begin
        checks = checks + 1;
        if (result !== want[at]) begin
          $display("pc %0d: %h is %h, expected %h", at, num[at], result, want[at]);
          errors = errors + 1;
        end
      end
      #1 clk = 1'b1;
      #5 clk = 1'b0;
    end
  endtask

  initial begin  // reset
    #2 clk = 1'b1;
    #5 clk = 1'b0;
  end
endmodule

`default_nettype wire
