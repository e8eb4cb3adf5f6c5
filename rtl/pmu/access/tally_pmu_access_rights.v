// SPDX-License-Identifier: Apache-2.0
// tally_pmu_access_rights - decoding and rights of a CSR access.
//
// tally_pmu_access_decode finds the word, the counter and the view that the number names. A rule then gives
// the right (may, need_*), either outright or together with bits of the counter's enables; rules and enables
// are evaluated side by side. A refused access is a virtual-instruction exception where the rule says so
// (virt) and the mcounteren and mcounterwen bits that it needs are set; else it is illegal.
//
// Combinational. With CSR_PIPELINE the result goes through a row of registers (tally_pmu_access): it depends
// on nothing that changes during the access. Sections: privileged manual, Machine and Supervisor
// Counter-Enable; Sscofpmf, scountovf; Smcsrind and Sscsrind; Smcdeleg and Ssccfg; Smstateen; event sampling
// draft, State enable access control; docs/rulings.md, Custom state, The Andes view, EBB gates.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_access_rights #(
    parameter XLEN  = 64,
    parameter HPM_N = 29,
    parameter [0:0] SSCOFPMF     = 1'b1,
    parameter [0:0] SMCNTRPMF    = 1'b1,
    parameter [0:0] SMCSRIND     = 1'b1,
    parameter [0:0] SMCDELEG     = 1'b1,
    parameter [0:0] SMSTATEEN    = 1'b1,
    parameter [0:0] HYP          = 1'b0,
    parameter [0:0] ANDES        = 1'b0,
    parameter [0:0] ANDES_SWRITE = 1'b1,
    parameter [0:0] SWEVENT      = 1'b1,
    parameter [0:0] PCRANGE      = 1'b0,
    parameter [0:0] SSPESA       = 1'b0,
    parameter [0:0] SMPDIS       = 1'b0,
    parameter       PDIS_MEM     = 2,
    parameter [0:0] EBB          = 1'b0,
    parameter [0:0] CSR_PIPELINE = 1'b0,
    parameter       ACCESS_WIDTH = 92    // ACCESS_W; not to be changed at an instance
) (
    input  wire [11:0]             num_i,
    input  wire [1:0]              op_i,
    input  wire [1:0]              priv_i,
    input  wire                    v_i,

    // the hart's and the unit's registers that give rights
    input  wire                    env_cde_i,
    input  wire                    mstateen_csrind_i,
    input  wire                    hstateen_csrind_i,
    input  wire                    mstateen_c_i,
    input  wire                    hstateen_c_i,
    input  wire                    mstateen_pdis_i,
    input  wire                    hstateen_pdis_i,
    input  wire [31:0]             env_hcounteren_i,
    input  wire [11:0]             siselect_i,
    input  wire [11:0]             vsiselect_i,
    input  wire [4:0]              uebbsel_i,
    input  wire [31:0]             mcounteren_i,
    input  wire [31:0]             scounteren_i,
    input  wire [31:0]             wen_i,
    input  wire                    ebb_s_open_i,    // EBB: gates of S-mode,
    input  wire                    ebb_u_open_i,    // ... of U-mode,
    input  wire                    ebb_window_open_i,  // ... of the window
    input  wire                    ebb_selected_i,  // uebbsel names a routed counter

    // the counter, early in the cycle: with in_window_o window_index_o, that of siselect or uebbsel, else
    // counter_o
    output wire                    in_window_o,
    output wire [4:0]              window_index_o,
    output wire [4:0]              counter_o,
    output wire [ACCESS_WIDTH-1:0] access_o     // TALLY_PMU_ACCESS
);
`include "tally_pmu_access.vh"

  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] ENABLES = HPM | 32'h7, COUNTERS = HPM | 32'h5;
  localparam [31:0] ALL     = 32'hFFFF_FFFF;
  localparam [11:0] SELECT     = `TALLY_COUNTER_SELECT;   // the first of 32
  localparam [0:0]  USER_WRITE = ANDES & ANDES_SWRITE;
  localparam [1:0]  OP_SET     = 2'd2, OP_CLEAR = 2'd3;

  // ---- requesting mode. M-mode has no V=1, and without the H extension no mode has.
  wire m     = priv_i == 2'd3;
  wire guest = HYP ? v_i & ~m : 1'b0;
  wire s     = priv_i == 2'd1 & ~guest;
  wire u     = priv_i == 2'd0 & ~guest;
  wire vs    = priv_i == 2'd1 & guest;
  wire vu    = priv_i == 2'd0 & guest;
  wire write = op_i != 2'd0;

  // ---- decoding
  wire             hit, high, window_ok, upper, swinc, mmsc, only_enabled, own, no_write;
  wire             sample, ebb, machine_view, guest_view, ebb_count;
  wire [3:0]       sample_word, sample_part;
  wire [1:0]       ebb_rule;
  wire [WORDS-1:0] named;
  wire [3:0]       rule;
  wire [4:0]       index;
  tally_pmu_access_decode #(
      .XLEN(XLEN), .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .SMCSRIND(SMCSRIND), .SMCDELEG(SMCDELEG),
      .HYP(HYP), .ANDES(ANDES), .SWEVENT(SWEVENT), .PCRANGE(PCRANGE), .SSPESA(SSPESA), .SMPDIS(SMPDIS),
      .PDIS_MEM(PDIS_MEM), .EBB(EBB)
  ) u_decode (
      .num_i(num_i),
      .guest_i(guest),
      .siselect_i(siselect_i),
      .vsiselect_i(vsiselect_i),
      .uebbsel_i(uebbsel_i),
      .hit_o(hit),
      .named_o(named),
      .rule_o(rule),
      .index_o(index),
      .window_o(in_window_o),
      .window_index_o(window_index_o),
      .counter_o(counter_o),
      .high_o(high),
      .window_ok_o(window_ok),
      .upper_o(upper),
      .swinc_o(swinc),
      .mmsc_o(mmsc),
      .enabled_o(only_enabled),
      .own_o(own),
      .no_write_o(no_write),
      .sample_o(sample),
      .ebb_o(ebb),
      .sample_word_o(sample_word),
      .sample_part_o(sample_part),
      .machine_view_o(machine_view),
      .guest_view_o(guest_view),
      .ebb_count_o(ebb_count),
      .ebb_rule_o(ebb_rule)
  );

  // Without these options a number is not the unit's. tally_pmu_access_decode says so too; named here, the
  // logic of words that are absent goes.
  localparam [WORDS-1:0] ABSENT = (ANDES ? W_ZERO : W_WEN | W_INTEN | W_MASK_M | W_MASK_S | W_MASK_U)
                                | (PCRANGE ? W_ZERO : W_PC_RANGE | W_PC_LOW | W_PC_HIGH)
                                | (HYP ? W_ZERO : W_VSISELECT)
                                | (SMCSRIND ? W_ZERO : W_MISELECT | W_SISELECT);
  wire [WORDS-1:0] other_select = HYP && guest && |(named & W_SISELECT) ? W_SISELECT | W_VSISELECT : W_ZERO;
  wire [WORDS-1:0] word     = (named ^ other_select) & ~ABSENT;
  wire             window   = rule == R_WINDOW;
  wire             overflow = rule == R_OVERFLOW;
  wire             enabled  = only_enabled | overflow & ~m;

  wire unrouted   = EBB && ebb_count & ~ebb_selected_i;   // uebbcnt of such a counter
  wire has_count  = COUNTERS[index] & ~unrouted;
  wire has_event  = HPM[index];
  wire has_filter = index < 5'd3 ? SMCNTRPMF : SSCOFPMF & has_event;

  // ---- the counter's enables. Rules ask for those of a window's counter or of that of the number.
  wire       mc_bit, sc_bit, hc_bit, mc_number;
  wire [4:0] counter = CSR_PIPELINE ? num_i[4:0] : index;
  tally_mux32 #(.MASK(ENABLES)) u_mc (
      .sel_i(counter), .hot_i(32'd0), .in_i(mcounteren_i), .out_o(mc_number)
  );
  tally_mux32 #(.MASK(ENABLES)) u_sc (
      .sel_i(counter), .hot_i(32'd0), .in_i(scounteren_i), .out_o(sc_bit)
  );
  tally_mux32 #(.MASK(HYP ? ALL : 32'd0)) u_hc (
      .sel_i(counter), .hot_i(32'd0), .in_i(env_hcounteren_i), .out_o(hc_bit)
  );
  generate
    if (CSR_PIPELINE && SMCSRIND) begin : g_window  // beside the choice of the counter, not behind it
      wire mc_window;
      tally_mux32 #(.MASK(ENABLES)) u_mc (
          .sel_i(siselect_i[4:0]), .hot_i(32'd0), .in_i(mcounteren_i), .out_o(mc_window)
      );
      assign mc_bit = in_window_o ? mc_window & ENABLES[siselect_i[4:0]] : mc_number & ENABLES[counter];
    end else begin : g_number
      assign mc_bit = mc_number & ENABLES[counter];
    end
  endgenerate
  wire writable = ANDES ? wen_i[counter] : 1'b0;

  // ---- the rules. Allowed by the environment: counter delegation; indirect access, custom state and
  // sampling in S and in VS.
  wire cde      = SMCDELEG ? env_cde_i : 1'b0;
  wire m_ind    = SMSTATEEN ? mstateen_csrind_i : 1'b1;
  wire h_ind    = SMSTATEEN ? hstateen_csrind_i : 1'b1;
  wire m_cus    = SMSTATEEN ? mstateen_c_i : 1'b1;
  wire h_cus    = SMSTATEEN ? hstateen_c_i : 1'b1;
  wire m_pdis   = SMSTATEEN ? mstateen_pdis_i : 1'b1;
  wire h_pdis   = SMSTATEEN ? hstateen_pdis_i : 1'b1;
  wire vs_deleg = vsiselect_i[11:5] == SELECT[11:5];   // vsiselect names a delegated counter

  reg  may, virt;
  wire v        = vs | vu;
  wire user     = rule == R_USER;
  wire need_mc  = user & ~write & ~m | rule == R_WINDOW & ~sample & (m | s);
  wire need_sc  = user & ~write & (u | vu);
  wire need_hc  = user & ~write & v;
  wire need_wen = user & write;

  always @* begin
    case (rule)
      R_S: begin
        may  = m | s | vs;
        virt = vu;
      end
      R_ANDES: begin
        may  = m | m_cus & s;
        virt = m_cus & v;
      end
      // Andes: the user's counter numbers are also where S-mode writes counters.
      R_USER: begin
        may  = write ? USER_WRITE & (m | m_cus & s) : m | s | u | v;
        virt = v & (~write | USER_WRITE & m_cus);
      end
      R_OVERFLOW: begin
        may  = ~write & (m | s | vs & ~cde);
        virt = ~write & (vu | vs & cde);
      end
      R_DELEGATED: begin
        may  = cde & (m | s);
        virt = cde & v;
      end
      R_SELECT: begin
        may  = m | m_ind & (s | vs & h_ind);
        virt = m_ind & (vu | vs & ~h_ind);
      end
      R_WINDOW: begin
        may  = sample ? m | m_ind & m_pdis & (s | vs & h_ind & h_pdis)
                      : (m | m_ind & s) & window_ok & cde;
        virt = m_ind & (vu | vs & (~h_ind | (sample ? m_pdis & ~h_pdis : vs_deleg & cde)));
      end
      R_VSELECT: begin
        may  = m | m_ind & s;
        virt = m_ind & v;
      end
      R_VWINDOW: begin
        may  = sample & (m | m_ind & m_pdis & s);
        virt = m_ind & v;
      end
      R_CUSTOM: begin
        may  = m | m_cus & (s | vs & h_cus);
        virt = m_cus & (vu | vs & ~h_cus);
      end
      R_NEVER: begin
        may  = 1'b0;
        virt = 1'b0;
      end
      default: begin  // R_M
        may  = m & ~(write & mmsc);
        virt = 1'b0;
        if (SSPESA || SMPDIS) case (rule)
          R_SAMPLING: begin
            may  = m | m_pdis & (s | vs & h_pdis);
            virt = m_pdis & (vu | vs & ~h_pdis);
          end
          R_VSAMPLING: begin
            may  = m | m_pdis & s;
            virt = m_pdis & v;
          end
          R_PESA: begin
            may  = m | cde & s;
            virt = cde & v;
          end
          default: ;
        endcase
      end
    endcase
  end

  // Event-based branches: M-mode always (R_M), others through their gates; the rule is R_M's besides.
  wire ebb_may  = s & ebb_s_open_i & ebb_rule != E_NONE
                | u & (ebb_rule == E_USER & ebb_u_open_i | ebb_rule == E_WINDOW & ebb_window_open_i);
  wire ebb_virt = v & ebb_s_open_i & ebb_rule != E_NONE;

  // ---- the right. The bits that a rule needs: mcounteren, scounteren, hcounteren, mcounterwen.
  wire mc  = mc_bit | ~need_mc;
  wire wen = USER_WRITE ? writable | ~need_wen : 1'b1;
  wire ok  = (may | EBB & ebb_may) & mc & (sc_bit | ~need_sc) & (HYP ? hc_bit | ~need_hc : 1'b1) & wen;

  // An access that is neither granted nor refused so is illegal.
  wire granted = hit & ok;
  wire refused = (virt | EBB & ebb_virt) & mc & wen & ~ok;

  // docs/rulings.md, Custom counter controls below M-mode: bits of counters with mcounteren (shpmpcsel: and
  // CDE) or mcounterwen.
  wire andes_s   = ANDES && rule == R_ANDES;
  wire limited   = ~m & (andes_s & ~|(word & W_EVENT) | |(word & W_PC_RANGE));
  wire by_enable = andes_s | cde;

  // A refused read returns 0. A write of a counter at the user's number shows the old value only to a mode
  // that may read it, shpmevent and the mask of M-mode are shown below M as the other controls are.
  wire             blind_count = USER_WRITE & rule == R_USER & write & ~mc_bit;
  wire             blind_event = andes_s & |(word & W_EVENT) & ~mc_bit & ~writable;
  wire             blind  = ~m & (blind_count | blind_event | andes_s & no_write);
  wire [WORDS-1:0] read   = word & {WORDS{granted & ~blind & ~sample}};
  wire [WORDS-1:0] change = word & {WORDS{granted & write & ~sample & ~(ANDES & no_write) & ~unrouted}};
  wire             raise  = swinc & granted & write & op_i != OP_CLEAR;
  // OF may be cleared: by CSRRC of an event register's half that has it; of several counters by mcounterovf
  // and scounterovf, where a 1 clears with CSRRW and CSRRC alike (Andes uses both), and CSRRS does nothing.
  wire             by_clear    = op_i == OP_CLEAR;
  wire             clears      = SSCOFPMF & |(change & W_EVENT) & ~(ANDES & own & ~writable) & has_event &
                                 upper & by_clear & (XLEN == 64 | high);
  wire             clears_word = ANDES & |(change & W_FLAGS) & op_i != OP_SET;

  // Bit 1 of mcountinhibit, scountinhibit and scountovf belongs to sampling (docs/rulings.md, Bit 1 of the
  // counter words).
  wire inhibit_bit  = SMPDIS && granted && |(word & W_INHIBIT) &&
                      (rule == R_M || rule == R_DELEGATED && m_pdis);
  wire overflow_bit = SMPDIS && granted && overflow && (m || m_pdis && (~guest | h_pdis));

  assign access_o = `TALLY_PMU_ACCESS;

  wire unused_ok = &{1'b0, vsiselect_i[4:0], mstateen_pdis_i, hstateen_pdis_i, m_pdis, h_pdis,
      uebbsel_i, ebb_s_open_i, ebb_u_open_i, ebb_window_open_i, ebb_selected_i};
endmodule

`default_nettype wire
