// SPDX-License-Identifier: Apache-2.0
// tally_increment - a word plus one if carry_i; 0 while clear_i.
//
// One LUT a bit on the carry chain; the boundary keeps the clear in the same LUT. CARRY_SELECT: carry_i
// is late-arriving, and selects between the word and the sum instead of entering the chain.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_increment #(
    parameter W = 1,
    parameter [0:0] CARRY_SELECT = 1'b0
) (
    input  wire [W-1:0] word_i,
    input  wire         carry_i,
    input  wire         clear_i,
    output wire [W-1:0] word_o
);
  wire [W-1:0] more = word_i + {{W - 1{1'b0}}, CARRY_SELECT | carry_i};
  wire [W-1:0] sum  = carry_i | ~CARRY_SELECT ? more : word_i;
  assign word_o = sum & {W{~clear_i}};
endmodule

`default_nettype wire
