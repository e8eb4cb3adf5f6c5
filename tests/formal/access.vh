// SPDX-License-Identifier: Apache-2.0
// Access rights. Part of pmu_formal. Each table of the documents is one property: the answer, for
// every mode and every state, to an access of one kind.

wire mc = mcounteren[n], sc = scounteren[n], hc = env_hcounteren[n];

// The right to read counter i, in this order (privileged manual, Counter-Enable registers).
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

// The user's numbers are read-only (privileged manual, CSR Address Mapping Conventions). With the Andes view
// S-mode writes them where mcounterwen[i]=1 (docs/rulings.md, Andes counter writes; V=1: Andes and the
// hypervisor), and below M mstateen0.C (Custom state). mcounteren[i] is about reads alone.
wire open = ANDES & ANDES_SWRITE & wen[n] & n != 5'd1 & (m | custom);
reg [1:0] may_write;
always @* begin
  if (~open)      may_write = ILLEGAL;
  else if (m)     may_write = OK;
  else if (csr_v) may_write = VIRTUAL;
  else if (s)     may_write = OK;
  else            may_write = ILLEGAL;
end
prop_holds user_counter_write (.when_i(answers & user & wr), .holds_i(answer == may_write));

// High halves are for RV32 only: on RV64 the unit does not answer (privileged manual, Hardware Performance
// Monitor). 0xB01, 0xB81 and 0x720 are no registers.
prop_holds no_high_half_on_rv64 (.when_i(answers & !RV32 & (user_high | count_high | event_high)),
    .holds_i(answer == NONE));
prop_holds reserved_numbers (
    .when_i(answers & ((count_low | count_high) & n == 5'd1 | event_high & n == 5'd0)),
    .holds_i(answer == NONE));
