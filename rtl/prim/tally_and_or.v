// SPDX-License-Identifier: Apache-2.0
// tally_and_or - a sum of products of two vectors: is a bit of MASK set in both? With NOT_B: set in the
// first and clear in the second?
//
// Two products a LUT with a tree of two levels above them. A mapper would trade depth for shared terms,
// because it does not see that an input from across a boundary is late-arriving; so the boundary is kept.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_and_or #(
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] NOT_B = 1'b0
) (
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output wire        out_o
);
  wire [3:0] any;
  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : g_eight
      if (MASK[8*g +: 8] != 8'd0) begin : g_some
        tally_and_or8 #(.MASK(MASK[8*g +: 8]), .NOT_B(NOT_B)) u_and_or (
            .a_i(a_i[8*g +: 8]), .b_i(b_i[8*g +: 8]), .out_o(any[g])
        );
      end else begin : g_none
        assign any[g]  = 1'b0;
        wire unused_ok = &{1'b0, a_i[8*g +: 8], b_i[8*g +: 8]};
      end
    end
  endgenerate
  assign out_o = |any;
endmodule

`default_nettype wire
