// SPDX-License-Identifier: Apache-2.0
// BUFG - stub of the global clock buffer of 7-series FPGAs, for simulation.

`default_nettype none

module BUFG (
    input  wire I,
    output wire O
);
  assign O = I;
endmodule

`default_nettype wire