// mhpmevent3h: RV32 and Sscofpmf; mcyclecfg: Smcntrpmf
prop_holds event_half_needs_sscofpmf (.when_i(answers & !SSCOFPMF & event_high & n > 5'd2),
    .holds_i(answer == NONE));
prop_holds cfg_needs_smcntrpmf (.when_i(answers & !SMCNTRPMF & (event_low | event_high) & (n == 5'd1
    | n == 5'd2)), .holds_i(answer == NONE));

// Machine CSRs (address bits 9:8 = 11) are for M-mode only (privileged manual, CSR Address Mapping
// Conventions); other modes read and change nothing.
wire machine = mcount | mcfg | mevent | mcountinhibit | csr_num == `TALLY_CSR_MCOUNTEREN
             | SMCSRIND & csr_num == `TALLY_CSR_MISELECT
             | ANDES & (csr_num == `TALLY_CSR_MCOUNTERWEN | csr_num == `TALLY_CSR_MCOUNTERINEN
                       | csr_num == `TALLY_CSR_MCOUNTERMASK_M | csr_num == `TALLY_CSR_MCOUNTERMASK_S
                       | csr_num == `TALLY_CSR_MCOUNTERMASK_U | csr_num == `TALLY_CSR_MCOUNTEROVF);
prop_holds machine_registers (.when_i(answers & machine), .holds_i(answer == (m ? OK : ILLEGAL)));
prop_holds mmsc_cfg_read_only (.when_i(answers & ANDES & csr_num == `TALLY_CSR_MMSC_CFG),
    .holds_i(answer == (m & rd ? OK : ILLEGAL)));
// The unit has no M-level selects, and an absent select is illegal (docs/rulings.md, Select registers).
prop_holds mireg_selects_nothing (.when_i(answers & SMCSRIND & mireg_any), .holds_i(answer == ILLEGAL));

// scounteren is one register for V=0 and V=1 (privileged manual, Hypervisor Extension).
prop_holds scounteren_access (.when_i(answers & csr_num == `TALLY_CSR_SCOUNTEREN),
    .holds_i(answer == (m | s | vs ? OK : vu ? VIRTUAL : ILLEGAL)));

// scountovf: read-only; illegal from U-mode, virtual from VU; virtual from VS with CDE=1 (Sscofpmf;
// Smcdeleg/Ssccfg).
prop_holds scountovf_access (.when_i(answers & SSCOFPMF & csr_num == `TALLY_CSR_SCOUNTOVF),
    .holds_i(answer == (wr | u ? ILLEGAL : vu | vs & cde ? VIRTUAL : OK)));

// scountinhibit: illegal with CDE=0, from M-mode too; with CDE=1 virtual from VS and VU, illegal from U
// (Smcdeleg/Ssccfg).
prop_holds scountinhibit_access (.when_i(answers & SMCDELEG & csr_num == `TALLY_CSR_SCOUNTINHIBIT),
    .holds_i(answer == (~cde | u ? ILLEGAL : csr_v ? VIRTUAL : OK)));

// Indirect access (Smcsrind/Sscsrind): exceptions in their order of priority, up to those of the selected
// register.
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

// sireg* with select 0x40 to 0x5F from M or S (Smcdeleg/Ssccfg) is illegal: with CDE=0, from M-mode too;
// sireg3 and sireg6; sireg4 and sireg5 with XLEN 64; select 0x41; where mcounteren[i]=0; where Smcntrpmf or
// Sscofpmf is missing. Any other select is illegal (docs/rulings.md, Select registers).
wire there_count = sireg | sireg4 & RV32;
wire there_event = (sireg2 | sireg5 & RV32) & (at < 5'd3 ? SMCNTRPMF : sireg2 | SSCOFPMF);
wire window_there = at != 5'd1 & (there_count | there_event);
prop_holds sireg_window (.when_i(answers & SMCSRIND & sireg_any & ~gated & (m | s)),
    .holds_i(answer == (window & window_there & delegated[at] ? OK : ILLEGAL)));
// V=1: siselect's number is vsiselect. From VS sireg* is illegal with CDE=0, virtual with CDE=1
// (Smcdeleg/Ssccfg); other selects are illegal (docs/rulings.md, Select registers).
prop_holds sireg_in_vs (.when_i(answers & SMCSRIND & sireg_any & ~gated & vs),
    .holds_i(answer == ((vsiselect & 12'hFE0) == `TALLY_COUNTER_SELECT & cde ? VIRTUAL : ILLEGAL)));

// The numbers of vsiselect and vsireg*: virtual from VS and VU, illegal from U, mstateen0 first
// (Smcsrind/Sscsrind); from M and HS vsireg* is illegal (Smcdeleg/Ssccfg).
prop_holds vsiselect_access (.when_i(answers & SMCSRIND & HYP & csr_num == `TALLY_CSR_VSISELECT),
    .holds_i(answer == (m ? OK : ~csrind | u ? ILLEGAL : csr_v ? VIRTUAL : OK)));
prop_holds vsireg_access (.when_i(answers & SMCSRIND & HYP & vsireg_any),
    .holds_i(answer == (~m & csrind & csr_v ? VIRTUAL : ILLEGAL)));

// The Andes registers of S-mode: readable without mcounterwen (docs/rulings.md, Andes counter writes);
// custom state, so under mstateen0.C with Smstateen (docs/rulings.md, Custom state); V=1: docs/rulings.md,
// Andes and the hypervisor.
wire andes_reg = ANDES & (andes_s & n != 5'd1 & n != 5'd2 | csr_num == `TALLY_CSR_SCOUNTERINEN
               | csr_num == `TALLY_CSR_SCOUNTERMASK_M | csr_num == `TALLY_CSR_SCOUNTERMASK_S
               | csr_num == `TALLY_CSR_SCOUNTERMASK_U | csr_num == `TALLY_CSR_SCOUNTEROVF);
prop_holds andes_supervisor_registers (.when_i(answers & andes_reg),
    .holds_i(answer == (m ? OK : ~custom | u ? ILLEGAL : csr_v ? VIRTUAL : OK)));

// The unit's own supervisor CSRs are custom state: where mstateen0 closes them they are illegal, where
// hstateen0 does, for V=1, virtual (Smstateen).
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
           | SMCSRIND & HYP & (csr_num == `TALLY_CSR_VSISELECT | vsireg_any) | andes_reg | own_reg
           | ebb_register | SSPESA & (csr_num == `TALLY_CSR_SHPMSPC | csr_num == `TALLY_CSR_SHPMSDATA);
prop_holds nothing_else_answers (.when_i(answers & ~owned), .holds_i(answer == NONE));

// A refused access shows nothing (docs/pmu.md), and has one exception, not two.
prop_holds refused_reads_zero (
    .when_i(answers & ~ok & (hit | !CSR_PIPELINE)), .holds_i(rdata == {XLEN{1'b0}})
);
prop_holds one_exception (.when_i(answers & (illegal | virt)), .holds_i(hit & (illegal ^ virt)));
