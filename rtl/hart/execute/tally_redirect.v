// SPDX-License-Identifier: Apache-2.0
// tally_redirect - redirects of the front end: by commit, then a misprediction in EX, then IS, where an
// instruction that is no transfer was predicted as a taken one. Combinational, late-arriving.

`default_nettype none

module tally_redirect #(
    parameter XLEN   = 64,
    parameter META_W = 1
) (
    input  wire              flush_i,       // commit
    input  wire [XLEN-1:0]   flush_pc_i,
    input  wire              ex_mispred_i,
    input  wire [XLEN-1:0]   ex_next_pc_i,
    input  wire [META_W-1:0] ex_meta_i,
    input  wire              is_bogus_i,    // IS
    input  wire [XLEN-1:0]   is_seq_pc_i,
    input  wire [META_W-1:0] is_meta_i,

    output wire              squash_o,      // everything younger than the branch in EX goes
    output wire              cancel_o,      // the instruction in ID is dropped
    output wire              valid_o,
    output wire [XLEN-1:0]   pc_o,
    output wire              mispred_o,     // by a wrong prediction, whose predictor state is meta_o
    output wire [META_W-1:0] meta_o
);
  assign squash_o  = ex_mispred_i && !flush_i;
  assign cancel_o  = flush_i || squash_o;
  assign valid_o   = flush_i || squash_o || is_bogus_i;
  assign pc_o      = flush_i ? flush_pc_i : squash_o ? ex_next_pc_i : is_seq_pc_i;
  assign mispred_o = !flush_i;
  assign meta_o    = squash_o ? ex_meta_i : is_meta_i;
endmodule

`default_nettype wire
