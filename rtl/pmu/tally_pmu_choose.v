// tally_pmu_choose - the line of one counter's event, out of up to 192.
//
// The first word is that of selectors 0x00..0x3F, and so on (tally_pmu_lines). A counter holds only numbers
// that have a line (LINES; 0, no event, among them); the output for any other does not matter.
//
// Combinational. For synthesis a tree of choices by four in which only what is there costs anything; the
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
  wire [339:0] node;     // 256 lines, then 64, 16, 4 nodes; the root is the output
  assign node[255:0] = {64'd0, cache_line_i, mid_line_i, low_line_i};

  // Is there a line below: any of the 4^level lines from `first` on.
  function there;
    input integer level, first;
    there = |((ALL >> first) & ~({256{1'b1}} << (1 << 2 * level)));
  endfunction

  genvar l, n;
  generate
    for (l = 0; l < 4; l = l + 1) begin : g_level
      localparam FROM = l == 0 ? 0 : l == 1 ? 256 : l == 2 ? 320 : 336;
      for (n = 0; n < 64 >> 2 * l; n = n + 1) begin : g_node
        localparam integer SPAN = 1 << 2 * l;  // lines below each of the four
        localparam [3:0] THERE = {there(l, (4 * n + 3) * SPAN), there(l, (4 * n + 2) * SPAN),
                                  there(l, (4 * n + 1) * SPAN), there(l, 4 * n * SPAN)};
        wire [3:0] in = node[FROM + 4*n +: 4];
        wire       out;
        if ((THERE & (THERE - 4'd1)) == 4'd0) begin : g_one
          assign out = |(in & THERE);
        end else begin : g_some
          tally_pmu_pick4 #(.THERE(THERE)) u_pick (.sel_i(sel_i[2*l +: 2]), .in_i(in), .out_o(out));
        end
        if (l == 3) begin : g_root
          assign out_o = out;
        end else begin : g_next
          assign node[(l == 0 ? 256 : l == 1 ? 320 : 336) + n] = out;
        end
      end
    end
  endgenerate
`else
  assign out_o = sel_i[7] ? cache_line_i[sel_i[5:0]]
               : sel_i[6] ? mid_line_i[sel_i[5:0]] : low_line_i[sel_i[5:0]];
  wire unused_ok = &{1'b0, LINES};
`endif
endmodule

`default_nettype wire
