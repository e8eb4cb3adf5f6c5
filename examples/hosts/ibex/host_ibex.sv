// SPDX-License-Identifier: Apache-2.0
// host_ibex - Ibex with the unit, whose interrupt is number 18, irq_fast_i[2]. The core is PyPI's pythondata-cpu-ibex, built
// with RVFI. ibex_core and its register file, without ibex_top, which needs lowRISC's generator of primitives.

`default_nettype none

module host_ibex #(
    parameter TALLY = 1
) (
    input  wire        clk,
    input  wire        rst,
    output wire        write_o,
    output wire [2:0]  device_o,
    output wire [31:0] wdata_o,
    output wire [7:0]  broken_o,
    output wire        rvfi_valid,       // for the harness, too
    output wire        rvfi_trap,
    output wire        rvfi_intr,
    output wire [31:0] rvfi_insn,
    output wire [31:0] rvfi_pc_rdata,
    output wire [31:0] rvfi_pc_wdata
);
  import ibex_pkg::*;

  wire        code_req, code_ready, req, ready, error, we, irq, rvfi_halt, rf_we;
  wire [31:0] code_addr, code_rdata, addr, wdata, rdata, rf_a, rf_b, rf_w;
  wire [3:0]  be, rvfi_mem_wmask;
  wire [4:0]  rf_addr_a, rf_addr_b, rf_addr_w;
  wire [63:0] rvfi_order;
  wire [1:0]  rvfi_mode, rvfi_ixl;

  // granted in the cycle of the answer, which Ibex sees a cycle later
  reg         code_valid_q, valid_q, error_q;
  reg  [31:0] code_rdata_q, rdata_q;
  always @(posedge clk) begin
    {code_valid_q, valid_q, error_q} <= {code_ready & ~rst, ready & ~rst, error};
    {code_rdata_q, rdata_q}          <= {code_rdata, rdata};
  end

  // The core's other ports (debug, coprocessor, traces) are open: they are not used here.
  /* verilator lint_off PINMISSING */
  ibex_core u_core (
      .clk_i(clk), .rst_ni(~rst), .hart_id_i(32'd0), .boot_addr_i(32'd0),
      .instr_req_o(code_req), .instr_gnt_i(code_ready), .instr_rvalid_i(code_valid_q), .instr_addr_o(code_addr),
      .instr_rdata_i(code_rdata_q), .instr_err_i(1'b0), .data_req_o(req), .data_gnt_i(ready),
      .data_rvalid_i(valid_q), .data_we_o(we), .data_be_o(be), .data_addr_o(addr), .data_wdata_o(wdata),
      .data_rdata_i(rdata_q), .data_err_i(error_q), .rf_raddr_a_o(rf_addr_a), .rf_raddr_b_o(rf_addr_b),
      .rf_waddr_wb_o(rf_addr_w), .rf_we_wb_o(rf_we), .rf_wdata_wb_ecc_o(rf_w), .rf_rdata_a_ecc_i(rf_a),
      .rf_rdata_b_ecc_i(rf_b), .ic_tag_rdata_i('{default: '0}), .ic_data_rdata_i('{default: '0}),
      .ic_scr_key_valid_i(1'b0), .irq_software_i(1'b0), .irq_timer_i(1'b0), .irq_external_i(1'b0),
      .irq_fast_i({12'd0, irq, 2'd0}), .irq_nm_i(1'b0), .debug_req_i(1'b0), .fetch_enable_i(IbexMuBiOn),
      .rvfi_valid(rvfi_valid), .rvfi_order(rvfi_order), .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap),
      .rvfi_halt(rvfi_halt), .rvfi_intr(rvfi_intr), .rvfi_mode(rvfi_mode), .rvfi_ixl(rvfi_ixl),
      .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_wmask(rvfi_mem_wmask)
  );
  ibex_register_file_ff u_registers (
      .clk_i(clk), .rst_ni(~rst), .test_en_i(1'b0), .dummy_instr_id_i(1'b0), .dummy_instr_wb_i(1'b0),
      .raddr_a_i(rf_addr_a), .rdata_a_o(rf_a), .raddr_b_i(rf_addr_b), .rdata_b_o(rf_b), .waddr_a_i(rf_addr_w),
      .wdata_a_i(rf_w), .we_a_i(rf_we)
  );
  host_soc #(.TALLY(TALLY)) u_soc (
      .clk(clk), .rst(rst), .mem_valid_i(req), .mem_addr_i(addr), .mem_wdata_i(wdata), .mem_wstrb_i(be & {4{we}}),
      .mem_ready_o(ready), .mem_error_o(error), .mem_rdata_o(rdata), .code_valid_i(code_req), .code_addr_i(code_addr),
      .code_ready_o(code_ready), .code_rdata_o(code_rdata), .rvfi_valid_i(rvfi_valid), .rvfi_order_i(rvfi_order),
      .rvfi_insn_i(rvfi_insn), .rvfi_trap_i(rvfi_trap), .rvfi_halt_i(rvfi_halt), .rvfi_intr_i(rvfi_intr),
      .rvfi_mode_i(rvfi_mode), .rvfi_ixl_i(rvfi_ixl), .rvfi_pc_rdata_i(rvfi_pc_rdata),
      .rvfi_pc_wdata_i(rvfi_pc_wdata), .rvfi_mem_wmask_i(rvfi_mem_wmask), .irq_o(irq), .write_o(write_o),
      .device_o(device_o), .wdata_o(wdata_o), .broken_o(broken_o)
  );
  /* verilator lint_on PINMISSING */
endmodule

`default_nettype wire
