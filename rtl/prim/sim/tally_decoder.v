// SPDX-License-Identifier: Apache-2.0
// tally_decoder for simulation: a shift instead of rows and columns.

`default_nettype none

module tally_decoder #(
    parameter N = 1,
    parameter [0:0] ONE_HOT = 1'b0
) (
    input  wire [4:0]      sel_i,
    input  wire [31:0]     hot_i,   // ONE_HOT: sel_i decoded
    input  wire [N-1:0]    en_i,
    input  wire            all_i,
    output wire [32*N-1:0] out_o    // output k is out_o[32*k +: 32]
);
  genvar k;
  generate
    for (k = 0; k < N; k = k + 1) begin : g_enable
      assign out_o[k*32 +: 32] = (ONE_HOT ? hot_i & {32{en_i[k]}} : {31'd0, en_i[k]} << sel_i) | {32{all_i}};
    end
  endgenerate
  wire unused_ok = &{1'b0, sel_i, hot_i};
endmodule

`default_nettype wire
