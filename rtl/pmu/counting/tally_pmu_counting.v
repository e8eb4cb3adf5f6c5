// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counting - events, counters and their overflow.
//
// An event passes: event lines (tally_pmu_events), the selection of each counter (tally_pmu_event_select,
// tally_pmu_event_combine), its enable by mode filters, inhibits and pc range (tally_pmu_count_enable), the
// counter (tally_pmu_counters or tally_pmu_counters_ram), its overflow flag and the interrupt request
// (tally_pmu_overflow). All of it happens in the cycle of the event; state changes at the clock edge
// (privileged manual, Hardware Performance Monitor; Sscofpmf 1.1; Smcntrpmf 1.0). Registers are written by
// the access part of the unit.

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
    parameter SMALL_EVENTS = 0,
    parameter COMB_N    = 0,
    parameter PCRANGE   = 0,
    parameter EBB       = 0,
    parameter CSR_PIPELINE = 0,
    parameter COUNTER_RAM  = 0
) (
    input  wire                       clk,
    input  wire                       rst,

    // the hart: mode, events, decode and retirement
    input  wire [1:0]                 mode_priv_i,
    input  wire                       mode_v_i,
    input  wire                       mode_stopcount_i,
    input  wire                       mode_halted_i,
    input  wire [RETIRE_W*EVR_N-1:0]  ev_retire_i,
    input  wire [EVC_N*EVC_W-1:0]     ev_cycle_i,
    input  wire [DECODE_W-1:0]        dec_valid_i,
    input  wire [DECODE_W*3-1:0]      dec_type_i,
    input  wire [RETIRE_W-1:0]        ret_valid_i,
    input  wire [RETIRE_W*XLEN-1:0]   ret_pc_i,
    output wire                       irq_lcofi_o,
    output wire                       irq_andes_o,

    // sampling: its events, its interrupt request; state of the counters
    input  wire [3:0]                 sampling_i,      // a sample has been kept, filtered, dropped, inhibited
    input  wire [LINE_W-1:0]          collisions_i,
    input  wire                       sample_lcofi_i,
    output wire [31:0]                request_o,       // counters that set LCOFIP at this clock edge
    output wire [RETIRE_W*64-1:0]     lane_event_o,    // events of each lane, by index
    output wire [RETIRE_W-1:0]        in_range_o,      // the lane's pc is in the pc range
    output wire [32*8-1:0]            events_o,        // selected, a field a counter
    output wire [32*3-1:0]            low_bits_o,      // the three lowest bits of each counter
    output wire [31:0]                near_max_o,      // all other bits are ones
    output wire [31:0]                selected_o,      // the counter's event occurs, in lane 0
    output wire [31:0]                class_high_o,    // class of its event (tally_pmu_event_select)
    output wire [31:0]                class_low_o,

    // access: the counter that is accessed
    input  wire [4:0]                 index_i,
    input  wire [31:0]                hot_i,           // CSR_PIPELINE: the same, one-hot
    input  wire                       decoded_i,       // the access of this cycle is answered in it
    input  wire                       held_i,          // CSR_PIPELINE: an access to the unit was decoded
    input  wire [4:0]                 next_counter_i,  // CSR_PIPELINE: of the next cycle, by its number,
    input  wire                       next_window_i,   // ... unless siselect names it;
    input  wire [4:0]                 next_index_i,    // ... one or the other
    input  wire [4:0]                 window_index_i,  // the window's counter
    input  wire                       count_access_i,  // reads or writes a counter or event register
    output wire                       ready_o,         // COUNTER_RAM: that can be done
    output wire                       ready_next_o,    // ... in the next cycle, if the access stays

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
    input  wire                       flag_clear_i,
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
    input  wire [31:0]                flags_clear_i,

    // the range of program counters limits those counters only that the modes below M share
    input  wire                       delegate_i,      // menvcfg.CDE
    output wire [31:0]                pc_limited_o,    // counters that it limits

    // event-based branches (tally_pmu_ebb)
    input  wire [31:0]                ebb_routed_i,
    input  wire [31:0]                ebb_stop_i,
    output wire                       ebb_overflow_o,
    output wire [31:0]                ebb_request_o,   // ... of these counters
    input  wire [31:0]                ebb_flags_clear_i,
    input  wire [31:0]                ebb_flags_we_i,
    input  wire [31:0]                ebb_flags_new_i,
    input  wire [1:0]                 ebb_events_i
);

  `include "tally_event_fn.vh"

  localparam COMB  = COMB_N < HPM_N ? COMB_N : HPM_N;
  localparam INC_W = COMB > 0 ? LINE_W + 2 : LINE_W;   // a combination may be the sum of four events
  localparam [0:0] RANGE_LINES = PCRANGE != 0 && RETIRE_W > 1;

  // Counters with combined selectors.
  localparam [31:0] COMBINED = ((32'd1 << COMB) - 32'd1) << 3;
  // Counters that count by one at most.
  localparam [31:0] SINGLE   = LINE_W == 1 ? ~COMBINED : 32'd0;
  // Bits of a counter that are added at once; those above them count the carries. From one carry to the next
  // there are two cycles at least, or 2^6 where the carry waits for its turn at the RAM.
  localparam LOW = (INC_W == 1 ? 0 : INC_W) + (COUNTER_RAM != 0 ? 6 : 1);
  // Counters whose combination computes their carry out of the low bits; those of them that have bits above
  // these.
  localparam [31:0] CARRIES = LINE_W == 1 && RETIRE_W == 1 ? COMBINED : 32'd0;
  localparam [31:0] CARRIES_HIGH = HPM_W > LOW && (COUNTER_RAM == 0 || CSR_PIPELINE != 0) ? CARRIES : 32'd0;
  // The requests come from the counters.
  localparam [0:0] RAM_REQUEST = COUNTER_RAM != 0 && CSR_PIPELINE == 0 && ANDES == 0 && EBB == 0;

  // ---- events
  wire [LINE_W*64-1:0]  cycle_event;
  wire [LINE_W*192-1:0] line, range_line;
  tally_pmu_events #(
      .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .EVC_W(EVC_W), .LINE_W(LINE_W), .RANGE(RANGE_LINES)
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
      .ebb_i(ebb_events_i),
      .in_range_i(in_range_o),
      .lane_event_o(lane_event_o),
      .cycle_event_o(cycle_event),
      .line_o(line),
      .range_line_o(range_line)
  );
  // With several lanes those that do not retire are masked already.
  wire retires = RETIRE_W == 1 ? ret_valid_i[0] : 1'b1;

  // ---- program counter range
  generate
    if (PCRANGE != 0) begin : g_pc_range
      tally_pmu_pc_range #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .HPM_N(HPM_N)
      ) u_pc_range (
          .clk(clk), .rst(rst),
          .ret_pc_i(ret_pc_i),
          .in_range_o(in_range_o),
          .low_o(pc_low_o),
          .high_o(pc_high_o),
          .range_o(pc_range_o),
          .low_we_i(pc_low_we_i),
          .high_we_i(pc_high_we_i),
          .bound_i(pc_bound_i),
          .range_we_i(pc_range_we_i),
          .range_i(vector_i)
      );
    end else begin : g_no_pc_range
      assign in_range_o = {RETIRE_W{1'b1}};
      assign pc_low_o   = {XLEN{1'b0}};
      assign pc_high_o  = {XLEN{1'b0}};
      assign pc_range_o = 32'd0;
      wire unused_ok    = &{1'b0, pc_low_we_i, pc_high_we_i, pc_range_we_i, pc_bound_i};
    end
  endgenerate
  // S-mode sets the range, too: for no counter of M-mode's alone (docs/rulings.md, Custom counter controls
  // below M-mode).
  assign pc_limited_o = pc_range_o & (wen_o | mcounteren_o & {32{delegate_i}});

  // ---- the counters that count in this cycle
  wire [31:0] stop, enable, stop_priv, stop_user, class_active;
  tally_pmu_count_enable #(
      .HPM_N(HPM_N), .HYP(HYP != 0), .RANGE(PCRANGE != 0), .COMBINED(COMBINED),
      .CSR_PIPELINE(CSR_PIPELINE != 0)
  ) u_count_enable (
      .mode_priv_i(mode_priv_i),
      .mode_v_i(mode_v_i),
      .mode_stopcount_i(mode_stopcount_i),
      .halted_i(mode_halted_i),
      .retires_i(retires),
      .in_range_i(RETIRE_W == 1 ? in_range_o[0] : 1'b1),
      .software_i(software_i),
      .inhibit_i(inhibit_o),
      .user_inhibit_i(EBB != 0 ? ebb_stop_i : 32'd0),
      .minh_i(minh_o),
      .sinh_i(sinh_o),
      .uinh_i(uinh_o),
      .vsinh_i(vsinh_o),
      .vuinh_i(vuinh_o),
      .class_high_i(class_high_o),
      .class_low_i(class_low_o),
      .range_i(pc_limited_o),
      .stop_o(stop),
      .enable_o(enable),
      .stop_priv_o(stop_priv),
      .stop_user_o(stop_user),
      .class_active_o(class_active)
  );

  // ---- combined selectors
  wire [(COMB > 0 ? COMB : 1)*INC_W-1:0] comb_count;
  wire [31:0] comb_on;          // the counter has one
  wire [31:0] comb_carry_out;   // ... which makes its low bits carry out, where CARRIES
  wire [31:0] low_rest_ones;    // these low bits above the three lowest are ones
  generate
    if (COMB > 0) begin : g_combine
      tally_pmu_event_combine #(
          .COMB_N(COMB), .RETIRE_W(RETIRE_W), .LINE_W(LINE_W), .INC_W(INC_W),
          .CSR_PIPELINE(CSR_PIPELINE != 0)
      ) u_combine (
          .clk(clk), .rst(rst),
          .halted_i(mode_halted_i),
          .lane_event_i(lane_event_o),
          .cycle_event_i(cycle_event),
          .retires_i(retires),
          .software_i(software_i),
          .in_range_i(in_range_o),
          .range_i(pc_limited_o[3 +: COMB]),
          .stop_i(stop[3 +: COMB]),
          .low_bits_i(low_bits_o[3*3 +: COMB*3]),
          .low_rest_ones_i(low_rest_ones[3 +: COMB]),
          .carry_out_o(comb_carry_out[3 +: COMB]),
          .on_o(comb_on[3 +: COMB]),
          .count_o(comb_count),
          .index_i(index_i),
          .next_index_i(next_index_i),
          .held_i(held_i),
          .we_i(event_we_i),
          .selector_i(comb_new_i),
          .selector_o(comb_now_o)
      );
      assign comb_carry_out[2:0] = 3'd0;
      assign comb_on[2:0]        = 3'd0;
      wire unused_ok             = &{1'b0, low_rest_ones};
      if (COMB < 29) begin : g_no_more
        assign comb_carry_out[31:3+COMB] = {29 - COMB{1'b0}};
        assign comb_on[31:3+COMB]        = {29 - COMB{1'b0}};
      end
    end else begin : g_no_combine
      assign comb_now_o     = 56'd0;
      assign comb_count     = {INC_W{1'b0}};
      assign comb_carry_out = 32'd0;
      assign comb_on        = 32'd0;
      wire unused_ok        = &{1'b0, comb_new_i, in_range_o, low_rest_ones, cycle_event};
    end
  endgenerate

  // ---- selected events
  wire [INC_W*32-1:0] inc;
  wire [7:0]          event_held;
  wire [31:0]         event_we, filter_we, of_we, of_clear;   // of counter i
  wire [7:0]          event_next, number_next;         // their new values
  wire [4:0]          filter_next;
  tally_pmu_event_select #(
      .HPM_N(HPM_N), .LINE_W(LINE_W), .SMALL_EVENTS(SMALL_EVENTS != 0), .COMB_N(COMB), .INC_W(INC_W),
      .RANGE(RANGE_LINES),
      .CSR_PIPELINE(CSR_PIPELINE != 0 && COUNTER_RAM == 0)
  ) u_select (
      .clk(clk), .rst(rst),
      .line_i(line),
      .range_i(pc_limited_o),
      .range_line_i(range_line),
      .comb_count_i(comb_count),
      .enable_i(enable),
      .class_high_o(class_high_o),
      .class_low_o(class_low_o),
      .inc_o(inc),
      .selected_o(selected_o),
      .index_i(CSR_PIPELINE != 0 ? next_counter_i : index_i),
      .window_i(next_window_i),
      .window_index_i(window_index_i),
      .held_i(held_i),
      .held_index_i(index_i),
      .event_o(event_held),
      .events_o(events_o),
      .event_we_i(event_we),
      .event_i(event_next),
      .number_i(number_next)
  );

  // ---- counters
  wire [31:0] wrap, written, at_max, high_max;
  wire [31:0] no_request, ram_request;
  wire [4:0]  filter_held;
  generate
    if (COUNTER_RAM != 0) begin : g_ram
      // The selector is read from the RAM, and so are the filters, unless the Andes masks write them too.
      localparam SIDE_W = ANDES != 0 ? 8 : HYP != 0 ? 13 : 11;
      wire [12:0] side, side_kept, side_next;
      wire [12:0] side_new = {filter_new_i[1:0], filter_new_i[4:2], event_new_i};
      // With CSR_PIPELINE the registers of a decoded access keep their value after it.
      wire asked = CSR_PIPELINE != 0 ? count_access_i & held_i : count_access_i;
      tally_pmu_counters_ram #(
          .HPM_N(HPM_N), .HPM_W(HPM_W), .INC_W(INC_W), .LOW(LOW), .SIDE_W(SIDE_W), .SINGLE(SINGLE),
          .COMBINED(CARRIES_HIGH), .CSR_PIPELINE(CSR_PIPELINE != 0)
      ) u_counters (
          .clk(clk), .rst(rst),
          .inc_i(inc),
          .one_i(selected_o & enable),
          .carry_out_i(comb_carry_out),
          .low_rest_ones_o(low_rest_ones),
          .high_max_o(high_max),
          .wrap_o(wrap),
          .no_request_i(no_request),
          .request_o(ram_request),
          .at_max_o(at_max),
          .low_bits_o(low_bits_o),
          .near_max_o(near_max_o),
          .index_i(index_i),
          .ask_i(asked),
          .access_i(asked & decoded_i),
          .next_index_i(next_index_i),
          .ready_o(ready_o),
          .ready_next_o(ready_next_o),
          .count_o(count_o),
          .count_we_i(count_we_i),
          .count_i(count_new_i),
          .side_o(side[SIDE_W-1:0]),
          .side_kept_o(side_kept[SIDE_W-1:0]),
          .side_we_i(event_we_i),
          .side_i(side_new[SIDE_W-1:0]),
          .stage_o(event_we),
          .side_d_o(side_next[SIDE_W-1:0]),
          .of_we_i(flag_we_i),
          .of_clear_i(CSR_PIPELINE != 0 ? 1'b0 : flag_clear_i),
          .of_we_o(of_we),
          .of_clear_o(of_clear)
      );
      if (SIDE_W < 13) begin : g_side
        assign side[12:SIDE_W]      = {13 - SIDE_W{1'b0}};
        assign side_kept[12:SIDE_W] = {13 - SIDE_W{1'b0}};
        assign side_next[12:SIDE_W] = {13 - SIDE_W{1'b0}};
      end
      // The flip-flops that mirror the RAM are loaded whenever the counter is in the stage.
      assign event_next  = side_next[7:0];
      assign number_next = CSR_PIPELINE == 0 ? side_next[7:0]
                         : event_we_i ? tally_event_number(comb_new_i) : side_kept[7:0];
      if (ANDES != 0) begin : g_filter
        tally_decoder u_filter (
            .sel_i(index_i), .hot_i(32'd0), .en_i(event_we_i), .all_i(rst), .out_o(filter_we)
        );
        assign filter_next = filter_new_i;
      end else begin : g_side_filter
        assign filter_we   = event_we;
        assign filter_next = {side_next[10:8], side_next[12:11]};
      end
      assign event_now_o = side[7:0];
      assign filter_o    = ANDES != 0 ? filter_held : {side[10:8], side[12:11]};
      wire unused_ok     = &{1'b0, event_held, filter_held, side, side_kept, side_new, side_next};
    end else begin : g_plain
      wire [31:0] load;
      if (CSR_PIPELINE != 0) begin : g_pipelined
        // No load in reset: count_i is not 0 then.
        tally_decoder #(.ONE_HOT(1'b1)) u_load (
            .sel_i(index_i), .hot_i(hot_i), .en_i(count_we_i), .all_i(1'b0), .out_o(load)
        );
        tally_decoder #(.ONE_HOT(1'b1)) u_event (
            .sel_i(index_i), .hot_i(hot_i), .en_i(event_we_i), .all_i(rst), .out_o(event_we)
        );
        tally_decoder #(.ONE_HOT(1'b1)) u_of (
            .sel_i(index_i), .hot_i(hot_i), .en_i(flag_we_i), .all_i(1'b0), .out_o(of_we)
        );
        assign of_clear = 32'd0;
      end else begin : g_direct
        tally_decoder #(.N(4)) u_written (
            .sel_i(index_i), .hot_i(32'd0), .en_i({flag_clear_i, flag_we_i, event_we_i, count_we_i}),
            .all_i(rst), .out_o({of_clear, of_we, event_we, load})
        );
      end
      assign ram_request = 32'd0;
      assign event_next  = event_new_i;
      assign number_next = tally_event_number(comb_new_i);
      assign filter_we   = event_we;
      assign filter_next = filter_new_i;
      tally_pmu_counters #(
          .HPM_N(HPM_N), .HPM_W(HPM_W), .INC_W(INC_W), .LOW(LOW), .SINGLE(SINGLE), .COMBINED(CARRIES),
          .NEAR(RETIRE_W > 1), .CSR_PIPELINE(CSR_PIPELINE != 0)
      ) u_counters (
          .clk(clk), .rst(rst),
          .inc_i(inc),
          .one_i(selected_o & enable),
          .carry_out_i(comb_carry_out),
          .low_rest_ones_o(low_rest_ones),
          .wrap_o(wrap),
          .at_max_o(at_max),
          .high_max_o(high_max),
          .low_bits_o(low_bits_o),
          .near_max_o(near_max_o),
          .index_i(index_i),
          .hot_i(hot_i),
          .count_o(count_o),
          .load_i(load),
          .count_i(count_new_i)
      );
      assign event_now_o = event_held;
      assign filter_o    = filter_held;
      assign {ready_next_o, ready_o} = 2'd3;
      wire unused_ok     = &{1'b0, count_access_i, next_index_i, no_request};
    end
  endgenerate

  // ---- overflow
  assign written = hot_i & {32{count_we_i}};
  tally_pmu_overflow #(
      .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF != 0), .ANDES(ANDES != 0), .SINGLE(SINGLE), .CARRIES(CARRIES_HIGH),
      .RAM_REQUEST(RAM_REQUEST), .EBB(EBB != 0), .CSR_PIPELINE(CSR_PIPELINE != 0)
  ) u_overflow (
      .clk(clk), .rst(rst),
      .wrap_i(wrap),
      .ram_request_i(ram_request),
      .at_max_i(at_max),
      .high_max_i(high_max),
      .written_i(written),
      .selected_i(selected_o),
      .comb_on_i(comb_on),
      .comb_carry_out_i(comb_carry_out),
      .stop_priv_i(stop_priv),
      .stop_user_i(stop_user),
      .class_active_i(class_active),
      .inten_i(inten_o),
      .sample_i(sample_lcofi_i),
      .no_request_o(no_request),
      .lcofi_o(irq_lcofi_o),
      .request_o(request_o),
      .andes_o(irq_andes_o),
      .routed_i(ebb_routed_i),
      .ebb_request_o(ebb_request_o),
      .ebb_o(ebb_overflow_o),
      .of_o(flags_o),
      .clear_mask_i(flags_clear_i),
      .clear_routed_i(ebb_flags_clear_i),
      .clear_hot_i(CSR_PIPELINE != 0 ? hot_i : of_clear),
      .clear_i(CSR_PIPELINE != 0 ? flag_clear_i : 1'b1),
      .of_we_i(of_we),
      .of_i(flag_new_i),
      .word_we_i(EBB != 0 ? ebb_flags_we_i : 32'd0),
      .word_i(ebb_flags_new_i)
  );

  // ---- registers of a bit a counter
  tally_pmu_control #(
      .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF != 0), .SMCNTRPMF(SMCNTRPMF != 0), .HYP(HYP != 0), .ANDES(ANDES != 0),
      .CSR_PIPELINE(CSR_PIPELINE != 0)
  ) u_control (
      .clk(clk), .rst(rst),
      .mcounteren_o(mcounteren_o),
      .scounteren_o(scounteren_o),
      .inhibit_o(inhibit_o),
      .wen_o(wen_o),
      .inten_o(inten_o),
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
      .index_i(index_i),
      .hot_i(hot_i),
      .filter_we_i(filter_we),
      .filter_i(filter_next),
      .filter_o(filter_held)
  );

`ifdef FORMAL
  // A counter with a combination has no event. With COUNTER_RAM, whose event is in the RAM, for the counter
  // that tests/formal looks at.
  wire [4:0]  formal_index;
  wire [31:0] formal_both;
  genvar      f;
  generate
    for (f = 0; f < 32; f = f + 1) begin : g_formal
      assign formal_both[f] = comb_on[f] & |events_o[f*8 +: 8];
    end
  endgenerate
  always @* if (!rst)
    event_or_combination:
      assert (COUNTER_RAM != 0 && CSR_PIPELINE == 0 ? !formal_both[formal_index] : formal_both == 32'd0);
`endif

  // Signals that a build does not use.
  wire unused_ok = &{1'b0, ret_pc_i, stop, decoded_i, held_i, ebb_stop_i, ebb_flags_clear_i, ebb_flags_we_i};
endmodule

`default_nettype wire
