// SPDX-License-Identifier: Apache-2.0
// tally_decode - ID: kind and operands of an instruction.
//
// Combinational. The instruction queue's head, compressed code expanded; decodes
// RV64IMAC_Zicsr_Zifencei, Zba and Zbb (by parameter), the privileged instructions and uebret (by parameter).
// Whether a mode may execute a SYSTEM instruction is decided at commit, where the mode is known.

`default_nettype none
`include "tally_hart.vh"
`include "tally_spec.vh"  // TALLY_TYPE_*, TALLY_ITYPE_*

module tally_decode #(
    parameter ZBA_ZBB = 1,
    parameter EBB     = 0   // uebret
) (
    input  wire [31:0] insn_i,      // expanded
    input  wire        bad_i,       // compressed, and illegal

    output reg         illegal_o,
    output reg  [2:0]  unit_o,
    output reg  [4:0]  alu_o,
    output reg         word_o,      // 32-bit operation, result sign-extended
    output reg         a_pc_o,      // operand a is the pc, not rs1
    output reg         b_imm_o,     // operand b is the immediate, not rs2
    output reg  [31:0] imm_o,       // sign-extends to XLEN
    output wire [4:0]  rs1_o,
    output wire [4:0]  rs2_o,
    output wire [4:0]  rd_o,
    output reg         use1_o,
    output reg         use2_o,
    output reg         rdwe_o,
    output wire [2:0]  funct3_o,    // of a count: which one
    output reg  [2:0]  ls_op_o,
    output wire [4:0]  ls_f5_o,
    output reg  [3:0]  sys_o,
    output reg  [3:0]  itype_o,
    output reg  [2:0]  type_o       // pdishdrev.TYPE; earlier than the rest
);
  localparam [31:0] UEBRET_0 = `TALLY_INSN_UEBRET_0, UEBRET_1 = `TALLY_INSN_UEBRET_1;
  wire [31:0] i = insn_i;

  wire [4:0] opcode = i[6:2];
  wire [2:0] f3     = i[14:12];
  wire [6:0] f7     = i[31:25];

  assign rs1_o    = i[19:15];
  assign rs2_o    = i[24:20];
  assign rd_o     = i[11:7];
  assign funct3_o = unit_o == `TALLY_U_COUNT ? {1'b0, i[21:20]} : f3;
  assign ls_f5_o  = i[31:27];

  wire [31:0] imm_i = {{20{i[31]}}, i[31:20]};
  wire [31:0] imm_s = {{20{i[31]}}, i[31:25], i[11:7]};
  wire [31:0] imm_b = {{20{i[31]}}, i[7], i[30:25], i[11:8], 1'b0};
  wire [31:0] imm_u = {i[31:12], 12'b0};
  wire [31:0] imm_j = {{12{i[31]}}, i[19:12], i[20], i[30:21], 1'b0};

  wire rd_link  = rd_o == 5'd1 || rd_o == 5'd5;
  wire rs1_link = rs1_o == 5'd1 || rs1_o == 5'd5;

  // ALU operation of OP and OP-IMM; `alt` is instruction bit 30
  function [4:0] alu_of(input [2:0] funct3, input alt);
    case (funct3)
      3'd0:    alu_of = alt ? `TALLY_ALU_SUB : `TALLY_ALU_ADD;
      3'd1:    alu_of = `TALLY_ALU_SLL;
      3'd2:    alu_of = `TALLY_ALU_SLT;
      3'd3:    alu_of = `TALLY_ALU_SLTU;
      3'd4:    alu_of = `TALLY_ALU_XOR;
      3'd5:    alu_of = alt ? `TALLY_ALU_SRA : `TALLY_ALU_SRL;
      3'd6:    alu_of = `TALLY_ALU_OR;
      default: alu_of = `TALLY_ALU_AND;
    endcase
  endfunction

  wire shift = f3 == 3'd1 || f3 == 3'd5;

  // Zba and Zbb: an operation of opcode OP, OP-32, OP-IMM or OP-IMM-32 that the base and M do not have
  reg       bm;        // it is one
  reg       bm_count;
  reg       bm_word;
  reg       bm_zexth;
  reg [4:0] bm_alu;

  always @* begin
    bm       = 1'b0;
    bm_count = 1'b0;
    bm_word  = 1'b0;
    bm_zexth = 1'b0;
    bm_alu   = `TALLY_ALU_ADD;
    if (ZBA_ZBB != 0) begin
      case (opcode)
        5'h0c: begin  // OP
          bm = 1'b1;
          case ({f7, f3})
            {7'h10, 3'd2}: bm_alu = `TALLY_ALU_SHADD | 5'd1;
            {7'h10, 3'd4}: bm_alu = `TALLY_ALU_SHADD | 5'd2;
            {7'h10, 3'd6}: bm_alu = `TALLY_ALU_SHADD | 5'd3;
            {7'h20, 3'd4}: bm_alu = `TALLY_ALU_XNOR;
            {7'h20, 3'd6}: bm_alu = `TALLY_ALU_ORN;
            {7'h20, 3'd7}: bm_alu = `TALLY_ALU_ANDN;
            {7'h05, 3'd4},
            {7'h05, 3'd5},
            {7'h05, 3'd6},
            {7'h05, 3'd7}: bm_alu = `TALLY_ALU_MIN | {3'd0, f3[1:0]};
            {7'h30, 3'd1}: bm_alu = `TALLY_ALU_ROL;
            {7'h30, 3'd5}: bm_alu = `TALLY_ALU_ROR;
            default:       bm     = 1'b0;
          endcase
        end
        5'h0e: begin  // OP-32
          bm = 1'b1;
          case ({f7, f3})
            {7'h04, 3'd0}: bm_alu = `TALLY_ALU_ADDUW;
            {7'h10, 3'd2}: bm_alu = `TALLY_ALU_ADDUW | 5'd1;
            {7'h10, 3'd4}: bm_alu = `TALLY_ALU_ADDUW | 5'd2;
            {7'h10, 3'd6}: bm_alu = `TALLY_ALU_ADDUW | 5'd3;
            {7'h30, 3'd1}: begin
              bm_alu  = `TALLY_ALU_ROL;
              bm_word = 1'b1;
            end
            {7'h30, 3'd5}: begin
              bm_alu  = `TALLY_ALU_ROR;
              bm_word = 1'b1;
            end
            {7'h04, 3'd4}: begin
              bm_zexth = rs2_o == 5'd0;
              bm       = bm_zexth;
            end
            default:       bm     = 1'b0;
          endcase
        end
        5'h04: begin  // OP-IMM
          if (f3 == 3'd1 && i[31:23] == 9'h0c0) begin  // 600 clz, 601 ctz, 602 cpop, 604 sext.b, 605 sext.h
            bm_count = !i[22] && i[21:20] != 2'd3;
            bm       = bm_count || (i[22] && !i[21]);
            bm_alu   = i[20] ? `TALLY_ALU_SEXTH : `TALLY_ALU_SEXTB;
          end else if (f3 == 3'd5) begin
            bm       = i[31:26] == 6'h18 || i[31:20] == 12'h287 || i[31:20] == 12'h6b8;
            bm_alu   = i[31:20] == 12'h287 ? `TALLY_ALU_ORCB :
                       i[31:20] == 12'h6b8 ? `TALLY_ALU_REV8 : `TALLY_ALU_ROR;
          end
        end
        5'h06: begin  // OP-IMM-32
          if (f3 == 3'd1 && i[31:26] == 6'h02) begin
            bm       = 1'b1;
            bm_alu   = `TALLY_ALU_SLLUW;
          end else if (f3 == 3'd1) begin
            bm_count = i[31:22] == 10'h180 && i[21:20] != 2'd3;
            bm       = bm_count;
            bm_word  = 1'b1;
          end else if (f3 == 3'd5) begin
            bm       = f7 == 7'h30;
            bm_alu   = `TALLY_ALU_ROR;
            bm_word  = 1'b1;
          end
        end
        default: ;
      endcase
    end
  end

  always @* begin
    illegal_o = i[1:0] != 2'b11;
    unit_o    = `TALLY_U_ALU;
    alu_o     = `TALLY_ALU_ADD;
    word_o    = 1'b0;
    a_pc_o    = 1'b0;
    b_imm_o   = 1'b1;
    imm_o     = imm_i;
    use1_o    = 1'b0;
    use2_o    = 1'b0;
    rdwe_o    = 1'b0;
    ls_op_o   = `TALLY_LS_LOAD;
    sys_o     = `TALLY_SYS_CSR;
    itype_o   = `TALLY_ITYPE_NONE;

    case (opcode)
      5'h00: begin  // LOAD
        unit_o = `TALLY_U_MEM;
        use1_o = 1'b1;
        rdwe_o = 1'b1;
        if (f3 == 3'd7) illegal_o = 1'b1;
      end
      5'h03: begin  // MISC-MEM: fields other than funct3 are ignored, as the manual asks
        unit_o = `TALLY_U_SYS;
        sys_o  = f3[0] ? `TALLY_SYS_FENCEI : `TALLY_SYS_FENCE;
        if (f3[2:1] != 2'd0) illegal_o = 1'b1;
      end
      5'h04: begin  // OP-IMM
        alu_o  = alu_of(f3, shift && i[30]);
        use1_o = 1'b1;
        rdwe_o = 1'b1;
        if (shift && (i[31] || i[29:26] != 4'd0 || (i[30] && f3 == 3'd1))) illegal_o = 1'b1;
      end
      5'h05: begin  // AUIPC
        a_pc_o = 1'b1;
        imm_o  = imm_u;
        rdwe_o = 1'b1;
      end
      5'h06: begin  // OP-IMM-32
        alu_o  = alu_of(f3, shift && i[30]);
        word_o = 1'b1;
        use1_o = 1'b1;
        rdwe_o = 1'b1;
        if (f3 != 3'd0 && !shift) illegal_o = 1'b1;
        if (shift && (i[31] || i[29:25] != 5'd0 || (i[30] && f3 == 3'd1))) illegal_o = 1'b1;
      end
      5'h08: begin  // STORE
        unit_o  = `TALLY_U_MEM;
        ls_op_o = `TALLY_LS_STORE;
        imm_o   = imm_s;
        use1_o  = 1'b1;
        use2_o  = 1'b1;
        if (f3[2]) illegal_o = 1'b1;
      end
      5'h0b: begin  // AMO, LR, SC
        unit_o = `TALLY_U_MEM;
        imm_o  = 32'd0;
        use1_o = 1'b1;
        use2_o = 1'b1;
        rdwe_o = 1'b1;
        if (f3[2:1] != 2'd1) illegal_o = 1'b1;
        case (i[31:27])
          5'h02: begin
            ls_op_o = `TALLY_LS_LR;
            use2_o  = 1'b0;
            if (rs2_o != 5'd0) illegal_o = 1'b1;
          end
          5'h03: begin
            ls_op_o = `TALLY_LS_SC;
          end
          5'h00, 5'h01, 5'h04, 5'h08, 5'h0c, 5'h10, 5'h14, 5'h18, 5'h1c: begin
            ls_op_o = `TALLY_LS_AMO;
          end
          default: illegal_o = 1'b1;
        endcase
      end
      5'h0c, 5'h0e: begin  // OP, OP-32
        word_o  = opcode[1];
        b_imm_o = 1'b0;
        use1_o  = 1'b1;
        use2_o  = 1'b1;
        rdwe_o  = 1'b1;
        alu_o   = alu_of(f3, i[30]);
        if (f7 == 7'd1) begin
          unit_o = f3[2] ? `TALLY_U_DIV : `TALLY_U_MUL;
          if (opcode[1] && !f3[2] && f3 != 3'd0) illegal_o = 1'b1;
        end else begin
          if (f7 != 7'd0 && !(f7 == 7'h20 && (f3 == 3'd0 || f3 == 3'd5))) illegal_o = 1'b1;
          if (opcode[1] && f3 != 3'd0 && !shift) illegal_o = 1'b1;
        end
      end
      5'h0d: begin  // LUI
        alu_o  = `TALLY_ALU_B;
        imm_o  = imm_u;
        rdwe_o = 1'b1;
      end
      5'h18: begin  // BRANCH
        unit_o  = `TALLY_U_BR;
        imm_o   = imm_b;
        use1_o  = 1'b1;
        use2_o  = 1'b1;
        b_imm_o = 1'b0;
        itype_o = `TALLY_ITYPE_BR_NT;
        if (f3[2:1] == 2'd1) illegal_o = 1'b1;
      end
      5'h19: begin  // JALR
        unit_o = `TALLY_U_BR;
        use1_o = 1'b1;
        rdwe_o = 1'b1;
        if (rd_link)
          itype_o = rs1_link && rs1_o != rd_o ? `TALLY_ITYPE_CORSWAP : `TALLY_ITYPE_IND_CALL;
        else if (rs1_link)     itype_o = `TALLY_ITYPE_RETURN;
        else if (rd_o == 5'd0) itype_o = `TALLY_ITYPE_IND_JMP;
        else                   itype_o = `TALLY_ITYPE_IND_LJMP;
        if (f3 != 3'd0) illegal_o = 1'b1;
      end
      5'h1b: begin  // JAL
        unit_o = `TALLY_U_BR;
        imm_o  = imm_j;
        a_pc_o = 1'b1;
        rdwe_o = 1'b1;
        if (rd_link)           itype_o = `TALLY_ITYPE_DIR_CALL;
        else if (rd_o == 5'd0) itype_o = `TALLY_ITYPE_DIR_JMP;
        else                   itype_o = `TALLY_ITYPE_DIR_LJMP;
      end
      5'h1c: begin  // SYSTEM
        unit_o = `TALLY_U_SYS;
        if (f3[1:0] != 2'd0) begin  // CSR: the operand is rs1 or the five-bit immediate in its place
          rdwe_o  = 1'b1;
          use1_o  = !f3[2];
          alu_o   = f3[2] ? `TALLY_ALU_B : `TALLY_ALU_ADD;
          imm_o   = f3[2] ? {27'b0, rs1_o} : 32'd0;
        end else if (f3[2]) begin
          illegal_o = 1'b1;
        end else if (f7 == 7'h09) begin
          sys_o = `TALLY_SYS_SFENCE;
          if (rd_o != 5'd0) illegal_o = 1'b1;
        end else begin
          if (rd_o != 5'd0 || rs1_o != 5'd0) illegal_o = 1'b1;
          case (i[31:20])
            12'h000: sys_o = `TALLY_SYS_ECALL;
            12'h001: sys_o = `TALLY_SYS_EBREAK;
            12'h102: sys_o = `TALLY_SYS_SRET;
            12'h105: sys_o = `TALLY_SYS_WFI;
            12'h302: sys_o = `TALLY_SYS_MRET;
            UEBRET_0[31:20], UEBRET_1[31:20]: begin
              sys_o = `TALLY_SYS_UEBRET;
              if (EBB == 0) illegal_o = 1'b1;
            end
            default: illegal_o = 1'b1;
          endcase
          if (i[31:20] == 12'h102 || i[31:20] == 12'h302 || (EBB != 0 && i[31:21] == UEBRET_0[31:21])) begin
            itype_o = `TALLY_ITYPE_TRET;
          end
        end
      end
      default: illegal_o = 1'b1;
    endcase

    if (bm) begin  // the opcode's needs are decided above
      illegal_o = i[1:0] != 2'b11;
      unit_o    = bm_count ? `TALLY_U_COUNT : `TALLY_U_ALU;
      alu_o     = bm_zexth ? `TALLY_ALU_AND : bm_alu;
      word_o    = bm_word;
      if (bm_zexth) begin
        b_imm_o = 1'b1;
        imm_o   = 32'h0000ffff;
        use2_o  = 1'b0;
      end
    end

    if (bad_i) illegal_o = 1'b1;
    if (rd_o == 5'd0) rdwe_o = 1'b0;
    if (illegal_o) begin
      unit_o  = `TALLY_U_NONE;
      itype_o = `TALLY_ITYPE_NONE;
      rdwe_o  = 1'b0;
    end
  end

  // Decode events are computed separately because they are needed early; 0 for illegal code.
  localparam [2:0] OTHER = `TALLY_TYPE_OTHER, LOAD = `TALLY_TYPE_LOAD, STORE = `TALLY_TYPE_STORE,
                   LOAD_STORE = `TALLY_TYPE_LOAD_STORE, TRANSFER = `TALLY_TYPE_TRANSFER;

  always @* begin
    type_o = OTHER;
    case (opcode)
      5'h00: if (f3 != 3'd7)                       type_o = LOAD;
      5'h08: if (!f3[2])                           type_o = STORE;
      5'h0b: if (f3[2:1] == 2'b01) begin
        if (i[28:27] == 2'b00 || i[31:27] == 5'd1) type_o = LOAD_STORE;
        if (i[31:27] == 5'd2 && i[24:20] == 5'd0)  type_o = LOAD;   // lr
        if (i[31:27] == 5'd3)                      type_o = STORE;  // sc
      end
      5'h18: if (f3[2:1] != 2'b01)                 type_o = TRANSFER;
      5'h19: if (f3 == 3'd0)                       type_o = TRANSFER;
      5'h1b:                                       type_o = TRANSFER;
      5'h1c: if (i[31:7] == {12'h102, 13'd0} || i[31:7] == {12'h302, 13'd0} ||
                 (EBB != 0 && i[31:21] == 11'h460 && i[19:7] == 13'd0))
                                                   type_o = TRANSFER;  // sret, mret, uebret
      default: ;
    endcase
    if (bad_i) type_o = OTHER;
  end
endmodule

`default_nettype wire
