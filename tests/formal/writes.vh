// SPDX-License-Identifier: Apache-2.0
// Effects of accesses. Part of pmu_formal. For each piece of state: the views that write it, and that
// nothing else does, in particular no access that is refused.

wire is_mcounteren = csr_num == `TALLY_CSR_MCOUNTEREN, is_scounteren = csr_num == `TALLY_CSR_SCOUNTEREN;
wire bit_new = (csr_op == 2'd1) ? csr_wdata[i] : csr_op == 2'd2;  // of a bit that the instruction touches
wire bit_set = csr_op == 2'd1 | csr_wdata[i];                     // it touches bit i of a vector

// mcounteren, scounteren: each is writable whatever the other holds (privileged manual, Counter-Enable
// registers).
wire enable_there = exists | i == 5'd1;
prop_becomes mcounteren_write (.clk(clk), .when_i(on), .value_i(mcounteren[i]),
    .then_i(write & is_mcounteren & bit_set & enable_there ? bit_new : mcounteren[i]));
prop_becomes scounteren_write (.clk(clk), .when_i(on), .value_i(scounteren[i]),
    .then_i(write & is_scounteren & bit_set & enable_there ? bit_new : scounteren[i]));

// mcountinhibit by its own number; through scountinhibit delegated bits only, the others do not change
// (Smcdeleg/Ssccfg); through the Andes alias where mcounterwen lets (docs/rulings.md, Andes counter writes).
wire is_scountinhibit = csr_num == `TALLY_CSR_SCOUNTINHIBIT,
    is_scounterinhibit = csr_num == `TALLY_CSR_SCOUNTERINHIBIT;
wire inhibit_written = write & exists & bit_set
    & (mcountinhibit | is_scountinhibit & delegated[i] | is_scounterinhibit & wen[i]);
prop_becomes mcountinhibit_write (.clk(clk), .when_i(on), .value_i(inhibit[i]),
    .then_i(inhibit_written ? bit_new : inhibit[i]));
prop_becomes scountinhibit_leaves_undelegated_bits (.clk(clk),
    .when_i(write & is_scountinhibit & ~delegated[i] & inhibit[i]), .value_i(inhibit[i]), .then_i(1'b1));
prop_becomes scounterinhibit_leaves_bits_without_wen (.clk(clk),
    .when_i(write & is_scounterinhibit & ~wen[i] & inhibit[i]), .value_i(inhibit[i]), .then_i(1'b1));

// Andes: mcounterwen by M only; mcounterinen, by S where mcounterwen lets (docs/rulings.md, Andes counter
// writes).
prop_becomes mcounterwen_write (.clk(clk), .when_i(on), .value_i(wen[i]),
    .then_i(write & exists & csr_num == `TALLY_CSR_MCOUNTERWEN & bit_set ? bit_new : wen[i]));
prop_becomes mcounterinen_write (.clk(clk), .when_i(on), .value_i(inten[i]),
    .then_i(write & exists & bit_set & (csr_num == `TALLY_CSR_MCOUNTERINEN
                                        | csr_num == `TALLY_CSR_SCOUNTERINEN & wen[i]) ? bit_new : inten[i]));

// Mode filters: mhpmevent, mcyclecfg, minstretcfg; through sireg2 MINH keeps its value (docs/rulings.md, MINH
// below M-mode); the Andes masks, by S scountermask_s and _u under mcounterwen, never scountermask_m
// (docs/rulings.md, Andes counter writes); VS counts as S and VU as U there (docs/rulings.md, Andes and the
// hypervisor).
wire has_upper   = i > 5'd2 ? SSCOFPMF != 0 & programmable : SMCNTRPMF != 0 & exists;
wire upper_write = write & at_event & has_upper;
wire mask_m = csr_num == `TALLY_CSR_MCOUNTERMASK_M;
wire mask_s = csr_num == `TALLY_CSR_MCOUNTERMASK_S | csr_num == `TALLY_CSR_SCOUNTERMASK_S & wen[i];
wire mask_u = csr_num == `TALLY_CSR_MCOUNTERMASK_U | csr_num == `TALLY_CSR_SCOUNTERMASK_U & wen[i];
wire mask_write = write & exists & bit_set;
wire mask_new   = bit_new ^ !ANDES_SILICON;  // as xINH
wire minh_new  = upper_write & touched[62] & (mevent | mcfg) ? csr_op != 2'd3 & data[62]
               : mask_write & mask_m ? mask_new : minh[i];
wire sinh_new  = upper_write & touched[61] ? csr_op != 2'd3 & data[61] : mask_write & mask_s ? mask_new
    : sinh[i];
wire uinh_new  = upper_write & touched[60] ? csr_op != 2'd3 & data[60] : mask_write & mask_u ? mask_new
    : uinh[i];
wire vsinh_new = upper_write & touched[59] ? csr_op != 2'd3 & data[59] : mask_write & mask_s ? mask_new
    : vsinh[i];
wire vuinh_new = upper_write & touched[58] ? csr_op != 2'd3 & data[58] : mask_write & mask_u ? mask_new
    : vuinh[i];
prop_becomes minh_write (.clk(clk), .when_i(on), .value_i(minh[i]), .then_i(minh_new));
prop_becomes sinh_write (.clk(clk), .when_i(on), .value_i(sinh[i]), .then_i(sinh_new));
prop_becomes uinh_write (.clk(clk), .when_i(on), .value_i(uinh[i]), .then_i(uinh_new));
prop_becomes vsinh_write (.clk(clk), .when_i(on), .value_i(vsinh[i]), .then_i(vsinh_new & HYP));
prop_becomes vuinh_write (.clk(clk), .when_i(on), .value_i(vuinh[i]), .then_i(vuinh_new & HYP));
prop_becomes minh_kept_through_sireg (.clk(clk), .when_i(write & at_event & (sireg2 | sireg5)),
    .value_i(minh[i]), .then_i(minh[i]));
prop_becomes #(.W(5)) filters_written_only_by_rights (.clk(clk), .when_i(on & ~m & ~write), .value_i(filter),
    .then_i(filter));

// OF: every path that software has (the rest of the rule is in count.vh).
prop_becomes of_write (.clk(clk), .when_i(on), .value_i(flags[i]),
    .then_i(flag_write ? flag_new : flags[i] & ~flag_clear | overflows & HAS_FLAG[i]));

// The selector: mhpmevent, sireg2, shpmevent where mcounterwen lets. An unsupported selector reads back 0
// (docs/rulings.md, Event selectors). With XLEN 32 the selector is judged whole whenever one of its halves
// is written; of types 0 and 1 bits 55:32 are 0, so a write of the low half that leaves such a type clears
// them, and one of the high half does nothing (docs/pmu.md, Combined selectors).
wire event_write = write & programmable & (at_event | shpmevent & n == i & wen[i]);
wire [55:0] asked    = written({8'd0, selector});
wire [55:0] asked_of = RV32 & asked[19:16] != 4'd4 ? {24'd0, asked[31:0]} : asked;
prop_becomes #(.W(56)) selector_write (.clk(clk), .when_i(on), .value_i(selector),
    .then_i(~event_write | high & ~combined ? selector : legal(asked_of) ? asked_of : 56'd0));

// The program counter range: bit 0 of both bounds reads 0; bits of counters that are not there read 0
// (docs/pmu.md, Program counter range).
wire [63:0] bound_old = {{64 - XLEN{1'b0}}, csr_num == `TALLY_CSR_SHPMPCLO ? pc_low : pc_high};
wire [63:0] bound_new = written(bound_old) & ~64'd1;
prop_becomes #(.W(XLEN)) shpmpclo_write (.clk(clk), .when_i(on), .value_i(pc_low),
    .then_i(write & PCRANGE & csr_num == `TALLY_CSR_SHPMPCLO ? bound_new[XLEN-1:0] : pc_low));
prop_becomes #(.W(XLEN)) shpmpchi_write (.clk(clk), .when_i(on), .value_i(pc_high),
    .then_i(write & PCRANGE & csr_num == `TALLY_CSR_SHPMPCHI ? bound_new[XLEN-1:0] : pc_high));
prop_becomes shpmpcsel_write (.clk(clk), .when_i(on), .value_i(pc_range[i]),
    .then_i(write & PCRANGE & programmable & bit_set & (m | shared[i]) & csr_num == `TALLY_CSR_SHPMPCSEL
            ? bit_new : pc_range[i]));

// Selects: 12 bits (docs/rulings.md, Select registers); with V=1 siselect's number accesses vsiselect.
wire is_siselect = csr_num == `TALLY_CSR_SISELECT;
wire [63:0] new_select = written({52'd0, csr_num == `TALLY_CSR_MISELECT ? miselect
                                       : is_siselect & ~csr_v ? siselect : vsiselect});
prop_becomes #(.W(12)) miselect_write (.clk(clk), .when_i(on), .value_i(miselect),
    .then_i(write & csr_num == `TALLY_CSR_MISELECT ? new_select[11:0] : miselect));
prop_becomes #(.W(12)) siselect_write (.clk(clk), .when_i(on), .value_i(siselect),
    .then_i(write & is_siselect & ~csr_v ? new_select[11:0] : siselect));
prop_becomes #(.W(12)) vsiselect_write (.clk(clk), .when_i(on), .value_i(vsiselect),
    .then_i(write & (is_siselect & csr_v | csr_num == `TALLY_CSR_VSISELECT) ? new_select[11:0] : vsiselect));

// Without delegation (CDE and mcounteren, or mcounterwen) nothing that S- or U-mode does changes how a
// counter counts: its controls stay, its range does not act, and it counts on (docs/rulings.md, Custom
// counter controls below M-mode).
wire [62:0] control = {inhibit[i], inten[i], filter, selector};
wire        alone   = on & csr_valid & ~m & ~shared[i];
prop_becomes #(.W(63)) undelegated_controls_stay (.clk(clk), .when_i(alone), .value_i(control),
    .then_i(control));
prop_becomes #(.W(65)) undelegated_counter_counts_on (.clk(clk), .when_i(alone), .value_i({flags[i], count}),
    .then_i({flags[i] | overflows & HAS_FLAG[i], sum[63:0] & (exists ? width : 64'd0)}));
prop_holds undelegated_counter_sees_every_lane (.when_i(up & ~shared[i]), .holds_i(&sees));

// A refused access changes nothing: one that hardware alone would not have changed (all of the above say it
// for their piece; this says it for all of them at once).
wire [102:0] controls = {pc_range[i], mcounteren[i], scounteren[i], inhibit[i], wen[i], inten[i], filter,
    selector, miselect,
                         siselect, vsiselect};
prop_becomes #(.W(103)) refused_changes_nothing (.clk(clk), .when_i(on & csr_valid & ~ok), .value_i(controls),
    .then_i(controls));
prop_becomes #(.W(103)) read_changes_nothing (.clk(clk), .when_i(on & csr_valid & rd), .value_i(controls),
    .then_i(controls));
// After reset everything is 0 (docs/rulings.md, Reset), the proposal's masks all ones (Andes masks).
prop_becomes #(.W(168)) reset_is_zero (.clk(clk), .when_i(rst), .value_i({controls, flags[i], count}),
    .then_i(168'd0));
