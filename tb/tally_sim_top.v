// tally_sim_top - the machine as tally-sim verilates it: tally_soc, and beside each hart the golden models'
// state.
//
// Simulation only. The harness writes the golden state while waves are on, so that both stand in one file.

`default_nettype none

module tally_sim_top #(
    parameter NHARTS      = 1,
    parameter MEM_LATENCY = 40,
    parameter TIME_RATIO  = 10,
    parameter HPM_N       = 29,
    parameter SAMPLING    = 0
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [55:0] ram_size_i,
    output wire        mem_en_o,
    output wire        mem_we_o,
    output wire [55:0] mem_addr_o,
    output wire [63:0] mem_wdata_o,
    output wire [7:0]  mem_wstrb_o,
    input  wire [63:0] mem_rdata_i,
    input  wire        rom_we_i,
    input  wire [12:0] rom_addr_i,
    input  wire [63:0] rom_wdata_i,
    output wire        uart_tx_valid_o,
    output wire [7:0]  uart_tx_data_o,
    input  wire        uart_rx_valid_i,
    output wire        uart_rx_ready_o,
    input  wire [7:0]  uart_rx_data_i,
    output wire        exit_valid_o,
    output wire [1:0]  exit_kind_o,
    output wire [15:0] exit_code_o
);
  // Inputs that reach far into the harts are registered: Verilator evaluates once more in every evaluation
  // what depends on an input without a register in between.
  reg        rst_q = 1'b1;
  reg [55:0] ram_size_q;
  always @(posedge clk) begin
    rst_q      <= rst;
    ram_size_q <= ram_size_i;
  end

  tally_soc #(
    .NHARTS      (NHARTS),
    .MEM_LATENCY (MEM_LATENCY),
    .TIME_RATIO  (TIME_RATIO),
    .HPM_N       (HPM_N),
    .SAMPLING    (SAMPLING)
  ) u_soc (
    .clk             (clk),
    .rst             (rst_q),
    .ram_size_i      (ram_size_q),
    .mem_en_o        (mem_en_o),
    .mem_we_o        (mem_we_o),
    .mem_addr_o      (mem_addr_o),
    .mem_wdata_o     (mem_wdata_o),
    .mem_wstrb_o     (mem_wstrb_o),
    .mem_rdata_i     (mem_rdata_i),
    .rom_we_i        (rom_we_i),
    .rom_addr_i      (rom_addr_i),
    .rom_wdata_i     (rom_wdata_i),
    .uart_tx_valid_o (uart_tx_valid_o),
    .uart_tx_ready_i (1'b1),
    .uart_tx_data_o  (uart_tx_data_o),
    .uart_rx_valid_i (uart_rx_valid_i),
    .uart_rx_ready_o (uart_rx_ready_o),
    .uart_rx_data_i  (uart_rx_data_i),
    .exit_valid_o    (exit_valid_o),
    .exit_kind_o     (exit_kind_o),
    .exit_code_o     (exit_code_o)
  );

  genvar n;
  generate
    for (n = 0; n < NHARTS; n = n + 1) begin : g_golden
      tally_golden_view u_golden ();
    end
  endgenerate
endmodule

`default_nettype wire
