// SPDX-License-Identifier: Apache-2.0
// tally_records - the sample records of tally_pmu as writes of 32 bits (docs/cores.md, Sample records on a
// bus). A front (tally_records_wb, _apb, _axil) makes them a master port.
//
// The buffer is M-mode's and its addresses are those of the bus. Each word of 64 bits is two writes, the low
// one first. It is taken, and done, in the cycle of the second answer, so nothing is stored here and no word
// is written before the one in front of it is there.
//
// An error of the bus loses that write. It also invalidates the unit's pages, and the next page request
// fails, which sets TF and raises its interrupt.

`default_nettype none

module tally_records #(
    parameter XLEN   = 32,
    parameter ADDR_W = 32                  // bits of a bus address, at most 56
) (
    input  wire              clk,
    input  wire              rst,

    // tally_pmu
    input  wire              rec_valid_i,
    output wire              rec_ready_o,
    input  wire [55:0]       rec_addr_i,
    input  wire [63:0]       rec_data_i,
    output wire              rec_done_o,
    input  wire              xlat_req_i,
    input  wire [XLEN-1:0]   xlat_vaddr_i,
    input  wire [1:0]        xlat_mode_i,
    output wire              xlat_done_o,
    output wire              xlat_fault_o,
    output wire [55:0]       xlat_paddr_o,
    output wire              tlb_inval_o,

    // a write, to a front: stable until it is done
    output wire              write_valid_o,
    output wire [ADDR_W-1:2] write_addr_o,
    output wire [31:0]       write_data_o,
    input  wire              write_done_i,  // only beside write_valid_o
    input  wire              write_error_i
);
  localparam [1:0] M = 2'd3;

  reg    high_q;
  always @(posedge clk) high_q <= ~rst & (high_q ^ write_done_i);

  assign write_valid_o = rec_valid_i;
  assign write_addr_o  = {rec_addr_i[ADDR_W-1:3], high_q};
  assign write_data_o  = high_q ? rec_data_i[63:32] : rec_data_i[31:0];
  assign rec_ready_o   = write_done_i & high_q;
  assign rec_done_o    = rec_ready_o;

  // ---- pages: physical, M-mode's, and of the bus
  wire [63:0] page = {{64 - XLEN{1'b0}}, xlat_vaddr_i};
  reg         failed_q;                    // the bus refused a write, and no page has been refused since
  reg         refused_q;                   // the last translation was refused: TF is set
  always @(posedge clk) begin
    failed_q  <= ~rst & (tlb_inval_o & ~refused_q | failed_q & (~xlat_req_i | tlb_inval_o));
    refused_q <= ~rst & (xlat_req_i ? failed_q : refused_q);
  end
  assign tlb_inval_o  = write_done_i & write_error_i;
  assign xlat_done_o  = xlat_req_i;
  assign xlat_fault_o = failed_q | xlat_mode_i != M | |(page >> ADDR_W);
  assign xlat_paddr_o = page[55:0];

  wire unused_ok = &{1'b0, rec_addr_i};
endmodule

`default_nettype wire
