// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counting - events, counters and their overflow.
//
// A retire or cycle event passes: event lines, the selection of each counter (or its combination), the gate
// of mode filters, inhibits and pc range, the counter, its overflow flag, the interrupt request. All of it
// happens in the cycle of the event; state changes at the clock edge (privileged manual, Hardware Performance
// Monitor; Sscofpmf 1.1; Smcntrpmf). The registers are written by tally_pmu's access part.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_counting #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter DECODE_W = 1,
    parameter HPM_N    = 29,
    parameter HPM_W    = 64,
    parameter EVC_W    = 1,
    parameter LINE_W   = 1,    // bits of an event's count in a cycle: DECODE_W, RETIRE_W, EVC_W
    parameter EVR_N    = `TALLY_EVR_N,
    parameter EVC_N    = `TALLY_EVC_N,
    parameter SSCOFPMF  = 1,
    parameter SMCNTRPMF = 1,
    parameter HYP       = 0,
    parameter ANDES     = 0,
    parameter COMB_N    = 0,
    parameter PCRANGE   = 0,
    parameter CSR_PIPELINE = 0,
    parameter COUNTER_RAM  = 0
) (
    input  wire                       clk,
    input  wire                       rst,

    // the hart: mode, events, what decodes and retires
    input  wire [1:0]                 mode_priv_i,
    input  wire                       mode_v_i,
    input  wire                       mode_debug_i,
    input  wire                       mode_halted_i,
    input  wire [RETIRE_W*EVR_N-1:0]  ev_retire_i,
    input  wire [EVC_N*EVC_W-1:0]     ev_cycle_i,
    input  wire [DECODE_W-1:0]        dec_valid_i,
    input  wire [DECODE_W*3-1:0]      dec_type_i,
    input  wire [RETIRE_W-1:0]        ret_valid_i,
    input  wire [RETIRE_W*XLEN-1:0]   ret_pc_i,
    output wire                       irq_lcofi_o,
    output wire                       irq_andes_o,

    // sampling: its events, its interrupt request; what it needs of the counters
    input  wire [3:0]                 sampling_i,      // a sample has been kept, filtered, dropped, inhibited
    input  wire [LINE_W-1:0]          collisions_i,
    input  wire                       sample_lcofi_i,
    output wire [31:0]                request_o,       // counters that set LCOFIP at this clock edge
    output wire [RETIRE_W*64-1:0]     lane_event_o,    // events of each lane, by index
    output wire [RETIRE_W-1:0]        in_range_o,      // the lane's pc is in the pc range
    output wire [32*8-1:0]            events_o,        // selected, a field a counter
    output wire [32*3-1:0]            count_low_o,     // the three lowest bits of each counter
    output wire [31:0]                count_near_o,    // all other bits are ones
    output wire [31:0]                chosen_o,        // the counter's event is there in lane 0
    output wire [31:0]                gate_high_o,     // class of the counter's event
    output wire [31:0]                gate_low_o,

    // access: the counter that is accessed
    input  wire [4:0]                 index_i,
    input  wire [31:0]                hot_i,           // CSR_PIPELINE: the same, one-hot
    input  wire                       decoded_i,       // there is an access
    input  wire                       held_i,          // CSR_PIPELINE: ... which is performed in this cycle
    input  wire [4:0]                 next_counter_i,  // CSR_PIPELINE: of the next cycle
    input  wire                       next_window_i,   // ... through the indirect window
    input  wire [4:0]                 next_index_i,
    input  wire [4:0]                 window_index_i,  // the window's counter
    input  wire                       count_access_i,  // reads or writes a counter or event register
    output wire                       ready_o,         // COUNTER_RAM: it is at hand

    // access: registers
    output wire [63:0]                count_o,
    input  wire                       count_we_i,
    input  wire [63:0]                count_new_i,
    output wire [7:0]                 event_now_o,
    output wire [55:0]                comb_now_o,
    output wire [4:0]                 filter_o,
    input  wire                       event_we_i,
    input  wire [7:0]                 event_new_i,
    input  wire [55:0]                comb_new_i,
    input  wire [4:0]                 filter_new_i,
    input  wire                       flag_we_i,
    input  wire                       flag_new_i,
    input  wire                       software_i,      // shpmswinc: the event of software
    output wire [XLEN-1:0]            pc_low_o,
    output wire [XLEN-1:0]            pc_high_o,
    output wire [31:0]                pc_range_o,
    input  wire                       pc_low_we_i,
    input  wire                       pc_high_we_i,
    input  wire                       pc_range_we_i,
    input  wire [XLEN-1:1]            pc_bound_i,

    // access: registers of a bit a counter
    output wire [31:0]                mcounteren_o,
    output wire [31:0]                scounteren_o,
    output wire [31:0]                inhibit_o,
    output wire [31:0]                wen_o,
    output wire [31:0]                inten_o,
    output wire [31:0]                flags_o,         // OF
    output wire [31:0]                minh_o,
    output wire [31:0]                sinh_o,
    output wire [31:0]                uinh_o,
    output wire [31:0]                vsinh_o,
    output wire [31:0]                vuinh_o,
    input  wire                       mcounteren_we_i,
    input  wire                       scounteren_we_i,
    input  wire                       inhibit_we_i,
    input  wire                       wen_we_i,
    input  wire                       inten_we_i,
    input  wire                       minh_we_i,
    input  wire                       sinh_we_i,
    input  wire                       uinh_we_i,
    input  wire [31:0]                vector_i,
    input  wire [31:0]                vector_mask_i,
    input  wire [31:0]                flags_clear_i
);

  `include "tally_event_fn.vh"

  localparam COMB  = COMB_N < HPM_N ? COMB_N : HPM_N;
  localparam INC_W = COMB > 0 ? LINE_W + 2 : LINE_W;   // a combination may be the sum of four events

  // ---- events_o
  wire [LINE_W*64-1:0]   cycle_event, low_line, mid_line, cache_line;
  tally_pmu_events #(
      .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .EVC_W(EVC_W), .LINE_W(LINE_W)
  ) u_events (
      .clk(clk), .rst(rst),
      .halted_i(mode_halted_i),
      .ret_valid_i(ret_valid_i),
      .ev_retire_i(ev_retire_i),
      .ev_cycle_i(ev_cycle_i),
      .dec_valid_i(dec_valid_i),
      .dec_type_i(dec_type_i),
      .sampling_i(sampling_i),
      .collisions_i(collisions_i),
      .lane_event_o(lane_event_o),
      .cycle_event_o(cycle_event)
  );
  tally_pmu_lines #(
      .RETIRE_W(RETIRE_W), .LINE_W(LINE_W)
  ) u_lines (
      .lane_event_i(lane_event_o),
      .cycle_event_i(cycle_event),
      .low_line_o(low_line),
      .mid_line_o(mid_line),
      .cache_line_o(cache_line)
  );

  // One lane retires when it is known late that it does; of several, those that do not are gated already.
  wire retires = RETIRE_W == 1 ? ret_valid_i[0] : 1'b1;

  // ---- program counter range
  wire [LINE_W*64-1:0] low_limit, mid_limit, cache_limit;
  localparam LIMIT = PCRANGE != 0 && RETIRE_W > 1;
  genvar l;
  generate
    if (PCRANGE != 0) begin : g_pcrange
      tally_pmu_pcrange #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .HPM_N(HPM_N)
      ) u_pcrange (
          .clk(clk), .rst(rst),
          .ret_pc_i(ret_pc_i),
          .inside_o(in_range_o),
          .low_o(pc_low_o),
          .high_o(pc_high_o),
          .range_o(pc_range_o),
          .low_we_i(pc_low_we_i),
          .high_we_i(pc_high_we_i),
          .bound_i(pc_bound_i),
          .range_we_i(pc_range_we_i),
          .range_i(vector_i)
      );
    end else begin : g_no_pcrange
      assign in_range_o   = {RETIRE_W{1'b1}};
      assign pc_low_o   = {XLEN{1'b0}};
      assign pc_high_o  = {XLEN{1'b0}};
      assign pc_range_o = 32'd0;
      wire unused_ok  = &{1'b0, pc_low_we_i, pc_high_we_i, pc_range_we_i, pc_bound_i};
    end
    if (LIMIT) begin : g_limit
      wire [RETIRE_W*64-1:0] lane_inside;
      for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
        assign lane_inside[l*64 +: 64] = lane_event_o[l*64 +: 64] & {64{in_range_o[l]}};
      end
      tally_pmu_lines #(
          .RETIRE_W(RETIRE_W), .LINE_W(LINE_W)
      ) u_lines (
          .lane_event_i(lane_inside),
          .cycle_event_i(cycle_event),
          .low_line_o(low_limit),
          .mid_line_o(mid_limit),
          .cache_line_o(cache_limit)
      );
    end else begin : g_no_limit
      assign low_limit   = {LINE_W * 64{1'b0}};
      assign mid_limit   = {LINE_W * 64{1'b0}};
      assign cache_limit = {LINE_W * 64{1'b0}};
    end
  endgenerate

  // ---- combined selectors
  wire [31:0] stop;      // the counter does not count in this cycle
  wire [(COMB > 0 ? COMB : 1)*INC_W-1:0] comb_count;
  wire [31:0] comb_on;     // there is one
  wire [31:0] comb_over;   // ... makes the counter's low bits hand one on, where that is found out here
  wire [31:0]     count_brim;
  generate
    if (COMB > 0) begin : g_combine
      tally_pmu_combine #(
          .COMB_N(COMB), .RETIRE_W(RETIRE_W), .LINE_W(LINE_W), .INC_W(INC_W)
      ) u_combine (
          .clk(clk), .rst(rst),
          .halted_i(mode_halted_i),
          .lane_event_i(lane_event_o),
          .cycle_event_i(cycle_event),
          .retires_i(retires),
          .software_i(software_i),
          .inside_i(in_range_o),
          .range_i(pc_range_o[3 +: COMB]),
          .still_i(stop[3 +: COMB]),
          .low_i(count_low_o[3*3 +: COMB*3]),
          .brim_i(count_brim[3 +: COMB]),
          .over_o(comb_over[3 +: COMB]),
          .on_o(comb_on[3 +: COMB]),
          .count_o(comb_count),
          .index_i(index_i),
          .we_i(event_we_i),
          .selector_i(comb_new_i),
          .selector_o(comb_now_o)
      );
      assign comb_over[2:0] = 3'd0;
      assign comb_on[2:0]   = 3'd0;
      wire unused_ok        = &{1'b0, count_brim};
      if (COMB < 29) begin : g_no_more
        assign comb_over[31:3+COMB] = {29 - COMB{1'b0}};
        assign comb_on[31:3+COMB]   = {29 - COMB{1'b0}};
      end
    end else begin : g_no_combine
      assign comb_now_o   = 56'd0;
      assign comb_count = {INC_W{1'b0}};
      assign comb_over  = 32'd0;
      assign comb_on    = 32'd0;
      wire unused_ok    = &{1'b0, comb_new_i, in_range_o, count_brim};
    end
  endgenerate

  // ---- counters
  wire [31:0] wrap;
  wire [INC_W*32-1:0] inc;
  wire [7:0]          event_held;
  wire [31:0]         event_hit, filter_hit, of_one;   // what of counter i is written
  wire [7:0]          event_next, number_next;         // ... that
  wire [4:0]          filter_next;
  wire [31:0]         run, full, ends;
`ifdef FORMAL
  localparam [0:0]    LOOK = 1'b1;
