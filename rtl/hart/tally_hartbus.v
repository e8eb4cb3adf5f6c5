// tally_hartbus - joins the D side, the I side and the PMU's sample records into the hart's one bus port.
//
// The D side goes first, records last. Answers come in the order of the requests, so a queue of "whose"
// routes them. Combinational both ways.

`default_nettype none
`include "tally_memory.vh"

module tally_hartbus #(
    parameter DEPTH_LOG2 = 4   // requests under way
) (
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
    input  wire        rsp_last_i,

    output wire        ev_read_o,
    output wire        ev_write_o
);
  localparam N = 1 << DEPTH_LOG2;
  localparam [DEPTH_LOG2:0] ONE = 1;

  reg  [N-1:0]        whose_q;            // 1: the D side's,
  reg  [N-1:0]        record_q;           // 1: a record's; else the I side's
  reg  [DEPTH_LOG2:0] in_q, out_q;
  wire                full  = in_q == (out_q ^ {1'b1, {DEPTH_LOG2{1'b0}}});
  wire                taken = req_valid_o && req_ready_i;
  wire                d_rsp = whose_q[out_q[DEPTH_LOG2-1:0]];
  wire                r_rsp = record_q[out_q[DEPTH_LOG2-1:0]];
  wire                rec   = !db_req_valid_i && !ib_req_valid_i;

  assign req_valid_o    = (db_req_valid_i || ib_req_valid_i || rec_valid_i) && !full;
  assign req_op_o       = db_req_valid_i ? db_req_op_i : rec ? `TALLY_BUS_WRITE : {2'b00, ib_req_single_i};
  assign req_addr_o     = db_req_valid_i ? db_req_addr_i : rec ? rec_addr_i : ib_req_addr_i;
  assign req_size_o     = db_req_valid_i ? db_req_size_i : 2'd3;
  assign req_wdata_o    = rec ? rec_data_i : db_req_wdata_i;
  assign req_wstrb_o    = rec ? 8'hFF : db_req_wstrb_i;
  assign req_id_o       = db_req_valid_i ? db_req_id_i : rec ? `TALLY_DID_RECORD : 4'd0;
  assign rec_ready_o    = req_ready_i && !full && rec;
  assign rec_done_o     = rsp_valid_i && r_rsp;
  assign db_req_ready_o = req_ready_i && !full;
  assign ib_req_ready_o = req_ready_i && !full && !db_req_valid_i;
  assign ib_rsp_valid_o = rsp_valid_i && !d_rsp && !r_rsp;
  assign db_rsp_valid_o = rsp_valid_i && d_rsp;
  assign ev_read_o      = taken && (req_op_o <= 3'd1 || req_op_o == 3'd4);
  assign ev_write_o     = taken && (req_op_o == 3'd2 || req_op_o == 3'd3 || req_op_o == 3'd5);

  always @(posedge clk) begin
    if (taken) begin
      whose_q[in_q[DEPTH_LOG2-1:0]]  <= db_req_valid_i;
      record_q[in_q[DEPTH_LOG2-1:0]] <= rec;
    end
    if (rst) begin
      in_q  <= {DEPTH_LOG2+1{1'b0}};
      out_q <= {DEPTH_LOG2+1{1'b0}};
    end else begin
      if (taken)                     in_q  <= in_q + ONE;
      if (rsp_valid_i && rsp_last_i) out_q <= out_q + ONE;
    end
  end
endmodule

`default_nettype wire
