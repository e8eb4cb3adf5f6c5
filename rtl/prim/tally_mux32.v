// SPDX-License-Identifier: Apache-2.0
// tally_mux32 - one of 32 inputs, by number or by a one-hot vector. Inputs outside MASK are don't-care.
//
// By number a tree of multiplexers. ONE_HOT: the number comes decoded, from registers: a sum of products,
// half as deep as the tree.
//
// Combinational.

`default_nettype none

module tally_mux32 #(
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] ONE_HOT = 1'b0
) (
    input  wire [4:0]  sel_i,
    input  wire [31:0] hot_i,   // ONE_HOT: sel_i decoded
    input  wire [31:0] in_i,
    output wire        out_o
);
  generate
    if (MASK == 32'd0) begin : g_none
      assign out_o   = 1'b0;
      wire unused_ok = &{1'b0, sel_i, hot_i, in_i};
    end else if (ONE_HOT) begin : g_one_hot
      tally_and_or #(.MASK(MASK)) u_and_or (.a_i(in_i), .b_i(hot_i), .out_o(out_o));
      wire unused_ok = &{1'b0, sel_i};
    end else begin : g_number
      tally_mux256 #(.MASK({224'd0, MASK})) u_mux (
          .sel_i({3'd0, sel_i}), .in_i({224'd0, in_i}), .out_o(out_o)
      );
      wire unused_ok = &{1'b0, hot_i};
    end
  endgenerate
endmodule

`default_nettype wire
