// SPDX-License-Identifier: Apache-2.0
// tally_ulx3s - the machine on a ULX3S with an ECP5-85F: clock, reset, RAM, UART, lights.
//
// The 25 MHz crystal becomes CLK_MHZ. RAM and boot ROM are block RAM that the bitstream fills (RAM_FILE,
// ROM_FILE: 64-bit words, hexadecimal). The UART is the one of the USB connector US1.
//   led[0] running: it goes on and off about once a second     led[1] out of reset
//   led[2] UART transmits   led[3] UART receives   led[4] the program has written the finisher:
//   led[5] ... pass         led[6] ... fail        led[7] PLL locked
// Buttons: PWR (btn[0], low when pressed) and FIRE1 (btn[1]) reset the machine. RAM keeps its content, so a
// program that has changed its own data must be loaded again.

`default_nettype none

module tally_ulx3s #(
    parameter CLK_MHZ     = 40,      // a multiple of 5
    parameter BAUD        = 115200,
    parameter RAM_WORDS   = 32768,   // 64-bit words, a power of two
    parameter RAM_FILE    = "",
    parameter ROM_FILE    = "",
    parameter MEM_LATENCY = 40,
    parameter TIME_RATIO  = 10
) (
    input  wire       clk_25mhz,

    input  wire       ftdi_txd,      // to the FPGA
    output wire       ftdi_rxd,      // from the FPGA

    input  wire [1:0] btn,
    output wire [7:0] led,
    output wire       wifi_gpio0     // high: the ESP32 stays out of the way
);
  wire clk, locked, rst;

  tally_ecp5_pll #(
    .MHZ (CLK_MHZ)
  ) u_pll (
    .clk_i    (clk_25mhz),
    .clk_o    (clk),
    .locked_o (locked)
  );

  tally_board_reset u_reset (
    .clk    (clk),
    .hold_i (~locked | ~btn[0] | btn[1]),
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
    .rxd_i        (ftdi_txd),
    .txd_o        (ftdi_rxd),
    .tx_busy_o    (tx_busy),
    .rx_busy_o    (rx_busy),
    .exit_valid_o (exit_valid),
    .exit_kind_o  (exit_kind)
  );

  reg [25:0] beat_q;
  always @(posedge clk) beat_q <= rst ? 26'd0 : beat_q + 26'd1;

  assign led        = {locked, exit_valid & (exit_kind == 2'd1), exit_valid & (exit_kind == 2'd0), exit_valid,
                       rx_busy, tx_busy, ~rst, beat_q[25]};
  assign wifi_gpio0 = 1'b1;
endmodule

`default_nettype wire
