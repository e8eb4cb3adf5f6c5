// SPDX-License-Identifier: Apache-2.0
// tally_bus_apb - APB4 to tally_pmu_bus. Nothing is between request and response but the answer's registers.

`default_nettype none

module tally_bus_apb (
    input  wire        apb_psel_i,
    input  wire        apb_penable_i,
    input  wire        apb_pwrite_i,
    input  wire [18:0] apb_paddr_i,
    input  wire [3:0]  apb_pstrb_i,    // all ones from an APB3 host
    input  wire [31:0] apb_pwdata_i,
    output wire        apb_pready_o,
    output wire        apb_pslverr_o,
    output wire [31:0] apb_prdata_o,

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
  assign req_valid_o   = apb_psel_i & apb_penable_i;
  assign req_write_o   = apb_pwrite_i;
  assign req_word_o    = (&apb_pstrb_i | ~apb_pwrite_i) & apb_paddr_i[1:0] == 2'd0;
  assign req_addr_o    = apb_paddr_i[18:2];
  assign req_wdata_o   = apb_pwdata_i;
  assign apb_pready_o  = rsp_valid_i;
  assign apb_pslverr_o = rsp_valid_i & rsp_error_i;
  assign apb_prdata_o  = rsp_rdata_i;
endmodule

`default_nettype wire
