// SPDX-License-Identifier: Apache-2.0
// tally_pmu_lines - what counters choose from: the events as counts, in the order of the numbers they store.
//
// A line is what a counter can select. A retire event's line counts the lanes whose instruction has the
// event; the others are counts already. low and mid are the general selectors 0x00..0x3F and 0x40..0x7F,
// cache is 0x10000..0x1003F (tally_event_short). A line is a count of LINE_W bits and travels as that many
// planes of 64 bits a word, so that a counter's selection is one bit out of 64 a plane.
//
// Combinational.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_lines #(
    parameter RETIRE_W = 1,
    parameter LINE_W   = 1  // bits of the largest count
) (
    input  wire [RETIRE_W*64-1:0] lane_event_i,   // by index, a word a lane
    input  wire [LINE_W*64-1:0]   cycle_event_i,  // by index less 64, a plane a bit of the count
    output wire [LINE_W*64-1:0]   low_line_o,
    output wire [LINE_W*64-1:0]   mid_line_o,
    output wire [LINE_W*64-1:0]   cache_line_o
);
  `include "tally_event_fn.vh"

  // ---- retire events: for each, how many lanes have it
  wire [LINE_W*64-1:0] retire_line;
  generate
    if (RETIRE_W == 1) begin : g_one_lane
      assign retire_line[63:0] = lane_event_i;
      if (LINE_W > 1) begin : g_rest
        assign retire_line[LINE_W*64-1:64] = {(LINE_W - 1) * 64{1'b0}};
      end
    end else begin : g_lanes
      // All 64 sums at once: each lane is added to the planes, from the low one up, with carries in `carry`.
      reg [LINE_W*64-1:0] sum;
      reg [63:0]          carry, plane;
      integer             l, p;
      always @* begin
        sum = {LINE_W * 64{1'b0}};
        for (l = 0; l < RETIRE_W; l = l + 1) begin
          carry = lane_event_i[l*64 +: 64];
          for (p = 0; p < LINE_W; p = p + 1) begin
            plane           = sum[p*64 +: 64];
            sum[p*64 +: 64] = plane ^ carry;
            carry           = plane & carry;
          end
        end
      end
      assign retire_line = sum;
    end
  endgenerate

  // ---- the order in which counters know the lines
  genvar b;
  generate
    for (b = 0; b < LINE_W; b = b + 1) begin : g_plane
      assign low_line_o[b*64 +: 64]   = tally_lines_low(retire_line[b*64 +: 64], cycle_event_i[b*64 +: 64]);
      assign mid_line_o[b*64 +: 64]   = tally_lines_mid(retire_line[b*64 +: 64], cycle_event_i[b*64 +: 64]);
      assign cache_line_o[b*64 +: 64] = tally_lines_cache(retire_line[b*64 +: 64], cycle_event_i[b*64 +: 64]);
    end
  endgenerate
endmodule

`default_nettype wire
