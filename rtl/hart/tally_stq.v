// tally_stq - store queue and merging store buffer.
//
// Stores enter in program order when they complete, are marked when they retire, and leave in order to the
// D cache and the bus. Entry 0 is the oldest; the others move up when it leaves. While two retired stores
// to the same aligned 8 bytes stand at the head, they become one (uncached ones never do). A search finds
// every entry that overlaps a load, and the data of the youngest.

`default_nettype none

module tally_stq #(
    parameter DEPTH  = 8,
    parameter ADDR_W = 36            // where something can be stored
) (
    input  wire             clk,
    input  wire             rst,

    // a store completes
    input  wire             put_i,         // not while full
    input  wire [ADDR_W-1:0] put_addr_i,
    input  wire [1:0]       put_size_i,
    input  wire [63:0]      put_data_i,    // in its byte lanes
    input  wire [7:0]       put_strb_i,
    input  wire             put_unc_i,     // uncached
    output wire             full_o,
    output wire             empty_o,

    // the oldest store that has not, retires; everything that has not, goes
    input  wire             commit_i,
    input  wire             flush_i,
    output wire             drained_o,     // no retired store here

    // search
    input  wire             find_i,        // quiet otherwise
    input  wire [ADDR_W-1:3] find_addr_i,
    input  wire [7:0]       find_strb_i,
    output reg  [DEPTH-1:0] over_o,        // entries with a byte of the load
    output reg              fwd_o,         // the youngest of them has all bytes of it
    output reg  [63:0]      fwd_data_o,
    output wire [DEPTH-1:0] valid_o,

    // the head
    output wire             head_valid_o,  // retired, and not about to be merged
    output wire [ADDR_W-1:0] head_addr_o,
    output wire [1:0]       head_size_o,
    output wire [63:0]      head_data_o,
    output wire [7:0]       head_strb_o,
    output wire             head_unc_o,
    output wire [11:6]      soon_set_o,    // late: address bits of the next cycle's head
    input  wire             pop_i,         // it leaves
    output wire             shift_o,       // late: entry n becomes entry n-1 in this cycle,
    output wire             merge_o        // and what was entry 0 is now part of entry 0
);

  reg  [DEPTH-1:0] valid_q;    // both are ones from bit 0 upwards
  reg  [DEPTH-1:0] retired_q;
  (* mem2reg *) reg [ADDR_W-1:0] addr_q [0:DEPTH-1];
  (* mem2reg *) reg [63:0] data_q [0:DEPTH-1];
  (* mem2reg *) reg [7:0]  strb_q [0:DEPTH-1];
  (* mem2reg *) reg [2:0]  attr_q [0:DEPTH-1];  // {uncached, size}

  assign full_o    = valid_q[DEPTH-1];
  assign empty_o   = !valid_q[0];
  assign drained_o = !retired_q[0];
  assign valid_o   = valid_q;

  // Search: of two neighbours the younger, of two pairs, and so on
  reg [DEPTH-1:0] any, all;                  // of a group: one overlaps; the youngest that does has all bytes
  reg [63:0]      found [0:DEPTH-1];
  always @* begin : search
    integer n, step;
    step   = 0;
    over_o = {DEPTH{1'b0}};
    any    = {DEPTH{1'b0}};
    all    = {DEPTH{1'b0}};
    for (n = 0; n < DEPTH; n = n + 1) found[n] = 64'd0;
    if (find_i && valid_q[0]) begin
      for (n = 0; n < DEPTH; n = n + 1) begin
        over_o[n] = valid_q[n] && addr_q[n][ADDR_W-1:3] == find_addr_i && |(strb_q[n] & find_strb_i);
        all[n]    = (find_strb_i & ~strb_q[n]) == 8'd0;
        found[n]  = data_q[n];
      end
      any = over_o;
      for (step = 1; step < DEPTH; step = step * 2) begin
        for (n = 0; n + step < DEPTH; n = n + 2 * step) begin
          if (any[n + step]) begin
            all[n]   = all[n + step];
            found[n] = found[n + step];
          end
          any[n] = any[n] || any[n + step];
        end
      end
    end
    fwd_o      = any[0] && all[0];
    fwd_data_o = found[0];
  end

  // Head
  assign merge_o      = retired_q[0] && retired_q[1] && !attr_q[0][2] && !attr_q[1][2]
                        && addr_q[0][ADDR_W-1:3] == addr_q[1][ADDR_W-1:3];
  assign shift_o      = pop_i || merge_o;
  assign head_valid_o = retired_q[0] && !merge_o;
  assign head_addr_o  = addr_q[0];
  assign head_size_o  = attr_q[0][1:0];
  assign head_data_o  = data_q[0];
  assign head_strb_o  = strb_q[0];
  assign head_unc_o   = attr_q[0][2];
  assign soon_set_o   = shift_o ? addr_q[1][11:6] : addr_q[0][11:6];

  // State
  wire [DEPTH-1:0] retired = commit_i ? {retired_q[DEPTH-2:0], 1'b1} & valid_q : retired_q;
  wire [DEPTH-1:0] kept    = flush_i ? retired : valid_q;
  wire [DEPTH-1:0] moved   = shift_o ? kept >> 1 : kept;
  wire [DEPTH-1:0] place   = {moved[DEPTH-2:0], 1'b1} & ~moved;
  wire             put     = put_i && !flush_i;

  always @(posedge clk) begin
    valid_q   <= put ? moved | place : moved;
    retired_q <= shift_o ? retired >> 1 : retired;
    if (rst) begin
      valid_q   <= {DEPTH{1'b0}};
      retired_q <= {DEPTH{1'b0}};
    end
  end

  always @(posedge clk) begin : entries
    integer n;
    if (shift_o) begin
      for (n = 0; n < DEPTH - 1; n = n + 1) begin
        addr_q[n] <= addr_q[n+1];
        data_q[n] <= data_q[n+1];
        strb_q[n] <= strb_q[n+1];
        attr_q[n] <= attr_q[n+1];
      end
    end
    if (merge_o) begin
      for (n = 0; n < 8; n = n + 1) if (!strb_q[1][n]) data_q[0][8*n +: 8] <= data_q[0][8*n +: 8];
      strb_q[0] <= strb_q[0] | strb_q[1];
    end
    if (put) begin
      for (n = 0; n < DEPTH; n = n + 1) begin
        if (place[n]) begin
          addr_q[n] <= put_addr_i;
          data_q[n] <= put_data_i;
          strb_q[n] <= put_strb_i;
          attr_q[n] <= {put_unc_i, put_size_i};
        end
      end
    end
  end

endmodule

`default_nettype wire
