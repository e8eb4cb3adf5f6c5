// SPDX-License-Identifier: Apache-2.0
// tally_dcache_way - the data of one way of the D cache: 64-bit words with byte enables, written so that it
// becomes block RAM.
//
// Read latency: one cycle; rdata_o holds while ren_i is low. A read of a word while it is written is
// undefined in silicon: the cache looks again.

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

  (* no_rw_check *)
  reg [63:0] mem [0:WORDS-1];

  // Configuration value, not a reset: block RAM has none.
  integer n;
  initial begin
    for (n = 0; n < WORDS; n = n + 1) mem[n] = 64'd0;
    rdata_o = 64'd0;
  end

  always @(posedge clk) begin
    if (wen_i) begin
      for (n = 0; n < 8; n = n + 1) if (wstrb_i[n]) mem[waddr_i][8*n +: 8] <= wdata_i[8*n +: 8];
    end
    if (ren_i) rdata_o <= mem[raddr_i];
  end

endmodule

`default_nettype wire
