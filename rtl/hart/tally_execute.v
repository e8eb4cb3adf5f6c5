// tally_execute - EX: integer ALU and branch resolution, one cycle.
//
// A branch that did not go where the front end went redirects it in this cycle (late); everything younger is
// still in IS or before. What the predictor learns leaves one cycle later, registered.

`default_nettype none
`include "tally_hart.vh"

module tally_execute #(
    parameter XLEN   = 64,
    parameter META_W = 1
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              flush_i,        // late: nothing of this cycle counts

    input  wire              valid_i,
    input  wire              branch_i,
    input  wire [4:0]        op_i,
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
    input  wire [XLEN-1:0]   went_i,         // where the front end went,
    input  wire              seq_ok_i,       // and which of the two this is
    input  wire              dest_ok_i,
    input  wire [META_W-1:0] meta_i,

    output wire [XLEN-1:0]   value_o,        // late
    output wire              mispred_o,      // late
    output wire [XLEN-1:0]   next_pc_o,      // late: where the program goes on
    output wire [3:0]        itype_o,        // late: with the direction of a branch known

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

  wire            sub    = op_i == `TALLY_ALU_SUB || op_i == `TALLY_ALU_SLT ||
                           op_i == `TALLY_ALU_SLTU || branch_i;
  wire [XLEN-1:0] b_neg  = sub ? ~b_i : b_i;
  wire [XLEN-1:0] sum    = a_i + b_neg + {{XLEN-1{1'b0}}, sub};
  wire            eq     = a_i == b_i;
  wire            less_u = a_i[XLEN-1] != b_i[XLEN-1] ? b_i[XLEN-1] : sum[XLEN-1];
  wire            less_s = a_i[XLEN-1] != b_i[XLEN-1] ? a_i[XLEN-1] : sum[XLEN-1];

  wire [SH_W-1:0] shamt  = {b_i[SH_W-1] && !(word_i && XLEN == 64), b_i[SH_W-2:0]};
  wire            arith  = op_i == `TALLY_ALU_SRA;
  wire            fill   = arith && (word_i ? a_i[31] : a_i[XLEN-1]);
  wire [XLEN-1:0] right  = word_i ? {{XLEN-32{fill}}, a_i[31:0]} : a_i;
  // The fill bits come from the shift of an all-ones mask: no vector wider than XLEN.
  wire [XLEN-1:0] srl    = right >> shamt;
  wire [XLEN-1:0] mask   = {XLEN{1'b1}} >> shamt;
  wire [XLEN-1:0] shr    = srl | (fill ? ~mask : {XLEN{1'b0}});
  wire [XLEN-1:0] shl    = a_i << shamt;

  reg [XLEN-1:0] result;
  always @* begin
    case (op_i)
      `TALLY_ALU_ADD,
      `TALLY_ALU_SUB:  result = sum;
      `TALLY_ALU_SLL:  result = shl;
      `TALLY_ALU_SLT:  result = {{XLEN-1{1'b0}}, less_s};
      `TALLY_ALU_SLTU: result = {{XLEN-1{1'b0}}, less_u};
      `TALLY_ALU_XOR:  result = a_i ^ b_i;
      `TALLY_ALU_SRL,
      `TALLY_ALU_SRA:  result = shr;
      `TALLY_ALU_OR:   result = a_i | b_i;
      `TALLY_ALU_AND:  result = a_i & b_i;
      default:         result = b_i;
    endcase
    if (word_i) result = {{XLEN-32{result[31]}}, result[31:0]};
  end

  // Branches
  wire is_cond = itype_i == `TALLY_IT_BR_NT;
  wire is_jalr = itype_i[3] && !itype_i[0];  // 8, 10, 12, 14; a return is 13
  wire is_ind  = is_jalr || itype_i == `TALLY_IT_RETURN;

  reg cond;
  always @* begin
    case (funct3_i[2:1])
      2'd0:    cond = eq;
      2'd2:    cond = less_s;
      default: cond = less_u;
    endcase
    if (funct3_i[0]) cond = !cond;
  end

  wire            taken    = !is_cond || cond;

  // jalr: a + imm, bit 0 cleared. Whether that is where the front end went is found without the sum: if every
  // bit of the sum is right, the carry into a bit follows from the operands' and the sum's bit below.
  wire [XLEN-1:0] offset   = {{XLEN-32{imm_i[31]}}, imm_i};
  wire [XLEN-1:0] ind_sum  = a_i + offset;
  wire [XLEN-1:0] wanted   = {went_i[XLEN-1:1], 1'b1};
  wire [XLEN-1:0] half     = a_i ^ offset ^ wanted;
  wire [XLEN-1:0] carry    = (a_i & offset) | ((a_i | offset) & ~wanted);
  wire            ind_ok   = half[XLEN-1:1] == carry[XLEN-2:0];
  wire            unused_ok = &{1'b0, half[0], carry[XLEN-1], ind_sum[0], went_i[0]};

  wire [XLEN-1:0] target   = is_ind ? {ind_sum[XLEN-1:1], 1'b0} : dest_i;
  wire            went_ok  = !taken ? seq_ok_i : is_ind ? ind_ok : dest_ok_i;

  assign next_pc_o = taken ? target : seq_i;
  assign mispred_o = valid_i && branch_i && !went_ok;
  assign value_o   = branch_i ? seq_i : result;
  assign itype_o   = is_cond && cond ? `TALLY_IT_BR_TK : itype_i;

  reg [2:0] bu_type;
  always @* begin
    case (itype_i)
      `TALLY_IT_BR_NT:                    bu_type = 3'd0;
      `TALLY_IT_DIRJMP, `TALLY_IT_DIRLJMP: bu_type = 3'd1;
      `TALLY_IT_DIRCALL, `TALLY_IT_INDCALL: bu_type = 3'd2;
      `TALLY_IT_RETURN:                   bu_type = 3'd3;
      `TALLY_IT_CORSWAP:                  bu_type = 3'd4;
      default:                            bu_type = 3'd5;
    endcase
  end

  always @(posedge clk) begin
    bu_valid_o <= valid_i && branch_i && !flush_i && !rst;
    if (valid_i && branch_i) begin
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
