// SPDX-License-Identifier: Apache-2.0
// tally_icache - instruction cache: 64-byte lines, virtually indexed, physically tagged, and its line buffer.
//
// F1 presents the page offset (rd_*). In F2 (lk_*) the physical address is known, and the word is there in
// the same cycle or a refill starts. One refill at a time. The line on its way is collected in a line buffer
// that also answers lookups: fetch goes on as soon as its beat is there, and a lookup is never repeated
// because the RAMs have changed. The boot ROM is read word by word through the same buffer and never enters
// the cache. A refill goes on when its fetch has left, and the line is kept unless there is a flush. A bus
// error gives lk_err_o for this line and keeps nothing.
//
// A flush or reset empties a set a cycle; meanwhile nothing hits and nothing is requested.
//
// SETS * 64 must not exceed a page: the index is part of the page offset, so there are no aliases.

`default_nettype none

module tally_icache #(
    parameter WAYS  = 4,
    parameter SETS  = 64,
    parameter MEM_W = 36              // fetched addresses are below 2^MEM_W
) (
    input  wire        clk,
    input  wire        rst,

    // F1
    input  wire        rd_en_i,
    input  wire [11:3] rd_addr_i,     // page offset of the fetch group

    // F2
    input  wire        lk_valid_i,    // the address is translated and may be fetched
    input  wire        lk_cached_i,   // main memory, not the boot ROM
    input  wire [55:3] lk_paddr_i,
    input  wire        lk_hold_i,     // no requests now
    input  wire        lk_leave_i,    // the lookup ends in this cycle, served or dropped (late-arriving)
    output wire        lk_hit_o,      // independent of lk_valid_i (late-arriving); nothing above 2^MEM_W
    output wire        lk_buf_o,      // ... the line buffer has it,
    output wire        lk_sound_o,    // or, if the tags are valid,
    output wire [WAYS-1:0] lk_same_o, // these ways
    output reg  [63:0] lk_data_o,
    output wire        lk_err_o,      // ... as an error
    output wire        miss_o,        // event: this lookup asks for a line

    input  wire        flush_i,
    output wire        idle_o,        // no flush, and no refill from before one, is under way

    // bus
    output wire        ib_req_valid_o,
    input  wire        ib_req_ready_i,
    output wire        ib_req_single_o,
    output wire [55:0] ib_req_addr_o,
    input  wire        ib_rsp_valid_i,
    input  wire [63:0] ib_rsp_data_i,
    input  wire        ib_rsp_last_i,
    input  wire        ib_rsp_err_i
);
  wire unused_rd = &{1'b0, rd_addr_i};  // with fewer sets than a page has lines

  localparam SET_W = $clog2(SETS);
  localparam TAG_W = MEM_W - 6 - SET_W;
  localparam WAY_W = WAYS > 1 ? $clog2(WAYS) : 1;

  // The line buffer and the refill that fills it
  reg         busy_q;      // asked for, not all of it here
  reg         req_q;       // the bus has not yet accepted
  reg         keep_q;      // it may be used: no flush since
  reg         single_q;    // a ROM word, not a line
  reg         err_q;
  reg  [MEM_W-1:6] line_q;
  reg  [2:0]  beat_q;      // where the next beat goes
  reg  [7:0]  have_q;      // which words are here
  reg  [WAY_W-1:0] way_q;
  reg         alloc_q;     // its way is emptied, the cycle after the miss: no beat is here before
  reg  [63:0] buf_q [0:7];

  reg  [SET_W:0] sweep_q;  // the set that a flush empties
  wire        swept = sweep_q[SET_W];
  reg         sound_q;     // the last read was after the sweep

  wire [2:0]       lk_word = lk_paddr_i[5:3];
  wire [TAG_W-1:0] lk_tag  = lk_paddr_i[MEM_W-1 -: TAG_W];
  wire             unused_ok = &{1'b0, lk_paddr_i[55:MEM_W], 1'b0};

  wire [WAYS-1:0] way_same, way_valid;
  wire [WAYS-1:0] way_hit = way_same & {WAYS{sound_q}};
  wire [63:0]     way_data [0:WAYS-1];
  wire            buf_hit = keep_q && line_q == lk_paddr_i[MEM_W-1:6] && have_q[lk_word];
  wire            hit     = buf_hit || |way_hit;
  wire            start   = lk_valid_i && !hit && !busy_q && !lk_hold_i && swept;
  wire            beat    = ib_rsp_valid_i && busy_q;
  wire            store   = beat && keep_q && !single_q;
  wire            good    = ib_rsp_last_i && !err_q && !ib_rsp_err_i;

  assign lk_hit_o   = hit;
  assign lk_buf_o   = buf_hit;
  assign lk_sound_o = sound_q;
  assign lk_same_o  = way_same;
  assign lk_err_o   = buf_hit && err_q;
  assign miss_o     = start && lk_cached_i;
  assign idle_o     = swept && (!busy_q || keep_q);

  // Victim: a way that is free, else the next in turn
  reg  [WAY_W-1:0] turn_q;
  reg  [WAY_W-1:0] victim;
  always @* begin : replacement
    integer w;
    victim = turn_q;
    for (w = WAYS - 1; w >= 0; w = w - 1) if (!way_valid[w]) victim = w[WAY_W-1:0];
  end

  // If both have the word, they agree.
  always @* begin : data
    integer w;
    lk_data_o = buf_q[lk_word] & {64{buf_hit}};
    for (w = 0; w < WAYS; w = w + 1) lk_data_o = lk_data_o | (way_data[w] & {64{way_hit[w]}});
  end

  genvar g;
  generate
    for (g = 0; g < WAYS; g = g + 1) begin : gen_way
      tally_icache_way #(.SETS(SETS), .TAG_W(TAG_W)) u_way (
          .clk        (clk),
          .rd_en_i    (rd_en_i),
          .rd_set_i   (rd_addr_i[6 +: SET_W]),
          .rd_word_i  (rd_addr_i[5:3]),
          .lk_tag_i   (lk_tag),
          .hit_o      (way_same[g]),
          .valid_o    (way_valid[g]),
          .data_o     (way_data[g]),
          .set_i      (swept ? line_q[6 +: SET_W] : sweep_q[SET_W-1:0]),
          .tag_i      (line_q[MEM_W-1 -: TAG_W]),
          .empty_i    ((alloc_q && way_q == g) || !swept),
          .fill_i     (store && way_q == g),
          .fill_last_i(good),
          .fill_set_i (line_q[6 +: SET_W]),
          .fill_word_i(beat_q),
          .fill_data_i(ib_rsp_data_i)
      );
    end
  endgenerate

  always @(posedge clk) begin
    alloc_q <= miss_o && !rst;
    if (start) begin
      busy_q   <= 1'b1;
      req_q    <= 1'b1;
      keep_q   <= 1'b1;
      single_q <= !lk_cached_i;
      err_q    <= 1'b0;
      line_q   <= lk_paddr_i[MEM_W-1:6];
      beat_q   <= lk_cached_i ? 3'd0 : lk_word;
      have_q   <= 8'd0;
      way_q    <= victim;
      turn_q   <= turn_q + 1'b1;
    end
    if (ib_req_ready_i && req_q) req_q <= 1'b0;
    if (beat) begin
      have_q[beat_q] <= 1'b1;
      beat_q         <= beat_q + 3'd1;
      if (ib_rsp_err_i) err_q <= 1'b1;
      if (ib_rsp_last_i) busy_q <= 1'b0;
      if (ib_rsp_err_i && ib_rsp_last_i) have_q <= 8'hff;  // an answer cut short answers for all
    end
    // An error is given to one lookup; the next one tries the bus again.
    if (err_q && !busy_q && lk_leave_i) keep_q <= 1'b0;
    if (flush_i) keep_q <= 1'b0;
    if (rst) begin
      busy_q <= 1'b0;
      req_q  <= 1'b0;
      keep_q <= 1'b0;
      err_q  <= 1'b0;
      turn_q <= {WAY_W{1'b0}};
    end
  end

  always @(posedge clk) begin
    if (rd_en_i) sound_q <= swept;
    if (!swept) sweep_q <= sweep_q + 1'b1;
    if (rst || flush_i) sweep_q <= {SET_W+1{1'b0}};
  end

  always @(posedge clk) if (beat) buf_q[beat_q] <= ib_rsp_data_i;

  assign ib_req_valid_o  = req_q;
  assign ib_req_single_o = single_q;
  assign ib_req_addr_o   = {{56-MEM_W{1'b0}}, line_q, single_q ? beat_q : 3'd0, 3'd0};

endmodule

`default_nettype wire
