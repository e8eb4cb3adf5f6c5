// SPDX-License-Identifier: Apache-2.0
// tally_sim_top - the machine of tally-sim: tally_soc, and for each hart the state of the golden models.
//
// Simulation only. The harness writes the golden state while waves are on, so that one file has both.

`default_nettype none

module tally_sim_top #(
    parameter NHARTS        = 1,
    parameter MEM_LATENCY   = 40,
    parameter TIME_RATIO    = 10,
    parameter HPM_N         = 29,
    parameter SAMPLING      = 0,
    parameter EBB           = 0,
    parameter COUNTER_RAM   = 0,
    parameter MEM_W         = 36,
    // sizes of a hart (tally_hart.v)
    parameter TAG_W         = 3,
    parameter BTB_ENTRIES   = 128,
    parameter BHT_ENTRIES   = 16384,
    parameter ITB_ENTRIES   = 512,
    parameter RAS_ENTRIES   = 16,
    parameter FQ_DEPTH      = 4,
    parameter ICACHE_WAYS   = 4,
    parameter ICACHE_SETS   = 64,
    parameter ITLB_ENTRIES  = 16,
    parameter DCACHE_WAYS   = 4,
    parameter DCACHE_SETS   = 64,
    parameter MSHRS         = 2,
    parameter STQ_DEPTH     = 8,
    parameter DTLB_ENTRIES  = 16,
    parameter L2TLB_ENTRIES = 256,
    parameter ZBA_ZBB       = 1,
    parameter SMEPMP        = 1
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
    output wire        host_en_o,
    output wire        host_we_o,
    output wire [12:0] host_addr_o,
    output wire [1:0]  host_size_o,
    output wire [63:0] host_wdata_o,
    input  wire [63:0] host_rdata_i,
    output wire        exit_valid_o,
    output wire [1:0]  exit_kind_o,
    output wire [15:0] exit_code_o
);
  // Inputs that reach far into the harts are registered: Verilator evaluates logic that depends on an input
  // without a register in between once more in every evaluation.
  reg        rst_q = 1'b1;
  reg [55:0] ram_size_q;
  always @(posedge clk) begin
    rst_q      <= rst;
    ram_size_q <= ram_size_i;
  end

  tally_soc #(
    .NHARTS       (NHARTS),
    .MEM_LATENCY  (MEM_LATENCY),
    .TIME_RATIO   (TIME_RATIO),
    .HPM_N        (HPM_N),
    .SAMPLING     (SAMPLING),
    .EBB          (EBB),
    .COUNTER_RAM  (COUNTER_RAM),
    .HOST         (1),
    .MEM_W        (MEM_W),
    .TAG_W        (TAG_W),
    .BTB_ENTRIES  (BTB_ENTRIES),
    .BHT_ENTRIES  (BHT_ENTRIES),
    .ITB_ENTRIES  (ITB_ENTRIES),
    .RAS_ENTRIES  (RAS_ENTRIES),
    .FQ_DEPTH     (FQ_DEPTH),
    .ICACHE_WAYS  (ICACHE_WAYS),
    .ICACHE_SETS  (ICACHE_SETS),
    .ITLB_ENTRIES (ITLB_ENTRIES),
    .DCACHE_WAYS  (DCACHE_WAYS),
    .DCACHE_SETS  (DCACHE_SETS),
    .MSHRS        (MSHRS),
    .STQ_DEPTH    (STQ_DEPTH),
    .DTLB_ENTRIES (DTLB_ENTRIES),
    .L2TLB_ENTRIES(L2TLB_ENTRIES),
    .ZBA_ZBB      (ZBA_ZBB),
    .SMEPMP       (SMEPMP)
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
    .host_en_o       (host_en_o),
    .host_we_o       (host_we_o),
    .host_addr_o     (host_addr_o),
    .host_size_o     (host_size_o),
    .host_wdata_o    (host_wdata_o),
    .host_rdata_i    (host_rdata_i),
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
