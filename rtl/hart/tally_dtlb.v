// tally_dtlb - data TLB: fully associative, Sv39 pages of 4 KiB, 2 MiB and 1 GiB, ASID and global entries.
//
// Lookup is combinational (EX). Every entry has its A bit set; an entry whose permissions, or whose D bit,
// do not allow the access is no hit: the walk decides (docs/hart.md, "Rules"). A new entry throws out all
// that overlap it, so that no address ever has two.

`default_nettype none

module tally_dtlb #(
    parameter ENTRIES = 16
) (
    input  wire         clk,
    input  wire         rst,

    // lookup
    input  wire         lk_valid_i,    // quiet otherwise
    input  wire [38:12] lk_va_i,
    input  wire [15:0]  lk_asid_i,
    input  wire         lk_store_i,    // needs W and D, else R (or X with mxr)
    input  wire         lk_user_i,     // access from U-mode, else S-mode
    input  wire         lk_sum_i,
    input  wire         lk_mxr_i,
    output reg          hit_o,
    output reg  [43:0]  ppn_o,

    // the walker's answer
    input  wire         fill_i,
    input  wire [38:12] fill_va_i,
    input  wire [15:0]  fill_asid_i,
    input  wire [43:0]  fill_ppn_i,
    input  wire [1:0]   fill_level_i,  // 0: 4 KiB, 1: 2 MiB, 2: 1 GiB
    input  wire         fill_g_i,
    input  wire [4:0]   fill_perm_i,   // {D, U, X, W, R}

    input  wire         flush_i
);

  localparam IDX_W = $clog2(ENTRIES);
  localparam KEY_W = 16 + 27;

  // An entry is compared where its mask is 1: all of ASID unless global, the page number down to the page's
  // size.
  reg  [ENTRIES-1:0] valid_q;
  (* mem2reg *) reg [KEY_W-1:0] key_q  [0:ENTRIES-1];
  (* mem2reg *) reg [KEY_W-1:0] mask_q [0:ENTRIES-1];
  (* mem2reg *) reg [43:0]      ppn_q  [0:ENTRIES-1];
  (* mem2reg *) reg [4:0]       perm_q [0:ENTRIES-1];
  reg  [IDX_W-1:0]   turn_q;

  // Lookup
  wire [KEY_W-1:0]   lk_key = {lk_asid_i, lk_va_i};
  reg  [ENTRIES-1:0] match;
  reg  [43:0]        ppn;
  reg  [17:0]        from_va;
  reg  [4:0]         perm;

  always @* begin : lookup
    integer n;
    n       = 0;
    match   = {ENTRIES{1'b0}};
    ppn     = 44'd0;
    from_va = 18'd0;
    perm    = 5'd0;
    if (lk_valid_i) begin
      for (n = 0; n < ENTRIES; n = n + 1) begin
        match[n] = valid_q[n] && ((key_q[n] ^ lk_key) & mask_q[n]) == {KEY_W{1'b0}};
        ppn      = ppn | (ppn_q[n] & {44{match[n]}});
        from_va  = from_va | (~mask_q[n][17:0] & {18{match[n]}});
        perm     = perm | (perm_q[n] & {5{match[n]}});
      end
    end
    hit_o = |match && (lk_user_i ? perm[3] : (!perm[3] || lk_sum_i))
            && (lk_store_i ? perm[1] && perm[4] : perm[0] || (lk_mxr_i && perm[2]));
    ppn_o = {ppn[43:18], (ppn[17:0] & ~from_va) | (lk_va_i[29:12] & from_va)};
  end

  // Fill
  wire [KEY_W-1:0]   fill_key  = {fill_asid_i, fill_va_i};
  wire [KEY_W-1:0]   fill_mask = {{16{!fill_g_i}}, 9'h1FF, {9{!fill_level_i[1]}}, {9{fill_level_i == 2'd0}}};
  reg  [ENTRIES-1:0] clash;
  reg  [IDX_W-1:0]   victim;

  always @* begin : replacement
    integer n;
    n      = 0;
    clash  = {ENTRIES{1'b0}};
    victim = turn_q;
    if (fill_i) begin
      for (n = ENTRIES - 1; n >= 0; n = n - 1) begin
        clash[n] = ((key_q[n] ^ fill_key) & mask_q[n] & fill_mask) == {KEY_W{1'b0}};
        if (!valid_q[n]) victim = n[IDX_W-1:0];
      end
    end
  end

  always @(posedge clk) begin
    if (fill_i) begin
      valid_q         <= valid_q & ~clash;
      valid_q[victim] <= 1'b1;
      turn_q          <= turn_q + 1'b1;
    end
    if (rst || flush_i) valid_q <= {ENTRIES{1'b0}};
    if (rst) turn_q <= {IDX_W{1'b0}};
  end

  always @(posedge clk) begin
    if (fill_i) begin
      key_q[victim]  <= fill_key;
      mask_q[victim] <= fill_mask;
      ppn_q[victim]  <= fill_ppn_i;
      perm_q[victim] <= fill_perm_i;
    end
  end

endmodule

`default_nettype wire
