// SPDX-License-Identifier: Apache-2.0
// tally_pmu_buffer_queue - records that are being written to memory (self-hosted trace draft, Ssamb;
// docs/sampling.md, "The buffer": Written, Done).
//
// A record enters with its physical address, so later changes of the buffer do not affect it: it is written
// whole, word after word, after the records before it. The words are in tally_pmu_pdis_data, the addresses
// and counts here.
//
// One word a cycle goes to memory, from the cycle after the record entered. Outputs other than done_o come
// from registers.

`include "tally_idle.vh"

`default_nettype none

module tally_pmu_buffer_queue #(
    parameter LSB    = 6,       // log2 of a record's bytes
    parameter QUEUE  = 4,       // records, a power of two from 2 to 16
    parameter SLOT_W = 2,       // bits of a slot's number
    parameter USED_W = 3        // bits of a number of records up to QUEUE
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              put_i,         // only if not full
    input  wire [55:LSB]     put_addr_i,
    output wire [SLOT_W-1:0] put_slot_o,
    output wire              full_o,
    output wire [USED_W-1:0] used_o,        // records that are not done

    output wire              rec_valid_o,
    input  wire              rec_ready_i,
    output reg  [55:0]       rec_addr_o,
    output wire [SLOT_W-1:0] read_slot_o,   // whose words may be sent in the next cycle
    output wire [2:0]        read_part_o,   // which 64 bits of the record
    input  wire              rec_done_i,
    output wire              done_o         // the last word of a record is done
);
  localparam PART_W = LSB - 3;                                // bits of the number of 64 bits in a record
  localparam [PART_W-1:0] LAST_PART = {PART_W{1'b1}};

  // `used_q` slots from done_slot_q on are in use. Of these the last `unsent_q` are not yet sent.
  localparam N_W = SLOT_W;
  reg [N_W-1:0]    done_slot_q, send_slot_q;
  reg [USED_W-1:0] used_q, unsent_q;
  reg [PART_W-1:0] done_part_q, send_part_q;
  wire [N_W-1:0]   put_slot = done_slot_q + used_q[N_W-1:0];

  reg [55:LSB] addr_q [0:QUEUE-1];

  wire sent      = rec_valid_o & rec_ready_i;
  wire sent_last = sent & send_part_q == LAST_PART;
  assign done_o  = rec_done_i & done_part_q == LAST_PART;

  always @(posedge clk) begin
    if (`TALLY_ACTIVE(put_i | used_q != {USED_W{1'b0}})) begin
      send_part_q <= send_part_q + {{PART_W - 1{1'b0}}, sent};
      done_part_q <= done_part_q + {{PART_W - 1{1'b0}}, rec_done_i};
      send_slot_q <= send_slot_q + {{N_W - 1{1'b0}}, sent_last};
      done_slot_q <= done_slot_q + {{N_W - 1{1'b0}}, done_o};
      unsent_q    <= unsent_q + {{N_W{1'b0}}, put_i} - {{N_W{1'b0}}, sent_last};
      used_q      <= used_q + {{N_W{1'b0}}, put_i} - {{N_W{1'b0}}, done_o};
    end
    if (rst) begin
      send_part_q <= {PART_W{1'b0}};
      done_part_q <= {PART_W{1'b0}};
      send_slot_q <= {N_W{1'b0}};
      done_slot_q <= {N_W{1'b0}};
      unsent_q    <= {USED_W{1'b0}};
      used_q      <= {USED_W{1'b0}};
    end
  end

  always @(posedge clk) if (put_i) addr_q[put_slot] <= put_addr_i;

  assign put_slot_o  = put_slot;
  assign full_o      = used_q[N_W];
  assign used_o      = used_q;
  assign rec_valid_o = unsent_q != {USED_W{1'b0}};
  always @* begin
    rec_addr_o = 56'd0;
    if (rec_valid_o) rec_addr_o = {addr_q[send_slot_q], send_part_q, 3'd0};
  end
  // The last two of eight words are 0: while they are sent the next record is read.
  wire   next_slot   = PART_W == 3 ? &send_part_q[PART_W-1:1] : sent_last;
  assign read_slot_o = send_slot_q + {{N_W - 1{1'b0}}, next_slot};
  assign read_part_o = {{3 - PART_W{1'b0}}, send_part_q};

`ifdef FORMAL
  // The queue's addresses, for the proof that no record is torn
  wire [QUEUE*(56-LSB)-1:0] formal_addrs;
  genvar q;
  generate
    for (q = 0; q < QUEUE; q = q + 1) begin : g_formal
      assign formal_addrs[q*(56-LSB) +: 56-LSB] = addr_q[q];
    end
  endgenerate
`endif
endmodule

`default_nettype wire
