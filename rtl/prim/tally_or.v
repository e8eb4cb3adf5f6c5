// SPDX-License-Identifier: Apache-2.0
// tally_or - is any bit of MASK set? Two levels of LUTs for up to sixteen bits.
//
// A mapper would reuse another OR of some of these bits and so add a level between them; the boundary
// prevents it.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_or #(
    parameter W = 2,
    parameter [W-1:0] MASK = {W{1'b1}}
) (
    input  wire [W-1:0] in_i,
    output wire         out_o
);
  assign out_o = |(in_i & MASK);
endmodule

`default_nettype wire
