// SPDX-License-Identifier: Apache-2.0
// pmp_rights - whether PMP permits an access (tally_pmp), for every content of the registers and every
// access: regions by each kind of address, the lowest entry, partial matches, and rights without MML and by
// the whole truth table of Smepmp (privileged manual, Physical Memory Protection; Smepmp).
//
// Assumed: the shapes are those of the addresses, which pmp_registers shows; an access is inside 8 aligned
// bytes, and its mode and kind exist.

`include "pmp_shape.vh"

`default_nettype none

module pmp_rights #(
    parameter MEM_W = 36
) (
    input wire [63:0]      cfg,
    input wire             mml, mmwp,
    input wire [8*54-1:0]  addr,
    input wire [MEM_W-1:2] first,
    input wire             two_words,
    input wire [1:0]       priv,
    input wire [1:0]       op
);
  localparam [1:0] U = 2'd0, S = 2'd1, M = 2'd3, READ = 2'd0, WRITE = 2'd1, EXECUTE = 2'd2;

  `TALLY_PMP_SHAPE(MEM_W)

  wire [8*MEM_W-1:0] shapes;
  genvar g;
  generate
    for (g = 0; g < 8; g = g + 1) begin : g_shape
      assign shapes[MEM_W*g +: MEM_W] = pmp_shape(addr[54*g +: 54]);
    end
  endgenerate

  wire fail;
  tally_pmp #(.MEM_W(MEM_W)) dut (
      .cfg_i(cfg), .mml_i(mml), .mmwp_i(mmwp), .addr_flat_i(addr), .shape_flat_i(shapes),
      .ask_i(1'b1), .first_i(first),
      .last_i(first | {{MEM_W-3{1'b0}}, two_words}), .priv_i(priv), .op_i(op), .fail_o(fail)
  );
  always @* assume (priv != 2'd2 && op != 2'd3 && !(two_words && first[2]));

  // The manual's definition of a region, word by word
  function matches;
    input [1:0]  a;
    input [53:0] below, at, word;
    reg [53:0]   ignored;
    begin
      ignored = at ^ (at + 54'd1);
      case (a)
        2'd0:    matches = 1'b0;
        2'd1:    matches = below <= word && word < at;
        2'd2:    matches = word == at;
        default: matches = (word | ignored) == (at | ignored);
      endcase
    end
  endfunction

  reg         hit, part;
  reg  [3:0]  lrwx;
  wire [53:0] word0 = {{56-MEM_W{1'b0}}, first}, word1 = word0 | {53'd0, two_words};
  always @* begin : lowest
    integer n;
    reg     in0, in1;
    reg [53:0] below;
    hit   = 1'b0;
    part  = 1'b0;
    lrwx  = 4'd0;
    in0   = 1'b0;
    in1   = 1'b0;
    below = 54'd0;
    for (n = 7; n >= 0; n = n - 1) begin
      below = n == 0 ? 54'd0 : addr[54*((n+7)&7) +: 54];
      in0   = matches(cfg[8*n+3 +: 2], below, addr[54*n +: 54], word0);
      in1   = matches(cfg[8*n+3 +: 2], below, addr[54*n +: 54], word1);
      if (in0 | in1) begin
        hit  = 1'b1;
        part = in0 != in1;
        lrwx = {cfg[8*n+7], cfg[8*n], cfg[8*n+1], cfg[8*n+2]};
      end
    end
  end

  // The truth table, row by row: R, W, X of M-mode; R, W, X of S and U
  function [5:0] row;
    input [3:0] lrwx;
    case (lrwx)
      4'b0000: row = 6'b000_000;
      4'b0001: row = 6'b000_001;
      4'b0010: row = 6'b110_100;
      4'b0011: row = 6'b110_110;
      4'b0100: row = 6'b000_100;
      4'b0101: row = 6'b000_101;
      4'b0110: row = 6'b000_110;
      4'b0111: row = 6'b000_111;
      4'b1000: row = 6'b000_000;
      4'b1001: row = 6'b001_000;
      4'b1010: row = 6'b001_001;
      4'b1011: row = 6'b101_001;
      4'b1100: row = 6'b100_000;
      4'b1101: row = 6'b101_000;
      4'b1110: row = 6'b110_000;
      default: row = 6'b100_100;
    endcase
  endfunction

  wire [5:0] rights = row(lrwx);
  wire [2:0] rwx    = priv == M ? rights[5:3] : rights[2:0];
  wire       whole  = hit & ~part;

  prop_holds pmp_partial_match_fails (.when_i(hit & part), .holds_i(fail));
  prop_holds pmp_no_match_is_m_modes (.when_i(~hit & ~mml & ~mmwp), .holds_i(fail == (priv != M)));
  prop_holds smepmp_no_match_with_mmwp (.when_i(~hit & mmwp), .holds_i(fail));
  prop_holds smepmp_no_match_with_mml (.when_i(~hit & mml & ~mmwp),
      .holds_i(fail == (priv != M || op == EXECUTE)));
  prop_holds pmp_rights_below_m (.when_i(whole & ~mml & priv != M),
      .holds_i(fail == ~(op == READ ? lrwx[2] : op == WRITE ? lrwx[1] : lrwx[0])));
  prop_holds pmp_unlocked_is_m_modes (.when_i(whole & ~mml & priv == M & ~lrwx[3]), .holds_i(~fail));
  prop_holds pmp_locked_binds_m (.when_i(whole & ~mml & priv == M & lrwx[3]),
      .holds_i(fail == ~(op == READ ? lrwx[2] : op == WRITE ? lrwx[1] : lrwx[0])));
  prop_holds smepmp_table_m (.when_i(whole & mml & priv == M),
      .holds_i(fail == ~(op == READ ? rwx[2] : op == WRITE ? rwx[1] : rwx[0])));
  prop_holds smepmp_table_s (.when_i(whole & mml & priv == S),
      .holds_i(fail == ~(op == READ ? rwx[2] : op == WRITE ? rwx[1] : rwx[0])));
  prop_holds smepmp_table_u (.when_i(whole & mml & priv == U),
      .holds_i(fail == ~(op == READ ? rwx[2] : op == WRITE ? rwx[1] : rwx[0])));
  // Each row can be reached
  generate
    for (g = 0; g < 16; g = g + 1) begin : g_row
      prop_holds smepmp_row (.when_i(whole & mml & lrwx == g[3:0]),
          .holds_i(fail == ~(op == READ ? rwx[2] : op == WRITE ? rwx[1] : rwx[0])));
    end
  endgenerate
endmodule

`default_nettype wire
