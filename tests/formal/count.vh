// SPDX-License-Identifier: Apache-2.0
// Counting: increments, overflow, interrupts. Part of pmu_formal.

reg stopped_by_mode;
always @* begin
  case ({mode_v, mode_priv})
    3'b0_11: stopped_by_mode = minh[i];
    3'b0_01: stopped_by_mode = sinh[i];
    3'b0_00: stopped_by_mode = uinh[i];
    3'b1_01: stopped_by_mode = vsinh[i];
    default: stopped_by_mode = vuinh[i];
  endcase
end
// A routed counter: in U-mode with V=0 only, not while the user holds it or FZ does (docs/rulings.md, EBB
// overflow; EBB window).
wire ebb_held = routed & (~user_mode | ebb_inh[i] | ebb_fz & ebb_pmeo);
wire counts = ~inhibit[i] & ~stopped_by_mode & ~mode_stopcount & ~ebb_held;

wire software = SWEVENT & write & csr_num == `TALLY_CSR_SHPMSWINC & csr_op != 2'd3 & csr_wdata[0];
`include "formal_events.vh"
function legal;  // counter i takes this selector
  input [55:0] sel;
  legal = formal_legal(sel)
        | sel[19:16] == 4'd4 & i >= 5'd3 & i < COMB + 3 & sel[55:48] == 8'd0
          & (sel[7:0] == 8'd0   | formal_selector(sel[7:0]) != 56'd0)
          & (sel[15:8] == 8'd0  | formal_selector(sel[15:8]) != 56'd0)
          & (sel[27:20] == 8'd0 | formal_selector(sel[27:20]) != 56'd0)
          & (sel[35:28] == 8'd0 | formal_selector(sel[35:28]) != 56'd0);
endfunction

// Lanes that counter i sees: all of them, or with shpmpcsel[i] those whose pc is in [shpmpclo, shpmpchi), if
// the counter is shared (docs/rulings.md, Custom counter controls below M-mode).
reg [RETIRE_W-1:0] sees;
integer            lane_number;
always @* begin
  for (lane_number = 0; lane_number < RETIRE_W; lane_number = lane_number + 1)
    sees[lane_number] = ~(pc_range[i] & shared[i]) | ret_pc[lane_number*XLEN +: XLEN] >= pc_low
                                       & ret_pc[lane_number*XLEN +: XLEN] < pc_high;
end

// The count of one event in this cycle: of a cycle event its count, of a retire event the lanes that have it.
function [RETIRE_W-1:0] lanes_with;
  input [55:0] sel;
  integer      l;
  for (l = 0; l < RETIRE_W; l = l + 1)
    lanes_with[l] = ret_valid[l] & sees[l] & ~mode_halted
                  & formal_has(sel, ev_retire[l*`TALLY_EVR_N +: `TALLY_EVR_N]);
endfunction
function [63:0] number_of;
  input [RETIRE_W-1:0] lanes;
  integer              l;
  begin
    number_of = 64'd0;
    for (l = 0; l < RETIRE_W; l = l + 1)
      number_of = number_of + {63'd0, lanes[l]};
  end
endfunction

// A combined selector (docs/pmu.md), step by step: its terms, outcome a lane, result, threshold, edge.
wire       combined = selector[19:16] == 4'd4;
wire [1:0] op       = selector[37:36];
wire       on_edge  = selector[38];
wire       inverted = selector[39];
wire [7:0] at_least = selector[47:40];
wire [31:0] index   = {selector[35:28], selector[27:20], selector[15:8], selector[7:0]};
wire [3:0]            term, per_lane;  // there is one; it is a retire event
wire [4*RETIRE_W-1:0] term_lanes;
wire [4*64-1:0]       term_count;
genvar t;
generate
  for (t = 0; t < 4; t = t + 1) begin : g_term
    wire [55:0] sel = formal_selector(index[8*t +: 8]);
    assign term[t]     = index[8*t +: 8] != 8'd0;
    assign per_lane[t] = formal_is_retire(sel);
    assign term_lanes[t*RETIRE_W +: RETIRE_W] = lanes_with(sel);
    assign term_count[t*64 +: 64]             = formal_counts(sel);
  end
endgenerate
reg [63:0] outcomes, total;
reg [3:0]  true_here;
integer    lane, k;
always @* begin
  outcomes  = 64'd0;
  true_here = 4'd0;
  for (lane = 0; lane < RETIRE_W; lane = lane + 1) begin
    for (k = 0; k < 4; k = k + 1)
      true_here[k] = term[k] & (term_lanes[k*RETIRE_W + lane] | term_count[k*64 +: 64] != 64'd0);
    if (lane == 0 || (term & per_lane) != 4'd0) begin
      case (op)
        2'd0:    outcomes = outcomes + (true_here != 4'd0);
        2'd1:    outcomes = outcomes + (term != 4'd0 & true_here == term);
        default: outcomes = outcomes + ^true_here;
      endcase
    end
  end
  total = 64'd0;
  for (k = 0; k < 4; k = k + 1)
    if (term[k]) total = total + term_count[k*64 +: 64] + number_of(term_lanes[k*RETIRE_W +: RETIRE_W]);
end
wire [63:0] together = op == 2'd3 ? total : outcomes;
wire [63:0] result   = at_least == 8'd0 ? together : {63'd0, (together >= at_least) ^ inverted};
wire        is_now   = combined & result != 64'd0;
wire [63:0] combines = mode_halted ? 64'd0 : on_edge ? {63'd0, is_now & ~was} : result;

