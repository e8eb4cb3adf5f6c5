// SPDX-License-Identifier: Apache-2.0
// tally_bpred - branch prediction: target buffer, direction counters, indirect targets, return stack.
//
// Lookup by fetch group (8 aligned bytes): address in F1, prediction in F2, so a predicted taken transfer
// costs one fetch cycle. An entry is filed under the group that holds the *last* halfword of the instruction
// and names its position there: an instruction that straddles two groups is complete when the prediction
// redirects fetch.
//   BTB  2 ways; partial tag, privilege mode and hashed ASID mixed into it, so that contexts seldom serve
//        each other
//   BHT  2-bit counters, a row of four (one a halfword), indexed by group and path history, which meet in the
//        upper bits of the index: neighbours stay neighbours. All conditional branches train it. Asked in F2
//        where the BTB has one, and behind the queue for the others (early_*)
//   path history: a hash of the places of taken transfers of every kind, so that calls and returns tell the
//        levels of a recursion apart; branches that are not taken leave no trace in it
//   ITB  targets of indirect jumps, indexed by group xor path history; asked where the BTB has a jump whose
//        target has changed
//   RAS  return addresses, repaired from the meta data of the mispredicted instruction
// The back end checks every prediction: a wrong or stale entry costs only time. If an instruction that is no
// control transfer was predicted taken, drop_i removes the entry.
//
// A transfer that the BTB does not have may redirect fetch before it executes: early_i gives the state behind
// it, as a misprediction that was taken would.
//
// Group data for the queue (gm), and meta data that travel with one instruction, from bit 0:
//   gm:   RAS top 38, RAS pointer, history, way 0: position 2, hit 1, way 1: the same, row 8
//   meta: RAS top 38, RAS pointer, history, counter 2, hit, way, taken, BTB set   (composed in tally_fetchq)

`default_nettype none
`include "tally_frontend.vh"

