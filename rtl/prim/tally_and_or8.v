// SPDX-License-Identifier: Apache-2.0
// tally_and_or8 - a quarter of tally_and_or: four LUTs, and one that joins them. The boundary is kept for
// the same reason.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_and_or8 #(
    parameter [7:0] MASK = 8'hFF,
    parameter [0:0] NOT_B = 1'b0
) (
    input  wire [7:0] a_i,
    input  wire [7:0] b_i,
    output wire       out_o
);
  assign out_o = |(a_i & (b_i ^ {8{NOT_B}}) & MASK);
endmodule

`default_nettype wire
