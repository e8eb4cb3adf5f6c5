// SPDX-License-Identifier: Apache-2.0
// tally_bus_wb - Wishbone B4, standard mode, to tally_pmu_bus. Nothing is between request and response but
// the answer's registers. STB stays until ACK or ERR (Wishbone B4, 3.1.3); tally_pmu_bus says what becomes of
// a bus cycle that a watchdog ends before.

`default_nettype none

module tally_bus_wb (
    input  wire        wb_cyc_i,
    input  wire        wb_stb_i,
    input  wire        wb_we_i,
    input  wire [18:2] wb_adr_i,
    input  wire [3:0]  wb_sel_i,
    input  wire [31:0] wb_dat_i,
    output wire        wb_ack_o,
    output wire        wb_err_o,
    output wire [31:0] wb_dat_o,

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
  assign req_valid_o = wb_cyc_i & wb_stb_i;
  assign req_write_o = wb_we_i;
  assign req_word_o  = &wb_sel_i;
  assign req_addr_o  = wb_adr_i;
  assign req_wdata_o = wb_dat_i;
  assign wb_ack_o    = rsp_valid_i & ~rsp_error_i;
  assign wb_err_o    = rsp_valid_i & rsp_error_i;
  assign wb_dat_o    = rsp_rdata_i;
endmodule

`default_nettype wire
