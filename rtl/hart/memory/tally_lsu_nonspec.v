// SPDX-License-Identifier: Apache-2.0
// tally_lsu_nonspec - accesses that are never speculative: AMO, LR and SC (unprivileged manual, "A"
// extension) and device reads. The oldest instruction performs them on the bus, one at a time.
//
// nonspec_o is given a cycle before the access begins, because commit decides early in a cycle about the
// interrupt that it holds back, and lasts until the instruction retires or traps. (An instruction that has
// A or D set runs alone, and commit takes no interrupt meanwhile.) Nothing retires before it.

`default_nettype none
`include "tally_hart.vh"

module tally_lsu_nonspec #(
    parameter TAG_W = 3
) (
    input  wire             clk,
    input  wire             rst,

    // commit
    input  wire             flush_i,          // late-arriving
    input  wire             retire_i,         // late-arriving
    input  wire             head_valid_i,
    input  wire [TAG_W-1:0] head_tag_i,
    output wire             nonspec_o,

    // the oldest instruction: a held AMO, LR or SC, or a device read in the load queue
    input  wire             serial_i,         // an AMO, LR or SC is held
    input  wire [TAG_W-1:0] held_tag_i,
    input  wire [2:0]       held_op_i,
    output wire             held_oldest_o,    // the held operation is the oldest instruction
    input  wire             device_i,
    input  wire             stq_empty_i,
    input  wire             deny_i,           // W: PMP denies an access, which may be this one
    input  wire             ad_busy_i,        // the walker sets A or D for it

    // bus
    output wire             req_o,            // asks for the bus,
    output wire             req_held_o,       // for the held operation, not for a device read,
    output wire             req_writes_o,     // and writes, or may
    input  wire             taken_i,
    input  wire             rsp_i,
    input  wire [63:0]      rsp_data_i,
    input  wire             rsp_err_i,

    // the answer, from the cycle after rsp_i
    output reg              start_o,          // the bus begins to work for tag_o: the cycle after taken_i
    output wire             for_held_o,       // the bus works for the held operation,
    output wire [TAG_W-1:0] tag_o,            // or for this instruction's device read
    output wire [63:0]      data_o,
    output wire             err_o
);

  reg              ns_arm_q;                 // asks from now on: no interrupt, and nothing can take that back
  reg              ns_hold_q;                // for the held operation
  reg              ns_busy_q;                // the bus works
  reg              ns_held_q;                // for the held operation
  reg              ns_live_q;                // it has begun, and has not retired
  reg  [TAG_W-1:0] ns_tag_q;
  reg  [63:0]      ns_data_q;
  reg              ns_err_q;

  assign held_oldest_o = head_valid_i && held_tag_i == head_tag_i;

  wire ns_held  = serial_i && held_oldest_o && stq_empty_i;
  wire ns_read  = head_valid_i && device_i;
  wire ns_ready = (ns_held || ns_read) && !ns_busy_q;
  wire ns_arm   = ns_ready && !taken_i && !deny_i && !flush_i;
  wire ns_live  = taken_i || ad_busy_i || (ns_live_q && !retire_i && !flush_i);

  assign nonspec_o = ns_arm || ns_live;

  always @(posedge clk) begin
    ns_arm_q  <= ns_arm;
    ns_hold_q <= ns_held;
    ns_live_q <= ns_live;
    start_o   <= taken_i;
    if (taken_i) begin
      ns_tag_q  <= head_tag_i;
      ns_busy_q <= 1'b1;
      ns_held_q <= ns_hold_q;
    end
    if (rsp_i) begin
      ns_busy_q <= 1'b0;
      ns_data_q <= rsp_data_i;
      ns_err_q  <= rsp_err_i;
    end
    if (rst) begin
      ns_arm_q  <= 1'b0;
      ns_busy_q <= 1'b0;
      ns_live_q <= 1'b0;
      start_o   <= 1'b0;
    end
  end

  assign req_o        = ns_arm_q;
  assign req_held_o   = ns_hold_q;
  assign req_writes_o = ns_hold_q && held_op_i != `TALLY_LS_LR;
  assign for_held_o   = ns_held_q;
  assign tag_o        = ns_tag_q;
  assign data_o       = ns_data_q;
  assign err_o        = ns_err_q;

endmodule

`default_nettype wire
