// SPDX-License-Identifier: Apache-2.0
// lite_top - tally_pmu_lite of an RV32 core on Wishbone, for area.py. docs/integration.md, In ten minutes,
// shows it.

`default_nettype none

module lite_top (
    input  wire        clk,
    input  wire        rst,
    input  wire        rvfi_valid_i,
    input  wire [31:0] rvfi_insn_i,
    input  wire        rvfi_trap_i,
    input  wire        rvfi_intr_i,
    input  wire [31:0] rvfi_pc_rdata_i,
    input  wire [31:0] rvfi_pc_wdata_i,
    input  wire [3:0]  rvfi_mem_wmask_i,
    input  wire        halted_i,
    input  wire [11:0] events_i,
    input  wire        wb_cyc_i,
    input  wire        wb_stb_i,
    input  wire        wb_we_i,
    input  wire [18:2] wb_adr_i,
    input  wire [3:0]  wb_sel_i,
    input  wire [31:0] wb_dat_i,
    output wire        wb_ack_o,
    output wire        wb_err_o,
    output wire [31:0] wb_dat_o,
    output wire        irq_o
);
  wire        req_valid, req_write, req_word, rsp_valid, rsp_error, write_valid;
  wire [18:2] req_addr;
  wire [31:0] req_wdata, rsp_rdata, write_data;
  wire [31:2] write_addr;
  wire [7:0]  broken;
  tally_bus_wb u_front (
      .wb_cyc_i(wb_cyc_i), .wb_stb_i(wb_stb_i), .wb_we_i(wb_we_i), .wb_adr_i(wb_adr_i), .wb_sel_i(wb_sel_i),
      .wb_dat_i(wb_dat_i), .wb_ack_o(wb_ack_o), .wb_err_o(wb_err_o), .wb_dat_o(wb_dat_o),
      .req_valid_o(req_valid), .req_write_o(req_write), .req_word_o(req_word), .req_addr_o(req_addr),
      .req_wdata_o(req_wdata), .rsp_valid_i(rsp_valid), .rsp_error_i(rsp_error), .rsp_rdata_i(rsp_rdata)
  );
  tally_pmu_lite u_lite (
      .clk(clk), .rst(rst), .rvfi_valid_i(rvfi_valid_i), .rvfi_order_i(64'd0), .rvfi_insn_i(rvfi_insn_i),
      .rvfi_trap_i(rvfi_trap_i), .rvfi_halt_i(1'b0), .rvfi_intr_i(rvfi_intr_i), .rvfi_mode_i(2'd3),
      .rvfi_ixl_i(2'd1), .rvfi_pc_rdata_i(rvfi_pc_rdata_i), .rvfi_pc_wdata_i(rvfi_pc_wdata_i),
      .rvfi_mem_addr_i(32'd0), .rvfi_mem_rmask_i(4'd0), .rvfi_mem_wmask_i(rvfi_mem_wmask_i),
      .halted_i(halted_i), .events_i(events_i), .req_valid_i(req_valid), .req_write_i(req_write),
      .req_word_i(req_word), .req_addr_i(req_addr), .req_wdata_i(req_wdata), .rsp_valid_o(rsp_valid),
      .rsp_error_o(rsp_error), .rsp_rdata_o(rsp_rdata), .write_valid_o(write_valid),
      .write_addr_o(write_addr), .write_data_o(write_data), .write_done_i(1'b0), .write_error_i(1'b0),
      .irq_o(irq_o), .broken_seen_o(broken)
  );
  wire unused_ok = &{1'b0, write_valid, write_addr, write_data, broken};
endmodule

`default_nettype wire
