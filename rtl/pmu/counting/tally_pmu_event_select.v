// SPDX-License-Identifier: Apache-2.0
// tally_pmu_event_select - the event of each counter, and its increment in this cycle.
//
// A programmable counter stores eight bits of its selector (tally_event_short), selects the line of that
// number, and adds the count of its combined selector if it has one (tally_pmu_event_combine). mcycle and
// minstret have fixed events.
//
// Late-arriving: retirement, and whether an access is performed. With one lane the lines are those of the
// instruction that would retire; a counter selects early, and the enable of the event comes last. An event's
// class (running, retires, software, always) depends on the event alone and is stored beside it, as two
// bits.
//
// Combinational, but for the event registers.

`include "tally_spec.vh"
`include "tally_idle.vh"

`default_nettype none

module tally_pmu_event_select #(
    parameter HPM_N  = 29,
    parameter LINE_W = 1,
    parameter [0:0] SMALL_EVENTS = 1'b0,
    parameter COMB_N = 0,                      // counters 3 .. 3+COMB_N-1 have combined selectors
    parameter INC_W  = LINE_W,                 // bits of the largest increment
    parameter [0:0] RANGE = 1'b0,              // counters select between two sets of lines
    parameter [0:0] CSR_PIPELINE = 1'b0        // event_o follows index_i by a cycle
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire [LINE_W*192-1:0] line_i,       // tally_pmu_events
    input  wire [31:0]           range_i,      // RANGE: counter i selects from range_line_i instead
    input  wire [LINE_W*192-1:0] range_line_i,
    input  wire [(COMB_N > 0 ? COMB_N : 1)*INC_W-1:0] comb_count_i,
    input  wire [31:0]           enable_i,     // tally_pmu_count_enable: counter i counts its event
    output wire [31:0]           class_high_o, // of its event: 0 running, 1 retires, 2 software, 3 always
    output wire [31:0]           class_low_o,
    output wire [INC_W*32-1:0]   inc_o,        // counter i counts by inc_o[i*INC_W +: INC_W]
    // of counters that count by at most one: the selected line, which arrives later than the enable
    output wire [31:0]           selected_o,

    // access: one counter a cycle
    input  wire [4:0]            index_i,
    input  wire                  window_i,     // CSR_PIPELINE: window_index_i instead of index_i
    input  wire [4:0]            window_index_i,
    input  wire                  held_i,       // CSR_PIPELINE: an access uses event_o,
    input  wire [4:0]            held_index_i, // of this counter
    output wire [7:0]            event_o,      // of a programmable counter
    output wire [32*8-1:0]       events_o,     // of all of them
    input  wire [31:0]           event_we_i,   // counter i's is written; all of them in reset
    input  wire [7:0]            event_i,
    input  wire [7:0]            number_i      // event_i, or anything if that is 0; arrives earlier
);
  `include "tally_event_fn.vh"

  localparam [31:0] HPM      = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [7:0]  INSTRET  = tally_event_short(`TALLY_EV_INST_RET);
  localparam [7:0]  BUS      = tally_event_short(`TALLY_EV_CYCLES_BUS);
  localparam [7:0]  SOFTWARE = tally_event_short(`TALLY_EV_SOFTWARE);

  localparam [255:0] LINES        = SMALL_EVENTS ? `TALLY_SMALL_LINES : `TALLY_EVENT_LINES;
  localparam [255:0] RETIRE_LINES = `TALLY_RETIRE_LINES & LINES;
  localparam [1:0] C_RUNNING = 2'd0, C_RETIRES = 2'd1, C_SOFTWARE = 2'd2, C_ALWAYS = 2'd3;

  // ---- registers
  reg  [32*8-1:0] event_q;
  reg  [31:0]     class_high_q, class_low_q;
  wire [1:0]      class_new = number_i == BUS ? C_ALWAYS : number_i == SOFTWARE ? C_SOFTWARE
                            : RETIRE_LINES[number_i] ? C_RETIRES : C_RUNNING;

  integer r;
  always @(posedge clk)
    if (`TALLY_ACTIVE(|event_we_i))
      for (r = 0; r < 32; r = r + 1) begin
        if (!HPM[r]) begin
          event_q[r*8 +: 8] <= 8'd0;
          {class_high_q[r], class_low_q[r]} <= r == 2 ? C_RETIRES : C_RUNNING;
        end else if (event_we_i[r]) begin
          event_q[r*8 +: 8] <= rst ? 8'd0 : event_i;
          {class_high_q[r], class_low_q[r]} <= rst ? C_RUNNING : class_new;
        end
      end

  assign class_high_o = class_high_q;
  assign class_low_o  = class_low_q;
  assign events_o     = event_q;

  // ---- read
  wire [7:0] event_read, window_read;
  tally_mux_word #(.W(8), .MASK(HPM)) u_read (
      .sel_i(index_i), .hot_i(32'd0), .in_i(event_q), .out_o(event_read)
  );
  tally_mux_word #(.W(8), .MASK(CSR_PIPELINE ? HPM : 32'd0)) u_window (
      .sel_i(window_index_i), .hot_i(32'd0), .in_i(event_q), .out_o(window_read)
  );
  generate
    if (CSR_PIPELINE) begin : g_pipelined
      // Both are read: window_i is as late-arriving as the indices.
      reg [7:0] event_read_q;
      always @(posedge clk) event_read_q <= window_i ? window_read : event_read;
      assign event_o = event_read_q;
`ifdef FORMAL
      always @* if (!rst)
        held_is_event: assert (!held_i || !HPM[held_index_i] || event_o == event_q[held_index_i*8 +: 8]);
`endif
    end else begin : g_direct
      assign event_o = event_read;
      wire unused_ok = &{1'b0, window_i, window_read};
    end
  endgenerate

  // ---- increments
  genvar i, b;
  generate
    for (b = 0; b < LINE_W; b = b + 1) begin : g_plane
      reg [255:0] inputs, range_inputs;
      always @* begin   // in two steps: Verilator would put a concatenation into each counter
        inputs              = 256'd0;
        range_inputs        = 256'd0;
        inputs[191:0]       = line_i[b*192 +: 192];
        range_inputs[191:0] = range_line_i[b*192 +: 192];
      end
      wire unused_ok = &{1'b0, inputs, range_inputs};
    end
    for (i = 0; i < 32; i = i + 1) begin : g_counter
      wire [INC_W-1:0] count;
      if (i == 0) begin : g_cycle
        assign count = {{INC_W - 1{1'b0}}, 1'b1};
      end else if (i == 2) begin : g_instret
        for (b = 0; b < INC_W; b = b + 1) begin : g_bit
          if (b < LINE_W) begin : g_line
            assign count[b] = line_i[b*192 + INSTRET];
          end else begin : g_none
            assign count[b] = 1'b0;
          end
        end
      end else if (HPM[i]) begin : g_event
        wire [7:0]        selector = event_q[i*8 +: 8];
        wire [LINE_W-1:0] selected;
        for (b = 0; b < LINE_W; b = b + 1) begin : g_bit
          wire all;
          tally_mux256 #(.MASK(LINES)) u_all (
              .sel_i(selector), .in_i(g_plane[b].inputs), .out_o(all)
          );
          if (RANGE) begin : g_range
            wire limited;
            tally_mux256 #(.MASK(LINES)) u_limited (
                .sel_i(selector), .in_i(g_plane[b].range_inputs), .out_o(limited)
            );
            assign selected[b] = range_i[i] ? limited : all;
          end else begin : g_no_range
            assign selected[b] = all;
          end
        end
        if (INC_W > LINE_W) begin : g_wide
          assign count = {{INC_W - LINE_W{1'b0}}, selected};
        end else begin : g_plain
          assign count = selected;
        end
      end else begin : g_none
        assign count = {INC_W{1'b0}};
      end
      if (i >= 3 && i < 3 + COMB_N) begin : g_comb
        assign inc_o[i*INC_W +: INC_W] = count & {INC_W{enable_i[i]}}
                                       | comb_count_i[(i-3)*INC_W +: INC_W];
      end else begin : g_single
        assign inc_o[i*INC_W +: INC_W] = count & {INC_W{enable_i[i]}};
      end
      assign selected_o[i] = count[0];
    end
  endgenerate

`ifdef FORMAL
  // The state of one counter as software sees it, for tests/formal.
  wire [4:0]  formal_index;
  wire [7:0]  formal_event    = event_q[formal_index*8 +: 8];
  wire [55:0] formal_selector = tally_event_long(formal_event);
  wire [1:0]  formal_class    = {class_high_q[formal_index], class_low_q[formal_index]};
  wire        formal_retires  = formal_index == 5'd2 || HPM[formal_index] && RETIRE_LINES[formal_event];
  wire [1:0]  formal_want     = formal_retires ? C_RETIRES : formal_event == SOFTWARE ? C_SOFTWARE
                              : formal_event == BUS ? C_ALWAYS : C_RUNNING;
  always @* if (!rst) begin
    class_of_event: assert (HPM[formal_index] && formal_event == 8'd0 || formal_class == formal_want);
    fixed_events:   assert (HPM[formal_index] || formal_event == 8'd0);
  end
`endif

  wire unused_ok = &{1'b0, held_i, held_index_i, range_i, range_line_i, comb_count_i};
endmodule

`default_nettype wire
