// SPDX-License-Identifier: Apache-2.0
// tally_pmu_event_combine_bits for simulation: nothing is evaluated unless there is a combination.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_event_combine_bits (
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
    output reg         nonzero_o,
    output reg  [2:0]  count_o,
    output reg         carry_out_o
);
  localparam [6:0] SOFTWARE = `TALLY_EVX_SOFTWARE, BUS = `TALLY_EVX_CYCLES_BUS;

  reg [6:0] index;
  reg [2:0] number;    // of true terms
  integer   t;
  always @* begin
    t           = 0;
    index       = 7'd0;
    number      = 3'd0;
    nonzero_o   = 1'b0;
    count_o     = 3'd0;
    carry_out_o = 1'b0;
    if (on_i) begin
      for (t = 0; t < 4; t = t + 1) begin
        index  = term_i[t*7 +: 7];
        number = number + {2'd0, (index[6] ? cycle_event_i[index[5:0]] : lane_event_i[index[5:0]] & retires_i)
                                 & (~halted_i | index == BUS) & (software_i | index != SOFTWARE)};
      end
      nonzero_o = table_i[number];
      if (~halted_i & ~stop_i) begin
        count_o     = edge_i ? {2'd0, nonzero_o & ~before_i} : sum_i ? number : {2'd0, nonzero_o};
        carry_out_o = {1'b0, low_bits_i} + {1'b0, count_o} > 4'd7 & low_rest_ones_i;
      end
    end
  end
endmodule

`default_nettype wire
