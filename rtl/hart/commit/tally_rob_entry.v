// SPDX-License-Identifier: Apache-2.0
// tally_rob_entry - a scoreboard entry as it will be at the next clock edge: its contents, and the units'
// reports in this cycle. Its outcome and its events.
//
// Combinational. tally_scoreboard has two: for the oldest entry and for the one behind it, since it is known
// last which of them will be the oldest.

`default_nettype none
`include "tally_spec.vh"
`include "tally_hart.vh"

module tally_rob_entry (
    // contents
    input  wire                    valid_i,
    input  wire [`TALLY_ROB_W-1:0] info_i,
    input  wire                    done_i,
    input  wire                    fault_i,      // of a memory access
    input  wire [3:0]              cause_i,
    input  wire [`TALLY_LSF_N-1:0] flags_i,
    input  wire                    low_i,        // bit 0 of the loaded value
    input  wire [3:0]              itype_i,      // of a control transfer
    input  wire                    mispred_i,

    // EX completes it
    input  wire                    ex_i,
    input  wire [3:0]              ex_itype_i,
    input  wire                    ex_mispred_i,

    // the load/store unit or the multiplier completes it; it is the load/store unit
    input  wire                    res_i,
    input  wire                    lc_i,
    input  wire                    lc_exc_i,
    input  wire [3:0]              lc_cause_i,
    input  wire [`TALLY_LSF_N-1:0] lc_flags_i,
    input  wire                    lc_low_i,

    output wire                    done_o,
    output wire                    exc_o,        // it traps, or has to set A or D:
    output wire                    ad_o,
    output wire                    fault_o,
    output wire [3:0]              cause_o,
    output wire                    sys_o,        // it acts at commit
    output wire [`TALLY_EVR_N-1:0] events_o
);
  wire [2:0] unit  = info_i[`TALLY_ROB_UNIT +: 3];
  wire [2:0] ls_op = info_i[`TALLY_ROB_LS_OP +: 3];
  wire [3:0] sys   = info_i[`TALLY_ROB_SYS +: 4];
  wire       dexc  = info_i[`TALLY_ROB_EXC];
  wire       mem   = unit == `TALLY_U_MEM;

  assign done_o    = (done_i || ex_i || res_i) && valid_i;
  assign fault_o   = lc_i ? lc_exc_i : fault_i;
  assign exc_o     = dexc || (fault_o && mem);
  assign cause_o   = dexc ? info_i[`TALLY_ROB_CAUSE +: 4] : lc_i ? lc_cause_i : cause_i;
  assign ad_o      = exc_o && cause_o == `TALLY_XC_AD;
  assign sys_o     = !dexc && unit == `TALLY_U_SYS;

  wire       mispred  = ex_i ? ex_mispred_i : mispred_i;
  wire       low      = lc_i ? lc_low_i : low_i;
  wire [3:0] resolved = ex_i ? ex_itype_i : itype_i;
  wire [3:0] itype    = unit == `TALLY_U_BR ? resolved : info_i[`TALLY_ROB_ITYPE +: 4];

  wire is_load  = mem && (ls_op == `TALLY_LS_LOAD || ls_op == `TALLY_LS_LR);
  wire is_store = mem && (ls_op == `TALLY_LS_STORE || ls_op == `TALLY_LS_SC);
  wire is_amo   = mem && ls_op == `TALLY_LS_AMO;
  wire reads    = is_load || is_amo;
  wire writes   = is_store || is_amo;

  wire [`TALLY_LSF_N-1:0] flags = (lc_i ? lc_flags_i : flags_i) & {`TALLY_LSF_N{mem}};

  reg [`TALLY_EVR_N-1:0] ev;
  always @* begin
    ev                          = {`TALLY_EVR_N{1'b0}};
    ev[`TALLY_EVR_INST]         = 1'b1;
    ev[`TALLY_EVR_LOAD]         = is_load;
    ev[`TALLY_EVR_STORE]        = is_store;
    ev[`TALLY_EVR_AMO]          = is_amo;
    ev[`TALLY_EVR_MUL]          = unit == `TALLY_U_MUL;
    ev[`TALLY_EVR_DIV]          = unit == `TALLY_U_DIV;
    ev[`TALLY_EVR_CSR]          = sys_o && sys == `TALLY_SYS_CSR;
    ev[`TALLY_EVR_FENCE]        = sys_o && (sys == `TALLY_SYS_FENCE || sys == `TALLY_SYS_FENCEI ||
                                               sys == `TALLY_SYS_SFENCE);
    ev[`TALLY_EVR_RVC]          = info_i[`TALLY_ROB_RVC];
    ev[`TALLY_EVR_TRET]         = itype == `TALLY_ITYPE_TRET;
    ev[`TALLY_EVR_BR_NT]        = itype == `TALLY_ITYPE_BR_NT;
    ev[`TALLY_EVR_BR_TK]        = itype == `TALLY_ITYPE_BR_TK;
    ev[`TALLY_EVR_IND_CALL]     = itype == `TALLY_ITYPE_IND_CALL;
    ev[`TALLY_EVR_DIR_CALL]     = itype == `TALLY_ITYPE_DIR_CALL;
    ev[`TALLY_EVR_IND_JMP]      = itype == `TALLY_ITYPE_IND_JMP;
    ev[`TALLY_EVR_DIR_JMP]      = itype == `TALLY_ITYPE_DIR_JMP;
    ev[`TALLY_EVR_CORSWAP]      = itype == `TALLY_ITYPE_CORSWAP;
    ev[`TALLY_EVR_RETURN]       = itype == `TALLY_ITYPE_RETURN;
    ev[`TALLY_EVR_IND_LJMP]     = itype == `TALLY_ITYPE_IND_LJMP;
    ev[`TALLY_EVR_DIR_LJMP]     = itype == `TALLY_ITYPE_DIR_LJMP;
    ev[`TALLY_EVR_MISPRED]      = unit == `TALLY_U_BR && mispred;
    ev[`TALLY_EVR_L1D_RD]       = reads && flags[`TALLY_LSF_L1ACC];
    ev[`TALLY_EVR_L1D_RD_MISS]  = reads && flags[`TALLY_LSF_L1MISS];
    ev[`TALLY_EVR_L1D_WR]       = writes && flags[`TALLY_LSF_L1ACC];
    ev[`TALLY_EVR_L1D_WR_MISS]  = writes && flags[`TALLY_LSF_L1MISS];
    ev[`TALLY_EVR_DTLB_RD]      = is_load && flags[`TALLY_LSF_TLBACC];
    ev[`TALLY_EVR_DTLB_RD_MISS] = is_load && flags[`TALLY_LSF_TLBMISS];
    ev[`TALLY_EVR_DTLB_WR]      = writes && flags[`TALLY_LSF_TLBACC];
    ev[`TALLY_EVR_DTLB_WR_MISS] = writes && flags[`TALLY_LSF_TLBMISS];
    ev[`TALLY_EVR_L2TLB_MISS]   = flags[`TALLY_LSF_L2MISS];
    ev[`TALLY_EVR_ICMISS]       = info_i[`TALLY_ROB_ICMISS];
    ev[`TALLY_EVR_ITMISS]       = info_i[`TALLY_ROB_ITMISS];
    ev[`TALLY_EVR_UNCACHED]     = flags[`TALLY_LSF_UNCACHED];
    ev[`TALLY_EVR_LD_FWD]       = flags[`TALLY_LSF_FWD];
    ev[`TALLY_EVR_SC_FAIL]      = mem && ls_op == `TALLY_LS_SC && low;
  end
  assign events_o = ev;

  wire unused_ok = &{1'b0, info_i};
endmodule

`default_nettype wire
