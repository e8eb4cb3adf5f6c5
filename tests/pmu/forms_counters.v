// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counters as pmu_forms_agree compares it (CMakeLists.txt): a counter of UNIT is told twice by how
// much it counts, brim_o is that of SUMS alone, and what is read of a counter is left out: of one that is not
// there it may be anything.

`default_nettype none

module pmu_forms_counters #(
    parameter HPM_N = 2,
    parameter HPM_W = 64,
    parameter INC_W = 1,
    parameter [31:0] UNIT = 32'd0,
    parameter [31:0] SUMS = 32'd0,
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [INC_W*32-1:0] inc_i,
    input  wire [31:0]         one_i,
    input  wire [31:0]         over_i,
    output wire [31:0]         brim_o,
    output wire [31:0]         wrap_o,
    output wire [31:0]         full_o,
    output wire [31:0]         ends_o,
    output wire [32*3-1:0]     low_o,
    output wire [31:0]         near_o,
    input  wire [4:0]          index_i,
    input  wire [31:0]         hot_i,
    input  wire [31:0]         load_i,
    input  wire [63:0]         count_i
);
  wire [INC_W*32-1:0] inc;
  wire [31:0]         brim;
  genvar              i;
  assign brim_o = brim & SUMS;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_inc
      assign inc[i*INC_W +: INC_W] = UNIT[i] ? {{INC_W - 1{1'b0}}, one_i[i]} : inc_i[i*INC_W +: INC_W];
    end
  endgenerate
  tally_pmu_counters #(
      .HPM_N(HPM_N), .HPM_W(HPM_W), .INC_W(INC_W), .UNIT(UNIT), .SUMS(SUMS), .CSR_PIPELINE(CSR_PIPELINE)
  ) u_counters (
      .clk(clk), .rst(rst),
      .inc_i(inc),
      .one_i(one_i),
      .over_i(over_i),
      .brim_o(brim),
      .wrap_o(wrap_o),
      .full_o(full_o),
      .ends_o(ends_o),
      .low_o(low_o),
      .near_o(near_o),
      .index_i(index_i),
      .hot_i(hot_i),
      .count_o(),
      .load_i(load_i),
      .count_i(count_i)
  );
endmodule

`default_nettype wire