`else
  localparam [0:0]    LOOK = RETIRE_W > 1;
`endif
  tally_pmu_select #(
      .HPM_N(HPM_N), .LINE_W(LINE_W), .COMB_N(COMB), .INC_W(INC_W), .LIMIT(LIMIT),
      .LOOK(LOOK), .CSR_PIPELINE(CSR_PIPELINE != 0 && COUNTER_RAM == 0)
  ) u_select (
      .clk(clk), .rst(rst),
      .low_line_i(low_line),
      .mid_line_i(mid_line),
      .cache_line_i(cache_line),
      .limit_i(pc_range_o),
      .low_limit_i(low_limit),
      .mid_limit_i(mid_limit),
      .cache_limit_i(cache_limit),
      .comb_count_i(comb_count),
      .run_i(run),
      .gate_high_o(gate_high_o),
      .gate_low_o(gate_low_o),
      .inc_o(inc),
      .chosen_o(chosen_o),
      .index_i(CSR_PIPELINE != 0 ? next_counter_i : index_i),
      .window_i(next_window_i),
      .window_index_i(window_index_i),
      .held_i(held_i),
      .held_index_i(index_i),
      .event_o(event_held),
      .events_o(events_o),
      .event_hit_i(event_hit),
      .event_i(event_next),
      .number_i(number_next)
  );

  // Counters without combinations; they count_o by one at most if there is no more in a line.
  localparam [31:0] SIMPLE = ~(((32'd1 << COMB) - 32'd1) << 3);
  localparam [31:0] SINGLE = LINE_W == 1 ? SIMPLE : 32'd0;
  // ... whose combination says when it carries
  localparam [31:0] SUMS   = LINE_W == 1 && RETIRE_W == 1 ? ~SIMPLE : 32'd0;
  // ... and have bits behind that carry: a wrap is their event, or that carry
  localparam [31:0] EITHER = COUNTER_RAM == 0 && HPM_W > INC_W + 1 ? SUMS : 32'd0;

  // Requests come from the counters as they are.
  localparam [0:0] PURE = COUNTER_RAM != 0 && CSR_PIPELINE == 0 && ANDES == 0;

  wire [31:0] quiet, ram_request;
  wire [4:0] filter_held;
  generate
    if (COUNTER_RAM != 0) begin : g_ram
      // The selector is read from the RAM, and so are the filters, unless the Andes masks write them too.
      localparam SIDE_W = ANDES != 0 ? 8 : HYP != 0 ? 13 : 11;
      wire [12:0] side, side_kept, side_next;
      wire [12:0] side_new = {filter_new_i[1:0], filter_new_i[4:2], event_new_i};
      // With CSR_PIPELINE a write leaves what it asked for in the registers, but that nothing asks any more.
      wire asked = CSR_PIPELINE != 0 ? count_access_i & held_i : count_access_i;
      tally_pmu_counters_ram #(
          .HPM_N(HPM_N), .HPM_W(HPM_W), .INC_W(INC_W), .SIDE_W(SIDE_W), .UNIT(SINGLE),
          .CSR_PIPELINE(CSR_PIPELINE != 0)
      ) u_counters (
          .clk(clk), .rst(rst),
          .inc_i(inc),
          .wrap_o(wrap),
          .quiet_i(quiet),
          .request_o(ram_request),
          .full_o(full),
          .low_o(count_low_o),
          .near_o(count_near_o),
          .index_i(index_i),
          .ask_i(asked),
          .access_i(asked & decoded_i),
          .next_index_i(next_index_i),
          .ready_o(ready_o),
          .count_o(count_o),
          .count_we_i(count_we_i),
          .count_i(count_new_i),
          .side_o(side[SIDE_W-1:0]),
          .side_kept_o(side_kept[SIDE_W-1:0]),
          .side_we_i(event_we_i),
          .side_i(side_new[SIDE_W-1:0]),
          .visit_o(event_hit),
          .side_d_o(side_next[SIDE_W-1:0]),
          .of_we_i(flag_we_i),
          .of_one_o(of_one)
      );
      if (SIDE_W < 13) begin : g_side
        assign side[12:SIDE_W]      = {13 - SIDE_W{1'b0}};
        assign side_kept[12:SIDE_W] = {13 - SIDE_W{1'b0}};
        assign side_next[12:SIDE_W] = {13 - SIDE_W{1'b0}};
      end
      // The flip-flops beside the RAM take what it has whenever the counter is in the stage.
      assign event_next  = side_next[7:0];
      assign number_next = CSR_PIPELINE == 0 ? side_next[7:0]
                         : event_we_i ? tally_event_number(comb_new_i) : side_kept[7:0];
      if (ANDES != 0) begin : g_filter
        tally_decoder u_filter (
            .sel_i(index_i), .hot_i(32'd0), .en_i(event_we_i), .all_i(rst), .out_o(filter_hit)
        );
        assign filter_next = filter_new_i;
      end else begin : g_side_filter
        assign filter_hit  = event_hit;
        assign filter_next = {side_next[10:8], side_next[12:11]};
      end
      assign event_now_o = side[7:0];
      assign filter_o    = ANDES != 0 ? filter_held : {side[10:8], side[12:11]};
      assign ends       = 32'd0;
      assign count_brim = 32'd0;
      wire unused_ok    = &{1'b0, event_held, filter_held, side, side_kept, side_new, side_next, hot_i,
                            comb_over};
    end else begin : g_plain
      wire [31:0] load;
      if (CSR_PIPELINE != 0) begin : g_pipelined
        // A load in reset would have the flags_o of a value that nobody gives.
        tally_decoder #(.ONE_HOT(1'b1)) u_load (
            .sel_i(index_i), .hot_i(hot_i), .en_i(count_we_i), .all_i(1'b0), .out_o(load)
        );
        tally_decoder #(.ONE_HOT(1'b1)) u_event (
            .sel_i(index_i), .hot_i(hot_i), .en_i(event_we_i), .all_i(rst), .out_o(event_hit)
        );
        tally_decoder #(.ONE_HOT(1'b1)) u_of (
            .sel_i(index_i), .hot_i(hot_i), .en_i(flag_we_i), .all_i(1'b0), .out_o(of_one)
        );
      end else begin : g_direct
        tally_decoder #(.N(3)) u_written (
            .sel_i(index_i), .hot_i(32'd0), .en_i({flag_we_i, event_we_i, count_we_i}), .all_i(rst),
            .out_o({of_one, event_hit, load})
        );
      end
      assign ram_request = 32'd0;
      assign event_next  = event_new_i;
      assign number_next = tally_event_number(comb_new_i);
      assign filter_hit  = event_hit;
      assign filter_next = filter_new_i;
      tally_pmu_counters #(
          .HPM_N(HPM_N), .HPM_W(HPM_W), .INC_W(INC_W), .UNIT(SINGLE), .SUMS(SUMS), .NEAR(RETIRE_W > 1),
          .CSR_PIPELINE(CSR_PIPELINE != 0)
      ) u_counters (
          .clk(clk), .rst(rst),
          .inc_i(inc),
          .one_i(chosen_o & run),
          .over_i(comb_over),
          .brim_o(count_brim),
          .wrap_o(wrap),
          .full_o(full),
          .ends_o(ends),
          .low_o(count_low_o),
          .near_o(count_near_o),
          .index_i(index_i),
          .hot_i(hot_i),
          .count_o(count_o),
          .load_i(load),
          .count_i(count_new_i)
      );
      assign event_now_o = event_held;
      assign filter_o    = filter_held;
      assign ready_o     = 1'b1;
      wire unused_ok   = &{1'b0, count_access_i, next_index_i};
    end
  endgenerate

  // ---- control state
  wire [31:0] mute, request_late, request_early, andes_early;
  wire [1:0]  mode;
  wire        user;
  tally_pmu_control #(
      .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF != 0), .SMCNTRPMF(SMCNTRPMF != 0), .HYP(HYP != 0), .ANDES(ANDES != 0),
      .STOPS(CSR_PIPELINE != 0 ? ~SIMPLE : 32'hFFFF_FFFF), .CSR_PIPELINE(CSR_PIPELINE != 0),
      .PURE(PURE)
  ) u_control (
      .clk(clk), .rst(rst),
      .mode_priv_i(mode_priv_i),
      .mode_v_i(mode_v_i),
      .mode_debug_i(mode_debug_i),
      .mode_o(mode),
      .user_o(user),
      .stop_o(stop),
      .wrap_i(wrap),
      .quiet_o(quiet),
      .mute_o(mute),
      .late_i(request_late),
      .early_i(request_early),
      .andes_early_i(andes_early),
      .sample_i(sample_lcofi_i),
      .lcofi_o(irq_lcofi_o),
      .request_o(request_o),
      .andes_o(irq_andes_o),
      .mcounteren_o(mcounteren_o),
      .scounteren_o(scounteren_o),
      .inhibit_o(inhibit_o),
      .wen_o(wen_o),
      .inten_o(inten_o),
      .of_o(flags_o),
      .minh_o(minh_o),
      .sinh_o(sinh_o),
      .uinh_o(uinh_o),
      .vsinh_o(vsinh_o),
      .vuinh_o(vuinh_o),
      .mcounteren_we_i(mcounteren_we_i),
      .scounteren_we_i(scounteren_we_i),
      .inhibit_we_i(inhibit_we_i),
      .wen_we_i(wen_we_i),
      .inten_we_i(inten_we_i),
      .minh_we_i(minh_we_i),
      .sinh_we_i(sinh_we_i),
      .uinh_we_i(uinh_we_i),
      .vector_i(vector_i),
      .vector_mask_i(vector_mask_i),
      .of_clear_i(flags_clear_i),
      .index_i(index_i),
      .hot_i(hot_i),
      .of_one_i(of_one),
      .of_i(flag_new_i),
      .event_hit_i(filter_hit),
      .filter_i(filter_next),
      .filter_o(filter_held)
  );

`ifdef FORMAL
  // A counter with a combination has no event: what it chooses is 0. With COUNTER_RAM, whose event is in
  // the RAM, for the counter that tests/formal looks at.
  wire [4:0]  formal_index;
  wire [31:0] formal_both;
  generate
    for (l = 0; l < 32; l = l + 1) begin : g_formal
      assign formal_both[l] = comb_on[l] & |events_o[l*8 +: 8];
    end
  endgenerate
  always @* if (!rst)
    event_or_combination: assert (COUNTER_RAM != 0 ? !formal_both[formal_index] : formal_both == 32'd0);
`endif

  // ---- which counters take their events_o. Nothing but bus cycles happens while the core clock is halted.
  wire running  = ~mode_halted_i;
  wire retiring = running & retires;
  wire ranging  = retiring & (RETIRE_W == 1 ? in_range_o[0] : 1'b1);
  wire raising  = running & software_i;
  generate
    if (CSR_PIPELINE != 0) begin : g_takes
      wire [31:0] privileged, idle, gate;
      tally_pmu_takes #(
          .MASK(((32'd1 << HPM_N) - 32'd1) << 3 | 32'h5), .HYP(HYP != 0), .LIMIT(PCRANGE != 0)
      ) u_takes (
          .mode_i(mode),
          .user_i(user),
          .v_i(mode_v_i),
          .inhibit_i(inhibit_o),
          .minh_i(minh_o),
          .sinh_i(sinh_o),
          .uinh_i(uinh_o),
          .vsinh_i(vsinh_o),
          .vuinh_i(vuinh_o),
          .high_i(gate_high_o),
          .low_i(gate_low_o),
          .limit_i(pc_range_o),
          .running_i(running),
          .retires_i(retiring),
          .in_range_i(ranging),
          .software_i(raising),
          .privileged_o(privileged),
          .idle_o(idle),
          .gate_o(gate)
      );
      assign run = gate & ~privileged & ~idle;
      // The interrupts do not wait for the counters: one that counts by one wraps if it is full, runs, has
      // chosen_o an event that happens, and is not written.
      wire [31:0] wraps, wraps_andes;
      wire [31:0] ripe = full & ~(hot_i & {32{count_we_i}});
      tally_and_not u_wraps (
          .not_c_i(privileged),
          .not_d_i(idle),
          .b_i(gate),
          .a_i(ripe & ~quiet),
          .out_o(wraps)
      );
      if (ANDES != 0) begin : g_andes
        tally_and_not u_wraps (
            .not_c_i(privileged),
            .not_d_i(idle),
            .b_i(gate),
            .a_i(ripe & ~mute),
            .out_o(wraps_andes)
        );
      end else begin : g_no_andes
        assign wraps_andes = 32'd0;
      end
      for (l = 0; l < 32; l = l + 1) begin : g_wrap
        if (EITHER[l]) begin : g_either
          wire carries = ends[l] & ~(hot_i[l] & count_we_i);   // a combination that does wraps
          assign request_late[l]  = chosen_o[l] | comb_over[l];
          assign request_early[l] = comb_on[l] ? carries & ~quiet[l] : wraps[l];
          assign andes_early[l]   = comb_on[l] ? carries & ~mute[l] : wraps_andes[l];
        end else begin : g_one
          assign request_late[l]  = SINGLE[l] ? chosen_o[l] : wrap[l];
          assign request_early[l] = SINGLE[l] ? wraps[l] : ~quiet[l];
          assign andes_early[l]   = SINGLE[l] ? wraps_andes[l] : ~mute[l];
        end
      end
    end else begin : g_run
      tally_pmu_run #(.LIMIT(PCRANGE != 0)) u_run (
          .high_i(gate_high_o),
          .low_i(gate_low_o),
          .stop_i(stop),
          .limit_i(pc_range_o),
          .running_i(running),
          .retires_i(retiring),
          .in_range_i(ranging),
          .software_i(raising),
          .run_o(run)
      );
      assign request_late  = PURE ? ram_request : wrap;
      assign request_early = ~quiet;
      assign andes_early   = ~mute;
    end
  endgenerate

  // Inputs and signals that a build has no use for.
  wire unused_ok = &{1'b0, vsinh_o, vuinh_o, mode_halted_i, mode_v_i, ret_valid_i, ret_pc_i, full, ends,
      comb_on, ram_request, stop, mode, user,
      decoded_i, hot_i, held_i};
endmodule

`default_nettype wire
