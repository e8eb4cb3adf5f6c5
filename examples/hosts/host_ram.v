// SPDX-License-Identifier: Apache-2.0
// host_ram - the RAM of an example host: 256 KiB from the file +image=, a port for data and one for code. A
// word is there in the next cycle.

`default_nettype none

module host_ram (
    input  wire        clk,
    input  wire        read_i,
    input  wire [3:0]  write_i,       // bytes of wdata_i
    input  wire [17:2] addr_i,
    input  wire [31:0] wdata_i,
    output reg  [31:0] rdata_o,
    input  wire        code_read_i,
    input  wire [17:2] code_addr_i,
    output reg  [31:0] code_rdata_o
);
  reg [31:0] ram [0:65535] /* verilator public_flat_rd */;
  reg [8*256-1:0] image;
  initial if ($value$plusargs("image=%s", image)) $readmemh(image, ram);

  integer b;
  always @(posedge clk) begin
    if (read_i) rdata_o <= ram[addr_i];
    if (code_read_i) code_rdata_o <= ram[code_addr_i];
    for (b = 0; b < 4; b = b + 1) if (write_i[b]) ram[addr_i][b*8 +: 8] <= wdata_i[b*8 +: 8];
  end
endmodule

`default_nettype wire
