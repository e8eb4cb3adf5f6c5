// SPDX-License-Identifier: Apache-2.0
// Who may touch what. Part of pmu_formal. Each table of the documents is one property: the answer, for
// every mode and every state, to an access of one kind.

wire mc = mcounteren[n], sc = scounteren[n], hc = env_hcounteren[n];

// Facts 1.3, "who may read counter i": in this order.
reg [1:0] may_read;
always @* begin
  if (m)        may_read = OK;
  else if (~mc) may_read = ILLEGAL;
  else if (s)   may_read = OK;
  else if (u)   may_read = sc ? OK : ILLEGAL;
  else if (vs)  may_read = hc ? OK : VIRTUAL;
  else          may_read = hc & sc ? OK : VIRTUAL;
end
prop_holds user_counter_read (.when_i(answers & user & rd), .holds_i(answer == may_read));

// "Writes to 0xCxx are always Illegal" (facts 1.3); with the Andes view "honoured where mcounterwen[i]=1
// and illegal otherwise" (ruling 2), V=1: "Virtual when S-mode access would be legal, else Illegal" (facts
// 14, 62); mcounteren[i] is about reads alone (facts 1.3).
wire open = ANDES & ANDES_SWRITE & wen[n] & n != 5'd1;
reg [1:0] may_write;
always @* begin
  if (~open)      may_write = ILLEGAL;
  else if (m)     may_write = OK;
  else if (csr_v) may_write = VIRTUAL;
  else if (s)     may_write = OK;
  else            may_write = ILLEGAL;
end
prop_holds user_counter_write (.when_i(answers & user & wr), .holds_i(answer == may_write));

// "On RV64 they are reserved": the unit does not answer to the high halves (facts 1.1). 0xB01, 0xB81, 0x720
// never.
prop_holds no_high_half_on_rv64 (.when_i(answers & !RV32 & (user_high | count_high | event_high)),
    .holds_i(answer == NONE));
prop_holds reserved_numbers (
    .when_i(answers & ((count_low | count_high) & n == 5'd1 | event_high & n == 5'd0)),
    .holds_i(answer == NONE));
