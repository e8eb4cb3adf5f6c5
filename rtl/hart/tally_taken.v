// tally_taken - which of the two ways' transfers is predicted taken, and what follows from there being one.
//
// The row of counters comes out of a block RAM, late: everything else is worked out beside it. The boundary
// stays, so that a mapper does not put what is early behind what is late to save a few LUTs.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_taken (
    input  wire [3:0] row_i,      // late: what the counter of each halfword says
    input  wire [1:0] always_i,   // a way's transfer is taken in any case,
    input  wire [3:0] counts0_i,  // or if this counter says so
    input  wire [3:0] counts1_i,
    input  wire       first0_i,   // way 0's comes first, if both are
    input  wire [1:0] go_i,       // go_o, if neither is taken (bit 0), and if one is
    output wire       taken_o,
    output wire       way_o,      // the first that is taken; any if none is
    output wire       go_o
);
  wire [1:0] taken = always_i | {|(row_i & counts1_i), |(row_i & counts0_i)};

  assign way_o   = taken[1] & ~(taken[0] & first0_i);
  assign taken_o = |always_i | |(row_i & (counts0_i | counts1_i));

  // What is taken always is known in time to be put into go_i
  wire go_not = |always_i ? go_i[1] : go_i[0];
  assign go_o = |(row_i & (counts0_i | counts1_i)) ? go_i[1] : go_not;
endmodule

`default_nettype wire
