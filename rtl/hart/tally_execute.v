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
    input  wire              pred_taken_i,
    input  wire [XLEN-1:0]   pred_target_i,
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
  wire [XLEN-1:0] sequel   = pc_i + (rvc_i ? 2 : 4);
  wire [XLEN-1:0] tbase    = is_ind ? a_i : pc_i;
  wire [XLEN-1:0] tsum     = tbase + {{XLEN-32{imm_i[31]}}, imm_i};
  wire [XLEN-1:0] target   = {tsum[XLEN-1:1], tsum[0] && !is_ind};
  wire [XLEN-1:0] went     = pred_taken_i ? pred_target_i : sequel;

  assign next_pc_o = taken ? target : sequel;
  assign mispred_o = valid_i && branch_i && next_pc_o != went;
  assign value_o   = branch_i ? sequel : result;
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
