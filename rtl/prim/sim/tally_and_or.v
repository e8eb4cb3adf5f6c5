// SPDX-License-Identifier: Apache-2.0
// tally_and_or for simulation: one expression instead of a tree.

`default_nettype none

module tally_and_or #(
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] NOT_B = 1'b0
) (
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output wire        out_o
);
  assign out_o = |(a_i & (b_i ^ {32{NOT_B}}) & MASK);
endmodule

`default_nettype wire
