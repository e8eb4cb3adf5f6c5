// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counters_ram - the counters of tally_pmu_counters at half of their cost: most of them is RAM.
//
// Only the LIVE low bits of a counter count in place. Its high part rests in a RAM (one port to read, one to
// write, the data a cycle after the address), and a carry that it is owed waits in a flag. One incrementer
// behind the RAM, the *stage*, brings one counter a cycle up to date: all of them in turn, or the one that a
// CSR access addresses. The path from an event to the interrupt is LIVE bits of carry long instead of 64.
//
// With CSR_PIPELINE, for a fast clock, the value that leaves the stage is compared with all ones a cycle
// later, the high part's sum does not wait for the carry, and the interrupt not for the low part's sum.
//
// Exact in every cycle, like the other: a read adds the carry that is owed; `last` knows that the high part,
// carry included, is all ones, so that a carry out of the low part is the overflow in the very cycle in
// which it happens.
//
// The RAM's words have room for what else is read and written with a counter's registers: `side`.
//
// What the host must know: an access can be performed only while ready_o is 1, that is, while the counter is
// in the stage, and for 31 cycles after reset there is none. Every second cycle at least belongs to the turn,
// so a counter is brought up to date every 63 cycles at most; from one carry to the next there are 64.

`default_nettype none

module tally_pmu_counters_ram #(
    parameter HPM_N  = 29,
    parameter HPM_W  = 64,
    parameter INC_W  = 1,  // bits of the largest increment
    parameter SIDE_W = 1,
    parameter [31:0] UNIT  = 32'd0,  // counters that count by 1 at most
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire [INC_W*32-1:0]  inc_i,
    output reg  [31:0]          wrap_o,
    input  wire [31:0]          quiet_i,       // counter i's wrap is no reason for an interrupt
    output wire [31:0]          request_o,     // it wraps, and that is one
    output reg  [31:0]          full_o,        // UNIT: it would wrap, if it counted by 1 and were not written
    // as they stand: the three lowest bits of each, and whether all others are ones
    output reg  [32*3-1:0]      low_o,
    output reg  [31:0]          near_o,

    input  wire [4:0]           index_i,
    input  wire                 ask_i,         // the word of counter index_i may be asked for: bring it here,
    input  wire                 access_i,      // ... it is asked for
    input  wire [4:0]           next_index_i,  // CSR_PIPELINE: index_i in the next cycle
    output wire                 ready_o,       // ... and here, or none is asked for
    // of the counter in the stage: what it has, and what it gets (that, if it is not written)
    output wire [63:0]          count_o,
    input  wire                 count_we_i,
    input  wire [63:0]          count_i,
    output wire [SIDE_W-1:0]    side_o,
    output wire [SIDE_W-1:0]    side_kept_o,   // the same, but 0 as long as nothing has been written
    input  wire                 side_we_i,
    input  wire [SIDE_W-1:0]    side_i,
    // counter i is in the stage (all of them in reset), and this is what it keeps of that: what holds it for
    // use may take it every time
    output wire [31:0]          visit_o,
    output wire [SIDE_W-1:0]    side_d_o,
    input  wire                 of_we_i,       // the overflow flag of the counter in the stage is written
    output wire [31:0]          of_one_o       // that of counter i; all of them in reset
);
  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] PRESENT = HPM | 32'h5;
  localparam [63:0] WIDTH   = 64'hFFFF_FFFF_FFFF_FFFF >> (64 - HPM_W);

  // From one carry to the next there are at least 2^6 cycles.
  localparam LIVE = INC_W == 1 ? 6 : INC_W + 6;
  localparam HIGH = 64 - LIVE;
  localparam [HIGH-1:0] HPM_HIGH = WIDTH[63:LIVE];   // bits of the high part that programmable counters have
  localparam            SHORT    = HPM_W <= LIVE;    // they have none

  (* mem2reg *) reg [LIVE-1:0] low_q [0:31];
  (* mem2reg *) reg [LIVE-1:0] low_d [0:31];
  reg [31:0] carry_q;    // owed to the high part
  // the high part and what it is owed are all ones; good from when what was owed is paid
  reg  [31:0] last_q;
  wire [31:0] last;      // the same, where it matters

  // ---- the port: counter `at` enters the stage in the next cycle. What leaves it is being written and can't
  // enter again at once.
  reg  [4:0] turn_q;     // 2 .. 31, 0: all indices but 1, which is no counter
  reg  [4:0] stage_q;    // the counter in the stage
  reg        live_q;     // ... if there is one
  reg        asked_q;    // it is there for an access
  reg        fresh_q;    // the RAM has not been written whole since reset
  wire       here = live_q & stage_q == index_i;
  // CSR_PIPELINE: the counter in the stage, a bit each; and whether it is the one that is asked for, if the
  // turn brought it. (Behind a question there is no other.)
  reg [31:0] hot_q;
  reg        same_q;
  integer    h;
  wire       ask  = ask_i & ~(CSR_PIPELINE ? live_q & same_q : here) & ~asked_q & ~fresh_q;
  wire [4:0] at   = ask ? index_i : turn_q;

  assign ready_o = (~access_i | here) & ~fresh_q;

  always @(posedge clk) begin
    if (rst) begin
      turn_q  <= 5'd2;
      live_q  <= 1'b0;
      asked_q <= 1'b0;
      fresh_q <= 1'b1;
    end else begin
      if (!ask) turn_q <= turn_q == 5'd0 ? 5'd2 : turn_q + 5'd1;
      live_q  <= ask | ~(live_q & stage_q == turn_q);
      asked_q <= ask;
      if (live_q & stage_q == 5'd0) fresh_q <= 1'b0;
    end
    stage_q <= rst ? 5'd0 : at;
    same_q  <= CSR_PIPELINE & turn_q == next_index_i;
    for (h = 0; h < 32; h = h + 1) hot_q[h] <= CSR_PIPELINE & (rst ? h == 0 : at == h[4:0]);
  end

  // ---- the RAM
  (* no_rw_check *) reg [SIDE_W+HIGH-1:0] ram [0:31];
  reg [SIDE_W+HIGH-1:0] word_q;
  wire [HIGH-1:0] mask     = stage_q < 5'd3 ? {HIGH{1'b1}} : HPM_HIGH;
  wire [HIGH-1:0] high_new = count_i[63:LIVE] & mask;
  always @(posedge clk) begin
    word_q <= ram[at];
    if (live_q) ram[stage_q] <= {side_d_o, high_new};
  end

  // What is written is in the stage.
  wire [31:0] visit, load;
  tally_decoder #(.N(3), .ONE_HOT(CSR_PIPELINE)) u_visit (
      .sel_i(stage_q), .hot_i(hot_q), .en_i({of_we_i, count_we_i, live_q}), .all_i(rst),
      .out_o({of_one_o, load, visit})
  );
  assign visit_o = visit;

  // ---- what the stage has
  wire owed;
  tally_mux32 #(.MASK(PRESENT), .ONE_HOT(CSR_PIPELINE)) u_owed (
      .sel_i(stage_q), .hot_i(hot_q), .in_i(carry_q), .out_o(owed)
  );
  wire [HIGH-1:0] high_now;
  tally_increment #(.W(HIGH), .LATE_CARRY(CSR_PIPELINE)) u_owe (
      .word_i(word_q[HIGH-1:0]), .carry_i(owed), .clear_i(fresh_q), .word_o(high_now)
  );
  assign side_o            = word_q[SIDE_W+HIGH-1:HIGH];
  assign side_kept_o       = side_o & {SIDE_W{~fresh_q}};
  assign side_d_o          = side_we_i ? side_i : side_kept_o;
  assign count_o[63:LIVE]  = high_now & mask;
`ifdef SYNTHESIS
  genvar c, k;
  generate
    for (c = 0; c < LIVE; c = c + 1) begin : g_column
      wire [31:0] column;
      for (k = 0; k < 32; k = k + 1) begin : g_counter
        wire [LIVE-1:0] count = low_q[k];
        assign column[k] = count[c];
      end
      tally_mux32 #(.MASK(PRESENT)) u_read (
          .sel_i(stage_q), .hot_i(32'd0), .in_i(column), .out_o(count_o[c])
      );
    end
  endgenerate
