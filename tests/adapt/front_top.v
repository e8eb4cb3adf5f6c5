// SPDX-License-Identifier: Apache-2.0
// front_top - tally_pmu_lite behind one front, for fronts.py, where no instruction retires, and rules.py:
// FRONT 0 AXI4-Lite, 1 Wishbone, 2 APB.

`timescale 1ns/1ns
`default_nettype none

module front_top #(
    parameter XLEN  = 32,
    parameter FRONT = 0,
    parameter WINDOWS = 3,
    parameter ALIASES = 1,
    parameter COUNTER_RAM = 1,
    parameter CHECK = 0
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        axil_awvalid,
    output wire        axil_awready,
    input  wire [18:0] axil_awaddr,
    input  wire [2:0]  axil_awprot,
    input  wire        axil_wvalid,
    output wire        axil_wready,
    input  wire [31:0] axil_wdata,
    input  wire [3:0]  axil_wstrb,
    output wire        axil_bvalid,
    input  wire        axil_bready,
    output wire [1:0]  axil_bresp,
    input  wire        axil_arvalid,
    output wire        axil_arready,
    input  wire [18:0] axil_araddr,
    input  wire [2:0]  axil_arprot,
    output wire        axil_rvalid,
    input  wire        axil_rready,
    output wire [31:0] axil_rdata,
    output wire [1:0]  axil_rresp,
    input  wire        wb_cyc,
    input  wire        wb_stb,
    input  wire        wb_we,
    input  wire [16:0] wb_adr,
    input  wire [3:0]  wb_sel,
    input  wire [31:0] wb_datwr,
    output wire        wb_ack,
    output wire        wb_err,
    output wire [31:0] wb_datrd,
    input  wire        apb_psel,
    input  wire        apb_penable,
    input  wire        apb_pwrite,
    input  wire [18:0] apb_paddr,
    input  wire [3:0]  apb_pstrb,
    input  wire [31:0] apb_pwdata,
    output wire        apb_pready,
    output wire        apb_pslverr,
    output wire [31:0] apb_prdata,
    input  wire            rvfi_valid,
    input  wire [63:0]     rvfi_order,
    input  wire [31:0]     rvfi_insn,
    input  wire            rvfi_trap,
    input  wire            rvfi_halt,
    input  wire            rvfi_intr,
    input  wire [1:0]      rvfi_mode,
    input  wire [1:0]      rvfi_ixl,
    input  wire [XLEN-1:0] rvfi_pc,
    input  wire [XLEN-1:0] rvfi_next,
    input  wire [XLEN/8-1:0] rvfi_wmask,
    output wire        irq,
    // the request port, and tally_rvfi_check: rules broken in this cycle, the lowest one's name, all so far
    output wire        asks,
    output wire        answers,
    output wire [7:0]  broken,
    output wire [39:0] broken_rule,
    output wire [7:0]  broken_seen
);
  wire        req_valid, req_write, req_word, rsp_valid, rsp_error;
  wire [18:2] req_addr;
  wire [31:0] req_wdata, rsp_rdata;
  wire        write_valid;   // there are no records
  wire [31:2] write_addr;
  wire [31:0] write_data;

  generate
    if (FRONT == 0) begin : g_axil
      tally_bus_axil u_front (
          .clk(clk), .rst(rst), .axil_awvalid_i(axil_awvalid), .axil_awready_o(axil_awready),
          .axil_awaddr_i(axil_awaddr), .axil_wvalid_i(axil_wvalid), .axil_wready_o(axil_wready),
          .axil_wdata_i(axil_wdata), .axil_wstrb_i(axil_wstrb), .axil_bvalid_o(axil_bvalid),
          .axil_bready_i(axil_bready), .axil_bresp_o(axil_bresp), .axil_arvalid_i(axil_arvalid),
          .axil_arready_o(axil_arready), .axil_araddr_i(axil_araddr), .axil_rvalid_o(axil_rvalid),
          .axil_rready_i(axil_rready), .axil_rdata_o(axil_rdata), .axil_rresp_o(axil_rresp),
          .req_valid_o(req_valid), .req_write_o(req_write), .req_word_o(req_word), .req_addr_o(req_addr),
          .req_wdata_o(req_wdata), .rsp_valid_i(rsp_valid), .rsp_error_i(rsp_error), .rsp_rdata_i(rsp_rdata)
      );
    end else if (FRONT == 1) begin : g_wb
      tally_bus_wb u_front (
          .wb_cyc_i(wb_cyc), .wb_stb_i(wb_stb), .wb_we_i(wb_we), .wb_adr_i(wb_adr), .wb_sel_i(wb_sel),
          .wb_dat_i(wb_datwr), .wb_ack_o(wb_ack), .wb_err_o(wb_err), .wb_dat_o(wb_datrd),
          .req_valid_o(req_valid), .req_write_o(req_write), .req_word_o(req_word), .req_addr_o(req_addr),
          .req_wdata_o(req_wdata), .rsp_valid_i(rsp_valid), .rsp_error_i(rsp_error), .rsp_rdata_i(rsp_rdata)
      );
    end else begin : g_apb
      tally_bus_apb u_front (
          .apb_psel_i(apb_psel), .apb_penable_i(apb_penable), .apb_pwrite_i(apb_pwrite),
          .apb_paddr_i(apb_paddr), .apb_pstrb_i(apb_pstrb), .apb_pwdata_i(apb_pwdata),
          .apb_pready_o(apb_pready), .apb_pslverr_o(apb_pslverr), .apb_prdata_o(apb_prdata),
          .req_valid_o(req_valid), .req_write_o(req_write), .req_word_o(req_word), .req_addr_o(req_addr),
          .req_wdata_o(req_wdata), .rsp_valid_i(rsp_valid), .rsp_error_i(rsp_error), .rsp_rdata_i(rsp_rdata)
      );
    end
  endgenerate

  tally_pmu_lite #(
      .XLEN(XLEN), .WINDOWS(WINDOWS), .ALIASES(ALIASES), .COUNTER_RAM(COUNTER_RAM), .CHECK(CHECK)
  ) u_lite (
      .clk(clk), .rst(rst), .rvfi_valid_i(rvfi_valid), .rvfi_order_i(rvfi_order), .rvfi_insn_i(rvfi_insn),
      .rvfi_trap_i(rvfi_trap), .rvfi_halt_i(rvfi_halt), .rvfi_intr_i(rvfi_intr), .rvfi_mode_i(rvfi_mode),
      .rvfi_ixl_i(rvfi_ixl), .rvfi_pc_rdata_i(rvfi_pc), .rvfi_pc_wdata_i(rvfi_next),
      .rvfi_mem_addr_i({XLEN{1'b0}}), .rvfi_mem_rmask_i({XLEN / 8{1'b0}}), .rvfi_mem_wmask_i(rvfi_wmask),
      .halted_i(1'b0), .events_i(12'd0), .req_valid_i(req_valid), .req_write_i(req_write),
      .req_word_i(req_word), .req_addr_i(req_addr), .req_wdata_i(req_wdata), .rsp_valid_o(rsp_valid),
      .rsp_error_o(rsp_error), .rsp_rdata_o(rsp_rdata), .write_valid_o(write_valid),
      .write_addr_o(write_addr), .write_data_o(write_data), .write_done_i(1'b0), .write_error_i(1'b0),
      .irq_o(irq), .broken_seen_o(broken_seen)
  );
  assign asks        = req_valid;
  assign answers     = rsp_valid;
  assign broken      = u_lite.broken;
  assign broken_rule = u_lite.broken_rule;
endmodule

`default_nettype wire
