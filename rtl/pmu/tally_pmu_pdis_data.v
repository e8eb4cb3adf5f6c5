// tally_pmu_pdis_data - where a sample that has been kept stays: the sample data registers, or the memory
// buffer's queue (Smpdis, Sample Data Register Access and Memory Buffer).
//
// One small memory a word of the record, with a place for every record of the queue and, behind these, one
// for the registers. Reset and MEM=1 take the registers away word by word: what has not been written since
// reads 0. A sample and a write by software in one cycle: the sample stays.

`default_nettype none

module tally_pmu_pdis_data #(
    parameter XLEN    = 64,
    parameter WORDS   = 6,       // of XLEN bits: 6 with XLEN 64, 8 with 32
    parameter QUEUE   = 4,       // records
    parameter SLOT_W  = 3        // bits of a place's number; QUEUE is one of them
) (
    input  wire                  clk,
    input  wire                  rst,

    input  wire                  clear_i,     // the registers are away (MEM=1)

    // a sample
    input  wire                  put_i,
    input  wire [SLOT_W-1:0]     put_slot_i,  // ... goes here: behind the queue if the registers are not away
    input  wire [WORDS*XLEN-1:0] record_i,

    // access to one word of the registers; beyond the last one there is 0
    input  wire [3:0]            word_i,
    output wire [XLEN-1:0]       word_o,
    input  wire                  word_we_i,
    input  wire [XLEN-1:0]       word_new_i,

    // the queue: 64 bits of a record, by number
    input  wire                  get_en_i,
    input  wire [SLOT_W-1:0]     get_slot_i,
    input  wire [2:0]            get_i,
    output wire [63:0]           get_o
);
  localparam [SLOT_W-1:0] REGISTERS = QUEUE[SLOT_W-1:0];

  // What no record has: pdishdrev 63:53 and 36:35, bit 0 of pdispc
  localparam [8*64-1:0] HOLDS = XLEN == 64
      ? {{6{64'hFFFF_FFFF_FFFF_FFFF}}, 64'hFFFF_FFFF_FFFF_FFFE, 64'h001F_FFE7_FFFF_FFFF}
      : {256'd0, {5{32'hFFFF_FFFF}}, 32'hFFFF_FFFE, 32'h001F_FFE7, 32'hFFFF_FFFF};

  reg  [WORDS-1:0]  known_q;   // the register's word has been written
  reg  [7:0]        written;   // by software
  always @* begin
    written = 8'd0;
    if (word_we_i & ~clear_i) written[word_i[2:0]] = ~word_i[3];
  end
  wire              change = put_i | word_we_i;
  wire [63:0]       shown [0:7];
  wire [63:0]       queued [0:7];
  wire              asked = !clear_i && word_i < 4'd8;

  genvar w;
  generate
    for (w = 0; w < 8; w = w + 1) begin : g_word
      if (w < WORDS) begin : g_memory
        reg [XLEN-1:0]    place_q [0:QUEUE];
        always @(posedge clk)
          if (change)
            if (put_i | written[w])
              place_q[put_slot_i] <= put_i ? record_i[w*XLEN +: XLEN] : word_new_i & HOLDS[w*XLEN +: XLEN];
        reg [XLEN-1:0] here;
        always @* begin
          here = {XLEN{1'b0}};
          if (asked) here = place_q[REGISTERS] & {XLEN{known_q[w]}};
        end
        assign shown[w]  = {{64 - XLEN{1'b0}}, here};
        assign queued[w] = {{64 - XLEN{1'b0}}, place_q[get_slot_i]};

      end else begin : g_none
        assign shown[w]  = 64'd0;
        assign queued[w] = 64'd0;
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (rst | clear_i)  known_q <= {WORDS{1'b0}};
    else if (put_i)     known_q <= {WORDS{1'b1}};
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
  // The queue's records, for the proof that none is torn
  wire [QUEUE*WORDS*XLEN-1:0] formal_records;
  genvar q;
  generate
    for (q = 0; q < QUEUE; q = q + 1) begin : g_formal
      for (w = 0; w < WORDS; w = w + 1) begin : g_part
        assign formal_records[(q*WORDS + w)*XLEN +: XLEN] = g_word[w].g_memory.place_q[q];
      end
    end
  endgenerate
`endif

  wire unused_ok = &{1'b0, word, written};
endmodule

`default_nettype wire
