// SPDX-License-Identifier: Apache-2.0
// tally_pmu_owe - the high part of a counter with the carry that it is owed; 0 while the RAM is fresh.
//
// One LUT a bit on the carry chain; the boundary keeps it so.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_owe #(
    parameter HIGH = 1,
    parameter [0:0] CSR_PIPELINE = 1'b0  // owed_i comes late
) (
    input  wire [HIGH-1:0] high_i,
    input  wire            owed_i,
    input  wire            fresh_i,
    output wire [HIGH-1:0] high_o
);
  wire [HIGH-1:0] more = high_i + {{HIGH - 1{1'b0}}, CSR_PIPELINE | owed_i};
  wire [HIGH-1:0] sum  = owed_i | ~CSR_PIPELINE ? more : high_i;
  assign high_o = sum & {HIGH{~fresh_i}};
endmodule

`default_nettype wire
