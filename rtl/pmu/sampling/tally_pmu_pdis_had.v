// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_had - which counters select a retire event that the sample had (pdishdrev.HPM).
//
// Answered in the cycle after the end. With one retire lane the sample's events are those that the counters
// choose from in the cycle of its end, or not known at all; more lanes have a choice of their own.

`include "tally_idle.vh"
`include "tally_spec.vh"

`default_nettype none

module tally_pmu_pdis_had #(
    parameter RETIRE_W = 1,
    parameter HPM_N    = 29
) (
    input  wire                     clk,

    input  wire                     end_i,         // a sample may end in this cycle
    input  wire [`TALLY_EVR_N-1:0]  ev_i,          // its events
    input  wire [31:0]              chosen_i,      // counters whose event lane 0 has
    input  wire [32*8-1:0]          events_i,      // what counters select; 0 for combinations
    input  wire [31:0]              of_retire_i,   // ... if it is a retire event, or none
    output reg  [31:0]              had_o
);
  wire [31:0] has;
  generate
    if (RETIRE_W == 1) begin : g_one_lane
      assign has     = chosen_i & {32{|ev_i}};
      wire unused_ok = &{1'b0, events_i};
    end else begin : g_lanes
      `include "tally_event_fn.vh"
      wire [63:0] by_index    = tally_retire_lines(ev_i);
      wire [63:0] low_event   = tally_lines_low(by_index, 64'd0);
      wire [63:0] mid_event   = tally_lines_mid(by_index, 64'd0);
      wire [63:0] cache_event = tally_lines_cache(by_index, 64'd0);
      genvar c;
      for (c = 0; c < 32; c = c + 1) begin : g_counter
        if (c >= 3 && c < 3 + HPM_N) begin : g_some
          tally_mux256 #(.MASK(`TALLY_RETIRE_LINES)) u_choose (
              .sel_i(events_i[c*8 +: 8]), .in_i({64'd0, cache_event, mid_event, low_event}), .out_o(has[c])
          );
        end else begin : g_none
          assign has[c] = 1'b0;
        end
      end
      wire unused_ok = &{1'b0, chosen_i, events_i, low_event, mid_event, cache_event};
    end
  endgenerate

  always @(posedge clk) if (`TALLY_ACTIVE(end_i)) had_o <= has & of_retire_i;
  wire unused_end = end_i;
endmodule

`default_nettype wire
