// SPDX-License-Identifier: Apache-2.0
// tally_dcache - L1 D cache: write-through, no write allocate, 64-byte lines, one or two misses under way.
//
// A load reads its word in EX; in M, a cycle later, its line is compared and the data of the right way is
// selected. Words of a line on its way can be used as soon as they have arrived (they are written to the
// data RAM at once). A way that waits for a line is invalid from the cycle after the request until the line
// is complete. A second copy of the tags serves retired stores and invalidations, both with a latency of one
// cycle.
//
// The valid bit is stored with the tag, and the tags have one write port. Invalidations have priority, then
// a way that is emptied, then a line that is complete. A read during a write returns the old contents: a line
// that has just become complete is still found in its miss register, and a load that may have read a line
// that is invalidated looks again. After a reset all sets are emptied, one a cycle; meanwhile nothing hits
// and nothing is requested.

`default_nettype none

module tally_dcache #(
    parameter WAYS  = 4,
    parameter SETS  = 64,     // at most 64: an index must fit into the page offset
    parameter MSHRS = 2,      // 1 or 2
    parameter MEM_W = 36      // bits of a main memory address
) (
    input  wire             clk,
    input  wire             rst,

    // EX: the word to read
    input  wire             rd_i,
    input  wire [11:3]      rd_addr_i,

    // M: the access whose word was read in the cycle before
    input  wire [MEM_W-1:6] m_line_i,
    input  wire [2:0]       m_word_i,
    input  wire             m_old_i,      // waited before the line was invalidated: may use the word
    output wire             m_stale_o,    // the word was being written: look again
    output wire             m_hit_o,      // the data is there
    output reg  [63:0]      m_data_o,
    output wire             m_line_o,     // the whole line is there
    output reg              m_coming_o,   // the line is on its way,
    output reg              m_dead_o,     // but has been invalidated meanwhile
    output reg              m_present_o,  // and the word is there by the next cycle
    output reg              m_reg_o,      // in this miss register
    output wire             m_full_o,     // no miss register is free
    input  wire             m_ask_i,      // fetch the line (late-arriving)
    input  wire             m_undo_i,     // cancel the request of the cycle before

    // lines on their way
    input  wire [MSHRS-1:0] keep_i,       // stay in the miss register: a load still needs a word
    output wire [MSHRS-1:0] busy_o,       // miss registers in use
    output wire             beat_o,       // a word arrives (late-arriving),
    output wire             beat_reg_o,   // for this miss register
    output wire [2:0]       beat_word_o,

    // the store at the head of the store queue
    input  wire [11:6]      s_next_set_i, // set of the next cycle's store (late-arriving)
    input  wire [MEM_W-1:6] s_line_i,
    input  wire [2:0]       s_word_i,
    input  wire [63:0]      s_data_i,
    input  wire [7:0]       s_strb_i,
    output wire             s_ready_o,    // it may be performed in this cycle (late-arriving)
    input  wire             s_do_i,       // it is performed (late-arriving)

    // another client's write: invalidate this line
    input  wire             inv_i,
    input  wire [MEM_W-1:6] inv_line_i,

    // bus: requests for lines; their words
    output wire             req_o,
    output wire             req_void_o,   // the request of this cycle is cancelled (late-arriving)
    output wire             req_reg_o,
    output wire [MEM_W-1:6] req_line_o,
    input  wire             req_taken_i,
    input  wire             rsp_i,
    input  wire             rsp_reg_i,
    input  wire [63:0]      rsp_data_i
);

  localparam SET_W = $clog2(SETS);
  localparam TAG_W = MEM_W - 6 - SET_W;
  localparam WAY_W = WAYS > 1 ? $clog2(WAYS) : 1;

  // ---------------------------------------------------------------------------------------------------------
  // Miss registers

  reg  [MSHRS-1:0] ms_valid_q;
  reg  [MSHRS-1:0] ms_ask_q;                                // the bus has not been asked yet
  reg  [MSHRS-1:0] ms_dead_q;                               // invalidated on its way
  reg  [MSHRS-1:0] ms_whole_q;                              // all words are there
  reg  [MSHRS-1:0] ms_last_q;                               // a cycle later: lookups begun before have ended
  (* mem2reg *) reg [MEM_W-1:6] ms_line_q [0:MSHRS-1];
  (* mem2reg *) reg [WAYS-1:0]  ms_way_q  [0:MSHRS-1];      // one-hot
  (* mem2reg *) reg [7:0]       ms_have_q [0:MSHRS-1];      // words that are there
  (* mem2reg *) reg [2:0]       ms_next_q [0:MSHRS-1];      // next word to come

  wire [MSHRS-1:0] of_m, of_s;                              // the line of M's access, of the next store
  genvar r;
  generate
    for (r = 0; r < MSHRS; r = r + 1) begin : g_register
      tally_equal #(.WIDTH(MEM_W - 6)) u_m (.a_i(ms_line_q[r]), .b_i(m_line_i), .equal_o(of_m[r]));
      tally_equal #(.WIDTH(MEM_W - 6)) u_s (.a_i(ms_line_q[r]), .b_i(s_line_i), .equal_o(of_s[r]));
    end
  endgenerate

  reg              tw_q;        // a line was asked for in the cycle before: its way is to be emptied
  reg              tw_wait_q;   // ... and the way is not emptied yet
  reg  [WAYS-1:0]  tw_way_q;
  reg  [SET_W-1:0] tw_set_q;
  reg              tw_reg_q;

  wire             undo = tw_q && m_undo_i;
  wire             tw_busy;     // not emptied in this cycle either
  wire [MSHRS-1:0] ms_there = ms_valid_q & ~({{MSHRS-1{1'b0}}, undo} << tw_reg_q);

  wire [2:0] beat_word = ms_next_q[rsp_reg_i];

  assign busy_o      = ms_there;
  assign beat_o      = rsp_i;
  assign beat_reg_o  = rsp_reg_i;
  assign beat_word_o = beat_word;

  // ---------------------------------------------------------------------------------------------------------
  // Data and tags

  wire              wr_en;
  wire [WAYS-1:0]   wr_way;
  wire [SET_W+2:0]  wr_addr;
  wire [63:0]       wr_data;
  wire [7:0]        wr_strb;

  wire [SET_W+2:0]  rd_addr = rd_addr_i[SET_W+5:3];

  wire [WAYS-1:0]   tag_we;
  wire [SET_W-1:0]  tag_set;
  wire [TAG_W:0]    tag_new;       // {valid, tag}

  reg  [SET_W:0]    sweep_q;       // after a reset: the set that is emptied
  wire              swept = sweep_q[SET_W];
  reg               sound_q;       // the last read was after the sweep

  wire [11:6]       look_set_in;
  wire [SET_W-1:0]  look_set = look_set_in[6 +: SET_W];
  wire              unused_ok = &{1'b0, rd_addr_i, look_set_in};  // with fewer sets than a page has lines

  wire [WAYS-1:0]       m_same;    // answers of the tag RAMs,
  wire [WAYS-1:0]       m_valid;
  wire [WAYS*TAG_W-1:0] look_tags; // ... and their outputs side by side
  wire [WAYS-1:0]       look_valid;
  wire [WAYS*64-1:0]    m_words;

  genvar g;
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : g_way
      // Outputs of block RAM are late-arriving: no comparison fits behind it.
      (* no_rw_check, ram_style = "distributed" *) reg [TAG_W:0] tag_mem  [0:SETS-1];
      (* no_rw_check, ram_style = "distributed" *) reg [TAG_W:0] tag2_mem [0:SETS-1];
      reg [TAG_W:0] tag_q, tag2_q;

      // Configuration value, not a reset: block RAM has none.
      integer i;
      initial begin
        for (i = 0; i < SETS; i = i + 1) begin
          tag_mem[i]  = {TAG_W+1{1'b0}};
          tag2_mem[i] = {TAG_W+1{1'b0}};
        end
      end

      always @(posedge clk) begin
        if (rd_i) tag_q <= tag_mem[rd_addr[SET_W+2:3]];
        tag2_q <= tag2_mem[look_set];
        if (tag_we[g]) begin
          tag_mem[tag_set]  <= tag_new;
          tag2_mem[tag_set] <= tag_new;
        end
      end

      assign m_valid[g]                  = tag_q[TAG_W] && sound_q;

      tally_equal #(.WIDTH(TAG_W)) u_equal (
          .a_i   (tag_q[TAG_W-1:0]),
          .b_i   (m_line_i[MEM_W-1:6+SET_W]),
          .equal_o(m_same[g])
      );
      assign look_tags[TAG_W*g +: TAG_W] = tag2_q[TAG_W-1:0];
      assign look_valid[g]               = tag2_q[TAG_W] && sound_q;

      tally_dcache_way #(
          .WORDS(SETS * 8)
      ) u_data (
          .clk    (clk),
          .ren_i  (rd_i),
          .raddr_i(rd_addr),
          .rdata_o(m_words[64*g +: 64]),
          .wen_i  (wr_en && wr_way[g]),
          .waddr_i(wr_addr),
          .wdata_i(wr_data),
          .wstrb_i(wr_strb)
      );
    end
  endgenerate

  // ---------------------------------------------------------------------------------------------------------
  // M: hit or miss

  reg  [MSHRS-1:0] m_have_q;     // the word was there already when it was read
  reg              m_stale_q;

  wire [SET_W-1:0] m_set = m_line_i[6 +: SET_W];
  reg  [WAYS-1:0]  m_way;        // a whole line
  reg  [WAYS-1:0]  m_part;       // a word of a line on its way

  always @* begin : lookup
    integer n, w;
    m_way       = m_same & m_valid;
    m_part      = {WAYS{1'b0}};
    m_coming_o  = 1'b0;
    m_dead_o    = 1'b0;
    m_present_o = 1'b0;
    m_reg_o     = 1'b0;
    for (n = 0; n < MSHRS; n = n + 1) begin
      if (ms_there[n] && of_m[n]) begin
        m_coming_o  = 1'b1;
        m_dead_o    = ms_dead_q[n];
        m_present_o = ms_have_q[n][m_word_i] || (rsp_i && rsp_reg_i == n[0] && beat_word == m_word_i);
        m_reg_o     = n[0];
      end
      // Of a line that may be given up in this cycle no word has come.
      if (ms_valid_q[n] && of_m[n]) begin
        if (m_have_q[n] && (!ms_dead_q[n] || m_old_i)) m_part = ms_way_q[n];
      end
    end
    m_data_o = 64'd0;
    for (w = 0; w < WAYS; w = w + 1) m_data_o = m_data_o | (m_words[64*w +: 64] & {64{m_way[w] | m_part[w]}});
  end

  assign m_line_o  = |m_way;
  assign m_hit_o   = |m_way || |m_part;
  assign m_stale_o = m_stale_q;
  assign m_full_o  = &ms_there || tw_busy || !sound_q;

  // Victim: an invalid way, else the next in turn; never one that waits for another line
  reg  [WAY_W-1:0] turn_q;
  reg  [WAYS-1:0]  taken;
  reg  [WAYS-1:0]  victim;

  always @* begin : replacement
    integer n;
    taken = {WAYS{1'b0}};
    for (n = 0; n < MSHRS; n = n + 1)
      if (ms_valid_q[n] && ms_line_q[n][6 +: SET_W] == m_set) taken = taken | ms_way_q[n];
    victim         = {WAYS{1'b0}};
    victim[turn_q] = 1'b1;
    if (|(victim & taken)) victim = WAYS > 1 ? {victim[WAYS-2:0], victim[WAYS-1]} : victim;
    if (|(~m_valid & ~taken)) victim = ~m_valid & ~taken & (~(~m_valid & ~taken) + 1'b1);
  end

  // ---------------------------------------------------------------------------------------------------------
  // Stores and invalidations: tags of the next cycle's store, unless there is an invalidation

  reg              look_inv_q;
  reg  [MEM_W-1:6] look_line_q;
  wire [MEM_W-1:6] look_line = look_inv_q ? look_line_q : s_line_i;
  wire [SET_W-1:0] look_at   = look_line[6 +: SET_W];
  reg  [WAYS-1:0]  look_way;
  wire             look_hits = look_inv_q && |look_way;
  reg              s_coming;

  assign look_set_in = inv_i ? inv_line_i[11:6] : s_next_set_i;

  always @(posedge clk) begin
    look_inv_q <= inv_i && !rst;
    if (inv_i) look_line_q <= inv_line_i;
  end

  always @* begin : store_lookup
    integer w;
    for (w = 0; w < WAYS; w = w + 1)
      look_way[w] = look_tags[TAG_W*w +: TAG_W] == look_line[MEM_W-1:6+SET_W] && look_valid[w];
    s_coming = |(ms_valid_q & of_s);
  end

  // The store of a line on its way waits: the line may have been read before the store.
  assign s_ready_o = !look_inv_q && !s_coming && !rsp_i;

  assign wr_en   = rsp_i || (s_do_i && |look_way);
  assign wr_way  = rsp_i ? ms_way_q[rsp_reg_i] : look_way;
  assign wr_addr = rsp_i ? {ms_line_q[rsp_reg_i][6 +: SET_W], beat_word} : {s_line_i[6 +: SET_W], s_word_i};
  assign wr_data = rsp_i ? rsp_data_i : s_data_i;
  assign wr_strb = rsp_i ? 8'hFF : s_strb_i;

  // State of the word that is read in this cycle, for its access in M
  always @(posedge clk) begin : at_read
    integer n;
    if (rd_i) begin
      for (n = 0; n < MSHRS; n = n + 1) m_have_q[n] <= ms_valid_q[n] && ms_have_q[n][rd_addr_i[5:3]];
      m_stale_q <= (wr_en && wr_addr == rd_addr) || (look_hits && look_at == rd_addr[SET_W+2:3]);
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // State

  wire m_pick = MSHRS > 1 && ms_there[0];    // the miss register of the next line

  assign req_o      = |ms_ask_q && !tw_busy;   // no word comes before the way is empty
  assign req_void_o = undo && tw_reg_q == req_reg_o;
  assign req_reg_o  = !ms_ask_q[0];
  assign req_line_o = ms_line_q[req_reg_o];

  always @(posedge clk) begin
    tw_q <= m_ask_i && !rst;
    tw_wait_q <= (m_ask_i || tw_busy) && !rst;
    if (m_ask_i) begin
      tw_way_q <= victim;
      tw_set_q <= m_set;
      tw_reg_q <= m_pick;
      turn_q   <= turn_q + 1'b1;
    end
    if (rst) turn_q <= {WAY_W{1'b0}};
  end

  // Tags. An invalidation that came in the cycle in which its line becomes whole would not find it.
  reg  [MSHRS-1:0] enters;     // becomes whole in this cycle
  reg  [MEM_W-1:6] enter_line;
  reg  [WAYS-1:0]  enter_way;
  wire             may_enter = swept && !look_inv_q && !tw_wait_q;

  assign tw_busy = tw_wait_q && look_inv_q;

  always @* begin : whole
    integer n;
    enters     = {MSHRS{1'b0}};
    enter_line = ms_line_q[0];
    enter_way  = {WAYS{1'b0}};
    for (n = MSHRS - 1; n >= 0; n = n - 1) begin
      if (ms_whole_q[n] && !ms_last_q[n] && !ms_dead_q[n] && !keep_i[n]) begin
        enters     = {MSHRS{1'b0}};
        enters[n]  = may_enter && !inv_i;
        enter_line = ms_line_q[n];
        enter_way  = ms_way_q[n];
      end
    end
  end

  assign tag_we  = !swept     ? {WAYS{1'b1}} :
                   look_inv_q ? look_way :
                   tw_wait_q  ? tw_way_q : enter_way & {WAYS{|enters}};
  assign tag_set = !swept     ? sweep_q[SET_W-1:0] :
                   look_inv_q ? look_at :
                   tw_wait_q  ? tw_set_q : enter_line[6 +: SET_W];
  assign tag_new = {may_enter, enter_line[MEM_W-1:6+SET_W]};

  always @(posedge clk) begin
    sound_q <= swept;
    if (!swept) sweep_q <= sweep_q + 1'b1;
    if (rst) sweep_q <= {SET_W+1{1'b0}};
  end

  always @(posedge clk) begin : misses
    integer n;
    if (req_taken_i) ms_ask_q[req_reg_o] <= 1'b0;
    if (rsp_i) begin
      ms_have_q[rsp_reg_i][beat_word] <= 1'b1;
      ms_next_q[rsp_reg_i]            <= beat_word + 3'd1;
      if (beat_word == 3'd7) ms_whole_q[rsp_reg_i] <= 1'b1;
    end
    for (n = 0; n < MSHRS; n = n + 1) begin
      ms_last_q[n] <= enters[n] || (ms_whole_q[n] && !ms_last_q[n] && ms_dead_q[n] && !keep_i[n]);
      if (ms_last_q[n]) begin
        ms_valid_q[n] <= 1'b0;
        ms_whole_q[n] <= 1'b0;
      end
      if (inv_i && ms_valid_q[n] && ms_line_q[n] == inv_line_i) ms_dead_q[n] <= 1'b1;
      if (undo && tw_reg_q == n[0]) begin
        ms_valid_q[n] <= 1'b0;
        ms_ask_q[n]   <= 1'b0;
      end
      if (m_ask_i && m_pick == n[0]) begin
        ms_valid_q[n] <= 1'b1;
        ms_ask_q[n]   <= 1'b1;
        ms_dead_q[n]  <= 1'b0;
        ms_line_q[n]  <= m_line_i;
        ms_way_q[n]   <= victim;
        ms_have_q[n]  <= 8'd0;
        ms_next_q[n]  <= 3'd0;
      end
    end
    if (rst) begin
      ms_valid_q <= {MSHRS{1'b0}};
      ms_ask_q   <= {MSHRS{1'b0}};
      ms_whole_q <= {MSHRS{1'b0}};
      ms_last_q  <= {MSHRS{1'b0}};
    end
  end

endmodule

`default_nettype wire
