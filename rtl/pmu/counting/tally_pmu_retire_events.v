// SPDX-License-Identifier: Apache-2.0
// tally_pmu_retire_events - the retire events of one instruction, by index, from its event wires
// (spec/events.yaml): an event happens if any of its wires is set.
//
// BOUNDARY: the events feed late-arriving logic, so each OR of several wires keeps its own LUTs (tally_or).
//
// Combinational.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_retire_events #(
    parameter [0:0] BOUNDARY = 1'b0
) (
    input  wire [`TALLY_EVR_N-1:0] wires_i,
    output wire [63:0]             event_o
);
  `include "tally_event_fn.vh"

  // The wires of an event that is an OR of wires; none for any other.
  function [`TALLY_EVR_N-1:0] wires_of;
    input [5:0]   fn_event;
    integer       f;
    reg [63:0]    events;
    begin
      wires_of = {`TALLY_EVR_N{1'b0}};
      events   = tally_retire_lines({`TALLY_EVR_N{1'b1}});
      if (events[fn_event]) begin
        for (f = 0; f < `TALLY_EVR_N; f = f + 1) begin
          events      = tally_retire_lines({{`TALLY_EVR_N - 1{1'b0}}, 1'b1} << f);
          wires_of[f] = events[fn_event];
        end
      end
    end
  endfunction

  wire [63:0] events    = tally_retire_lines(wires_i);
  wire        unused_ok = &{1'b0, events};
  genvar e;
  generate
    for (e = 0; e < 64; e = e + 1) begin : g_event
      localparam [`TALLY_EVR_N-1:0] WIRES = wires_of(e[5:0]);
      if (BOUNDARY && (WIRES & (WIRES - 1)) != 0) begin : g_or
        tally_or #(.W(`TALLY_EVR_N), .MASK(WIRES)) u_or (.in_i(wires_i), .out_o(event_o[e]));
      end else begin : g_wire
        assign event_o[e] = events[e];
      end
    end
  endgenerate
endmodule

`default_nettype wire
