// SPDX-License-Identifier: Apache-2.0
// tally_execute - EX: integer ALU and branch resolution, one cycle (unprivileged manual, RV32I, RV64I, Zba,
// Zbb). Zbb's counts are in tally_muldiv.
//
// A mispredicted branch redirects the front end in this cycle (late-arriving); everything younger is still in
// IS or before. The predictor's update leaves one cycle later, registered.

`default_nettype none
`include "tally_hart.vh"
`include "tally_spec.vh"

module tally_execute #(
    parameter XLEN    = 64,
    parameter META_W  = 1,
    parameter ZBA_ZBB = 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              flush_i,        // late-arriving: drops this cycle's branch

    input  wire              valid_i,
    input  wire              branch_i,
    input  wire [4:0]        op_i,
    input  wire              sub_i,          // b is inverted
    input  wire              shift_i,        // a shift or rotation:
    input  wire              left_i,         // to the left,
    input  wire              rot_i,          // a rotation,
    input  wire              arith_i,        // of the sign,
    input  wire              low_i,          // of the lower word alone
    input  wire              word_i,
    input  wire [XLEN-1:0]   a_i,
    input  wire [XLEN-1:0]   b_i,
    input  wire [31:0]       imm_i,
    input  wire [2:0]        funct3_i,
    input  wire [3:0]        itype_i,
    input  wire [XLEN-1:0]   pc_i,
    input  wire              rvc_i,
    input  wire [XLEN-1:0]   seq_i,          // of a control transfer: the pc behind it,
    input  wire [XLEN-1:0]   dest_i,         // pc and offset,
    input  wire [XLEN-1:0]   predicted_i,    // predicted next pc,
    input  wire              seq_ok_i,       // and which of the two this is
    input  wire              dest_ok_i,
    input  wire [META_W-1:0] meta_i,

    output wire [XLEN-1:0]   value_o,        // late-arriving
    output wire              mispred_o,      // late-arriving
    output wire [XLEN-1:0]   next_pc_o,      // the next instruction (late-arriving)
    output wire [3:0]        itype_o,        // with the direction of a branch (late-arriving)

    output reg               bu_valid_o,
    output reg  [XLEN-1:0]   bu_pc_o,
    output reg               bu_rvc_o,
    output reg               bu_taken_o,
    output reg  [XLEN-1:0]   bu_target_o,
    output reg  [2:0]        bu_type_o,
    output reg               bu_mispred_o,
    output reg  [META_W-1:0] bu_meta_o
);
  // ALU
  localparam SH_W = XLEN == 64 ? 6 : 5;

  localparam [4:0] MIN  = `TALLY_ALU_MIN;
  localparam [4:0] ADDS = `TALLY_ALU_SHADD;

  // Without Zba and Zbb no operation from 16 on occurs.
  wire [4:0] op = {op_i[4] && ZBA_ZBB != 0, op_i[3:0]};

  wire            minmax = op[4:2] == MIN[4:2];
  wire [XLEN-1:0] b_neg  = sub_i ? ~b_i : b_i;
  wire [XLEN-1:0] sum    = a_i + b_neg + {{XLEN-1{1'b0}}, sub_i};
  // Of the other operations only shifts have a word form.
  wire [XLEN-1:0] total  = word_i ? {{XLEN-32{sum[31]}}, sum[31:0]} : sum;
  wire            less_u = a_i[XLEN-1] != b_i[XLEN-1] ? b_i[XLEN-1] : sum[XLEN-1];
  wire            less_s = a_i[XLEN-1] != b_i[XLEN-1] ? a_i[XLEN-1] : sum[XLEN-1];
  wire            pick_a = (op[0] ? less_u : less_s) != op[1];

  // shNadd, add.uw: an adder of their own, so that no shift is in the path of branches
  wire [XLEN-1:0] sa_a   = op[2] ? {{XLEN-32{1'b0}}, a_i[31:0]} : a_i;
  wire [XLEN-1:0] sa_sum = (sa_a << op[1:0]) + b_i;

  // Shifts are rotations to the right, masked. Left by n is right by one and by the complement of n; a word
  // rotates twice side by side.
  wire            word   = word_i && XLEN == 64;
  wire            fill   = arith_i && (word_i ? a_i[31] : a_i[XLEN-1]);
  wire [SH_W-1:0] shamt  = {b_i[SH_W-1] && !word, b_i[SH_W-2:0]};
  wire [SH_W-1:0] by     = shamt ^ {SH_W{left_i}};
  wire [XLEN-1:0] sh_a   = word  ? {XLEN/32{a_i[31:0]}} :
                           low_i ? {{XLEN-32{1'b0}}, a_i[31:0]} : a_i;
  wire [XLEN-1:0] all    = {XLEN{1'b1}};
  wire [XLEN-1:0] low    = word_i ? {{XLEN-32{1'b0}}, {32{1'b1}}} : all;
  wire [XLEN-1:0] keep   = rot_i ? all : left_i ? all << shamt : low >> shamt;
  reg  [XLEN-1:0] turned;
  reg  [XLEN-1:0] shifted;
  integer         n;

  always @* begin
    turned = left_i ? {sh_a[0], sh_a[XLEN-1:1]} : sh_a;
    for (n = 0; n < SH_W; n = n + 1)
      if (by[n]) turned = turned >> (1 << n) | turned << (XLEN - (1 << n));
    shifted = (turned & keep) | (fill ? ~keep : {XLEN{1'b0}});
    if (word_i) shifted = {{XLEN-32{shifted[31]}}, shifted[31:0]};
  end

  reg [XLEN-1:0] result;
  integer        k;
  always @* begin
    k      = 0;
    result = b_i;
    case (op)
      `TALLY_ALU_ADD,
      `TALLY_ALU_SUB:   result = total;
      `TALLY_ALU_SLT:   result = {{XLEN-1{1'b0}}, less_s};
      `TALLY_ALU_SLTU:  result = {{XLEN-1{1'b0}}, less_u};
      `TALLY_ALU_XOR,
      `TALLY_ALU_XNOR:  result = a_i ^ b_neg;
      `TALLY_ALU_OR,
      `TALLY_ALU_ORN:   result = a_i | b_neg;
      `TALLY_ALU_AND,
      `TALLY_ALU_ANDN:  result = a_i & b_neg;
      `TALLY_ALU_REV8:
        for (k = 0; k < XLEN; k = k + 8) result[k+:8] = a_i[XLEN-8-k+:8];
      `TALLY_ALU_ORCB:
        for (k = 0; k < XLEN; k = k + 8) result[k+:8] = {8{|a_i[k+:8]}};
      `TALLY_ALU_SEXTB: result = {{XLEN-8{a_i[7]}}, a_i[7:0]};
      `TALLY_ALU_SEXTH: result = {{XLEN-16{a_i[15]}}, a_i[15:0]};
      default: begin
        if (op[4:3] == ADDS[4:3]) result = sa_sum;
        else if (minmax && pick_a) result = a_i;
      end
    endcase
  end

  // Branches
  // A branch has the code of one that is not taken until it is resolved.
  wire is_cond = itype_i == `TALLY_ITYPE_BR_NT;
  wire is_jalr = itype_i[3] && !itype_i[0];  // 8, 10, 12, 14; a return is 13
  wire is_ind  = is_jalr || itype_i == `TALLY_ITYPE_RETURN;

  // The subtraction gives the top bit; both outcomes are computed beside it.
  wire [1:0] taken_if, mispred_if;
  wire       top      = sum[XLEN-1];
  wire       taken    = top ? taken_if[1] : taken_if[0];
  wire       transfer = valid_i && branch_i;

  tally_branch_outcome #(
      .XLEN(XLEN)
  ) u_outcome (
      .a_i       (a_i),
      .b_i       (b_i),
      .funct3_i  (funct3_i),
      .cond_i    (is_cond),
      .if_taken_i(transfer && !is_ind && !dest_ok_i),
      .if_not_i  (transfer && !seq_ok_i),
      .taken_o   (taken_if),
      .mispred_o (mispred_if)
  );

  // jalr: a + imm, bit 0 cleared. The comparison with the prediction works without the sum: if every
  // bit of the sum is right, the carry into a bit follows from the operands' and the sum's bit below.
  wire [XLEN-1:0] offset   = {{XLEN-32{imm_i[31]}}, imm_i};
  wire [XLEN-1:0] ind_sum  = a_i + offset;
  wire [XLEN-1:0] wanted   = {predicted_i[XLEN-1:1], 1'b1};
  wire [XLEN-1:0] half     = a_i ^ offset ^ wanted;
  wire [XLEN-1:0] carry    = (a_i & offset) | ((a_i | offset) & ~wanted);
  wire            ind_ok   = half[XLEN-1:1] == carry[XLEN-2:0];
  wire            unused_ok = &{1'b0, half[0], carry[XLEN-1], ind_sum[0], predicted_i[0]};

  wire [XLEN-1:0] target   = is_ind ? {ind_sum[XLEN-1:1], 1'b0} : dest_i;

  assign next_pc_o = taken ? target : seq_i;
  assign mispred_o = (top ? mispred_if[1] : mispred_if[0]) || (transfer && is_ind && !ind_ok);
  // Shifts arrive last.
  wire [XLEN-1:0] early    = branch_i ? seq_i : result;
  assign value_o   = shift_i ? shifted : early;
  assign itype_o   = is_cond && taken ? `TALLY_ITYPE_BR_TK : itype_i;

  reg [2:0] bu_type;
  always @* begin
    case (itype_i)
      `TALLY_ITYPE_BR_NT:                           bu_type = 3'd0;
      `TALLY_ITYPE_DIR_JMP, `TALLY_ITYPE_DIR_LJMP:  bu_type = 3'd1;
      `TALLY_ITYPE_DIR_CALL, `TALLY_ITYPE_IND_CALL: bu_type = 3'd2;
      `TALLY_ITYPE_RETURN:                          bu_type = 3'd3;
      `TALLY_ITYPE_CORSWAP:                         bu_type = 3'd4;
      default:                                      bu_type = 3'd5;
    endcase
  end

  always @(posedge clk) begin
    bu_valid_o <= transfer && !flush_i && !rst;
    if (transfer) begin
      bu_pc_o      <= pc_i;
      bu_rvc_o     <= rvc_i;
      bu_taken_o   <= taken;
      bu_target_o  <= target;
      bu_type_o    <= bu_type;
      bu_mispred_o <= mispred_o;
      bu_meta_o    <= meta_i;
    end
  end
endmodule

`default_nettype wire
