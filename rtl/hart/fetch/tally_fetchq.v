// SPDX-License-Identifier: Apache-2.0
// tally_fetchq - the instruction queue: fetch groups in, aligned instructions out.
//
// Holds DEPTH fetch groups of 8 bytes, DEPTH a power of two. One instruction leaves a cycle, out of the
// oldest group and, when it straddles groups, the one behind. Compressed code is expanded, and a register
// holds the instruction for decode: a group that enters in one cycle can leave in the next. Every 32-bit word
// of a group has its own fault flag; an instruction that touches a faulty word leaves as an exception, and
// nothing leaves behind it until clear_i.
//
// A group ends at a predicted taken transfer. If the prediction is stale it may cut an instruction in two at
// the end of the group, whose second half was never fetched: then cut_o asks the front end to fetch again
// from that instruction's pc (cut_meta_o names the entry of the predictor to forget).
//
// A transfer for which the target buffer has no prediction need not wait for its execution: a direct jump
// goes where it says, a conditional branch as its counter says, a return where the return stack says. In its
// first cycle before decode early_o asks the front end to fetch there; what follows in memory is discarded.

`default_nettype none
`include "tally_frontend.vh"

module tally_fetchq #(
    parameter DEPTH = 4,
    parameter BTB_ENTRIES = 128,
    parameter BHT_ENTRIES = 16384,
    parameter RAS_ENTRIES = 16,
    parameter META_W = `TALLY_FE_META_W(BTB_ENTRIES, BHT_ENTRIES, RAS_ENTRIES),
    parameter GM_W   = `TALLY_FE_GM_W(BHT_ENTRIES, RAS_ENTRIES),
    parameter [63:0] RESET_PC = 64'h1000
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              clear_i,       // empty it ...
    input  wire [63:0]       clear_pc_i,    // ... and go on at this pc
    input  wire              redirect_i,    // with clear_i: empty the register before decode as well
    output wire              leave_o,       // an instruction goes into the register before decode

    // a group from F2
    output wire              ready_o,
    input  wire              push_i,
    input  wire [63:0]       push_data_i,
    input  wire [1:0]        push_off_i,    // first halfword
    input  wire [1:0]        push_fault_i,  // word 1, word 0
    input  wire [3:0]        push_cause_i,
    input  wire              push_icmiss_i,
    input  wire              push_itmiss_i,
    input  wire              push_taken_i,  // prediction: the instruction that ends at pos goes to target
    input  wire [1:0]        push_pos_i,
    input  wire              push_way_i,
    input  wire [38:1]       push_target_i,
    input  wire [GM_W-1:0]   push_gm_i,

    // decode
    output wire              fq_valid_o,
    input  wire              fq_ready_i,
    output reg  [63:0]       fq_pc_o,
    output wire [31:0]       fq_insn_o,     // as in memory
    output reg  [31:0]       fq_full_o,     // expanded
    output reg               fq_bad_o,      // compressed, and illegal
    output reg               fq_rvc_o,
    output reg               fq_taken_o,
    output wire [63:0]       fq_target_o,
    output reg  [META_W-1:0] fq_meta_o,
    output reg               fq_exc_o,
    output reg  [3:0]        fq_cause_o,
    output reg               fq_half_o,
    output reg               fq_icmiss_o,
    output reg               fq_itmiss_o,

    // an instruction that a stale prediction has cut
    output wire              cut_o,
    output wire [63:0]       cut_pc_o,
    output wire [META_W-1:0] cut_meta_o,

    // the instruction before decode goes to fq_target_o, and fetch does not know it yet; with fq_pc_o,
    // fq_rvc_o and fq_meta_o. Not if there is a redirect_i in this cycle
    output wire              early_o,
    output wire              early_call_o,
    output wire              early_ret_o
);

  localparam CNT_W = $clog2(DEPTH + 1);
  localparam IDX_W = $clog2(DEPTH);
  localparam SET_W = $clog2(BTB_ENTRIES / 2);
  localparam HIS_W = `TALLY_FE_HIS_W(BHT_ENTRIES);
  localparam RAS_W = $clog2(RAS_ENTRIES);
  localparam G_POS0 = 38 + RAS_W + HIS_W;
  localparam INFO_W = 52;

  // A ring of groups
  reg  [63:0]       data_q [0:DEPTH-1];
  reg  [INFO_W-1:0] info_q [0:DEPTH-1];
  reg  [GM_W-1:0]   gm_q   [0:DEPTH-1];
  reg  [IDX_W-1:0]  head_q;
  reg  [CNT_W-1:0]  count_q;
  reg               begun_q;    // part of the oldest group has left:
  reg  [1:0]        off_q;      // ... its next halfword
  reg  [63:0]       pc_q;       // of the instruction at the head
  reg               stop_q;     // an exception has left

  // ---------------------------------------------------------------- the two oldest groups
  wire              empty = count_q == {CNT_W{1'b0}};
  wire [IDX_W-1:0]  next_head = head_q + 1'b1;
  wire [INFO_W-1:0] push_info = {push_itmiss_i, push_icmiss_i, push_off_i, push_target_i, push_cause_i,
                                 push_fault_i, push_way_i, push_pos_i, push_taken_i};
  wire [63:0]       data0 = data_q[head_q];
  wire [15:0]       data1 = data_q[next_head][15:0];
  wire [INFO_W-1:0] info0 = info_q[head_q];
  wire [INFO_W-1:0] info1 = info_q[next_head];
  wire [1:0]        off   = begun_q ? off_q : info0[49:48];

  wire        taken0 = info0[0],     taken1 = info1[0];
  wire [1:0]  pos0   = info0[2:1],   pos1   = info1[2:1];
  wire [1:0]  fault0 = info0[5:4];
  wire        fault1 = info1[4];
  wire unused_ok = &{1'b0, info1[5], info1[49:48], 1'b0};  // of the younger group only the first half matters

  wire [1:0]  behind = off + 2'd1;
  wire [15:0] first  = data0[{off, 4'd0} +: 16];
  wire [15:0] second = off == 2'd3 ? data1 : data0[{behind, 4'd0} +: 16];
  wire        rvc    = first[1:0] != 2'b11;

  wire some      = !empty && !stop_q;
  wire two       = count_q > {{CNT_W-1{1'b0}}, 1'b1};
  wire at_end    = off == 2'd3;
  wire bad_first = fault0[off[1]];
  wire long      = !bad_first && !rvc;
  wire straddles = long && at_end;
  wire away   = taken0 && pos0 == 2'd3;   // the next group is not the one behind in memory
  wire cut       = straddles && away;
  wire bad_behind = at_end ? fault1 : off == 2'd1 && fault0[1];  // its second half, if it has one
  wire bad_second = long && bad_behind;

  // Its last halfword, and the group that contains it. Its length is late-arriving, so everything that
  // depends on it is computed for both lengths.
  wire taken_short = taken0 && pos0 == off;
  wire taken_long  = at_end ? taken1 && pos1 == 2'd0 : taken0 && (pos0 == off || pos0 == behind);
  wire taken       = long ? taken_long : taken_short;

  // The prediction: {a way had it, which, counter}
  function [3:0] said;
    input [GM_W-1:0] gm;
    input [1:0]      last;
    reg              hit0, hit1;
    begin
      hit0 = gm[G_POS0 +: 3] == {1'b1, last};
      hit1 = gm[G_POS0+3 +: 3] == {1'b1, last};
      said = {hit0 || hit1, hit1 && !hit0, gm[G_POS0+6+2*last +: 2]};
    end
  endfunction

  wire            runs_on  = at_end && !away;
  wire [GM_W-1:0] gm0      = gm_q[head_q];
  wire [GM_W-1:0] gm1      = gm_q[next_head];
  wire [3:0]      said_0   = said(gm0, off);
  wire [3:0]      said_1   = said(runs_on ? gm1 : gm0, behind);
  wire [3:0]      says     = long ? said_1 : said_0;
  wire            named    = long && runs_on ? info1[3] : info0[3];  // the way that said "taken"
  wire [G_POS0-1:0] past   = long && runs_on ? gm1[G_POS0-1:0] : gm0[G_POS0-1:0];

  // A transfer that is not predicted, but whose target is known here
  wire [1:0] is_jump, is_branch, is_return;
  wire [1:0] target_known = is_jump | is_return | is_branch & {said_1[1], said_0[1]};

  tally_transfer u_transfer (
      .first_i (first),
      .second_i(second[3:0]),
      .jump_o  (is_jump),
      .branch_o(is_branch),
      .return_o(is_return)
  );

  // Behind it; the next group's address serves both lengths
  wire [63:3] group   = pc_q[63:3] + 61'd1;
  wire        leaves  = rvc ? pc_q[2:1] == 2'd3 : pc_q[2];
  wire [63:0] next_pc = {leaves ? group : pc_q[63:3], pc_q[2:1] + (rvc ? 2'd1 : 2'd2), 1'b0};
  // An address within the group of the last halfword
  wire [63:39]     high = straddles ? group[63:39] : pc_q[63:39];
  wire [SET_W-1:0] set  = straddles ? group[3 +: SET_W] : pc_q[3 +: SET_W];
  wire [37:0] target  = straddles ? info1[47:10] : info0[47:10];

  wire        exc      = bad_first || bad_second;
  wire        goes_short = taken_short && !bad_first;
  wire        goes_long  = taken_long && !bad_first && !bad_behind;
  wire        waits_long = at_end && !bad_first && (!two || away);  // or it is cut
  wire        ready    = some && (rvc || !waits_long);
  wire        follows  = rvc ? goes_short : goes_long;
  wire        early    = (rvc ? target_known[0] && !goes_short : target_known[1] && !goes_long) && !exc;
  wire [63:0] goes     = {high, target, 1'b0};
  wire [31:0] expanded;
  wire        bad;

  tally_rvc u_rvc (
      .insn_i   (first),
      .insn_o   (expanded),
      .illegal_o(bad)
  );

  // ---------------------------------------------------------------- the register before decode
  reg         valid_q;
  reg         early_q;        // the instruction there has just come, and redirects fetch
  reg         direct_q;       // ... has done so: its target is not the target buffer's
  reg         branch_q, return_q;
  reg  [15:0] half_q;
  reg  [63:0] target_q;
  wire        free  = !valid_q || fq_ready_i;
  wire        leave = ready && free;

  always @(posedge clk) begin
    early_q <= leave && early && !early_q && !redirect_i && !rst;
    if (free) valid_q <= ready && !early_q;
    if (redirect_i || rst) valid_q <= 1'b0;
  end

  always @(posedge clk) begin
    if (free) begin
      fq_pc_o     <= pc_q;
      half_q      <= first;
      fq_full_o   <= rvc ? expanded : {second, first};
      fq_bad_o    <= rvc && bad;
      fq_rvc_o    <= rvc;
      fq_exc_o    <= exc;
      fq_half_o   <= bad_second;
      fq_cause_o  <= straddles ? info1[9:6] : info0[9:6];
      fq_taken_o  <= follows || early;
      target_q    <= goes;
      direct_q    <= early;
      branch_q    <= rvc ? is_branch[0] : is_branch[1];
      return_q    <= rvc ? is_return[0] : is_return[1];
      fq_icmiss_o <= (info0[50] && !begun_q) || (straddles && info1[50]);
      fq_itmiss_o <= (info0[51] && !begun_q) || (straddles && info1[51]);
      fq_meta_o   <= {set, taken, taken ? named : says[2], says[3], says[1:0], past};
    end
  end

  assign fq_valid_o = valid_q && !redirect_i;
  assign fq_insn_o  = fq_rvc_o ? {16'd0, half_q} : fq_full_o;
  assign leave_o    = leave;

  wire [20:1] offset_j = {fq_full_o[31], fq_full_o[19:12], fq_full_o[20], fq_full_o[30:21]};
  wire [12:1] offset_b = {fq_full_o[31], fq_full_o[7], fq_full_o[30:25], fq_full_o[11:8]};
  wire [20:1] offset   = branch_q ? {{8{offset_b[12]}}, offset_b} : offset_j;
  wire [63:1] dest     = fq_pc_o[63:1] + {{43{offset[20]}}, offset};

  assign fq_target_o  = !direct_q ? target_q :
                        return_q  ? {fq_pc_o[63:39], fq_meta_o[37:0], 1'b0} : {dest, 1'b0};
  assign early_o      = early_q;
  assign early_call_o = !branch_q && !return_q && {fq_full_o[11:10], fq_full_o[8:7]} == 4'b0001;
  assign early_ret_o  = return_q;

  assign cut_o      = some && cut;
  assign cut_pc_o   = pc_q;
  assign cut_meta_o = {pc_q[3 +: SET_W], 1'b1, info0[3], 3'd0, gm0[G_POS0-1:0]};

  // ---------------------------------------------------------------- movement
  wire [1:0] next  = off + (rvc ? 2'd1 : 2'd2);
  wire       ends  = rvc ? at_end || goes_short : off[1] || goes_long;      // the oldest group is used up
  wire       may   = some && free;
  wire       pop1  = may && (rvc ? at_end || goes_short : !waits_long && (off[1] || goes_long));
  wire       pop2  = may && !rvc && !waits_long && at_end && goes_long;     // ... and so is the one behind
  localparam [CNT_W-1:0] ONE = 1, TWO = 2;
  wire [CNT_W-1:0] come = count_q + {{CNT_W-1{1'b0}}, push_i};
  wire [CNT_W-1:0] kept = pop2 ? come - TWO : pop1 ? come - ONE : come;

  assign ready_o = count_q != DEPTH[CNT_W-1:0];

  wire [IDX_W-1:0] tail = head_q + count_q[IDX_W-1:0];

  always @(posedge clk) begin
    if (push_i) begin
      data_q[tail] <= push_data_i;
      info_q[tail] <= push_info;
      gm_q[tail]   <= push_gm_i;
    end
  end

  always @(posedge clk) begin
    head_q <= head_q + {{IDX_W-1{1'b0}}, pop1} + {{IDX_W-1{1'b0}}, pop2};
    if (leave) begin
      begun_q <= !follows && (straddles || !ends);
      off_q   <= next;
    end
    if (clear_i || rst) begin
      head_q  <= {IDX_W{1'b0}};
      begun_q <= 1'b0;
    end
  end

  always @(posedge clk) begin
    count_q <= kept;
    if (leave) pc_q <= follows ? goes : next_pc;
    if (leave && exc) stop_q <= 1'b1;
    if (clear_i) begin
      count_q <= {CNT_W{1'b0}};
      pc_q    <= clear_pc_i;
      stop_q  <= 1'b0;
    end
    if (rst) begin
      count_q <= {CNT_W{1'b0}};
      pc_q    <= RESET_PC;
      stop_q  <= 1'b0;
    end
  end

endmodule

`default_nettype wire
