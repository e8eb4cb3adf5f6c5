// SPDX-License-Identifier: Apache-2.0
// tally_pmu_wraps - which counters would wrap if they counted: the second level behind tally_pmu_takes.
//
// One LUT a counter; the boundary keeps it so.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_wraps (
    input  wire [31:0] privileged_i,
    input  wire [31:0] idle_i,
    input  wire [31:0] gate_i,
    input  wire [31:0] full_i,       // ... if they ran, and the request is not forbidden
    output wire [31:0] wraps_o
);
  assign wraps_o = full_i & gate_i & ~privileged_i & ~idle_i;
endmodule

`default_nettype wire
