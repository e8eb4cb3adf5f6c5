// SPDX-License-Identifier: Apache-2.0
// tally_pmu_access_decode - the number of a CSR access: which state, in which view.
//
// Every number of the unit is decoded here: direct CSRs, their RV32 halves, the sireg windows, the delegated
// and the Andes views, and the registers of sampling. Each becomes a word of state, the index of a counter, a
// half, the part of it that the view shows, and its access rule.
//
// Combinational. Numbers: spec/csr. Sections: privileged manual, Hardware Performance Monitor; Smcsrind and
// Sscsrind; Smcdeleg and Ssccfg; event sampling draft, CSRs; docs/rulings.md, Custom CSR numbers, Andes
// names and numbers, EBB registers.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_access_decode #(
    parameter XLEN = 64,
    parameter [0:0] SSCOFPMF  = 1'b1,
    parameter [0:0] SMCNTRPMF = 1'b1,
    parameter [0:0] SMCSRIND  = 1'b1,
    parameter [0:0] SMCDELEG  = 1'b1,
    parameter [0:0] HYP       = 1'b0,
    parameter [0:0] ANDES     = 1'b0,
    parameter [0:0] SWEVENT   = 1'b1,
    parameter [0:0] PCRANGE   = 1'b0,
    parameter [0:0] SSPESA    = 1'b0,
    parameter [0:0] SMPDIS    = 1'b0,
    parameter       PDIS_MEM  = 2,
    parameter [0:0] EBB       = 1'b0
) (
    input  wire [11:0] num_i,
    input  wire        guest_i,      // V=1
    input  wire [11:0] siselect_i,
    input  wire [11:0] vsiselect_i,
    input  wire [4:0]  uebbsel_i,
    output wire        hit_o,        // the number is the unit's
    output wire [17:0] named_o,      // state of counting, in a unit that has everything
    output wire [3:0]  rule_o,
    output wire [4:0]  index_o,
    output wire        window_o,     // siselect or uebbsel names the counter,
    output wire [4:0]  window_index_o,  // ... this one,
    output wire [4:0]  counter_o,    // ... else the number: this one
    output wire        high_o,       // upper half, RV32
    output reg         window_ok_o,  // sireg*: the selected register of counting exists
    output reg         upper_o,      // mhpmevent and the like: the view has the upper byte
    output reg         swinc_o,      // shpmswinc
    output reg         mmsc_o,       // mmsc_cfg
    output reg         enabled_o,    // a vector's view shows and writes only bits that mcounteren has
    output reg         own_o,        // ... may write only bits that mcounterwen has
    output reg         no_write_o,   // ... or none at all
    output wire        sample_o,     // a register of sampling or of event-based branches:
    output wire        ebb_o,           // ... of the latter
    output wire [3:0]  sample_word_o,
    output wire [3:0]  sample_part_o,   // S_DATA: this word
    output reg         machine_view_o,  // S_CTL: mpdisctl
    output reg         guest_view_o,    // ... vspdisctl
    output wire        ebb_count_o,     // uebbcnt, uebbcnth
    output wire [1:0]  ebb_rule_o
);
`include "tally_pmu_access.vh"

  localparam RV32  = XLEN == 32;
  localparam AMB   = SMPDIS && PDIS_MEM != 0;    // there is a buffer in memory
  localparam SLOTS = SMPDIS && PDIS_MEM != 1;    // there are sample registers
  localparam [11:0] COUNTERS = `TALLY_COUNTER_SELECT;  // the first of 32 selects
  localparam [11:0] RECORD   = `TALLY_RECORD_SELECT;   // ... of two

  localparam [11:0] A_USER = `TALLY_CSR_CYCLE, A_USERH = `TALLY_CSR_CYCLEH, A_MCOUNT = `TALLY_CSR_MCYCLE,
                    A_MCOUNTH = `TALLY_CSR_MCYCLEH, A_MEVENT = `TALLY_CSR_MCOUNTINHIBIT,
                    A_MEVENTH = `TALLY_CSR_MCYCLECFGH, A_SEVENT = `TALLY_CSR_SCOUNTERINHIBIT,
                    WINDOW = `TALLY_CSR_SIREG;  // sireg* are in eight numbers

  wire [4:0] low    = num_i[4:0];
  wire       select = siselect_i[11:5] == COUNTERS[11:5] & siselect_i[4:0] != 5'd1;

  reg  [3:0] sampling_word;

  // Sample registers: six behind each select. The numbers of a window end in 1, 2, 3, 5, 6, 7.
  wire        v_window  = num_i[11:3] != WINDOW[11:3];
  wire        v_select  = HYP && (guest_i | v_window);
  wire        odd       = v_select ? vsiselect_i[0] : siselect_i[0];
  wire        of_sample = (v_select ? vsiselect_i[11:1] : siselect_i[11:1]) == RECORD[11:1];
  wire [2:0]  nth       = num_i[2:0] - (num_i[2] ? 3'd2 : 3'd1);
  assign sample_part_o  = !SLOTS || sampling_word != S_DATA ? NO_PART
                        : odd ? {1'b0, nth} + 4'd6 : {1'b0, nth};

  // The counter does not wait for the case below. The configuration of counter 0 has the number of event 1.
  wire events = num_i[11:5] == A_MEVENT[11:5] | num_i[11:5] == A_MEVENTH[11:5];

  // The counter of a window: of siselect, of uebbsel.
  assign ebb_count_o    = EBB && (num_i == `TALLY_CSR_UEBBCNT | num_i == `TALLY_CSR_UEBBCNTH);
  assign window_o       = num_i[11:3] == WINDOW[11:3] | ebb_count_o;
  assign window_index_o = EBB && num_i[11] ? uebbsel_i : siselect_i[4:0];
  assign counter_o      = {num_i[4:1], num_i[0] & ~(events & num_i[4:1] == 4'd0)};
  assign index_o        = window_o ? window_index_o : counter_o;

  reg        hit, high, window_sample, sample_register, sample_high;
  reg [17:0] named;
  reg  [3:0] rule, sample_rule;
  always @* begin
    hit           = 1'b0;
    named         = W_ZERO;
    rule          = R_M;
    high          = 1'b0;
    window_ok_o   = 1'b0;
    upper_o       = 1'b1;
    swinc_o       = 1'b0;
    mmsc_o        = 1'b0;
    enabled_o     = 1'b0;
    own_o         = 1'b0;
    no_write_o    = 1'b0;
    window_sample = 1'b0;
    case (num_i[11:5])
      A_USER[11:5], A_USERH[11:5]: begin
        high    = num_i[11:5] == A_USERH[11:5];
        hit     = RV32 | ~high;
        named   = low == 5'd1 ? W_TIME : W_COUNT;
        rule    = R_USER;
      end
      A_MCOUNT[11:5], A_MCOUNTH[11:5]: begin
        high    = num_i[11:5] == A_MCOUNTH[11:5];
        hit     = (RV32 | ~high) & low != 5'd1;
        named   = W_COUNT;
      end
      A_MEVENT[11:5], A_MEVENTH[11:5]: begin
        high    = num_i[11:5] == A_MEVENTH[11:5];
        named   = W_EVENT;
        if (low == 5'd0) begin
          hit     = ~high;
          named   = W_INHIBIT;
        end else if (low < 5'd3) begin
          hit = SMCNTRPMF & (RV32 | ~high);
        end else begin
          hit = ~high | (RV32 && SSCOFPMF);
        end
      end
      A_SEVENT[11:5]: begin
        hit     = ANDES & low != 5'd1 & low != 5'd2;
        named   = low == 5'd0 ? W_INHIBIT : W_EVENT;
        rule    = R_ANDES;
        upper_o = 1'b0;
        own_o   = 1'b1;
      end
      default:
        case (num_i)
          `TALLY_CSR_MCOUNTEREN: begin
            hit     = 1'b1;
            named   = W_MCOUNTEREN;
          end
          `TALLY_CSR_SCOUNTEREN: begin
            hit     = 1'b1;
            named   = W_SCOUNTEREN;
            rule    = R_S;
          end
          `TALLY_CSR_SCOUNTOVF: begin
            hit     = SSCOFPMF;
            named   = W_FLAGS;
            rule    = R_OVERFLOW;
          end
          `TALLY_CSR_SCOUNTINHIBIT: begin
            hit       = SMCDELEG;
            named     = W_INHIBIT;
            rule      = R_DELEGATED;
            enabled_o = 1'b1;
          end

          `TALLY_CSR_MISELECT: begin
            hit     = SMCSRIND;
            named   = W_MISELECT;
          end
          `TALLY_CSR_MIREG, `TALLY_CSR_MIREG2, `TALLY_CSR_MIREG3,
          `TALLY_CSR_MIREG4, `TALLY_CSR_MIREG5, `TALLY_CSR_MIREG6: begin
            hit  = SMCSRIND;
            rule = R_NEVER;
          end
          `TALLY_CSR_SISELECT: begin
            hit     = SMCSRIND;
            named   = W_SISELECT;
            rule    = R_SELECT;
          end
          `TALLY_CSR_SIREG, `TALLY_CSR_SIREG4: begin
            hit           = SMCSRIND;
            named         = W_COUNT;
            rule          = R_WINDOW;
            window_sample = SLOTS & of_sample;
            high          = num_i == `TALLY_CSR_SIREG4 & ~window_sample;
            window_ok_o   = select & (RV32 | ~high);
          end
          `TALLY_CSR_SIREG2, `TALLY_CSR_SIREG5: begin
            hit           = SMCSRIND;
            named         = W_EVENT;
            rule          = R_WINDOW;
            window_sample = SLOTS & of_sample;
            high          = num_i == `TALLY_CSR_SIREG5 & ~window_sample;
            window_ok_o   = select & (siselect_i[4:0] < 5'd3 ? SMCNTRPMF & (RV32 | ~high)
                                                   : ~high | (RV32 && SSCOFPMF));
          end
          `TALLY_CSR_SIREG3, `TALLY_CSR_SIREG6: begin
            hit           = SMCSRIND;
            rule          = R_WINDOW;
            window_sample = SLOTS & of_sample;
          end
          `TALLY_CSR_VSISELECT: begin
            hit     = SMCSRIND && HYP;
            named   = W_VSISELECT;
            rule    = R_VSELECT;
          end
          `TALLY_CSR_VSIREG, `TALLY_CSR_VSIREG2, `TALLY_CSR_VSIREG3,
          `TALLY_CSR_VSIREG4, `TALLY_CSR_VSIREG5, `TALLY_CSR_VSIREG6: begin
            hit           = SMCSRIND && HYP;
            rule          = R_VWINDOW;
            window_sample = SLOTS & HYP & of_sample;
          end

          `TALLY_CSR_SHPMSWINC: begin
            hit     = SWEVENT;
            swinc_o = 1'b1;
            rule    = R_CUSTOM;
          end
          `TALLY_CSR_SHPMPCSEL: begin
            hit     = PCRANGE;
            named   = W_PC_RANGE;
            rule    = R_CUSTOM;
          end
          `TALLY_CSR_SHPMPCLO: begin
            hit     = PCRANGE;
            named   = W_PC_LOW;
            rule    = R_CUSTOM;
          end
          `TALLY_CSR_SHPMPCHI: begin
            hit     = PCRANGE;
            named   = W_PC_HIGH;
            rule    = R_CUSTOM;
          end

          `TALLY_CSR_MCOUNTERWEN: begin
            hit     = ANDES;
            named   = W_WEN;
          end
          `TALLY_CSR_MCOUNTERINEN, `TALLY_CSR_SCOUNTERINEN: begin
            hit     = ANDES;
            named   = W_INTEN;
            rule    = num_i == `TALLY_CSR_SCOUNTERINEN ? R_ANDES : R_M;
            own_o   = num_i == `TALLY_CSR_SCOUNTERINEN;
          end
          `TALLY_CSR_MCOUNTERMASK_M, `TALLY_CSR_SCOUNTERMASK_M: begin
            hit        = ANDES;
            named      = W_MASK_M;
            rule       = num_i == `TALLY_CSR_SCOUNTERMASK_M ? R_ANDES : R_M;
            no_write_o = num_i == `TALLY_CSR_SCOUNTERMASK_M;
          end
          `TALLY_CSR_MCOUNTERMASK_S, `TALLY_CSR_SCOUNTERMASK_S: begin
            hit     = ANDES;
            named   = W_MASK_S;
            rule    = num_i == `TALLY_CSR_SCOUNTERMASK_S ? R_ANDES : R_M;
            own_o   = num_i == `TALLY_CSR_SCOUNTERMASK_S;
          end
          `TALLY_CSR_MCOUNTERMASK_U, `TALLY_CSR_SCOUNTERMASK_U: begin
            hit     = ANDES;
            named   = W_MASK_U;
            rule    = num_i == `TALLY_CSR_SCOUNTERMASK_U ? R_ANDES : R_M;
            own_o   = num_i == `TALLY_CSR_SCOUNTERMASK_U;
          end
          `TALLY_CSR_MCOUNTEROVF, `TALLY_CSR_SCOUNTEROVF: begin
            hit     = ANDES;
            named   = W_FLAGS;
            rule    = num_i == `TALLY_CSR_SCOUNTEROVF ? R_ANDES : R_M;
            own_o   = num_i == `TALLY_CSR_SCOUNTEROVF;
          end
          `TALLY_CSR_MMSC_CFG: begin
            hit    = ANDES;
            mmsc_o = 1'b1;
          end

          default: ;
        endcase
    endcase
  end

  // Registers of sampling. A case of its own: as a default of the one above it makes Verilator take a hundred
  // times as long.
  wire [11:0] sample_num = SSPESA || SMPDIS ? num_i : 12'd0;
  always @* begin
    sample_register = 1'b0;
    sample_rule     = R_M;
    sample_high     = 1'b0;
    sampling_word   = S_DATA;
    machine_view_o  = 1'b0;
    guest_view_o    = 1'b0;
    case (sample_num)
      `TALLY_CSR_SHPMSPC, `TALLY_CSR_SHPMSDATA: begin
        sample_register = SSPESA;
        sampling_word   = sample_num == `TALLY_CSR_SHPMSPC ? S_PESA_PC : S_PESA_DATA;
        sample_rule     = R_PESA;
      end
      `TALLY_CSR_MPDISCTL, `TALLY_CSR_MPDISCTLH: begin
        sample_high     = sample_num == `TALLY_CSR_MPDISCTLH;
        sample_register = SMPDIS & (RV32 | ~sample_high);
        sampling_word   = S_CTL;
        machine_view_o  = 1'b1;
      end
      `TALLY_CSR_SPDISCTL, `TALLY_CSR_SPDISCTLH: begin
        sample_high     = sample_num == `TALLY_CSR_SPDISCTLH;
        sample_register = SMPDIS & (RV32 | ~sample_high);
        sampling_word   = S_CTL;
        guest_view_o    = guest_i;
        sample_rule     = R_SAMPLING;
      end
      `TALLY_CSR_VSPDISCTL, `TALLY_CSR_VSPDISCTLH: begin
        sample_high     = sample_num == `TALLY_CSR_VSPDISCTLH;
        sample_register = SMPDIS & HYP & (RV32 | ~sample_high);
        sampling_word   = S_CTL;
        guest_view_o    = 1'b1;
        sample_rule     = R_VSAMPLING;
      end
      `TALLY_CSR_SPDISCOUNTER, `TALLY_CSR_SPDISCOUNTERH: begin
        sample_high     = sample_num == `TALLY_CSR_SPDISCOUNTERH;
        sample_register = SMPDIS & (RV32 | ~sample_high);
        sampling_word   = S_COUNTER;
        sample_rule     = R_SAMPLING;
      end
      `TALLY_CSR_SPDISEVMASK, `TALLY_CSR_SPDISEVMASKH: begin
        sample_high     = sample_num == `TALLY_CSR_SPDISEVMASKH;
        sample_register = SMPDIS & (RV32 | ~sample_high);
        sampling_word   = S_EVMASK;
        sample_rule     = R_SAMPLING;
      end
      `TALLY_CSR_SPDISEVMATCH, `TALLY_CSR_SPDISEVMATCHH: begin
        sample_high     = sample_num == `TALLY_CSR_SPDISEVMATCHH;
        sample_register = SMPDIS & (RV32 | ~sample_high);
        sampling_word   = S_EVMATCH;
        sample_rule     = R_SAMPLING;
      end
      `TALLY_CSR_SPDISFILTER: begin
        sample_register = SMPDIS;
        sampling_word   = S_FILTER;
        sample_rule     = R_SAMPLING;
      end
      `TALLY_CSR_SPDISAMBCS, `TALLY_CSR_SPDISAMBCSH: begin
        sample_high     = sample_num == `TALLY_CSR_SPDISAMBCSH;
        sample_register = AMB & (RV32 | ~sample_high);
        sampling_word   = S_AMBCS;
        sample_rule     = R_SAMPLING;
      end
      `TALLY_CSR_SPDISAMBADDR: begin
        sample_register = AMB;
        sampling_word   = S_AMBADDR;
        sample_rule     = R_SAMPLING;
      end
      default: ;
    endcase
  end

  // Registers of event-based branches; uebbcnt is a counter.
  wire [11:0] ebb_num = EBB ? num_i : 12'd0;
  reg         ebb_register;
  reg  [3:0]  ebb_word;
  reg  [1:0]  ebb_rule;
  always @* begin
    ebb_register = 1'b1;
    ebb_rule     = E_WINDOW;
    ebb_word     = B_STATUS;
    case (ebb_num)
      `TALLY_CSR_MEBBCTL: begin
        ebb_word = B_MACHINE;
        ebb_rule = E_NONE;
      end
      `TALLY_CSR_SEBBCTL: begin
        ebb_word = B_SUPERVISOR;
        ebb_rule = E_SUPERVISOR;
      end
      `TALLY_CSR_UBESCR: ebb_rule = E_USER;
      `TALLY_CSR_UEBBHR: begin
        ebb_word = B_HANDLER;
        ebb_rule = E_USER;
      end
      `TALLY_CSR_UEBBRR: begin
        ebb_word = B_RETURN;
        ebb_rule = E_USER;
      end
      `TALLY_CSR_UEBBOVF: ebb_word = B_FLAGS;
      `TALLY_CSR_UEBBINH: ebb_word = B_INHIBIT;
      `TALLY_CSR_UEBBSEL: ebb_word = B_SELECT;
      `TALLY_CSR_UEBBSPC: begin
        ebb_word     = B_PC;
        ebb_register = SSPESA;
      end
      default: begin
        ebb_register = 1'b0;
        ebb_rule     = ebb_count_o ? E_WINDOW : E_NONE;
      end
    endcase
  end

  // No number is in two of these; others are R_M, 0.
  wire   ebb_hit       = ebb_count_o & (RV32 | ~num_i[0]);
  assign sample_o      = window_sample | sample_register | ebb_o;
  assign ebb_o         = EBB & ebb_register;
  assign sample_word_o = ebb_o ? ebb_word : sampling_word;
  assign hit_o         = hit | sample_o | ebb_hit;
  assign named_o       = ebb_hit ? W_COUNT : named;
  assign rule_o        = rule | sample_rule;
  assign high_o        = high | sample_high | ebb_count_o & num_i[0];
  assign ebb_rule_o    = EBB ? ebb_rule : E_NONE;

  wire unused_ok = &{1'b0, guest_i, vsiselect_i, uebbsel_i, v_select, odd, of_sample, nth};
endmodule

`default_nettype wire
