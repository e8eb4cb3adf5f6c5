// SPDX-License-Identifier: Apache-2.0
// tally_hartbus - joins the D side, the I side and the PMU's sample records into the hart's one bus port.
//
// The D side has priority, records come last; combinational. The id of a response names its client; it is
// decoded and registered, like the response itself in tally_hart.

`default_nettype none
`include "tally_lsu.vh"

module tally_hartbus (
    input  wire        clk,
    input  wire        rst,

    input  wire        ib_req_valid_i,
    output wire        ib_req_ready_o,
    input  wire [55:0] ib_req_addr_i,
    input  wire        ib_req_single_i,
    output wire        ib_rsp_valid_o,

    input  wire        db_req_valid_i,
    output wire        db_req_ready_o,
    input  wire [2:0]  db_req_op_i,
    input  wire [55:0] db_req_addr_i,
    input  wire [1:0]  db_req_size_i,
    input  wire [3:0]  db_req_id_i,
    input  wire [63:0] db_req_wdata_i,
    input  wire [7:0]  db_req_wstrb_i,
    output wire        db_rsp_valid_o,

    // records: writes of 64 bits
    input  wire        rec_valid_i,
    output wire        rec_ready_o,
    input  wire [55:0] rec_addr_i,
    input  wire [63:0] rec_data_i,
    output wire        rec_done_o,

    output wire        req_valid_o,
    input  wire        req_ready_i,
    output wire [2:0]  req_op_o,
    output wire [55:0] req_addr_o,
    output wire [1:0]  req_size_o,
    output wire [63:0] req_wdata_o,
    output wire [7:0]  req_wstrb_o,
    output wire [3:0]  req_id_o,
    input  wire        rsp_valid_i,
    input  wire [3:0]  rsp_id_i,
    input  wire [63:0] rsp_data_i,
    input  wire        rsp_last_i,
    input  wire        rsp_err_i,
    input  wire        inv_valid_i,
    input  wire [55:6] inv_addr_i,

    // answers and invalidations, all registered, so that their order stays
    output reg  [3:0]  rsp_id_o,
    output reg  [63:0] rsp_data_o,
    output reg         rsp_last_o,
    output reg         rsp_err_o,
    output reg         inv_valid_o,
    output reg  [55:6] inv_addr_o,

    output wire        ev_read_o,
    output wire        ev_write_o
);
  wire taken = req_valid_o && req_ready_i;
  wire rec   = !db_req_valid_i && !ib_req_valid_i;

  assign req_valid_o    = db_req_valid_i || ib_req_valid_i || rec_valid_i;
  assign req_op_o       = db_req_valid_i ? db_req_op_i : rec ? `TALLY_BUS_WRITE : {2'b00, ib_req_single_i};
  assign req_addr_o     = db_req_valid_i ? db_req_addr_i : rec ? rec_addr_i : ib_req_addr_i;
  assign req_size_o     = db_req_valid_i ? db_req_size_i : 2'd3;
  assign req_wdata_o    = rec ? rec_data_i : db_req_wdata_i;
  assign req_wstrb_o    = rec ? 8'hFF : db_req_wstrb_i;
  assign req_id_o       = db_req_valid_i ? db_req_id_i : rec ? `TALLY_DID_RECORD : `TALLY_DID_FETCH;
  assign rec_ready_o    = req_ready_i && rec;
  assign db_req_ready_o = req_ready_i;
  assign ib_req_ready_o = req_ready_i && !db_req_valid_i;
  assign ev_read_o      = taken && (req_op_o <= 3'd1 || req_op_o == 3'd4);
  assign ev_write_o     = taken && (req_op_o == 3'd2 || req_op_o == 3'd3 || req_op_o == 3'd5);

  always @(posedge clk) begin
    rsp_id_o    <= rsp_id_i;
    rsp_data_o  <= rsp_data_i;
    rsp_last_o  <= rsp_last_i;
    rsp_err_o   <= rsp_err_i;
    inv_valid_o <= inv_valid_i && !rst;
    inv_addr_o  <= inv_addr_i;
  end

  reg ib_q, db_q, rec_q;
  always @(posedge clk) begin
    ib_q  <= rsp_valid_i && rsp_id_i == `TALLY_DID_FETCH && !rst;
    rec_q <= rsp_valid_i && rsp_id_i == `TALLY_DID_RECORD && !rst;
    db_q  <= rsp_valid_i && rsp_id_i != `TALLY_DID_FETCH && rsp_id_i != `TALLY_DID_RECORD && !rst;
  end

  assign ib_rsp_valid_o = ib_q;
  assign db_rsp_valid_o = db_q;
  assign rec_done_o     = rec_q;

  // Read by the harness, by name; no logic depends on it
  /* verilator lint_off UNUSEDSIGNAL */
  wire probe_i_line    = ib_req_valid_i && ib_req_ready_o && !ib_req_single_i;
  wire probe_d_line    = db_req_valid_i && db_req_ready_o && db_req_op_i == `TALLY_BUS_LINE;
  wire probe_bus_read  = taken && (req_op_o == `TALLY_BUS_LINE || req_op_o == `TALLY_BUS_READ ||
                                   req_op_o == `TALLY_BUS_LR);
  wire probe_bus_write = taken && !probe_bus_read;
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
