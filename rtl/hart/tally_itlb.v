// tally_itlb - instruction TLB: fully associative, Sv39 pages of 4 KiB, 2 MiB and 1 GiB, ASID and global
// entries.
//
// Lookup and answer in the same cycle. Only executable pages enter. An entry whose U bit forbids the fetch is
// no hit and is dropped: the walk decides (docs/hart.md, "Rules"). If software left several entries for one
// address, the first is taken: never a mixture.

`default_nettype none

module tally_itlb #(
    parameter ENTRIES = 16
) (
    input  wire         clk,
    input  wire         rst,

    // lookup
    input  wire         lk_valid_i,    // the lookup counts: it may drop an entry
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

  reg  [ENTRIES-1:0] valid_q;
  (* mem2reg *) reg [38:12] va_q   [0:ENTRIES-1];
  (* mem2reg *) reg [15:0]  asid_q [0:ENTRIES-1];
  (* mem2reg *) reg [43:0]  ppn_q  [0:ENTRIES-1];
  (* mem2reg *) reg [3:0]   attr_q [0:ENTRIES-1];  // {2 MiB or more, 1 GiB, global, user}
  reg  [IDX_W-1:0]   turn_q;

  reg  [ENTRIES-1:0] match, user;
  integer n;
  always @* begin
    for (n = 0; n < ENTRIES; n = n + 1) begin
      match[n] = valid_q[n] && (attr_q[n][1] || asid_q[n] == lk_asid_i)
                 && va_q[n][38:30] == lk_va_i[38:30]
                 && (attr_q[n][2] || va_q[n][29:21] == lk_va_i[29:21])
                 && (attr_q[n][3] || va_q[n][20:12] == lk_va_i[20:12]);
      user[n] = attr_q[n][0];
    end
  end

  wire [ENTRIES-1:0] usable = match & (lk_user_i ? user : ~user);
  wire [ENTRIES-1:0] first  = usable & (~usable + 1'b1);

  // The page number's low bits of a large page are kept as zeros, and come from the address
  reg  [43:0] ppn;
  reg         mega, giga;
  always @* begin
    ppn  = 44'd0;
    mega = 1'b0;
    giga = 1'b0;
    for (n = 0; n < ENTRIES; n = n + 1) begin
      ppn  = ppn | (ppn_q[n] & {44{first[n]}});
      mega = mega | (first[n] & attr_q[n][3]);
      giga = giga | (first[n] & attr_q[n][2]);
    end
  end

  assign hit_o = |usable;
  assign ppn_o = ppn | {26'd0, lk_va_i[29:21] & {9{giga}}, lk_va_i[20:12] & {9{mega}}};

  // Victim: an entry that is free, else the next in turn
  reg  [IDX_W-1:0] victim;
  always @* begin
    victim = turn_q;
    for (n = ENTRIES - 1; n >= 0; n = n - 1) if (!valid_q[n]) victim = n[IDX_W-1:0];
  end

  wire fill_mega = fill_level_i != 2'd0;
  wire fill_giga = fill_level_i[1];

  always @(posedge clk) begin
    if (lk_valid_i) valid_q <= valid_q & ~(match & ~usable);
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
      ppn_q[victim]  <= {fill_ppn_i[43:18], fill_ppn_i[17:9] & {9{!fill_giga}},
                         fill_ppn_i[8:0] & {9{!fill_mega}}};
      attr_q[victim] <= {fill_mega, fill_giga, fill_g_i, fill_u_i};
    end
  end

endmodule

`default_nettype wire
