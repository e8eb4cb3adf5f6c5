// SPDX-License-Identifier: Apache-2.0
// tally_orangecrab - the machine on an OrangeCrab r0.2 with an ECP5-85F: clock, reset, RAM, UART, light.
//
// The 48 MHz oscillator becomes CLK_MHZ. RAM and boot ROM are block RAM that the bitstream fills (RAM_FILE,
// ROM_FILE: 64-bit words, hexadecimal). The UART is on the header: pin 0 to the FPGA, pin 1 from it.
// The light: blue while the program runs, then green for pass, red for fail. The button resets the machine;
// RAM keeps its content, so a program that has changed its own data must be loaded again.

`default_nettype none

module tally_orangecrab #(
    parameter CLK_MHZ     = 40,      // a multiple of 8
    parameter BAUD        = 115200,
    parameter RAM_WORDS   = 32768,   // 64-bit words, a power of two
    parameter RAM_FILE    = "",
    parameter ROM_FILE    = "",
    parameter MEM_LATENCY = 40,
    parameter TIME_RATIO  = 10
) (
    input  wire clk48,
    input  wire gpio_0,              // serial line to the FPGA
    output wire gpio_1,              // serial line from the FPGA
    input  wire usr_btn_n,           // low when pressed
    output wire led_red_n,
    output wire led_green_n,
    output wire led_blue_n
);
  wire clk, locked, rst;

  tally_ecp5_pll #(
    .IN_MHZ   (48),
    .STEP_MHZ (8),
    .MHZ      (CLK_MHZ)
  ) u_pll (
    .clk_i    (clk48),
    .clk_o    (clk),
    .locked_o (locked)
  );

  tally_board_reset u_reset (
    .clk    (clk),
    .hold_i (~locked | ~usr_btn_n),
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
    .rxd_i        (gpio_0),
    .txd_o        (gpio_1),
    .tx_busy_o    (tx_busy),
    .rx_busy_o    (rx_busy),
    .exit_valid_o (exit_valid),
    .exit_kind_o  (exit_kind)
  );

  assign led_red_n   = ~(exit_valid & (exit_kind == 2'd1));
  assign led_green_n = ~(exit_valid & (exit_kind == 2'd0));
  assign led_blue_n  = rst | exit_valid;

  wire _unused = &{1'b0, tx_busy, rx_busy};
endmodule

`default_nettype wire
