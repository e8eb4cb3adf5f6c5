// SPDX-License-Identifier: Apache-2.0
// tally_pmu_bit - one bit of a vector that has a bit a counter. Where none is MASK, the output does not
// matter.
//
// With CSR_PIPELINE the index also comes one-hot, from registers: a sum of products, half as deep as a tree.

`default_nettype none

module tally_pmu_bit #(
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire [4:0]  index_i,
    input  wire [31:0] hot_i,
    input  wire [31:0] vector_i,
    output wire        bit_o
);
  generate
    if (MASK == 32'd0) begin : g_none
      assign bit_o   = 1'b0;
      wire unused_ok = &{1'b0, index_i, hot_i, vector_i};
    end else if (CSR_PIPELINE) begin : g_pipelined
      tally_pmu_any #(.MASK(MASK)) u_any (.a_i(vector_i), .b_i(hot_i), .any_o(bit_o));
      wire unused_ok = &{1'b0, index_i};
    end else begin : g_some
      tally_pmu_choose #(.LINES({224'd0, MASK})) u_choose (
          .sel_i({3'd0, index_i}),
          .low_line_i({32'd0, vector_i}),
          .mid_line_i(64'd0),
          .cache_line_i(64'd0),
          .out_o(bit_o)
      );
      wire unused_ok = &{1'b0, hot_i};
    end
  endgenerate
endmodule

`default_nettype wire
