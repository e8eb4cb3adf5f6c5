// SPDX-License-Identifier: Apache-2.0
// tally_pmu_late - a word that is late joins those that are early.
//
// One LUT a bit; the boundary keeps it so.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_late #(
    parameter W = 64
) (
    input  wire [W-1:0] early_i,
    input  wire         en_i,
    input  wire [W-1:0] late_i,
    output wire [W-1:0] word_o
);
  assign word_o = early_i | late_i & {W{en_i}};
endmodule

`default_nettype wire
