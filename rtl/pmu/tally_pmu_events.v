// tally_pmu_events - event wires to event lines.
//
// A line is what a counter can select. A retire event's line counts the lanes whose instruction has the
// event, that is, has any of its wires set; the others are cycle events and what the unit counts by itself.
// They are made in the order of spec/events.yaml's indices, where neighbours are neighbouring wires, and
// leave in the order of the numbers that counters store (tally_event_short): low and mid are the general
// selectors 0x00..0x3F and 0x40..0x7F, cache is 0x10000..0x1003F. A line is a count of LINE_W bits and
// travels as that many planes of 64 bits a word, so that a counter's selection is one bit out of 64 a plane.
//
// Combinational. Nothing but bus cycles happens while the core clock is halted.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_events #(
    parameter RETIRE_W = 1,
    parameter DECODE_W = 1,
    parameter EVC_W    = 1,
    parameter LINE_W   = 1  // bits of the largest count
) (
    input  wire                               halted_i,
    input  wire [RETIRE_W*`TALLY_EVR_N-1:0]   ev_retire_i,
    input  wire [`TALLY_EVC_N*EVC_W-1:0]      ev_cycle_i,
    input  wire [DECODE_W-1:0]                dec_valid_i,
    input  wire [DECODE_W*3-1:0]              dec_type_i,
    input  wire                               software_i,     // increment asked for by a write of shpmswinc
    output wire [LINE_W*64-1:0]               low_line_o,
    output wire [LINE_W*64-1:0]               mid_line_o,
    output wire [LINE_W*64-1:0]               cache_line_o
);
  `include "tally_event_fn.vh"

  // ---- retire events: for each line, how many lanes have it
  wire [LINE_W*64-1:0] retire_line;
  genvar b;
  generate
    if (RETIRE_W == 1) begin : g_one_lane
      assign retire_line[63:0] = tally_retire_lines(halted_i ? {`TALLY_EVR_N{1'b0}} : ev_retire_i);
      if (LINE_W > 1) begin : g_rest
        assign retire_line[LINE_W*64-1:64] = {(LINE_W - 1) * 64{1'b0}};
      end
    end else begin : g_lanes
      // All 64 sums at once: each lane is added to the planes, from the low one up, with carries in `carry`.
      reg [LINE_W*64-1:0] sum;
      reg [63:0]          carry, plane;
      integer             l, p;
      always @* begin
        sum = {LINE_W * 64{1'b0}};
        for (l = 0; l < RETIRE_W; l = l + 1) begin
          carry = tally_retire_lines(halted_i ? {`TALLY_EVR_N{1'b0}}
                                              : ev_retire_i[l*`TALLY_EVR_N +: `TALLY_EVR_N]);
          for (p = 0; p < LINE_W; p = p + 1) begin
            plane           = sum[p*64 +: 64];
            sum[p*64 +: 64] = plane ^ carry;
            carry           = plane & carry;
          end
        end
      end
      assign retire_line = sum;
    end
  endgenerate

  // ---- what the unit counts by itself
  localparam [2:0] LOAD = 3'd1, STORE = 3'd2, LOAD_STORE = 3'd3, TRANSFER = 3'd4;

  reg [LINE_W-1:0] n_inst, n_brjmp, n_load, n_store, n_ldst;
  reg [2:0]        kind;
  integer          d;
  always @* begin
    n_inst  = {LINE_W{1'b0}};
    n_brjmp = {LINE_W{1'b0}};
    n_load  = {LINE_W{1'b0}};
    n_store = {LINE_W{1'b0}};
    n_ldst  = {LINE_W{1'b0}};
    for (d = 0; d < DECODE_W; d = d + 1) begin
      kind = dec_type_i[d*3 +: 3];
      if (dec_valid_i[d] & ~halted_i) begin
        n_inst  = n_inst + 1'b1;
        if (kind == TRANSFER)                    n_brjmp = n_brjmp + 1'b1;
        if (kind == LOAD || kind == LOAD_STORE)  n_load  = n_load + 1'b1;
        if (kind == STORE || kind == LOAD_STORE) n_store = n_store + 1'b1;
        if (kind == LOAD || kind == STORE || kind == LOAD_STORE) n_ldst = n_ldst + 1'b1;
      end
    end
  end

  // ---- cycle events, plane by plane; and the order in which counters know the lines
  generate
    for (b = 0; b < LINE_W; b = b + 1) begin : g_plane
      wire [`TALLY_EVC_N-1:0] wires;
      reg  [`TALLY_EVI_N-1:0] own;
      wire [63:0]             by_retire, by_cycle;
      if (b >= EVC_W) begin : g_none
        assign wires = {`TALLY_EVC_N{1'b0}};
      end else if (EVC_W == 1) begin : g_bits
        assign wires = ev_cycle_i;
      end else begin : g_fields
        genvar w;
        for (w = 0; w < `TALLY_EVC_N; w = w + 1) begin : g_wire
          assign wires[w] = ev_cycle_i[w*EVC_W + b];
        end
      end
      always @* begin
        own                       = {`TALLY_EVI_N{1'b0}};
        own[`TALLY_EVI_BUS_CYC]   = (b == 0);
        own[`TALLY_EVI_REF_CYC]   = (b == 0) & ~halted_i;
        own[`TALLY_EVI_SLOTS]     = DECODE_W[b] & ~halted_i;
        own[`TALLY_EVI_DEC_INST]  = n_inst[b];
        own[`TALLY_EVI_DEC_BRJMP] = n_brjmp[b];
        own[`TALLY_EVI_DEC_LOAD]  = n_load[b];
        own[`TALLY_EVI_DEC_STORE] = n_store[b];
        own[`TALLY_EVI_DEC_LDST]  = n_ldst[b];
        own[`TALLY_EVI_SOFTWARE]  = (b == 0) & software_i & ~halted_i;
      end
      assign by_retire = retire_line[b*64 +: 64];
      assign by_cycle  = tally_cycle_lines(halted_i ? {`TALLY_EVC_N{1'b0}} : wires, own);
      assign low_line_o[b*64 +: 64]   = tally_lines_low(by_retire, by_cycle);
      assign mid_line_o[b*64 +: 64]   = tally_lines_mid(by_retire, by_cycle);
      assign cache_line_o[b*64 +: 64] = tally_lines_cache(by_retire, by_cycle);
    end
  endgenerate
endmodule

`default_nettype wire
