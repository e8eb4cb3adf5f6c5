// SPDX-License-Identifier: Apache-2.0
// tally_select_first - which of two candidates applies, the first one if both do.
//
// A candidate applies if its late-arriving hit is set, and either its always_i or a late-arriving bit of
// row_i selected by its mask. All other logic is outside, so that only row_i and hit_i pass through; the
// boundary keeps it so.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_select_first (
    input  wire [3:0] row_i,       // late-arriving
    input  wire [1:0] hit_i,       // late-arriving, one bit a candidate
    input  wire [1:0] always_i,
    input  wire [3:0] mask0_i,
    input  wire [3:0] mask1_i,
    input  wire       first0_i,    // candidate 0 comes before candidate 1
    output wire       any_o,
    output wire       second_o     // candidate 1 is selected; don't-care if neither applies
);
  wire [1:0] applies = hit_i & (always_i | {|(row_i & mask1_i), |(row_i & mask0_i)});

  assign second_o = applies[1] & ~(applies[0] & first0_i);
  assign any_o    = |applies;
endmodule

`default_nettype wire
