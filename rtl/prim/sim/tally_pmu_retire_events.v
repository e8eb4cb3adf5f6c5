// SPDX-License-Identifier: Apache-2.0
// tally_pmu_retire_events for simulation: one word, without an instance an event.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_retire_events #(
    parameter [0:0] BOUNDARY = 1'b0
) (
    input  wire [`TALLY_EVR_N-1:0] wires_i,
    output wire [63:0]             event_o
);
  `include "tally_event_fn.vh"

  assign event_o = tally_retire_lines(wires_i);
  wire unused_ok = BOUNDARY;
endmodule

`default_nettype wire
