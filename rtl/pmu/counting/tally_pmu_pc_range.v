// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pc_range - the range of program counters that a counter can be limited to: shpmpclo, shpmpchi,
// shpmpcsel (docs/pmu.md), and the lanes that retire from inside it.
//
// With one lane the range is one more term of a counter's enable (tally_pmu_count_enable); with several,
// counters select from a second set of lines (tally_pmu_events).
//
// Combinational, but for the registers.

`default_nettype none

module tally_pmu_pc_range #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter HPM_N    = 29
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire [RETIRE_W*XLEN-1:0] ret_pc_i,
    output wire [RETIRE_W-1:0]      in_range_o,

    // access
    output reg  [XLEN-1:0]          low_o,
    output reg  [XLEN-1:0]          high_o,
    output reg  [31:0]              range_o,    // counters that are limited to it
    input  wire                     low_we_i,
    input  wire                     high_we_i,
    input  wire [XLEN-1:1]          bound_i,    // bit 0 is 0
    input  wire                     range_we_i,
    input  wire [31:0]              range_i
);
  localparam [31:0] HPM = ((32'd1 << HPM_N) - 32'd1) << 3;

  always @(posedge clk) begin
    if (rst) begin
      low_o   <= {XLEN{1'b0}};
      high_o  <= {XLEN{1'b0}};
      range_o <= 32'd0;
    end else begin
      if (low_we_i)   low_o   <= {bound_i, 1'b0};
      if (high_we_i)  high_o  <= {bound_i, 1'b0};
      if (range_we_i) range_o <= range_i & HPM;
    end
  end

  genvar l;
  generate
    for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
      wire [XLEN-1:0] pc = ret_pc_i[l*XLEN +: XLEN];
      assign in_range_o[l] = pc >= low_o & pc < high_o;
    end
  endgenerate
endmodule

`default_nettype wire
