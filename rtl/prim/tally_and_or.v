// SPDX-License-Identifier: Apache-2.0
// tally_pmu_any - is there a bit that both vectors have (NOT: the first alone), among those that are MASK.
//
// Two bits a LUT, and a tree of two levels above: the boundaries keep it so. The mapper would trade depth for
// what it finds to share, and does not know that what comes over a boundary comes late.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_any #(
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] NOT = 1'b0,          // bits that a_i has and b_i has not
    parameter [0:0] ALONE = 1'b0         // bits that a_i has
) (
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output wire        any_o
);
`ifdef SYNTHESIS
  wire [3:0] any;
  genvar g;
  generate
    if (ALONE) begin : g_alone
      assign any     = {3'd0, |(a_i & MASK)};
      wire unused_ok = &{1'b0, b_i};
    end else for (g = 0; g < 4; g = g + 1) begin : g_eight
      if (MASK[8*g +: 8] != 8'd0) begin : g_some
        tally_pmu_any8 #(.MASK(MASK[8*g +: 8]), .NOT(NOT)) u_any (
            .a_i(a_i[8*g +: 8]), .b_i(b_i[8*g +: 8]), .any_o(any[g])
        );
      end else begin : g_none
        assign any[g]  = 1'b0;
        wire unused_ok = &{1'b0, a_i[8*g +: 8], b_i[8*g +: 8]};
      end
    end
  endgenerate
  assign any_o = |any;
`else
  assign any_o = |(a_i & (ALONE ? 32'hFFFF_FFFF : b_i ^ {32{NOT}}) & MASK);
`endif
endmodule

`default_nettype wire
