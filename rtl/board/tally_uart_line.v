// SPDX-License-Identifier: Apache-2.0
// tally_uart_line - the wires of a UART: 8 data bits, no parity, one stop bit, BAUD fixed.
//
// Bytes enter and leave by the handshakes of tally_uart. A received byte that is not read is lost, as on any
// UART.

`default_nettype none

module tally_uart_line #(
    parameter CLK_HZ = 40000000,
    parameter BAUD   = 115200
) (
    input  wire       clk,
    input  wire       rst,

    // transmit
    input  wire       tx_valid_i,
    output wire       tx_ready_o,
    input  wire [7:0] tx_data_i,
    output wire       txd_o,

    // receive
    input  wire       rxd_i,         // asynchronous
    output wire       rx_valid_o,    // one cycle
    output wire [7:0] rx_data_o,

    output wire       tx_busy_o,
    output wire       rx_busy_o
);
  localparam DIV   = (CLK_HZ + BAUD / 2) / BAUD;
  localparam DIV_W = $clog2(DIV);

  localparam integer LAST_N = DIV - 1, HALF_N = DIV / 2 - 1;
  localparam [DIV_W-1:0] LAST = LAST_N[DIV_W-1:0], HALF = HALF_N[DIV_W-1:0];

  // ---------------------------------------------------------------------------------------------------------
  // Transmitter: start bit, data and stop bits in one shift register; ones come in behind
  reg  [9:0]       tx_q;
  reg  [3:0]       tx_left_q;        // bits that are not over
  reg  [DIV_W-1:0] tx_time_q;
  reg              txd_q;

  assign tx_ready_o = tx_left_q == 4'd0;

  always @(posedge clk) begin
    txd_q <= tx_q[0];
    if (tx_ready_o) begin
      tx_time_q <= LAST;
      if (tx_valid_i) begin
        tx_q      <= {1'b1, tx_data_i, 1'b0};
        tx_left_q <= 4'd10;
      end
    end else if (tx_time_q == {DIV_W{1'b0}}) begin
      tx_q      <= {1'b1, tx_q[9:1]};
      tx_left_q <= tx_left_q - 4'd1;
      tx_time_q <= LAST;
    end else begin
      tx_time_q <= tx_time_q - 1'b1;
    end
    if (rst) begin
      tx_q      <= 10'h3FF;
      tx_left_q <= 4'd0;
      txd_q     <= 1'b1;
    end
  end

  assign txd_o     = txd_q;
  assign tx_busy_o = !tx_ready_o;

  // ---------------------------------------------------------------------------------------------------------
  // Receiver: sampled in the middle of each bit
  reg  [2:0]       line_q;           // synchroniser
  reg  [3:0]       rx_left_q;
  reg  [DIV_W-1:0] rx_time_q;
  reg  [8:0]       rx_q;
  reg              rx_done_q;
  wire             rx_now = rx_time_q == {DIV_W{1'b0}};

  always @(posedge clk) begin
    line_q    <= {line_q[1:0], rxd_i};
    rx_done_q <= 1'b0;
    if (rx_left_q == 4'd0) begin
      rx_time_q <= HALF;
      if (!line_q[2]) rx_left_q <= 4'd10;
    end else if (rx_now) begin
      rx_time_q <= LAST;
      rx_q      <= {line_q[2], rx_q[8:1]};
      rx_left_q <= rx_left_q - 4'd1;
      if (rx_left_q == 4'd10 && line_q[2]) rx_left_q <= 4'd0;   // a glitch, no start bit
      if (rx_left_q == 4'd1) rx_done_q <= line_q[2];
    end else begin
      rx_time_q <= rx_time_q - 1'b1;
    end
    if (rst) begin
      line_q    <= 3'b111;
      rx_left_q <= 4'd0;
      rx_done_q <= 1'b0;
    end
  end

  assign rx_valid_o = rx_done_q;
  assign rx_data_o  = rx_q[7:0];
  assign rx_busy_o  = rx_left_q != 4'd0;
endmodule

`default_nettype wire
