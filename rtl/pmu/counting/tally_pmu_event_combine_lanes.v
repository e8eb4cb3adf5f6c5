// SPDX-License-Identifier: Apache-2.0
// tally_pmu_event_combine_lanes - the combined selector of one counter, for several retire lanes or events
// that count by more than one.
//
// The operators OR, AND, XOR apply lane by lane, and the count is the number of lanes for which the outcome
// is true; a cycle event is true in every lane if its count is not 0. ADD sums all counts. Threshold and
// edge see that count.
//
// Combinational.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_event_combine_lanes #(
    parameter RETIRE_W = 1,
    parameter LINE_W   = 1,          // bits of the largest count of an event
    parameter INC_W    = LINE_W + 2  // bits of the largest sum of four
) (
    input  wire                    on_i,          // there is a combination
    input  wire [27:0]             term_i,        // the indices of its four events; 0 none
    input  wire [1:0]              op_i,
    input  wire [7:0]              thr_i,
    input  wire                    inv_i,
    input  wire                    edge_i,
    input  wire                    before_i,      // the result of the cycle before was not 0

    input  wire                    halted_i,      // core clock halted
    input  wire                    stop_i,        // the counter does not count
    input  wire [RETIRE_W*64-1:0]  lane_event_i,
    input  wire [LINE_W*64-1:0]    cycle_event_i,
    input  wire [RETIRE_W-1:0]     retires_i,     // the lane retires, and counts for this counter
    input  wire                    software_i,    // the software event happens
    output reg                     nonzero_o,     // the result of this cycle is not 0
    output reg  [INC_W-1:0]        count_o
);
  localparam [6:0] SOFTWARE = `TALLY_EVX_SOFTWARE, BUS = `TALLY_EVX_CYCLES_BUS;
  localparam [1:0] OP_OR = 2'd0, OP_AND = 2'd1, OP_XOR = 2'd2;

  reg [3:0]              some, truth;      // a bit a term: it is an event; it is true in this lane
  reg                    active;           // the term's event may occur in this cycle
  reg [6:0]              index;
  reg [31:0]             bit_index;
  reg                    any_retire, outcome;
  reg [4*LINE_W-1:0]     counts;           // of cycle events
  reg [4*RETIRE_W-1:0]   has;              // of retire events
  reg [LINE_W-1:0]       count;
  reg [INC_W-1:0]        lanes, sum, result;
  integer                t, l, b;
  always @* begin
    {t, l, b}   = 96'd0;
    nonzero_o   = 1'b0;
    count_o     = {INC_W{1'b0}};
    some        = 4'd0;
    truth       = 4'd0;
    active      = 1'b0;
    index       = 7'd0;
    bit_index   = 32'd0;
    any_retire  = 1'b0;
    outcome     = 1'b0;
    counts      = {4 * LINE_W{1'b0}};
    has         = {4 * RETIRE_W{1'b0}};
    count       = {LINE_W{1'b0}};
    lanes       = {INC_W{1'b0}};
    sum         = {INC_W{1'b0}};
    result      = {INC_W{1'b0}};
    if (on_i) begin
      for (t = 0; t < 4; t = t + 1) begin
        index      = term_i[t*7 +: 7];
        bit_index  = {26'd0, index[5:0]};
        some[t]    = index != 7'd0;
        active     = (~halted_i | index == BUS) & (software_i | index != SOFTWARE);
        any_retire = any_retire | some[t] & ~index[6];
        for (b = 0; b < LINE_W; b = b + 1)
          counts[t*LINE_W + b] = cycle_event_i[b*64 + bit_index] & index[6] & active;
        for (l = 0; l < RETIRE_W; l = l + 1)
          has[l*4 + t] = lane_event_i[l*64 + bit_index] & ~index[6] & active & retires_i[l];
      end
      for (l = 0; l < RETIRE_W; l = l + 1) begin
        for (t = 0; t < 4; t = t + 1) begin
          count    = counts[t*LINE_W +: LINE_W];
          count[0] = count[0] | has[l*4 + t];
          truth[t] = |count;
          if (l == 0 || some[t] & ~term_i[t*7 + 6]) sum = sum + {{INC_W - LINE_W{1'b0}}, count};
        end
        case (op_i)
          OP_OR:   outcome = |truth;
          OP_AND:  outcome = &(truth | ~some) & |some;
          default: outcome = ^truth;
        endcase
        if (l == 0 || any_retire) lanes = lanes + {{INC_W - 1{1'b0}}, outcome};
      end
      result = op_i <= OP_XOR ? lanes : sum;
      if (thr_i != 8'd0)
        result = {{INC_W - 1{1'b0}}, ({{16 - INC_W{1'b0}}, result} >= {8'd0, thr_i}) ^ inv_i};
      nonzero_o = result != {INC_W{1'b0}};
      if (edge_i) result = {{INC_W - 1{1'b0}}, nonzero_o & ~before_i};
      count_o = result & {INC_W{~halted_i & ~stop_i}};
    end
  end
endmodule

`default_nettype wire
