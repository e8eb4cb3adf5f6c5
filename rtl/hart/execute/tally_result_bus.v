// SPDX-License-Identifier: Apache-2.0
// tally_result_bus - the result bus that load/store unit and multiplier share; the former goes first.
//
// The multiplier also waits where the load/store unit only might complete an access: whether PMP denies it,
// which completes it with an exception, is known too late to wait for. Combinational.

`default_nettype none

module tally_result_bus #(
    parameter XLEN  = 64,
    parameter TAG_W = 3
) (
    // load/store unit
    input  wire             lc_possible_i, // it has the bus
    input  wire             lc_certain_i,  // it completes an access, but for those that PMP denies
    input  wire             lc_done_i,     // it completes an access (late-arriving)
    input  wire             lc_exc_i,
    input  wire [TAG_W-1:0] lc_tag_i,
    input  wire [XLEN-1:0]  lc_value_i,
    input  wire [XLEN-1:0]  lc_tval_i,

    // multiplier
    input  wire             md_ready_i,    // a result waits
    output wire             md_take_o,
    output wire             md_done_o,
    input  wire [TAG_W-1:0] md_tag_i,
    input  wire [XLEN-1:0]  md_value_i,

    output wire             done_o,        // late-arriving
    output wire             early_o,       // the same, without accesses that PMP denies
    output wire [TAG_W-1:0] tag_o,
    output wire [XLEN-1:0]  operand_o,     // for an instruction that waits for the result
    output wire [XLEN-1:0]  value_o        // for the scoreboard: the result, or tval
);
  assign md_take_o = !lc_possible_i;
  assign md_done_o = md_ready_i && md_take_o;
  assign done_o    = md_done_o || lc_done_i;
  assign early_o   = md_done_o || lc_certain_i;
  assign tag_o     = lc_possible_i ? lc_tag_i : md_tag_i;
  assign operand_o = lc_possible_i ? lc_value_i : md_value_i;
  assign value_o   = !lc_possible_i ? md_value_i : lc_exc_i ? lc_tval_i : lc_value_i;
endmodule

`default_nettype wire
