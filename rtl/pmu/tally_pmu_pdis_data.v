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
    input  wire [SLOT_W-1:0]     put_slot_i,
    input  wire [WORDS*XLEN-1:0] record_i,

    // access to one word of the registers; beyond the last one there is 0
    input  wire [3:0]            word_i,
    output wire [XLEN-1:0]       word_o,
    input  wire                  word_we_i,
    input  wire [XLEN-1:0]       word_new_i,

    // the queue: 64 bits of a record, by number
    input  wire [SLOT_W-1:0]     get_slot_i,
    input  wire [2:0]            get_i,
    output wire [63:0]           get_o
);
  localparam [SLOT_W-1:0] REGISTERS = QUEUE[SLOT_W-1:0];

  // What no record has: pdishdrev 63:53 and 36:35, bit 0 of pdispc
  localparam [8*64-1:0] HOLDS = XLEN == 64
      ? {{6{64'hFFFF_FFFF_FFFF_FFFF}}, 64'hFFFF_FFFF_FFFF_FFFE, 64'h001F_FFE7_FFFF_FFFF}
      : {256'd0, {5{32'hFFFF_FFFF}}, 32'hFFFF_FFFE, 32'h001F_FFE7, 32'hFFFF_FFFF};

  wire [16*XLEN-1:0] shown;
  wire [8*XLEN-1:0]  queued;
  reg  [WORDS-1:0]   known_q;   // the register's word has been written

  assign shown[16*XLEN-1:8*XLEN] = {8 * XLEN{1'b0}};
  genvar w;
  generate
    for (w = 0; w < 8; w = w + 1) begin : g_word
      if (w < WORDS) begin : g_memory
        reg [XLEN-1:0]    place_q [0:QUEUE];
        wire              touched = word_we_i & word_i == w;
        wire [SLOT_W-1:0] slot    = put_i ? put_slot_i : REGISTERS;
        always @(posedge clk)
          if (put_i | touched)
            place_q[slot] <= put_i ? record_i[w*XLEN +: XLEN] : word_new_i & HOLDS[w*XLEN +: XLEN];
        assign shown[w*XLEN +: XLEN]  = place_q[REGISTERS] & {XLEN{known_q[w] & ~clear_i}};
        assign queued[w*XLEN +: XLEN] = place_q[get_slot_i];

        always @(posedge clk) begin
          if (rst | clear_i)
            known_q[w] <= 1'b0;
          else if (put_i | touched)
            known_q[w] <= 1'b1;
        end
      end else begin : g_none
        assign shown[w*XLEN +: XLEN]  = {XLEN{1'b0}};
        assign queued[w*XLEN +: XLEN] = {XLEN{1'b0}};
      end
    end
  endgenerate

  assign word_o = shown[word_i*XLEN +: XLEN];
  generate
    if (XLEN == 64) begin : g_rv64
      assign get_o = queued[get_i*64 +: 64];
    end else begin : g_rv32
      assign get_o = queued[get_i[1:0]*64 +: 64];
      wire unused_ok = &{1'b0, get_i[2]};
    end
  endgenerate
endmodule

`default_nettype wire
