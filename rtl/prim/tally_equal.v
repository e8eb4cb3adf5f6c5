// SPDX-License-Identifier: Apache-2.0
// tally_equal - equality of two words.
//
// A balanced tree of LUTs; the boundary keeps it so. Inside a longer path a mapper chains the comparison
// instead, which saves a few LUTs and adds levels.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_equal #(
    parameter WIDTH = 16
) (
    input  wire [WIDTH-1:0] a_i,
    input  wire [WIDTH-1:0] b_i,
    output wire             equal_o
);
  assign equal_o = a_i == b_i;
endmodule

`default_nettype wire
