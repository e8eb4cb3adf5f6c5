// SPDX-License-Identifier: Apache-2.0
// tally_resolve - whether a direct control transfer is taken, and whether that is not where the front end
// went, but for one bit: the top bit of a - b, which comes off a carry chain.
//
// Both answers are made, beside the subtraction; what follows picks one. The boundary stays, so that a mapper
// does not put the comparison of a and b in a row to save a few LUTs.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_resolve #(
    parameter XLEN = 64
) (
    input  wire [XLEN-1:0] a_i,
    input  wire [XLEN-1:0] b_i,
    input  wire [2:0]      funct3_i,
    input  wire            cond_i,         // a conditional branch; else it is taken
    input  wire            if_taken_i,     // mispredicted, if it is taken;
    input  wire            if_not_i,       // if it is not
    output wire [1:0]      taken_o,        // bit n: the top bit is n
    output wire [1:0]      mispred_o
);
  // The condition, by its two bits: holds whatever the top bit is; holds if it is 1
  wire less     = funct3_i[2];
  wire unlike   = a_i[XLEN-1] ^ b_i[XLEN-1];
  wire smaller  = funct3_i[1] ? b_i[XLEN-1] : a_i[XLEN-1];
  wire always_1 = less ? unlike & smaller : a_i == b_i;
  wire with_top = less & ~unlike;

  wire [1:0] holds = {always_1 | with_top, always_1};
  assign taken_o   = {2{~cond_i}} | holds ^ {2{funct3_i[0]}};
  assign mispred_o = taken_o & {2{if_taken_i}} | ~taken_o & {2{if_not_i}};
endmodule

`default_nettype wire
