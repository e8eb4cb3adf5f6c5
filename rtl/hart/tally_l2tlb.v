// tally_l2tlb - second-level TLB behind ITLB and DTLB: direct mapped, pages of 4 KiB only, in block RAM.
//
// Latency: lk_valid_i, and the answer in the next cycle. Large pages are not kept: their walks are short,
// and the first level holds them whole. Invalid entries and entries with A=0 never enter.

`default_nettype none

module tally_l2tlb #(
    parameter ENTRIES = 256   // a power of two, at least 64
) (
    input  wire         clk,
    input  wire         rst,

    input  wire         lk_valid_i,
    input  wire [38:12] lk_va_i,
    input  wire [15:0]  lk_asid_i,
    output wire         hit_o,
    output wire [43:0]  ppn_o,
    output wire         g_o,
    output wire [4:0]   perm_o,        // {D, U, X, W, R}

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
  localparam WORDS = ENTRIES / 64;
  localparam WRD_W = WORDS > 1 ? $clog2(WORDS) : 1;

  (* no_rw_check *) reg [TAG_W+16:0] tag_mem  [0:ENTRIES-1];  // {page number's upper part, ASID, G}
  (* no_rw_check *) reg [48:0]       data_mem [0:ENTRIES-1];  // {PPN, permissions}
  (* mem2reg *)     reg [63:0]       valid_q  [0:WORDS-1];    // in words of 64: wide vectors simulate slowly

  reg  [TAG_W+16:0] tag_q;
  reg  [48:0]       data_q;
  reg               there_q;
  reg  [TAG_W-1:0]  lk_tag_q;
  reg  [15:0]       lk_asid_q;

  initial begin : configuration
    integer n;
    // Configuration value, not a reset: block RAM has none.
    for (n = 0; n < ENTRIES; n = n + 1) begin
      tag_mem[n]  = {TAG_W + 17{1'b0}};
      data_mem[n] = 49'd0;
    end
  end

  wire [IDX_W-1:0] lk_idx   = lk_va_i[12 +: IDX_W];
  wire [IDX_W-1:0] fill_idx = fill_va_i[12 +: IDX_W];
  wire [WRD_W-1:0] lk_word;
  wire [WRD_W-1:0] fill_word;

  generate
    if (WORDS > 1) begin : g_words
      assign lk_word   = lk_idx[IDX_W-1:6];
      assign fill_word = fill_idx[IDX_W-1:6];
    end else begin : g_word
      assign lk_word   = 1'b0;
      assign fill_word = 1'b0;
    end
  endgenerate

  always @(posedge clk) begin
    if (lk_valid_i) begin
      tag_q     <= tag_mem[lk_idx];
      data_q    <= data_mem[lk_idx];
      lk_tag_q  <= lk_va_i[38:12+IDX_W];
      lk_asid_q <= lk_asid_i;
    end
    if (fill_i) begin
      tag_mem[fill_idx]  <= {fill_va_i[38:12+IDX_W], fill_asid_i, fill_g_i};
      data_mem[fill_idx] <= {fill_ppn_i, fill_perm_i};
    end
  end

  always @(posedge clk) begin : valid
    integer n;
    if (lk_valid_i) there_q <= valid_q[lk_word][lk_idx[5:0]];
    if (fill_i) valid_q[fill_word][fill_idx[5:0]] <= 1'b1;
    if (rst || flush_i) for (n = 0; n < WORDS; n = n + 1) valid_q[n] <= 64'd0;
  end

  assign hit_o  = there_q && tag_q[TAG_W+16:17] == lk_tag_q && (tag_q[0] || tag_q[16:1] == lk_asid_q);
  assign g_o    = tag_q[0];
  assign ppn_o  = data_q[48:5];
  assign perm_o = data_q[4:0];

endmodule

`default_nettype wire
