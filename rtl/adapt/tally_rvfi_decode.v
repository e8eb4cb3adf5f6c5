// SPDX-License-Identifier: Apache-2.0
// tally_rvfi_decode - the retire events of one instruction, from its code.
//
// RV32 and RV64, IMAFDC with Zicsr, Zifencei and Zcb, and the privileged instructions; any other code counts
// as an instruction and nothing else. Kinds of control transfers are those of Smctr (transfer type
// encodings), as the reference hart has them. A branch was taken if execution did not go on behind it.
// Combinational.

`include "tally_spec.vh"

`default_nettype none

module tally_rvfi_decode #(
    parameter XLEN = 64
) (
    input  wire [31:0]             insn_i,   // compressed code in bits 15:0
    input  wire                    taken_i,  // the next pc is not the one behind it
    input  wire                    wrote_i,  // it wrote memory
    output reg  [`TALLY_EVR_N-1:0] event_o,
    output reg  [2:0]              type_o,   // TALLY_TYPE_x
    output reg  [3:0]              itype_o   // TALLY_ITYPE_x
);
  // ---- fields
  wire [31:0] i       = insn_i;
  wire        rvc     = ~&i[1:0];
  wire [4:0]  opcode  = i[6:2];
  wire [2:0]  f3      = rvc ? i[15:13] : i[14:12];
  wire [4:0]  rd      = i[11:7];
  wire [4:0]  rs1     = i[19:15];
  wire        rd_link = {rd[4:3], rd[1:0]} == 4'b0001;         // x1 or x5
  wire        rs_link = {rs1[4:3], rs1[1:0]} == 4'b0001;
  wire        amo     = ~rvc & opcode == 5'h0B;
  wire        muldiv  = ~rvc & {opcode[4:2], opcode[0]} == 4'b0110 & i[31:25] == 7'd1;  // OP, OP-32
  wire        system  = ~rvc & opcode == 5'h1C;
  wire        other   = system & f3 == 3'd0;                    // no CSR access

  // ---- compressed code: quadrants 0 (loads and stores), 1, and 2
  wire        c0      = rvc & i[1:0] == 2'd0;
  wire        c1      = rvc & i[1:0] == 2'd1;
  wire        c2      = rvc & i[1:0] == 2'd2;
  wire        c_move  = |f3[1:0];                               // 1-3 loads, 5-7 stores
  wire        zcb     = c0 & f3 == 3'd4 & ~i[12];              // byte and half: bit 11 stores
  wire        c_mul   = c1 & f3 == 3'd4 & i[12:10] == 3'd7 & i[6:5] == 2'd2;
  wire        c_reg   = c2 & f3 == 3'd4 & i[6:2] == 5'd0 & rd != 5'd0;  // C.JR, C.JALR (bit 12)
  wire        c_jal   = c1 & f3 == 3'd1 & XLEN == 32;
  wire        c_j     = c1 & f3 == 3'd5;

  // ---- classes
  wire lr     = amo & i[31:27] == 5'd2;
  wire sc     = amo & i[31:27] == 5'd3;
  wire load   = ~rvc & opcode[4:1] == 4'h0 & (~opcode[0]) | ~rvc & opcode == 5'h01 | lr
              | (c0 | c2) & ~f3[2] & c_move | zcb & ~i[11];
  wire store  = ~rvc & opcode[4:1] == 4'h4 | sc | (c0 | c2) & f3[2] & c_move | zcb & i[11];
  wire rmw    = amo & ~lr & ~sc;
  wire branch = ~rvc & opcode == 5'h18 | c1 & &f3[2:1];
  wire jal    = ~rvc & opcode == 5'h1B;
  wire jalr   = ~rvc & opcode == 5'h19;
  wire tret   = other & i[31:30] == 2'd0 & i[28:20] == 9'h102   // SRET, MRET
              | other & i[31:20] == 12'h702;                     // MNRET
  wire fence  = ~rvc & opcode == 5'h03 | other & i[31:25] == 7'h09;

  // ---- control transfers
  always @* begin
    itype_o = `TALLY_ITYPE_NONE;
    if (tret) itype_o = `TALLY_ITYPE_TRET;
    if (branch) itype_o = taken_i ? `TALLY_ITYPE_BR_TK : `TALLY_ITYPE_BR_NT;
    if (jal) itype_o = rd_link ? `TALLY_ITYPE_DIR_CALL : rd == 5'd0 ? `TALLY_ITYPE_DIR_JMP
                     : `TALLY_ITYPE_DIR_LJMP;
    if (c_jal) itype_o = `TALLY_ITYPE_DIR_CALL;
    if (c_j) itype_o = `TALLY_ITYPE_DIR_JMP;
    if (jalr)
      itype_o = rd_link ? (rs_link & rs1 != rd ? `TALLY_ITYPE_CORSWAP : `TALLY_ITYPE_IND_CALL)
              : rs_link ? `TALLY_ITYPE_RETURN
              : rd == 5'd0 ? `TALLY_ITYPE_IND_JMP : `TALLY_ITYPE_IND_LJMP;
    // the register of C.JR and C.JALR, which links x1, is where rd is
    if (c_reg & i[12]) itype_o = rd == 5'd5 ? `TALLY_ITYPE_CORSWAP : `TALLY_ITYPE_IND_CALL;
    if (c_reg & ~i[12]) itype_o = rd_link ? `TALLY_ITYPE_RETURN : `TALLY_ITYPE_IND_JMP;
  end

  // ---- events
  always @* begin
    event_o = {`TALLY_EVR_N{1'b0}};
    event_o[`TALLY_EVR_INST]     = 1'b1;
    event_o[`TALLY_EVR_LOAD]     = load;
    event_o[`TALLY_EVR_STORE]    = store;
    event_o[`TALLY_EVR_AMO]      = rmw;
    event_o[`TALLY_EVR_MUL]      = muldiv & ~f3[2] | c_mul;
    event_o[`TALLY_EVR_DIV]      = muldiv & f3[2];
    event_o[`TALLY_EVR_CSR]      = system & |f3[1:0];
    event_o[`TALLY_EVR_FENCE]    = fence;
    event_o[`TALLY_EVR_RVC]      = rvc;
    event_o[`TALLY_EVR_TRET]     = itype_o == `TALLY_ITYPE_TRET;
    event_o[`TALLY_EVR_BR_NT]    = itype_o == `TALLY_ITYPE_BR_NT;
    event_o[`TALLY_EVR_BR_TK]    = itype_o == `TALLY_ITYPE_BR_TK;
    event_o[`TALLY_EVR_IND_CALL] = itype_o == `TALLY_ITYPE_IND_CALL;
    event_o[`TALLY_EVR_DIR_CALL] = itype_o == `TALLY_ITYPE_DIR_CALL;
    event_o[`TALLY_EVR_IND_JMP]  = itype_o == `TALLY_ITYPE_IND_JMP;
    event_o[`TALLY_EVR_DIR_JMP]  = itype_o == `TALLY_ITYPE_DIR_JMP;
    event_o[`TALLY_EVR_CORSWAP]  = itype_o == `TALLY_ITYPE_CORSWAP;
    event_o[`TALLY_EVR_RETURN]   = itype_o == `TALLY_ITYPE_RETURN;
    event_o[`TALLY_EVR_IND_LJMP] = itype_o == `TALLY_ITYPE_IND_LJMP;
    event_o[`TALLY_EVR_DIR_LJMP] = itype_o == `TALLY_ITYPE_DIR_LJMP;
    event_o[`TALLY_EVR_SC_FAIL]  = sc & ~wrote_i;
    type_o = rmw ? `TALLY_TYPE_LOAD_STORE : load ? `TALLY_TYPE_LOAD : store ? `TALLY_TYPE_STORE
           : itype_o != `TALLY_ITYPE_NONE ? `TALLY_TYPE_TRANSFER : `TALLY_TYPE_OTHER;
  end

  wire unused_ok = &{1'b0, i[24:20]};
endmodule

`default_nettype wire
