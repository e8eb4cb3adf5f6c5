// SPDX-License-Identifier: Apache-2.0
// tally_decoder - a number of five bits decoded into 32, once for each of N enables: bit i of an output is
// 1 if the number is i and its enable is 1. All bits are 1 while all_i is.
//
// Two levels of LUTs, of which all outputs share the first. The boundary keeps a mapper from merging an
// output with the logic behind it, each time with a first level of its own. ONE_HOT: the number comes
// decoded, and only the enables are left to do.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
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
    if (ONE_HOT) begin : g_one_hot
      for (k = 0; k < N; k = k + 1) begin : g_enable
        assign out_o[k*32 +: 32] = hot_i & {32{en_i[k]}} | {32{all_i}};
      end
      wire unused_ok = &{1'b0, sel_i};
    end else begin : g_number
      wire [7:0] column = 8'd1 << sel_i[2:0] | {8{all_i}};
      for (k = 0; k < N; k = k + 1) begin : g_enable
        genvar i;
        wire [3:0] row = {3'd0, en_i[k]} << sel_i[4:3] | {4{all_i}};
        for (i = 0; i < 32; i = i + 1) begin : g_bit
          assign out_o[k*32 + i] = row[i / 8] & column[i % 8];
        end
      end
      wire unused_ok = &{1'b0, hot_i};
    end
  endgenerate
endmodule

`default_nettype wire
