// SPDX-License-Identifier: Apache-2.0
// host_soc - what every example host has around its core: RAM, UART, finisher, and the unit, fed by RVFI and
// on Wishbone.
//
// A port for data (and code, of a core with one bus) and one for code; a word is answered in the next cycle,
// a register of the unit some cycles later. For simulation: the harness takes characters, results and the
// exit from ports.
//
//   0000_0000  RAM, 256 KiB, from the file +image=
//   1000_0000  write: a character          1000_0004  write: exit status
//   1000_0008  write: event of a result    1000_000C  write: its count (the harness has its own)
//   1000_0010  write: start of a memory dump   1000_0014  write: its bytes
//   2000_0000  tally_pmu_bus

`default_nettype none

module host_soc #(
    parameter TALLY = 1               // 0: without the unit, to see what it costs; 2: without RVFI's checker
) (
    input  wire        clk,
    input  wire        rst,

    input  wire        mem_valid_i,   // held until mem_ready_o
    input  wire [31:0] mem_addr_i,
    input  wire [31:0] mem_wdata_i,
    input  wire [3:0]  mem_wstrb_i,   // 0: a read
    output wire        mem_ready_o,   // one cycle
    output wire        mem_error_o,
    output wire [31:0] mem_rdata_o,
    input  wire        code_valid_i,
    input  wire [31:0] code_addr_i,
    output wire        code_ready_o,
    output wire [31:0] code_rdata_o,

    input  wire        rvfi_valid_i,
    input  wire [63:0] rvfi_order_i,
    input  wire [31:0] rvfi_insn_i,
    input  wire        rvfi_trap_i,
    input  wire        rvfi_halt_i,
    input  wire        rvfi_intr_i,
    input  wire [1:0]  rvfi_mode_i,
    input  wire [1:0]  rvfi_ixl_i,
    input  wire [31:0] rvfi_pc_rdata_i,
    input  wire [31:0] rvfi_pc_wdata_i,
    input  wire [3:0]  rvfi_mem_wmask_i,
    output wire        irq_o,

    output wire        write_o,       // a device register is written: number, data
    output wire [2:0]  device_o,
    output wire [31:0] wdata_o,
    output wire [7:0]  broken_o       // rules of RVFI that were broken
);
  // ---- RAM and devices answer in the next cycle
  wire       unit   = mem_addr_i[31:28] == 4'd2;
  wire       take   = mem_valid_i & ~ready_q & ~unit;
  wire       in_ram = mem_addr_i[31:28] == 4'd0;
  reg         ready_q, code_ready_q;
  wire [31:0] ram_rdata;
  host_ram u_ram (
      .clk(clk), .read_i(take), .write_i(mem_wstrb_i & {4{take & in_ram}}), .addr_i(mem_addr_i[17:2]),
      .wdata_i(mem_wdata_i), .rdata_o(ram_rdata), .code_read_i(code_valid_i), .code_addr_i(code_addr_i[17:2]),
      .code_rdata_o(code_rdata_o)
  );
  always @(posedge clk) begin
    ready_q      <= ~rst & take;
    code_ready_q <= ~rst & code_valid_i & ~code_ready_q;
  end
  assign write_o  = take & mem_addr_i[31:28] == 4'd1 & |mem_wstrb_i;
  assign device_o = mem_addr_i[4:2];
  assign wdata_o  = mem_wdata_i;

  // ---- the unit
  wire        ack, err;
  wire [31:0] unit_rdata;
  generate
    if (TALLY != 0) begin : g_tally
      wire        req_valid, req_write, req_word, rsp_valid, rsp_error;
      wire [18:2] req_addr;
      wire [31:0] req_wdata, rsp_rdata;
      wire        write_valid;          // there are no records
      wire [31:2] write_addr;
      wire [31:0] write_data;
      tally_bus_wb u_front (
          .wb_cyc_i(mem_valid_i & unit), .wb_stb_i(mem_valid_i & unit), .wb_we_i(|mem_wstrb_i),
          .wb_adr_i(mem_addr_i[18:2]), .wb_sel_i(mem_wstrb_i | {4{mem_wstrb_i == 4'd0}}),
          .wb_dat_i(mem_wdata_i),
          .wb_ack_o(ack), .wb_err_o(err), .wb_dat_o(unit_rdata),
          .req_valid_o(req_valid), .req_write_o(req_write), .req_word_o(req_word), .req_addr_o(req_addr),
          .req_wdata_o(req_wdata), .rsp_valid_i(rsp_valid), .rsp_error_i(rsp_error), .rsp_rdata_i(rsp_rdata)
      );
      tally_pmu_lite #(.CHECK(TALLY == 1)) u_lite (
          .clk(clk), .rst(rst), .rvfi_valid_i(rvfi_valid_i), .rvfi_order_i(rvfi_order_i),
          .rvfi_insn_i(rvfi_insn_i),
          .rvfi_trap_i(rvfi_trap_i), .rvfi_halt_i(rvfi_halt_i), .rvfi_intr_i(rvfi_intr_i),
          .rvfi_mode_i(rvfi_mode_i),
          .rvfi_ixl_i(rvfi_ixl_i), .rvfi_pc_rdata_i(rvfi_pc_rdata_i), .rvfi_pc_wdata_i(rvfi_pc_wdata_i),
          .rvfi_mem_addr_i(32'd0), .rvfi_mem_rmask_i(4'd0), .rvfi_mem_wmask_i(rvfi_mem_wmask_i),
          .halted_i(1'b0), .events_i(12'd0),
          .req_valid_i(req_valid), .req_write_i(req_write), .req_word_i(req_word), .req_addr_i(req_addr),
          .req_wdata_i(req_wdata), .rsp_valid_o(rsp_valid), .rsp_error_o(rsp_error), .rsp_rdata_o(rsp_rdata),
          .write_valid_o(write_valid), .write_addr_o(write_addr), .write_data_o(write_data),
          .write_done_i(1'b0), .write_error_i(1'b0), .irq_o(irq_o), .broken_seen_o(broken_o)
      );
    end else begin : g_none
      assign {irq_o, broken_o, ack, err, unit_rdata} = {1'b0, 8'd0, mem_valid_i & unit & ~ready_q, 1'b0,
          32'd0};
    end
  endgenerate

  assign mem_ready_o  = ready_q | ack | err;
  assign mem_error_o  = err;
  assign mem_rdata_o  = ready_q ? ram_rdata : unit_rdata;
  assign code_ready_o = code_ready_q;
endmodule

`default_nettype wire
