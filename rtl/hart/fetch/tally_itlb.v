// SPDX-License-Identifier: Apache-2.0
// tally_itlb - instruction TLB: fully associative, Sv39 pages of 4 KiB, 2 MiB and 1 GiB, ASID and global
// entries.
//
// Lookup and answer in the same cycle. Only executable pages enter. An entry whose U bit forbids the fetch is
// no hit: the walk decides (docs/hart.md, Translation). If software left several entries for one address, the
// first is used, never a mixture.

`default_nettype none

module tally_itlb #(
    parameter ENTRIES = 16
) (
    input  wire         clk,
    input  wire         rst,

    // lookup; without lk_valid_i nothing hits
    input  wire         lk_valid_i,
    input  wire [38:12] lk_va_i,
    input  wire [15:0]  lk_asid_i,
    input  wire         lk_user_i,     // fetch in U-mode, else S-mode
    output wire         hit_o,
    output wire [43:0]  ppn_o,

    // the walker's answer
    input  wire         fill_i,
    input  wire [38:12] fill_va_i,
    input  wire [43:0]  fill_ppn_i,
    input  wire [1:0]   fill_level_i,  // 0: 4 KiB, 1: 2 MiB, 2: 1 GiB
    input  wire         fill_g_i,
    input  wire         fill_u_i,

    input  wire         flush_i
);

  localparam IDX_W = $clog2(ENTRIES);

  // Keys are in flip-flops, page numbers in a small RAM behind the comparison
  reg  [ENTRIES-1:0] valid_q;
  (* mem2reg *) reg [38:12] va_q   [0:ENTRIES-1];
  (* mem2reg *) reg [15:0]  asid_q [0:ENTRIES-1];
  (* mem2reg *) reg [3:0]   attr_q [0:ENTRIES-1];  // {2 MiB or more, 1 GiB, global, user}
  reg  [45:0]        page_q [0:ENTRIES-1];         // {2 MiB or more, 1 GiB, ppn}
  reg  [IDX_W-1:0]   turn_q;

  reg  [ENTRIES-1:0] match;
  reg  [IDX_W-1:0]   index;
  reg  [38:12]       differ;
  always @* begin : lookup
    integer n;
    n      = 0;
    match  = {ENTRIES{1'b0}};
    index  = {IDX_W{1'b0}};
    differ = 27'd0;
    if (lk_valid_i) begin
      for (n = ENTRIES - 1; n >= 0; n = n - 1) begin
        differ   = (va_q[n] ^ lk_va_i) & {9'h1FF, {9{!attr_q[n][2]}}, {9{!attr_q[n][3]}}};
        match[n] = valid_q[n] && (attr_q[n][1] || asid_q[n] == lk_asid_i) && differ == 27'd0
                   && attr_q[n][0] == lk_user_i;
        if (match[n]) index = n[IDX_W-1:0];
      end
    end
  end

  wire [45:0] page = page_q[index];

  assign hit_o = |match;
  assign ppn_o = {page[43:18], page[44] ? lk_va_i[29:21] : page[17:9], page[45] ? lk_va_i[20:12] : page[8:0]};

  // Victim: an entry that is free, else the next in turn
  reg  [IDX_W-1:0] victim;
  always @* begin : replacement
    integer n;
    victim = turn_q;
    for (n = ENTRIES - 1; n >= 0; n = n - 1) if (!valid_q[n]) victim = n[IDX_W-1:0];
  end

  wire fill_mega = fill_level_i != 2'd0;
  wire fill_giga = fill_level_i[1];

  always @(posedge clk) begin
    if (fill_i) begin
      valid_q[victim] <= 1'b1;
      turn_q          <= turn_q + 1'b1;
    end
    if (rst || flush_i) valid_q <= {ENTRIES{1'b0}};
    if (rst) turn_q <= {IDX_W{1'b0}};
  end

  always @(posedge clk) begin
    if (fill_i) begin
      va_q[victim]   <= fill_va_i;
      asid_q[victim] <= lk_asid_i;
      attr_q[victim] <= {fill_mega, fill_giga, fill_g_i, fill_u_i};
      page_q[victim] <= {fill_mega, fill_giga, fill_ppn_i};
    end
  end

endmodule

`default_nettype wire
