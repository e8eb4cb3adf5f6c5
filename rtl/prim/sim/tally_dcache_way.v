// SPDX-License-Identifier: Apache-2.0
// tally_dcache_way for simulation: a word is written as a whole, with the bytes that stay as they are.

`default_nettype none

module tally_dcache_way #(
    parameter WORDS = 512
) (
    input  wire                     clk,
    input  wire                     ren_i,
    input  wire [$clog2(WORDS)-1:0] raddr_i,
    output reg  [63:0]              rdata_o,
    input  wire                     wen_i,
    input  wire [$clog2(WORDS)-1:0] waddr_i,
    input  wire [63:0]              wdata_i,
    input  wire [7:0]               wstrb_i
);
  reg [63:0] mem [0:WORDS-1];

  integer n;
  initial begin
    for (n = 0; n < WORDS; n = n + 1) mem[n] = 64'd0;
    rdata_o = 64'd0;
  end

  function [63:0] bytes;   // the bits of the bytes that are written
    input [7:0] fn_strb;
    integer     f;
    for (f = 0; f < 8; f = f + 1) bytes[8*f +: 8] = {8{fn_strb[f]}};
  endfunction

  always @(posedge clk) begin
    if (wen_i) mem[waddr_i] <= mem[waddr_i] & ~bytes(wstrb_i) | wdata_i & bytes(wstrb_i);
    if (ren_i) rdata_o <= mem[raddr_i];
  end
endmodule

`default_nettype wire
