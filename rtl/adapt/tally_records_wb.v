// SPDX-License-Identifier: Apache-2.0
// tally_records_wb - tally_records as a master on Wishbone B4, standard mode. It only writes.

`default_nettype none

module tally_records_wb #(
    parameter ADDR_W = 32
) (
    output wire              wb_cyc_o,
    output wire              wb_stb_o,
    output wire              wb_we_o,
    output wire [ADDR_W-1:2] wb_adr_o,
    output wire [3:0]        wb_sel_o,
    output wire [31:0]       wb_dat_o,
    input  wire              wb_ack_i,
    input  wire              wb_err_i,

    // tally_records
    input  wire              write_valid_i,
    input  wire [ADDR_W-1:2] write_addr_i,
    input  wire [31:0]       write_data_i,
    output wire              write_done_o,
    output wire              write_error_o
);
  assign wb_cyc_o      = write_valid_i;
  assign wb_stb_o      = write_valid_i;
  assign wb_we_o       = 1'b1;
  assign wb_adr_o      = write_addr_i;
  assign wb_sel_o      = 4'hF;
  assign wb_dat_o      = write_data_i;
  assign write_done_o  = write_valid_i & (wb_ack_i | wb_err_i);
  assign write_error_o = wb_err_i;
endmodule

`default_nettype wire
