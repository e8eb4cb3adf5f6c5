// SPDX-License-Identifier: Apache-2.0
// tally_bus_axil - AXI4-Lite to tally_pmu_bus.
//
// Address and data are taken in the cycle of the answer, which then waits in registers for the host. All
// outputs are registers, or gates of a few of them. Reads and writes take turns.

`default_nettype none

module tally_bus_axil (
    input  wire        clk,
    input  wire        rst,

    input  wire        axil_awvalid_i,
    output wire        axil_awready_o,
    input  wire [18:0] axil_awaddr_i,
    input  wire        axil_wvalid_i,
    output wire        axil_wready_o,
    input  wire [31:0] axil_wdata_i,
    input  wire [3:0]  axil_wstrb_i,
    output wire        axil_bvalid_o,
    input  wire        axil_bready_i,
    output wire [1:0]  axil_bresp_o,
    input  wire        axil_arvalid_i,
    output wire        axil_arready_o,
    input  wire [18:0] axil_araddr_i,
    output wire        axil_rvalid_o,
    input  wire        axil_rready_i,
    output wire [31:0] axil_rdata_o,
    output wire [1:0]  axil_rresp_o,

    // tally_pmu_bus
    output wire        req_valid_o,
    output wire        req_write_o,
    output wire        req_word_o,
    output wire [18:2] req_addr_o,
    output wire [31:0] req_wdata_o,
    input  wire        rsp_valid_i,
    input  wire        rsp_error_i,
    input  wire [31:0] rsp_rdata_i
);
  localparam [1:0] OKAY = 2'd0, SLVERR = 2'd2;

  // ---- which of both is served, and the answer
  reg         busy_q, write_q, bvalid_q, rvalid_q, error_q;
  reg  [31:0] rdata_q;
  wire        ready_write = axil_awvalid_i & axil_wvalid_i & ~bvalid_q;
  wire        ready_read  = axil_arvalid_i & ~rvalid_q;
  always @(posedge clk) begin
    if (!busy_q) begin
      busy_q  <= ready_write | ready_read;
      write_q <= write_q ? ready_write & ~ready_read : ready_write;
    end else if (rsp_valid_i) busy_q <= 1'b0;
    bvalid_q <= rsp_valid_i & write_q | bvalid_q & ~axil_bready_i;
    rvalid_q <= rsp_valid_i & ~write_q | rvalid_q & ~axil_rready_i;
    if (rsp_valid_i & write_q) error_q <= rsp_error_i;
    if (rst) {busy_q, write_q, bvalid_q, rvalid_q} <= 4'd0;
  end
  // the answer to a read is not that to a write: either may wait
  reg rerror_q;
  always @(posedge clk) if (rsp_valid_i & ~write_q) {rerror_q, rdata_q} <= {rsp_error_i, rsp_rdata_i};

  wire [18:0] addr   = write_q ? axil_awaddr_i : axil_araddr_i;
  assign req_valid_o = busy_q;
  assign req_write_o = write_q;
  assign req_word_o  = (&axil_wstrb_i | ~write_q) & addr[1:0] == 2'd0;
  assign req_addr_o  = addr[18:2];
  assign req_wdata_o = axil_wdata_i;

  assign axil_awready_o = rsp_valid_i & write_q;
  assign axil_wready_o  = rsp_valid_i & write_q;
  assign axil_arready_o = rsp_valid_i & ~write_q;
  assign axil_bvalid_o  = bvalid_q;
  assign axil_bresp_o   = error_q ? SLVERR : OKAY;
  assign axil_rvalid_o  = rvalid_q;
  assign axil_rdata_o   = rdata_q;
  assign axil_rresp_o   = rerror_q ? SLVERR : OKAY;
endmodule

`default_nettype wire
