// SPDX-License-Identifier: Apache-2.0
// tally_issue - IS: waits for operands and a unit, then issues in order.
//
// IS holds one instruction, and one may wait behind it, so that is_ready_o is a register: the issue of an
// instruction is late-arriving. Fields that do not decide about it are in RAMs, indexed by the
// instruction's ROB entry. A source is read from the register file unless an unretired instruction will
// write it: then from that instruction's ROB entry, or from the bus of a unit that completes in this cycle.
// An instruction that is not the multiplier's, divider's or bit counter's may also leave while the load that
// it waits for is in M, and take the value in EX, from the load's W, if it comes from the D cache. Else EX
// waits, and takes the value a cycle after the load has it, or any value if the load fails, as IS does.
// Nothing else issues meanwhile, so that a branch has nothing younger in a unit when it resolves.
// The table of last writers changes when an instruction issues, so that squashing the instruction in IS
// needs no repair.

`default_nettype none
`include "tally_hart.vh"

module tally_issue #(
    parameter XLEN   = 64,
    parameter TAG_W  = 3,
    parameter META_W = 1
) (
    input  wire              clk,
    input  wire              rst,

    // from decode: an instruction that needs a unit is dispatched
    output wire              is_ready_o,     // nothing waits behind the instruction in IS
    input  wire              is_valid_i,     // unless there is a squash or flush
    input  wire [TAG_W-1:0]  is_tag_i,
    input  wire [2:0]        is_unit_i,
    input  wire [4:0]        is_alu_i,
    input  wire              is_word_i,
    input  wire              is_a_pc_i,
    input  wire              is_b_imm_i,
    input  wire [31:0]       is_imm_i,
    input  wire [4:0]        is_rs1_i,
    input  wire [4:0]        is_rs2_i,
    input  wire [4:0]        is_rd_i,
    input  wire              is_use1_i,
    input  wire              is_use2_i,
    input  wire              is_rdwe_i,
    input  wire [2:0]        is_funct3_i,
    input  wire [2:0]        is_ls_op_i,
    input  wire [4:0]        is_ls_f5_i,
    input  wire [3:0]        is_itype_i,
    input  wire [XLEN-1:0]   is_pc_i,
    input  wire              is_rvc_i,
    input  wire              is_taken_i,
    input  wire [XLEN-1:0]   is_target_i,
    input  wire [META_W-1:0] is_meta_i,
    output wire [XLEN-1:0]   is_seq_o,       // of the instruction in IS: the pc behind it
    output wire [META_W-1:0] is_meta_o,

    // squash: a mispredicted branch in EX, or a flush at commit (both late-arriving)
    input  wire              squash_i,
    input  wire              flush_i,

    // the ROB: values of instructions that have completed; the entry that retires. src*_res: it completes
    // on the result bus, not by ex_done
    output wire [TAG_W-1:0]  src1_tag_o,
    output wire              src1_res_o,
    input  wire              src1_done_i,
    input  wire [XLEN-1:0]   src1_value_i,
    output wire [TAG_W-1:0]  src2_tag_o,
    output wire              src2_res_o,
    input  wire              src2_done_i,
    input  wire [XLEN-1:0]   src2_value_i,
    input  wire              ret_we_i,
    input  wire [4:0]        ret_rd_i,
    input  wire [TAG_W-1:0]  ret_tag_i,
    input  wire [XLEN-1:0]   ret_value_i,

    // completion buses (late-arriving)
    input  wire              ex_done_i,
    input  wire [TAG_W-1:0]  ex_tag_i,
    input  wire [XLEN-1:0]   ex_value_i,
    input  wire              res_done_i,    // the result bus: load/store unit, tally_muldiv
    input  wire [TAG_W-1:0]  res_tag_i,
    input  wire [XLEN-1:0]   res_value_i,

    // load/store unit: a load is in M; an access ends
    input  wire              m_load_i,
    input  wire [TAG_W-1:0]  m_tag_i,
    input  wire              lc_done_i,
    input  wire [XLEN-1:0]   lc_value_i,     // (late-arriving)
    input  wire              lc_hit_i,       // a load from the D cache ends,
    input  wire [XLEN-1:0]   lc_hit_value_i, // whose value this is

    // to the units: registered, valid in EX
    output wire              alu_valid_o,    // ALU, branch and SYS
    output reg  [TAG_W-1:0]  alu_tag_o,
    output reg               alu_branch_o,
    output reg  [4:0]        alu_op_o,
    output reg               alu_sub_o,      // decoded for EX: b is inverted,
    output reg               alu_shift_o,    // a shift or rotation:
    output reg               alu_left_o,     // to the left,
    output reg               alu_rot_o,      // a rotation,
    output reg               alu_arith_o,    // of the sign,
    output reg               alu_low_o,      // of the lower word alone
    output reg               alu_word_o,
    output wire [XLEN-1:0]   alu_a_o,
    output wire [XLEN-1:0]   alu_b_o,
    output reg  [31:0]       alu_imm_o,
    output reg  [2:0]        alu_funct3_o,
    output reg  [3:0]        alu_itype_o,
    output reg  [XLEN-1:0]   alu_pc_o,
    output reg               alu_rvc_o,
    output reg  [XLEN-1:0]   alu_seq_o,      // the next instruction's pc
    output reg  [XLEN-1:0]   alu_dest_o,     // pc and offset
    output reg  [XLEN-1:0]   alu_predicted_o, // predicted next pc,
    output reg               alu_seq_ok_o,   // and whether that is alu_seq_o
    output reg               alu_dest_ok_o,  // or alu_dest_o
    output reg  [META_W-1:0] alu_meta_o,

    input  wire              md_ready_i,
    output wire              md_valid_o,     // taken in this cycle (late-arriving)
    output wire              md_div_o,
    output wire              md_count_o,
    output wire [1:0]        md_op_o,        // funct3[1:0]
    output wire              md_word_o,
    output wire [TAG_W-1:0]  md_tag_o,
    output wire [XLEN-1:0]   md_a_o,
    output wire [XLEN-1:0]   md_b_o,

    input  wire              ls_ready_i,
    output wire              ls_valid_o,
    output reg  [TAG_W-1:0]  ls_tag_o,
    output reg  [2:0]        ls_op_o,
    output reg  [4:0]        ls_f5_o,
    output reg  [1:0]        ls_size_o,
    output reg               ls_uns_o,
    output wire [XLEN-1:0]   ls_base_o,
    output reg  [11:0]       ls_off_o,
    output wire [XLEN-1:0]   ls_wdata_o,

    output wire              issued_o,       // an instruction issues in this cycle (late-arriving)
    output wire [TAG_W-1:0]  issued_tag_o
);
  // The instruction in IS, and the one behind it: the fields that decide whether it can issue
  localparam KEY_W = TAG_W + 3 + 3*5 + 3;

  reg              v_q;
  reg              wait_q;
  reg [KEY_W-1:0]  key_q;
  reg [KEY_W-1:0]  next_key_q;

  wire [TAG_W-1:0] tag;
  wire [2:0]       unit;
  wire [4:0]       rs1, rs2, rd;
  wire             use1, use2, rdwe;
  assign {tag, unit, rs1, rs2, rd, use1, use2, rdwe} = key_q;

  // The rest
  localparam ROB_N = 1 << TAG_W;
  localparam OP_W  = 5 + 3 + 3 + 3 + 5 + 4 + 2;

  reg [XLEN-1:0]   pc_q     [0:ROB_N-1];
  reg [XLEN-1:0]   target_q [0:ROB_N-1];
  reg [META_W-1:0] meta_q   [0:ROB_N-1];
  reg [31:0]       imm_q    [0:ROB_N-1];
  reg [OP_W-1:0]   op_q     [0:ROB_N-1];

  wire [XLEN-1:0]   pc     = pc_q[tag];
  wire [XLEN-1:0]   target = target_q[tag];
  wire [META_W-1:0] meta   = meta_q[tag];
  wire [31:0]       imm    = imm_q[tag];
  wire [XLEN-1:0]   simm   = {{XLEN-32{imm[31]}}, imm};
  wire [4:0]        alu, ls_f5;
  wire [2:0]        funct3, ls_op;
  wire [3:0]        itype;
  wire              word, a_pc, b_imm, rvc, taken;
  assign {alu, word, a_pc, b_imm, funct3, ls_op, ls_f5, itype, rvc, taken} = op_q[tag];

  wire [XLEN-1:0]   seq = pc + (rvc ? 2 : 4);   // the pc behind it

  // Last writers that have not retired. Issue is late-arriving, so a writer is entered a cycle later; until
  // then it is a note.
  reg  [31:0]      busy_q;
  reg  [TAG_W:0]   writer_q [0:31];  // {completes on the result bus, tag}
  reg              note_q;           // an instruction that writes a register has issued a cycle ago,
  reg              note1_q, note2_q; // ... and if so its register is rs1, rs2
  reg  [4:0]       note_rd_q;
  reg  [TAG_W:0]   note_writer_q;
  wire             noted1 = note_q && note1_q, noted2 = note_q && note2_q;
  wire             busy1  = noted1 || busy_q[rs1], busy2 = noted2 || busy_q[rs2];

  integer n;
  initial begin
    for (n = 0; n < 32; n = n + 1) writer_q[n] = {TAG_W+1{1'b0}};
    for (n = 0; n < ROB_N; n = n + 1) begin
      pc_q[n]     = {XLEN{1'b0}};
      target_q[n] = {XLEN{1'b0}};
      meta_q[n]   = {META_W{1'b0}};
      imm_q[n]    = 32'b0;
      op_q[n]     = {OP_W{1'b0}};
    end
  end

  wire [XLEN-1:0] reg1;
  wire [XLEN-1:0] reg2;

  tally_regfile #(
      .XLEN(XLEN)
  ) u_regfile (
      .clk     (clk),
      .raddr1_i(rs1),
      .rdata1_o(reg1),
      .raddr2_i(rs2),
      .rdata2_o(reg2),
      .we_i    (ret_we_i),
      .waddr_i (ret_rd_i),
      .wdata_i (ret_value_i)
  );

  assign {src1_res_o, src1_tag_o} = noted1 ? note_writer_q : writer_q[rs1];
  assign {src2_res_o, src2_tag_o} = noted2 ? note_writer_q : writer_q[rs2];

  // The value selected is don't-care unless the instruction issues: so late-arriving inputs, above all the
  // completion of a load, decide about issue, not about the selection.
  wire done1 = src1_res_o ? res_done_i && res_tag_i == src1_tag_o : ex_done_i && ex_tag_i == src1_tag_o;
  wire done2 = src2_res_o ? res_done_i && res_tag_i == src2_tag_o : ex_done_i && ex_tag_i == src2_tag_o;
  wire ok1   = !busy1 || src1_done_i || done1;
  wire ok2   = !busy2 || src2_done_i || done2;

  wire is_md = unit == `TALLY_U_MUL || unit == `TALLY_U_DIV || unit == `TALLY_U_COUNT;
  wire is_ls = unit == `TALLY_U_MEM;

  // The load that it waits for is in M, so not done.
  wire src1_in_m = use1 && busy1 && src1_res_o && m_load_i && m_tag_i == src1_tag_o && !is_md;
  wire src2_in_m = use2 && busy2 && src2_res_o && m_load_i && m_tag_i == src2_tag_o && !is_md;

  wire [XLEN-1:0] val1 = !busy1 ? reg1 : src1_done_i ? src1_value_i :
                         src1_res_o ? res_value_i : ex_value_i;
  wire [XLEN-1:0] val2 = !busy2 ? reg2 : src2_done_i ? src2_value_i :
                         src2_res_o ? res_value_i : ex_value_i;

  // The instruction in EX, if it is not the multiplier's or divider's. It may wait for a load.
  reg              alu_q, ls_q;
  reg              held_q;         // it needs the value of that load,
  reg  [TAG_W-1:0] load_tag_q;
  reg              load_in_w_q;    // which is in W
  wire             ls_from_load;   // one of its operands is that value
  wire             load_done   = held_q && load_in_w_q && lc_done_i;
  wire             operands_ok = !held_q || (load_in_w_q && lc_hit_i);
  wire             ls_free     = (!ls_q || ls_ready_i) && operands_ok;

  assign alu_valid_o = alu_q && operands_ok;
  assign ls_valid_o  = ls_q && (operands_ok || !ls_from_load);

  wire operands = (ok1 || src1_in_m || !use1) && (ok2 || src2_in_m || !use2);
  wire unit_ok  = is_md ? md_ready_i && operands_ok : is_ls ? ls_free : operands_ok;
  wire can      = v_q && operands && unit_ok;
  wire go       = can && !squash_i && !flush_i;

  assign is_ready_o   = !wait_q;
  assign issued_o     = go;
  assign issued_tag_o = tag;

  assign md_valid_o  = go && is_md;
  assign md_div_o    = unit == `TALLY_U_DIV;
  assign md_count_o  = unit == `TALLY_U_COUNT;
  assign md_op_o     = funct3[1:0];
  assign md_word_o   = word;
  assign md_tag_o    = tag;
  assign md_a_o      = val1;
  assign md_b_o      = val2;

  wire [KEY_W-1:0] new_key = {is_tag_i, is_unit_i, is_rs1_i, is_rs2_i, is_rd_i,
                              is_use1_i, is_use2_i, is_rdwe_i};

  always @(posedge clk) begin
    if (can || !v_q) begin
      v_q    <= wait_q || is_valid_i;
      wait_q <= 1'b0;
      key_q  <= wait_q ? next_key_q : new_key;
    end else if (is_valid_i) begin
      wait_q <= 1'b1;
    end
    if (!wait_q) next_key_q <= new_key;
    if (rst || squash_i || flush_i) begin
      v_q    <= 1'b0;
      wait_q <= 1'b0;
    end
  end

  always @(posedge clk) begin
    if (is_valid_i) begin
      pc_q[is_tag_i]     <= is_pc_i;
      target_q[is_tag_i] <= is_target_i;
      meta_q[is_tag_i]   <= is_meta_i;
      imm_q[is_tag_i]    <= is_imm_i;
      op_q[is_tag_i]     <= {is_alu_i, is_word_i, is_a_pc_i, is_b_imm_i, is_funct3_i, is_ls_op_i, is_ls_f5_i,
                             is_itype_i, is_rvc_i, is_taken_i};
    end
  end

  // b is inverted for a subtraction or a comparison, and for the logical operations that ask for it.
  localparam [4:0] MIN = `TALLY_ALU_MIN;
  wire inverts = alu == `TALLY_ALU_SUB || alu == `TALLY_ALU_SLT || alu == `TALLY_ALU_SLTU ||
                 alu[4:2] == MIN[4:2] || alu == `TALLY_ALU_ANDN || alu == `TALLY_ALU_ORN ||
                 alu == `TALLY_ALU_XNOR || unit == `TALLY_U_BR;

  wire left  = alu == `TALLY_ALU_SLL || alu == `TALLY_ALU_ROL || alu == `TALLY_ALU_SLLUW;
  wire rot   = alu == `TALLY_ALU_ROL || alu == `TALLY_ALU_ROR;
  wire arith = alu == `TALLY_ALU_SRA;

  // An instruction that issues is the last writer from now on, also if the writer before it retires in this
  // cycle or the next. It does not retire itself before it is entered.
  wire             unused_res;
  wire [TAG_W-1:0] ret_writer;
  assign {unused_res, ret_writer} = writer_q[ret_rd_i];

  // rs1 and rs2 of the instruction that is in IS when this one has issued
  wire [9:0] behind = wait_q ? next_key_q[8 +: 10] : {is_rs1_i, is_rs2_i};

  always @(posedge clk) begin
    note_q        <= go && rdwe && !rst;
    note1_q       <= behind[9:5] == rd;
    note2_q       <= behind[4:0] == rd;
    note_rd_q     <= rd;
    note_writer_q <= {is_md || is_ls, tag};
    if (rst || flush_i) begin
      busy_q <= 32'b0;
    end else begin
      if (ret_we_i && ret_writer == ret_tag_i) busy_q[ret_rd_i] <= 1'b0;
      if (note_q) busy_q[note_rd_q] <= 1'b1;
    end
    if (note_q) writer_q[note_rd_q] <= note_writer_q;
  end

  // The issue of an instruction is late-arriving and decides about a valid bit only: its fields are written
  // to the units' registers whenever these are free.
  always @(posedge clk) begin
    alu_q  <= ((go && !is_md && !is_ls) || (alu_q && !operands_ok)) && !flush_i && !rst;
    held_q <= ((go && (src1_in_m || src2_in_m)) || (held_q && !load_done)) && !flush_i && !rst;
    if (operands_ok) load_tag_q <= m_tag_i;
    load_in_w_q <= operands_ok || m_tag_i == load_tag_q;
    if (v_q && operands_ok) begin
      alu_tag_o    <= tag;
      alu_branch_o <= unit == `TALLY_U_BR;
      alu_op_o     <= alu;
      alu_sub_o    <= inverts;
      alu_shift_o  <= (left || rot || arith || alu == `TALLY_ALU_SRL) && unit != `TALLY_U_BR;
      alu_left_o   <= left;
      alu_rot_o    <= rot;
      alu_arith_o  <= arith;
      alu_low_o    <= alu == `TALLY_ALU_SLLUW;
      alu_word_o   <= word;
      alu_imm_o    <= imm;
      alu_funct3_o <= funct3;
      alu_itype_o  <= itype;
      alu_pc_o     <= pc;
      alu_rvc_o    <= rvc;
      alu_meta_o   <= meta;
    end
  end

  // Except for the target of jalr, this does not depend on operands.
  wire [XLEN-1:0] dest = pc + simm;
  wire [XLEN-1:0] predicted = taken ? target : seq;

  assign is_seq_o  = seq;
  assign is_meta_o = meta;

  always @(posedge clk) begin
    if (v_q && operands_ok && unit == `TALLY_U_BR) begin
      alu_seq_o       <= seq;
      alu_dest_o      <= dest;
      alu_predicted_o <= predicted;
      alu_seq_ok_o    <= !taken || target == seq;
      alu_dest_ok_o   <= dest == predicted;
    end
  end

  wire unused_alu_from_load;

  tally_operands #(
      .XLEN(XLEN)
  ) u_alu_operands (
      .clk         (clk),
      .take_i      (v_q && operands_ok),
      .a_in_m_i    (src1_in_m),
      .b_in_m_i    (src2_in_m),
      .a_i         (a_pc ? pc : val1),
      .b_i         (b_imm ? simm : val2),
      .load_done_i (load_done),
      .load_value_i(lc_value_i),
      .hit_value_i (lc_hit_value_i),
      .from_load_o (unused_alu_from_load),
      .a_o         (alu_a_o),
      .b_o         (alu_b_o)
  );

  tally_operands #(
      .XLEN(XLEN)
  ) u_ls_operands (
      .clk         (clk),
      .take_i      (v_q && ls_free),
      .a_in_m_i    (src1_in_m),
      .b_in_m_i    (src2_in_m),
      .a_i         (val1),
      .b_i         (val2),
      .load_done_i (load_done),
      .load_value_i(lc_value_i),
      .hit_value_i (lc_hit_value_i),
      .from_load_o (ls_from_load),
      .a_o         (ls_base_o),
      .b_o         (ls_wdata_o)
  );

  // An operation that the load/store unit has not taken yet waits in these registers.
  always @(posedge clk) begin
    if (rst || flush_i)                ls_q <= 1'b0;
    else if (go && is_ls)              ls_q <= 1'b1;
    else if (ls_ready_i && ls_valid_o) ls_q <= 1'b0;

    if (v_q && ls_free) begin
      ls_tag_o   <= tag;
      ls_op_o    <= ls_op;
      ls_f5_o    <= ls_f5;
      ls_size_o  <= funct3[1:0];
      ls_uns_o   <= funct3[2];
      ls_off_o   <= imm[11:0];
    end
  end

  // Compared by the harness, by name: the store data of the oldest instruction. No logic depends on it.
  /* verilator lint_off UNUSEDSIGNAL */
  reg  [XLEN-1:0] probe_wdata_q [0:ROB_N-1];
  wire [XLEN-1:0] probe_mem_wdata = probe_wdata_q[ret_tag_i];
  always @(posedge clk) if (ls_valid_o) probe_wdata_q[ls_tag_o] <= ls_wdata_o;
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
