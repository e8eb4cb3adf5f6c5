// SPDX-License-Identifier: Apache-2.0
// tally_pmu_rights - the rules: who may do what with the word that an access names.
//
// A rule gives a right outright, or gives it to who has certain bits of a counter's enables as well (need_*).
// So rules and enables need not wait for each other: the right is may_o, and every bit that is needed. What
// is refused is virtual where virtual_o says so (and mcounteren, mcounterwen, if they are needed, would let),
// else illegal.
//
// Combinational. Sections: facts 1.3 (user counters), 2.3 (scountovf), 4 (indirect access), 5 (delegation),
// 6.2 (state enable), 8.3 (Andes); rulings 1, 2, 12.

`default_nettype none

module tally_pmu_rights #(
    parameter [0:0] USER_WRITE = 1'b0   // counters can be written at the user's numbers
) (
    input  wire [3:0] rule_i,
    input  wire       window_ok_i,      // sireg*: the selected register exists
    input  wire       mmsc_i,           // mmsc_cfg, the only machine CSR that is read-only
    input  wire       write_i,
    // who asks: one of them is 1
    input  wire       m_i,
    input  wire       s_i,
    input  wire       u_i,
    input  wire       vs_i,
    input  wire       vu_i,
    // what the environment allows: counter delegation; indirect access and custom state of S and VS
    input  wire       cde_i,
    input  wire       m_ind_i,
    input  wire       h_ind_i,
    input  wire       m_cus_i,
    input  wire       h_cus_i,
    input  wire       vs_deleg_i,       // vsiselect is that of a delegated counter

    output reg        may_o,
    output reg        virtual_o,
    output wire       need_mc_o,        // mcounteren
    output wire       need_sc_o,        // scounteren
    output wire       need_hc_o,        // hcounteren
    output wire       need_wen_o        // mcounterwen
);
`include "tally_pmu_access.vh"

  wire v    = vs_i | vu_i;
  wire user = rule_i == R_USER;
  assign need_mc_o  = user & ~write_i & ~m_i | rule_i == R_WINDOW & (m_i | s_i);
  assign need_sc_o  = user & ~write_i & (u_i | vu_i);
  assign need_hc_o  = user & ~write_i & v;
  assign need_wen_o = user & write_i;

  always @* begin
    case (rule_i)
      R_S: begin
        may_o     = m_i | s_i | vs_i;
        virtual_o = vu_i;
      end
      R_ANDES: begin
        may_o     = m_i | m_cus_i & s_i;
        virtual_o = m_cus_i & v;
      end
      // Andes: the user's counter numbers are also where S-mode writes counters.
      R_USER: begin
        may_o     = write_i ? USER_WRITE & (m_i | s_i) : m_i | s_i | u_i | v;
        virtual_o = v & (~write_i | USER_WRITE);
      end
      R_OVERFLOW: begin
        may_o     = ~write_i & (m_i | s_i | vs_i & ~cde_i);
        virtual_o = ~write_i & (vu_i | vs_i & cde_i);
      end
      R_DELEGATED: begin
        may_o     = cde_i & (m_i | s_i);
        virtual_o = cde_i & v;
      end
      R_SELECT: begin
        may_o     = m_i | m_ind_i & (s_i | vs_i & h_ind_i);
        virtual_o = m_ind_i & (vu_i | vs_i & ~h_ind_i);
      end
      R_WINDOW: begin
        may_o     = (m_i | m_ind_i & s_i) & window_ok_i & cde_i;
        virtual_o = m_ind_i & (vu_i | vs_i & (~h_ind_i | vs_deleg_i & cde_i));
      end
      R_VSELECT: begin
        may_o     = m_i | m_ind_i & s_i;
        virtual_o = m_ind_i & v;
      end
      R_VWINDOW: begin
        may_o     = 1'b0;
        virtual_o = m_ind_i & v;
      end
      R_CUSTOM: begin
        may_o     = m_i | m_cus_i & (s_i | vs_i & h_cus_i);
        virtual_o = m_cus_i & (vu_i | vs_i & ~h_cus_i);
      end
      R_NEVER: begin
        may_o     = 1'b0;
        virtual_o = 1'b0;
      end
      default: begin  // R_M
        may_o     = m_i & ~(write_i & mmsc_i);
        virtual_o = 1'b0;
      end
    endcase
  end
endmodule

`default_nettype wire
