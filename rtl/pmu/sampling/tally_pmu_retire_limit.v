// SPDX-License-Identifier: Apache-2.0
// tally_pmu_retire_limit - how many lanes may retire without one of them standing beside the cause of an overflow
// (Ssplcofi; docs/sampling.md).
//
// The instruction that wraps a counter has to be the last of its cycle, so that the interrupt follows it at
// once. A lane is one step at most, so it is enough that no more lanes retire than steps are left.
//
// A function of state alone. With one lane there is nothing to do.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_retire_limit #(
    parameter RETIRE_W = 2,
    parameter HPM_N    = 29,
    parameter HPM_W    = 64
) (
    input  wire [32*8-1:0] events_i,     // what counters select
    input  wire [32*3-1:0] low_i,        // the three lowest bits of their values
    input  wire [31:0]     near_i,       // all other bits are ones
    input  wire [31:0]     quiet_i,      // counters that stand, or whose overflow is no news
    output reg  [3:0]      max_o
);
  `include "tally_event_fn.vh"

  localparam [3:0] RANGE = HPM_W >= 3 ? 4'd8 : HPM_W == 2 ? 4'd4 : 4'd2;

  // The lines of retire events, in the order in which counters know them.
  localparam [63:0] ONES = 64'hFFFF_FFFF_FFFF_FFFF;
  wire [63:0] low_retire   = tally_lines_low(ONES, 64'd0);
  wire [63:0] mid_retire   = tally_lines_mid(ONES, 64'd0);
  wire [63:0] cache_retire = tally_lines_cache(ONES, 64'd0);

  reg [7:0] sel;
  reg       counts;
  reg [3:0] left;
  integer   i;
  always @* begin
    max_o  = RETIRE_W[3:0];
    sel    = 8'd0;
    counts = 1'b0;
    left   = 4'd0;
    for (i = 3; i < 3 + HPM_N; i = i + 1) begin
      sel    = events_i[i*8 +: 8];
      counts = sel[7] ? cache_retire[sel[5:0]] : sel[6] ? mid_retire[sel[5:0]] : low_retire[sel[5:0]];
      left   = RANGE - {1'b0, low_i[i*3 +: 3]};
      if (near_i[i] & ~quiet_i[i] & counts & left < max_o) max_o = left;
    end
  end

  wire unused_ok = &{1'b0, events_i, low_i, near_i, quiet_i};
endmodule

`default_nettype wire
