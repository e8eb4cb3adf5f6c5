// SPDX-License-Identifier: Apache-2.0
// tally_board_reset - a synchronous reset out of an asynchronous one, and after power-up.
//
// rst_o is on from the bitstream's load and while hold_i is, and goes off some cycles after, at a clock edge.
// The machine's registers need no initial values; these here have them.

`default_nettype none

module tally_board_reset (
    input  wire clk,
    input  wire hold_i,    // asynchronous: no clock yet, a button
    output wire rst_o
);
  localparam LENGTH = 8;

  reg [LENGTH-1:0] rst_q = {LENGTH{1'b1}};
  always @(posedge clk or posedge hold_i)
    if (hold_i) rst_q <= {LENGTH{1'b1}};
    else rst_q <= {1'b0, rst_q[LENGTH-1:1]};

  // A register of its own: it drives the whole machine
  reg out_q = 1'b1;
  always @(posedge clk) out_q <= rst_q[0];
  assign rst_o = out_q;
endmodule

`default_nettype wire
