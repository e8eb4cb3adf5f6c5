// SPDX-License-Identifier: Apache-2.0
// tally_ram_1r1w - memory with one read port and one write port, in the form that mappers turn into block
// RAM.
//
// Read latency: one cycle; rdata_o holds while ren_i is low. A word that is read while it is written is
// undefined in silicon: every user either masks that word or works with any value (a prediction).

`default_nettype none

module tally_ram_1r1w #(
    parameter WIDTH = 64,
    parameter DEPTH = 512,
    parameter [WIDTH-1:0] INIT = {WIDTH{1'b0}},
    parameter ADDR_W = $clog2(DEPTH)
) (
    input  wire              clk,
    input  wire              ren_i,
    input  wire [ADDR_W-1:0] raddr_i,
    output reg  [WIDTH-1:0]  rdata_o,
    input  wire              wen_i,
    input  wire [ADDR_W-1:0] waddr_i,
    input  wire [WIDTH-1:0]  wdata_i
);

  (* no_rw_check, ram_style = "block" *)
  reg [WIDTH-1:0] mem [0:DEPTH-1];

  // Configuration value, not a reset: block RAM has none.
  integer n;
  initial begin
    for (n = 0; n < DEPTH; n = n + 1) mem[n] = INIT;
    rdata_o = INIT;
  end

  always @(posedge clk) begin
    if (wen_i) mem[waddr_i] <= wdata_i;
    if (ren_i) rdata_o <= mem[raddr_i];
  end

endmodule

`default_nettype wire
