// SPDX-License-Identifier: Apache-2.0
// tally_fetch_pmp - permission of PMP to fetch the group in F2 (privileged manual, Physical Memory
// Protection).
//
// The whole group is checked first. Only if that is denied, because of all of it or because a region ends in
// its middle, its two words are checked one after the other. If all regions begin and end with a page, the
// answers for the last PAGES pages that may be fetched from are kept until the next redirect by commit, with
// which mode and regions may change.
//
// Latency: PMP's answer is registered; a page that is kept is known in the same cycle.

`default_nettype none

module tally_fetch_pmp #(
    parameter MEM_W = 36,
    parameter PAGES = 4
) (
    input  wire             clk,
    input  wire             rst,

    // F2
    input  wire             new_i,             // a group enters F2 (late-arriving)
    input  wire             clear_i,           // F2 is emptied
    input  wire             valid_i,           // there is a physical address
    input  wire [MEM_W-1:3] addr_i,
    output wire             known_o,           // denied_o is known
    output wire [1:0]       denied_o,          // word 1, word 0

    input  wire             forget_i,          // a redirect by commit

    // PMP of the load/store unit, free while no access is in M
    output wire             fp_ask_o,          // an answer is needed; fp_free_i and fp_fail_i are for it
    output wire [MEM_W-1:2] fp_first_o,        // the first and the last word
    output wire [MEM_W-1:2] fp_last_o,
    input  wire             fp_free_i,
    input  wire             fp_fail_i,         // late-arriving, with fp_free_i
    input  wire             pmp_fine_i         // a region may begin or end inside a page
);

  localparam [1:0] LOOK_GROUP = 2'd0, LOOK_WORD0 = 2'd1, LOOK_WORD1 = 2'd2, LOOKED = 2'd3;

  reg  [1:0] look_q;
  reg  [1:0] denied_q;
  reg        answer_q;        // pmp_may_q is the answer to the present look
  reg        pmp_may_q;       // inverted: synthesis would merge it with the load/store unit's register
  reg  [PAGES-1:0] page_ok_q;
  (* mem2reg *) reg [MEM_W-1:12] page_q [0:PAGES-1];
  reg        known;

  wire       passes = look_q == LOOK_GROUP && answer_q && pmp_may_q;
  wire       looked = look_q == LOOKED || passes || (look_q == LOOK_GROUP && known);
  wire       looks  = valid_i && !looked;

  assign known_o    = looked;
  assign denied_o   = denied_q & {2{look_q == LOOKED}};
  assign fp_ask_o   = looks && !answer_q;
  assign fp_first_o = {addr_i, look_q == LOOK_WORD1};
  assign fp_last_o  = {addr_i, look_q != LOOK_WORD0};

  always @(posedge clk) begin
    pmp_may_q <= !fp_fail_i;
    answer_q  <= fp_ask_o && fp_free_i && !new_i && !clear_i && !rst;
    if (new_i) look_q <= LOOK_GROUP;
    else if (passes && valid_i) look_q <= LOOKED;
    else if (looks && answer_q) look_q <= look_q + 2'd1;
    if (look_q == LOOK_GROUP) denied_q <= 2'b00;
    if (look_q == LOOK_WORD0) denied_q[0] <= !pmp_may_q;
    if (look_q == LOOK_WORD1) denied_q[1] <= !pmp_may_q;
  end

  always @* begin : known_page
    integer p;
    known = 1'b0;
    for (p = 0; p < PAGES; p = p + 1)
      if (page_ok_q[p] && page_q[p] == addr_i[MEM_W-1:12]) known = 1'b1;
  end

  always @(posedge clk) begin : pages
    integer p;
    if (passes && valid_i) begin
      page_ok_q <= {page_ok_q[PAGES-2:0], !pmp_fine_i};
      page_q[0] <= addr_i[MEM_W-1:12];
      for (p = 1; p < PAGES; p = p + 1) page_q[p] <= page_q[p-1];
    end
    if (forget_i || rst) page_ok_q <= {PAGES{1'b0}};
  end

endmodule

`default_nettype wire
