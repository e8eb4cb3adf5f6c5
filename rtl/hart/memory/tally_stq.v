// SPDX-License-Identifier: Apache-2.0
// tally_stq - store queue and merging store buffer.
//
// Stores enter in program order when they complete, are marked when they retire, and leave in order to the
// D cache and the bus. The queue is a ring. Two retired stores to the same aligned 8 bytes at its head are
// merged, unless uncached: the older is written into the younger in a cycle in which no store can enter,
// since the RAMs have one write port. A search finds every entry that overlaps a load, and the data of the
// youngest. Fields that are compared are in flip-flops, the others in small RAMs.

`default_nettype none

module tally_stq #(
    parameter DEPTH  = 8,
    parameter ADDR_W = 36            // where something can be stored
) (
    input  wire             clk,
    input  wire             rst,

    // a store completes
    input  wire             put_store_i,   // a store from the back end may be, in this cycle
    input  wire             put_i,         // late-arriving; not while full
    input  wire [ADDR_W-1:0] put_addr_i,
    input  wire [1:0]       put_size_i,
    input  wire [63:0]      put_data_i,    // in its byte lanes
    input  wire [7:0]       put_strb_i,
    input  wire             put_unc_i,     // uncached
    output wire             full_o,
    output wire             empty_o,

    // commit_i: the oldest store not retired retires; flush_i: all that are not are dropped
    input  wire             commit_i,
    input  wire             flush_i,
    output wire             drained_o,     // no retired store here

    // search
    input  wire             find_i,        // gates the comparison; set for a store too, by put_addr_i
    input  wire [ADDR_W-1:3] find_addr_i,
    input  wire [7:0]       find_strb_i,
    output reg  [DEPTH-1:0] overlap_o,     // entries with a byte of the load
    output wire             fwd_o,         // the youngest of them has all bytes of it
    output wire [63:0]      fwd_data_o,
    output wire [DEPTH-1:0] valid_o,

    // the head
    output wire             head_valid_o,  // retired, and not about to be merged
    output wire [ADDR_W-1:0] head_addr_o,
    output wire [1:0]       head_size_o,
    output wire [63:0]      head_data_o,
    output wire [7:0]       head_strb_o,
    output wire             head_unc_o,
    output wire [11:6]      next_set_o,    // address bits of the next cycle's head (late-arriving)
    output wire [DEPTH-1:0] head_o,        // which entry it is
    input  wire             pop_i,         // it leaves
    output wire             shift_o,       // it becomes free in this cycle (late-arriving),
    output wire             merge_o        // merged into the entry behind it
);

  localparam IDX_W = $clog2(DEPTH);
  localparam [DEPTH-1:0] FIRST = 1;

  function [DEPTH-1:0] behind;
    input [DEPTH-1:0] entry;
    behind = {entry[DEPTH-2:0], entry[DEPTH-1]};
  endfunction

  function [IDX_W-1:0] number;
    input [DEPTH-1:0] entry;
    integer n;
    begin
      number = {IDX_W{1'b0}};
      for (n = 0; n < DEPTH; n = n + 1) number = number | (n[IDX_W-1:0] & {IDX_W{entry[n]}});
    end
  endfunction

  reg  [DEPTH-1:0] valid_q;
  reg  [DEPTH-1:0] retired_q;
  reg  [DEPTH-1:0] same_q;          // may be merged with the one before it
  reg              full_q;
  reg  [DEPTH-1:0] head_q;          // one-hot: the oldest,
  reg  [DEPTH-1:0] next_q;          // the next to retire,
  reg  [DEPTH-1:0] tail_q;          // the next to be used
  reg  [IDX_W-1:0] head_at_q;       // ... and the first and the last in binary
  reg  [IDX_W-1:0] tail_at_q;
  (* mem2reg *) reg [ADDR_W-1:3] word_q [0:DEPTH-1];
  (* mem2reg *) reg [7:0]        strb_q [0:DEPTH-1];

  reg  [63:0]         data_mem [0:DEPTH-1];
  reg  [7:0]          strb_mem [0:DEPTH-1];
  reg  [ADDR_W+2:0]   addr_mem [0:DEPTH-1];   // {address, uncached, size}
  reg  [11:6]         set_mem  [0:DEPTH-1];

  assign full_o    = full_q;
  assign empty_o   = valid_q == {DEPTH{1'b0}};
  assign drained_o = retired_q == {DEPTH{1'b0}};
  assign valid_o   = valid_q;
  assign head_o    = head_q;

  // ---------------------------------------------------------------------------------------------------------
  // Search

  wire [DEPTH-1:0] low = head_q - FIRST;     // entries below the head are younger than those from it upwards
  reg  [DEPTH-1:0] equal;                    // to an entry's word
  reg  [DEPTH-1:0] whole;                    // entries with all bytes of the load
  reg  [DEPTH-1:0] pick;                     // the youngest with any
  always @* begin : search
    integer n, m;
    {n, m} = 64'd0;
    overlap_o = {DEPTH{1'b0}};
    equal     = {DEPTH{1'b0}};
    whole     = {DEPTH{1'b0}};
    if (find_i && |valid_q) begin
      for (n = 0; n < DEPTH; n = n + 1) begin
        equal[n]     = valid_q[n] && word_q[n] == find_addr_i;
        overlap_o[n] = equal[n] && |(strb_q[n] & find_strb_i);
        whole[n]     = (find_strb_i & ~strb_q[n]) == 8'd0;
      end
    end
    pick = overlap_o;
    if (|overlap_o) begin
      for (n = 0; n < DEPTH; n = n + 1)
        for (m = 0; m < DEPTH; m = m + 1)
          if (m != n && overlap_o[m] && (m > n ? !low[n] || low[m] : low[m] && !low[n])) pick[n] = 1'b0;
    end
  end

  assign fwd_o      = |(pick & whole);
  assign fwd_data_o = data_mem[number(pick)];

  // ---------------------------------------------------------------------------------------------------------
  // Head

  wire [DEPTH-1:0] second    = behind(head_q);
  wire [IDX_W-1:0] second_at = head_at_q + 1'b1;
  wire [7:0]       second_strb = strb_mem[second_at];

  assign merge_o      = |(retired_q & same_q & second) && !put_store_i;
  assign shift_o      = pop_i || merge_o;
  assign head_valid_o = !drained_o && !merge_o;
  assign head_data_o  = data_mem[head_at_q];
  assign head_strb_o  = strb_mem[head_at_q];
  assign {head_addr_o, head_unc_o, head_size_o} = addr_mem[head_at_q];
  assign next_set_o   = shift_o ? set_mem[second_at] : head_addr_o[11:6];

  // ---------------------------------------------------------------------------------------------------------
  // State

  wire [DEPTH-1:0] retired = retired_q | (next_q & {DEPTH{commit_i}});
  wire [DEPTH-1:0] next    = commit_i ? behind(next_q) : next_q;
  wire [DEPTH-1:0] kept    = flush_i ? retired : valid_q;
  wire [DEPTH-1:0] stays   = ~(head_q & {DEPTH{shift_o}});
  wire             put     = put_i && !flush_i;

  always @(posedge clk) begin
    valid_q   <= (kept & stays) | (tail_q & {DEPTH{put}});
    retired_q <= retired & stays;
    full_q    <= !shift_o && (flush_i ? &retired : full_q || (put_i && &(valid_q | tail_q)));
    next_q    <= next;
    if (shift_o) begin
      head_q    <= second;
      head_at_q <= second_at;
    end
    if (flush_i) begin
      tail_q    <= next;
      tail_at_q <= number(next);
    end else if (put) begin
      tail_q    <= behind(tail_q);
      tail_at_q <= tail_at_q + 1'b1;
    end
    // The neighbour is the youngest. If it leaves in this cycle, this one is the head and same_q is not used.
    if (put) same_q <= (same_q & ~tail_q) | (tail_q & {DEPTH{|(behind(equal) & tail_q) && !put_unc_i}});
    if (rst) begin
      valid_q   <= {DEPTH{1'b0}};
      retired_q <= {DEPTH{1'b0}};
      full_q    <= 1'b0;
      head_q    <= FIRST;
      next_q    <= FIRST;
      tail_q    <= FIRST;
      head_at_q <= {IDX_W{1'b0}};
      tail_at_q <= {IDX_W{1'b0}};
    end
  end

  // The entering store, or two that merge
  wire [IDX_W-1:0] at   = put_store_i ? tail_at_q : second_at;
  wire [DEPTH-1:0] to   = (put_store_i ? tail_q & {DEPTH{put_i}} : second & {DEPTH{merge_o}});
  wire [63:0]      data = put_store_i ? put_data_i : head_data_o;
  wire [7:0]       strb = put_store_i ? put_strb_i : head_strb_o | second_strb;
  wire [7:0]       we   = put_store_i ? {8{put_i}} : ~second_strb & {8{merge_o}};

  always @(posedge clk) begin : entries
    integer n;
    for (n = 0; n < 8; n = n + 1) if (we[n]) data_mem[at][8*n +: 8] <= data[8*n +: 8];
    if (put_store_i ? put_i : merge_o) strb_mem[at] <= strb;
    if (put_i) begin
      addr_mem[tail_at_q] <= {put_addr_i, put_unc_i, put_size_i};
      set_mem[tail_at_q]  <= put_addr_i[11:6];
    end
    for (n = 0; n < DEPTH; n = n + 1) begin
      if (to[n]) strb_q[n] <= strb;
      if (put_i && tail_q[n]) word_q[n] <= put_addr_i[ADDR_W-1:3];
    end
  end

endmodule

`default_nettype wire
