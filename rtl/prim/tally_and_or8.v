// SPDX-License-Identifier: Apache-2.0
// tally_pmu_any8 - a quarter of tally_pmu_any: four LUTs, and one that joins them.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_any8 #(
    parameter [7:0] MASK = 8'hFF,
    parameter [0:0] NOT = 1'b0   // see tally_pmu_any
) (
    input  wire [7:0] a_i,
    input  wire [7:0] b_i,
    output wire       any_o
);
  assign any_o = |(a_i & (b_i ^ {8{NOT}}) & MASK);
endmodule

`default_nettype wire
