// SPDX-License-Identifier: Apache-2.0
// tally_branch_outcome - direction of a conditional branch or direct jump, and whether it was mispredicted
// (unprivileged manual, Conditional Branches).
//
// Carry select: the top bit of a - b arrives last, off a carry chain, so both outcomes are computed beside
// the subtraction and tally_execute selects one. The boundary is kept: a mapper would chain the comparison
// of a and b to save a few LUTs.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_branch_outcome #(
    parameter XLEN = 64
) (
    input  wire [XLEN-1:0] a_i,
    input  wire [XLEN-1:0] b_i,
    input  wire [2:0]      funct3_i,
    input  wire            cond_i,         // a conditional branch; a jump is always taken
    input  wire            if_taken_i,     // mispredicted if it is taken,
    input  wire            if_not_i,       // if it is not
    output wire [1:0]      taken_o,        // bit n: outcome if the top bit is n
    output wire [1:0]      mispred_o
);
  wire less     = funct3_i[2];
  wire unlike   = a_i[XLEN-1] ^ b_i[XLEN-1];
  wire smaller  = funct3_i[1] ? b_i[XLEN-1] : a_i[XLEN-1];
  wire always_1 = less ? unlike & smaller : a_i == b_i;   // the condition holds for either top bit
  wire with_top = less & ~unlike;                         // it holds if the top bit is 1

  wire [1:0] holds = {always_1 | with_top, always_1};
  assign taken_o   = {2{~cond_i}} | holds ^ {2{funct3_i[0]}};
  assign mispred_o = taken_o & {2{if_taken_i}} | ~taken_o & {2{if_not_i}};
endmodule

`default_nettype wire
