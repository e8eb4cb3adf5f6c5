// SPDX-License-Identifier: Apache-2.0
// tally_regfile - the 32 integer registers: two combinational reads, one write at the clock edge.
//
// Written at retirement only, so it always holds the architectural state. x0 is a location that is never
// written.

`default_nettype none

module tally_regfile #(
    parameter XLEN = 64
) (
    input  wire            clk,
    input  wire [4:0]      raddr1_i,
    output wire [XLEN-1:0] rdata1_o,
    input  wire [4:0]      raddr2_i,
    output wire [XLEN-1:0] rdata2_o,
    input  wire            we_i,       // never with waddr_i = 0
    input  wire [4:0]      waddr_i,
    input  wire [XLEN-1:0] wdata_i
);
  reg [XLEN-1:0] x_q [0:31];

  // Registers are not reset in hardware; a defined start keeps simulation and netlist alike.
  integer n;
  initial for (n = 0; n < 32; n = n + 1) x_q[n] = {XLEN{1'b0}};

  assign rdata1_o = x_q[raddr1_i];
  assign rdata2_o = x_q[raddr2_i];

  always @(posedge clk) if (we_i) x_q[waddr_i] <= wdata_i;
endmodule

`default_nettype wire
