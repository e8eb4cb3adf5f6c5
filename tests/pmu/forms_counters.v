// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counters as pmu_forms_counters compares it (CMakeLists.txt). A counter of SINGLE gets its
// increment twice, low_rest_ones_o is that of COMBINED alone, so is low_bits_o with NEAR=0, and the read
// value, a don't-care for absent counters, is left out.

`default_nettype none

module pmu_forms_counters #(
    parameter HPM_N = 2,
    parameter HPM_W = 64,
    parameter INC_W = 1,
    parameter LOW   = INC_W == 1 ? 1 : INC_W + 1,
    parameter [31:0] SINGLE = 32'd0,
    parameter [31:0] COMBINED = 32'd0,
    parameter [0:0] NEAR = 1'b1,
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [INC_W*32-1:0] inc_i,
    input  wire [31:0]         one_i,
    input  wire [31:0]         carry_out_i,
    output wire [31:0]         low_rest_ones_o,
    output wire [31:0]         wrap_o,
    output wire [31:0]         at_max_o,
    output wire [31:0]         high_max_o,
    output wire [32*3-1:0]     low_bits_o,
    output wire [31:0]         near_max_o,
    input  wire [4:0]          index_i,
    input  wire [31:0]         hot_i,
    input  wire [31:0]         load_i,
    input  wire [63:0]         count_i
);
  wire [INC_W*32-1:0] inc;
  wire [31:0]         low_rest_ones;
  genvar              i;
  assign low_rest_ones_o = low_rest_ones & COMBINED;
  wire [32*3-1:0]     low_bits;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_inc
      assign low_bits_o[i*3 +: 3] = low_bits[i*3 +: 3] & {3{NEAR | COMBINED[i]}};
      assign inc[i*INC_W +: INC_W] = SINGLE[i] ? {{INC_W - 1{1'b0}}, one_i[i]} : inc_i[i*INC_W +: INC_W];
    end
  endgenerate
  tally_pmu_counters #(
      .HPM_N(HPM_N), .HPM_W(HPM_W), .INC_W(INC_W), .LOW(LOW), .SINGLE(SINGLE), .COMBINED(COMBINED),
      .NEAR(NEAR), .CSR_PIPELINE(CSR_PIPELINE)
  ) u_counters (
      .clk(clk), .rst(rst),
      .inc_i(inc),
      .one_i(one_i),
      .carry_out_i(carry_out_i),
      .low_rest_ones_o(low_rest_ones),
      .wrap_o(wrap_o),
      .at_max_o(at_max_o),
      .high_max_o(high_max_o),
      .low_bits_o(low_bits),
      .near_max_o(near_max_o),
      .index_i(index_i),
      .hot_i(hot_i),
      .count_o(),
      .load_i(load_i),
      .count_i(count_i)
  );
endmodule

`default_nettype wire
