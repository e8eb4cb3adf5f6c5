// SPDX-License-Identifier: Apache-2.0
// tally_pmu_events - from event wires to the event lines that counters select from (docs/pmu.md,
// spec/events.yaml).
//
// Events come in the order of their indices in spec/events.yaml: retire events as a word of 64 a lane, all
// others as counts of LINE_W bits in as many planes of 64. A line is an event as a count, in the order of
// the numbers that counters store: selectors 0x00..0x3F, 0x40..0x7F and 0x10000..0x1003F
// (tally_event_short), a word of 64 each. A retire event's line is the number of lanes whose instruction
// has the event. RANGE: a second set of lines counts only the lanes that retire from inside the range of
// program counters.
//
// With several lanes the events of lanes that do not retire are masked here, so that lanes can be added.
// The events of a single lane are not: its retirement is late-arriving and masks only the selected event
// (tally_pmu_count_enable). The same holds for the software event, which is 1 in every cycle here.
//
// Combinational, but for decoded instructions: they are counted in the next cycle in which the core clock
// runs. While it is halted the enables of the counters mask all events but bus cycles.

`include "tally_spec.vh"
`include "tally_idle.vh"

`default_nettype none

module tally_pmu_events #(
    parameter RETIRE_W = 1,
    parameter DECODE_W = 1,
    parameter EVC_W    = 1,
    parameter LINE_W   = 1,            // bits of the largest count
    parameter [0:0] RANGE = 1'b0
) (
    input  wire                               clk,
    input  wire                               rst,

    input  wire                               halted_i,      // core clock halted
    input  wire [RETIRE_W-1:0]                ret_valid_i,
    input  wire [RETIRE_W*`TALLY_EVR_N-1:0]   ev_retire_i,
    input  wire [`TALLY_EVC_N*EVC_W-1:0]      ev_cycle_i,
    input  wire [DECODE_W-1:0]                dec_valid_i,
    input  wire [DECODE_W*3-1:0]              dec_type_i,
    // events of sampling: kept, filtered, dropped, inhibited; collisions
    input  wire [3:0]                         sampling_i,
    input  wire [LINE_W-1:0]                  collisions_i,
    // of event-based branches: a branch is delivered; an overflow finds PME=0
    input  wire [1:0]                         ebb_i,
    input  wire [RETIRE_W-1:0]                in_range_i,    // RANGE
    output wire [RETIRE_W*64-1:0]             lane_event_o,
    output wire [LINE_W*64-1:0]               cycle_event_o,
    // {0x10000.., 0x40.., 0x00..} a plane
    output wire [LINE_W*192-1:0]              line_o,
    output wire [LINE_W*192-1:0]              range_line_o   // RANGE
);
  `include "tally_event_fn.vh"

  // ---- retire events
  genvar l, b, s;
  generate
    for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
      wire [`TALLY_EVR_N-1:0] wires = RETIRE_W > 1 && !ret_valid_i[l] ? {`TALLY_EVR_N{1'b0}}
                                    : ev_retire_i[l*`TALLY_EVR_N +: `TALLY_EVR_N];
      tally_pmu_retire_events #(.BOUNDARY(RETIRE_W == 1)) u_retire_events (
          .wires_i(wires), .event_o(lane_event_o[l*64 +: 64])
      );
    end
  endgenerate

  // ---- decoded instructions
  localparam [2:0] LOAD = `TALLY_TYPE_LOAD, STORE = `TALLY_TYPE_STORE, LOAD_STORE = `TALLY_TYPE_LOAD_STORE,
                   TRANSFER = `TALLY_TYPE_TRANSFER;

  reg [DECODE_W-1:0]   valid_q;
  reg [DECODE_W*3-1:0] type_q;
  always @(posedge clk) begin
    if (rst)            valid_q <= {DECODE_W{1'b0}};
    else if (!halted_i) valid_q <= dec_valid_i;
    if (!halted_i)      type_q  <= dec_type_i;
  end

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
      kind = type_q[d*3 +: 3];
      if (valid_q[d]) begin
        n_inst  = n_inst + 1'b1;
        if (kind == TRANSFER)                    n_brjmp = n_brjmp + 1'b1;
        if (kind == LOAD || kind == LOAD_STORE)  n_load  = n_load + 1'b1;
        if (kind == STORE || kind == LOAD_STORE) n_store = n_store + 1'b1;
        if (kind == LOAD || kind == STORE || kind == LOAD_STORE) n_ldst = n_ldst + 1'b1;
      end
    end
  end

  // ---- cycle events, plane by plane
  generate
    for (b = 0; b < LINE_W; b = b + 1) begin : g_plane
      wire [`TALLY_EVC_N-1:0] wires;
      reg  [`TALLY_EVI_N-1:0] internal;
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
        internal                       = {`TALLY_EVI_N{1'b0}};
        internal[`TALLY_EVI_BUS_CYC]   = (b == 0);
        internal[`TALLY_EVI_REF_CYC]   = (b == 0);
        internal[`TALLY_EVI_SLOTS]     = DECODE_W[b];
        internal[`TALLY_EVI_DEC_INST]  = n_inst[b];
        internal[`TALLY_EVI_DEC_BRJMP] = n_brjmp[b];
        internal[`TALLY_EVI_DEC_LOAD]  = n_load[b];
        internal[`TALLY_EVI_DEC_STORE] = n_store[b];
        internal[`TALLY_EVI_DEC_LDST]  = n_ldst[b];
        if (`TALLY_ACTIVE({sampling_i, collisions_i} != 0)) begin
          internal[`TALLY_EVI_PDIS_SAMPLE]    = (b == 0) & sampling_i[3];
          internal[`TALLY_EVI_PDIS_FILTERED]  = (b == 0) & sampling_i[2];
          internal[`TALLY_EVI_PDIS_DROPPED]   = (b == 0) & sampling_i[1];
          internal[`TALLY_EVI_PDIS_INHIBITED] = (b == 0) & sampling_i[0];
          internal[`TALLY_EVI_PDIS_COLLISION] = collisions_i[b];
        end
        internal[`TALLY_EVI_EBB_BRANCH]  = (b == 0) & ebb_i[1];
        internal[`TALLY_EVI_EBB_UNHEARD] = (b == 0) & ebb_i[0];
        internal[`TALLY_EVI_SOFTWARE]  = (b == 0);
      end
      assign cycle_event_o[b*64 +: 64] = tally_cycle_lines(wires, internal);
    end
  endgenerate

  // ---- lines: of all lanes, and of those that retire from inside the range
  generate
    for (s = 0; s < (RANGE ? 2 : 1); s = s + 1) begin : g_set
      wire [LINE_W*64-1:0] retire_line;
      if (RETIRE_W == 1) begin : g_one_lane
        assign retire_line[63:0] = lane_event_o;
        if (LINE_W > 1) begin : g_rest
          assign retire_line[LINE_W*64-1:64] = {(LINE_W - 1) * 64{1'b0}};
        end
      end else begin : g_lanes
        // 64 sums at once: a lane at a time is added to the planes, from the lowest up.
        reg [LINE_W*64-1:0] sum;
        reg [63:0]          carry, plane;
        integer             i, p;
        always @* begin
          sum = {LINE_W * 64{1'b0}};
          for (i = 0; i < RETIRE_W; i = i + 1) begin
            carry = s == 0 ? lane_event_o[i*64 +: 64] : lane_event_o[i*64 +: 64] & {64{in_range_i[i]}};
            for (p = 0; p < LINE_W; p = p + 1) begin
              plane           = sum[p*64 +: 64];
              sum[p*64 +: 64] = plane ^ carry;
              carry           = plane & carry;
            end
          end
        end
        assign retire_line = sum;
      end
      for (b = 0; b < LINE_W; b = b + 1) begin : g_line
        wire [63:0]  retire = retire_line[b*64 +: 64];
        wire [63:0]  cycle  = cycle_event_o[b*64 +: 64];
        wire [191:0] line   = {tally_lines_cache(retire, cycle), tally_lines_mid(retire, cycle),
                               tally_lines_low(retire, cycle)};
        if (s == 0) begin : g_all
          assign line_o[b*192 +: 192] = line;
        end else begin : g_range
          assign range_line_o[b*192 +: 192] = line;
        end
      end
    end
    if (!RANGE) begin : g_no_range
      assign range_line_o = {LINE_W * 192{1'b0}};
      wire unused_ok      = &{1'b0, in_range_i};
    end
  endgenerate
endmodule

`default_nettype wire
