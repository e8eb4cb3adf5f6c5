// SPDX-License-Identifier: Apache-2.0
// tally_and_not - bits set in two vectors and clear in two others.
//
// One 4-input LUT a bit; the boundary keeps the inverters inside it.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_and_not #(
    parameter W = 32
) (
    input  wire [W-1:0] a_i,
    input  wire [W-1:0] b_i,
    input  wire [W-1:0] not_c_i,
    input  wire [W-1:0] not_d_i,
    output wire [W-1:0] out_o
);
  assign out_o = a_i & b_i & ~not_c_i & ~not_d_i;
endmodule

`default_nettype wire
