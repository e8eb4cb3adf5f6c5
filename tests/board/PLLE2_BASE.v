// SPDX-License-Identifier: Apache-2.0
// PLLE2_BASE - stub of the PLL of 7-series FPGAs, for simulation: the clock passes unchanged, the lock
// follows after some cycles.

`default_nettype none

/* verilator lint_off UNUSEDPARAM */ // the primitive's settings
/* verilator lint_off UNUSEDSIGNAL */ // and its pins that a stub does not need
module PLLE2_BASE #(
    parameter CLKIN1_PERIOD = 0.0, CLKFBOUT_MULT = 5, CLKOUT0_DIVIDE = 1
) (
    input  wire CLKIN1, CLKFBIN, PWRDWN, RST,
    output wire CLKFBOUT, CLKOUT0, LOCKED
);
  reg [3:0] count_q = 4'd0;
  always @(posedge CLKIN1) if (!LOCKED) count_q <= count_q + 4'd1;

  assign CLKFBOUT = CLKIN1;
  assign CLKOUT0  = CLKIN1;
  assign LOCKED   = &count_q;
endmodule

`default_nettype wire
