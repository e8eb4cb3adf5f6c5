// SPDX-License-Identifier: Apache-2.0
// tally_mux_chain - a link of a chain of multiplexers: the previous link's word, or one of two words
// selected by it.
//
// With en_i each bit of chain_i selects that bit of a_i (0) or b_i (1). The previous link thus needs no
// gate of its own. One 4-input LUT a bit. The boundary keeps a mapper from balancing the chain, which takes
// more of them.
//
// Combinational.

`default_nettype none

(* keep_hierarchy *)
module tally_mux_chain #(
    parameter W = 32
) (
    input  wire         en_i,
    input  wire [W-1:0] chain_i,
    input  wire [W-1:0] a_i,
    input  wire [W-1:0] b_i,
    output wire [W-1:0] out_o
);
  assign out_o = en_i ? chain_i & b_i | ~chain_i & a_i : chain_i;
endmodule

`default_nettype wire
