// SPDX-License-Identifier: Apache-2.0
// tally_icache_way - one way of the instruction cache: tags, data and valid bits.
//
// Read latency: one cycle (address with rd_en_i, answer from the next cycle until the next rd_en_i). The
// valid bit is stored with the tag, so that all of the answer is of the same cycle. A line that is filled or
// replaced while the fetch waits is found in the line buffer of tally_icache.

`default_nettype none

module tally_icache_way #(
    parameter SETS  = 64,
    parameter SET_W = $clog2(SETS),
    parameter TAG_W = 24
) (
    input  wire             clk,

    // read: address now, answer next cycle
    input  wire             rd_en_i,
    input  wire [SET_W-1:0] rd_set_i,
    input  wire [2:0]       rd_word_i,
    input  wire [TAG_W-1:0] lk_tag_i,     // compared with the tag that was read
    output wire             hit_o,
    output wire             valid_o,      // the set was occupied
    output wire [63:0]      data_o,

    // refill
    input  wire [SET_W-1:0] set_i,
    input  wire [TAG_W-1:0] tag_i,
    input  wire             empty_i,      // invalidate the set
    input  wire             fill_i,       // one beat
    input  wire             fill_last_i,  // ... and with it the line is valid
    input  wire [SET_W-1:0] fill_set_i,
    input  wire [2:0]       fill_word_i,
    input  wire [63:0]      fill_data_i
);

  // Outputs of block RAM are late-arriving: no comparison fits behind it.
  (* no_rw_check, ram_style = "distributed" *)
  reg [TAG_W:0] tag_mem [0:SETS-1];   // {valid, tag}
  reg [TAG_W:0] tag_q;

  // Configuration value, not a reset: RAM has none.
  integer n;
  initial for (n = 0; n < SETS; n = n + 1) tag_mem[n] = {TAG_W+1{1'b0}};

  always @(posedge clk) begin
    if (empty_i || (fill_i && fill_last_i)) tag_mem[set_i] <= {!empty_i, tag_i};
    if (rd_en_i) tag_q <= tag_mem[rd_set_i];
  end

  tally_ram_1r1w #(.WIDTH(64), .DEPTH(SETS * 8)) u_data (
      .clk    (clk),
      .ren_i  (rd_en_i),
      .raddr_i({rd_set_i, rd_word_i}),
      .rdata_o(data_o),
      .wen_i  (fill_i),
      .waddr_i({fill_set_i, fill_word_i}),
      .wdata_i(fill_data_i)
  );

  assign valid_o = tag_q[TAG_W];

  tally_equal #(.WIDTH(1 + TAG_W)) u_equal (
      .a_i   (tag_q),
      .b_i   ({1'b1, lk_tag_i}),
      .equal_o(hit_o)
  );

endmodule

`default_nettype wire
