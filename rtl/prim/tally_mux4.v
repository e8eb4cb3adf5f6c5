// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pick4 - one of four inputs, those that are MASK; what the others would give does not matter.
//
// Two 4-input LUTs, one if two inputs are there: the first picks by sel_i[0] in one half or hands on sel_i[0]
// itself for the other half, which the second uses. Mappers find this only by chance, and lose it again
// where they may merge it with its surroundings: so the boundary stays.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_pick4 #(
    parameter [3:0] MASK = 4'hF
) (
    input  wire [1:0] sel_i,
    input  wire [3:0] in_i,
    output wire       out_o
);
  // An input that is not there becomes its neighbour.
  wire [3:0] in = {MASK[3] ? in_i[3] : in_i[2], MASK[2] ? in_i[2] : in_i[3],
                   MASK[1] ? in_i[1] : in_i[0], MASK[0] ? in_i[0] : in_i[1]};
  generate
    if (MASK[3:2] == 2'd0) begin : g_low
      assign out_o = sel_i[0] ? in[1] : in[0];
    end else if (MASK[1:0] == 2'd0) begin : g_high
      assign out_o = sel_i[0] ? in[3] : in[2];
    end else begin : g_both
      wire first = sel_i[1] ? sel_i[0] : sel_i[0] ? in[1] : in[0];
      assign out_o = sel_i[1] ? (first ? in[3] : in[2]) : first;
    end
  endgenerate
endmodule

`default_nettype wire
