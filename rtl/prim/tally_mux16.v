// SPDX-License-Identifier: Apache-2.0
// tally_mux16 - one of sixteen inputs. Inputs outside MASK are don't-care.
//
// A tree of four-input multiplexers in which only inputs of MASK cost anything. Families with hard
// multiplexers have a form of their own (rtl/prim/ecp5).
//
// Combinational.

`default_nettype none

module tally_mux16 #(
    parameter [15:0] MASK = 16'hFFFF
) (
    input  wire [3:0]  sel_i,
    input  wire [15:0] in_i,
    output wire        out_o
);
  wire [3:0] node;
  localparam [3:0] NODES = {|MASK[15:12], |MASK[11:8], |MASK[7:4], |MASK[3:0]};
  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : g_node
      localparam [3:0] HERE = MASK[4*n +: 4];
      if ((HERE & (HERE - 4'd1)) == 4'd0) begin : g_one
        assign node[n] = |(in_i[4*n +: 4] & HERE);
      end else begin : g_some
        tally_mux4 #(.MASK(HERE)) u_mux (.sel_i(sel_i[1:0]), .in_i(in_i[4*n +: 4]), .out_o(node[n]));
      end
    end
    if ((NODES & (NODES - 4'd1)) == 4'd0) begin : g_root_one
      assign out_o = |(node & NODES);
    end else if (NODES == 4'd3) begin : g_root_pair  // no boundary: the LUT that follows absorbs it
      assign out_o = sel_i[2] ? node[1] : node[0];
    end else begin : g_root
      tally_mux4 #(.MASK(NODES)) u_mux (.sel_i(sel_i[3:2]), .in_i(node), .out_o(out_o));
    end
  endgenerate
  wire unused_ok = &{1'b0, sel_i, in_i, node};
endmodule

`default_nettype wire
