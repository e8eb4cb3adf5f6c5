// SPDX-License-Identifier: Apache-2.0
// tally_lsu_bus - bus requests of the load/store unit: a line for a miss, the walker's LR or SC, the oldest
// store, an access that is not speculative, in this order of priority.
//
// Latency: a request accepted in a cycle is on the bus in the next. The bus performs requests in their order.

`default_nettype none
`include "tally_hart.vh"
`include "tally_lsu.vh"

module tally_lsu_bus #(
    parameter MEM_W = 36
) (
    input  wire             clk,
    input  wire             rst,

    // D cache: a line
    input  wire             line_req_i,
    input  wire             line_void_i,      // PMP or PMA denies it (late-arriving)
    input  wire             line_reg_i,
    input  wire [MEM_W-1:6] line_addr_i,
    output wire             line_taken_o,

    // walker
    input  wire             wk_req_i,
    input  wire             wk_sc_i,
    input  wire [55:0]      wk_addr_i,
    input  wire [63:0]      wk_data_i,
    output wire             wk_taken_o,

    // store queue: the oldest store
    input  wire             stq_empty_i,
    input  wire             st_valid_i,
    input  wire             st_ready_i,       // the D cache can be written as well
    input  wire [MEM_W-1:0] st_addr_i,
    input  wire [1:0]       st_size_i,
    input  wire [63:0]      st_data_i,
    input  wire [7:0]       st_strb_i,
    input  wire             st_unc_i,
    output wire             st_pop_o,
    output wire             writes_idle_o,    // all writes are acknowledged

    // the oldest instruction's access: a device read, or the held AMO, LR or SC
    input  wire             ns_req_i,
    input  wire             ns_held_i,
    input  wire             ns_writes_i,
    output wire             ns_taken_o,
    input  wire [55:0]      dev_addr_i,
    input  wire [1:0]       dev_size_i,
    input  wire [2:0]       h_op_i,
    input  wire [4:0]       h_f5_i,
    input  wire [1:0]       h_size_i,
    input  wire [55:0]      h_pa_i,
    input  wire [63:0]      h_wdata_i,

    // invalidations: another's, and those of this hart's AMO and SC
    input  wire             inv_valid_i,
    input  wire [55:6]      inv_addr_i,
    output wire             inv_o,
    output wire [MEM_W-1:6] inv_line_o,

    // bus
    output wire             db_req_valid_o,
    input  wire             db_req_ready_i,
    output wire [2:0]       db_req_op_o,
    output wire [55:0]      db_req_addr_o,
    output wire [1:0]       db_req_size_o,
    output wire [63:0]      db_req_wdata_o,
    output wire [7:0]       db_req_wstrb_o,
    output wire [4:0]       db_req_f5_o,
    output wire [3:0]       db_req_id_o,
    input  wire             rsp_write_i       // a write is acknowledged
);

`include "tally_lanes.vh"

  reg              rq_valid_q;
  reg  [2:0]       rq_op_q;
  reg  [55:0]      rq_addr_q;
  reg  [1:0]       rq_size_q;
  reg  [63:0]      rq_wdata_q;
  reg  [7:0]       rq_wstrb_q;
  reg  [4:0]       rq_f5_q;
  reg  [3:0]       rq_id_q;
  reg  [3:0]       writes_q;                 // writes that have not been acknowledged

  // ---------------------------------------------------------------------------------------------------------
  // Priority

  wire rq_free    = !rq_valid_q || db_req_ready_i;
  wire st_ready   = st_valid_i && (st_unc_i || st_ready_i) && writes_q != 4'hF;
  wire wk_ready   = wk_req_i && stq_empty_i && !(wk_sc_i && inv_valid_i);
  wire ns_ready   = ns_req_i && !(ns_writes_i && inv_valid_i);

  // A denied line keeps its turn: the others would have to wait for PMP's answer.
  assign line_taken_o = rq_free && line_req_i;
  assign wk_taken_o   = rq_free && !line_req_i && wk_ready;
  assign st_pop_o     = rq_free && !line_req_i && !wk_ready && st_ready;
  // A valid store blocks the operation even if it cannot go yet: st_ready is late-arriving. This hart never
  // has both: the operation waited until the queue was empty.
  assign ns_taken_o   = rq_free && !line_req_i && !wk_ready && !st_valid_i && ns_ready;

  // An AMO or SC invalidates its line in this cache by itself, whenever the bus's invalidation comes.
  wire own_inv      = (ns_taken_o && ns_writes_i) || (wk_taken_o && wk_sc_i);
  assign inv_o      = inv_valid_i || own_inv;
  assign inv_line_o = inv_valid_i ? inv_addr_i[MEM_W-1:6] :
                      wk_taken_o  ? wk_addr_i[MEM_W-1:6] : h_pa_i[MEM_W-1:6];

  wire unused_inv = &{1'b0, inv_addr_i[55:MEM_W], 1'b0};

  // ---------------------------------------------------------------------------------------------------------
  // The request

  wire [55:0] ns_addr = ns_held_i ? h_pa_i : dev_addr_i;
  wire [1:0]  ns_size = ns_held_i ? h_size_i : dev_size_i;

  always @(posedge clk) begin
    if (rq_free) begin
      rq_valid_q <= (line_taken_o && !line_void_i) || wk_taken_o || st_pop_o || ns_taken_o;
      rq_f5_q    <= h_f5_i;
      if (line_req_i) begin
        rq_op_q   <= `TALLY_BUS_LINE;
        rq_addr_q <= {{56-MEM_W{1'b0}}, line_addr_i, 6'd0};
        rq_size_q <= 2'd3;
        rq_id_q   <= `TALLY_DID_LINE0 | {3'd0, line_reg_i};
      end else if (wk_ready) begin
        rq_op_q    <= wk_sc_i ? `TALLY_BUS_SC : `TALLY_BUS_LR;
        rq_addr_q  <= wk_addr_i;
        rq_size_q  <= 2'd3;
        rq_wdata_q <= wk_data_i;
        rq_wstrb_q <= 8'hFF;
        rq_id_q    <= `TALLY_DID_WALK;
      end else if (st_valid_i) begin
        rq_op_q    <= `TALLY_BUS_WRITE;
        rq_addr_q  <= {{56-MEM_W{1'b0}}, st_addr_i[MEM_W-1:3], st_addr_i[2:0] & {3{st_unc_i}}};
        rq_size_q  <= st_unc_i ? st_size_i : 2'd3;
        rq_wdata_q <= st_data_i;
        rq_wstrb_q <= st_strb_i;
        rq_id_q    <= `TALLY_DID_WRITE;
      end else begin
        rq_op_q    <= !ns_held_i ? `TALLY_BUS_READ :
                      h_op_i == `TALLY_LS_LR ? `TALLY_BUS_LR :
                      h_op_i == `TALLY_LS_SC ? `TALLY_BUS_SC : `TALLY_BUS_AMO;
        rq_addr_q  <= ns_addr;
        rq_size_q  <= ns_size;
        rq_wdata_q <= spread(h_size_i, h_wdata_i);
        rq_wstrb_q <= lanes(ns_size, ns_addr[2:0]);
        rq_id_q    <= `TALLY_DID_SINGLE;
      end
    end
    if (rst) rq_valid_q <= 1'b0;
  end

  always @(posedge clk) begin
    if (st_pop_o != rsp_write_i) writes_q <= st_pop_o ? writes_q + 4'd1 : writes_q - 4'd1;
    if (rst) writes_q <= 4'd0;
  end

  assign writes_idle_o  = writes_q == 4'd0;
  assign db_req_valid_o = rq_valid_q;
  assign db_req_op_o    = rq_op_q;
  assign db_req_addr_o  = rq_addr_q;
  assign db_req_size_o  = rq_size_q;
  assign db_req_wdata_o = rq_wdata_q;
  assign db_req_wstrb_o = rq_wstrb_q;
  assign db_req_f5_o    = rq_f5_q;
  assign db_req_id_o    = rq_id_q;

endmodule

`default_nettype wire
