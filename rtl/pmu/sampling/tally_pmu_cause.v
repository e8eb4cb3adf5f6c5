// SPDX-License-Identifier: Apache-2.0
// tally_pmu_cause - the pc of the lane whose event makes a counter wrap, if it counts a retire event; else
// the oldest pc (event sampling draft, Sspesa; docs/rulings.md, Several events in a cycle).
//
// Combinational. For more than one lane; the counter wraps in this cycle.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_cause #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 2,
    parameter HPM_W    = 64
) (
    input  wire [4:0]               index_i,         // the counter
    input  wire [32*8-1:0]          events_i,        // selected events, the three lowest bits of the counters
    input  wire [32*3-1:0]          low_i,
    input  wire [RETIRE_W*64-1:0]   lane_event_i,    // tally_pmu_events
    input  wire [RETIRE_W-1:0]      in_range_i,      // lanes within the pc range ...
    input  wire [31:0]              pc_range_i,      // ... which limits these counters
    input  wire [RETIRE_W*XLEN-1:0] pc_i,            // of the lanes
    input  wire [XLEN-1:0]          oldest_i,
    output wire [XLEN-1:0]          cause_o
);
  `include "tally_event_fn.vh"

  // The counter wraps in this cycle, so its low bits are the number of events to the wrap.
  localparam [3:0] RANGE = HPM_W >= 3 ? 4'd8 : HPM_W == 2 ? 4'd4 : 4'd2;
  wire [32*4-1:0]      low;                        // an index times 4 is a mux, times 3 a multiplier
  wire [7:0]           selected = events_i[index_i*8 +: 8];
  wire [3:0]           to_wrap  = RANGE - low[index_i*4 +: 4];
  wire [RETIRE_W-1:0]  has_event;
  genvar n, l;
  generate
    for (n = 0; n < 32; n = n + 1) begin : g_low
      assign low[n*4 +: 4] = {1'b0, low_i[n*3 +: 3]};
    end
    for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
      wire [63:0] low_event   = tally_lines_low(lane_event_i[l*64 +: 64], 64'd0);
      wire [63:0] mid_event   = tally_lines_mid(lane_event_i[l*64 +: 64], 64'd0);
      wire [63:0] cache_event = tally_lines_cache(lane_event_i[l*64 +: 64], 64'd0);
      assign has_event[l] = (selected[7] ? cache_event[selected[5:0]] :
                             selected[6] ? mid_event[selected[5:0]] : low_event[selected[5:0]])
                          & (in_range_i[l] | ~pc_range_i[index_i]);
    end
  endgenerate
  reg  [XLEN-1:0] wrapping;
  reg  [3:0]      events;
  integer         j;
  always @* begin
    wrapping = oldest_i;
    events   = 4'd0;
    for (j = 0; j < RETIRE_W; j = j + 1) begin
      if (has_event[j]) begin
        events = events + 4'd1;
        if (events == to_wrap) wrapping = pc_i[j*XLEN +: XLEN];
      end
    end
  end
  assign cause_o = wrapping;
endmodule

`default_nettype wire
