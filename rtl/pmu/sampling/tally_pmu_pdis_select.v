// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_select - spdiscounter: which decoded instruction is the sample (Smpdis, Instruction
// Selection).
//
// The lanes are counted one after the other, the oldest first. The one that takes COUNT past its end is the
// sample, so there is no skid and no lane that is preferred; COUNT goes on from INITVAL with the lanes behind
// it, so none is lost. An overflow that finds a sample under way, or chosen earlier in the same cycle, is a
// collision.
//
// sample_o is combinational: it is there before the instruction is dispatched. All else is at the edge.

`default_nettype none
`include "tally_spec.vh"

module tally_pmu_pdis_select #(
    parameter DECODE_W = 1,
    parameter LINE_W   = 1,      // bits of the number of collisions
    parameter [0:0] HYP = 1'b0
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [DECODE_W-1:0]   dec_valid_i,
    input  wire [DECODE_W*3-1:0] dec_type_i,
    input  wire [DECODE_W*3-1:0] dec_mode_i,
    output reg  [DECODE_W-1:0]   sample_o,
    output reg  [LINE_W-1:0]     collisions_o,

    input  wire                  run_i,        // decoded instructions are counted in this cycle
    input  wire [2:0]            sel_i,        // mpdisctl.SEL
    input  wire [4:0]            modes_i,      // modes that count: M, S, U, VS, VU
    input  wire                  active_i,     // a sample is under way
    input  wire                  eager_i,      // take the next one that matches, whatever COUNT says

    // access
    output wire [63:0]           counter_o,
    input  wire                  count_we_i,
    input  wire                  initval_we_i,
    input  wire [63:0]           counter_i
);
  reg [31:0] count_q, initval_q;
  assign counter_o = {initval_q, count_q};

  // ---- which lanes count
  localparam [2:0] LOAD = `TALLY_TYPE_LOAD, STORE = `TALLY_TYPE_STORE, LOAD_STORE = `TALLY_TYPE_LOAD_STORE,
                   TRANSFER = `TALLY_TYPE_TRANSFER;
  reg [DECODE_W-1:0] match;
  reg [2:0]          kind;
  reg [1:0]          priv;
  reg                v, wanted, enabled;
  integer            l;
  always @* begin
    l     = 0;
    match = {DECODE_W{1'b0}};
    {kind, priv, v, wanted, enabled} = 8'd0;
    if (run_i & |modes_i) begin
      for (l = 0; l < DECODE_W; l = l + 1) begin
        kind    = dec_type_i[l*3 +: 3];
        priv    = dec_mode_i[l*3 +: 2];
        v       = HYP ? dec_mode_i[l*3 + 2] & priv != 2'd3 : 1'b0;
        wanted  = sel_i == `TALLY_PDISSEL_ALL
                | sel_i == `TALLY_PDISSEL_LOADS & (kind == LOAD | kind == LOAD_STORE)
                | sel_i == `TALLY_PDISSEL_STORES & (kind == STORE | kind == LOAD_STORE)
                | sel_i == `TALLY_PDISSEL_MEMORY & (kind == LOAD | kind == STORE | kind == LOAD_STORE)
                | sel_i == `TALLY_PDISSEL_TRANSFERS & kind == TRANSFER;
        enabled = priv == 2'd3 ? modes_i[4]
                : priv == 2'd1 ? (v ? modes_i[1] : modes_i[3]) : (v ? modes_i[0] : modes_i[2]);
        match[l] = dec_valid_i[l] & wanted & enabled;
      end
    end
  end
  wire unused_ok = &{1'b0, dec_mode_i};

  // ---- one after the other. A number of steps that a cycle cannot reach is FAR.
  localparam [4:0] FAR = 5'd31;
  wire [4:0] left_now = &count_q[31:4] ? 5'd16 - {1'b0, count_q[3:0]} : FAR;
  wire [4:0] period   = &initval_q[31:4] ? 5'd16 - {1'b0, initval_q[3:0]} : FAR;

  reg [4:0]  left;
  reg [3:0]  steps;     // lanes counted since COUNT was loaded, or the cycle began
  reg        over, taken, chosen;
  integer    k;
  always @* begin
    left         = left_now;   // for the first that matches
    steps        = 4'd0;
    over         = 1'b0;
    taken        = active_i;
    chosen       = 1'b0;
    sample_o     = {DECODE_W{1'b0}};
    collisions_o = {LINE_W{1'b0}};
    for (k = 0; k < DECODE_W; k = k + 1) begin
      if (match[k]) begin
        chosen = eager_i & ~taken;
        steps  = steps + 4'd1;
        if (left == 5'd1) begin
          // A write of COUNT is known late: all that it takes back is what leaves here in this cycle.
          if (taken & ~count_we_i) collisions_o = collisions_o + 1'b1;
          chosen = ~taken & (eager_i | ~count_we_i);
          left   = period;
          steps  = 4'd0;
          over   = 1'b1;
        end else begin
          left   = left - 5'd1;
        end
        sample_o[k] = chosen;
        taken       = taken | chosen;
      end
    end
  end

  always @(posedge clk) begin
    if (rst)             count_q <= 32'd0;
    else if (count_we_i) count_q <= counter_i[31:0];
    else if (|match)     count_q <= (over ? initval_q : count_q) + {28'd0, steps};

    if (rst)               initval_q <= 32'd0;
    else if (initval_we_i) initval_q <= counter_i[63:32];
  end
endmodule

`default_nettype wire
