// SPDX-License-Identifier: Apache-2.0
// host_serv - SERV with the unit, whose interrupt is SERV's only one, the timer's. The core is PyPI's
// pythondata-cpu-serv, built with RISCV_FORMAL for its RVFI.

`default_nettype none

module host_serv #(
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
  wire        code_cyc, code_ack, cyc, we, ack, irq, rvfi_halt;
  wire [31:0] code_adr, code_dat, adr, dat, rdt;
  wire [3:0]  sel, rvfi_mem_wmask;
  wire [63:0] rvfi_order;
  wire [1:0]  rvfi_mode, rvfi_ixl;

  // The core's other ports (debug, coprocessor, traces) are open: they are not used here.
  /* verilator lint_off PINMISSING */
  serv_rf_top u_core (
      .clk(clk), .i_rst(rst), .i_timer_irq(irq), .o_ibus_adr(code_adr), .o_ibus_cyc(code_cyc),
      .i_ibus_rdt(code_dat),
      .i_ibus_ack(code_ack), .o_dbus_adr(adr), .o_dbus_dat(dat), .o_dbus_sel(sel), .o_dbus_we(we),
      .o_dbus_cyc(cyc),
      .i_dbus_rdt(rdt), .i_dbus_ack(ack), .i_ext_rd(32'd0), .i_ext_ready(1'b0), .rvfi_valid(rvfi_valid),
      .rvfi_order(rvfi_order), .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap), .rvfi_halt(rvfi_halt),
      .rvfi_intr(rvfi_intr), .rvfi_mode(rvfi_mode), .rvfi_ixl(rvfi_ixl), .rvfi_pc_rdata(rvfi_pc_rdata),
      .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_wmask(rvfi_mem_wmask)
  );
  host_soc #(.TALLY(TALLY)) u_soc (
      .clk(clk), .rst(rst), .mem_valid_i(cyc), .mem_addr_i(adr), .mem_wdata_i(dat),
      .mem_wstrb_i(sel & {4{we}}),
      .mem_ready_o(ack), .mem_rdata_o(rdt), .code_valid_i(code_cyc), .code_addr_i(code_adr),
      .code_ready_o(code_ack),
      .code_rdata_o(code_dat), .rvfi_valid_i(rvfi_valid), .rvfi_order_i(rvfi_order), .rvfi_insn_i(rvfi_insn),
      .rvfi_trap_i(rvfi_trap), .rvfi_halt_i(rvfi_halt), .rvfi_intr_i(rvfi_intr), .rvfi_mode_i(rvfi_mode),
      .rvfi_ixl_i(rvfi_ixl), .rvfi_pc_rdata_i(rvfi_pc_rdata), .rvfi_pc_wdata_i(rvfi_pc_wdata),
      .rvfi_mem_wmask_i(rvfi_mem_wmask), .irq_o(irq), .write_o(write_o), .device_o(device_o),
      .wdata_o(wdata_o),
      .broken_o(broken_o)
  );
  /* verilator lint_on PINMISSING */
endmodule

`default_nettype wire
