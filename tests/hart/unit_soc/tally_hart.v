// SPDX-License-Identifier: Apache-2.0
// tally_hart - stub of the hart in the machine's unit test: the test program drives and reads its bus port.
//
// Simulation only. The registers are written from C++ between clock edges.

`default_nettype none

module tally_hart #(
    parameter HARTID        = 0,
    parameter MEM_W         = 36,  // these of the real one, and its sizes
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
    parameter SMEPMP        = 1,
    parameter HPM_N         = 29,
    parameter SSPESA        = 0,
    parameter SMPDIS        = 0,
    parameter EBB           = 0,
    parameter COUNTER_RAM   = 0
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [55:0] ram_size_i,
    input  wire        irq_msip_i,
    input  wire        irq_mtip_i,
    input  wire        irq_meip_i,
    input  wire        irq_seip_i,
    input  wire [63:0] time_i,

    output wire        req_valid_o,
    input  wire        req_ready_i,
    output wire [2:0]  req_op_o,
    output wire [55:0] req_addr_o,
    output wire [1:0]  req_size_o,
    output wire [63:0] req_wdata_o,
    output wire [7:0]  req_wstrb_o,
    output wire [4:0]  req_f5_o,
    output wire [3:0]  req_id_o,
    output wire        lr_void_o,
    input  wire        rsp_valid_i,
    input  wire [3:0]  rsp_id_i,
    input  wire [63:0] rsp_data_i,
    input  wire        rsp_last_i,
    input  wire        rsp_err_i,
    input  wire        inv_valid_i,
    input  wire [55:6] inv_addr_i
);
  reg        valid /* verilator public_flat_rw */ = 1'b0;
  reg [2:0]  op    /* verilator public_flat_rw */;
  reg [55:0] addr  /* verilator public_flat_rw */;
  reg [1:0]  size  /* verilator public_flat_rw */;
  reg [63:0] wdata /* verilator public_flat_rw */;
  reg [7:0]  wstrb /* verilator public_flat_rw */;
  reg [4:0]  f5    /* verilator public_flat_rw */;
  reg [3:0]  id    /* verilator public_flat_rw */;
  reg        lr_void /* verilator public_flat_rw */ = 1'b0;

  assign req_valid_o = valid;
  assign req_op_o    = op;
  assign req_addr_o  = addr;
  assign req_size_o  = size;
  assign req_wdata_o = wdata;
  assign req_wstrb_o = wstrb;
  assign req_f5_o    = f5;
  assign req_id_o    = id;
  assign lr_void_o   = lr_void;

  wire        ready     /* verilator public_flat_rd */ = req_ready_i;
  wire        rsp       /* verilator public_flat_rd */ = rsp_valid_i;
  wire [3:0]  rsp_id    /* verilator public_flat_rd */ = rsp_id_i;
  wire [63:0] rsp_data  /* verilator public_flat_rd */ = rsp_data_i;
  wire        rsp_last  /* verilator public_flat_rd */ = rsp_last_i;
  wire        rsp_err   /* verilator public_flat_rd */ = rsp_err_i;
  wire        inv       /* verilator public_flat_rd */ = inv_valid_i;
  wire [49:0] inv_line  /* verilator public_flat_rd */ = inv_addr_i;
  wire [3:0]  irqs      /* verilator public_flat_rd */ = {irq_seip_i, irq_meip_i, irq_mtip_i, irq_msip_i};
  wire [63:0] mtime     /* verilator public_flat_rd */ = time_i;

  wire _unused = &{1'b0, clk, rst, ram_size_i, HARTID[0], MEM_W[0], TAG_W[0], BTB_ENTRIES[0],
                   BHT_ENTRIES[0], ITB_ENTRIES[0], RAS_ENTRIES[0], FQ_DEPTH[0],
                   ICACHE_WAYS[0], ICACHE_SETS[0],
                   ITLB_ENTRIES[0], DCACHE_WAYS[0], DCACHE_SETS[0], MSHRS[0], STQ_DEPTH[0],
                   DTLB_ENTRIES[0], L2TLB_ENTRIES[0], ZBA_ZBB[0], SMEPMP[0], HPM_N[0], SSPESA[0], SMPDIS[0],
                   EBB[0], COUNTER_RAM[0]};
endmodule

`default_nettype wire
