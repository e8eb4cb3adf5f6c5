// SPDX-License-Identifier: Apache-2.0
// tally_mux256 - one of 256 inputs. Inputs outside MASK are don't-care, but for input 0.
//
// A tree of sixteen-input multiplexers in which only inputs of MASK cost anything.
//
// Combinational.

`default_nettype none

module tally_mux256 #(
    parameter [255:0] MASK = {256{1'b1}}
) (
    input  wire [7:0]   sel_i,
    input  wire [255:0] in_i,
    output wire         out_o
);
  localparam [255:0] ALL = MASK | 256'd1;
  wire [15:0] node;

  function [15:0] nodes;   // the subtrees that have an input of the mask
    input [255:0] fn_mask;
    integer       f;
    for (f = 0; f < 16; f = f + 1) nodes[f] = |fn_mask[16*f +: 16];
  endfunction

  genvar n;
  generate
    for (n = 0; n < 16; n = n + 1) begin : g_node
      if (|ALL[16*n +: 16]) begin : g_some
        tally_mux16 #(.MASK(ALL[16*n +: 16])) u_mux (
            .sel_i(sel_i[3:0]), .in_i(in_i[16*n +: 16]), .out_o(node[n])
        );
      end else begin : g_none
        assign node[n] = 1'b0;
      end
    end
  endgenerate
  tally_mux16 #(.MASK(nodes(ALL))) u_root (.sel_i(sel_i[7:4]), .in_i(node), .out_o(out_o));
  wire unused_ok = &{1'b0, in_i};
endmodule

`default_nettype wire
