// SPDX-License-Identifier: Apache-2.0
// tally_pmu_readout - what an access reads of counters, time and vectors, in the view's bits.
//
// The r_ inputs say which, at most one of them is 1. Five LUTs for a bit of the lower half (six where
// there are select registers), one for one of the upper half; the boundary keeps the mapper from trading LUTs
// for the last bit of depth. Without CSR_PIPELINE the vectors are not a sum of products but a chain of
// choices, of two LUTs (three) instead of three (five): see tally_pmu_vectors.

`default_nettype none

(* keep_hierarchy *)
module tally_pmu_readout #(
    parameter [0:0] MASKED = 1'b0,       // see_i matters
    parameter [0:0] OTHER  = 1'b1,       // other_i matters
    parameter [0:0] CSR_PIPELINE = 1'b0        // without the counters: they join later (tally_or_gated)
) (
    input  wire        r_count_i,
    input  wire        r_time_i,
    input  wire        r_inhibit_i,
    input  wire        r_flags_i,
    input  wire        r_mcounteren_i,
    input  wire        r_scounteren_i,
    input  wire        r_miselect_i,
    input  wire        r_siselect_i,
    input  wire        r_event_i,         // not CSR_PIPELINE
    input  wire [63:0] count_i,
    input  wire [63:0] time_i,
    input  wire [31:0] inhibit_i,
    input  wire [31:0] flags_i,
    input  wire [31:0] mcounteren_i,
    input  wire [31:0] scounteren_i,
    input  wire [11:0] miselect_i,
    input  wire [11:0] siselect_i,
    input  wire [7:0]  event_i,           // as tally_pmu_vectors has it
    input  wire [31:0] other_i,       // one of the other vectors, or 0
    input  wire        enabled_i,     // only what mcounteren has
    input  wire [31:0] see_i,         // only that
    output wire [31:0] vector_o,      // the vector as it is behind the view
    output wire [63:0] data_o
);
  wire [31:0] miselect = {20'd0, miselect_i}, siselect = {20'd0, siselect_i};
  generate
    if (CSR_PIPELINE) begin : g_sum
      assign vector_o = inhibit_i & {32{r_inhibit_i}} | flags_i & {32{r_flags_i}}
                      | mcounteren_i & {32{r_mcounteren_i}} | scounteren_i & {32{r_scounteren_i}}
                      | miselect & {32{r_miselect_i}} | siselect & {32{r_siselect_i}} | other_i;
      wire unused_ok  = &{1'b0, r_event_i, event_i};
    end else begin : g_chain
      wire [31:0] vector;
      tally_pmu_vectors u_vectors (
          .r_inhibit_i(r_inhibit_i),
          .r_flags_i(r_flags_i),
          .r_mcounteren_i(r_mcounteren_i),
          .r_scounteren_i(r_scounteren_i),
          .r_miselect_i(r_miselect_i),
          .r_siselect_i(r_siselect_i),
          .inhibit_i(inhibit_i),
          .flags_i(flags_i),
          .mcounteren_i(mcounteren_i),
          .scounteren_i(scounteren_i),
          .miselect_i(miselect_i),
          .siselect_i(siselect_i),
          .r_event_i(r_event_i),
          .event_i(event_i),
          .vector_o(vector)
      );
      assign vector_o = OTHER ? vector | other_i : vector;
      wire unused_ok  = &{1'b0, miselect, siselect, other_i};
    end
  endgenerate
  assign data_o   = (CSR_PIPELINE ? 64'd0 : count_i & {64{r_count_i}}) | time_i & {64{r_time_i}}
                  | {32'd0, vector_o & (mcounteren_i | {32{~enabled_i}}) & (MASKED ? see_i : 32'hFFFF_FFFF)};
endmodule

`default_nettype wire
