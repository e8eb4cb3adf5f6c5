// SPDX-License-Identifier: Apache-2.0
// tally_mux4 - one of four inputs. Inputs outside MASK are don't-care.
//
// Two 4-input LUTs, or one if MASK has two inputs: the first LUT selects by sel_i[0] in the lower half, or
// passes sel_i[0] on for the second LUT to select in the upper half. Mappers rarely find this, and lose it
// when they may merge the cell with its surroundings, so the boundary is kept.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_mux4 #(
    parameter [3:0] MASK = 4'hF
) (
    input  wire [1:0] sel_i,
    input  wire [3:0] in_i,
    output wire       out_o
);
  // An absent input has its neighbour's value.
  wire [3:0] in = {MASK[3] ? in_i[3] : in_i[2], MASK[2] ? in_i[2] : in_i[3],
                   MASK[1] ? in_i[1] : in_i[0], MASK[0] ? in_i[0] : in_i[1]};
  generate
    if (MASK[3:2] == 2'd0) begin : g_low
      assign out_o   = sel_i[0] ? in[1] : in[0];
      wire unused_ok = &{1'b0, sel_i[1], in[3:2]};
    end else if (MASK[1:0] == 2'd0) begin : g_high
      assign out_o   = sel_i[0] ? in[3] : in[2];
      wire unused_ok = &{1'b0, sel_i[1], in[1:0]};
    end else begin : g_both
      wire first = sel_i[1] ? sel_i[0] : sel_i[0] ? in[1] : in[0];
      assign out_o = sel_i[1] ? (first ? in[3] : in[2]) : first;
    end
  endgenerate
endmodule

`default_nettype wire
