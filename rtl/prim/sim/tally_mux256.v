// SPDX-License-Identifier: Apache-2.0
// tally_mux256 for simulation: an index instead of a tree.

`default_nettype none

module tally_mux256 #(
    parameter [255:0] MASK = {256{1'b1}}
) (
    input  wire [7:0]   sel_i,
    input  wire [255:0] in_i,
    output wire         out_o
);
  assign out_o   = in_i[sel_i];
  wire unused_ok = &{1'b0, MASK};
endmodule

`default_nettype wire
