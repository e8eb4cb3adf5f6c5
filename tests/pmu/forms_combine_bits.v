// SPDX-License-Identifier: Apache-2.0
// tally_pmu_event_combine_bits as pmu_forms_equal compares it (CMakeLists.txt): indices that are no event
// become 0, as in selectors. low_bits_i and the table are free.

`include "tally_spec.vh"

`default_nettype none

module pmu_forms_combine_bits (
    input  wire        on_i,
    input  wire [27:0] term_i,
    input  wire [4:0]  table_i,
    input  wire        sum_i,
    input  wire        edge_i,
    input  wire        before_i,
    input  wire        halted_i,
    input  wire        stop_i,
    input  wire [63:0] lane_event_i,
    input  wire [63:0] cycle_event_i,
    input  wire        retires_i,
    input  wire        software_i,
    input  wire [2:0]  low_bits_i,
    input  wire        low_rest_ones_i,
    output wire        nonzero_o,
    output wire [2:0]  count_o,
    output wire        carry_out_o
);
  `include "tally_event_fn.vh"

  wire [27:0] term;
  genvar      t;
  generate
    for (t = 0; t < 4; t = t + 1) begin : g_term
      wire [6:0] index = term_i[t*7 +: 7];
      assign term[t*7 +: 7] = tally_event_known({1'b0, index}) ? index : 7'd0;
    end
  endgenerate
  tally_pmu_event_combine_bits u_bits (
      .on_i(on_i),
      .term_i(term),
      .table_i(table_i),
      .sum_i(sum_i),
      .edge_i(edge_i),
      .before_i(before_i),
      .halted_i(halted_i),
      .stop_i(stop_i),
      .lane_event_i(lane_event_i),
      .cycle_event_i(cycle_event_i),
      .retires_i(retires_i),
      .software_i(software_i),
      .low_bits_i(low_bits_i),
      .low_rest_ones_i(low_rest_ones_i),
      .nonzero_o(nonzero_o),
      .count_o(count_o),
      .carry_out_o(carry_out_o)
  );
endmodule

`default_nettype wire