module tally_bpred #(
    parameter BTB_ENTRIES = 128,
    parameter BHT_ENTRIES = 16384,
    parameter ITB_ENTRIES = 512,
    parameter RAS_ENTRIES = 16,
    parameter META_W = `TALLY_FE_META_W(BTB_ENTRIES, BHT_ENTRIES, RAS_ENTRIES),
    parameter GM_W   = `TALLY_FE_GM_W(BHT_ENTRIES, RAS_ENTRIES)
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [9:0]        ctx_i,         // mode and hashed address space of the fetch

    // F1
    input  wire              rd_en_i,
    input  wire [38:3]       f1_pc_i,

    // F2: the same group a cycle later
    input  wire [38:1]       f2_pc_i,
    input  wire [38:3]       f2_next_i,     // the group behind
    input  wire              f2_go_i,       // the group goes into the queue, and the prediction is followed
    output wire              f2_taken_o,
    output wire [1:0]        f2_pos_o,      // position of the transfer's last halfword
    output wire              f2_way_o,
    output wire [38:1]       f2_target_o,
    output wire [GM_W-1:0]   f2_gm_o,

    // resolved control transfers
    input  wire              bu_valid_i,
    input  wire [38:1]       bu_pc_i,
    input  wire              bu_rvc_i,
    input  wire              bu_taken_i,
    input  wire [38:1]       bu_target_i,
    input  wire [2:0]        bu_type_i,
    input  wire              bu_mispred_i,
    input  wire [META_W-1:0] bu_meta_i,

    // a transfer redirects fetch before it is resolved: jump, call, return or branch. Not with bu_mispred_i
    input  wire              early_i,
    input  wire [38:1]       early_pc_i,
    input  wire              early_rvc_i,
    input  wire              early_call_i,
    input  wire              early_ret_i,
    input  wire [META_W-1:0] early_meta_i,

    // a prediction for no control transfer: restore the state before it, and forget the entry
    input  wire              drop_i,
    input  wire [META_W-1:0] drop_meta_i
);

  localparam SETS  = BTB_ENTRIES / 2;
  localparam SET_W = $clog2(SETS);
  localparam ROW_W = $clog2(BHT_ENTRIES / 4);
  localparam HIS_W = `TALLY_FE_HIS_W(BHT_ENTRIES);
  localparam ITB_W = $clog2(ITB_ENTRIES);
  localparam RAS_W = $clog2(RAS_ENTRIES);
  localparam TAG_W = 16;

  // Fields of the meta data
  localparam M_PTR = 38;
  localparam M_HIS = M_PTR + RAS_W;
  localparam M_CTR = M_HIS + HIS_W;
  localparam M_HIT = M_CTR + 2;
  localparam M_WAY = M_HIT + 1;
  localparam M_TKN = M_WAY + 1;
  localparam M_SET = M_TKN + 1;

  // A taken transfer's mark on the path history
  function [HIS_W-1:0] path;
    input [HIS_W-1:0] history;
    input [2:0]       where;   // bits 4:2 of its last halfword's address
    path = (history << 1) ^ {{HIS_W-4{1'b0}}, where, 1'b1};
  endfunction

  // Rows of counters and indirect targets by the group's address and the history before it
  function [ROW_W-1:0] bht_row;
    input [ROW_W-1:0] group;
    input [HIS_W-1:0] history;
    bht_row = group ^ {history, {ROW_W-HIS_W{1'b0}}};
  endfunction

  function [ITB_W-1:0] itb_row;
    input [ITB_W-1:0] group;
    input [HIS_W-1:0] history;
    itb_row = group ^ {{ITB_W-HIS_W{1'b0}}, history};
  endfunction

  // ---------------------------------------------------------------- resolution
  // An update in the cycle of bu_valid is visible to the lookup of the next cycle. Fetch starts again in the
  // cycle of a repair, and its lookup uses the repaired history.
  wire [38:1]      bu_last = bu_rvc_i ? bu_pc_i : bu_pc_i + 38'd1;  // the last halfword
  wire [38:1]      bu_link = bu_last + 38'd1;
  wire [SET_W-1:0] bu_set  = bu_last[3 +: SET_W];
  wire             bu_cond = bu_type_i == `TALLY_BU_COND;
  wire             bu_ind  = bu_type_i == `TALLY_BU_IND;
  wire [37:0]      bu_top  = bu_meta_i[37:0];
  wire [RAS_W-1:0] bu_ptr  = bu_meta_i[M_PTR +: RAS_W];
  wire [HIS_W-1:0] bu_his  = bu_meta_i[M_HIS +: HIS_W];
  wire [1:0]       bu_ctr  = bu_meta_i[M_CTR +: 2];
  wire             bu_hit  = bu_meta_i[M_HIT];
  wire             bu_way  = bu_meta_i[M_WAY];
  wire             bu_was_taken = bu_meta_i[M_TKN];

  wire repair = bu_valid_i && bu_mispred_i;

  // What is known of an early transfer, as of a resolved one
  wire [38:1]      ea_last = early_rvc_i ? early_pc_i : early_pc_i + 38'd1;
  wire [38:1]      ea_link = ea_last + 38'd1;
  wire [37:0]      ea_top  = early_meta_i[37:0];
  wire [RAS_W-1:0] ea_ptr  = early_meta_i[M_PTR +: RAS_W];
  wire [HIS_W-1:0] ea_path = path(early_meta_i[M_HIS +: HIS_W], ea_last[4:2]);

  // BTB: taken transfers enter, or correct the entry that misled. An entry that said "taken" of another
  // position or although the counter said "not taken" (it is of another kind) leaves.
  reg              turn_q;
  wire             dropped = drop_i && drop_meta_i[M_TKN];
  wire             learn  = bu_valid_i && !dropped && bu_taken_i && (!bu_hit || bu_mispred_i);
  wire             way    = bu_hit || bu_was_taken ? bu_way : turn_q;
  wire             unlearn = dropped || (bu_valid_i && bu_was_taken && !bu_taken_i && !(bu_hit && bu_ctr[1]));
  wire [SET_W-1:0] un_set  = dropped ? drop_meta_i[M_SET +: SET_W] : bu_set;
  wire             un_way  = dropped ? drop_meta_i[M_WAY] : bu_way;

  // An indirect jump that the entry sent to another place has more than one target.
  wire [2:0]       bu_kind = bu_ind && bu_hit && bu_mispred_i ? `TALLY_BU_MANY : bu_type_i;

  wire unused_ok = &{1'b0, bu_meta_i[M_SET +: SET_W], early_meta_i[META_W-1:M_CTR], drop_meta_i, f1_pc_i,
                     bu_target_i[38:37], 1'b0};

  // ---------------------------------------------------------------- BTB
  // Not reset, since every prediction is checked. Nothing is written during reset, while registers may hold
  // any value: the timing of the machine must not depend on them.
  localparam HOT_W = 1 + TAG_W + 5;   // valid, tag, kind, position

  wire [SET_W-1:0] f1_set = f1_pc_i[3 +: SET_W];
  wire [TAG_W-1:0] mark   = {ctx_i, {TAG_W-10{1'b0}}};
  wire [TAG_W-1:0] f2_tag = f2_pc_i[3+SET_W +: TAG_W] ^ mark;
  wire [TAG_W-1:0] bu_tag = bu_last[3+SET_W +: TAG_W] ^ mark;

  wire [1:0]  hit;
  wire [2:0]  kind   [0:1];
  wire [1:0]  pos    [0:1];
  wire [37:0] target [0:1];

  genvar g;
  generate
    for (g = 0; g < 2; g = g + 1) begin : gen_way
      wire             write = ((learn && way == g) || (unlearn && un_way == g)) && !rst;

      // Outputs of block RAM are late-arriving: no comparison fits behind it.
      (* no_rw_check, ram_style = "distributed" *)
      reg [HOT_W-1:0] hot_mem [0:SETS-1];
      reg [HOT_W-1:0] hot;

      // Configuration value, not a reset: RAM has none.
      integer i;
      initial begin
        for (i = 0; i < SETS; i = i + 1) hot_mem[i] = {HOT_W{1'b0}};
        hot = {HOT_W{1'b0}};
      end

      always @(posedge clk) begin
        if (write) hot_mem[un_set] <= {learn, bu_tag, bu_kind, bu_last[2:1]};
        if (rd_en_i) hot <= hot_mem[f1_set];
      end

      tally_ram_1r1w #(.WIDTH(38), .DEPTH(SETS)) u_target (
          .clk    (clk),
          .ren_i  (rd_en_i),
          .raddr_i(f1_set),
          .rdata_o(target[g]),
          .wen_i  (write),
          .waddr_i(un_set),
          .wdata_i(bu_target_i)
      );

      assign kind[g] = hot[4:2];
      assign pos[g]  = hot[1:0];

      tally_equal #(.WIDTH(1 + TAG_W)) u_equal (
          .a_i   (hot[HOT_W-1:5]),
          .b_i   ({1'b1, f2_tag}),
          .equal_o(hit[g])
      );
    end
  endgenerate

  always @(posedge clk) begin
    if (rst) turn_q <= 1'b0;
    else if (learn) turn_q <= !turn_q;
  end

  // ---------------------------------------------------------------- direction counters
  reg  [HIS_W-1:0] history_q, f2_history_q;
  wire [HIS_W-1:0] bu_path    = bu_taken_i ? path(bu_his, bu_last[4:2]) : bu_his;
  wire [HIS_W-1:0] f1_history = repair ? bu_path : drop_i ? drop_meta_i[M_HIS +: HIS_W] : history_q;
  wire [7:0]       row;
  wire [1:0]       bu_new_ctr = bu_taken_i ? (bu_ctr == 2'd3 ? 2'd3 : bu_ctr + 2'd1)
                                           : (bu_ctr == 2'd0 ? 2'd0 : bu_ctr - 2'd1);
  wire             count = bu_valid_i && bu_cond && !rst;

  generate
    for (g = 0; g < 4; g = g + 1) begin : gen_bht
      wire [1:0] read;

      // Bit 0 is stored inverted: block RAM comes up with its output 0, and a counter with 1.
      tally_ram_1r1w #(.WIDTH(2), .DEPTH(1 << ROW_W)) u_bht (
          .clk    (clk),
          .ren_i  (rd_en_i),
          .raddr_i(bht_row(f1_pc_i[3 +: ROW_W], f1_history)),
          .rdata_o(read),
          .wen_i  (count && bu_last[2:1] == g),
          .waddr_i(bht_row(bu_last[3 +: ROW_W], bu_his)),
          .wdata_i({bu_new_ctr[1], !bu_new_ctr[0]})
      );

      assign row[2*g +: 2] = {read[1], !read[0]};
    end
  endgenerate

  // ---------------------------------------------------------------- indirect targets
  // Width of one block RAM: the upper two bits are the jump's own.
  wire [36:1] ind_target;

  tally_ram_1r1w #(.WIDTH(36), .DEPTH(1 << ITB_W)) u_indirect (
      .clk    (clk),
      .ren_i  (rd_en_i),
      .raddr_i(itb_row(f1_pc_i[3 +: ITB_W], f1_history)),
      .rdata_o(ind_target),
      .wen_i  (bu_valid_i && bu_ind && !rst),
      .waddr_i(itb_row(bu_last[3 +: ITB_W], bu_his)),
      .wdata_i(bu_target_i[36:1])
  );

  // ---------------------------------------------------------------- prediction
  // The first transfer at or behind the entry point that is taken. The counters are known last.
  wire [1:0] surely, pops_if, pushes_if;
  wire [3:0] counts [0:1];            // whose counter decides, one-hot
  wire       sel;

  generate
    for (g = 0; g < 2; g = g + 1) begin : gen_may
      wire may  = pos[g] >= f2_pc_i[2:1];
      wire cond = kind[g] == `TALLY_BU_COND;
      assign surely[g]    = may && !cond;
      assign counts[g]    = {3'd0, may && cond} << pos[g];
      assign pops_if[g]   = kind[g] == `TALLY_BU_RET || kind[g] == `TALLY_BU_SWAP;
      assign pushes_if[g] = kind[g] == `TALLY_BU_CALL || kind[g] == `TALLY_BU_SWAP;
    end
  endgenerate

  tally_select_first u_direction (
      .row_i    ({row[7], row[5], row[3], row[1]}),
      .hit_i    (hit),
      .always_i (surely),
      .mask0_i  (counts[0]),
      .mask1_i  (counts[1]),
      .first0_i (pos[0] <= pos[1]),
      .any_o    (f2_taken_o),
      .second_o (sel)
  );

  wire       pops     = pops_if[sel];
  wire       pushes   = pushes_if[sel];

  reg  [RAS_W-1:0] ptr_q;
  reg  [37:0]      ras_q [0:RAS_ENTRIES-1];
  wire [37:0]      top = ras_q[ptr_q];
  wire [37:0]      dest [0:1];        // of the transfer of each way

  generate
    for (g = 0; g < 2; g = g + 1) begin : gen_dest
      assign dest[g] = pops_if[g]                 ? top :
                       kind[g] == `TALLY_BU_MANY  ? {f2_pc_i[38:37], ind_target} : target[g];
    end
  endgenerate

  assign f2_pos_o    = pos[sel];
  assign f2_way_o    = sel;
  assign f2_target_o = dest[sel];
  assign f2_gm_o     = {row, hit[1], pos[1], hit[0], pos[0], f2_history_q, ptr_q, top};

  // ---------------------------------------------------------------- history and return stack
  wire             follow  = f2_go_i && f2_taken_o;
  wire [37:0]      f2_link = f2_pos_o == 2'd3 ? {f2_next_i, 2'd0} : {f2_pc_i[38:3], f2_pos_o + 2'd1};
  wire             bu_pops   = bu_type_i == `TALLY_BU_RET || bu_type_i == `TALLY_BU_SWAP;
  wire             bu_pushes = bu_type_i == `TALLY_BU_CALL || bu_type_i == `TALLY_BU_SWAP;
  wire [RAS_W-1:0] bu_new_ptr = bu_ptr + {{RAS_W-1{1'b0}}, bu_pushes} - {{RAS_W-1{1'b0}}, bu_pops};
  wire [RAS_W-1:0] ea_new_ptr = ea_ptr + {{RAS_W-1{1'b0}}, early_call_i} - {{RAS_W-1{1'b0}}, early_ret_i};
  wire [RAS_W-1:0] f2_new_ptr = ptr_q + {{RAS_W-1{1'b0}}, pushes} - {{RAS_W-1{1'b0}}, pops};
  wire [RAS_W-1:0] dr_ptr     = drop_meta_i[M_PTR +: RAS_W];

  always @(posedge clk) begin
    if (rd_en_i) f2_history_q <= f1_history;
    history_q <= f1_history;
    if (repair) begin
      ptr_q <= bu_new_ptr;
    end else if (drop_i) begin
      ptr_q <= dr_ptr;
    end else if (early_i) begin
      history_q <= ea_path;
      ptr_q     <= ea_new_ptr;
    end else if (follow) begin
      history_q <= path(f2_history_q, {f2_pc_i[4:3], f2_pos_o[1]});
      ptr_q     <= f2_new_ptr;
    end
    if (rst) begin
      history_q    <= {HIS_W{1'b0}};
      f2_history_q <= {HIS_W{1'b0}};
      ptr_q        <= {RAS_W{1'b0}};
    end
  end

  // One write a cycle. The repair of a call, or an early one, writes two entries: the new top at once, the
  // entry below when there is nothing else to write.
  reg              below_q;
  reg  [RAS_W-1:0] below_ptr_q;
  reg  [37:0]      below_top_q;
  wire             push   = follow && pushes;
  wire             ras_we = (repair || drop_i || early_i || push || below_q) && !rst;
  wire [RAS_W-1:0] ras_at = repair ? (bu_pushes ? bu_new_ptr : bu_ptr) : drop_i ? dr_ptr :
                            early_i ? (early_call_i ? ea_new_ptr : ea_ptr) : push ? f2_new_ptr : below_ptr_q;
  wire [37:0]      ras_in = repair ? (bu_pushes ? bu_link : bu_top) : drop_i ? drop_meta_i[37:0] :
                            early_i ? (early_call_i ? ea_link : ea_top) : push ? f2_link : below_top_q;

  always @(posedge clk) if (ras_we) ras_q[ras_at] <= ras_in;

  always @(posedge clk) begin
    if (repair) begin
      below_q     <= bu_type_i == `TALLY_BU_CALL;
      below_ptr_q <= bu_ptr;
      below_top_q <= bu_top;
    end else if (early_i) begin
      below_q     <= early_call_i;
      below_ptr_q <= ea_ptr;
      below_top_q <= ea_top;
    end else if (!drop_i && !push) begin
      below_q <= 1'b0;
    end
    if (rst) below_q <= 1'b0;
  end

  integer n;
  initial for (n = 0; n < RAS_ENTRIES; n = n + 1) ras_q[n] = 38'd0;

endmodule

`default_nettype wire
