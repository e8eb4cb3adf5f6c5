// SPDX-License-Identifier: Apache-2.0
// tally_pmu_select - which event a counter has, and by how much it counts in this cycle.
//
// A programmable counter stores eight bits of its selector (tally_event_short) and takes the line of that
// number, and a combination's count if it can have one. mcycle and minstret have their events for good.
//
// That an instruction retires, or that an access is performed, is known late in a cycle. With one lane the
// lines are what happens if it does: a counter chooses early, and what gates its choice comes last. Which
// gate that is follows from the event and is kept beside it, as two bits.
//
// Combinational, but for the event registers.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_select #(
    parameter HPM_N  = 29,
    parameter LINE_W = 1,
    parameter COMB_N = 0,                      // counters 3 .. 3+COMB_N-1 take a combination's count as well
    parameter INC_W  = LINE_W,                 // bits of the largest increment
    parameter [0:0] LIMIT = 1'b0,              // counters choose between two sets of lines
    parameter [0:0] LOOK = 1'b1,               // somebody looks at events_o
    parameter [0:0] CSR_PIPELINE = 1'b0              // event_o comes a cycle after index_i and is used
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire [LINE_W*64-1:0] low_line_i,    // event lines (tally_pmu_lines)
    input  wire [LINE_W*64-1:0] mid_line_i,
    input  wire [LINE_W*64-1:0] cache_line_i,
    input  wire [31:0]          limit_i,       // counter i has a limit: LIMIT: it has these lines instead
    input  wire [LINE_W*64-1:0] low_limit_i,
    input  wire [LINE_W*64-1:0] mid_limit_i,
    input  wire [LINE_W*64-1:0] cache_limit_i,
    // combinations' counts (tally_pmu_combine)
    input  wire [(COMB_N > 0 ? COMB_N : 1)*INC_W-1:0] comb_count_i,
    input  wire [31:0]          run_i,         // takes what it has chosen in this cycle
    output wire [31:0]          gate_high_o,   // when counter i runs (tally_pmu_run)
    output wire [31:0]          gate_low_o,
    output wire [INC_W*32-1:0]  inc_o,         // counter i counts by inc_o[i*INC_W +: INC_W]
    // ... of counters that count by one: what they have chosen, which is known later than whether they run
    output wire [31:0]          chosen_o,

    // access: one counter a cycle
    input  wire [4:0]           index_i,
    input  wire                 window_i,      // CSR_PIPELINE: it is that of this counter instead
    input  wire [4:0]           window_index_i,
    input  wire                 held_i,        // CSR_PIPELINE: an access uses event_o,
    input  wire [4:0]           held_index_i,  // of this counter
    output wire [7:0]           event_o,       // of a programmable counter
    output wire [32*8-1:0]      events_o,      // LOOK: of all of them
    input  wire [31:0]          event_hit_i,   // counter i's is written; all while rst is
    input  wire [7:0]           event_i,
    input  wire [7:0]           number_i       // ... the same, or anything if that is 0: known earlier
);
  `include "tally_event_fn.vh"

  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [7:0]  INSTRET = tally_event_short(`TALLY_EV_INST_RET);
  localparam [7:0]  BUS     = tally_event_short(`TALLY_EV_CYCLES_BUS);

  localparam [7:0]  SOFTWARE = tally_event_short(`TALLY_EV_SOFTWARE);

  localparam [255:0] RETIRE_LINES = `TALLY_RETIRE_LINES;
  localparam [1:0] G_RUNNING = 2'd0, G_RETIRES = 2'd1, G_SOFTWARE = 2'd2, G_ALWAYS = 2'd3;

  (* mem2reg *) reg [7:0] event_q [0:31];
  reg [31:0]              gate_high_q, gate_low_q;
  wire [1:0]              gate_new = number_i == BUS ? G_ALWAYS : number_i == SOFTWARE ? G_SOFTWARE
                                   : RETIRE_LINES[number_i] ? G_RETIRES : G_RUNNING;

  integer r;
  always @(posedge clk) begin
`ifndef SYNTHESIS
    if (|event_hit_i)  // seldom: the simulator looks no further
`endif
    for (r = 0; r < 32; r = r + 1) begin
      if (!HPM[r]) begin
        event_q[r] <= 8'd0;
        {gate_high_q[r], gate_low_q[r]} <= r == 2 ? G_RETIRES : G_RUNNING;
      end else if (event_hit_i[r]) begin
        event_q[r] <= rst ? 8'd0 : event_i;
        {gate_high_q[r], gate_low_q[r]} <= rst ? G_RUNNING : gate_new;
      end
    end
  end

  wire [7:0] event_read, window_read;
`ifdef SYNTHESIS
  genvar c, k;
  generate
    for (c = 0; c < 8; c = c + 1) begin : g_column
      wire [31:0] column;
      for (k = 0; k < 32; k = k + 1) begin : g_counter
        wire [7:0] selector = event_q[k];
        assign column[k] = selector[c];
      end
      tally_mux32 #(.MASK(HPM)) u_read (
          .sel_i(index_i), .hot_i(32'd0), .in_i(column), .out_o(event_read[c])
      );
      tally_mux32 #(.MASK(CSR_PIPELINE ? HPM : 32'd0)) u_window (
          .sel_i(window_index_i), .hot_i(32'd0), .in_i(column), .out_o(window_read[c])
      );
    end
  endgenerate
