// SPDX-License-Identifier: Apache-2.0
// tally_csr_read - the read multiplexer of counting: counters, time and vectors, in the bits of a view.
// What a view shows is decided where it is instanced (tally_pmu_access_data).
//
// The r_ inputs select, at most one of them is 1; with none the word is 0. Without CSR_PIPELINE the vectors
// are a chain of multiplexers (tally_mux_chain), of two LUTs a bit (three where there are select registers);
// with it a sum of products, of three (five), which is less deep. The boundary keeps a mapper from trading
// LUTs for the last bit of depth.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_csr_read #(
    parameter [0:0] MASKED = 1'b0,       // read_mask_i matters
    parameter [0:0] OTHER  = 1'b1,       // other_i matters
    parameter [0:0] CSR_PIPELINE = 1'b0  // without the counters: they join later (tally_or_gated)
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
    input  wire [7:0]  event_i,           // bits 16, 6:0 of a selector, which is read like a vector
    input  wire [31:0] other_i,           // one of the other vectors, or 0
    input  wire        enabled_i,         // only counters of mcounteren
    input  wire [31:0] read_mask_i,       // MASKED: only these bits
    output wire [31:0] vector_o,          // the vector as it is behind the view
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
      wire        second = r_flags_i | r_scounteren_i;   // of its pair
      // The last pair is shorter: above it this is no choice, but 0.
      wire [31:0] choice = {{20{second}}, {12{second | r_siselect_i}}};
      wire [31:0] first, enables;
      wire [11:0] selects;
      wire [7:0]  selector = event_i & {8{r_event_i}};
      tally_mux_chain #(.W(32)) u_first (
          .en_i(r_inhibit_i | r_flags_i), .chain_i(choice), .a_i(inhibit_i), .b_i(flags_i), .out_o(first)
      );
      tally_mux_chain #(.W(32)) u_enables (
          .en_i(r_mcounteren_i | r_scounteren_i), .chain_i(first), .a_i(mcounteren_i), .b_i(scounteren_i),
          .out_o(enables)
      );
      tally_mux_chain #(.W(12)) u_selects (
          .en_i(r_miselect_i | r_siselect_i), .chain_i(enables[11:0]), .a_i(miselect_i), .b_i(siselect_i),
          .out_o(selects)
      );
      wire [31:0] vector = {enables[31:17], enables[16] | selector[7], enables[15:12], selects[11:7],
                         selects[6:0] | selector[6:0]};
      assign vector_o = OTHER ? vector | other_i : vector;
      wire unused_ok  = &{1'b0, miselect, siselect, other_i};
    end
  endgenerate
  wire [31:0] read_mask = (mcounteren_i | {32{~enabled_i}}) & (MASKED ? read_mask_i : 32'hFFFF_FFFF);
  assign data_o = (CSR_PIPELINE ? 64'd0 : count_i & {64{r_count_i}}) | time_i & {64{r_time_i}}
                | {32'd0, vector_o & read_mask};
endmodule

`default_nettype wire
