// SPDX-License-Identifier: Apache-2.0
// tally_mux_word - one of 32 words, by number or by a one-hot vector. Words outside MASK are don't-care.
//
// A tally_mux32 a bit.
//
// Combinational.

`default_nettype none

module tally_mux_word #(
    parameter W = 8,
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] ONE_HOT = 1'b0
) (
    input  wire [4:0]      sel_i,
    input  wire [31:0]     hot_i,   // ONE_HOT: sel_i decoded
    input  wire [32*W-1:0] in_i,    // word i is in_i[i*W +: W]
    output wire [W-1:0]    out_o
);
  genvar b, k;
  generate
    for (b = 0; b < W; b = b + 1) begin : g_bit
      wire [31:0] column;
      for (k = 0; k < 32; k = k + 1) begin : g_word
        assign column[k] = in_i[k*W + b];
      end
      tally_mux32 #(.MASK(MASK), .ONE_HOT(ONE_HOT)) u_mux (
          .sel_i(sel_i), .hot_i(hot_i), .in_i(column), .out_o(out_o[b])
      );
    end
  endgenerate
endmodule

`default_nettype wire
