// SPDX-License-Identifier: Apache-2.0
// tally_pmu_counters_ram - the counters of tally_pmu_counters at half of their cost: most of their bits are
// in a RAM.
//
// Only the LOW low bits of a counter count in place. Its high part is in a RAM (one read port, one
// write port, data a cycle after the address), and a carry into it waits in a flag, `pending_q`. One
// incrementer behind the RAM, the *stage*, adds pending carries, one counter a cycle: all counters in turn,
// or the one that a CSR access addresses. The path from an event to the interrupt is LOW bits of carry
// long instead of 64.
//
// CSR_PIPELINE, for a fast clock: the value that leaves the stage is compared with all ones a cycle later,
// the high part's sum does not wait for the pending carry, and the interrupt not for the low part's sum.
//
// Exact in every cycle: a read adds the pending carry, and a flag, `high_ones`, says that the high part
// with its pending carry is all ones, so a carry out of the low part is the overflow in the very cycle in
// which it happens.
//
// A word of the RAM also holds other registers of the counter: `side`.
//
// The host can perform an access only while ready_o is 1, that is, while the counter is in the stage, and
// never in the first 32 cycles after reset, in which the RAM is cleared. At least every second cycle
// belongs to the turn, so every counter passes the stage within 63 cycles; between two carries of a counter
// there are at least 64.

