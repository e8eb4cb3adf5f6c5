// SPDX-License-Identifier: Apache-2.0
// tally_load_queue - loads that have not completed, one entry for every entry of the ROB.
//
// A load enters in M. One that hits leaves in W; every other waits here for older stores, for older loads of
// the same 8 bytes (unprivileged manual, RVWMO, Load Value Axiom and same-address loads), for a word on its
// way to the D cache, for a miss register, or for a device. When nothing holds it any more it goes through
// EX and M again, the oldest first.
//
// Latency: an entry that is ready in a cycle is shown in EX in the next. older_load_o is combinational.

`default_nettype none

module tally_load_queue #(
    parameter TAG_W     = 3,
    parameter STQ_DEPTH = 8,
    parameter MSHRS     = 2
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 flush_i,
    input  wire [TAG_W-1:0]     head_tag_i,       // the oldest instruction

    // EX: an entry that is tried again
    output reg                  go_o,
    output reg  [TAG_W-1:0]     tag_o,
    output wire [55:0]          pa_o,
    output wire [63:0]          va_o,
    output wire [11:3]          index_o,
    output wire [5:0]           info_o,           // {size, unsigned, translated, DTLB miss, L2 TLB miss}
    output wire                 unc_o,            // uncached
    output wire                 old_o,            // it has waited for a word on its way
    output wire                 seen_o,           // hit or miss has been decided
    output wire                 miss_o,           // it missed,
    output wire                 merge_o,          // and the line was on its way

    // M: the load there, by its tag
    input  wire [TAG_W-1:0]     m_tag_i,
    input  wire [55:0]          m_pa_i,
    input  wire [63:0]          m_va_i,
    input  wire [5:0]           m_info_i,
    input  wire                 m_op_i,           // from the back end (of any kind)
    input  wire                 m_again_i,        // from this queue
    input  wire                 m_try_i,          // a load that may be new
    output wire                 older_load_o,     // ... has an older load of the same 8 bytes before it
    input  wire                 new_i,            // it enters
    input  wire                 stay_i,           // it stays, or enters
    input  wire                 done_i,           // it leaves
    input  wire                 for_device_i,     // its reason to wait
    input  wire                 for_stores_i,
    input  wire                 for_loads_i,
    input  wire                 for_word_i,
    input  wire                 for_release_i,    // until its miss register is free
    input  wire                 for_any_i,        // until any miss register is free
    input  wire                 reg_i,            // its miss register
    input  wire                 old_i,
    input  wire                 seen_i,
    input  wire                 miss_i,
    input  wire                 merge_i,

    // W: a load that was new in M
    input  wire                 w_new_i,
    input  wire [TAG_W-1:0]     w_tag_i,
    input  wire                 w_done_i,         // completes without an exception of PMP's
    input  wire                 w_valid_i,        // completes (late-arriving)

    // store queue
    input  wire [STQ_DEPTH-1:0] stq_overlap_i,    // entries that overlap the load in M
    input  wire [STQ_DEPTH-1:0] stq_valid_i,
    input  wire [STQ_DEPTH-1:0] stq_head_i,
    input  wire                 stq_shift_i,      // the head leaves,
    input  wire                 stq_merge_i,      // into the entry behind it

    // D cache
    input  wire [MSHRS-1:0]     busy_i,
    input  wire                 beat_i,
    input  wire                 beat_reg_i,
    input  wire [2:0]           beat_word_i,
    output reg  [MSHRS-1:0]     keep_o,           // lines that loads here still need

    // device reads of the oldest instruction
    output wire                 device_o,         // it is one that nothing else holds
    output wire [55:0]          device_addr_o,
    output wire [1:0]           device_size_o,
    input  wire                 answer_i,         // the device's answer for this entry
    input  wire [TAG_W-1:0]     answer_tag_i
);

  localparam LQ_N = 1 << TAG_W;
  localparam [LQ_N-1:0] PLACE = 1;

  reg  [LQ_N-1:0]  lq_valid_q;
  reg  [LQ_N-1:0]  lq_fly_q;                 // in EX or M
  reg  [LQ_N-1:0]  lq_stq_q;                 // waits for stores (lq_stores_q) to leave the store queue
  reg  [LQ_N-1:0]  lq_ord_q;                 // waits for older loads (lq_loads_q) of the same 8 bytes
  reg  [LQ_N-1:0]  lq_word_q;                // waits for its word to arrive in miss register lq_reg_q
  reg  [LQ_N-1:0]  lq_gone_q;                // waits until that register is free
  reg  [LQ_N-1:0]  lq_full_q;                // waits until any is
  reg  [LQ_N-1:0]  lq_dev_q;                 // waits for a device: until it is the oldest, and for the bus
  reg  [LQ_N-1:0]  lq_reg_q;
  reg  [LQ_N-1:0]  lq_old_q;
  reg  [LQ_N-1:0]  lq_seen_q;
  reg  [LQ_N-1:0]  lq_miss_q;
  reg  [LQ_N-1:0]  lq_merge_q;
  reg  [LQ_N-1:0]  lq_unc_q;
  (* mem2reg *) reg [STQ_DEPTH-1:0] lq_stores_q [0:LQ_N-1];
  (* mem2reg *) reg [LQ_N-1:0]      lq_loads_q  [0:LQ_N-1];
  (* mem2reg *) reg [11:3]          lq_at_q     [0:LQ_N-1];
  reg  [55:0]      lq_pa_q   [0:LQ_N-1];
  reg  [63:0]      lq_va_q   [0:LQ_N-1];
  reg  [5:0]       lq_info_q [0:LQ_N-1];

  // ---------------------------------------------------------------------------------------------------------
  // EX: the oldest entry that nothing holds, selected a cycle earlier

  wire [LQ_N-1:0]  w_new    = {{LQ_N-1{1'b0}}, w_new_i} << w_tag_i;
  wire [LQ_N-1:0]  w_leaves = w_new & {LQ_N{w_valid_i}};
  wire [LQ_N-1:0]  w_ended  = w_new & {LQ_N{w_done_i}};       // w_leaves, but for a load that PMP denies
  wire [LQ_N-1:0]  lq_waits = lq_stq_q | lq_ord_q | lq_word_q | lq_gone_q | lq_full_q | lq_dev_q;
  wire [LQ_N-1:0]  lq_ready = lq_valid_q & ~(lq_fly_q | lq_waits | w_new);
  wire             lq_any   = |lq_ready;
  reg  [TAG_W-1:0] lq_pick, lq_try;

  always @* begin : oldest
    integer n;
    n       = 0;
    lq_pick = head_tag_i;
    lq_try  = head_tag_i;
    if (lq_any) begin
      for (n = LQ_N - 1; n >= 0; n = n - 1) begin
        lq_try = head_tag_i + n[TAG_W-1:0];
        if (lq_ready[lq_try]) lq_pick = lq_try;
      end
    end
  end

  always @(posedge clk) begin
    go_o <= lq_any && !flush_i && !rst;
    if (lq_any) tag_o <= lq_pick;
  end

  assign pa_o    = lq_pa_q[tag_o];
  assign va_o    = lq_va_q[tag_o];
  assign index_o = lq_at_q[tag_o];
  assign info_o  = lq_info_q[tag_o];
  assign unc_o   = lq_unc_q[tag_o];          // an entry is written while it is in M only
  assign old_o   = lq_old_q[tag_o];
  assign seen_o  = lq_seen_q[tag_o];
  assign miss_o  = lq_miss_q[tag_o];
  assign merge_o = lq_merge_q[tag_o];

  // ---------------------------------------------------------------------------------------------------------
  // M: older loads of the same 8 bytes. PMP's answer is too late-arriving for this: behind a load that it
  // denies a younger one waits a cycle longer.

  reg  [LQ_N-1:0] same;
  always @* begin : older
    integer n;
    n    = 0;
    same = {LQ_N{1'b0}};
    if (m_try_i && |lq_valid_q)
      for (n = 0; n < LQ_N; n = n + 1)
        same[n] = lq_valid_q[n] && !w_ended[n] && lq_at_q[n] == m_pa_i[11:3];
  end

  assign older_load_o = |same;

  // ---------------------------------------------------------------------------------------------------------
  // Reasons of entries to wait, and their ends

  // Of the stores to wait for, one that leaves in this cycle is replaced by the one that it is merged into.
  wire [STQ_DEPTH-1:0] w_overlap = for_device_i ? stq_valid_i : stq_overlap_i;
  wire [STQ_DEPTH-1:0] st_left   = stq_head_i & {STQ_DEPTH{stq_shift_i}};
  wire [STQ_DEPTH-1:0] st_into   = {stq_head_i[STQ_DEPTH-2:0], stq_head_i[STQ_DEPTH-1]} &
                                   {STQ_DEPTH{stq_merge_i}};
  wire [STQ_DEPTH-1:0] w_stores  = (w_overlap & ~st_left) |
                                   (st_into & {STQ_DEPTH{|(w_overlap & stq_head_i)}});

  reg  [LQ_N-1:0]      stq_left, ord_left, word_came, reg_freed;
  reg  [STQ_DEPTH-1:0] stores_d [0:LQ_N-1];
  always @* begin : awaited
    integer n;
    stq_left  = {LQ_N{1'b0}};
    ord_left  = {LQ_N{1'b0}};
    word_came = {LQ_N{1'b0}};
    reg_freed = {LQ_N{1'b0}};
    for (n = 0; n < LQ_N; n = n + 1) stores_d[n] = lq_stores_q[n];
    if (stq_shift_i && |lq_stq_q) begin
      for (n = 0; n < LQ_N; n = n + 1)
        stores_d[n] = (lq_stores_q[n] & ~st_left) | (st_into & {STQ_DEPTH{|(lq_stores_q[n] & stq_head_i)}});
    end
    if (|lq_stq_q) for (n = 0; n < LQ_N; n = n + 1) stq_left[n] = lq_stores_q[n] == {STQ_DEPTH{1'b0}};
    if (|lq_ord_q)
      for (n = 0; n < LQ_N; n = n + 1) ord_left[n] = (lq_loads_q[n] & lq_valid_q) == {LQ_N{1'b0}};
    if (beat_i && |lq_word_q)
      for (n = 0; n < LQ_N; n = n + 1)
        word_came[n] = lq_reg_q[n] == beat_reg_i && lq_at_q[n][5:3] == beat_word_i;
    if (|lq_gone_q)
      for (n = 0; n < LQ_N; n = n + 1) reg_freed[n] = lq_reg_q[n] ? !busy_i[MSHRS-1] : !busy_i[0];
  end

  // Lines that stay until a load that asked before they were invalidated has its word. Without this, another
  // hart that writes as often as the line is refilled would starve the load.
  localparam [MSHRS-1:0] LINE0 = 1;
  always @* begin : keeps
    integer n;
    keep_o = {MSHRS{1'b0}};
    for (n = 0; n < LQ_N; n = n + 1)
      if (lq_valid_q[n] && lq_old_q[n]) keep_o = keep_o | (LINE0 << lq_reg_q[n]);
  end

  // ---------------------------------------------------------------------------------------------------------
  // State

  // The entry is decoded before its outcome is known.
  wire [LQ_N-1:0] at_m      = PLACE << m_tag_i;
  wire [LQ_N-1:0] at_new    = at_m & {LQ_N{new_i}};
  wire [LQ_N-1:0] at_stay   = at_m & {LQ_N{stay_i}};
  wire [LQ_N-1:0] at_done   = at_m & {LQ_N{done_i}};
  wire [LQ_N-1:0] at_pick   = (PLACE << lq_pick) & {LQ_N{lq_any}};
  wire [LQ_N-1:0] at_answer = (PLACE << answer_tag_i) & {LQ_N{answer_i}};

  always @(posedge clk) begin : load_queue
    integer n;
    lq_valid_q <= (lq_valid_q | at_new) & ~at_done & ~w_leaves;
    lq_fly_q   <= (lq_fly_q | at_pick) & ~at_stay & ~at_done;
    lq_stq_q   <= (lq_stq_q & ~stq_left & ~at_new) | (at_new & {LQ_N{for_stores_i}});
    lq_ord_q   <= (lq_ord_q & ~ord_left & ~at_new) | (at_m & {LQ_N{for_loads_i}});
    lq_word_q  <= (lq_word_q & ~word_came & ~at_stay) | (at_m & {LQ_N{for_word_i}});
    lq_gone_q  <= (lq_gone_q & ~reg_freed & ~at_stay) | (at_m & {LQ_N{for_release_i}});
    lq_full_q  <= (lq_full_q & {LQ_N{&busy_i}} & ~at_stay) | (at_m & {LQ_N{for_any_i}});
    lq_dev_q   <= (lq_dev_q & ~at_answer & ~at_new) | (at_m & {LQ_N{for_device_i}});
    if (stq_shift_i && |lq_stq_q) for (n = 0; n < LQ_N; n = n + 1) lq_stores_q[n] <= stores_d[n];
    if (|lq_ord_q) for (n = 0; n < LQ_N; n = n + 1) lq_loads_q[n] <= lq_loads_q[n] & lq_valid_q;

    // Written before it is known whether the load enters or stays: only valid entries are read.
    if (m_op_i) begin
      lq_unc_q[m_tag_i]    <= for_device_i;
      lq_stores_q[m_tag_i] <= w_stores;
      lq_loads_q[m_tag_i]  <= same;
      lq_at_q[m_tag_i]     <= m_pa_i[11:3];
    end
    if (m_op_i || m_again_i) begin
      lq_reg_q[m_tag_i]   <= reg_i;
      lq_old_q[m_tag_i]   <= old_i;
      lq_seen_q[m_tag_i]  <= seen_i;
      lq_miss_q[m_tag_i]  <= miss_i;
      lq_merge_q[m_tag_i] <= merge_i;
    end
    if (rst || flush_i) begin
      lq_valid_q <= {LQ_N{1'b0}};
      lq_fly_q   <= {LQ_N{1'b0}};
    end
    if (rst) begin
      lq_stq_q  <= {LQ_N{1'b0}};
      lq_ord_q  <= {LQ_N{1'b0}};
      lq_word_q <= {LQ_N{1'b0}};
      lq_gone_q <= {LQ_N{1'b0}};
      lq_full_q <= {LQ_N{1'b0}};
      lq_dev_q  <= {LQ_N{1'b0}};
    end
  end

  // Configuration values, not a reset: these become small memories.
  initial begin : configuration
    integer n;
    for (n = 0; n < LQ_N; n = n + 1) begin
      lq_pa_q[n]   = 56'd0;
      lq_va_q[n]   = 64'd0;
      lq_info_q[n] = 6'd0;
    end
  end

  always @(posedge clk) begin
    if (m_op_i) begin
      lq_pa_q[m_tag_i]   <= m_pa_i;
      lq_va_q[m_tag_i]   <= m_va_i;
      lq_info_q[m_tag_i] <= m_info_i;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // The oldest instruction's device read

  assign device_o      = lq_valid_q[head_tag_i] && lq_dev_q[head_tag_i] && !lq_stq_q[head_tag_i];
  assign device_addr_o = lq_pa_q[head_tag_i];
  assign device_size_o = lq_info_q[head_tag_i][5:4];

  // Read by test benches by name; no logic depends on them
  /* verilator lint_off UNUSEDSIGNAL */
  wire [LQ_N-1:0]  probe_waits  = lq_valid_q & (lq_word_q | lq_gone_q | lq_full_q);
  wire             probe_device = lq_valid_q[head_tag_i] && lq_dev_q[head_tag_i];
  /* verilator lint_on UNUSEDSIGNAL */

endmodule

`default_nettype wire
