// SPDX-License-Identifier: Apache-2.0
// Event-based branches (docs/rulings.md, the headings that begin with EBB, and uebret). Part of pmu_formal.

// Rights (EBB gates). Routes, gates and all that follows from them are in count.vh.
reg [1:0] ebb_answer;
always @* begin
  ebb_answer = ILLEGAL;
  if (m)                                   ebb_answer = OK;
  else if (csr_v)                          ebb_answer = s_gate & ~is_mebbctl ? VIRTUAL : ILLEGAL;
  else if (s & s_gate & ~is_mebbctl)       ebb_answer = OK;
  else if (u & u_gate & ebb_user)          ebb_answer = OK;
  else if (u & u_gate & ebb_win & ebb_window) ebb_answer = OK;
end
prop_holds ebb_access (.when_i(answers & ebb_register), .holds_i(answer == ebb_answer));
// "In U-mode through U-mode's gate only, illegal in M and S"; with V=1 virtual if S-mode's gate is open
// (uebret; EBB gates).
prop_holds uebret_access (.when_i(on), .holds_i(
    uebret_illegal == ~(user_mode & u_gate | mode_v & s_gate) & uebret_virtual == (mode_v & s_gate)));

// Values read: of routed counters alone, in every mode (EBB window).
wire [31:0] shown_count = RV32 & is_uebbcnth ? count[63:32] : count[31:0];
reg  [63:0] ebb_view;
always @* begin
  ebb_view = 64'd0;
  case (csr_num)
    `TALLY_CSR_UBESCR:  ebb_view = {32'd0, ebb_ge, 12'd0, ebb_fz, 1'b0, ebb_pme, 15'd0, ebb_pmeo};
    `TALLY_CSR_UEBBHR:  ebb_view = {{64 - XLEN{1'b0}}, ebb_hr};
    `TALLY_CSR_UEBBRR:  ebb_view = {{64 - XLEN{1'b0}}, ebb_rr};
    `TALLY_CSR_UEBBOVF: ebb_view = {32'd0, flags & routes};
    `TALLY_CSR_UEBBINH: ebb_view = {32'd0, ebb_inh & routes};
    `TALLY_CSR_UEBBSEL: ebb_view = {59'd0, ebb_sel};
    `TALLY_CSR_SEBBCTL: ebb_view = {32'd0, ebb_route[31:3] & delegated[31:3], ebb_win, 1'b0, ebb_en};
    `TALLY_CSR_MEBBCTL: ebb_view = {63'd0, ebb_men};
    `TALLY_CSR_UEBBSPC: ebb_view = {{64 - XLEN{1'b0}}, ebb_spc};
    default:            ebb_view = {64 - XLEN{1'b0}};
  endcase
end
prop_holds ebb_register_view (.when_i(answers & ok & ebb_register & ~is_uebbcnt & ~is_uebbcnth),
    .holds_i(answer_data == ebb_view));
prop_holds uebbcnt_view (.when_i(answers & ok & (is_uebbcnt | is_uebbcnth) & ebb_sel == i),
    .holds_i(answer_data == (routed ? is_uebbcnt ? seen(count) : {32'd0, shown_count} : 64'd0)));

// Software's registers: an allowed write changes them, and nothing else does. Bits of counters that are not
// routed (uebbinh) or not delegated (sebbctl) stay (EBB gates; EBB window).
wire [63:0] ebb_new = written(ebb_view);
prop_becomes #(.W(3)) gates_change_by_writes (.clk(clk), .when_i(on), .value_i({ebb_men, ebb_en, ebb_win}),
    .then_i({write & is_mebbctl ? ebb_new[0] : ebb_men, write & is_sebbctl ? ebb_new[0] : ebb_en,
             write & is_sebbctl ? ebb_new[2] : ebb_win}));
prop_becomes route_changes_by_writes (.clk(clk), .when_i(on & programmable), .value_i(ebb_route[i]),
    .then_i(write & is_sebbctl & delegated[i] ? ebb_new[i] : ebb_route[i]));
prop_becomes user_inhibit_changes_by_writes (.clk(clk), .when_i(on & programmable), .value_i(ebb_inh[i]),
    .then_i(write & is_uebbinh & routed ? ebb_new[i] : ebb_inh[i]));
prop_becomes #(.W(XLEN + 5)) user_registers_change_by_writes (.clk(clk), .when_i(on), .value_i({ebb_hr,
    ebb_sel}),
    .then_i({write & is_uebbhr ? {ebb_new[XLEN-1:1], 1'b0} : ebb_hr, write & is_uebbsel ? ebb_new[4:0]
        : ebb_sel}));

// A routed overflow: OF from 0 to 1 of a routed counter, a flag that is cleared in the cycle being 0 before
// (OF cleared in the cycle of a wrap).
wire ebb_overflow = |(rises & routes);
wire event_now    = ebb_overflow & ebb_pme;
// Flags of routed counters after a cycle in which ubescr is written, and so no flag.
wire ebb_flag     = |((flags | wrap & HAS_FLAG) & routes);
wire is_ubescr_write = write & is_ubescr;
wire becomes_pme  = is_ubescr_write & ~ebb_pme & ebb_new[16];
wire late_event   = becomes_pme & ebb_flag;

// "If PME=1: PME becomes 0, PMEO 1"; "in the cycle of an overflow with PME=1 the hardware wins PME and PMEO,
// a write the rest"; "a write that would turn PME from 0 to 1 while a routed counter's OF is 1 leaves PME 0
// and PMEO 1" (EBB overflow).
prop_becomes #(.W(2)) event_takes_pme (.clk(clk), .when_i(on & event_now), .value_i({ebb_pme, ebb_pmeo}),
    .then_i(2'b01));
prop_becomes #(.W(2)) late_pme_is_an_event (.clk(clk), .when_i(on & late_event), .value_i({ebb_pme,
    ebb_pmeo}),
    .then_i(2'b01));
prop_becomes #(.W(2)) pme_and_pmeo (.clk(clk), .when_i(on & ~event_now & ~late_event),
    .value_i({ebb_pme, ebb_pmeo}),
    .then_i(is_ubescr_write ? {ebb_new[16], ebb_new[0]} : {ebb_pme, ebb_pmeo}));
// PMEO stays until software clears it, also at a delivery and uebret.
prop_becomes pmeo_waits_for_software (.clk(clk), .when_i(on & ebb_pmeo & ~is_ubescr_write),
    .value_i(ebb_pmeo),
    .then_i(1'b1));
prop_becomes fz_is_software_s (.clk(clk), .when_i(on), .value_i(ebb_fz),
    .then_i(is_ubescr_write ? ebb_new[18] : ebb_fz));

// A branch is asked for if and only if: U-mode with V=0, its gate open, GE and PMEO 1, no Debug Mode (EBB
// delivery).
prop_holds asked_for_iff (.when_i(on), .holds_i(
    ebb_req == (user_mode & u_gate & ebb_ge & ebb_pmeo & ~mode_debug)));
prop_holds branch_goes_to_its_handler (.when_i(on & ebb_req), .holds_i(ebb_target == ebb_hr));
prop_holds uebret_goes_to_uebbrr (.when_i(on), .holds_i(ebb_return == ebb_rr));
// "GE becomes 0, uebbrr its pc", and only then, or by software, or by uebret.
wire delivered = ebb_ack & ebb_req;
prop_becomes #(.W(XLEN + 1)) delivery_clears_ge (.clk(clk), .when_i(on & delivered), .value_i({ebb_ge,
    ebb_rr}),
    .then_i({1'b0, ret_next_pc[XLEN-1:1], 1'b0}));
prop_becomes #(.W(XLEN + 1)) no_delivery_without_request (.clk(clk), .when_i(on & ~delivered),
    .value_i({ebb_ge, ebb_rr}),
    .then_i({ret_uebret ? ret_uebret_ge : is_ubescr_write ? ebb_new[31] : ebb_ge,
             write & is_uebbrr ? {ebb_new[XLEN-1:1], 1'b0} : ebb_rr}));

// No user measures kernel, firmware or guests; FZ and uebbinh hold (EBB overflow; EBB window).
prop_becomes #(.W(64)) routed_counts_in_user_mode_only (.clk(clk), .when_i(on & routed & ~user_mode
    & ~count_write),
    .value_i(count), .then_i(count));
prop_becomes #(.W(64)) frozen_while_pmeo (.clk(clk), .when_i(on & routed & ebb_fz & ebb_pmeo & ~count_write),
    .value_i(count), .then_i(count));
prop_becomes #(.W(64)) user_s_stop (.clk(clk), .when_i(on & routed & ebb_inh[i] & ~count_write),
    .value_i(count), .then_i(count));
// ... and the kernel's stop stays: uebbinh only adds.
prop_becomes #(.W(64)) user_never_starts (.clk(clk), .when_i(on & routed & inhibit[i] & ~count_write),
    .value_i(count), .then_i(count));
// A counter that is not routed is as without event-based branches: for any uebbinh, FZ and PMEO it
// counts, overflows and requests (proved by count.vh too; here with all of them set against it).
prop_becomes #(.W(64)) unrouted_counts_on (.clk(clk),
    .when_i(on & ~routed & ebb_inh[i] & ebb_fz & ebb_pmeo & ~inhibit[i] & ~stopped_by_mode & ~mode_stopcount
            & ~count_write),
    .value_i(count), .then_i((count + (exists ? happens : 64'd0)) & (exists ? width : 64'd0)));
prop_holds unrouted_requests (.when_i(on & SSCOFPMF & ~routed & overflows & ~was_set[i] & programmable
    & ~(ANDES & inten[i])), .holds_i(lcofi));
// A routed overflow raises nothing (EBB overflow).
prop_holds routed_requests_nothing (.when_i(on & |(wrap & routes) & (wrap & ~routes) == 32'd0),
    .holds_i(~lcofi & ~andes));

// uebbspc: the pc of the event's cause, with one lane of the instruction that retires, else of the next
// (whose mode lane 0 shows then); 0 if it is none of U-mode; a write of it wins (EBB overflow).
wire cause_pc_user = ret_mode[2:0] == 3'd0;
wire [XLEN-1:0] cause_pc = ret_valid[0] ? ret_pc[XLEN-1:0] : ret_next_pc;
prop_becomes #(.W(XLEN)) uebbspc_takes_the_cause (.clk(clk),
    .when_i(on & SSPESA & RETIRE_W == 1 & event_now & ~(write & is_uebbspc)), .value_i(ebb_spc),
    .then_i(cause_pc_user ? {cause_pc[XLEN-1:1], 1'b0} : {XLEN{1'b0}}));
prop_becomes #(.W(XLEN)) uebbspc_stays (.clk(clk), .when_i(on & SSPESA & ~event_now), .value_i(ebb_spc),
    .then_i(write & is_uebbspc ? {ebb_new[XLEN-1:1], 1'b0} : ebb_spc));
prop_becomes #(.W(XLEN)) uebbspc_write_wins (.clk(clk), .when_i(on & SSPESA & event_now & write & is_uebbspc),
    .value_i(ebb_spc), .then_i({ebb_new[XLEN-1:1], 1'b0}));

// U-mode's accesses change routed counters alone: of another one neither value, flag, nor any control (EBB
// window).
prop_becomes #(.W(130)) user_changes_routed_counters_only (.clk(clk), .when_i(write & u & ebb_register
    & ~routed),
    .value_i({flags[i], count, inhibit[i], inten[i], minh[i], sinh[i], uinh[i], vsinh[i], vuinh[i],
        mcounteren[i],
              wen[i], selector}),
    .then_i({flags[i] | overflows & HAS_FLAG[i], sum[63:0] & (exists ? width : 64'd0), inhibit[i],
        inten[i], minh[i],
             sinh[i], uinh[i], vsinh[i], vuinh[i], mcounteren[i], wen[i], selector}));

// Two events (spec/events.yaml), counted in the next cycle in which the core clock runs.
prop_becomes #(.W(2)) ebb_events_count_later (.clk(clk), .when_i(on), .value_i(ebb_events),
    .then_i({delivered, ebb_overflow & ~ebb_pme} | ebb_events & {2{mode_halted}}));

// A refused access and a read change nothing; a reset makes all of it 0 (Reset).
wire [2*XLEN+11:0] ebb_controls = {ebb_men, ebb_en, ebb_win, ebb_route[i], ebb_inh[i], ebb_sel, ebb_ge,
    ebb_fz, ebb_hr,
                                   ebb_rr};
prop_becomes #(.W(2*XLEN + 12)) ebb_refused_changes_nothing (.clk(clk), .when_i(on & csr_valid & (~ok | rd)),
    .value_i(ebb_controls), .then_i(ebb_controls));
prop_becomes #(.W(2*XLEN + 14)) ebb_reset_is_zero (.clk(clk), .when_i(rst),
    .value_i({ebb_men, ebb_en, ebb_win, ebb_route[i], ebb_inh[i], ebb_sel, ebb_ge, ebb_fz, ebb_pme, ebb_pmeo,
              ebb_hr, ebb_rr}),
    .then_i({2*XLEN + 14{1'b0}}));
