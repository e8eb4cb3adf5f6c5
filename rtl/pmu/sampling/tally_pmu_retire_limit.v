// SPDX-License-Identifier: Apache-2.0
// tally_pmu_retire_limit - how many lanes may retire so that the instruction that overflows a counter is the
// last of its cycle (event sampling draft, Ssplcofi; docs/sampling.md).
//
// Then the interrupt comes before any younger instruction. A lane adds at most 1 to a counter, so it is
// enough that no more lanes retire than events are left to a counter's wrap.
//
// Combinational, from registers only. With one lane there is nothing to limit.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_retire_limit #(
    parameter RETIRE_W = 2,
    parameter HPM_N    = 29,
    parameter HPM_W    = 64
) (
    input  wire [32*8-1:0] events_i,       // selected events
    input  wire [32*3-1:0] low_i,          // the three lowest bits of the counters
    input  wire [31:0]     near_max_i,     // all other bits of the counter are ones
    input  wire [31:0]     exempt_i,       // inhibited, or OF is set: an overflow requests nothing
    output reg  [3:0]      max_o
);
  `include "tally_event_fn.vh"

  // Events from low bits of 0 to the wrap: 8, fewer in a narrower counter
  localparam [3:0] RANGE = HPM_W >= 3 ? 4'd8 : HPM_W == 2 ? 4'd4 : 4'd2;

  // Retire events, in the order in which counters select them.
  localparam [63:0] ONES = 64'hFFFF_FFFF_FFFF_FFFF;
  wire [63:0] low_retire   = tally_lines_low(ONES, 64'd0);
  wire [63:0] mid_retire   = tally_lines_mid(ONES, 64'd0);
  wire [63:0] cache_retire = tally_lines_cache(ONES, 64'd0);

  reg [7:0] selected;
  reg       of_retire;
  reg [3:0] to_wrap;
  integer   i;
  always @* begin
    max_o     = RETIRE_W[3:0];
    selected  = 8'd0;
    of_retire = 1'b0;
    to_wrap   = 4'd0;
    for (i = 3; i < 3 + HPM_N; i = i + 1) begin
      selected  = events_i[i*8 +: 8];
      of_retire = selected[7] ? cache_retire[selected[5:0]]
                : selected[6] ? mid_retire[selected[5:0]] : low_retire[selected[5:0]];
      to_wrap   = RANGE - {1'b0, low_i[i*3 +: 3]};
      if (near_max_i[i] & ~exempt_i[i] & of_retire & to_wrap < max_o) max_o = to_wrap;
    end
  end

  wire unused_ok = &{1'b0, events_i, low_i, near_max_i, exempt_i};
endmodule

`default_nettype wire
