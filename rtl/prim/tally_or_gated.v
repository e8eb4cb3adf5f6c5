// SPDX-License-Identifier: Apache-2.0
// tally_or_gated - a word ORed with a late-arriving one under an enable.
//
// One LUT a bit between the late-arriving word and the output. A mapper does not know which word arrives
// last and could put others behind it; the boundary prevents it.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_or_gated #(
    parameter W = 64
) (
    input  wire [W-1:0] word_i,
    input  wire         last_en_i,
    input  wire [W-1:0] last_i,
    output wire [W-1:0] word_o
);
  assign word_o = word_i | last_i & {W{last_en_i}};
endmodule

`default_nettype wire
