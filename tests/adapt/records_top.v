// SPDX-License-Identifier: Apache-2.0
// records_top - tally_pmu_lite with sampling, whose records leave on a bus, for records.py: FRONT 0
// AXI4-Lite, 1 Wishbone, 2 APB. Registers at the request port.

`timescale 1ns/1ns
`default_nettype none

module records_top #(
    parameter FRONT = 0,
    parameter XLEN  = 32
) (
    input  wire            clk,
    input  wire            rst,
    input  wire            rvfi_valid,
    input  wire [31:0]     rvfi_insn,
    input  wire            rvfi_trap,
    input  wire [XLEN-1:0] rvfi_pc,
    input  wire [XLEN-1:0] rvfi_next,
    input  wire [XLEN-1:0] rvfi_addr,
    input  wire            req_valid,
    input  wire            req_write,
    input  wire [18:2]     req_addr,
    input  wire [31:0]     req_wdata,
    output wire            rsp_valid,
    output wire            rsp_error,
    output wire [31:0]     rsp_rdata,
    output wire            irq,
    output wire            axil_awvalid,
    input  wire            axil_awready,
    output wire [31:0]     axil_awaddr,
    output wire [2:0]      axil_awprot,
    output wire            axil_wvalid,
    input  wire            axil_wready,
    output wire [31:0]     axil_wdata,
    output wire [3:0]      axil_wstrb,
    input  wire            axil_bvalid,
    output wire            axil_bready,
    input  wire [1:0]      axil_bresp,
    output wire            wb_cyc,
    output wire            wb_stb,
    output wire            wb_we,
    output wire [31:2]     wb_adr,
    output wire [3:0]      wb_sel,
    output wire [31:0]     wb_dat,
    input  wire            wb_ack,
    input  wire            wb_err,
    output wire            apb_psel,
    output wire            apb_penable,
    output wire            apb_pwrite,
    output wire [31:0]     apb_paddr,
    output wire [2:0]      apb_pprot,
    output wire [3:0]      apb_pstrb,
    output wire [31:0]     apb_pwdata,
    input  wire [31:0]     apb_prdata,
    input  wire            apb_pready,
    input  wire            apb_pslverr,
    // the words as they leave the unit
    output wire            word_taken,
    output wire [55:0]     word_addr,
    output wire [63:0]     word_data
);
  wire        write_valid, write_done, write_error;
  wire [31:2] write_addr;
  wire [31:0] write_data;
  wire [7:0]  broken;
  // a trapping instruction accesses no memory
  wire        amo   = rvfi_insn[6:0] == 7'h2F;
  wire        load  = (rvfi_insn[6:0] == 7'h03 | amo) & ~rvfi_trap;
  wire        store = (rvfi_insn[6:0] == 7'h23 | amo) & ~rvfi_trap;
  tally_pmu_lite #(.XLEN(XLEN), .SMPDIS(1)) u_lite (
      .clk(clk), .rst(rst), .rvfi_valid_i(rvfi_valid), .rvfi_order_i(64'd0), .rvfi_insn_i(rvfi_insn),
      .rvfi_trap_i(rvfi_trap), .rvfi_halt_i(1'b0), .rvfi_intr_i(1'b0), .rvfi_mode_i(2'd3), .rvfi_ixl_i(2'd1),
      .rvfi_pc_rdata_i(rvfi_pc), .rvfi_pc_wdata_i(rvfi_next), .rvfi_mem_addr_i(rvfi_addr),
      .rvfi_mem_rmask_i({XLEN / 8{load}}), .rvfi_mem_wmask_i({XLEN / 8{store}}), .halted_i(1'b0),
      .events_i(12'd0), .req_valid_i(req_valid), .req_write_i(req_write), .req_word_i(1'b1),
      .req_addr_i(req_addr), .req_wdata_i(req_wdata), .rsp_valid_o(rsp_valid), .rsp_error_o(rsp_error),
      .rsp_rdata_o(rsp_rdata), .write_valid_o(write_valid), .write_addr_o(write_addr),
      .write_data_o(write_data), .write_done_i(write_done), .write_error_i(write_error), .irq_o(irq),
      .broken_seen_o(broken)
  );
  assign word_taken = u_lite.rec_valid & u_lite.rec_ready;
  assign word_addr  = u_lite.rec_addr;
  assign word_data  = u_lite.rec_data;

  generate
    if (FRONT == 0) begin : g_axil
      tally_records_axil u_front (
          .clk(clk), .rst(rst), .axil_awvalid_o(axil_awvalid), .axil_awready_i(axil_awready),
          .axil_awaddr_o(axil_awaddr), .axil_awprot_o(axil_awprot), .axil_wvalid_o(axil_wvalid),
          .axil_wready_i(axil_wready), .axil_wdata_o(axil_wdata), .axil_wstrb_o(axil_wstrb),
          .axil_bvalid_i(axil_bvalid), .axil_bready_o(axil_bready), .axil_bresp_i(axil_bresp),
          .write_valid_i(write_valid), .write_addr_i(write_addr), .write_data_i(write_data),
          .write_done_o(write_done), .write_error_o(write_error)
      );
    end else if (FRONT == 1) begin : g_wb
      tally_records_wb u_front (
          .wb_cyc_o(wb_cyc), .wb_stb_o(wb_stb), .wb_we_o(wb_we), .wb_adr_o(wb_adr), .wb_sel_o(wb_sel),
          .wb_dat_o(wb_dat), .wb_ack_i(wb_ack), .wb_err_i(wb_err), .write_valid_i(write_valid),
          .write_addr_i(write_addr), .write_data_i(write_data), .write_done_o(write_done),
          .write_error_o(write_error)
      );
    end else begin : g_apb
      tally_records_apb u_front (
          .clk(clk), .rst(rst), .apb_psel_o(apb_psel), .apb_penable_o(apb_penable), .apb_pwrite_o(apb_pwrite),
          .apb_paddr_o(apb_paddr), .apb_pprot_o(apb_pprot), .apb_pstrb_o(apb_pstrb),
          .apb_pwdata_o(apb_pwdata), .apb_pready_i(apb_pready), .apb_pslverr_i(apb_pslverr),
          .write_valid_i(write_valid), .write_addr_i(write_addr), .write_data_i(write_data),
          .write_done_o(write_done), .write_error_o(write_error)
      );
    end
  endgenerate
endmodule

`default_nettype wire
