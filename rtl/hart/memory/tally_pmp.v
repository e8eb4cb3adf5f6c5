// SPDX-License-Identifier: Apache-2.0
// tally_pmp - physical memory protection: whether an access is permitted.
//
// Eight entries, OFF/TOR/NA4/NAPOT, granule 4 bytes (privileged manual, Physical Memory Protection;
// docs/hart.md). With mseccfg.MML the L, R, W and X of an entry are Smepmp's truth table; with MMWP an access
// without a matching entry fails in M-mode too (privileged manual, Smepmp). The lowest-numbered entry that
// matches any byte of the access decides, and an entry that matches only some of its bytes fails it. An
// access is inside 8 aligned bytes: its first and its last word are checked, which differ in one bit at most.
// Combinational.
//
// Only addresses below 2^MEM_W are compared: above, an access fails anyway. Everything that depends on an
// entry's address alone comes registered from tally_csr: its shape.

`default_nettype none
`include "tally_idle.vh"

module tally_pmp #(
    parameter MEM_W = 36
) (
    input  wire [63:0]          cfg_i,        // pmpcfg0: entry n in byte n (L - - A A X W R)
    input  wire                 mml_i,        // mseccfg
    input  wire                 mmwp_i,
    input  wire [8*54-1:0]      addr_flat_i,  // pmpaddr n in bits 54n+53:54n
    // of entry n in bits MEM_W*n up: the bits of addr that NAPOT does not compare, then "the address is
    // above all memory", and on top "its NAPOT region may hold memory"
    input  wire [8*MEM_W-1:0]   shape_flat_i,
    input  wire                 ask_i,        // fail_o is needed
    input  wire [MEM_W-1:2]     first_i,      // the first and the last word of the access
    input  wire [MEM_W-1:2]     last_i,
    input  wire [1:0]           priv_i,       // 3 M, 1 S, 0 U
    input  wire [1:0]           op_i,         // 0 read, 1 write, 2 execute
    output reg                  fail_o
);

  localparam [1:0] A_OFF = 2'd0, A_TOR = 2'd1, A_NA4 = 2'd2;
  localparam       W     = MEM_W - 2;

  wire [W-1:0] first = first_i;
  wire [W-1:0] last  = last_i;

  // The reserved bits of a configuration play no part.
  wire unused_ok = &{1'b0, cfg_i, addr_flat_i, 1'b0};

  // Permissions of an entry: X, W, R of M-mode, and X, W, R of the modes below
  function [5:0] rights;
    input       mml;
    input [3:0] lrwx;
    begin
      rights = {lrwx[3] ? {lrwx[0], lrwx[1], lrwx[2]} : 3'b111, lrwx[0], lrwx[1], lrwx[2]};
      if (mml)
        case (lrwx)
          4'b0010: rights = 6'b011_001;  // shared data
          4'b0011: rights = 6'b011_011;
          4'b1010: rights = 6'b100_100;  // shared code
          4'b1011: rights = 6'b101_100;
          4'b1111: rights = 6'b001_001;  // shared constants
          default: rights = lrwx[3] ? {lrwx[0], lrwx[1], lrwx[2], 3'b000} :
                                      {3'b000, lrwx[0], lrwx[1], lrwx[2]};
        endcase
    end
  endfunction

  // The right that the access needs, one-hot as above
  wire [2:0] need = op_i == 2'd0 ? 3'b001 : op_i == 2'd1 ? 3'b010 : 3'b100;
  wire [5:0] want = priv_i == 2'd3 ? {need, 3'b000} : {3'b000, need};
  // Without a match: S- and U-mode may do nothing; M-mode nothing with MMWP, and not execute with MML
  wire       none = priv_i != 2'd3 || mmwp_i || (mml_i && need[2]);

  reg         may;
  reg  [1:0]  mode;
  reg  [W-1:0] addr, care;
  reg         far;                       // of an address: above all memory,
  reg         near;                      // of a region: it may contain memory
  reg         same;                      // the bits that first and last have in common match
  reg         first_above, last_above;   // first and last are not below this entry's address,
  reg         first_from, last_from;     // nor below the previous entry's
  reg         hit_first, hit_last;
  reg  [7:0]  match, bad;                // entries that match a byte; that would fail the access
  reg  [3:0]  match4, bad4;              // the same of the first entry of each pair that matches,
  reg  [1:0]  match2, bad2;              // ... of each four
  integer     n;

  always @* begin
    may         = 1'b0;
    mode        = A_OFF;
    addr        = {W{1'b0}};
    care        = {W{1'b0}};
    far         = 1'b0;
    near        = 1'b0;
    same        = 1'b0;
    first_above = 1'b1;
    last_above  = 1'b1;
    first_from  = 1'b1;
    last_from   = 1'b1;
    hit_first   = 1'b0;
    hit_last    = 1'b0;
    match       = 8'd0;
    bad         = 8'd0;
    if (`TALLY_ACTIVE(ask_i)) begin
      for (n = 0; n < 8; n = n + 1) begin
        mode        = cfg_i[8*n+3 +: 2];
        addr        = addr_flat_i[54*n +: W];
        far         = shape_flat_i[MEM_W*n+W];
        first_from  = first_above;
        last_from   = last_above;
        first_above = !far && first >= addr;
        last_above  = !far && last >= addr;
        if (mode != A_OFF) begin
          if (mode == A_TOR) begin
            hit_first = first_from && !first_above;
            hit_last  = last_from && !last_above;
          end else begin
            care      = mode == A_NA4 ? {W{1'b1}} : ~shape_flat_i[MEM_W*n +: W];
            near      = mode == A_NA4 ? !far : shape_flat_i[MEM_W*n+W+1];
            same      = near && ((first[W-1:1] ^ addr[W-1:1]) & care[W-1:1]) == {W-1{1'b0}};
            hit_first = same && !((first[0] ^ addr[0]) & care[0]);
            hit_last  = same && !((last[0] ^ addr[0]) & care[0]);
          end
          may      = |(rights(mml_i, {cfg_i[8*n+7], cfg_i[8*n], cfg_i[8*n+1], cfg_i[8*n+2]}) & want);
          match[n] = hit_first || hit_last;
          bad[n]   = !(hit_first && hit_last && may);
        end
      end
    end

    for (n = 0; n < 4; n = n + 1) begin
      match4[n] = match[2*n] || match[2*n+1];
      bad4[n]   = match[2*n] ? bad[2*n] : bad[2*n+1];
    end
    for (n = 0; n < 2; n = n + 1) begin
      match2[n] = match4[2*n] || match4[2*n+1];
      bad2[n]   = match4[2*n] ? bad4[2*n] : bad4[2*n+1];
    end
    fail_o = match2[0] ? bad2[0] : match2[1] ? bad2[1] : none;
  end

endmodule

`default_nettype wire
