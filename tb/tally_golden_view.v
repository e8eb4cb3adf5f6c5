// tally_golden_view - what the golden models of a hart hold, for waves: the registers have the RTL's names.
//
// Simulation only; written by the harness after every cycle of a wave window with lockstep on (probe.vlt
// makes them writable).

`default_nettype none

module tally_golden_view;
  /* verilator lint_off UNDRIVEN */       // from outside
  /* verilator lint_off UNUSEDSIGNAL */   // seen in waves only
  reg [63:0] pc;
  reg [31:0] insn;
  reg [1:0]  priv;
  reg [63:0] next_pc;
  reg [63:0] x [0:31];
  reg [63:0] mstatus, mip, mie, mideleg, mepc, mcause, mtval, sepc, scause, stval, satp;

  // golden PMU
  reg [63:0] mcycle, minstret, mcountinhibit;
  reg [63:0] mhpmcounter [0:31];
  reg [63:0] mhpmevent [0:31];
  reg        irq_lcofi, irq_lambi, irq_andes;
  reg [3:0]  ret_max;
  /* verilator lint_on UNUSEDSIGNAL */
  /* verilator lint_on UNDRIVEN */
endmodule

`default_nettype wire
