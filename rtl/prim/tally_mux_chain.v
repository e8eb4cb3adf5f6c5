// SPDX-License-Identifier: Apache-2.0
// tally_pmu_link - a link of a chain of choices: what comes from before, or one of two that it chooses.
//
// One 4-input LUT a bit; the boundary keeps it so.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_link #(
    parameter W = 32
) (
    input  wire         here_i,    // one of these two
    input  wire [W-1:0] before_i,  // ... 1: the second
    input  wire [W-1:0] a_i,
    input  wire [W-1:0] b_i,
    output wire [W-1:0] out_o
);
  assign out_o = here_i ? before_i & b_i | ~before_i & a_i : before_i;
endmodule

`default_nettype wire
