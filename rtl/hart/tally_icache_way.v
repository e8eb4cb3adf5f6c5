// tally_icache_way - one way of the instruction cache: tags, data and valid bits.
//
// Read latency: one cycle (address with rd_en_i, answer from the next cycle until the next rd_en_i). Tags and
// data are block RAM, valid bits flip-flops. The valid bit is sampled together with the tag, so that the
// answer is that of one moment: a line that is filled or replaced while the fetch waits is found in the line
// buffer of tally_icache.

`default_nettype none

module tally_icache_way #(
    parameter SETS  = 64,
    parameter SET_W = $clog2(SETS),
    parameter TAG_W = 44
) (
    input  wire             clk,
    input  wire             rst,

    // read: address now, answer next cycle
    input  wire             rd_en_i,
    input  wire [SET_W-1:0] rd_set_i,
    input  wire [2:0]       rd_word_i,
    input  wire [TAG_W-1:0] lk_tag_i,     // compared with the tag that was read
    output wire             hit_o,
    output wire             valid_o,      // the set was occupied
    output wire [63:0]      data_o,

    // refill
    input  wire             alloc_i,      // this way of the set gets alloc_tag_i, not yet valid
    input  wire [SET_W-1:0] alloc_set_i,
    input  wire [TAG_W-1:0] alloc_tag_i,
    input  wire             fill_i,       // one beat
    input  wire             fill_last_i,  // ... and with it the line is valid
    input  wire [SET_W-1:0] fill_set_i,
    input  wire [2:0]       fill_word_i,
    input  wire [63:0]      fill_data_i,

    input  wire             flush_i
);

  wire [TAG_W-1:0] tag;

  tally_fe_ram #(.WIDTH(TAG_W), .DEPTH(SETS)) u_tag (
      .clk    (clk),
      .ren_i  (rd_en_i),
      .raddr_i(rd_set_i),
      .rdata_o(tag),
      .wen_i  (alloc_i),
      .waddr_i(alloc_set_i),
      .wdata_i(alloc_tag_i)
  );

  tally_fe_ram #(.WIDTH(64), .DEPTH(SETS * 8)) u_data (
      .clk    (clk),
      .ren_i  (rd_en_i),
      .raddr_i({rd_set_i, rd_word_i}),
      .rdata_o(data_o),
      .wen_i  (fill_i),
      .waddr_i({fill_set_i, fill_word_i}),
      .wdata_i(fill_data_i)
  );

  // A refill begins when none is on its way: the two never meet
  wire             mark     = alloc_i || (fill_i && fill_last_i);
  wire [SET_W-1:0] mark_set = alloc_i ? alloc_set_i : fill_set_i;

  reg [SETS-1:0] valid_q;
  reg            read_valid_q;

  always @(posedge clk) begin
    if (mark) valid_q[mark_set] <= !alloc_i;
    if (rd_en_i) read_valid_q <= valid_q[rd_set_i];
    if (rst || flush_i) valid_q <= {SETS{1'b0}};
    if (rst) read_valid_q <= 1'b0;
  end

  assign valid_o = read_valid_q;
  assign hit_o   = read_valid_q && tag == lk_tag_i;

endmodule

`default_nettype wire
