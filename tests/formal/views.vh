// SPDX-License-Identifier: Apache-2.0
// Values that accesses read. Part of pmu_formal. Every view is the state masked by its rule, so no two can
// disagree.

// The machine's register of each counter, and its views (Smcdeleg/Ssccfg; docs/rulings.md, Andes names and
// numbers). A read gives the value before this cycle's increments (docs/rulings.md, Counter reads).
wire may_see = ~(user & wr) | may_read == OK;
prop_holds count_view (.when_i(answers & ok & at_count & may_see),
    .holds_i(answer_data == seen(count)));
// S-mode writes where mcounterwen[i]=1 show nothing that could not be read (docs/rulings.md, Andes counter
// writes).
prop_holds blind_write_shows_nothing (.when_i(answers & ok & user & ~may_see),
    .holds_i(answer_data == 64'd0));
// time with V=1: htimedelta is added (privileged manual, Hypervisor Time Delta).
prop_holds time_view (.when_i(answers & ok & user & n == 5'd1),
    .holds_i(answer_data == seen(env_time + (csr_v ? env_htimedelta : 64'd0))));

// mhpmevent (Sscofpmf), mcyclecfg and minstretcfg (Smcntrpmf): OF, MINH, SINH, UINH, VSINH, VUINH, 0,
// selector. Through sireg2 MINH reads 0 (Smcdeleg/Ssccfg; docs/rulings.md, MINH below M-mode).
wire [5:0] upper = {flags[i] & i > 5'd2, filter} & {6{i > 5'd2 ? SSCOFPMF != 0 : SMCNTRPMF != 0}};
wire [63:0] event_register = {upper, 2'd0, selector};
prop_holds event_view (.when_i(answers & ok & at_event & (mevent | mcfg)),
    .holds_i(answer_data == seen(event_register)));
prop_holds event_view_hides_minh (.when_i(answers & ok & at_event & (sireg2 | sireg5)),
    .holds_i(answer_data == seen(event_register & ~(64'd1 << 62))));
// shpmevent: the selector alone (docs/rulings.md, Andes names and numbers)
prop_holds shpmevent_view (.when_i(answers & ok & shpmevent & n == i),
    .holds_i(answer_data == (andes_see[i] ? seen({8'd0, selector}) : 64'd0)));

// scountovf (Sscofpmf): bit n is OF of counter n, bits 2:0 read 0; S: OF & mcounteren, VS: & hcounteren.
prop_holds scountovf_masks (.when_i(answers & ok & csr_num == `TALLY_CSR_SCOUNTOVF),
    .holds_i(answer_data == {32'd0, flags & 32'hFFFF_FFF8 & (m ? ~32'd0 : mcounteren)
                                    & (vs ? env_hcounteren : ~32'd0)}));
// scountinhibit (Smcdeleg/Ssccfg): the delegated bits of mcountinhibit; others read 0.
prop_holds scountinhibit_masks (.when_i(answers & ok & csr_num == `TALLY_CSR_SCOUNTINHIBIT),
    .holds_i(answer_data == {32'd0, inhibit & delegated}));

// Whole vectors and their aliases (docs/rulings.md, Andes names and numbers; Custom counter controls below
// M-mode).
reg [31:0] vector;
reg        is_vector;
localparam [31:0] COUNTS = ANDES_SILICON ? 32'd0 : COUNTERS;  // docs/rulings.md, Andes masks
always @* begin
  is_vector = 1'b1;
  case (csr_num)
    `TALLY_CSR_MCOUNTEREN:                               vector = mcounteren;
    `TALLY_CSR_SCOUNTEREN:                               vector = scounteren;
    `TALLY_CSR_MCOUNTINHIBIT:                            vector = inhibit;
    `TALLY_CSR_SCOUNTERINHIBIT:                          vector = inhibit & andes_see;
    `TALLY_CSR_MCOUNTERWEN:                              vector = wen;
    `TALLY_CSR_MCOUNTERINEN:                             vector = inten;
    `TALLY_CSR_SCOUNTERINEN:                             vector = inten & andes_see;
    `TALLY_CSR_MCOUNTEROVF:                              vector = flags;
    `TALLY_CSR_SCOUNTEROVF:                              vector = flags & andes_see;
    `TALLY_CSR_MCOUNTERMASK_M:                           vector = minh ^ COUNTS;
    `TALLY_CSR_SCOUNTERMASK_M:                           vector = m ? minh ^ COUNTS : 32'd0;
    `TALLY_CSR_MCOUNTERMASK_S:                           vector = sinh ^ COUNTS;
    `TALLY_CSR_SCOUNTERMASK_S:                           vector = (sinh ^ COUNTS) & andes_see;
    `TALLY_CSR_MCOUNTERMASK_U:                           vector = uinh ^ COUNTS;
    `TALLY_CSR_SCOUNTERMASK_U:                           vector = (uinh ^ COUNTS) & andes_see;
    `TALLY_CSR_MISELECT:                                 vector = {20'd0, miselect};
    `TALLY_CSR_SISELECT:                                 vector = {20'd0, csr_v ? vsiselect : siselect};
    `TALLY_CSR_VSISELECT:                                vector = {20'd0, vsiselect};
    `TALLY_CSR_MMSC_CFG:                                 vector = 32'h8000;
    `TALLY_CSR_SHPMSWINC:                                vector = 32'd0;
    `TALLY_CSR_SHPMPCSEL:                                vector = pc_range & (m ? ~32'd0 : shared);
    default: begin
      is_vector = 1'b0;
      vector    = 32'd0;
    end
  endcase
end
prop_holds vector_view (.when_i(answers & ok & is_vector), .holds_i(answer_data == {32'd0, vector}));

// mcounteren.TM opens stimecmp to S-mode (Sstc); the host gets it by a port of its own (docs/integration.md).
prop_holds tm_is_shown_to_the_host (.when_i(up), .holds_i(tm == mcounteren[1]));

prop_holds pc_bound_view (.when_i(answers & ok & pc_reg & csr_num != `TALLY_CSR_SHPMPCSEL),
    .holds_i(rdata == (csr_num == `TALLY_CSR_SHPMPCLO ? pc_low : pc_high)));

// Absent counters are read-only 0, each bit of them everywhere (docs/rulings.md, Absent counters);
// mcounteren.TM exists. Flags and filters exist with their extension; xINH of an absent mode is read-only 0
// (Sscofpmf).
prop_holds absent_is_zero (.when_i(up & ~exists), .holds_i(count == 64'd0 & selector == 56'd0));
prop_holds absent_bits_are_zero (.when_i(up),
    .holds_i(((inhibit | wen | inten) & ~COUNTERS) == 32'd0 & ((mcounteren | scounteren) & ~(COUNTERS
        | 32'd2)) == 32'd0
             & (ANDES || (wen | inten) == 32'd0) & (flags & ~HAS_FLAG) == 32'd0
             & ((minh | sinh | uinh | vsinh | vuinh) & ~HAS_FILTER) == 32'd0 & (HYP || (vsinh
             | vuinh) == 32'd0)
             & (pc_range & ~(PCRANGE ? HPM : 32'd0)) == 32'd0 & ~pc_low[0] & ~pc_high[0]));
prop_holds fixed_counters_have_no_selector (.when_i(up & ~programmable), .holds_i(selector == 56'd0));
// A selector is in the list of events, or it is 0 (docs/rulings.md, Event selectors).
prop_holds selector_is_legal (.when_i(up), .holds_i(legal(selector)));

// A selector is stored in one place or another, never in two.
prop_holds one_selector (.when_i(up), .holds_i(simple == 56'd0 | combination == 56'd0));
