// SPDX-License-Identifier: Apache-2.0
// buffer_queue_formal - no record is torn: the queue of records on their way to memory
// (tally_pmu_buffer_queue) with the memory that holds their words (tally_pmu_pdis_data), joined as in
// tally_pmu_pdis. Each record that was put is written whole, its words in order, at its own address, as it
// was when it was put, after all earlier ones and before all later ones ("loss on record boundaries only";
// docs/sampling.md, Accepted and Written), for any memory and any accesses to the sample registers.
//
// One record represents all: the solver chooses which of those that are put is `mine`, and which of its words
// is `part`. Both are free, so the proof holds for every word of every record.
//
// Assumed: reset first; a record is put only where the queue is not full (buffer_formal shows it) and with
// MEM=1 (tally_pmu_pdis); a word is performed once, and not before it was taken (docs/integration.md).
// Records that are offered and not put, for the registers or dropped, come at any time.

`include "tally_spec.vh"

`default_nettype none

module buffer_queue_formal #(
    parameter XLEN  = 64,
    parameter QUEUE = 4
) (
    input wire                   clk,
    input wire                   rst,
    input wire                   put, ends, keep, mine, mem, rec_ready, rec_done, word_we,
    input wire [55:LSB]          addr,
    input wire [WORDS*XLEN-1:0]  record,
    input wire [3:0]             word,
    input wire [XLEN-1:0]        word_wdata
);
  // A record has 64 bytes on RV64, 32 on RV32 (event sampling draft).
  localparam LSB    = XLEN == 64 ? 6 : 5;
  localparam PARTS  = XLEN == 64 ? 8 : 4;              // of 64 bits
  localparam WORDS  = XLEN == 64 ? 6 : 8;              // that are kept
  localparam SLOT_W = $clog2(QUEUE);
  localparam USED_W = $clog2(QUEUE) + 1;

  wire [SLOT_W-1:0] put_slot, read_slot;
  wire [USED_W-1:0] used;
  wire [2:0]        part_read;
  wire              full, rec_valid, done;
  wire [55:0]       rec_addr;
  wire [63:0]       rec_data;
  wire [XLEN-1:0]   shown;
  tally_pmu_buffer_queue #(
      .LSB(LSB), .QUEUE(QUEUE), .SLOT_W(SLOT_W), .USED_W(USED_W)
  ) queue (
      .clk(clk), .rst(rst), .put_i(put), .put_addr_i(addr), .put_slot_o(put_slot), .full_o(full),
      .used_o(used), .rec_valid_o(rec_valid), .rec_ready_i(rec_ready), .rec_addr_o(rec_addr),
      .read_slot_o(read_slot),
      .read_part_o(part_read), .rec_done_i(rec_done), .done_o(done)
  );
  tally_pmu_pdis_data #(
      .XLEN(XLEN), .WORDS(WORDS), .QUEUE(QUEUE), .SLOT_W(SLOT_W)
  ) data (
      .clk(clk), .rst(rst), .mem_i(mem), .end_i(put | ends), .keep_i(keep), .slot_free_i(~full),
      .put_slot_i(put_slot), .record_i(record),
      .word_i(word), .word_o(shown), .word_we_i(word_we), .word_wdata_i(word_wdata),
      .read_slot_i(read_slot), .read_en_i(rec_valid), .read_part_i(part_read), .read_o(rec_data)
  );

  reg up = 1'b0;
  always @(posedge clk) up <= up | rst;
  wire on   = up & ~rst;
  wire sent = rec_valid & rec_ready;
  reg [7:0] flying = 8'd0;              // words that were taken and are not performed
  always @(posedge clk) flying <= rst ? 8'd0 : flying + {7'd0, sent} - {7'd0, rec_done};
  always @* begin
    if (!up) assume (rst);
    if (flying == 8'd0 && !sent) assume (!rec_done);
    if (full | ~mem) assume (!put);
  end

  reg [7:0] unsent = 8'd0, undone = 8'd0;
  wire [7:0] more = put ? PARTS : 8'd0;
  always @(posedge clk) begin
    unsent <= rst ? 8'd0 : unsent + more - {7'd0, sent};
    undone <= rst ? 8'd0 : undone + more - {7'd0, rec_done};
  end
  prop_holds written_while_any_waits (.when_i(up), .holds_i(rec_valid == (unsent != 8'd0)));
  prop_holds words_are_accounted_for (.when_i(up),
      .holds_i(undone - unsent == flying && undone >= unsent && undone <= QUEUE * PARTS));
  prop_holds never_more_than_the_queue (.when_i(up),
      .holds_i(used == (undone + PARTS - 1) / PARTS && full == (used == QUEUE)));
  prop_holds done_with_the_last_word (.when_i(on), .holds_i(done == (rec_done && undone % PARTS == 1)));

  (* anyconst *) wire [2:0] part_any;
  wire [2:0]    part = part_any % PARTS;
  reg           waits = 1'b0;                          // it was put, and is not yet sent as a whole
  reg [7:0]     before = 8'd0;                         // words to be sent before its first one,
  reg [2:0]     next = 3'd0;                           // and which of its own comes next
  reg [55:LSB]  place = 0;
  reg [63:0]    is = 64'd0;                            // the word of number `part`
  reg [SLOT_W-1:0] slot = 0;
  wire [511:0]  padded = {{512 - WORDS*XLEN{1'b0}}, record};
  wire          chosen = put & mine & ~waits;
  always @(posedge clk) begin
    if (chosen) begin
      waits  <= 1'b1;
      before <= unsent - {7'd0, sent};
      next   <= 3'd0;
      place  <= addr;
      is     <= padded[part*64 +: 64];
      slot   <= put_slot;
    end else if (waits & sent) begin
      if (before != 8'd0) before <= before - 8'd1;
      else begin
        next <= next + 3'd1;
        if (next == PARTS - 1) waits <= 1'b0;
      end
    end
    if (rst) waits <= 1'b0;
  end

  // The words offered are those that were put, each at its own place, as long as it takes.
  wire its_turn = waits & before == 8'd0;
  prop_holds record_is_offered (.when_i(on & its_turn), .holds_i(rec_valid));
  prop_holds word_has_its_place (.when_i(on & its_turn),
      .holds_i(rec_addr == {place, {LSB{1'b0}}} + {50'd0, next, 3'd0}));
  prop_holds word_is_the_record_s (.when_i(on & its_turn & next == part), .holds_i(rec_data == is));

  // Why: no other record has its slot, which keeps its words.
  (* hierconn *) wire [USED_W-2:0] \queue.send_slot_q , \queue.done_slot_q ;
  (* hierconn *) wire [LSB-4:0]    \queue.send_part_q , \queue.done_part_q ;
  (* hierconn *) wire [USED_W-1:0] \queue.unsent_q ;
  prop_holds queue_counts_these (.when_i(up),
      .holds_i(\queue.unsent_q == (unsent + PARTS - 1) / PARTS
               && {5'd0, \queue.send_part_q } == (8'd0 - unsent) % PARTS
               && {5'd0, \queue.done_part_q } == (8'd0 - undone) % PARTS
               && \queue.send_slot_q == \queue.done_slot_q + used[USED_W-2:0]
                                         - \queue.unsent_q [USED_W-2:0]));
  wire [SLOT_W-1:0] behind = \queue.send_slot_q + (before + PARTS - 1) / PARTS;
  prop_holds record_has_its_slot (.when_i(up & waits),
      .holds_i(slot == behind && next < PARTS
               && unsent >= before + PARTS - {5'd0, next} && (before == 8'd0 || next == 3'd0)
               && (unsent - before + {5'd0, next}) % PARTS == 8'd0));
  (* hierconn *) wire [QUEUE*(56-LSB)-1:0]    \queue.formal_addrs ;
  (* hierconn *) wire [QUEUE*WORDS*XLEN-1:0]  \data.formal_records ;
  wire [WORDS*XLEN-1:0] kept = \data.formal_records [slot*WORDS*XLEN +: WORDS*XLEN];
  wire [511:0]          kept_padded = {{512 - WORDS*XLEN{1'b0}}, kept};
  prop_holds place_is_kept (.when_i(up & waits),
      .holds_i(\queue.formal_addrs [slot*(56-LSB) +: 56-LSB] == place));
  prop_holds record_is_kept (.when_i(up & waits), .holds_i(kept_padded[part*64 +: 64] == is));

  // ... and is read in time: the slot whose words come next, unless these are 0, and of one that was written
  // meanwhile the first word, which the newest record has.
  (* hierconn *) wire [SLOT_W-1:0]     \data.formal_read_q ;
  (* hierconn *) wire                  \data.bypass_q ;
  (* hierconn *) wire [WORDS*XLEN-1:0] \data.formal_registers ;
  wire padding = PARTS == 8 && part_read >= 3'd6;
  prop_holds slot_is_read (.when_i(up & rec_valid & ~padding),
      .holds_i(\data.formal_read_q == \queue.send_slot_q ));
  prop_holds next_slot_is_fresh_at_its_beginning (
      .when_i(up & waits & \data.bypass_q & \data.formal_read_q == slot),
      .holds_i(\data.formal_registers [63:0] == kept_padded[63:0] && next == 3'd0));
endmodule

`default_nettype wire
