// SPDX-License-Identifier: Apache-2.0
// tally_pmu_lowest_counter - the lowest number among counters; any if there is none.
//
// Combinational: a tree of five levels. Each level keeps the lower half if it is not zero.

`default_nettype none

module tally_pmu_lowest_counter (
    input  wire [31:0] counters_i,
    output wire [4:0]  index_o
);
  wire [15:0] of_16 = counters_i[31:16] & {16{~|counters_i[15:0]}} | counters_i[15:0];
  wire [7:0]  of_8  = of_16[15:8] & {8{~|of_16[7:0]}} | of_16[7:0];
  wire [3:0]  of_4  = of_8[7:4] & {4{~|of_8[3:0]}} | of_8[3:0];
  wire        even  = |of_4[1:0] ? of_4[0] : of_4[2];
  assign index_o    = {~|counters_i[15:0], ~|of_16[7:0], ~|of_8[3:0], ~|of_4[1:0], ~even};

  wire unused_ok = &{1'b0, of_4[3]};
endmodule

`default_nettype wire
