// SPDX-License-Identifier: Apache-2.0
// tally_pmu_vectors - one of six vectors, or none: 0; or a selector, which is written like one.
//
// The r_ inputs say which, at most one of them is 1. A link of the chain (tally_mux_chain) spends no input
// on a gate: what the one before hands on is the answer, or chooses between two more vectors.
//
// Combinational.

`default_nettype none

module tally_pmu_vectors (
    input  wire        r_inhibit_i,
    input  wire        r_flags_i,
    input  wire        r_mcounteren_i,
    input  wire        r_scounteren_i,
    input  wire        r_miselect_i,
    input  wire        r_siselect_i,
    input  wire [31:0] inhibit_i,
    input  wire [31:0] flags_i,
    input  wire [31:0] mcounteren_i,
    input  wire [31:0] scounteren_i,
    input  wire [11:0] miselect_i,
    input  wire [11:0] siselect_i,
    input  wire        r_event_i,
    input  wire [7:0]  event_i,     // the selector's bits 16, 6:0
    output wire [31:0] vector_o
);
  wire        second = r_flags_i | r_scounteren_i;   // of its pair
  // The last pair is shorter: above it this is no choice, but 0.
  wire [31:0] choice = {{20{second}}, {12{second | r_siselect_i}}};
  wire [31:0] first, enables;
  wire [11:0] selects;
  wire [7:0]  selector = event_i & {8{r_event_i}};
  tally_mux_chain #(.W(32)) u_first (
      .here_i(r_inhibit_i | r_flags_i), .chain_i(choice), .a_i(inhibit_i), .b_i(flags_i), .out_o(first)
  );
  tally_mux_chain #(.W(32)) u_enables (
      .here_i(r_mcounteren_i | r_scounteren_i), .chain_i(first), .a_i(mcounteren_i), .b_i(scounteren_i),
      .out_o(enables)
  );
  tally_mux_chain #(.W(12)) u_selects (
      .here_i(r_miselect_i | r_siselect_i), .chain_i(enables[11:0]), .a_i(miselect_i), .b_i(siselect_i),
      .out_o(selects)
  );
  assign vector_o = {enables[31:17], enables[16] | selector[7], enables[15:12], selects[11:7],
                     selects[6:0] | selector[6:0]};
endmodule

`default_nettype wire
