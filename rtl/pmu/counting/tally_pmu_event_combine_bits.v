// SPDX-License-Identifier: Apache-2.0
// tally_pmu_event_combine_bits - the combined selector of one counter, for terms of one bit each: one
// retire lane, events that count by one.
//
// The result depends only on how many terms are true, so it is a table of five entries: operator and
// threshold are in it when the selector is written (tally_pmu_event_combine), the edge is added here, and
// the number selects last (tally_term_lookup). The carry out of the counter's low bits is
// looked up too, so that no adder follows the late-arriving events.
//
// Combinational.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_event_combine_bits (
    input  wire        on_i,           // there is a combination
    input  wire [27:0] term_i,         // the indices of its four events; 0 none
    input  wire [4:0]  table_i,        // for 0 to 4 true terms: the result is not 0
    input  wire        sum_i,          // the result is the number of true terms
    input  wire        edge_i,
    input  wire        before_i,       // the result of the cycle before was not 0

    input  wire        halted_i,       // core clock halted
    input  wire        stop_i,         // the counter does not count
    input  wire [63:0] lane_event_i,   // if the instruction retires
    input  wire [63:0] cycle_event_i,
    input  wire        retires_i,      // it does, and counts for this counter
    input  wire        software_i,     // the software event happens
    // the counter: its three lowest bits, and whether its other low bits are ones
    input  wire [2:0]  low_bits_i,
    input  wire        low_rest_ones_i,
    output wire        nonzero_o,      // the result of this cycle is not 0
    output wire [2:0]  count_o,
    output wire        carry_out_o     // of the counter's low bits
);
  `include "tally_event_fn.vh"

  localparam [6:0] SOFTWARE = `TALLY_EVX_SOFTWARE, BUS = `TALLY_EVX_CYCLES_BUS;

  function [255:0] known;
    input   fn_unused;
    integer f;
    for (f = 0; f < 256; f = f + 1) known[f] = f < 128 && tally_event_known(f[7:0]);
  endfunction

  function carries_out;    // the sum exceeds 7
    input [2:0] fn_low;
    input [2:0] fn_count;
    carries_out = fn_count[2] ? fn_low[2]
                : fn_count[1] ? fn_low[2] & (fn_low[1] | fn_count[0] & fn_low[0])
                              : fn_count[0] & (&fn_low);
  endfunction

  // ---- terms
  wire [3:0] event_bit, of_retire, may;
  genvar     t;
  generate
    for (t = 0; t < 4; t = t + 1) begin : g_term
      wire [6:0] number = term_i[t*7 +: 7];
      assign of_retire[t] = ~number[6];
      assign may[t]       = (number == BUS | ~halted_i) & (number != SOFTWARE | software_i);
      tally_mux256 #(.MASK(known(1'b0))) u_event (
          .sel_i({1'b0, number}), .in_i({128'd0, cycle_event_i, lane_event_i}), .out_o(event_bit[t])
      );
    end
  endgenerate

  // ---- count and carry for each number of true terms
  wire      runs = ~halted_i & ~stop_i;
  reg [4:0] one, carry_out;                 // the low bit of the count, and the carry
  reg [2:0] number, result;
  integer   n;
  always @* begin
    n         = 0;
    one       = 5'd0;
    carry_out = 5'd0;
    number    = 3'd0;
    result    = 3'd0;
    if (on_i) begin
      for (n = 0; n < 5; n = n + 1) begin
        number       = n[2:0];
        result       = edge_i ? {2'd0, table_i[n] & ~before_i}
                     : sum_i  ? number : {2'd0, table_i[n]};
        carry_out[n] = carries_out(low_bits_i, result) & low_rest_ones_i & runs;
        one[n]       = result[0] & runs;
      end
    end
  end

  tally_term_lookup u_lookup (
      .in_i(event_bit),
      .valid_i(retires_i),
      .with_i(may),
      .without_i(may & ~of_retire),
      .nonzero_i(table_i & {5{on_i}}),
      .one_i(one),
      .carry_out_i(carry_out),
      .sum_i(on_i & sum_i & ~edge_i & runs),
      .nonzero_o(nonzero_o),
      .count_o(count_o),
      .carry_out_o(carry_out_o)
  );
endmodule

`default_nettype wire
