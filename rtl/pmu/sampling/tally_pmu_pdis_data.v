// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_data - the words of kept samples: the sample data registers (MEM=0), or the memory buffer's
// queue (event sampling draft, Smpdis, Sample Data Register Access and Memory Buffer).
//
// The registers are flip-flops. After reset and after MEM=1 they read 0 until they are written. While MEM=1
// they hold the newest record, unreadable.
//
// The queue is block RAM, a memory for each word of the record, read a cycle ahead. Every record that ends is
// written to the next free slot, because the decision to keep it is late-arriving; buffer_queue advances only
// if it is kept. A record that is read in the cycle in which it is written comes from the RAM a cycle too
// late: its first word is taken from the registers meanwhile. If a sample and a software write of a register
// meet in one cycle, the sample is stored.

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

    input  wire                  mem_i,       // MEM=1: registers read 0 and ignore writes

    // a sample
    input  wire                  end_i,       // a sample ends ...
    input  wire                  keep_i,      // ... and passes the filters,
    input  wire                  slot_free_i, // ... the queue has a free slot,
    input  wire [SLOT_W-1:0]     put_slot_i,  // ... this one
    input  wire [WORDS*XLEN-1:0] record_i,

    // access to a word of the registers; words past the last one read 0
    input  wire [3:0]            word_i,
    output wire [XLEN-1:0]       word_o,
    input  wire                  word_we_i,
    input  wire [XLEN-1:0]       word_wdata_i,

    // the queue: 64 bits of a record, by number
    input  wire [SLOT_W-1:0]     read_slot_i, // of the next cycle
    input  wire                  read_en_i,
    input  wire [2:0]            read_part_i,
    output wire [63:0]           read_o
);
  // Bits that a record has. Not: pdishdrev 63:53 and 36:35, bit 0 of pdispc.
  localparam [8*64-1:0] IMPLEMENTED = XLEN == 64
      ? {{6{64'hFFFF_FFFF_FFFF_FFFF}}, 64'hFFFF_FFFF_FFFF_FFFE, 64'h001F_FFE7_FFFF_FFFF}
      : {256'd0, {5{32'hFFFF_FFFF}}, 32'hFFFF_FFFE, 32'h001F_FFE7, 32'hFFFF_FFFF};

  reg  [WORDS-1:0]  valid_q;   // the word has been written since reset and MEM=1
  reg  [7:0]        word_we;
  integer           k;
  always @* begin
    k       = 0;
    word_we = 8'd0;
    if (word_we_i & ~mem_i)
      for (k = 0; k < 8; k = k + 1) word_we[k] = word_i == k[3:0];
  end
  wire              load = end_i & (keep_i | mem_i);
  wire              put  = end_i & slot_free_i;
  wire [63:0]       word_of [0:7];
  wire [63:0]       read_of [0:7];
  wire              word_read = ~mem_i & ~word_i[3];
  // The record that is read was written in the cycle before.
  reg               bypass_q;
  always @(posedge clk) bypass_q <= QUEUE > 0 ? put & put_slot_i == read_slot_i : 1'b0;

  genvar w;
  generate
    for (w = 0; w < 8; w = w + 1) begin : g_word
      if (w < WORDS) begin : g_memory
        reg [XLEN-1:0] data_q;
        always @(posedge clk)
          if (load | word_we[w])
            data_q <= load ? record_i[w*XLEN +: XLEN] : word_wdata_i & IMPLEMENTED[w*XLEN +: XLEN];
        reg [XLEN-1:0] value;
        always @* begin
          value = {XLEN{1'b0}};
          if (word_read) value = data_q & {XLEN{valid_q[w]}};
        end
        assign word_of[w] = {{64 - XLEN{1'b0}}, value};
        if (QUEUE > 0) begin : g_queue   // not tally_ram_1r1w, whose contents start as zeros
          (* no_rw_check, ram_style = "block" *)
          reg [XLEN-1:0] queue_q [0:QUEUE-1];
          reg [XLEN-1:0] read_q;
          always @(posedge clk) if (put) queue_q[put_slot_i] <= record_i[w*XLEN +: XLEN];
          always @(posedge clk) if (`TALLY_ACTIVE(read_en_i | put)) read_q <= queue_q[read_slot_i];
          assign read_of[w] = {{64 - XLEN{1'b0}}, bypass_q && w < 64 / XLEN ? data_q : read_q};
        end else begin : g_no_queue
          assign read_of[w] = 64'd0;
        end
      end else begin : g_none
        assign word_of[w] = 64'd0;
        assign read_of[w] = 64'd0;
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (rst | mem_i)    valid_q <= {WORDS{1'b0}};
    else if (load)      valid_q <= {WORDS{1'b1}};
    else if (word_we_i) valid_q <= valid_q | word_we[WORDS-1:0];
  end

  // ---- multiplexers, of a register's word and of 64 bits of a queued record
  reg [63:0] word;
  always @* begin
    word = 64'd0;
    if (word_read) begin
      case (word_i[2:0])
        3'd0:    word = word_of[0];
        3'd1:    word = word_of[1];
        3'd2:    word = word_of[2];
        3'd3:    word = word_of[3];
        3'd4:    word = word_of[4];
        3'd5:    word = word_of[5];
        3'd6:    word = word_of[6];
        default: word = word_of[7];
      endcase
    end
  end
  assign word_o = word[XLEN-1:0];

  reg [63:0] part;
  always @* begin
    part = 64'd0;
    if (read_en_i) case (read_part_i)
      3'd0:    part = XLEN == 64 ? read_of[0] : {read_of[1][31:0], read_of[0][31:0]};
      3'd1:    part = XLEN == 64 ? read_of[1] : {read_of[3][31:0], read_of[2][31:0]};
      3'd2:    part = XLEN == 64 ? read_of[2] : {read_of[5][31:0], read_of[4][31:0]};
      3'd3:    part = XLEN == 64 ? read_of[3] : {read_of[7][31:0], read_of[6][31:0]};
      3'd4:    part = XLEN == 64 ? read_of[4] : 64'd0;
      3'd5:    part = XLEN == 64 ? read_of[5] : 64'd0;
      default: ;  // the rest of a record's 64 bytes is 0
    endcase
  end
  assign read_o = part;

`ifdef FORMAL
  // The queue's records, the registers, and the word that is read, for the proof that no record is torn
  wire [WORDS*XLEN-1:0] formal_registers, formal_read;
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
      assign formal_registers[w*XLEN +: XLEN] = g_word[w].g_memory.data_q;
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
      always @* if (formal_up_q && read_en_i && !bypass_q)
        read_is_read: assert (formal_read == formal_records[formal_read_q*WORDS*XLEN +: WORDS*XLEN]);
    end
  endgenerate
`endif

  wire unused_ok = &{1'b0, word, word_we, slot_free_i, put_slot_i, read_slot_i, bypass_q};
endmodule

`default_nettype wire