`else
  assign count_o[LIVE-1:0] = low_q[stage_q];
`endif

  // ---- the low parts
  reg [INC_W-1:0] inc;
  reg [LIVE:0]    sum;
  reg [31:0]      over, ends;   // the carry to the high part; ... or out of the low one if there is none
  integer         i;
  always @* begin
    for (i = 0; i < 32; i = i + 1) begin
      inc      = inc_i[i*INC_W +: INC_W];
      if (CSR_PIPELINE && UNIT[i]) begin  // what is known early first
        sum = {1'b0, low_q[i]} + 1'b1;
        sum = inc[0] ? sum : {1'b0, low_q[i]};
      end else sum = {1'b0, low_q[i]} + {1'b0, {LIVE - INC_W{load[i]}}, inc};
      low_d[i] = load[i] ? count_i[LIVE-1:0] : sum[LIVE-1:0];
      if (INC_W == 1 && !CSR_PIPELINE)  // without the carry chain, which would keep the load out of the LUT
        low_d[i][0] = load[i] ? count_i[0] : low_q[i][0] ^ inc[0];
      if (i >= 3 && SHORT) begin
        over[i]   = 1'b0;
        ends[i]   = |(sum & ~WIDTH[LIVE:0]);
        wrap_o[i] = ~load[i] & ends[i];
        low_d[i]  = low_d[i] & WIDTH[LIVE-1:0];
      end else begin
        over[i]   = ~load[i] & sum[LIVE];
        ends[i]   = sum[LIVE];
        wrap_o[i] = over[i] & last[i];
      end
      full_o[i] = PRESENT[i]
                & (i >= 3 && SHORT ? &(low_q[i] | ~WIDTH[LIVE-1:0]) : &low_q[i] & last[i]);
      if (!PRESENT[i]) begin
        low_d[i]  = {LIVE{1'b0}};
        over[i]   = 1'b0;
        ends[i]   = 1'b0;
        wrap_o[i] = 1'b0;
      end
    end
  end
  // One LUT: the flag that takes it has an input for one more only.
  tally_and_not u_request (
      .not_c_i(load),
      .not_d_i(quiet_i),
      .b_i(ends),
      .a_i(SHORT ? last | HPM : last),
      .out_o(request_o)
  );

  // ---- is what rests all ones?
  wire last_new;
  generate
    if (CSR_PIPELINE) begin : g_fresh
      // Known a cycle later, in the cycle in which it matters first.
      localparam PARTS = (HIGH + 15) / 16;
      reg  [31:0]         visit_q;
      reg  [PARTS-1:0]    part_q;    // of what left the stage
      wire [16*PARTS-1:0] ones = {{16*PARTS - HIGH{1'b1}}, high_new | ~mask};
      integer             p;
      always @(posedge clk) begin
        visit_q <= rst ? 32'd0 : visit;
        for (p = 0; p < PARTS; p = p + 1) part_q[p] <= &ones[16*p +: 16];
      end
      assign last     = last_q & ~visit_q | {32{&part_q}} & visit_q;
      assign last_new = 1'b0;
    end else begin : g_stale
      assign last     = last_q;
      assign last_new = &(high_new | ~mask);
    end
  endgenerate

  // ---- state
  integer r;
  always @(posedge clk) begin
    carry_q <= rst ? 32'd0 : over | carry_q & ~visit;
    for (r = 0; r < 32; r = r + 1) begin
      low_q[r] <= rst ? {LIVE{1'b0}} : low_d[r];
      if (!PRESENT[r])   last_q[r] <= 1'b0;
      else if (CSR_PIPELINE)   last_q[r] <= ~rst & last[r];
      else if (visit[r]) last_q[r] <= ~rst & last_new;
    end
  end

  // ---- how near to the wrap. A counter that is owed something is not: its carry is too young.
  localparam [LIVE-1:0] LOW = {{LIVE - 3{1'b0}}, 3'd7};
  integer n;
  always @* begin
    for (n = 0; n < 32; n = n + 1) begin
      low_o[n*3 +: 3] = low_q[n][2:0];
      near_o[n]       = (n >= 3 && SHORT) ? &(low_q[n] | ~WIDTH[LIVE-1:0] | LOW)
                                          : &(low_q[n] | LOW) & last[n] & ~carry_q[n];
    end
  end

`ifdef FORMAL
  // The state of one counter as software knows it, for tests/formal.
  wire [4:0]      formal_index;
  wire [HIGH-1:0] formal_mask  = formal_index < 5'd3 ? {HIGH{1'b1}} : HPM_HIGH;
  wire [SIDE_W+HIGH-1:0] formal_word = fresh_q ? {SIDE_W + HIGH{1'b0}} : ram[formal_index];
  wire [HIGH-1:0] formal_rests = formal_word[HIGH-1:0];
  wire [HIGH-1:0] formal_high  = formal_rests + {{HIGH - 1{1'b0}}, carry_q[formal_index]};
  wire            formal_there = PRESENT[formal_index];
  wire [63:0]     formal_count = {formal_high & formal_mask, low_q[formal_index]} & {64{formal_there}};
  wire [12:0]     formal_side  = formal_word[SIDE_W+HIGH-1:HIGH];

  // Why it is exact, for any one counter that is there.
  wire            formal_here  = live_q & stage_q == formal_index;
  wire            owes = carry_q[formal_index];
  wire [LIVE-1:0] low  = low_q[formal_index];
  // Steps of the turn to this counter; cycles until it is in the stage, at most.
  wire [4:0]      formal_step = (formal_index == 5'd0 ? 5'd30 : formal_index - 5'd2);
  wire [4:0]      turn_step   = (turn_q == 5'd0 ? 5'd30 : turn_q - 5'd2);
  wire [5:0]      away = {1'b0, formal_step} - {1'b0, turn_step}
                       + (formal_step < turn_step ? 6'd31 : 6'd0);
  wire [6:0]      left = formal_here ? 7'd0 : {away, 1'b0} + 7'd2 - {6'd0, asked_q};
  localparam [LIVE:0] MOST = {{LIVE + 1 - INC_W{1'b0}}, {INC_W{1'b1}}};
  wire [LIVE:0]   room = MOST * ({{LIVE - 6{1'b0}}, 7'd63} - {{LIVE - 6{1'b0}}, left});
  wire [5:0]      fresh_steps = turn_step == 5'd0 & live_q ? 6'd31 : {1'b0, turn_step};
  wire [4:0]      fresh_last  = turn_q == 5'd2 ? 5'd0 : turn_q == 5'd0 ? 5'd31 : turn_q - 5'd1;
  always @* if (!rst & formal_there) begin
    turn_is_one:      assert (turn_q != 5'd1);
    same_is_here:
      assert (!CSR_PIPELINE || asked_q || !live_q || fresh_q || same_q == (stage_q == index_i));
    hot_is_stage:     assert (!CSR_PIPELINE || hot_q == 32'd1 << stage_q);
    word_is_word:     assert (!formal_here || fresh_q || word_q == ram[formal_index]);
    // A carry is never owed twice: while one waits, the turn comes nearer faster than the next.
    turn_in_time:     assert (!owes || {1'b0, low} < room);
    carry_owed_once:  assert (!(owes & over[formal_index]));
    rests_in_width:   assert ((formal_rests & ~formal_mask) == {HIGH{1'b0}});
    last_is_last:     assert (owes || SHORT && formal_index > 5'd2 ||
                              last[formal_index] == &(formal_rests | ~formal_mask));
    // After reset the turn writes 0 everywhere, before there is a carry and without an access.
    fresh_is_turning: assert (!fresh_q || !asked_q & (live_q ? stage_q == fresh_last : turn_q == 5'd2));
    fresh_owes_none:  assert (!fresh_q || !owes & {1'b0, low} <= MOST * {{LIVE - 5{1'b0}}, fresh_steps});
    fresh_is_empty:   assert (!fresh_q || {1'b0, formal_step} + 6'd1 >= fresh_steps
                              || ram[formal_index] == {SIDE_W + HIGH{1'b0}});
  end
`endif
endmodule

`default_nettype wire
