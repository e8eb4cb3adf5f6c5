// SPDX-License-Identifier: Apache-2.0
// Codes that the modules of the reference hart share.

`ifndef TALLY_HART_VH
`define TALLY_HART_VH

// Unit that executes an instruction
`define TALLY_U_ALU   3'd0
`define TALLY_U_BR    3'd1
`define TALLY_U_MUL   3'd2
`define TALLY_U_DIV   3'd3
`define TALLY_U_MEM   3'd4
`define TALLY_U_SYS   3'd5   // acts at commit; passes through the ALU only to read its operand
`define TALLY_U_NONE  3'd6   // nothing to execute: it carries an exception
`define TALLY_U_COUNT 3'd7   // Zbb: clz, ctz, cpop; in the multiplier's unit

// ALU operations
`define TALLY_ALU_ADD   5'd0
`define TALLY_ALU_SUB   5'd1
`define TALLY_ALU_SLL   5'd2
`define TALLY_ALU_SLT   5'd3
`define TALLY_ALU_SLTU  5'd4
`define TALLY_ALU_XOR   5'd5
`define TALLY_ALU_SRL   5'd6
`define TALLY_ALU_SRA   5'd7
`define TALLY_ALU_OR    5'd8
`define TALLY_ALU_AND   5'd9
`define TALLY_ALU_B     5'd10
// Zbb
`define TALLY_ALU_ANDN  5'd11
`define TALLY_ALU_ORN   5'd12
`define TALLY_ALU_XNOR  5'd13
`define TALLY_ALU_ROL   5'd14
`define TALLY_ALU_ROR   5'd15
// Zba: slli.uw, and {3'b101 with the lower word of a, 3'b100 with all of it; by how much a is shifted} + b
`define TALLY_ALU_SLLUW 5'd16
`define TALLY_ALU_SHADD 5'b10000
`define TALLY_ALU_ADDUW 5'b10100
// Zbb again: the lowest two bits of min and max are those of funct3
`define TALLY_ALU_MIN   5'd24
`define TALLY_ALU_REV8  5'd28
`define TALLY_ALU_ORCB  5'd29
`define TALLY_ALU_SEXTB 5'd30
`define TALLY_ALU_SEXTH 5'd31

// Counts: the operation of TALLY_U_COUNT
`define TALLY_CNT_CLZ   2'd0
`define TALLY_CNT_CTZ   2'd1
`define TALLY_CNT_CPOP  2'd2

// Memory operations (ls_op)
`define TALLY_LS_LOAD   3'd0
`define TALLY_LS_STORE  3'd1
`define TALLY_LS_LR     3'd2
`define TALLY_LS_SC     3'd3
`define TALLY_LS_AMO    3'd4

// Actions of SYS instructions at commit
`define TALLY_SYS_CSR    4'd0
`define TALLY_SYS_ECALL  4'd1
`define TALLY_SYS_EBREAK 4'd2
`define TALLY_SYS_MRET   4'd3
`define TALLY_SYS_SRET   4'd4
`define TALLY_SYS_WFI    4'd5
`define TALLY_SYS_FENCE  4'd6
`define TALLY_SYS_FENCEI 4'd7
`define TALLY_SYS_SFENCE 4'd8
`define TALLY_SYS_UEBRET 4'd9

// Fields of a scoreboard entry, from dispatch on: the lowest bit of each
`define TALLY_ROB_ITMISS  0
`define TALLY_ROB_ICMISS  1
`define TALLY_ROB_RVC     2
`define TALLY_ROB_HALF    3    // its fetch exception is of the second halfword
`define TALLY_ROB_EXC     4    // it carries an exception:
`define TALLY_ROB_CAUSE   5    // 4 bits
`define TALLY_ROB_ITYPE   9    // 4 bits
`define TALLY_ROB_LS_OP   13   // 3 bits
`define TALLY_ROB_SYS     16   // 4 bits
`define TALLY_ROB_FUNCT3  20   // 3 bits
`define TALLY_ROB_UNIT    23   // 3 bits
`define TALLY_ROB_RDWE    26
`define TALLY_ROB_RD      27   // 5 bits
`define TALLY_ROB_W       32

// The load/store unit's flags of an access
`define TALLY_LSF_L1ACC    0
`define TALLY_LSF_L1MISS   1
`define TALLY_LSF_TLBACC   2
`define TALLY_LSF_TLBMISS  3
`define TALLY_LSF_L2MISS   4
`define TALLY_LSF_UNCACHED 5
`define TALLY_LSF_FWD      6
`define TALLY_LSF_N        7

// Exception causes inside the hart
`define TALLY_XC_IACC    4'd1
`define TALLY_XC_ILLEGAL 4'd2
`define TALLY_XC_BREAK   4'd3
`define TALLY_XC_LMISAL  4'd4
`define TALLY_XC_LACC    4'd5
`define TALLY_XC_SMISAL  4'd6
`define TALLY_XC_SACC    4'd7
`define TALLY_XC_ECALL_U 4'd8
`define TALLY_XC_IPAGE   4'd12
`define TALLY_XC_LPAGE   4'd13
`define TALLY_XC_AD      4'd14  // internal: A or D has to be set; the instruction runs again as the oldest
`define TALLY_XC_SPAGE   4'd15

`endif
