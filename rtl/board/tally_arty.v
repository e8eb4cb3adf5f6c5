// SPDX-License-Identifier: Apache-2.0
// tally_arty - the machine on an Arty A7-100T: clock, reset, RAM, UART, lights.
//
// The 100 MHz oscillator becomes CLK_MHZ. RAM and boot ROM are block RAM that the bitstream fills (RAM_FILE,
// ROM_FILE: 64-bit words, hexadecimal). The UART is the one of the USB connector, named from its side.
//   led[0] out of reset   led[1] the program has written the finisher: led[2] ... pass   led[3] ... fail
// The RESET button resets the machine; RAM keeps its content, so a program that has changed its own data must
// be loaded again.

`default_nettype none

module tally_arty #(
    parameter CLK_MHZ     = 40,      // divides 1000
    parameter BAUD        = 115200,
    parameter RAM_WORDS   = 32768,   // 64-bit words, a power of two
    parameter RAM_FILE    = "",
    parameter ROM_FILE    = "",
    parameter MEM_LATENCY = 40,
    parameter TIME_RATIO  = 10
) (
    input  wire       clk100,
    input  wire       ck_rst_n,
    input  wire       uart_txd_in,   // to the FPGA
    output wire       uart_rxd_out,  // from the FPGA
    output wire [3:0] led
);
  wire clk, locked, rst;

  tally_xilinx7_pll #(
    .MHZ (CLK_MHZ)
  ) u_pll (
    .clk_100mhz_i (clk100),
    .clk_o        (clk),
    .locked_o     (locked)
  );

  tally_board_reset u_reset (
    .clk    (clk),
    .hold_i (~locked | ~ck_rst_n),
    .rst_o  (rst)
  );

  wire       exit_valid, tx_busy, rx_busy;
  wire [1:0] exit_kind;

  tally_board_soc #(
    .CLK_HZ      (CLK_MHZ * 1000000),
    .BAUD        (BAUD),
    .RAM_WORDS   (RAM_WORDS),
    .RAM_FILE    (RAM_FILE),
    .ROM_FILE    (ROM_FILE),
    .MEM_LATENCY (MEM_LATENCY),
    .TIME_RATIO  (TIME_RATIO)
  ) u_machine (
    .clk          (clk),
    .rst          (rst),
    .rxd_i        (uart_txd_in),
    .txd_o        (uart_rxd_out),
    .tx_busy_o    (tx_busy),
    .rx_busy_o    (rx_busy),
    .exit_valid_o (exit_valid),
    .exit_kind_o  (exit_kind)
  );

  assign led = {exit_valid & (exit_kind == 2'd1), exit_valid & (exit_kind == 2'd0), exit_valid, ~rst};

  wire _unused = &{1'b0, tx_busy, rx_busy};
endmodule

`default_nettype wire
