// SPDX-License-Identifier: Apache-2.0
// tally_mux_gated - each bit is one of four signals, selected by two words, and 0 where it is blocked. The
// fourth signal is 1.
//
// Without ALT two 4-input LUTs a bit, block_i in the second one: it arrives last. A mapper does not know
// that; hence the boundary.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_mux_gated #(
    parameter W = 32,
    parameter [W-1:0] MASK = {W{1'b1}},   // bits of the output that are used
    parameter [0:0] ALT   = 1'b0,         // bits with alt_i=1 have alt1_i instead of in1_i
    parameter [0:0] BLOCK = 1'b1          // block_i is used
) (
    input  wire [W-1:0] sel_high_i,       // of bit i: 0 in0_i, 1 in1_i, 2 in2_i, 3 1
    input  wire [W-1:0] sel_low_i,
    input  wire         in0_i,
    input  wire         in1_i,
    input  wire         in2_i,
    input  wire [W-1:0] alt_i,
    input  wire         alt1_i,
    input  wire [W-1:0] block_i,
    output wire [W-1:0] word_o
);
  wire [W-1:0] in1 = ALT ? alt_i & {W{alt1_i}} | ~alt_i & {W{in1_i}} : {W{in1_i}};
  generate
    if (BLOCK) begin : g_block
      // In the upper half the first LUT passes sel_low_i on to the second.
      wire [W-1:0] first = sel_high_i & sel_low_i
                         | ~sel_high_i & (sel_low_i & in1 | ~sel_low_i & {W{in0_i}});
      assign word_o = ~block_i & (first | sel_high_i & {W{in2_i}}) & MASK;
    end else begin : g_open
      assign word_o  = MASK & (sel_high_i & (sel_low_i | {W{in2_i}})
                               | ~sel_high_i & (sel_low_i & in1 | ~sel_low_i & {W{in0_i}}));
      wire unused_ok = &{1'b0, block_i};
    end
  endgenerate
  wire unused_alt = &{1'b0, alt_i, alt1_i};
endmodule

`default_nettype wire
