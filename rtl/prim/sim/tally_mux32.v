// SPDX-License-Identifier: Apache-2.0
// tally_mux32 for simulation: an index, or a reduction of one word.

`default_nettype none

module tally_mux32 #(
    parameter [31:0] MASK = 32'hFFFF_FFFF,
    parameter [0:0] ONE_HOT = 1'b0
) (
    input  wire [4:0]  sel_i,
    input  wire [31:0] hot_i,   // ONE_HOT: sel_i decoded
    input  wire [31:0] in_i,
    output wire        out_o
);
  assign out_o   = MASK == 32'd0 ? 1'b0 : ONE_HOT ? |(in_i & hot_i & MASK) : in_i[sel_i];
  wire unused_ok = &{1'b0, sel_i, hot_i, in_i};
endmodule

`default_nettype wire
