// SPDX-License-Identifier: Apache-2.0
// tally_mux_word for simulation: an index instead of a tree a bit.

`default_nettype none

module tally_mux_word #(
    parameter W = 8,
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] ONE_HOT = 1'b0
) (
    input  wire [4:0]      sel_i,
    input  wire [31:0]     hot_i,   // ONE_HOT: sel_i decoded
    input  wire [32*W-1:0] in_i,    // word i is in_i[i*W +: W]
    output wire [W-1:0]    out_o
);
  assign out_o   = MASK == 32'd0 ? {W{1'b0}} : in_i[sel_i*W +: W];
  wire unused_ok = &{1'b0, hot_i, in_i, ONE_HOT};
endmodule

`default_nettype wire
