// SPDX-License-Identifier: Apache-2.0
// tally_l2tlb - second-level TLB behind ITLB and DTLB: direct mapped, pages of 4 KiB only, in block RAM.
//
// Latency: two cycles from lk_valid_i to hit_o; the RAM is read in the first, the comparison registered in
// the second. Large pages are not kept: their walks are short, and the first level holds them whole. Invalid
// entries and entries with A=0 never enter.
//
// A flush or reset empties one entry in each cycle in which nothing enters. Entries that it has not reached
// yet do not hit, and it empties entries that are written there meanwhile.

`default_nettype none

module tally_l2tlb #(
    parameter ENTRIES = 256   // a power of two
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         lk_valid_i,
    input  wire [38:12] lk_va_i,
    input  wire [15:0]  lk_asid_i,
    output wire [43:0]  ppn_o,         // in the next cycle
    output wire         g_o,
    output wire [4:0]   perm_o,        // {D, U, X, W, R}
    output reg          hit_o,         // in the one after

    input  wire         fill_i,
    input  wire [38:12] fill_va_i,
    input  wire [15:0]  fill_asid_i,
    input  wire [43:0]  fill_ppn_i,
    input  wire         fill_g_i,
    input  wire [4:0]   fill_perm_i,

    input  wire         flush_i
);

  localparam IDX_W = $clog2(ENTRIES);
  localparam TAG_W = 27 - IDX_W;

  (* no_rw_check *) reg [TAG_W+16:0] tag_mem  [0:ENTRIES-1];  // {page number's upper part, ASID, G}
  (* no_rw_check *) reg [49:0]       data_mem [0:ENTRIES-1];  // {valid, PPN, permissions}

  reg  [TAG_W+16:0] tag_q;
  reg  [49:0]       data_q;
  reg               reached_q;      // the flush has
  reg  [TAG_W-1:0]  lk_tag_q;
  reg  [15:0]       lk_asid_q;

  initial begin : configuration
    integer n;
    // Configuration value, not a reset: block RAM has none.
    for (n = 0; n < ENTRIES; n = n + 1) begin
      tag_mem[n]  = {TAG_W + 17{1'b0}};
      data_mem[n] = 50'd0;
    end
  end

  wire [IDX_W-1:0] lk_idx   = lk_va_i[12 +: IDX_W];
  wire [IDX_W-1:0] fill_idx = fill_va_i[12 +: IDX_W];

  reg  [IDX_W:0]   sweep_q;         // the entry that a flush empties
  wire             swept = sweep_q[IDX_W];
  wire             enter = fill_i && !flush_i;

  always @(posedge clk) begin
    if (lk_valid_i) begin
      tag_q     <= tag_mem[lk_idx];
      data_q    <= data_mem[lk_idx];
      reached_q <= swept || lk_idx < sweep_q[IDX_W-1:0];
      lk_tag_q  <= lk_va_i[38:12+IDX_W];
      lk_asid_q <= lk_asid_i;
    end
    if (fill_i) tag_mem[fill_idx] <= {fill_va_i[38:12+IDX_W], fill_asid_i, fill_g_i};
    if (enter || !swept)
      data_mem[enter ? fill_idx : sweep_q[IDX_W-1:0]] <= {enter, fill_ppn_i, fill_perm_i};
  end

  always @(posedge clk) begin
    if (!swept && !enter) sweep_q <= sweep_q + 1'b1;
    if (rst || flush_i) sweep_q <= {IDX_W+1{1'b0}};
    hit_o <= data_q[49] && reached_q && tag_q[TAG_W+16:17] == lk_tag_q &&
             (tag_q[0] || tag_q[16:1] == lk_asid_q);
  end

  assign g_o    = tag_q[0];
  assign ppn_o  = data_q[48:5];
  assign perm_o = data_q[4:0];

endmodule

`default_nettype wire
