// SPDX-License-Identifier: Apache-2.0
// BUFG - stands in for the global buffer of 7-series FPGAs in simulation.

`default_nettype none

module BUFG (
    input  wire I,
    output wire O
);
  assign O = I;
endmodule

`default_nettype wire
