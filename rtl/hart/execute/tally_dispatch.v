// SPDX-License-Identifier: Apache-2.0
// tally_dispatch - end of ID: an instruction from the queue into the scoreboard; what the PMU sees of decode.
//
// An instruction is dispatched when the scoreboard and (if it needs a unit) IS take it. What a flush or
// squash finds here leaves the queue without that: the front end is on its way elsewhere. The front end may
// have predicted a taken transfer where there is none (a stale entry): then, once that stands in IS, it is
// redirected to the next instruction, and forgets the entry.

`default_nettype none
`include "tally_hart.vh"

module tally_dispatch (
    input  wire              clk,
    input  wire              rst,

    // instruction queue
    input  wire              fq_valid_i,
    output wire              fq_ready_o,
    input  wire              fq_taken_i,
    input  wire              fq_exc_i,
    input  wire [3:0]        fq_cause_i,

    // decoded
    input  wire              illegal_i,
    input  wire [2:0]        unit_i,
    input  wire [2:0]        type_i,

    // scoreboard and IS
    input  wire              rob_ready_i,
    input  wire              is_ready_i,     // nothing waits for IS
    output wire              dispatch_o,     // late
    output wire              to_is_o,        // it needs a unit, and is dispatched unless it is cancelled
    output wire              exc_o,
    output wire [3:0]        cause_o,
    output wire [2:0]        unit_o,

    // flow: a flush or squash in this cycle (late); the core clock stands; a transfer that is none
    input  wire              cancel_i,
    input  wire              halted_i,
    output wire              bogus_o,        // ... stands in IS

    // PMU: each instruction once, in the first cycle in which it stands here
    output wire              dec_valid_o,
    output wire [2:0]        dec_type_o,
    input  wire              dec_sample_i,   // late
    output wire              sample_o,       // the instruction that stands here is the sample
    output wire              sample_lost_o,  // late: ... and is thrown away before its dispatch

    // events
    output wire              ev_fe_o,
    output wire              ev_be_o,
    output wire              ev_badspec_o
);
  reg seen_q;     // what stands here has been shown to the PMU
  reg sample_q;   // and is the sample
  reg recover_q;  // since the last flush nothing has come out of the queue
  reg bogus_q;    // what was dispatched is no transfer, but predicted as taken: what stands here is wrong

  assign exc_o   = fq_exc_i || illegal_i;
  assign cause_o = fq_exc_i ? fq_cause_i : `TALLY_XC_ILLEGAL;
  assign unit_o  = fq_exc_i ? `TALLY_U_NONE : unit_i;

  wire drop = cancel_i || bogus_q;

  assign fq_ready_o = rob_ready_i && is_ready_i && !bogus_q;
  assign dispatch_o = fq_valid_i && fq_ready_o && !cancel_i;
  assign to_is_o    = fq_valid_i && fq_ready_o && !exc_o;
  assign bogus_o    = bogus_q && is_ready_i;

  // Nothing late stands before it: counters take it in this cycle.
  assign dec_valid_o   = fq_valid_i && !seen_q && !bogus_q && !fq_exc_i && !halted_i;
  assign dec_type_o    = type_i;
  assign sample_o      = dec_valid_o ? dec_sample_i : sample_q;
  assign sample_lost_o = sample_o && cancel_i;

  always @(posedge clk) begin
    if (rst || cancel_i || dispatch_o) begin
      seen_q   <= 1'b0;
      sample_q <= 1'b0;
    end else if (dec_valid_o) begin
      seen_q   <= 1'b1;
      sample_q <= dec_sample_i;
    end

    if (rst)                          recover_q <= 1'b0;
    else if (drop)                    recover_q <= 1'b1;
    else if (fq_valid_i)              recover_q <= 1'b0;

    // Behind an exception comes a flush.
    if (rst || cancel_i || bogus_o)   bogus_q <= 1'b0;
    else if (to_is_o)                 bogus_q <= fq_taken_i && unit_i != `TALLY_U_BR;
  end

  // Every cycle is one slot: dispatched, or lost to one of these
  assign ev_badspec_o = !dispatch_o && (drop || (recover_q && !fq_valid_i));
  assign ev_be_o      = !dispatch_o && !drop && fq_valid_i;
  assign ev_fe_o      = !dispatch_o && !drop && !fq_valid_i && !recover_q;
endmodule

`default_nettype wire
