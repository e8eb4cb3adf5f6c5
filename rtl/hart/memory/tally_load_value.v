// SPDX-License-Identifier: Apache-2.0
// tally_load_value - what a load makes of the 64 bits that it reads: the bytes of its address, extended.
// Combinational. Of an address that is not a multiple of the size the value is unspecified.

`default_nettype none

module tally_load_value (
    input  wire [63:0] raw_i,
    input  wire [2:0]  byte_i,    // address within it
    input  wire [1:0]  size_i,    // log2 of the bytes
    input  wire        uns_i,     // with zeros instead of the sign
    output wire [63:0] value_o
);
  wire [31:0] word = byte_i[2] ? raw_i[63:32] : raw_i[31:0];
  wire [15:0] half = byte_i[1] ? word[31:16] : word[15:0];
  wire [7:0]  low  = byte_i[0] ? half[15:8] : half[7:0];
  wire        fill = !uns_i && (size_i == 2'd0 ? low[7] : size_i == 2'd1 ? half[15] : word[31]);

  assign value_o[7:0]   = low;
  assign value_o[15:8]  = size_i == 2'd0 ? {8{fill}} : half[15:8];
  assign value_o[31:16] = size_i[1] ? word[31:16] : {16{fill}};
  assign value_o[63:32] = size_i == 2'd3 ? raw_i[63:32] : {32{fill}};
endmodule

`default_nettype wire
