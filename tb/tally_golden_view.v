// SPDX-License-Identifier: Apache-2.0
// tally_golden_view - state of the golden models of a hart, for waves. Registers have the RTL's names.
//
// Simulation only. The harness writes it in every cycle of a wave window with lockstep on (probe.vlt makes it
// writable). Retirement is shown in its cycle, state in the cycles in which the RTL has the same state.
// mismatch_*: the two differ.

`default_nettype none

module tally_golden_view;
  /* verilator lint_off UNDRIVEN */       // from outside
  /* verilator lint_off UNUSEDSIGNAL */   // seen in waves only
  // the instruction that retired or trapped last, as lockstep compares it
  reg [63:0] ret_pc;
  reg [31:0] ret_insn;
  reg        mismatch_retire;

  // state of the hart
  reg [63:0] pc;                   // of the next instruction
  reg [1:0]  priv;
  reg [63:0] x [0:31];
  reg        mismatch_hart;
  reg [63:0] mstatus, mip, mie, mideleg, mepc, mcause, mtval, sepc, scause, stval, satp;
  reg        mismatch_csr;

  // state of the PMU
  reg [63:0] mhpmcounter [0:31];   // 0 is mcycle, 2 minstret
  reg [63:0] rtl_count [0:31];     // the RTL's, which has them in two parts
  reg        mismatch_counters;
  reg [63:0] mhpmevent [0:31];
  reg [31:0] mcountinhibit;
  reg        mismatch_events;      // of mhpmevent, mcountinhibit
  reg [63:0] shpmspc, shpmsdata, mpdisctl, spdiscounter;
  reg        mismatch_sampling;
  reg [31:0] ubescr, sebbctl;
  reg [63:0] uebbhr, uebbrr;       // the RTL's: ebb_target_o, ebb_return_o

  // outputs of the PMU, in their cycle
  reg        irq_lcofi, irq_lambi, irq_andes, ebb_req;
  reg [3:0]  ret_max;
  reg        dec_sample, rec_valid;
  reg [63:0] rec_addr, rec_data;
  reg        mismatch_outputs;     // of all outputs

  reg        mismatch;             // one of them
  /* verilator lint_on UNUSEDSIGNAL */
  /* verilator lint_on UNDRIVEN */
endmodule

`default_nettype wire
