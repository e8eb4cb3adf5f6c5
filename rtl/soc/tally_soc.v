// SPDX-License-Identifier: Apache-2.0
// tally_soc - the reference machine: one or two harts on QEMU's `virt` map, without its RAM and without
// wires.
//
//   0x0000_1000 boot ROM   0x0010_0000 finisher   0x0200_0000 ACLINT   0x0C00_0000 PLIC
//   0x1000_0000 UART (source 10)   0x1001_0000 host device   0x8000_0000 RAM, ram_size_i bytes
// RAM is outside, behind a port with a cycle of latency (block RAM, a C array, a TLM memory); the time that a
// memory really takes is MEM_LATENCY, which the bus adds. The UART's line and the finisher's word are ports
// too, and so is the host device, which only a simulator has (docs/host.md).

`default_nettype none

module tally_soc #(
    parameter NHARTS        = 1,       // 1 or 2
    parameter MEM_LATENCY   = 40,      // core cycles from a RAM request's acceptance to its first beat
    parameter TIME_RATIO    = 10,      // core cycles a tick of mtime
    parameter HPM_N         = 29,      // programmable counters of a hart
    parameter SAMPLING      = 0,       // precise sampling: Sspesa, Smpdis
    parameter EBB           = 0,       // event-based branches
    parameter COUNTER_RAM   = 0,       // counters in a RAM
    parameter MEM_W         = 36,      // RAM ends at 2^MEM_W at most; at least 32
    parameter ROM_WORDS     = 64,      // 64-bit words of the boot ROM
    parameter ROM_FILE      = "",      // its content on a board
    parameter HOST          = 0,       // the host device is there
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

    // RAM
    input  wire [55:0] ram_size_i,
    output wire        mem_en_o,
    output wire        mem_we_o,
    output wire [55:0] mem_addr_o,       // offset in RAM, a multiple of 8
    output wire [63:0] mem_wdata_o,
    output wire [7:0]  mem_wstrb_o,
    input  wire [63:0] mem_rdata_i,      // the cycle after

    // boot ROM: loaded while reset is on
    input  wire        rom_we_i,
    input  wire [12:0] rom_addr_i,       // word
    input  wire [63:0] rom_wdata_i,

    // UART
    output wire        uart_tx_valid_o,
    input  wire        uart_tx_ready_i,
    output wire [7:0]  uart_tx_data_o,
    input  wire        uart_rx_valid_i,
    output wire        uart_rx_ready_o,
    input  wire [7:0]  uart_rx_data_i,

    // host device: an access in each cycle with host_en_o; a read's data the cycle after, else 0
    output wire        host_en_o,
    output wire        host_we_o,
    output wire [12:0] host_addr_o,
    output wire [1:0]  host_size_o,      // log2 of bytes
    output wire [63:0] host_wdata_o,     // in the byte lanes of the address
    input  wire [63:0] host_rdata_i,     // in the byte lanes of the address

    // the end
    output wire        exit_valid_o,
    output wire [1:0]  exit_kind_o,      // 0 pass, 1 fail, 2 reset
    output wire [15:0] exit_code_o
);
  localparam UART_IRQ = 10, IRQ_SOURCES = 15;

  // ---------------------------------------------------------------------------------------------------------
  // Harts
  // ---------------------------------------------------------------------------------------------------------
  wire [3:0]          rsp_id;
  wire [63:0]         rsp_data;
  wire                rsp_last, rsp_err;
  wire [55:6]         inv_addr;
  wire [1:0]          req_ready, rsp_valid, inv_valid;
  wire [63:0]         mtime;
  wire [NHARTS-1:0]   msip, mtip;
  wire [2*NHARTS-1:0] ext;

  genvar n;
  generate
    for (n = 0; n < NHARTS; n = n + 1) begin : g_hart
      wire        req_valid;
      wire [2:0]  req_op;
      wire [55:0] req_addr;
      wire [1:0]  req_size;
      wire [63:0] req_wdata;
      wire [7:0]  req_wstrb;
      wire [4:0]  req_f5;
      wire [3:0]  req_id;
      wire        lr_void;

      tally_hart #(
        .HARTID       (n),
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
        .SMEPMP       (SMEPMP),
        .HPM_N        (HPM_N),
        .SSPESA       (SAMPLING),
        .SMPDIS       (SAMPLING),
        .EBB          (EBB),
        .COUNTER_RAM  (COUNTER_RAM)
      ) u_hart (
        .clk         (clk),
        .rst         (rst),
        .ram_size_i  (ram_size_i),
        .irq_msip_i  (msip[n]),
        .irq_mtip_i  (mtip[n]),
        .irq_meip_i  (ext[2*n]),
        .irq_seip_i  (ext[2*n+1]),
        .time_i      (mtime),
        .req_valid_o (req_valid),
        .req_ready_i (req_ready[n]),
        .req_op_o    (req_op),
        .req_addr_o  (req_addr),
        .req_size_o  (req_size),
        .req_wdata_o (req_wdata),
        .req_wstrb_o (req_wstrb),
        .req_f5_o    (req_f5),
        .req_id_o    (req_id),
        .lr_void_o   (lr_void),
        .rsp_valid_i (rsp_valid[n]),
        .rsp_id_i    (rsp_id),
        .rsp_data_i  (rsp_data),
        .rsp_last_i  (rsp_last),
        .rsp_err_i   (rsp_err),
        .inv_valid_i (inv_valid[n]),
        .inv_addr_i  (inv_addr)
      );
    end
  endgenerate

  // Hart 1's side of the bus
  wire        h1_req_valid;
  wire [2:0]  h1_req_op;
  wire [55:0] h1_req_addr;
  wire [1:0]  h1_req_size;
  wire [63:0] h1_req_wdata;
  wire [7:0]  h1_req_wstrb;
  wire [4:0]  h1_req_f5;
  wire [3:0]  h1_req_id;
  wire        h1_lr_void;

  generate
    if (NHARTS > 1) begin : g_second
      assign h1_req_valid = g_hart[1].req_valid;
      assign h1_req_op    = g_hart[1].req_op;
      assign h1_req_addr  = g_hart[1].req_addr;
      assign h1_req_size  = g_hart[1].req_size;
      assign h1_req_wdata = g_hart[1].req_wdata;
      assign h1_req_wstrb = g_hart[1].req_wstrb;
      assign h1_req_f5    = g_hart[1].req_f5;
      assign h1_req_id    = g_hart[1].req_id;
      assign h1_lr_void   = g_hart[1].lr_void;
    end else begin : g_no_second
      assign h1_req_valid = 1'b0;
      assign h1_req_op    = 3'd0;
      assign h1_req_addr  = 56'd0;
      assign h1_req_size  = 2'd0;
      assign h1_req_wdata = 64'd0;
      assign h1_req_wstrb = 8'd0;
      assign h1_req_f5    = 5'd0;
      assign h1_req_id    = 4'd0;
      assign h1_lr_void   = 1'b0;
      wire _unused = &{1'b0, req_ready[1], rsp_valid[1], inv_valid[1]};
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------------
  // Bus
  // ---------------------------------------------------------------------------------------------------------
  wire        rom_en, finisher_en, aclint_en, plic_en, uart_en, dev_we;
  wire [27:0] dev_addr;
  wire [1:0]  dev_size;
  wire [63:0] dev_wdata;
  wire [7:0]  dev_wstrb;
  wire [63:0] rom_rdata, aclint_rdata, plic_rdata, uart_rdata;
  wire        rom_err, aclint_err, plic_err;

  tally_bus #(
    .NHARTS      (NHARTS),
    .MEM_LATENCY (MEM_LATENCY),
    .MEM_W       (MEM_W),
    .HOST        (HOST)
  ) u_bus (
    .clk            (clk),
    .rst            (rst),
    .ram_size_i     (ram_size_i),
    .h0_req_valid_i (g_hart[0].req_valid),
    .h0_req_ready_o (req_ready[0]),
    .h0_req_op_i    (g_hart[0].req_op),
    .h0_req_addr_i  (g_hart[0].req_addr),
    .h0_req_size_i  (g_hart[0].req_size),
    .h0_req_wdata_i (g_hart[0].req_wdata),
    .h0_req_wstrb_i (g_hart[0].req_wstrb),
    .h0_req_f5_i    (g_hart[0].req_f5),
    .h0_req_id_i    (g_hart[0].req_id),
    .h0_lr_void_i   (g_hart[0].lr_void),
    .h0_rsp_valid_o (rsp_valid[0]),
    .h0_inv_valid_o (inv_valid[0]),
    .h1_req_valid_i (h1_req_valid),
    .h1_req_ready_o (req_ready[1]),
    .h1_req_op_i    (h1_req_op),
    .h1_req_addr_i  (h1_req_addr),
    .h1_req_size_i  (h1_req_size),
    .h1_req_wdata_i (h1_req_wdata),
    .h1_req_wstrb_i (h1_req_wstrb),
    .h1_req_f5_i    (h1_req_f5),
    .h1_req_id_i    (h1_req_id),
    .h1_lr_void_i   (h1_lr_void),
    .h1_rsp_valid_o (rsp_valid[1]),
    .h1_inv_valid_o (inv_valid[1]),
    .rsp_id_o       (rsp_id),
    .rsp_data_o     (rsp_data),
    .rsp_last_o     (rsp_last),
    .rsp_err_o      (rsp_err),
    .inv_addr_o     (inv_addr),
    .mem_en_o       (mem_en_o),
    .mem_we_o       (mem_we_o),
    .mem_addr_o     (mem_addr_o),
    .mem_wdata_o    (mem_wdata_o),
    .mem_wstrb_o    (mem_wstrb_o),
    .mem_rdata_i    (mem_rdata_i),
    .rom_en_o       (rom_en),
    .finisher_en_o  (finisher_en),
    .aclint_en_o    (aclint_en),
    .plic_en_o      (plic_en),
    .uart_en_o      (uart_en),
    .host_en_o      (host_en_o),
    .dev_we_o       (dev_we),
    .dev_addr_o     (dev_addr),
    .dev_size_o     (dev_size),
    .dev_wdata_o    (dev_wdata),
    .dev_wstrb_o    (dev_wstrb),
    // 0 from those not asked
    .dev_rdata_i    (rom_rdata | aclint_rdata | plic_rdata | uart_rdata | host_rdata_i),
    .dev_err_i      (rom_err | aclint_err | plic_err)
  );

  // ---------------------------------------------------------------------------------------------------------
  // Devices
  // ---------------------------------------------------------------------------------------------------------
  tally_bootrom #(
    .WORDS     (ROM_WORDS),
    .INIT_FILE (ROM_FILE)
  ) u_bootrom (
    .clk         (clk),
    .en_i        (rom_en),
    .we_i        (dev_we),
    .addr_i      (dev_addr[15:0]),
    .rdata_o     (rom_rdata),
    .err_o       (rom_err),
    .load_we_i   (rom_we_i),
    .load_addr_i (rom_addr_i),
    .load_data_i (rom_wdata_i)
  );

  tally_finisher u_finisher (
    .clk          (clk),
    .rst          (rst),
    .en_i         (finisher_en),
    .we_i         (dev_we),
    .addr_i       (dev_addr[11:0]),
    .wdata_i      (dev_wdata),
    .wstrb_i      (dev_wstrb),
    .exit_valid_o (exit_valid_o),
    .exit_kind_o  (exit_kind_o),
    .exit_code_o  (exit_code_o)
  );

  tally_aclint #(
    .NHARTS     (NHARTS),
    .TIME_RATIO (TIME_RATIO)
  ) u_aclint (
    .clk     (clk),
    .rst     (rst),
    .en_i    (aclint_en),
    .we_i    (dev_we),
    .addr_i  (dev_addr[15:0]),
    .size_i  (dev_size),
    .wdata_i (dev_wdata),
    .wstrb_i (dev_wstrb),
    .rdata_o (aclint_rdata),
    .err_o   (aclint_err),
    .time_o  (mtime),
    .msip_o  (msip),
    .mtip_o  (mtip)
  );

  wire uart_irq;
  tally_plic #(
    .NHARTS  (NHARTS),
    .SOURCES (IRQ_SOURCES),
    .WIRED   ({{(IRQ_SOURCES-UART_IRQ){1'b0}}, 1'b1, {(UART_IRQ-1){1'b0}}})
  ) u_plic (
    .clk     (clk),
    .rst     (rst),
    .en_i    (plic_en),
    .we_i    (dev_we),
    .addr_i  (dev_addr[22:0]),
    .size_i  (dev_size),
    .wdata_i (dev_wdata),
    .rdata_o (plic_rdata),
    .err_o   (plic_err),
    .irq_i   ({{(IRQ_SOURCES-UART_IRQ){1'b0}}, uart_irq, {(UART_IRQ-1){1'b0}}}),
    .ext_o   (ext)
  );

  tally_uart u_uart (
    .clk        (clk),
    .rst        (rst),
    .en_i       (uart_en),
    .we_i       (dev_we),
    .addr_i     (dev_addr[7:0]),
    .wdata_i    (dev_wdata),
    .rdata_o    (uart_rdata),
    .irq_o      (uart_irq),
    .tx_valid_o (uart_tx_valid_o),
    .tx_ready_i (uart_tx_ready_i),
    .tx_data_o  (uart_tx_data_o),
    .rx_valid_i (uart_rx_valid_i),
    .rx_ready_o (uart_rx_ready_o),
    .rx_data_i  (uart_rx_data_i)
  );

  assign host_we_o    = dev_we;
  assign host_addr_o  = dev_addr[12:0];
  assign host_size_o  = dev_size;
  assign host_wdata_o = dev_wdata;

  wire _unused = &{1'b0, dev_addr[27:23]};
endmodule

`default_nettype wire
