// SPDX-License-Identifier: Apache-2.0
// tally_dtlb - data TLB: fully associative, Sv39 pages of 4 KiB, 2 MiB and 1 GiB.
//
// Lookup is combinational (EX). All entries have the same ASID and are invalidated when it changes: comparing
// the ASID would lengthen every access, and the second-level TLB refills the entries. Every entry has its A
// bit set. An entry whose permissions or D bit do not allow the access misses: the walk decides
// (docs/hart.md). No address ever has two entries: a new one replaces the entry matched by the last
// lookup; a large one also replaces small ones that the compared bits do not distinguish from pages
// inside it. Keys are in flip-flops; page numbers are in a small RAM behind the comparison.

`default_nettype none

module tally_dtlb #(
    parameter ENTRIES = 16
) (
    input  wire         clk,
    input  wire         rst,

    // lookup
    input  wire         lk_valid_i,    // gates the comparison
    input  wire [38:12] lk_va_i,
    input  wire [15:0]  lk_asid_i,     // with or without lk_valid_i
    input  wire         lk_store_i,    // needs W and D, else R (or X with mxr)
    input  wire         lk_user_i,     // access from U-mode, else S-mode
    input  wire         lk_sum_i,
    input  wire         lk_mxr_i,
    output wire         hit_o,
    output wire [43:0]  ppn_o,         // with lk_valid_i; 0 without

    // the walker's answer
    input  wire         fill_i,
    input  wire [38:12] fill_va_i,
    input  wire [43:0]  fill_ppn_i,
    input  wire [1:0]   fill_level_i,  // 0: 4 KiB, 1: 2 MiB, 2: 1 GiB
    input  wire [4:0]   fill_perm_i,   // {D, U, X, W, R}

    input  wire         flush_i
);

  localparam IDX_W = $clog2(ENTRIES);

  // Bits of a large page that are not compared are 0 in its page number.
  reg  [ENTRIES-1:0] valid_q;
  (* mem2reg *) reg [26:0]      key_q  [0:ENTRIES-1];
  (* mem2reg *) reg [4:0]       perm_q [0:ENTRIES-1];
  reg  [ENTRIES-1:0] mega_q;            // 2 MiB or 1 GiB: the lowest 9 bits are not compared,
  reg  [ENTRIES-1:0] giga_q;            // nor the next
  reg  [45:0]        page_mem [0:ENTRIES-1];   // {giga, mega, ppn}
  reg  [ENTRIES-1:0] found_q;           // entries of the last lookup, before permissions
  reg  [IDX_W-1:0]   turn_q;
  reg  [15:0]        asid_q;

  wire               moved = lk_asid_i != asid_q;

  // Lookup
  reg  [ENTRIES-1:0] match, may;
  reg  [26:0]        differ;
  reg  [IDX_W-1:0]   index;

  always @* begin : lookup
    integer n;
    n      = 0;
    match  = {ENTRIES{1'b0}};
    may    = {ENTRIES{1'b0}};
    differ = 27'd0;
    index  = {IDX_W{1'b0}};
    if (lk_valid_i) begin
      for (n = 0; n < ENTRIES; n = n + 1) begin
        differ   = key_q[n] ^ lk_va_i;
        match[n] = valid_q[n] && differ[26:18] == 9'd0 && (giga_q[n] || differ[17:9] == 9'd0)
                   && (mega_q[n] || differ[8:0] == 9'd0);
        may[n]   = (lk_user_i ? perm_q[n][3] : !perm_q[n][3] || lk_sum_i)
                   && (lk_store_i ? perm_q[n][1] && perm_q[n][4]
                                  : perm_q[n][0] || (lk_mxr_i && perm_q[n][2]));
        index    = index | (n[IDX_W-1:0] & {IDX_W{match[n]}});
      end
    end
  end

  wire [45:0] page = page_mem[index];

  assign hit_o = |(match & may) && !moved;
  assign ppn_o = {page[43:18], page[17:9] | (lk_va_i[29:21] & {9{page[45]}}),
                  page[8:0] | (lk_va_i[20:12] & {9{page[44]}})} & {44{lk_valid_i}};

  // Fill
  wire               mega = fill_level_i != 2'd0;
  wire               giga = fill_level_i[1];
  reg  [ENTRIES-1:0] clash;
  reg  [IDX_W-1:0]   victim;

  always @* begin : replacement
    integer n;
    n      = 0;
    clash  = found_q;
    victim = turn_q;
    if (fill_i) begin
      for (n = ENTRIES - 1; n >= 0; n = n - 1) begin
        if (giga ? !giga_q[n] : mega && !mega_q[n] && key_q[n][12:9] == fill_va_i[24:21]) clash[n] = 1'b1;
        if (!valid_q[n]) victim = n[IDX_W-1:0];
      end
    end
  end

  always @(posedge clk) begin
    if (lk_valid_i) found_q <= match;
    if (fill_i) begin
      valid_q         <= valid_q & ~clash;
      valid_q[victim] <= 1'b1;
      turn_q          <= turn_q + 1'b1;
    end
    if (rst || flush_i || moved) valid_q <= {ENTRIES{1'b0}};
    if (rst) turn_q <= {IDX_W{1'b0}};
  end

  always @(posedge clk) begin
    if (fill_i) begin
      key_q[victim]    <= fill_va_i;
      perm_q[victim]   <= fill_perm_i;
      mega_q[victim]   <= mega;
      giga_q[victim]   <= giga;
      page_mem[victim] <= {giga, mega, fill_ppn_i[43:18], fill_ppn_i[17:9] & {9{!giga}},
                           fill_ppn_i[8:0] & {9{!mega}}};
    end
    asid_q <= lk_asid_i;
  end

endmodule

`default_nettype wire