// "mhpmevent3h: RV32 and only if Sscofpmf"; mcyclecfg: Smcntrpmf (facts 1.1)
prop_holds event_half_needs_sscofpmf (.when_i(answers & !SSCOFPMF & event_high & n > 5'd2),
    .holds_i(answer == NONE));
prop_holds cfg_needs_smcntrpmf (.when_i(answers & !SMCNTRPMF & (event_low | event_high) & (n == 5'd1
    | n == 5'd2)), .holds_i(answer == NONE));

// Machine CSRs: M-mode only (facts 1.1, 8.3: address bits 9:8 = 11); nobody else learns or changes anything.
wire machine = mcount | mcfg | mevent | mcountinhibit | csr_num == `TALLY_CSR_MCOUNTEREN
             | SMCSRIND & csr_num == `TALLY_CSR_MISELECT
             | ANDES & (csr_num == `TALLY_CSR_MCOUNTERWEN | csr_num == `TALLY_CSR_MCOUNTERINEN
                       | csr_num == `TALLY_CSR_MCOUNTERMASK_M | csr_num == `TALLY_CSR_MCOUNTERMASK_S
                       | csr_num == `TALLY_CSR_MCOUNTERMASK_U | csr_num == `TALLY_CSR_MCOUNTEROVF);
prop_holds machine_registers (.when_i(answers & machine), .holds_i(answer == (m ? OK : ILLEGAL)));
prop_holds mmsc_cfg_read_only (.when_i(answers & ANDES & csr_num == `TALLY_CSR_MMSC_CFG),
    .holds_i(answer == (m & rd ? OK : ILLEGAL)));
// The unit has no M-level selects: "unimplemented select value: Illegal" (facts 4).
prop_holds mireg_selects_nothing (.when_i(answers & SMCSRIND & mireg_any), .holds_i(answer == ILLEGAL));

// scounteren is one register for V=0 and V=1: "there is no VS copy" (facts 1.3).
prop_holds scounteren_access (.when_i(answers & csr_num == `TALLY_CSR_SCOUNTEREN),
    .holds_i(answer == (m | s | vs ? OK : vu ? VIRTUAL : ILLEGAL)));

// scountovf (facts 2.3): "Write => Illegal. U => Illegal. VU => Virtual"; "Virtual for VS/VU if CDE=1".
prop_holds scountovf_access (.when_i(answers & SSCOFPMF & csr_num == `TALLY_CSR_SCOUNTOVF),
    .holds_i(answer == (wr | u ? ILLEGAL : vu | vs & cde ? VIRTUAL : OK)));

// scountinhibit (facts 5): "CDE=0 -> Illegal (M included). CDE=1: VS/VU -> Virtual; U -> Illegal".
prop_holds scountinhibit_access (.when_i(answers & SMCDELEG & csr_num == `TALLY_CSR_SCOUNTINHIBIT),
    .holds_i(answer == (~cde | u ? ILLEGAL : csr_v ? VIRTUAL : OK)));

// Indirect access (facts 4): exceptions, in their order of priority, up to where the selected register
// decides.
reg       gated;       // one of the rules 1 to 3 answers
reg [1:0] gate;
always @* begin
  gated = 1'b1;
  gate  = ILLEGAL;
  if (m)              gated = 1'b0;
  else if (~csrind)   gate = ILLEGAL;
  else if (u)         gate = ILLEGAL;
  else if (vu)        gate = VIRTUAL;
  else if (vs & ~hcsrind) gate = VIRTUAL;
  else                gated = 1'b0;
end
prop_holds siselect_access (.when_i(answers & SMCSRIND & csr_num == `TALLY_CSR_SISELECT),
    .holds_i(answer == (gated ? gate : OK)));
prop_holds sireg_state_enable (.when_i(answers & SMCSRIND & sireg_any & gated), .holds_i(answer == gate));

// sireg* with select 0x40 to 0x5F from M or S (facts 5): "Illegal for: CDE=0 (M included); sireg3, sireg6;
// sireg4, sireg5 when XLEN=64; select 0x41; mcounteren[i]=0"; a missing dependency (Smcntrpmf, Sscofpmf) is
// Illegal. Any other select: "unimplemented select value: Illegal" (facts 4).
wire there_count = sireg | sireg4 & RV32;
wire there_event = (sireg2 | sireg5 & RV32) & (at < 5'd3 ? SMCNTRPMF : sireg2 | SSCOFPMF);
wire window_there = at != 5'd1 & (there_count | there_event);
prop_holds sireg_window (.when_i(answers & SMCSRIND & sireg_any & ~gated & (m | s)),
    .holds_i(answer == (window & window_there & delegated[at] ? OK : ILLEGAL)));
// V=1: siselect's number is vsiselect. "VS access to sireg* -> Illegal if CDE=0, Virtual if CDE=1" (facts
// 5), other selects Illegal (facts 4).
prop_holds sireg_in_vs (.when_i(answers & SMCSRIND & sireg_any & ~gated & vs),
    .holds_i(answer == (vsiselect[11:5] == 7'h02 & cde ? VIRTUAL : ILLEGAL)));

// "VS or VU directly using vsiselect/vsireg* numbers: Virtual" (facts 4), U Illegal, mstateen first; "M/HS
// access to vsireg* -> Illegal" (facts 5).
prop_holds vsiselect_access (.when_i(answers & SMCSRIND & HYP & csr_num == `TALLY_CSR_VSISELECT),
    .holds_i(answer == (m ? OK : ~csrind | u ? ILLEGAL : csr_v ? VIRTUAL : OK)));
prop_holds vsireg_access (.when_i(answers & SMCSRIND & HYP & vsireg_any),
    .holds_i(answer == (~m & csrind & csr_v ? VIRTUAL : ILLEGAL)));

// The Andes registers of S-mode: readable without mcounterwen (facts 14, 63); custom state, so with
// Smstateen under mstateen0.C (facts 6.2); V=1 Virtual where S-mode could, else Illegal (facts 14, 62).
wire andes_reg = ANDES & (andes_s & n != 5'd1 & n != 5'd2 | csr_num == `TALLY_CSR_SCOUNTERINEN
               | csr_num == `TALLY_CSR_SCOUNTERMASK_M | csr_num == `TALLY_CSR_SCOUNTERMASK_S
               | csr_num == `TALLY_CSR_SCOUNTERMASK_U | csr_num == `TALLY_CSR_SCOUNTEROVF);
prop_holds andes_supervisor_registers (.when_i(answers & andes_reg),
    .holds_i(answer == (m ? OK : ~custom | u ? ILLEGAL : csr_v ? VIRTUAL : OK)));

// The unit's own supervisor CSRs: custom state (facts 6.2): "blocking by mstateen -> Illegal; by hstateen
// for V=1 -> Virtual".
wire pc_reg  = PCRANGE & (csr_num == `TALLY_CSR_SHPMPCLO | csr_num == `TALLY_CSR_SHPMPCHI
                           | csr_num == `TALLY_CSR_SHPMPCSEL);
wire own_reg = SWEVENT & csr_num == `TALLY_CSR_SHPMSWINC | pc_reg;
prop_holds own_registers (.when_i(answers & own_reg),
    .holds_i(answer == (m ? OK : ~custom | u ? ILLEGAL : vu | vs & ~hcustom ? VIRTUAL : OK)));

// Nothing else is the unit's: an extension that is off is not there.
wire owned = user | machine | ANDES & csr_num == `TALLY_CSR_MMSC_CFG | SMCSRIND & mireg_any
           | csr_num == `TALLY_CSR_SCOUNTEREN | SSCOFPMF & csr_num == `TALLY_CSR_SCOUNTOVF
           | SMCDELEG & csr_num == `TALLY_CSR_SCOUNTINHIBIT
           | SMCSRIND & (csr_num == `TALLY_CSR_SISELECT | sireg_any)
           | SMCSRIND & HYP & (csr_num == `TALLY_CSR_VSISELECT | vsireg_any) | andes_reg | own_reg;
prop_holds nothing_else_answers (.when_i(answers & ~owned), .holds_i(answer == NONE));

// What is not granted shows nothing (docs/pmu.md), and has one exception, not two.
prop_holds refused_reads_zero (
    .when_i(answers & ~ok & (hit | !CSR_PIPELINE)), .holds_i(rdata == {XLEN{1'b0}})
);
prop_holds one_exception (.when_i(answers & (illegal | virt)), .holds_i(hit & (illegal ^ virt)));
