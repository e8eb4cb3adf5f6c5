// SPDX-License-Identifier: Apache-2.0
// tally_or_mux - the OR of one of four words, of another word, and of a third one under an enable. The four
// are zeros, two words, and ones.
//
// Two 4-input LUTs a bit, or one for the four words alone. The boundary keeps a mapper from merging it with
// the logic around it, in other levels.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_or_mux #(
    parameter W = 32,
    parameter [W-1:0] MASK = {W{1'b1}},   // bits of the output that are used
    parameter [0:0] OR = 1'b1             // 0: the four words alone
) (
    input  wire [1:0]   sel_i,            // 0 zeros, 1 in1_i, 2 in2_i, 3 ones
    input  wire [W-1:0] in1_i,
    input  wire [W-1:0] in2_i,
    input  wire [W-1:0] or_i,
    input  wire [W-1:0] gated_i,
    input  wire         en_i,             // of gated_i
    output wire [W-1:0] word_o
);
  wire [W-1:0] mux = sel_i == 2'd3 ? {W{1'b1}} : sel_i == 2'd2 ? in2_i : sel_i == 2'd1 ? in1_i : {W{1'b0}};
  generate
    if (OR) begin : g_or
      assign word_o  = (mux | or_i | gated_i & {W{en_i}}) & MASK;
    end else begin : g_mux
      assign word_o  = mux & MASK;
      wire unused_ok = &{1'b0, or_i, gated_i, en_i};
    end
  endgenerate
endmodule

`default_nettype wire
