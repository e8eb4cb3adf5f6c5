// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_data - where a sample that has been kept stays: the sample data registers, or the memory
// buffer's queue (Smpdis, Sample Data Register Access and Memory Buffer).
//
// The registers are flip-flops. Reset and MEM=1 take them away: what has not been written since reads 0.
// While they are away they hold the newest record all the same.
//
// The queue is block RAM, a memory a word of the record, read a cycle ahead. Every record that is offered is
// written where the next one of the queue goes: that it comes to the queue is known late, and is not waited
// for. Of one that is read while it is written the first word is taken from the newest record; when the
// second one is wanted it has been read. A sample and a write by software in one cycle: the sample stays.

`include "tally_idle.vh"

`default_nettype none

module tally_pmu_pdis_data #(
    parameter XLEN    = 64,
    parameter WORDS   = 6,       // of XLEN bits: 6 with XLEN 64, 8 with 32
    parameter QUEUE   = 4,       // records; 0: there is no queue
    parameter SLOT_W  = 2        // bits of a slot's number
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  clear_i,     // the registers are away (MEM=1)

    // a sample
    input  wire                  offer_i,     // there is one
    input  wire                  keep_i,      // ... which the registers take, if they are not away,
    input  wire                  free_i,      // and the queue has a slot,
    input  wire [SLOT_W-1:0]     put_slot_i,  // this one
    input  wire [WORDS*XLEN-1:0] record_i,

    // access to one word of the registers; beyond the last one there is 0
    input  wire [3:0]            word_i,
    output wire [XLEN-1:0]       word_o,
    input  wire                  word_we_i,
    input  wire [XLEN-1:0]       word_new_i,

    // the queue: 64 bits of a record, by number
    input  wire [SLOT_W-1:0]     read_slot_i, // of the next cycle
    input  wire                  get_en_i,
    input  wire [2:0]            get_i,
    output wire [63:0]           get_o
);
  // What no record has: pdishdrev 63:53 and 36:35, bit 0 of pdispc
  localparam [8*64-1:0] HOLDS = XLEN == 64
      ? {{6{64'hFFFF_FFFF_FFFF_FFFF}}, 64'hFFFF_FFFF_FFFF_FFFE, 64'h001F_FFE7_FFFF_FFFF}
      : {256'd0, {5{32'hFFFF_FFFF}}, 32'hFFFF_FFFE, 32'h001F_FFE7, 32'hFFFF_FFFF};

  reg  [WORDS-1:0]  known_q;   // the register's word has been written
  reg  [7:0]        written;   // by software
  integer           k;
  always @* begin
    k       = 0;
    written = 8'd0;
    if (word_we_i & ~clear_i)
      for (k = 0; k < 8; k = k + 1) written[k] = word_i == k[3:0];
  end
  wire              take = offer_i & (keep_i | clear_i);
  wire              put  = offer_i & free_i;
  wire [63:0]       shown [0:7];
  wire [63:0]       queued [0:7];
  wire              asked = ~clear_i & ~word_i[3];
  // The record that is read was written in the cycle before.
  reg               fresh_q;
  always @(posedge clk) fresh_q <= QUEUE > 0 ? put & put_slot_i == read_slot_i : 1'b0;

  genvar w;
  generate
    for (w = 0; w < 8; w = w + 1) begin : g_word
      if (w < WORDS) begin : g_memory
        reg [XLEN-1:0] newest_q;
        always @(posedge clk)
          if (take | written[w])
            newest_q <= take ? record_i[w*XLEN +: XLEN] : word_new_i & HOLDS[w*XLEN +: XLEN];
        reg [XLEN-1:0] here;
        always @* begin
          here = {XLEN{1'b0}};
          if (asked) here = newest_q & {XLEN{known_q[w]}};
        end
        assign shown[w] = {{64 - XLEN{1'b0}}, here};
        if (QUEUE > 0) begin : g_queue
          (* no_rw_check, ram_style = "block" *)
          reg [XLEN-1:0] queue_q [0:QUEUE-1];
          reg [XLEN-1:0] read_q;
          always @(posedge clk) if (put) queue_q[put_slot_i] <= record_i[w*XLEN +: XLEN];
          always @(posedge clk) if (`TALLY_ACTIVE(get_en_i | put)) read_q <= queue_q[read_slot_i];
          assign queued[w] = {{64 - XLEN{1'b0}}, fresh_q && w < 64 / XLEN ? newest_q : read_q};
        end else begin : g_no_queue
          assign queued[w] = 64'd0;
        end
      end else begin : g_none
        assign shown[w]  = 64'd0;
        assign queued[w] = 64'd0;
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (rst | clear_i)  known_q <= {WORDS{1'b0}};
    else if (take)      known_q <= {WORDS{1'b1}};
    else if (word_we_i) known_q <= known_q | written[WORDS-1:0];
  end

  // ---- one word of each, chosen where the simulator looks at no other
  reg [63:0] word;
  always @* begin
    word = 64'd0;
    if (asked) begin
      case (word_i[2:0])
        3'd0:    word = shown[0];
        3'd1:    word = shown[1];
        3'd2:    word = shown[2];
        3'd3:    word = shown[3];
        3'd4:    word = shown[4];
        3'd5:    word = shown[5];
        3'd6:    word = shown[6];
        default: word = shown[7];
      endcase
    end
  end
  assign word_o = word[XLEN-1:0];

  reg [63:0] part;
  always @* begin
    part = 64'd0;
    if (get_en_i) case (get_i)
      3'd0:    part = XLEN == 64 ? queued[0] : {queued[1][31:0], queued[0][31:0]};
      3'd1:    part = XLEN == 64 ? queued[1] : {queued[3][31:0], queued[2][31:0]};
      3'd2:    part = XLEN == 64 ? queued[2] : {queued[5][31:0], queued[4][31:0]};
      3'd3:    part = XLEN == 64 ? queued[3] : {queued[7][31:0], queued[6][31:0]};
      3'd4:    part = XLEN == 64 ? queued[4] : 64'd0;
      3'd5:    part = XLEN == 64 ? queued[5] : 64'd0;
      default: ;  // the rest of a record's place is 0
    endcase
  end
  assign get_o = part;

`ifdef FORMAL
  // The queue's records, the newest one, and what is read, for the proof that none is torn
  wire [WORDS*XLEN-1:0] formal_newest, formal_read;
  wire [(QUEUE > 0 ? QUEUE : 1)*WORDS*XLEN-1:0] formal_records;
  reg  [SLOT_W-1:0]     formal_read_q;
  reg                   formal_up_q = 1'b0;
  always @(posedge clk) begin
    formal_read_q <= read_slot_i;
    formal_up_q   <= 1'b1;
  end
  genvar q;
  generate
    for (w = 0; w < WORDS; w = w + 1) begin : g_formal
      assign formal_newest[w*XLEN +: XLEN] = g_word[w].g_memory.newest_q;
      for (q = 0; q < QUEUE; q = q + 1) begin : g_slot
        assign formal_records[(q*WORDS + w)*XLEN +: XLEN] = g_word[w].g_memory.g_queue.queue_q[q];
      end
      if (QUEUE > 0) begin : g_read
        assign formal_read[w*XLEN +: XLEN] = g_word[w].g_memory.g_queue.read_q;
      end else begin : g_no_read
        assign formal_read[w*XLEN +: XLEN] = {XLEN{1'b0}};
      end
    end
    if (QUEUE > 0) begin : g_formal_read
      always @* if (formal_up_q && get_en_i && !fresh_q)
        read_is_read: assert (formal_read == formal_records[formal_read_q*WORDS*XLEN +: WORDS*XLEN]);
    end
  endgenerate
`endif

  wire unused_ok = &{1'b0, word, written, free_i, put_slot_i, read_slot_i, fresh_q};
endmodule

`default_nettype wire
