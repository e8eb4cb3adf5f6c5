// SPDX-License-Identifier: Apache-2.0
// tally_pmu_access - what an access asks for, and whether it may have it.
//
// The number is decoded to a word of state, a counter and a view of them (tally_pmu_decode); a rule and the
// counter's enables make the right (tally_pmu_rights). With CSR_PIPELINE the answer, TALLY_PMU_ASKED, goes
// through a row of registers: it depends on nothing that changes while the access stands.
//
// Combinational.

`default_nettype none

module tally_pmu_access #(
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
    parameter [0:0] CSR_PIPELINE       = 1'b0,
    parameter ASKED_W = 77               // ASKED; not to be changed at an instance
) (
    input  wire [11:0]        num_i,
    input  wire [1:0]         op_i,
    input  wire [1:0]         priv_i,
    input  wire               v_i,

    input  wire               env_cde_i,
    input  wire               mstateen_csrind_i,
    input  wire               hstateen_csrind_i,
    input  wire               mstateen_c_i,
    input  wire               hstateen_c_i,
    input  wire [31:0]        env_hcounteren_i,
    input  wire [11:0]        siselect_i,
    input  wire [11:0]        vsiselect_i,
    input  wire [31:0]        mcounteren_i,
    input  wire [31:0]        scounteren_i,
    input  wire [31:0]        wen_i,

    // The counter, early in the cycle: that of siselect (1), or this one.
    output wire               in_window_o,
    output wire [4:0]         counter_o,
    output wire [ASKED_W-1:0] asked_o
);
`include "tally_pmu_access.vh"

  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] ENABLES = HPM | 32'h7, COUNTERS = HPM | 32'h5;
  localparam [31:0] ALL     = 32'hFFFF_FFFF;
  localparam [6:0]  SEL_DELEG  = 7'h02;  // selects 0x40..0x5F, upper bits
  localparam [0:0]  USER_WRITE = ANDES & ANDES_SWRITE;

  // ---- what is asked for
  wire             hit, high, window_ok, upper, swinc, mmsc, only_enabled, own, no_write;
  wire [WORDS-1:0] named;
  wire [3:0]       rule;
  wire [4:0]       index;
  tally_pmu_decode #(
      .XLEN(XLEN), .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .SMCSRIND(SMCSRIND), .SMCDELEG(SMCDELEG),
      .HYP(HYP), .ANDES(ANDES), .SWEVENT(SWEVENT), .PCRANGE(PCRANGE)
  ) u_decode (
      .num_i(num_i),
      .siselect_i(siselect_i),
      .hit_o(hit),
      .named_o(named),
      .rule_o(rule),
      .index_o(index),
      .window_o(in_window_o),
      .counter_o(counter_o),
      .high_o(high),
      .window_ok_o(window_ok),
      .upper_o(upper),
      .swinc_o(swinc),
      .mmsc_o(mmsc),
      .enabled_o(only_enabled),
      .own_o(own),
      .no_write_o(no_write)
  );

  // ---- who asks. M-mode has no V=1, and without the H extension no mode has.
  wire m     = priv_i == 2'd3;
  wire guest = HYP ? v_i & ~m : 1'b0;
  wire s     = priv_i == 2'd1 & ~guest;
  wire u     = priv_i == 2'd0 & ~guest;
  wire vs    = priv_i == 2'd1 & guest;
  wire vu    = priv_i == 2'd0 & guest;
  wire write = op_i != 2'd0;

  // Without these the number is not the unit's. Said once more, because synthesis does not see it.
  localparam [WORDS-1:0] ABSENT = (ANDES ? W_ZERO : W_WEN | W_INTEN | W_MASK_M | W_MASK_S | W_MASK_U)
                                | (PCRANGE ? W_ZERO : W_PC_RANGE | W_PC_LOW | W_PC_HIGH)
                                | (HYP ? W_ZERO : W_VSISELECT)
                                | (SMCSRIND ? W_ZERO : W_MISELECT | W_SISELECT);
  wire [WORDS-1:0] other_select = HYP && guest && |(named & W_SISELECT) ? W_SISELECT | W_VSISELECT : W_ZERO;
  wire [WORDS-1:0] word     = (named ^ other_select) & ~ABSENT;
  wire             window   = rule == R_WINDOW;
  wire             overflow = rule == R_OVERFLOW;
  wire             enabled  = only_enabled | overflow & ~m;

  wire             has_count  = COUNTERS[index];
  wire             has_event  = HPM[index];
  wire             has_filter = index < 5'd3 ? SMCNTRPMF : SSCOFPMF & has_event;

  // ---- its enables. Rules ask for those of a window's counter or of that of the number.
  wire mc_bit, sc_bit, hc_bit, mc_number;
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

  // ---- the right
  wire may, virt, need_mc, need_sc, need_hc, need_wen;
  tally_pmu_rights #(.USER_WRITE(USER_WRITE)) u_rights (
      .rule_i(rule),
      .window_ok_i(window_ok),
      .mmsc_i(mmsc),
      .write_i(write),
      .m_i(m),
      .s_i(s),
      .u_i(u),
      .vs_i(vs),
      .vu_i(vu),
      .cde_i(SMCDELEG ? env_cde_i : 1'b0),
      .m_ind_i(SMSTATEEN ? mstateen_csrind_i : 1'b1),
      .h_ind_i(SMSTATEEN ? hstateen_csrind_i : 1'b1),
      .m_cus_i(SMSTATEEN ? mstateen_c_i : 1'b1),
      .h_cus_i(SMSTATEEN ? hstateen_c_i : 1'b1),
      .vs_deleg_i(vsiselect_i[11:5] == SEL_DELEG),
      .may_o(may),
      .virtual_o(virt),
      .need_mc_o(need_mc),
      .need_sc_o(need_sc),
      .need_hc_o(need_hc),
      .need_wen_o(need_wen)
  );
  wire mc  = mc_bit | ~need_mc;
  wire wen = USER_WRITE ? writable | ~need_wen : 1'b1;
  wire ok  = may & mc & (sc_bit | ~need_sc) & (HYP ? hc_bit | ~need_hc : 1'b1) & wen;

  // An access that is neither granted nor refused so is illegal.
  wire granted = hit & ok;
  wire refused = virt & mc & wen & ~ok;

  // What is not granted reads 0. What a counter held that is written at the user's number is shown to who
  // may read it.
  wire             blind  = USER_WRITE ? rule == R_USER & write & ~mc_bit & ~m : 1'b0;
  wire [WORDS-1:0] read   = word & {WORDS{granted & ~blind}};
  wire [WORDS-1:0] change = word & {WORDS{granted & write}};

  localparam [1:0] OP_CLEAR = 2'd3;
  wire             raise  = swinc & granted & write & op_i != OP_CLEAR;

  assign asked_o = `TALLY_PMU_ASKED;

  wire unused_ok = &{1'b0, vsiselect_i[4:0]};
endmodule

`default_nettype wire
