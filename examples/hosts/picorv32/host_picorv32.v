// SPDX-License-Identifier: Apache-2.0
// host_picorv32 - PicoRV32 with the unit: interrupt 3 is the unit's. The core is PyPI's pythondata-cpu-
// picorv32, built with RISCV_FORMAL for its RVFI.

`default_nettype none

module host_picorv32 #(
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
  wire        mem_valid, mem_ready, irq, rvfi_halt;
  wire [31:0] mem_addr, mem_wdata, mem_rdata;
  wire [3:0]  mem_wstrb, rvfi_mem_wmask;
  wire [63:0] rvfi_order;
  wire [1:0]  rvfi_mode, rvfi_ixl;

  // The core's other ports (debug, coprocessor, traces) are open: they are not used here.
  /* verilator lint_off PINMISSING */
  picorv32 #(
      .ENABLE_IRQ(1), .ENABLE_MUL(1), .ENABLE_DIV(1), .COMPRESSED_ISA(1), .LATCHED_IRQ(32'hFFFF_FFF7),
      .ENABLE_IRQ_TIMER(0)
  ) u_core (
      .clk(clk), .resetn(~rst), .mem_valid(mem_valid), .mem_ready(mem_ready), .mem_addr(mem_addr),
      .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb), .mem_rdata(mem_rdata), .pcpi_wr(1'b0), .pcpi_rd(32'd0),
      .pcpi_wait(1'b0), .pcpi_ready(1'b0), .irq({28'd0, irq, 3'd0}), .rvfi_valid(rvfi_valid),
      .rvfi_order(rvfi_order), .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap), .rvfi_halt(rvfi_halt),
      .rvfi_intr(rvfi_intr), .rvfi_mode(rvfi_mode), .rvfi_ixl(rvfi_ixl), .rvfi_pc_rdata(rvfi_pc_rdata),
      .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_wmask(rvfi_mem_wmask)
  );
  host_soc #(.TALLY(TALLY)) u_soc (
      .clk(clk), .rst(rst), .mem_valid_i(mem_valid), .mem_addr_i(mem_addr), .mem_wdata_i(mem_wdata),
      .mem_wstrb_i(mem_wstrb), .mem_ready_o(mem_ready), .mem_rdata_o(mem_rdata), .code_valid_i(1'b0),
      .code_addr_i(32'd0), .rvfi_valid_i(rvfi_valid), .rvfi_order_i(rvfi_order), .rvfi_insn_i(rvfi_insn),
      .rvfi_trap_i(rvfi_trap), .rvfi_halt_i(rvfi_halt), .rvfi_intr_i(rvfi_intr), .rvfi_mode_i(rvfi_mode),
      .rvfi_ixl_i(rvfi_ixl), .rvfi_pc_rdata_i(rvfi_pc_rdata), .rvfi_pc_wdata_i(rvfi_pc_wdata),
      .rvfi_mem_wmask_i(rvfi_mem_wmask), .irq_o(irq), .write_o(write_o), .device_o(device_o),
      .wdata_o(wdata_o),
      .broken_o(broken_o)
  );
  /* verilator lint_on PINMISSING */
endmodule

`default_nettype wire
