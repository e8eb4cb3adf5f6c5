// SPDX-License-Identifier: Apache-2.0
// tally_records_axil - tally_records as a master on AXI4-Lite: the write channels, one write at a time. There
// are no read channels.

`default_nettype none

module tally_records_axil #(
    parameter ADDR_W = 32
) (
    input  wire              clk,
    input  wire              rst,

    output wire              axil_awvalid_o,
    input  wire              axil_awready_i,
    output wire [ADDR_W-1:0] axil_awaddr_o,
    output wire [2:0]        axil_awprot_o,  // privileged data
    output wire              axil_wvalid_o,
    input  wire              axil_wready_i,
    output wire [31:0]       axil_wdata_o,
    output wire [3:0]        axil_wstrb_o,
    input  wire              axil_bvalid_i,
    output wire              axil_bready_o,
    input  wire [1:0]        axil_bresp_i,

    // tally_records
    input  wire              write_valid_i,
    input  wire [ADDR_W-1:2] write_addr_i,
    input  wire [31:0]       write_data_i,
    output wire              write_done_o,
    output wire              write_error_o
);
  reg addressed_q, sent_q;                  // address, data are taken
  always @(posedge clk) begin
    addressed_q <= ~rst & ~write_done_o & (addressed_q | axil_awvalid_o & axil_awready_i);
    sent_q      <= ~rst & ~write_done_o & (sent_q | axil_wvalid_o & axil_wready_i);
  end

  assign axil_awvalid_o = write_valid_i & ~addressed_q;
  assign axil_awaddr_o  = {write_addr_i, 2'd0};
  assign axil_awprot_o  = 3'd1;
  assign axil_wvalid_o  = write_valid_i & ~sent_q;
  assign axil_wdata_o   = write_data_i;
  assign axil_wstrb_o   = 4'hF;
  assign axil_bready_o  = addressed_q & sent_q;
  assign write_done_o   = axil_bready_o & axil_bvalid_i;
  assign write_error_o  = axil_bresp_i[1];

  wire unused_ok = &{1'b0, axil_bresp_i[0]};
endmodule

`default_nettype wire
