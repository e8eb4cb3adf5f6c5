// SPDX-License-Identifier: Apache-2.0
// EHXPLLL - stub of ECP5's PLL, for simulation: the clock passes unchanged, the lock follows after
// some cycles.

`default_nettype none

/* verilator lint_off UNUSEDPARAM */ // the primitive's settings
/* verilator lint_off UNUSEDSIGNAL */ // and its pins that a stub does not need
module EHXPLLL #(
    parameter PLLRST_ENA = "", INTFB_WAKE = "", STDBY_ENABLE = "", DPHASE_SOURCE = "",
    parameter OUTDIVIDER_MUXA = "", OUTDIVIDER_MUXB = "", OUTDIVIDER_MUXC = "", OUTDIVIDER_MUXD = "",
    parameter FEEDBK_PATH = "",
    parameter CLKOP_ENABLE = "", CLKI_DIV = 1, CLKFB_DIV = 1, CLKOP_DIV = 1, CLKOP_CPHASE = 0,
    parameter CLKOP_FPHASE = 0
) (
    input  wire CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG,
    input  wire PLLWAKESYNC, ENCLKOP,
    output wire CLKOP,
    output wire LOCK
);
  reg [3:0] count_q = 4'd0;
  always @(posedge CLKI) if (!LOCK) count_q <= count_q + 4'd1;

  assign CLKOP = CLKI;
  assign LOCK  = &count_q;
endmodule

`default_nettype wire
