// SPDX-License-Identifier: Apache-2.0
// tally_same - are two words equal? Much waits for it: the boundary stays, so that a mapper makes a tree of
// the comparison instead of a row, which costs a few LUTs less.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_same #(
    parameter WIDTH = 16
) (
    input  wire [WIDTH-1:0] a_i,
    input  wire [WIDTH-1:0] b_i,
    output wire             same_o
);
  assign same_o = a_i == b_i;
endmodule

`default_nettype wire