`else
  assign event_read  = event_q[index_i];
  assign window_read = event_q[window_index_i];
`endif
  generate
    if (CSR_PIPELINE) begin : g_pipelined
      // Both are read: which of them is wanted is known as late as their numbers.
      reg [7:0] event_read_q;
      always @(posedge clk) event_read_q <= window_i ? window_read : event_read;
      assign event_o = event_read_q;
`ifdef FORMAL
      always @* if (!rst)
        held_is_event: assert (!held_i || !HPM[held_index_i] || event_o == event_q[held_index_i]);
`endif
    end else begin : g_direct
      assign event_o = event_read;
      wire unused_ok = &{1'b0, window_i, window_read};
    end
  endgenerate

  assign gate_high_o = gate_high_q;
  assign gate_low_o  = gate_low_q;

  genvar i, b;
  generate
`ifndef SYNTHESIS
    for (b = 0; b < LINE_W; b = b + 1) begin : g_lines
      wire [255:0] line = {64'd0, cache_line_i[b*64 +: 64], mid_line_i[b*64 +: 64], low_line_i[b*64 +: 64]};
      if (LIMIT && HPM_N > 0) begin : g_limit
        wire [255:0] limited = {64'd0, cache_limit_i[b*64 +: 64], mid_limit_i[b*64 +: 64],
                                low_limit_i[b*64 +: 64]};
      end
    end
`endif
    for (i = 0; i < 32; i = i + 1) begin : g_counter
      // A simulator need not put them together if nobody looks.
      assign events_o[i*8 +: 8] = LOOK ? event_q[i] : 8'd0;
      wire [INC_W-1:0] count;
      if (i == 0) begin : g_cycle
        assign count = {{INC_W - 1{1'b0}}, 1'b1};
      end else if (i == 2) begin : g_instret
        for (b = 0; b < INC_W; b = b + 1) begin : g_plane
          if (b < LINE_W) begin : g_line
`ifdef SYNTHESIS
            wire [191:0] line = {cache_line_i[b*64 +: 64], mid_line_i[b*64 +: 64], low_line_i[b*64 +: 64]};
            assign count[b] = line[INSTRET];
`else
            assign count[b] = g_lines[b].line[INSTRET];
`endif
          end else begin : g_none
            assign count[b] = 1'b0;
          end
        end
      end else if (HPM[i]) begin : g_event
        wire [LINE_W-1:0] chosen;
        for (b = 0; b < LINE_W; b = b + 1) begin : g_plane
          wire all;
`ifdef SYNTHESIS
          tally_mux256 #(.MASK(`TALLY_EVENT_LINES)) u_all (
              .sel_i(event_q[i]),
              .in_i({64'd0, cache_line_i[b*64 +: 64], mid_line_i[b*64 +: 64], low_line_i[b*64 +: 64]}),
              .out_o(all)
          );
`else
          assign all = g_lines[b].line[event_q[i]];
`endif
          if (LIMIT) begin : g_limit
            wire limited;
`ifdef SYNTHESIS
            tally_mux256 #(.MASK(`TALLY_EVENT_LINES)) u_limited (
                .sel_i(event_q[i]),
                .in_i({64'd0, cache_limit_i[b*64 +: 64], mid_limit_i[b*64 +: 64], low_limit_i[b*64 +: 64]}),
                .out_o(limited)
            );
`else
            assign limited = g_lines[b].g_limit.limited[event_q[i]];
`endif
            assign chosen[b] = limit_i[i] ? limited : all;
          end else begin : g_free
            assign chosen[b] = all;
          end
        end
        if (INC_W > LINE_W) begin : g_wide
          assign count = {{INC_W - LINE_W{1'b0}}, chosen};
        end else begin : g_plain
          assign count = chosen;
        end
      end else begin : g_none
        assign count = {INC_W{1'b0}};
      end
      if (i >= 3 && i < 3 + COMB_N) begin : g_comb
        assign inc_o[i*INC_W +: INC_W] = count & {INC_W{run_i[i]}}
                                       | comb_count_i[(i-3)*INC_W +: INC_W];
      end else begin : g_single
        assign inc_o[i*INC_W +: INC_W] = count & {INC_W{run_i[i]}};
      end
      assign chosen_o[i] = count[0];
    end
  endgenerate

`ifdef FORMAL
  // The state of one counter as software knows it, for tests/formal.
  wire [4:0]  formal_index;
  wire [7:0]  formal_event    = event_q[formal_index];
  wire [55:0] formal_selector = tally_event_long(formal_event);
  wire [1:0]  formal_gate     = {gate_high_q[formal_index], gate_low_q[formal_index]};
  wire        formal_retires  = formal_index == 5'd2 || HPM[formal_index] && RETIRE_LINES[formal_event];
  wire [1:0]  formal_want     = formal_retires ? G_RETIRES : formal_event == SOFTWARE ? G_SOFTWARE
                              : formal_event == BUS ? G_ALWAYS : G_RUNNING;
  always @* if (!rst) begin
    gate_is_gate: assert (HPM[formal_index] && formal_event == 8'd0 || formal_gate == formal_want);
    fixed_events: assert (HPM[formal_index] || formal_event == 8'd0);
  end
`endif

  wire unused_ok = &{1'b0, held_i, held_index_i, limit_i, low_limit_i, mid_limit_i,
      cache_limit_i, comb_count_i};
endmodule

`default_nettype wire
