// SPDX-License-Identifier: Apache-2.0
// tally_pmu_run - which counters take what they have chosen in this cycle: the gate of their event is open,
// and nothing stops them.
//
// A bit a counter. Without limits two 4-input LUTs each; the boundary keeps it so.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_run #(
    parameter [0:0] LIMIT = 1'b0        // limit_i matters
) (
    input  wire [31:0] high_i,      // the gate: 0 running, 1 retires, 2 software, 3 always
    input  wire [31:0] low_i,
    input  wire [31:0] stop_i,
    input  wire [31:0] limit_i,     // retires: only in_range
    input  wire        running_i,
    input  wire        retires_i,
    input  wire        in_range_i,
    input  wire        software_i,
    output wire [31:0] run_o
);
  wire [31:0] retires = LIMIT ? limit_i & {32{in_range_i}} | ~limit_i & {32{retires_i}} : {32{retires_i}};
  // For the upper two gates the lower bit itself, which the second LUT looks at.
  wire [31:0] first = high_i & low_i | ~high_i & (low_i & retires | ~low_i & {32{running_i}});
  assign run_o = ~stop_i & (first | high_i & {32{software_i}});
endmodule

`default_nettype wire
