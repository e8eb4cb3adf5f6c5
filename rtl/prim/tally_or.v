// SPDX-License-Identifier: Apache-2.0
// tally_pmu_joined - an event that is one of several wires: two levels of LUTs for up to sixteen.
//
// The boundary keeps it so: the mapper would make an event of another one that has some of its wires, and put
// one more level between them.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_joined #(
    parameter W = 2,
    parameter [W-1:0] MASK = {W{1'b1}}    // those that it is
) (
    input  wire [W-1:0] wires_i,
    output wire         event_o
);
  assign event_o = |(wires_i & MASK);
endmodule

`default_nettype wire