`default_nettype none

module tally_pmu_counters_ram #(
    parameter HPM_N  = 29,
    parameter HPM_W  = 64,
    parameter INC_W  = 1,  // bits of the largest increment
    parameter LOW    = 6,  // bits of the low part: at least 2^6 cycles from one carry to the next
    parameter SIDE_W = 1,
    parameter [31:0] SINGLE = 32'd0,  // counters that count by 1 at most
    // CSR_PIPELINE: counters whose carry out of the low part comes from carry_out_i and one_i
    parameter [31:0] COMBINED = 32'd0,
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire                 clk,
    input  wire                 rst,

    input  wire [INC_W*32-1:0]  inc_i,
    input  wire [31:0]          one_i,         // COMBINED: it counts by one,
    input  wire [31:0]          carry_out_i,   // ... or by more, and the low part carries out
    output reg  [31:0]          low_rest_ones_o,  // COMBINED: low part above its three lowest bits is ones
    output wire [31:0]          high_max_o,    // it overflows if its low part carries out
    output reg  [31:0]          wrap_o,        // counter i overflows at this clock edge
    input  wire [31:0]          no_request_i,  // an overflow of counter i requests no interrupt
    output wire [31:0]          request_o,     // counter i overflows, and that requests one
    output reg  [31:0]          at_max_o,      // SINGLE: it would, if it counted by 1 and were not written
    // now: the three lowest bits of each counter, and whether all others are ones
    output reg  [32*3-1:0]      low_bits_o,
    output reg  [31:0]          near_max_o,

    input  wire [4:0]           index_i,
    input  wire                 ask_i,         // counter index_i may be needed: bring it to the stage;
    input  wire                 access_i,      // ... it is needed
    input  wire [4:0]           next_index_i,  // CSR_PIPELINE: index_i in the entry cycle
    output wire                 ready_o,       // no counter is needed, or index_i is in the stage
    output wire                 ready_next_o,  // so it will be in the next cycle, if index_i and ask_i stay
    // the counter in the stage: its value, and its new one
    output wire [63:0]          count_o,
    input  wire                 count_we_i,
    input  wire [63:0]          count_i,
    output wire [SIDE_W-1:0]    side_o,
    output wire [SIDE_W-1:0]    side_kept_o,   // the same, but 0 while the RAM is being cleared
    input  wire                 side_we_i,
    input  wire [SIDE_W-1:0]    side_i,
    // counter i is in the stage (all of them in reset), and side_d_o is its new side: registers that mirror
    // it may load it in every such cycle
    output wire [31:0]          stage_o,
    output wire [SIDE_W-1:0]    side_d_o,
    input  wire                 of_we_i,       // the overflow flag of the counter in the stage is written,
    input  wire                 of_clear_i,    // ... or cleared,
    output wire [31:0]          of_we_o,       // ... that of counter i; all of them in reset
    output wire [31:0]          of_clear_o
);
  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] PRESENT = HPM | 32'h5;
  localparam [63:0] WIDTH   = 64'hFFFF_FFFF_FFFF_FFFF >> (64 - HPM_W);

  localparam            HIGH     = 64 - LOW;
  localparam [HIGH-1:0] HPM_HIGH = WIDTH[63:LOW];   // bits of the high part that programmable counters have
  localparam            SHORT    = HPM_W <= LOW;    // they have none

  (* mem2reg *) reg [LOW-1:0] low_q [0:31];
  (* mem2reg *) reg [LOW-1:0] low_d [0:31];
  reg  [31:0] pending_q;    // a carry into the high part is pending
  // the high part with its pending carry is all ones; valid once the stage has added that carry
  reg  [31:0] high_ones_q;
  wire [31:0] high_ones;    // the same where it is used

  // ---- the turn: counter `entry` enters the stage in the entry cycle. The counter that leaves the stage is
  // being written and cannot enter again at once.
  reg  [4:0] turn_q;     // 2 .. 31, 0: all counters but 1, which is time
  reg  [4:0] stage_q;    // the counter in the stage
  reg        live_q;     // ... if there is one
  reg        asked_q;    // ... for an access
  reg        clearing_q; // since reset not all of the RAM has been written
  wire       staged;     // it is counter index_i
  // CSR_PIPELINE: stage_q decoded; stage_q is index_i.
  reg [31:0] hot_q;
  reg        same_q;
  integer    h;
  wire       ask   = ask_i & ~staged & ~asked_q & ~clearing_q;
  wire [4:0] entry = ask ? index_i : turn_q;

  assign staged  = live_q & (CSR_PIPELINE ? same_q : stage_q == index_i);
  assign ready_o = (~access_i | staged) & ~clearing_q;

  wire   enters       = turn_q == index_i & ~(live_q & stage_q == turn_q);   // by its turn
  assign ready_next_o = (~ask_i | ask | enters) & ~clearing_q;

  always @(posedge clk) begin
    if (rst) begin
      turn_q     <= 5'd2;
      live_q     <= 1'b0;
      asked_q    <= 1'b0;
      clearing_q <= 1'b1;
    end else begin
      if (!ask) turn_q <= turn_q == 5'd0 ? 5'd2 : turn_q + 5'd1;
      live_q  <= ask | ~(live_q & stage_q == turn_q);
      asked_q <= ask;
      if (live_q & stage_q == 5'd0) clearing_q <= 1'b0;
    end
    stage_q <= rst ? 5'd0 : entry;
    same_q  <= CSR_PIPELINE & entry == next_index_i;
    for (h = 0; h < 32; h = h + 1) hot_q[h] <= CSR_PIPELINE & (rst ? h == 0 : entry == h[4:0]);
  end

  // ---- the RAM: not tally_ram_1r1w, for its contents are cleared here, and may become any kind of RAM
  (* no_rw_check *) reg [SIDE_W+HIGH-1:0] ram [0:31];
  reg [SIDE_W+HIGH-1:0] word_q;
  wire [HIGH-1:0] mask     = stage_q < 5'd3 ? {HIGH{1'b1}} : HPM_HIGH;
  wire [HIGH-1:0] high_new = count_i[63:LOW] & mask;
  always @(posedge clk) begin
    word_q <= ram[entry];
    if (live_q) ram[stage_q] <= {side_d_o, high_new};
  end

  // Only the counter in the stage is written.
  wire [31:0] load;
  tally_decoder #(.N(4), .ONE_HOT(CSR_PIPELINE)) u_stage (
      .sel_i(stage_q), .hot_i(hot_q), .en_i({of_clear_i, of_we_i, count_we_i, live_q}), .all_i(rst),
      .out_o({of_clear_o, of_we_o, load, stage_o})
  );

  // ---- the counter in the stage
  wire pending_carry;
  tally_mux32 #(.MASK(PRESENT), .ONE_HOT(CSR_PIPELINE)) u_pending (
      .sel_i(stage_q), .hot_i(hot_q), .in_i(pending_q), .out_o(pending_carry)
  );
  wire [HIGH-1:0] high_now;
  tally_increment #(.W(HIGH), .CARRY_SELECT(CSR_PIPELINE)) u_increment (
      .word_i(word_q[HIGH-1:0]), .carry_i(pending_carry), .clear_i(clearing_q), .word_o(high_now)
  );
  assign side_o            = word_q[SIDE_W+HIGH-1:HIGH];
  assign side_kept_o       = side_o & {SIDE_W{~clearing_q}};
  assign side_d_o          = side_we_i ? side_i : side_kept_o;
  assign count_o[63:LOW]  = high_now & mask;
  wire [32*LOW-1:0] low;
  genvar             k;
  generate
    for (k = 0; k < 32; k = k + 1) begin : g_counter
      assign low[k*LOW +: LOW] = low_q[k];
    end
  endgenerate
  tally_mux_word #(.W(LOW), .MASK(PRESENT)) u_read (
      .sel_i(stage_q), .hot_i(32'd0), .in_i(low), .out_o(count_o[LOW-1:0])
  );

  // ---- the low parts
  reg [INC_W-1:0] inc;
  reg [LOW:0]    sum;
  reg [31:0]      carry, carry_out;   // into the high part; out of the counter if it has none
  integer         i;
  always @* begin
    for (i = 0; i < 32; i = i + 1) begin
      inc      = inc_i[i*INC_W +: INC_W];
      if (CSR_PIPELINE && SINGLE[i]) begin  // the early operand first
        sum = {1'b0, low_q[i]} + 1'b1;
        sum = inc[0] ? sum : {1'b0, low_q[i]};
      end else sum = {1'b0, low_q[i]} + {1'b0, {LOW - INC_W{load[i]}}, inc};
      low_d[i] = load[i] ? count_i[LOW-1:0] : sum[LOW-1:0];
      if (INC_W == 1 && !CSR_PIPELINE)  // off the carry chain, so that the load costs nothing more
        low_d[i][0] = load[i] ? count_i[0] : low_q[i][0] ^ inc[0];
      if (i >= 3 && SHORT) begin
        carry[i]     = 1'b0;
        carry_out[i] = |(sum & ~WIDTH[LOW:0]);
        wrap_o[i]    = ~load[i] & carry_out[i];
        low_d[i]     = low_d[i] & WIDTH[LOW-1:0];
      end else begin
        carry_out[i] = COMBINED[i] ? carry_out_i[i] | one_i[i] & (&low_q[i]) : sum[LOW];
        carry[i]     = ~load[i] & carry_out[i];
        wrap_o[i]    = carry[i] & high_ones[i];
      end
      at_max_o[i] = PRESENT[i]
                  & (i >= 3 && SHORT ? &(low_q[i] | ~WIDTH[LOW-1:0]) : &low_q[i] & high_ones[i]);
      if (!PRESENT[i]) begin
        low_d[i]     = {LOW{1'b0}};
        carry[i]     = 1'b0;
        carry_out[i] = 1'b0;
        wrap_o[i]    = 1'b0;
      end
    end
  end
  // One gate of four inputs, because the overflow flag adds only one level after it.
  tally_and_not u_request (
      .a_i(SHORT ? high_ones | HPM : high_ones),
      .b_i(carry_out),
      .not_c_i(load),
      .not_d_i(no_request_i),
      .out_o(request_o)
  );

  // ---- is the high part in the RAM all ones?
  wire high_ones_new;
  generate
    if (CSR_PIPELINE) begin : g_later
      // Known a cycle later, which is the first cycle that uses it.
      localparam PARTS = (HIGH + 15) / 16;
      reg  [31:0]         stage_was_q;
      reg  [PARTS-1:0]    part_q;    // of the value that left the stage
      wire [16*PARTS-1:0] ones = {{16*PARTS - HIGH{1'b1}}, high_new | ~mask};
      integer             p;
      always @(posedge clk) begin
        stage_was_q <= rst ? 32'd0 : stage_o;
        for (p = 0; p < PARTS; p = p + 1) part_q[p] <= &ones[16*p +: 16];
      end
      assign high_ones     = high_ones_q & ~stage_was_q | {32{&part_q}} & stage_was_q;
      assign high_ones_new = 1'b0;
    end else begin : g_at_once
      assign high_ones     = high_ones_q;
      assign high_ones_new = &(high_new | ~mask);
    end
  endgenerate

  // ---- state
  integer r;
  always @(posedge clk) begin
    pending_q <= rst ? 32'd0 : carry | pending_q & ~stage_o;
    for (r = 0; r < 32; r = r + 1) begin
      low_q[r] <= rst ? {LOW{1'b0}} : low_d[r];
      if (!PRESENT[r])       high_ones_q[r] <= 1'b0;
      else if (CSR_PIPELINE) high_ones_q[r] <= ~rst & high_ones[r];
      else if (stage_o[r])   high_ones_q[r] <= ~rst & high_ones_new;
    end
  end

  assign high_max_o = high_ones & PRESENT;
  integer m;
  always @* for (m = 0; m < 32; m = m + 1) low_rest_ones_o[m] = COMBINED[m] & (&low_q[m][LOW-1:3]);

  // ---- distance to the overflow. A counter with a pending carry is far from it.
  localparam [LOW-1:0] LOWEST = {{LOW - 3{1'b0}}, 3'd7};
  integer n;
  always @* begin
    for (n = 0; n < 32; n = n + 1) begin
      low_bits_o[n*3 +: 3] = low_q[n][2:0];
      near_max_o[n]        = (n >= 3 && SHORT) ? &(low_q[n] | ~WIDTH[LOW-1:0] | LOWEST)
                                               : &(low_q[n] | LOWEST) & high_ones[n] & ~pending_q[n];
    end
  end

`ifdef FORMAL
  // The state of one counter as software sees it, for tests/formal.
  wire [4:0]      formal_index;
  wire [HIGH-1:0] formal_mask  = formal_index < 5'd3 ? {HIGH{1'b1}} : HPM_HIGH;
  wire [SIDE_W+HIGH-1:0] formal_word = clearing_q ? {SIDE_W + HIGH{1'b0}} : ram[formal_index];
  wire [HIGH-1:0] formal_stored = formal_word[HIGH-1:0];
  wire [HIGH-1:0] formal_high  = formal_stored + {{HIGH - 1{1'b0}}, pending_q[formal_index]};
  wire            formal_there = PRESENT[formal_index];
  wire [63:0]     formal_count = {formal_high & formal_mask, low_q[formal_index]} & {64{formal_there}};
  wire [12:0]     formal_side  = formal_word[SIDE_W+HIGH-1:HIGH];

  wire [4:0]      turn_step     = (turn_q == 5'd0 ? 5'd30 : turn_q - 5'd2);
  wire [5:0]      cleared_steps = turn_step == 5'd0 & live_q ? 6'd31 : {1'b0, turn_step};
  wire [4:0]      cleared_last  = turn_q == 5'd2 ? 5'd0 : turn_q == 5'd0 ? 5'd31 : turn_q - 5'd1;
  // Of every counter: its side, and that the turn has cleared its word, if it was there since reset.
  wire [32*SIDE_W-1:0] formal_sides;
  wire [31:0]          formal_cleared;
  genvar               f;
  generate
    for (f = 0; f < 32; f = f + 1) begin : g_formal
      localparam [4:0] STEP = f == 0 ? 5'd30 : f - 2;
      assign formal_sides[f*SIDE_W +: SIDE_W] = {SIDE_W{~clearing_q}} & ram[f][SIDE_W+HIGH-1:HIGH];
      assign formal_cleared[f] = f == 1 || {1'b0, STEP} + 6'd1 >= cleared_steps
                               || ram[f] == {SIDE_W + HIGH{1'b0}};
    end
  endgenerate

  // Why it is exact, for any one counter that is present.
  wire            formal_staged = live_q & stage_q == formal_index;
  wire            pending = pending_q[formal_index];
  wire [LOW-1:0] formal_low  = low_q[formal_index];
  // Steps of the turn to this counter; cycles until it is in the stage, at most.
  wire [4:0]      formal_step = (formal_index == 5'd0 ? 5'd30 : formal_index - 5'd2);
  wire [5:0]      away = {1'b0, formal_step} - {1'b0, turn_step}
                       + (formal_step < turn_step ? 6'd31 : 6'd0);
  wire [6:0]      left = formal_staged ? 7'd0 : {away, 1'b0} + 7'd2 - {6'd0, asked_q};
  localparam [LOW:0] MOST = {{LOW + 1 - INC_W{1'b0}}, {INC_W{1'b1}}};
  wire [LOW:0]   bound = MOST * ({{LOW - 6{1'b0}}, 7'd63} - {{LOW - 6{1'b0}}, left});
  reg             promised_q, asks_q;   // ready_next_o a cycle ago, of this
  reg [4:0]       index_was_q;
  always @(posedge clk) {promised_q, asks_q, index_was_q} <= {ready_next_o & ~rst, ask_i, index_i};
  always @* if (!rst) begin
    same_is_staged:   assert (!CSR_PIPELINE || clearing_q || same_q == (stage_q == index_i));
    ready_is_ready:   assert (!promised_q || ask_i != asks_q || index_i != index_was_q || ready_o);
    turn_is_one:      assert (turn_q != 5'd1);
    hot_is_stage:     assert (!CSR_PIPELINE || hot_q == 32'd1 << stage_q);
    word_is_word:     assert (!live_q || clearing_q || word_q == ram[stage_q]);
    // After reset the turn writes 0 everywhere, before there is a carry and without an access.
    clearing_in_turn: assert (!clearing_q || !asked_q & (live_q ? stage_q == cleared_last : turn_q == 5'd2));
    cleared_is_zero:  assert (!clearing_q || &formal_cleared);
  end
  always @* if (!rst & formal_there) begin
    // No second carry while one is pending: the turn arrives before it.
    turn_in_time:     assert (!pending || {1'b0, formal_low} < bound);
    carry_pends_once: assert (!(pending & carry[formal_index]));
    stored_in_width:  assert ((formal_stored & ~formal_mask) == {HIGH{1'b0}});
    high_ones_is_flag:
      assert (pending || SHORT && formal_index > 5'd2 ||
              high_ones[formal_index] == &(formal_stored | ~formal_mask));
    clearing_no_carry:
      assert (!clearing_q || !pending & {1'b0, formal_low} <= MOST * {{LOW - 5{1'b0}}, cleared_steps});
  end
`endif
endmodule

`default_nettype wire
