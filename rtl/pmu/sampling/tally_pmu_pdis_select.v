// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_select - spdiscounter: which decoded instruction becomes the sample (event sampling draft,
// Smpdis, Instruction Selection).
//
// Matching lanes are counted one after the other, the oldest first. The lane that overflows COUNT is the
// sample: there is no skid, and no lane is preferred. COUNT goes on from INITVAL with the lanes after it, so
// no decode is lost. An overflow while a sample is active, or after one was selected in the same cycle, is a
// collision.
//
// sample_o is combinational: the host has it before the instruction is dispatched.

`include "tally_spec.vh"

`default_nettype none

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

    input  wire                  enable_i,     // decoded instructions are counted in this cycle
    input  wire [2:0]            sel_i,        // mpdisctl.SEL
    input  wire [4:0]            modes_i,      // modes that count: M, S, U, VS, VU
    input  wire                  active_i,     // a sample is active
    input  wire                  accelerate_i, // mpdisctl.ACC: select the next match without an overflow

    // access
    output wire [63:0]           counter_o,
    input  wire                  count_we_i,
    input  wire                  initval_we_i,
    input  wire [63:0]           wdata_i
);
  reg [31:0] count_q, initval_q;
  assign counter_o = {initval_q, count_q};

  // ---- which lanes count
  reg [DECODE_W-1:0] match;
  reg [2:0]          kind;
  reg [1:0]          priv;
  reg                v, load, store, kind_selected, mode_enabled;
  integer            l;
  always @* begin
    l     = 0;
    match = {DECODE_W{1'b0}};
    {kind, priv, v, load, store, kind_selected, mode_enabled} = 10'd0;
    if (enable_i & |modes_i) begin
      for (l = 0; l < DECODE_W; l = l + 1) begin
        kind  = dec_type_i[l*3 +: 3];
        priv  = dec_mode_i[l*3 +: 2];
        v     = HYP ? dec_mode_i[l*3 + 2] & priv != 2'd3 : 1'b0;
        load  = kind == `TALLY_TYPE_LOAD | kind == `TALLY_TYPE_LOAD_STORE;
        store = kind == `TALLY_TYPE_STORE | kind == `TALLY_TYPE_LOAD_STORE;
        kind_selected = sel_i == `TALLY_PDISSEL_ALL
                      | sel_i == `TALLY_PDISSEL_LOADS & load
                      | sel_i == `TALLY_PDISSEL_STORES & store
                      | sel_i == `TALLY_PDISSEL_MEMORY & (load | store)
                      | sel_i == `TALLY_PDISSEL_TRANSFERS & kind == `TALLY_TYPE_TRANSFER;
        mode_enabled  = priv == 2'd3 ? modes_i[4]
                      : priv == 2'd1 ? (v ? modes_i[1] : modes_i[3]) : (v ? modes_i[0] : modes_i[2]);
        match[l] = dec_valid_i[l] & kind_selected & mode_enabled;
      end
    end
  end
  wire unused_ok = &{1'b0, dec_mode_i};

  // ---- steps to the overflow, lane by lane. A number that a cycle cannot reach is FAR.
  localparam [4:0] FAR = 5'd31;
  wire [4:0] left_now = &count_q[31:4] ? 5'd16 - {1'b0, count_q[3:0]} : FAR;
  wire [4:0] period   = &initval_q[31:4] ? 5'd16 - {1'b0, initval_q[3:0]} : FAR;

  reg [4:0]  left;
  reg [3:0]  steps;                     // lanes counted since the cycle began, or since INITVAL was loaded
  reg        overflow, busy, selected;  // busy: a sample is active or has been selected
  integer    k;
  always @* begin
    left         = left_now;
    steps        = 4'd0;
    overflow     = 1'b0;
    busy         = active_i;
    selected     = 1'b0;
    sample_o     = {DECODE_W{1'b0}};
    collisions_o = {LINE_W{1'b0}};
    for (k = 0; k < DECODE_W; k = k + 1) begin
      if (match[k]) begin
        selected = accelerate_i & ~busy;
        steps    = steps + 4'd1;
        if (left == 5'd1) begin
          // A write of COUNT, which is late-arriving, cancels the overflow (docs/rulings.md, Sample counter).
          if (busy & ~count_we_i) collisions_o = collisions_o + 1'b1;
          selected = ~busy & (accelerate_i | ~count_we_i);
          left     = period;
          steps    = 4'd0;
          overflow = 1'b1;
        end else begin
          left     = left - 5'd1;
        end
        sample_o[k] = selected;
        busy        = busy | selected;
      end
    end
  end

  always @(posedge clk) begin
    if (rst)             count_q <= 32'd0;
    else if (count_we_i) count_q <= wdata_i[31:0];
    else if (|match)     count_q <= (overflow ? initval_q : count_q) + {28'd0, steps};

    if (rst)               initval_q <= 32'd0;
    else if (initval_we_i) initval_q <= wdata_i[63:32];
  end
endmodule

`default_nettype wire
