// SPDX-License-Identifier: Apache-2.0
// tally_pmu_choose - the line of one counter's event, out of up to 192.
//
// The first word is that of selectors 0x00..0x3F, and so on (tally_pmu_lines). A counter holds only numbers
// that have a line (LINES; 0, no event, among them); the output for any other does not matter.
//
// Combinational. For synthesis a tree of choices by sixteen in which only what is there costs anything; the
// simulator indexes.

`default_nettype none

module tally_pmu_choose #(
    parameter [255:0] LINES = {256{1'b1}}
) (
    input  wire [7:0]  sel_i,
    input  wire [63:0] low_line_i,
    input  wire [63:0] mid_line_i,
    input  wire [63:0] cache_line_i,
    output wire        out_o
);
`ifdef SYNTHESIS
  localparam [255:0] ALL = LINES | 256'd1;
  wire [255:0] line = {64'd0, cache_line_i, mid_line_i, low_line_i};
  wire [15:0]  node;

  function [15:0] nodes;   // those below which a line is there
    input [255:0] lines;
    integer       f;
    for (f = 0; f < 16; f = f + 1) nodes[f] = |lines[16*f +: 16];
  endfunction

  genvar n;
  generate
    for (n = 0; n < 16; n = n + 1) begin : g_node
      if (|ALL[16*n +: 16]) begin : g_some
        tally_pmu_pick16 #(.MASK(ALL[16*n +: 16])) u_pick (
            .sel_i(sel_i[3:0]), .in_i(line[16*n +: 16]), .out_o(node[n])
        );
      end else begin : g_none
        assign node[n] = 1'b0;
      end
    end
  endgenerate
  tally_pmu_pick16 #(.MASK(nodes(ALL))) u_root (.sel_i(sel_i[7:4]), .in_i(node), .out_o(out_o));
`else
  assign out_o = sel_i[7] ? cache_line_i[sel_i[5:0]]
               : sel_i[6] ? mid_line_i[sel_i[5:0]] : low_line_i[sel_i[5:0]];
  wire unused_ok = &{1'b0, LINES};
`endif
endmodule

`default_nettype wire
