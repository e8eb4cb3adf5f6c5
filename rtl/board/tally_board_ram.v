// SPDX-License-Identifier: Apache-2.0
// tally_board_ram - main memory out of block RAM: 64-bit words, one write strobe per byte.
//
// Read data in the cycle after en_i without we_i, and only then: en_i is late-arriving, so
// it reads in every cycle. Filled from INIT_FILE (hexadecimal words).

`default_nettype none

module tally_board_ram #(
    parameter WORDS     = 32768,     // a power of two
    parameter INIT_FILE = "",
    parameter ADDR_W    = $clog2(WORDS)
) (
    input  wire              clk,
    input  wire              en_i,
    input  wire              we_i,
    input  wire [ADDR_W-1:0] addr_i,     // word
    input  wire [63:0]       wdata_i,
    input  wire [7:0]        wstrb_i,
    output reg  [63:0]       rdata_o
);
  (* no_rw_check *)
  reg [63:0] mem [0:WORDS-1];

  generate
    if (INIT_FILE != "") begin : g_init
      initial $readmemh(INIT_FILE, mem);
    end
  endgenerate

  integer n;
  always @(posedge clk) begin
    for (n = 0; n < 8; n = n + 1)
      if (en_i && we_i && wstrb_i[n]) mem[addr_i][8*n +: 8] <= wdata_i[8*n +: 8];
    rdata_o <= mem[addr_i];
  end
endmodule

`default_nettype wire
