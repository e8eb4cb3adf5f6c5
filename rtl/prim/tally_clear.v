// SPDX-License-Identifier: Apache-2.0
// tally_clear - a vector without the bits of a mask, and without one more if that is enabled.
//
// One 4-input LUT a bit; the boundary keeps late-arriving logic in front of it.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_clear #(
    parameter W = 32
) (
    input  wire [W-1:0] word_i,
    input  wire [W-1:0] mask_i,
    input  wire [W-1:0] hot_i,    // the one more, one-hot
    input  wire         en_i,
    output wire [W-1:0] out_o
);
  assign out_o = word_i & ~mask_i & ~(hot_i & {W{en_i}});
endmodule

`default_nettype wire