wire [55:0] event_of = i == 5'd2 ? `TALLY_EV_INST_RET : selector;
wire [63:0] happens  = i == 5'd0 ? {63'd0, ~mode_halted} : COMB > 0 & combined ? combines
                     : formal_counts(event_of) + number_of(lanes_with(event_of));
wire [63:0] increment = counts & exists ? happens : 64'd0;
wire [64:0] sum       = {1'b0, count} + {1'b0, increment};
wire        past_end  = |(sum & ~{1'b0, width});

wire count_write = write & at_count & exists;
wire event_flag_write = write & at_event & touched[63] & SSCOFPMF & programmable & csr_op != 2'd3;
wire ebb_flag_write   = write & is_uebbovf & routed & (csr_op == 2'd1 | csr_op == 2'd2 & csr_wdata[i]);
wire flag_write  = event_flag_write | ebb_flag_write;
wire flag_new    = ebb_flag_write ? csr_wdata[i] : data[63];
// OF cleared, for every counter: CSRRC of an event register; a 1 written by CSRRW or CSRRC to mcounterovf.
wire        event_any   = mevent | SMCSRIND & (sireg2 | sireg5);
wire [31:0] event_bit   = 32'd1 << (mevent ? n : at);
wire        andes_clear = ANDES & csr_op != 2'd2 & (csr_num == `TALLY_CSR_MCOUNTEROVF
                                                    | csr_num == `TALLY_CSR_SCOUNTEROVF);
wire [31:0] andes_may   = csr_num == `TALLY_CSR_SCOUNTEROVF ? wen : ~32'd0;
wire [31:0] cleared     = HAS_FLAG & {32{write}}
    & (event_bit & HPM & {32{event_any & SSCOFPMF & csr_op == 2'd3 & touched[63]}}
       | csr_wdata[31:0] & andes_may & {32{andes_clear}}
       | csr_wdata[31:0] & routes & {32{is_uebbovf & csr_op == 2'd3}});
wire flag_clear  = cleared[i];
wire overflows   = past_end & ~count_write;

// A decoded instruction counts a cycle later: in the next one in which the core clock runs.
prop_becomes #(.W(4*DECODE_W)) decoded_is_counted_later (.clk(clk), .when_i(on & ~mode_halted),
    .then_i({dec_valid, dec_type}), .value_i({decoded, decoded_type}));
prop_becomes #(.W(4*DECODE_W)) decoded_waits_for_the_clock (.clk(clk), .when_i(on & mode_halted),
    .then_i({decoded, decoded_type}), .value_i({decoded, decoded_type}));

// A counter of n bits holds n bits; absent ones are read-only 0 (docs/rulings.md, Absent
// counters).
prop_holds width_kept (.when_i(up), .holds_i((count & ~(exists ? width : 64'd0)) == 64'd0));

// The increment is exact for every mode and inhibit, for several events in a cycle, modulo the width
// (Sscofpmf, xINH; privileged manual, Machine Counter-Inhibit CSR; docs/rulings.md, Several events in a
// cycle).
prop_becomes #(.W(64)) increment_exact (.clk(clk), .when_i(on & ~count_write), .value_i(count),
    .then_i(sum[63:0] & (exists ? width : 64'd0)));

// Filters go by the mode at the start of the cycle; a filtered or inhibited counter keeps its value
// (docs/rulings.md, Inhibition and filters).
prop_becomes #(.W(64)) stopped_counter_stands (.clk(clk), .when_i(on & ~counts & ~count_write),
    .value_i(count), .then_i(count));

// An instruction that writes mcountinhibit or xINH is still counted under the old value (docs/rulings.md,
// Inhibition and filters).
prop_becomes #(.W(64)) write_of_inhibit_acts_next_cycle (.clk(clk),
    .when_i(on & write & (mcountinhibit | at_event | csr_num == `TALLY_CSR_SCOUNTINHIBIT) & counts
            & increment != 64'd0),
    .value_i(count), .then_i((count + increment) & width));

// dcsr.stopcount=1 stops the counters in Debug Mode (docs/rulings.md, Debug mode).
prop_becomes #(.W(64)) debug_freezes (.clk(clk), .when_i(on & mode_stopcount & ~count_write),
    .value_i(count), .then_i(count));
prop_holds debug_requests_nothing (.when_i(on & mode_stopcount), .holds_i(~lcofi & ~andes));

// An explicit write replaces the increment; on RV32 a write of either half does (docs/rulings.md, Counter
// writes).
prop_becomes #(.W(64)) explicit_write_wins (.clk(clk), .when_i(count_write), .value_i(count),
    .then_i(written(count) & width));
prop_becomes #(.W(64)) write_beats_increment (.clk(clk), .when_i(count_write & increment != 64'd0),
    .value_i(count), .then_i(written(count) & width));

// A counter that is written does not overflow in that cycle (docs/rulings.md, Counter writes), and no write
// overflows one (docs/rulings.md, LCOFIP and OF). With every counter held, no access requests an interrupt.
prop_holds write_never_overflows (.when_i(on & count_write), .holds_i(~wrap[i]));
prop_holds no_increment_no_request (.when_i(on & (inhibit & COUNTERS) == COUNTERS),
    .holds_i(~lcofi & ~andes));

// A counter wraps exactly when an increment leaves the implemented width (Sscofpmf).
prop_holds wrap_is_exact (.when_i(on), .holds_i(wrap[i] == (overflows & exists)));
prop_holds wrap_happens (.when_i(on & overflows), .holds_i(wrap[i]));

// OF rises exactly when a hardware increment wraps the implemented width (Sscofpmf).
prop_becomes of_rises_exactly_on_wrap (.clk(clk), .when_i(on & ~flags[i] & ~flag_write),
    .value_i(flags[i]), .then_i(overflows & HAS_FLAG[i]));
prop_becomes of_is_sticky (.clk(clk), .when_i(on & flags[i] & ~flag_write & ~flag_clear),
    .value_i(flags[i]), .then_i(1'b1));
// The written value is the register's, OF included (docs/rulings.md, Event register writes).
prop_becomes of_takes_written_value (.clk(clk), .when_i(flag_write), .value_i(flags[i]),
    .then_i(flag_new));
// mcounterovf: a 1 written by CSRRW or CSRRC clears its flag, CSRRS changes nothing (docs/rulings.md, Andes
// overflow flags).
prop_becomes andes_one_clears_of (.clk(clk), .when_i(flag_clear & andes_clear & ~overflows),
    .value_i(flags[i]), .then_i(1'b0));
// A clearing acts before the overflow of its cycle: OF is 1 afterwards (docs/rulings.md, OF cleared in the
// cycle of a wrap).
prop_becomes clearing_of_loses_no_overflow (.clk(clk), .when_i(flag_clear), .value_i(flags[i]),
    .then_i(overflows & exists));

// One LCOFI for each OF 0 -> 1 and none otherwise (Sscofpmf), also when software writes OF in that cycle
// (docs/rulings.md, Event register writes); one that it clears is 0 before (docs/rulings.md, OF cleared in
// the cycle of a wrap). mcounterinen sends it to the Andes interrupt instead, never to both (docs/rulings.md,
// Andes and Sscofpmf).
wire [31:0] was_set = flags & ~cleared;
wire [31:0] rises   = wrap & ~was_set & HAS_FLAG;
prop_holds overflow_requests_lcofi (.when_i(on & SSCOFPMF & overflows & ~was_set[i] & programmable
    & ~(ANDES & inten[i]) & ~routed), .holds_i(lcofi));
prop_holds overflow_requests_andes (.when_i(on & ANDES & overflows & ~was_set[i] & HAS_FLAG[i] & inten[i]
    & ~routed),
    .holds_i(andes));
prop_holds cleared_overflow_requests_anew (
    .when_i(on & flags[i] & flag_clear & overflows & (i > 5'd2 | inten[i]) & ~routed), .holds_i(lcofi
        | andes));
prop_holds lcofi_only_of_overflow (.when_i(on & lcofi),
    .holds_i(SSCOFPMF & |(rises & HPM & ~inten & ~routes)));
prop_holds andes_only_of_overflow (.when_i(on & andes), .holds_i(ANDES & |(rises & inten & ~routes)));
prop_holds one_overflow_one_interrupt (.when_i(on & rises == 32'd1 << i), .holds_i(~(lcofi & andes)));
prop_holds second_overflow_requests_nothing (.when_i(on & wrap == (wrap & was_set) & |wrap),
    .holds_i(~lcofi & ~andes));
// mcycle and minstret have no OF in Sscofpmf, and never request LCOFI.
prop_holds mcycle_minstret_never_lcofi (.when_i(on & (wrap & 32'hFFFF_FFF8) == 32'd0 & wrap != 32'd0),
    .holds_i(~lcofi));

// The edge's memory follows the selector that the counter has, whatever stops the counter, and is 0 after
// a cycle in which the selector was no combination (docs/pmu.md, Combined selectors).
prop_becomes edge_remembers (.clk(clk), .when_i(on & COMB > 0), .value_i(was),
    .then_i(is_now & i < COMB + 3));
// The counter takes the result, unless it is stopped or the core clock is halted (the same).
prop_becomes #(.W(64)) combination_counts (.clk(clk), .when_i(on & combined & counts & ~count_write),
    .value_i(count), .then_i((count + combines) & width));
// With shpmpcsel[n]=1 counter n counts retire events only of lanes whose ret_pc_i is in
// [shpmpclo, shpmpchi) (docs/pmu.md, Program counter range).
prop_becomes #(.W(64)) pc_range_limits (.clk(clk),
    .when_i(on & pc_range[i] & shared[i] & formal_is_retire(selector) & sees == {RETIRE_W{1'b0}}
            & ~count_write),
    .value_i(count), .then_i(count));
