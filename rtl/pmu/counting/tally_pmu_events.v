// SPDX-License-Identifier: Apache-2.0
// tally_pmu_events - event wires to events.
//
// An instruction has a retire event when any of the event's wires is set for it; cycle events are wires as
// they come, and some the unit counts by itself. All leave in the order of spec/events.yaml's indices,
// where neighbours are neighbouring wires: retire events by index, a word of 64 a lane; the others by index
// less 64, counts of LINE_W bits in as many planes of 64.
//
// With several lanes those of them are gated that do not retire, so that they can be added. A single one is
// left as it is: whether it retires is known late, and gates what a counter has chosen (tally_pmu_select).
// So does the write that makes the software event: it stands here in every cycle.
//
// Combinational, but what is decoded is known late and counts a cycle later: in the next one in which the
// core clock runs. Who takes an event sees to it that nothing but bus cycles happens while that is halted.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_events #(
    parameter RETIRE_W = 1,
    parameter DECODE_W = 1,
    parameter EVC_W    = 1,
    parameter LINE_W   = 1  // bits of the largest count
) (
    input  wire                               clk,
    input  wire                               rst,

    input  wire                               halted_i,      // the core clock is
    input  wire [RETIRE_W-1:0]                ret_valid_i,
    input  wire [RETIRE_W*`TALLY_EVR_N-1:0]   ev_retire_i,
    input  wire [`TALLY_EVC_N*EVC_W-1:0]      ev_cycle_i,
    input  wire [DECODE_W-1:0]                dec_valid_i,
    input  wire [DECODE_W*3-1:0]              dec_type_i,
    // of a sample that ends: kept, filtered, dropped, inhibited; collisions
    input  wire [3:0]                         sampling_i,
    input  wire [LINE_W-1:0]                  collisions_i,
    output wire [RETIRE_W*64-1:0]             lane_event_o,
    output wire [LINE_W*64-1:0]               cycle_event_o
);
  `include "tally_event_fn.vh"

  // ---- retire events
`ifdef SYNTHESIS
  // The wires of which an event is any one; none if it is something else.
  function [`TALLY_EVR_N-1:0] any_of;
    input integer fn_event;
    integer       f;
    reg [63:0]    lines;
    begin
      any_of = {`TALLY_EVR_N{1'b0}};
      lines  = tally_retire_lines({`TALLY_EVR_N{1'b1}});
      if (lines[fn_event]) begin
        for (f = 0; f < `TALLY_EVR_N; f = f + 1) begin
          lines     = tally_retire_lines({{`TALLY_EVR_N - 1{1'b0}}, 1'b1} << f);
          any_of[f] = lines[fn_event];
        end
      end
    end
  endfunction
`endif
  genvar l, b;
  generate
    for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
      wire [`TALLY_EVR_N-1:0] wires = RETIRE_W > 1 && !ret_valid_i[l] ? {`TALLY_EVR_N{1'b0}}
                                    : ev_retire_i[l*`TALLY_EVR_N +: `TALLY_EVR_N];
      wire [63:0]             event_of = tally_retire_lines(wires);
`ifdef SYNTHESIS
      for (b = 0; b < 64; b = b + 1) begin : g_event
        localparam [`TALLY_EVR_N-1:0] ANY = any_of(b);
        if (RETIRE_W == 1 && (ANY & (ANY - 1)) != 0) begin : g_joined
          tally_or #(.W(`TALLY_EVR_N), .MASK(ANY)) u_joined (
              .in_i(wires), .out_o(lane_event_o[b])
          );
        end else begin : g_wire
          assign lane_event_o[l*64 + b] = event_of[b];
        end
      end
`else
      assign lane_event_o[l*64 +: 64] = event_of;
`endif
    end
  endgenerate

  // ---- what the unit counts by itself
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
      reg  [`TALLY_EVI_N-1:0] own;
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
        own[`TALLY_EVI_REF_CYC]   = (b == 0);
        own[`TALLY_EVI_SLOTS]     = DECODE_W[b];
        own[`TALLY_EVI_DEC_INST]  = n_inst[b];
        own[`TALLY_EVI_DEC_BRJMP] = n_brjmp[b];
        own[`TALLY_EVI_DEC_LOAD]  = n_load[b];
        own[`TALLY_EVI_DEC_STORE] = n_store[b];
        own[`TALLY_EVI_DEC_LDST]  = n_ldst[b];
        if ({sampling_i, collisions_i} != 0) begin  // seldom: the simulator looks no further
          own[`TALLY_EVI_PDIS_SAMPLE]    = (b == 0) & sampling_i[3];
          own[`TALLY_EVI_PDIS_FILTERED]  = (b == 0) & sampling_i[2];
          own[`TALLY_EVI_PDIS_DROPPED]   = (b == 0) & sampling_i[1];
          own[`TALLY_EVI_PDIS_INHIBITED] = (b == 0) & sampling_i[0];
          own[`TALLY_EVI_PDIS_COLLISION] = collisions_i[b];
        end
        own[`TALLY_EVI_SOFTWARE]  = (b == 0);
      end
      assign cycle_event_o[b*64 +: 64] = tally_cycle_lines(wires, own);
    end
  endgenerate
endmodule

`default_nettype wire
