// SPDX-License-Identifier: Apache-2.0
// tally_icebreaker - the PMU with four counters on an iCEBreaker (iCE40 UP5K).
//
// The unit runs at half of the crystal's clock: this FPGA is the slowest of all.
// A serial line plays its events (tally_player; scripts/player.py speaks to it): that of the USB connector.

`default_nettype none

module tally_icebreaker #(
    parameter BAUD = 115200
) (
    input  wire clk,         // 12 MHz crystal
    input  wire btn_n,       // user button, low when pressed: reset
    input  wire rx,
    output wire tx,
    output wire ledr_n,      // on while LCOFIP is 1
    output wire ledg_n       // on while events are played
);
  localparam CLK_HZ = 6000000;

  reg slow_q = 1'b0;
  always @(posedge clk) slow_q <= ~slow_q;

  wire       rst, playing, lcofip, rx_valid, tx_valid, tx_ready, tx_busy, rx_busy;
  wire [7:0] rx_data, tx_data;

  tally_board_reset u_reset (
    .clk    (slow_q),
    .hold_i (~btn_n),
    .rst_o  (rst)
  );

  tally_uart_line #(
    .CLK_HZ (CLK_HZ),
    .BAUD   (BAUD)
  ) u_line (
    .clk        (slow_q),
    .rst        (rst),
    .tx_valid_i (tx_valid),
    .tx_ready_o (tx_ready),
    .tx_data_i  (tx_data),
    .txd_o      (tx),
    .rxd_i      (rx),
    .rx_valid_o (rx_valid),
    .rx_data_o  (rx_data),
    .tx_busy_o  (tx_busy),
    .rx_busy_o  (rx_busy)
  );

  tally_player u_player (
    .clk        (slow_q),
    .rst        (rst),
    .rx_valid_i (rx_valid),
    .rx_data_i  (rx_data),
    .tx_valid_o (tx_valid),
    .tx_ready_i (tx_ready),
    .tx_data_o  (tx_data),
    .playing_o  (playing),
    .lcofip_o   (lcofip)
  );

  assign ledr_n = ~lcofip;
  assign ledg_n = ~playing;

  wire _unused = &{1'b0, tx_busy, rx_busy};
endmodule

`default_nettype wire
