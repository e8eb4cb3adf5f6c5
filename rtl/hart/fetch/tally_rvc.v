// SPDX-License-Identifier: Apache-2.0
// tally_rvc - expands a compressed (16-bit) RV64C instruction into its 32-bit form.
//
// Combinational. Floating-point forms and reserved encodings are illegal; hints expand to what they
// hint at, which does nothing. "C" extension, unprivileged manual.

`default_nettype none

module tally_rvc (
    input  wire [15:0] insn_i,
    output reg  [31:0] insn_o,
    output reg         illegal_o
);
  wire [4:0] rd    = insn_i[11:7];               // rd or rs1, full
  wire [4:0] rs2   = insn_i[6:2];                // rs2, full
  wire [4:0] rdc   = {2'b01, insn_i[4:2]};       // rd' or rs2'
  wire [4:0] rs1c  = {2'b01, insn_i[9:7]};       // rs1'
  wire [5:0] imm6  = {insn_i[12], insn_i[6:2]};
  wire       neg   = insn_i[12];

  wire [11:0] imm12   = {{7{neg}}, insn_i[6:2]};
  wire [9:0]  spn     = {insn_i[10:7], insn_i[12:11], insn_i[5], insn_i[6], 2'b00};
  wire [11:0] sp16    = {{3{neg}}, insn_i[4:3], insn_i[5], insn_i[2], insn_i[6], 4'b0000};
  wire [6:0]  off_w   = {insn_i[5], insn_i[12:10], insn_i[6], 2'b00};
  wire [7:0]  off_d   = {insn_i[6:5], insn_i[12:10], 3'b000};
  wire [7:0]  off_lwsp = {insn_i[3:2], insn_i[12], insn_i[6:4], 2'b00};
  wire [8:0]  off_ldsp = {insn_i[4:2], insn_i[12], insn_i[6:5], 3'b000};
  wire [7:0]  off_swsp = {insn_i[8:7], insn_i[12:9], 2'b00};
  wire [8:0]  off_sdsp = {insn_i[9:7], insn_i[12:10], 3'b000};
  wire [11:1] off_j   = {neg, insn_i[8], insn_i[10:9], insn_i[6], insn_i[7], insn_i[2], insn_i[11],
                         insn_i[5:3]};
  wire [8:1]  off_b   = {neg, insn_i[6:5], insn_i[2], insn_i[11:10], insn_i[4:3]};
  wire [20:1] jimm    = {{9{off_j[11]}}, off_j};
  wire [12:1] bimm    = {{4{off_b[8]}}, off_b};

  localparam [6:0] LOAD = 7'h03, OP_IMM = 7'h13, OP_IMM_32 = 7'h1b, STORE = 7'h23, OP = 7'h33, LUI = 7'h37,
                   OP_32 = 7'h3b, BRANCH = 7'h63, JALR = 7'h67, JAL = 7'h6f, SYSTEM = 7'h73;

  // Register-register forms of quadrant 1: funct3 and funct7[5] of sub, xor, or, and.
  reg [3:0] rr;
  always @* begin
    case (insn_i[6:5])
      2'd0:    rr = {1'b1, 3'd0};
      2'd1:    rr = {1'b0, 3'd4};
      2'd2:    rr = {1'b0, 3'd6};
      default: rr = {1'b0, 3'd7};
    endcase
  end

  always @* begin
    illegal_o = 1'b0;
    insn_o    = {16'b0, insn_i};
    case ({insn_i[1:0], insn_i[15:13]})
      {2'd0, 3'd0}: begin  // c.addi4spn
        insn_o    = {2'b00, spn, 5'd2, 3'd0, rdc, OP_IMM};
        illegal_o = spn == 10'd0;
      end
      {2'd0, 3'd2}: insn_o = {5'b0, off_w, rs1c, 3'd2, rdc, LOAD};                              // c.lw
      {2'd0, 3'd3}: insn_o = {4'b0, off_d, rs1c, 3'd3, rdc, LOAD};                              // c.ld
      {2'd0, 3'd6}: insn_o = {5'b0, off_w[6:5], rdc, rs1c, 3'd2, off_w[4:0], STORE};            // c.sw
      {2'd0, 3'd7}: insn_o = {4'b0, off_d[7:5], rdc, rs1c, 3'd3, off_d[4:0], STORE};            // c.sd
      {2'd1, 3'd0}: insn_o = {imm12, rd, 3'd0, rd, OP_IMM};  // c.addi, c.nop
      {2'd1, 3'd1}: begin  // c.addiw
        insn_o    = {imm12, rd, 3'd0, rd, OP_IMM_32};
        illegal_o = rd == 5'd0;
      end
      {2'd1, 3'd2}: insn_o = {imm12, 5'd0, 3'd0, rd, OP_IMM};                                   // c.li
      {2'd1, 3'd3}: begin  // c.addi16sp, c.lui
        if (rd == 5'd2) insn_o = {sp16, 5'd2, 3'd0, 5'd2, OP_IMM};
        else            insn_o = {{15{neg}}, insn_i[6:2], rd, LUI};
        illegal_o = imm6 == 6'd0;
      end
      {2'd1, 3'd4}: begin
        case (insn_i[11:10])
          2'd0:    insn_o = {6'h00, imm6, rs1c, 3'd5, rs1c, OP_IMM};                            // c.srli
          2'd1:    insn_o = {6'h10, imm6, rs1c, 3'd5, rs1c, OP_IMM};                            // c.srai
          2'd2:    insn_o = {imm12, rs1c, 3'd7, rs1c, OP_IMM};                                  // c.andi
          default: begin
            if (!neg) insn_o = {1'b0, rr[3], 5'b0, rdc, rs1c, rr[2:0], rs1c, OP};
            else      insn_o = {1'b0, ~insn_i[5], 5'b0, rdc, rs1c, 3'd0, rs1c, OP_32};  // c.subw, c.addw
            illegal_o = neg && insn_i[6];
          end
        endcase
      end
      {2'd1, 3'd5}: insn_o = {jimm[20], jimm[10:1], jimm[11], jimm[19:12], 5'd0, JAL};          // c.j
      {2'd1, 3'd6}: insn_o = {bimm[12], bimm[10:5], 5'd0, rs1c, 3'd0, bimm[4:1], bimm[11], BRANCH};  // c.beqz
      {2'd1, 3'd7}: insn_o = {bimm[12], bimm[10:5], 5'd0, rs1c, 3'd1, bimm[4:1], bimm[11], BRANCH};  // c.bnez
      {2'd2, 3'd0}: insn_o = {6'h00, imm6, rd, 3'd1, rd, OP_IMM};                               // c.slli
      {2'd2, 3'd2}: begin  // c.lwsp
        insn_o    = {4'b0, off_lwsp, 5'd2, 3'd2, rd, LOAD};
        illegal_o = rd == 5'd0;
      end
      {2'd2, 3'd3}: begin  // c.ldsp
        insn_o    = {3'b0, off_ldsp, 5'd2, 3'd3, rd, LOAD};
        illegal_o = rd == 5'd0;
      end
      {2'd2, 3'd4}: begin
        if (!neg && rs2 == 5'd0) begin  // c.jr
          insn_o    = {12'b0, rd, 3'd0, 5'd0, JALR};
          illegal_o = rd == 5'd0;
        end else if (!neg) begin        // c.mv
          insn_o    = {7'b0, rs2, 5'd0, 3'd0, rd, OP};
        end else if (rs2 != 5'd0) begin // c.add
          insn_o    = {7'b0, rs2, rd, 3'd0, rd, OP};
        end else if (rd != 5'd0) begin  // c.jalr
          insn_o    = {12'b0, rd, 3'd0, 5'd1, JALR};
        end else begin                  // c.ebreak
          insn_o    = {12'd1, 13'b0, SYSTEM};
        end
      end
      {2'd2, 3'd6}: insn_o = {4'b0, off_swsp[7:5], rs2, 5'd2, 3'd2, off_swsp[4:0], STORE};      // c.swsp
      {2'd2, 3'd7}: insn_o = {3'b0, off_sdsp[8:5], rs2, 5'd2, 3'd3, off_sdsp[4:0], STORE};      // c.sdsp
      default:      illegal_o = 1'b1;  // floating point, reserved
    endcase
  end
endmodule

`default_nettype wire
