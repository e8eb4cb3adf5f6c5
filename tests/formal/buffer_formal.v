// SPDX-License-Identifier: Apache-2.0
// buffer_formal - the sampling buffer (tally_pmu_buffer) with free inputs: where a record goes, when one is
// accepted, how the pointer moves, thresholds and flags (docs/sampling.md, "The buffer"). Beside it is
// the state of a reference: records that were accepted and are not done, and the answer for one page since
// translations were last invalidated. That a record which was accepted is written whole is shown
// by buffer_queue_formal.
//
// Assumed: reset first; a record comes only where there is room (pdis_formal shows it); a word is performed
// once, and not before it was taken; an answer of the translation answers a request (docs/integration.md).

`include "tally_spec.vh"

`default_nettype none

module buffer_formal #(
    parameter XLEN  = 64,
    parameter QUEUE = 4,
    parameter [0:0] HYP = 1
) (
    input wire            clk,
    input wire            rst,
    input wire            env_pdiss, env_pdisv, env_tlb_inval, sampling,
    input wire            put, rec_ready, rec_done,
    input wire            xlat_done, xlat_fault,
    input wire [55:0]     xlat_paddr,
    input wire            ambcs_we, ambaddr_we,
    input wire [63:0]     wdata, wmask
);
  // A record has 64 bytes on RV64, 32 on RV32 (event sampling draft).
  localparam LSB    = XLEN == 64 ? 6 : 5;
  localparam PARTS  = XLEN == 64 ? 8 : 4;              // of 64 bits
  localparam SLOT_W = $clog2(QUEUE);
  localparam USED_W = $clog2(QUEUE) + 1;

  wire              accept, slot_free, rec_valid, xlat_req, lambi;
  wire [SLOT_W-1:0] put_slot, read_slot;
  wire [2:0]        read_part;
  wire [55:0]       rec_addr;
  wire [1:0]        xlat_mode;
  wire [63:0]       ambcs;
  wire [XLEN-1:0]   xlat_vaddr, ambaddr;
  tally_pmu_buffer #(
      .XLEN(XLEN), .QUEUE(QUEUE), .SLOT_W(SLOT_W), .HYP(HYP)
  ) dut (
      .clk(clk), .rst(rst), .pdiss_i(env_pdiss), .pdisv_i(env_pdisv), .inval_i(env_tlb_inval),
      .pending_i(sampling),
      .accept_o(accept), .put_i(put), .slot_free_o(slot_free), .put_slot_o(put_slot), .rec_valid_o(rec_valid),
      .rec_ready_i(rec_ready), .rec_addr_o(rec_addr), .read_slot_o(read_slot), .read_part_o(read_part),
      .rec_done_i(rec_done), .xlat_req_o(xlat_req), .xlat_vaddr_o(xlat_vaddr), .xlat_mode_o(xlat_mode),
      .xlat_done_i(xlat_done), .xlat_fault_i(xlat_fault), .xlat_paddr_i(xlat_paddr), .lambi_o(lambi),
      .cs_o(ambcs), .addr_o(ambaddr), .cs_we_i(ambcs_we), .addr_we_i(ambaddr_we), .wdata_i(wdata),
      .wmask_i(wmask)
  );

  reg up = 1'b0;
  always @(posedge clk) up <= up | rst;
  wire on   = up & ~rst;
  wire sent = rec_valid & rec_ready;
  reg [7:0] flying = 8'd0;              // words that were taken and are not performed
  always @(posedge clk) flying <= rst ? 8'd0 : flying + {7'd0, sent} - {7'd0, rec_done};
  always @* begin
    if (!up) assume (rst);
    if (!accept) assume (!put);
    if (flying == 8'd0 && !sent) assume (!rec_done);
    if (!xlat_req) assume (!xlat_done);
  end

  wire       en   = ambcs[`TALLY_SPDISAMBCS_EN_LSB],   sof = ambcs[`TALLY_SPDISAMBCS_SOF_LSB];
  wire       wrap = ambcs[`TALLY_SPDISAMBCS_WRAP_LSB], trv = ambcs[`TALLY_SPDISAMBCS_TRV_LSB];
  wire       empty = ambcs[`TALLY_SPDISAMBCS_EMPTY_LSB], tf = ambcs[`TALLY_SPDISAMBCS_TF_LSB];
  wire       bmi   = ambcs[`TALLY_SPDISAMBCS_BMI_LSB], bmien = ambcs[`TALLY_SPDISAMBCS_BMIEN_LSB];
  wire [4:0] size  = ambcs[`TALLY_SPDISAMBCS_SIZE_MSB:`TALLY_SPDISAMBCS_SIZE_LSB];
  wire [1:0] bmith = ambcs[`TALLY_SPDISAMBCS_BMITH_MSB:`TALLY_SPDISAMBCS_BMITH_LSB];
  wire [19:0] tfptr = ambcs[`TALLY_SPDISAMBCS_TFPTR_MSB:`TALLY_SPDISAMBCS_TFPTR_LSB];

  reg [7:0]  unsent = 8'd0, undone = 8'd0;
  wire [7:0] more = put ? PARTS : 8'd0;
  always @(posedge clk) begin
    unsent <= rst ? 8'd0 : unsent + more - {7'd0, sent};
    undone <= rst ? 8'd0 : undone + more - {7'd0, rec_done};
  end
  wire [7:0] pending  = (undone + PARTS - 8'd1) / PARTS;       // records
  wire       done_all = rec_done & undone % PARTS == 8'd1;
  (* hierconn *) wire [USED_W-1:0] \dut.used , \dut.u_queue.unsent_q ;
  (* hierconn *) wire [LSB-4:0]    \dut.u_queue.send_part_q , \dut.u_queue.done_part_q ;
  prop_holds words_are_accounted_for (.when_i(up),
      .holds_i(undone - unsent == flying && undone >= unsent && undone <= QUEUE * PARTS));
  prop_holds queue_counts_these (.when_i(up),
      .holds_i(\dut.used == pending && \dut.u_queue.unsent_q == (unsent + PARTS - 8'd1) / PARTS
               && {5'd0, \dut.u_queue.send_part_q } == (8'd0 - unsent) % PARTS
               && {5'd0, \dut.u_queue.done_part_q } == (8'd0 - undone) % PARTS));

  wire [31:0] inside  = ~(32'hFFFF_F000 << size);
  wire [32:0] ahead   = {1'b0, ambaddr[31:0] & inside} + {25'd0, pending} * (8 * PARTS);
  wire        wrapped = ahead > {1'b0, inside};
  wire [31:0] place   = ambaddr[31:0] & ~inside | ahead[31:0] & inside;
  wire [31:0] behind  = place & ~inside | (place + 32'd4096) & inside;
  wire        single  = size == 5'd0;

  // "Accepted iff EN=1, the queue has a slot, place's page is translated, and not (SOF=1 and (WRAP=1 or
  // place has wrapped))" (docs/sampling.md)
  (* hierconn *) wire        \dut.u_pages.page_valid_q , \dut.u_pages.next_valid_q , \dut.u_pages.req_next_q ;
  (* hierconn *) wire [43:0] \dut.ppn , \dut.u_pages.next_ppn_q ;
  (* hierconn *) wire [1:0]  \dut.u_pages.mode_q ;
  (* hierconn *) wire [55:LSB] \dut.put_addr ;
  wire translated = \dut.u_pages.page_valid_q ;
  (* hierconn *) wire \dut.wrapped_q ;
  prop_holds wrapped_is_known (.when_i(up & translated), .holds_i(\dut.wrapped_q == wrapped));
  prop_holds accepted_iff (.when_i(on),
      .holds_i(accept == (en && pending != QUEUE && translated && !(sof && (wrap || wrapped)))));
  prop_holds slot_is_free_unless_all_are_used (.when_i(on), .holds_i(slot_free == (pending != QUEUE)));
  prop_holds stop_on_full_overwrites_nothing (.when_i(on & sof & wrap), .holds_i(!put));
  prop_holds record_has_the_next_offset (.when_i(on & put),
      .holds_i(\dut.put_addr [11:LSB] == place[11:LSB]));

  // "EMPTY = the queue is empty, and no sample is active or sampling is inhibited" (docs/sampling.md)
  prop_holds empty_is_empty (.when_i(on & empty), .holds_i(flying == 8'd0 && !rec_valid && !sampling));
  prop_holds empty_when_nothing_is_left (.when_i(on & pending == 8'd0 & ~sampling), .holds_i(empty));

  // Done with the last word: spdisambaddr advances, inside the buffer (docs/sampling.md); a write wins.
  wire [31:0] moved = ambaddr[31:0] & ~inside | (ambaddr[31:0] + 8 * PARTS) & inside;
  wire [63:0] pointer_full = {{64 - XLEN{1'b0}}, ambaddr} & ~64'hFFFF_FFFF | {32'd0, moved};
  prop_becomes #(.W(XLEN)) pointer_follows_what_is_written (.clk(clk), .when_i(on),
      .value_i(ambaddr), .then_i(ambaddr_we ? {wdata[XLEN-1:LSB], {LSB{1'b0}}}
              : done_all ? pointer_full[XLEN-1:0] : ambaddr));
  // "To the end of the buffer: WRAP=1. BMIEN=1 and the offset's two highest bits change to BMITH: BMI=1 and
  // LAMBI"; TF and LAMBI by an answer that is a fault (docs/sampling.md)
  wire [31:0] offset_old = (ambaddr[31:0] & inside) >> size, offset_new = (moved & inside) >> size;
  wire end_reached = done_all & ~ambaddr_we & (ambaddr[31:0] & inside) == (inside & ~(8 * PARTS - 1));
  wire threshold   = done_all & ~ambaddr_we & bmien & offset_new[11:10] == bmith & offset_old[11:10] != bmith;
  prop_becomes wrap_at_the_end (.clk(clk), .when_i(on & ~ambcs_we),
      .value_i(wrap), .then_i(wrap | end_reached));
  prop_becomes bmi_at_the_threshold (.clk(clk), .when_i(on & ~ambcs_we),
      .value_i(bmi), .then_i(bmi | threshold));
  prop_holds lambi_at_the_threshold (.when_i(on & threshold), .holds_i(lambi));
  prop_holds size_is_clamped (.when_i(up), .holds_i(size <= 5'd20));

  (* anyconst *) wire [19:0] page;
  reg         answered_page = 1'b0;                    // it was answered, and with this frame
  reg  [43:0] frame = 44'd0;
  wire [4:0]  size_new = wdata[`TALLY_SPDISAMBCS_SIZE_MSB:`TALLY_SPDISAMBCS_SIZE_LSB];
  wire [1:0]  mode_is = {env_pdiss, HYP & env_pdiss & env_pdisv};
  reg  [1:0]  mode_was = 2'd0;
  always @(posedge clk) mode_was <= rst ? 2'd0 : mode_is;
  prop_holds mode_is_known (.when_i(up), .holds_i(\dut.u_pages.mode_q == mode_was));
  // Both are forgotten by env_tlb_inval_i, a write of spdisambaddr, a write of spdisambcs that leaves EN=0
  // or changes SIZE, and a change of the mode (docs/sampling.md)
  wire forget = env_tlb_inval | ambaddr_we | mode_was != mode_is
              | ambcs_we & (~wdata[`TALLY_SPDISAMBCS_EN_LSB] | (size_new > 5'd20 ? 5'd20 : size_new) != size);
  wire answered = xlat_done & ~xlat_fault & ~forget;
  wire refused  = xlat_done & xlat_fault & ~forget;
  wire of_page  = xlat_vaddr[31:12] == page;
  always @(posedge clk) begin
    answered_page <= !rst && !forget && (answered_page || answered && of_page);
    if (answered & of_page) frame <= xlat_paddr[55:12];
  end
  wire here = place[31:12] == page, near = behind[31:12] == page & ~single;
  // A record goes to the frame that was the answer for its page, and that was not forgotten since.
  prop_holds record_goes_where_its_page_is (.when_i(on & put & here),
      .holds_i(answered_page && \dut.put_addr [55:12] == frame));
  // "a write of spdisambcs that leaves EN=0": then there is nothing, held or asked for
  prop_holds nothing_is_held_without_en (.when_i(up & ~en),
      .holds_i(!translated && !\dut.u_pages.next_valid_q && !xlat_req));
  prop_holds translation_is_the_answer (.when_i(up & translated & here),
      .holds_i(answered_page && \dut.ppn == frame));
  prop_holds next_translation_is_the_answer (.when_i(up & \dut.u_pages.next_valid_q & near),
      .holds_i(answered_page && \dut.u_pages.next_ppn_q == frame));
  prop_holds no_next_of_a_single_page (.when_i(up & single), .holds_i(!\dut.u_pages.next_valid_q ));
  prop_holds request_is_of_a_page_in_use (.when_i(up & xlat_req),
      .holds_i(xlat_vaddr[11:0] == 12'd0
               && xlat_vaddr[31:12] == (\dut.u_pages.req_next_q ? behind[31:12] : place[31:12])));
  // The first of them that is missing is asked for (docs/sampling.md)
  prop_holds valid_pages_are_not_requested (.when_i(up & xlat_req),
      .holds_i(\dut.u_pages.req_next_q ? translated && !\dut.u_pages.next_valid_q && !single : !translated));
  // "xlat_req_o with the page's address and the mode, stable until xlat_done_i" unless it is taken back
  wire [XLEN:0] asked = {xlat_req, xlat_vaddr};
  prop_becomes #(.W(XLEN + 1)) request_is_stable (.clk(clk), .when_i(on & xlat_req & ~xlat_done & ~forget),
      .value_i(asked), .then_i(asked));
  prop_becomes request_pauses (.clk(clk), .when_i(on & xlat_req & (xlat_done | forget)), .value_i(xlat_req),
      .then_i(1'b0));
  wire [19:0] fault_page = (xlat_vaddr & inside) >> 12;
  prop_becomes #(.W(21)) fault_names_its_page (.clk(clk), .when_i(on & refused & ~ambcs_we),
      .value_i({tf, tfptr}), .then_i({1'b1, fault_page}));
  prop_becomes no_request_after_a_fault (.clk(clk), .when_i(on & tf & ~xlat_req),
      .value_i(xlat_req), .then_i(1'b0));
  prop_holds lambi_has_a_reason (.when_i(on & lambi), .holds_i(refused || threshold));
  prop_holds lambi_by_a_fault (.when_i(on & refused), .holds_i(lambi));
  prop_holds trv_means_both_pages (.when_i(on & trv),
      .holds_i(en && translated && (single || \dut.u_pages.next_valid_q )));
endmodule

`default_nettype wire
