// SPDX-License-Identifier: Apache-2.0
// tally_retired - the events of an instruction at its retirement, by its class and what its unit said of it.
//
// Combinational.

`default_nettype none
`include "tally_hart.vh"

module tally_retired #(
    parameter EVR_N = `TALLY_EVR_N
) (
    input  wire [2:0]       unit_i,
    input  wire [2:0]       ls_op_i,
    input  wire [3:0]       sys_i,
    input  wire             is_sys_i,   // it acts at commit
    input  wire             rvc_i,
    input  wire             icmiss_i,
    input  wire             itmiss_i,
    input  wire [3:0]       itype_i,    // kind of control transfer
    input  wire             mispred_i,  // of a control transfer
    input  wire [6:0]       flags_i,    // of a memory access, as tally_commit has them
    input  wire             low_i,      // lowest bit of what it loads: an SC's failure
    output wire [EVR_N-1:0] ev_o
);
  wire mem      = unit_i == `TALLY_U_MEM;
  wire is_load  = mem && (ls_op_i == `TALLY_LS_LOAD || ls_op_i == `TALLY_LS_LR);
  wire is_store = mem && (ls_op_i == `TALLY_LS_STORE || ls_op_i == `TALLY_LS_SC);
  wire is_amo   = mem && ls_op_i == `TALLY_LS_AMO;
  wire reads    = is_load || is_amo;
  wire writes   = is_store || is_amo;
  wire f_l1     = mem && flags_i[0];
  wire f_l1miss = mem && flags_i[1];
  wire f_tlb    = mem && flags_i[2];
  wire f_tlbmis = mem && flags_i[3];
  wire f_l2mis  = mem && flags_i[4];
  wire f_uncach = mem && flags_i[5];
  wire f_fwd    = mem && flags_i[6];

  reg [EVR_N-1:0] ev;
  always @* begin
    ev                          = {EVR_N{1'b0}};
    ev[`TALLY_EVR_INST]         = 1'b1;
    ev[`TALLY_EVR_LOAD]         = is_load;
    ev[`TALLY_EVR_STORE]        = is_store;
    ev[`TALLY_EVR_AMO]          = is_amo;
    ev[`TALLY_EVR_MUL]          = unit_i == `TALLY_U_MUL;
    ev[`TALLY_EVR_DIV]          = unit_i == `TALLY_U_DIV;
    ev[`TALLY_EVR_CSR]          = is_sys_i && sys_i == `TALLY_SYS_CSR;
    ev[`TALLY_EVR_FENCE]        = is_sys_i && (sys_i == `TALLY_SYS_FENCE || sys_i == `TALLY_SYS_FENCEI ||
                                               sys_i == `TALLY_SYS_SFENCE);
    ev[`TALLY_EVR_RVC]          = rvc_i;
    ev[`TALLY_EVR_TRET]         = itype_i == `TALLY_IT_TRET;
    ev[`TALLY_EVR_BR_NT]        = itype_i == `TALLY_IT_BR_NT;
    ev[`TALLY_EVR_BR_TK]        = itype_i == `TALLY_IT_BR_TK;
    ev[`TALLY_EVR_IND_CALL]     = itype_i == `TALLY_IT_INDCALL;
    ev[`TALLY_EVR_DIR_CALL]     = itype_i == `TALLY_IT_DIRCALL;
    ev[`TALLY_EVR_IND_JMP]      = itype_i == `TALLY_IT_INDJMP;
    ev[`TALLY_EVR_DIR_JMP]      = itype_i == `TALLY_IT_DIRJMP;
    ev[`TALLY_EVR_CORSWAP]      = itype_i == `TALLY_IT_CORSWAP;
    ev[`TALLY_EVR_RETURN]       = itype_i == `TALLY_IT_RETURN;
    ev[`TALLY_EVR_IND_LJMP]     = itype_i == `TALLY_IT_INDLJMP;
    ev[`TALLY_EVR_DIR_LJMP]     = itype_i == `TALLY_IT_DIRLJMP;
    ev[`TALLY_EVR_MISPRED]      = unit_i == `TALLY_U_BR && mispred_i;
    ev[`TALLY_EVR_L1D_RD]       = reads && f_l1;
    ev[`TALLY_EVR_L1D_RD_MISS]  = reads && f_l1miss;
    ev[`TALLY_EVR_L1D_WR]       = writes && f_l1;
    ev[`TALLY_EVR_L1D_WR_MISS]  = writes && f_l1miss;
    ev[`TALLY_EVR_DTLB_RD]      = is_load && f_tlb;
    ev[`TALLY_EVR_DTLB_RD_MISS] = is_load && f_tlbmis;
    ev[`TALLY_EVR_DTLB_WR]      = writes && f_tlb;
    ev[`TALLY_EVR_DTLB_WR_MISS] = writes && f_tlbmis;
    ev[`TALLY_EVR_L2TLB_MISS]   = f_l2mis;
    ev[`TALLY_EVR_ICMISS]       = icmiss_i;
    ev[`TALLY_EVR_ITMISS]       = itmiss_i;
    ev[`TALLY_EVR_UNCACHED]     = f_uncach;
    ev[`TALLY_EVR_LD_FWD]       = f_fwd;
    ev[`TALLY_EVR_SC_FAIL]      = mem && ls_op_i == `TALLY_LS_SC && low_i;
  end
  assign ev_o = ev;
endmodule

`default_nettype wire
