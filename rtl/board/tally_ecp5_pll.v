// SPDX-License-Identifier: Apache-2.0
// tally_ecp5_pll - ECP5's PLL: IN_MHZ in, MHZ out, both multiples of STEP_MHZ; MHZ from 10 to 200.
//
// The phase detector runs at STEP_MHZ, the oscillator near 600 MHz (400 to 800 are allowed). The constraints
// give IN_MHZ; place and route derives MHZ from it.

`default_nettype none

module tally_ecp5_pll #(
    parameter IN_MHZ   = 25,
    parameter STEP_MHZ = 5,
    parameter MHZ      = 40
) (
    input  wire clk_i,
    output wire clk_o,
    output wire locked_o
);
  (* ICP_CURRENT = "12" *)
  (* LPF_RESISTOR = "8" *)
  (* MFG_ENABLE_FILTEROPAMP = "1" *)
  (* MFG_GMCREF_SEL = "2" *)
  EHXPLLL #(
    .PLLRST_ENA       ("DISABLED"),
    .INTFB_WAKE       ("DISABLED"),
    .STDBY_ENABLE     ("DISABLED"),
    .DPHASE_SOURCE    ("DISABLED"),
    .OUTDIVIDER_MUXA  ("DIVA"),
    .OUTDIVIDER_MUXB  ("DIVB"),
    .OUTDIVIDER_MUXC  ("DIVC"),
    .OUTDIVIDER_MUXD  ("DIVD"),
    .CLKI_DIV         (IN_MHZ / STEP_MHZ),
    .CLKFB_DIV        (MHZ / STEP_MHZ),
    .CLKOP_ENABLE     ("ENABLED"),
    .CLKOP_DIV        (600 / MHZ),
    .CLKOP_CPHASE     (600 / MHZ - 1),
    .CLKOP_FPHASE     (0),
    .FEEDBK_PATH      ("CLKOP")
  ) u_pll (
    .CLKI         (clk_i),
    .CLKFB        (clk_o),
    .CLKOP        (clk_o),
    .LOCK         (locked_o),
    .RST          (1'b0),
    .STDBY        (1'b0),
    .PHASESEL0    (1'b0),
    .PHASESEL1    (1'b0),
    .PHASEDIR     (1'b1),
    .PHASESTEP    (1'b1),
    .PHASELOADREG (1'b1),
    .PLLWAKESYNC  (1'b0),
    .ENCLKOP      (1'b0)
  );
endmodule

`default_nettype wire
