// SPDX-License-Identifier: Apache-2.0
// tally_xilinx7_pll - the PLL of 7-series FPGAs: 100 MHz in, MHZ (a divisor of 1000) out.
//
// The oscillator runs at 1000 MHz (800 to 1600 are allowed).

`default_nettype none

module tally_xilinx7_pll #(
    parameter MHZ = 40
) (
    input  wire clk_100mhz_i,
    output wire clk_o,
    output wire locked_o
);
  wire feedback, clk;

  PLLE2_BASE #(
    .CLKIN1_PERIOD  (10.0),
    .CLKFBOUT_MULT  (10),
    .CLKOUT0_DIVIDE (1000 / MHZ)
  ) u_pll (
    .CLKIN1   (clk_100mhz_i),
    .CLKFBIN  (feedback),
    .CLKFBOUT (feedback),
    .CLKOUT0  (clk),
    .LOCKED   (locked_o),
    .PWRDWN   (1'b0),
    .RST      (1'b0)
  );

  BUFG u_global (
    .I (clk),
    .O (clk_o)
  );
endmodule

`default_nettype wire
