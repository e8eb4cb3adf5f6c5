// SPDX-License-Identifier: Apache-2.0
// tally_records_apb - tally_records as a master on APB4. It only writes.

`default_nettype none

module tally_records_apb #(
    parameter ADDR_W = 32
) (
    input  wire              clk,
    input  wire              rst,

    output wire              apb_psel_o,
    output wire              apb_penable_o,
    output wire              apb_pwrite_o,
    output wire [ADDR_W-1:0] apb_paddr_o,
    output wire [2:0]        apb_pprot_o,   // privileged data
    output wire [3:0]        apb_pstrb_o,
    output wire [31:0]       apb_pwdata_o,
    input  wire              apb_pready_i,
    input  wire              apb_pslverr_i,

    // tally_records
    input  wire              write_valid_i,
    input  wire [ADDR_W-1:2] write_addr_i,
    input  wire [31:0]       write_data_i,
    output wire              write_done_o,
    output wire              write_error_o
);
  reg enable_q;                             // set-up was the cycle before
  always @(posedge clk) enable_q <= ~rst & write_valid_i & ~write_done_o;

  assign apb_psel_o    = write_valid_i;
  assign apb_penable_o = enable_q;
  assign apb_pwrite_o  = 1'b1;
  assign apb_paddr_o   = {write_addr_i, 2'd0};
  assign apb_pprot_o   = 3'd1;
  assign apb_pstrb_o   = 4'hF;
  assign apb_pwdata_o  = write_data_i;
  assign write_done_o  = enable_q & apb_pready_i;
  assign write_error_o = apb_pslverr_i;
endmodule

`default_nettype wire
