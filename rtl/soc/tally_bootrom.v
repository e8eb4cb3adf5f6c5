// SPDX-License-Identifier: Apache-2.0
// tally_bootrom - the first instructions of every hart, in a window of 60 KiB at 0x1000.
//
// 8 * WORDS bytes hold something, the rest of the window reads as 0. Read data a cycle after the access; a
// write over the bus is an error. The content comes from INIT_FILE (hexadecimal, 64-bit words) on a board, or
// through the load port, which the machine around the SoC uses while reset is on.

`default_nettype none

module tally_bootrom #(
    parameter WORDS     = 64,      // a power of two, 2..4096
    parameter INIT_FILE = ""
) (
    input  wire        clk,

    // bus
    input  wire        en_i,
    input  wire        we_i,
    input  wire [15:0] addr_i,     // address itself: the window starts at 0x1000
    output wire [63:0] rdata_o,
    output wire        err_o,

    // load
    input  wire        load_we_i,
    input  wire [12:0] load_addr_i, // word
    input  wire [63:0] load_data_i
);
  localparam ADDR_W = $clog2(WORDS);

  reg  [63:0] rom [0:WORDS-1];
  reg  [63:0] word_q;
  reg         hit_q, err_q;
  wire [12:0] word = addr_i[15:3] - 13'h0200;

  generate
    if (INIT_FILE != "") begin : g_init
      initial $readmemh(INIT_FILE, rom);
    end
  endgenerate

  always @(posedge clk) begin
    if (load_we_i) rom[load_addr_i[ADDR_W-1:0]] <= load_data_i;
    if (en_i) word_q <= rom[word[ADDR_W-1:0]];
    hit_q <= en_i & (word < WORDS);
    err_q <= en_i & we_i;
  end

  assign rdata_o = hit_q ? word_q : 64'd0;
  assign err_o   = err_q;

  wire _unused = &{1'b0, addr_i[2:0], load_addr_i};
endmodule

`default_nettype wire
