// SPDX-License-Identifier: Apache-2.0
// tally_dispatch - end of ID: an instruction from the queue into the scoreboard; the PMU's decode events.
//
// An instruction is dispatched when the scoreboard and (if it needs a unit) IS accept it. An instruction that
// is here in a flush or squash leaves the queue without being dispatched. The front end may have predicted a
// taken transfer where there is none (a stale entry): once that instruction is in IS, the front end is
// redirected to the next one and forgets the entry.

`default_nettype none
`include "tally_hart.vh"
`include "tally_spec.vh"

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
    input  wire              rdwe_i,
    input  wire [3:0]        itype_i,

    // scoreboard and IS
    input  wire              rob_ready_i,
    input  wire              is_ready_i,     // nothing waits for IS
    output wire              dispatch_o,     // late-arriving
    output wire              to_is_o,        // it needs a unit, and is dispatched unless it is cancelled
    output wire              exc_o,
    output wire [3:0]        cause_o,
    output wire [2:0]        unit_o,
    output wire              rdwe_o,
    output wire [3:0]        itype_o,

    // flow: a flush or squash in this cycle (late-arriving); the core clock is halted; a predicted transfer
    // that is none
    input  wire              cancel_i,
    input  wire              halted_i,
    output wire              bogus_o,        // ... is in IS

    // PMU: each instruction once, in its first cycle here
    output wire              dec_valid_o,
    output wire [2:0]        dec_type_o,
    input  wire              dec_sample_i,   // late-arriving
    output wire              sample_o,       // the instruction here is the sample
    output wire              sample_lost_o,  // ... and is dropped before its dispatch (late-arriving)

    // events
    output wire              ev_fe_o,
    output wire              ev_be_o,
    output wire              ev_badspec_o
);
  reg seen_q;     // the PMU has seen the instruction here,
  reg sample_q;   // and made it the sample
  reg recover_q;  // no instruction has left the queue since the last flush
  reg bogus_q;    // the last dispatched was predicted taken, but is no transfer: wrong path behind it

  assign exc_o   = fq_exc_i || illegal_i;
  assign cause_o = fq_exc_i ? fq_cause_i : `TALLY_XC_ILLEGAL;
  assign unit_o  = fq_exc_i ? `TALLY_U_NONE : unit_i;
  assign rdwe_o  = rdwe_i && !exc_o;
  assign itype_o = exc_o ? `TALLY_ITYPE_NONE : itype_i;

  wire drop = cancel_i || bogus_q;

  assign fq_ready_o = rob_ready_i && is_ready_i && !bogus_q;
  assign dispatch_o = fq_valid_i && fq_ready_o && !cancel_i;
  assign to_is_o    = fq_valid_i && fq_ready_o && !exc_o;
  assign bogus_o    = bogus_q && is_ready_i;

  // Registered inputs only: counters use it in this cycle.
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

    // An exception is followed by a flush.
    if (rst || cancel_i || bogus_o)   bogus_q <= 1'b0;
    else if (to_is_o)                 bogus_q <= fq_taken_i && unit_i != `TALLY_U_BR;
  end

  // Every cycle is one slot: dispatched, or lost to one of these
  assign ev_badspec_o = !dispatch_o && (drop || (recover_q && !fq_valid_i));
  assign ev_be_o      = !dispatch_o && !drop && fq_valid_i;
  assign ev_fe_o      = !dispatch_o && !drop && !fq_valid_i && !recover_q;
endmodule

`default_nettype wire
