// SPDX-License-Identifier: Apache-2.0
// tally_hx8k - the PMU with four counters on the iCE40-HX8K breakout board.
//
// A serial line plays its events (tally_player; scripts/player.py speaks to it): that of the USB connector.

`default_nettype none

module tally_hx8k #(
    parameter BAUD = 115200
) (
    input  wire       clk,   // 12 MHz crystal
    input  wire       rx,
    output wire       tx,
    output wire [7:0] led    // 0 events are played, 1 LCOFIP, 2 the line sends, 3 it receives, 7 out of reset
);
  localparam CLK_HZ = 12000000;

  wire       rst, playing, lcofip, rx_valid, tx_valid, tx_ready, rx_busy, tx_busy;
  wire [7:0] rx_data, tx_data;

  tally_board_reset u_reset (
    .clk    (clk),
    .hold_i (1'b0),
    .rst_o  (rst)
  );

  tally_uart_line #(
    .CLK_HZ (CLK_HZ),
    .BAUD   (BAUD)
  ) u_line (
    .clk        (clk),
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
    .clk        (clk),
    .rst        (rst),
    .rx_valid_i (rx_valid),
    .rx_data_i  (rx_data),
    .tx_valid_o (tx_valid),
    .tx_ready_i (tx_ready),
    .tx_data_o  (tx_data),
    .playing_o  (playing),
    .lcofip_o   (lcofip)
  );

  assign led = {~rst, 3'd0, rx_busy, tx_busy, lcofip, playing};
endmodule

`default_nettype wire
