// SPDX-License-Identifier: Apache-2.0
// tally_taken - which of the two ways' transfers is predicted taken.
//
// The row of counters comes out of a block RAM, late, and that a way hits is known no earlier: everything
// else is worked out beside them. The boundary stays, so that a mapper does not put what is early behind what
// is late to save a few LUTs.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_taken (
    input  wire [3:0] row_i,      // late: what the counter of each halfword says
    input  wire [1:0] hit_i,      // late: a way is about this group;
    input  wire [1:0] always_i,   // if so, its transfer is taken in any case,
    input  wire [3:0] counts0_i,  // or if this counter says so
    input  wire [3:0] counts1_i,
    input  wire       first0_i,   // way 0's comes first, if both are
    output wire       taken_o,
    output wire       way_o       // the first that is taken; any if none is
);
  wire [1:0] taken = hit_i & (always_i | {|(row_i & counts1_i), |(row_i & counts0_i)});

  assign way_o   = taken[1] & ~(taken[0] & first0_i);
  assign taken_o = |taken;
endmodule

`default_nettype wire
