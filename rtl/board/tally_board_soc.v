// SPDX-License-Identifier: Apache-2.0
// tally_board_soc - the machine, its RAM and a serial line, for every board with enough block RAM.

`default_nettype none

module tally_board_soc #(
    parameter CLK_HZ      = 40000000,
    parameter BAUD        = 115200,
    parameter RAM_WORDS   = 32768,   // 64-bit words, a power of two
    parameter RAM_FILE    = "",
    parameter ROM_FILE    = "",
    parameter MEM_LATENCY = 40,
    parameter TIME_RATIO  = 10
) (
    input  wire       clk,
    input  wire       rst,

    input  wire       rxd_i,
    output wire       txd_o,
    output wire       tx_busy_o,
    output wire       rx_busy_o,

    output wire       exit_valid_o,
    output wire [1:0] exit_kind_o
);
  localparam [55:0] RAM_SIZE = RAM_WORDS * 8;
  localparam        ADDR_W   = $clog2(RAM_WORDS);

  wire        mem_en, mem_we;
  wire [55:0] mem_addr;
  wire [63:0] mem_wdata, mem_rdata;
  wire [7:0]  mem_wstrb;
  wire        tx_valid, tx_ready, rx_valid, rx_ready;
  wire [7:0]  tx_data, rx_data;
  wire [15:0] exit_code;
  wire        host_en, host_we;   // no host device here
  wire [12:0] host_addr;
  wire [1:0]  host_size;
  wire [63:0] host_wdata;

  tally_soc #(
    .NHARTS      (1),
    .MEM_LATENCY (MEM_LATENCY),
    .TIME_RATIO  (TIME_RATIO),
    .SAMPLING    (1),
    .EBB         (1),
    .COUNTER_RAM (1),
    .MEM_W       (32),
    .ROM_FILE    (ROM_FILE)
  ) u_soc (
    .clk             (clk),
    .rst             (rst),
    .ram_size_i      (RAM_SIZE),
    .mem_en_o        (mem_en),
    .mem_we_o        (mem_we),
    .mem_addr_o      (mem_addr),
    .mem_wdata_o     (mem_wdata),
    .mem_wstrb_o     (mem_wstrb),
    .mem_rdata_i     (mem_rdata),
    .rom_we_i        (1'b0),
    .rom_addr_i      (13'd0),
    .rom_wdata_i     (64'd0),
    .uart_tx_valid_o (tx_valid),
    .uart_tx_ready_i (tx_ready),
    .uart_tx_data_o  (tx_data),
    .uart_rx_valid_i (rx_valid),
    .uart_rx_ready_o (rx_ready),
    .uart_rx_data_i  (rx_data),
    .host_en_o       (host_en),
    .host_we_o       (host_we),
    .host_addr_o     (host_addr),
    .host_size_o     (host_size),
    .host_wdata_o    (host_wdata),
    .host_rdata_i    (64'd0),
    .exit_valid_o    (exit_valid_o),
    .exit_kind_o     (exit_kind_o),
    .exit_code_o     (exit_code)
  );

  tally_board_ram #(
    .WORDS     (RAM_WORDS),
    .INIT_FILE (RAM_FILE)
  ) u_ram (
    .clk     (clk),
    .en_i    (mem_en),
    .we_i    (mem_we),
    .addr_i  (mem_addr[3 +: ADDR_W]),
    .wdata_i (mem_wdata),
    .wstrb_i (mem_wstrb),
    .rdata_o (mem_rdata)
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
    .txd_o      (txd_o),
    .rxd_i      (rxd_i),
    .rx_valid_o (rx_valid),
    .rx_data_o  (rx_data),
    .tx_busy_o  (tx_busy_o),
    .rx_busy_o  (rx_busy_o)
  );

  wire _unused = &{1'b0, mem_addr[55:3+ADDR_W], mem_addr[2:0], rx_ready, exit_code,
                     host_en, host_we, host_addr, host_size, host_wdata};
endmodule

`default_nettype wire
