// The way of a record to memory. Part of pdis_formal. The reference is a queue of what was accepted, as
// software would draw it: where each record goes, and its words.

wire       en   = ambcs[`TALLY_SPDISAMBCS_EN_LSB],   sof = ambcs[`TALLY_SPDISAMBCS_SOF_LSB];
wire       wrap = ambcs[`TALLY_SPDISAMBCS_WRAP_LSB], trv = ambcs[`TALLY_SPDISAMBCS_TRV_LSB];
wire       empty = ambcs[`TALLY_SPDISAMBCS_EMPTY_LSB], tf = ambcs[`TALLY_SPDISAMBCS_TF_LSB];
wire       bmi   = ambcs[`TALLY_SPDISAMBCS_BMI_LSB], bmien = ambcs[`TALLY_SPDISAMBCS_BMIEN_LSB];
wire [4:0] size  = ambcs[`TALLY_SPDISAMBCS_SIZE_MSB:`TALLY_SPDISAMBCS_SIZE_LSB];
wire [1:0] bmith = ambcs[`TALLY_SPDISAMBCS_BMITH_MSB:`TALLY_SPDISAMBCS_BMITH_LSB];
wire       accepted = ev_sample & mem;

// ---- what was accepted: the oldest first
localparam [1:0] LAST = QUEUE - 1;
reg [55:LSB]  where0 = 0, where1 = 0;        // QUEUE is 2 here
reg [511:0]   words0 = 0, words1 = 0;
reg [1:0]     waiting = 2'd0;                // records not yet sent as a whole
reg [1:0]     pending = 2'd0;                // records not yet performed as a whole
reg [2:0]     sending = 3'd0, doing = 3'd0;  // words of the oldest of each that are
localparam [2:0] LAST_WORD = PARTS - 1;
wire sent_all = sent & sending == LAST_WORD, done_all = rec_done & doing == LAST_WORD;
wire [55:LSB] goes_to;

always @(posedge clk) begin
  if (sent)     sending <= sending == LAST_WORD ? 3'd0 : sending + 3'd1;
  if (rec_done) doing   <= doing == LAST_WORD ? 3'd0 : doing + 3'd1;
  waiting <= waiting + {1'b0, accepted} - {1'b0, sent_all};
  pending <= pending + {1'b0, accepted} - {1'b0, done_all};
  if (sent_all) begin
    where0 <= where1;
    words0 <= words1;
  end
  if (accepted & waiting - {1'b0, sent_all} == 2'd0) begin
    where0 <= goes_to;
    words0 <= record;
  end
  if (accepted & waiting - {1'b0, sent_all} == 2'd1) begin
    where1 <= goes_to;
    words1 <= record;
  end
  if (rst) begin
    waiting <= 2'd0;
    pending <= 2'd0;
    sending <= 3'd0;
    doing   <= 3'd0;
  end
end

// ---- where the next one goes: "spdisambaddr advanced by these, inside the buffer" (docs/sampling.md)
wire [31:0] inside  = ~(32'hFFFF_F000 << size);
wire [32:0] ahead   = {1'b0, ambaddr[31:0] & inside} + {30'd0, pending} * (8 * PARTS);
wire        wrapped = ahead > {1'b0, inside};
wire [31:0] place   = ambaddr[31:0] & ~inside | ahead[31:0] & inside;
wire [63:0] place_full = {{64 - XLEN{1'b0}}, ambaddr} & ~64'hFFFF_FFFF | {32'd0, place};
wire [31:0] behind  = place & ~inside | (place + 32'd4096) & inside;
wire        single  = size == 5'd0;

(* hierconn *) wire        \dut.g_amb.u_amb.now_q , \dut.g_amb.u_amb.next_q , \dut.g_amb.u_amb.req_q ;
(* hierconn *) wire        \dut.g_amb.u_amb.req_next_q ;
(* hierconn *) wire [43:0] \dut.g_amb.u_amb.now_ppn_q , \dut.g_amb.u_amb.next_ppn_q ;
(* hierconn *) wire [19:0] \dut.g_amb.u_amb.req_page_q ;
wire translated = MEM != 0 & \dut.g_amb.u_amb.now_q ;
assign goes_to = {env_pdiss ? \dut.g_amb.u_amb.now_ppn_q : place_full[55:12], place[11:LSB]};

// "Accepted iff EN=1, the queue has a slot, place's page is translated (PDISS=0: always), and not (SOF=1 and
// (WRAP=1 or place has wrapped))"; "MEM=1 and the buffer does not take it: PDIS.DROPPED" (docs/sampling.md)
wire takes = en & pending != QUEUE & (~env_pdiss | translated) & ~(sof & (wrap | wrapped));
prop_holds accepted_or_dropped (.when_i(b_on & qualified & mem),
    .holds_i(accepted == takes && ev_dropped == !takes));
prop_holds stop_on_full_overwrites_nothing (.when_i(b_on & sof & wrap), .holds_i(!accepted));

// The unit's queue is this one.
(* hierconn *) wire [1:0]     \dut.g_amb.u_amb.used_q , \dut.g_amb.u_amb.unsent_q ;
(* hierconn *) wire [2:0]     \dut.g_amb.u_amb.send_part_q , \dut.g_amb.u_amb.done_part_q ;
(* hierconn *) wire           \dut.g_amb.u_amb.send_slot_q , \dut.g_amb.u_amb.done_slot_q ;
(* hierconn *) wire           \dut.g_amb.u_amb.formal_slot ;
(* hierconn *) wire [55:LSB]  \dut.g_amb.u_amb.formal_where ;
(* hierconn *) wire [2*RECORD-1:0] \dut.u_data.formal_records ;
wire [RECORD-1:0] stored0 = \dut.u_data.formal_records [\dut.g_amb.u_amb.send_slot_q *RECORD +: RECORD];
wire [RECORD-1:0] stored1 = \dut.u_data.formal_records [\dut.g_amb.u_amb.formal_slot *RECORD +: RECORD];
prop_holds queue_is_this_one (.when_i(b_up),
    .holds_i(\dut.g_amb.u_amb.used_q == pending && \dut.g_amb.u_amb.unsent_q == waiting
             && \dut.g_amb.u_amb.send_part_q == sending && \dut.g_amb.u_amb.done_part_q == doing
             && (\dut.g_amb.u_amb.send_slot_q ^ \dut.g_amb.u_amb.done_slot_q ) == (pending[0] ^ waiting[0])));
prop_holds next_place_is_kept (.when_i(b_up & waiting == 2'd2),
    .holds_i(\dut.g_amb.u_amb.formal_where == where1));
prop_holds record_is_kept (.when_i(b_up & waiting != 2'd0),
    .holds_i(words0 == {{512 - RECORD{1'b0}}, stored0}));
prop_holds next_record_is_kept (.when_i(b_up & waiting == 2'd2),
    .holds_i(words1 == {{512 - RECORD{1'b0}}, stored1}));

// No record is torn: whatever happens to EN, SIZE, the pointer, translations and the sample registers
// meanwhile, each that was accepted is written whole, its words in order, at its own place, as it was in the
// cycle of the sample's end. (amb: "loss on record boundaries only"; docs/sampling.md, Accepted and Written)
prop_holds written_while_any_waits (.when_i(b_up), .holds_i(rec_valid == (waiting != 2'd0)));
prop_holds word_has_its_place (.when_i(b_on & rec_valid),
    .holds_i(rec_addr == ({where0, {LSB{1'b0}}} | {50'd0, sending, 3'd0})));
prop_holds word_is_the_record_s (.when_i(b_on & rec_valid), .holds_i(rec_data == words0[sending*64 +: 64]));
wire [120:0] offer = {rec_valid, rec_addr, rec_data};
prop_becomes #(.W(121)) word_waits_for_memory (.clk(clk), .when_i(b_on & rec_valid & ~rec_ready),
    .value_i(offer), .then_i(offer));
wire [56:0] further = {rec_valid, rec_addr + 56'd8};
prop_becomes #(.W(57)) record_goes_on (.clk(clk), .when_i(b_on & sent & sending != LAST_WORD),
    .value_i({rec_valid, rec_addr}), .then_i(further));
prop_holds never_more_than_the_queue (.when_i(b_up),
    .holds_i(pending <= QUEUE && waiting <= pending));
prop_holds words_are_accounted_for (.when_i(b_up),
    .holds_i(flying == {3'd0, pending - waiting, 3'd0} / (8 / PARTS) + {5'd0, sending} - {5'd0, doing}
             && flying <= QUEUE * PARTS && (waiting != 2'd0 || sending == 3'd0)
             && (pending != 2'd0 || doing == 3'd0)));

// "EMPTY = the queue is empty, and no sample is active or sampling is inhibited" (docs/sampling.md)
prop_holds empty_is_empty (.when_i(b_on & empty),
    .holds_i(flying == 8'd0 && !rec_valid && (!active || inhibit)));
prop_holds empty_when_nothing_is_left (.when_i(b_on & pending == 2'd0 & ~active), .holds_i(empty));

// "Done with the last word: spdisambaddr advances, inside the buffer" (docs/sampling.md); a write wins.
wire [31:0] moved = ambaddr[31:0] & ~inside | (ambaddr[31:0] + 8 * PARTS) & inside;
wire [63:0] pointer_full = {{64 - XLEN{1'b0}}, ambaddr} & ~64'hFFFF_FFFF | {32'd0, moved};
prop_becomes #(.W(XLEN)) pointer_follows_what_is_written (.clk(clk), .when_i(b_on),
    .value_i(ambaddr), .then_i(ambaddr_we ? {value[XLEN-1:LSB], {LSB{1'b0}}}
            : done_all ? pointer_full[XLEN-1:0] : ambaddr));
// "To the end of the buffer: WRAP=1. BMIEN=1 and the offset's two highest bits change to BMITH: BMI=1 and
// LAMBI"; TF and LAMBI by an answer that is a fault (docs/sampling.md)
wire [31:0] offset_old = (ambaddr[31:0] & inside) >> size, offset_new = (moved & inside) >> size;
wire end_reached = done_all & ~ambaddr_we & (ambaddr[31:0] & inside) == (inside & ~(8 * PARTS - 1));
wire threshold   = done_all & ~ambaddr_we & bmien & offset_new[11:10] == bmith & offset_old[11:10] != bmith;
prop_becomes wrap_at_the_end (.clk(clk), .when_i(b_on & ~ambcs_we),
    .value_i(wrap), .then_i(wrap | end_reached));
prop_becomes bmi_at_the_threshold (.clk(clk), .when_i(b_on & ~ambcs_we), .value_i(bmi),
    .then_i(bmi | threshold));

// ---- translation. `page` is any page: what is known of it since translations were last forgotten.
(* anyconst *) wire [19:0] page;
reg         heard = 1'b0;                    // it was answered, and with this frame
reg  [43:0] frame = 44'd0;
wire [4:0] size_new = value[`TALLY_SPDISAMBCS_SIZE_MSB:`TALLY_SPDISAMBCS_SIZE_LSB];
reg  [1:0] mode_was = 2'd0;
always @(posedge clk) mode_was <= rst ? 2'd0 : {env_pdiss, HYP & env_pdisv};
(* hierconn *) wire [1:0] \dut.g_amb.u_amb.mode_q ;
prop_holds mode_is_known (.when_i(b_up), .holds_i(\dut.g_amb.u_amb.mode_q == mode_was));
wire forget = env_tlb_inval | ambaddr_we | mode_was != {env_pdiss, HYP & env_pdisv}
            | ambcs_we & (~value[`TALLY_SPDISAMBCS_EN_LSB] | (size_new > 5'd20 ? 5'd20 : size_new) != size);
wire answered = xlat_done & ~xlat_fault & ~forget;
wire of_page  = xlat_vaddr[31:12] == page;
always @(posedge clk) begin
  heard <= !rst && !forget && (heard || answered && of_page);
  if (answered & of_page) frame <= xlat_paddr[55:12];
end
wire here = place[31:12] == page, near = behind[31:12] == page & ~single;
// "Accepted iff place's page is translated. Both are forgotten by env_tlb_inval_i, a write of spdisambaddr,
// ..." : a record goes to the frame that was the answer for its page, and that was not forgotten since.
prop_holds record_goes_where_its_page_is (.when_i(b_on & accepted & env_pdiss & here & mode_was[1]),
    .holds_i(heard && goes_to[55:12] == frame));
// "a write of spdisambcs that leaves EN=0": then there is nothing, held or asked for
prop_holds nothing_is_held_without_en (.when_i(b_up & ~en),
    .holds_i(!\dut.g_amb.u_amb.now_q && !\dut.g_amb.u_amb.next_q && !xlat_req));
// "PDISS=0, no requests", and translations are forgotten by a change of it
prop_holds nothing_is_held_without_pdiss (.when_i(b_up & ~mode_was[1]),
    .holds_i(!\dut.g_amb.u_amb.now_q && !\dut.g_amb.u_amb.next_q && !xlat_req));
prop_holds held_is_what_was_heard (.when_i(b_up & translated & here),
    .holds_i(heard && \dut.g_amb.u_amb.now_ppn_q == frame));
prop_holds held_next_is_what_was_heard (.when_i(b_up & \dut.g_amb.u_amb.next_q & near),
    .holds_i(heard && \dut.g_amb.u_amb.next_ppn_q == frame));
prop_holds request_is_of_a_page_in_use (
    .when_i(b_up & xlat_req & mode_was == {env_pdiss, HYP & env_pdisv}),
    .holds_i(xlat_vaddr[11:0] == 12'd0
             && xlat_vaddr[31:12] == (\dut.g_amb.u_amb.req_next_q ? behind[31:12] : place[31:12])));
// "The first of them that is missing is asked for" (docs/sampling.md)
prop_holds what_is_held_is_not_asked_for (.when_i(b_up & xlat_req),
    .holds_i(\dut.g_amb.u_amb.req_next_q ? \dut.g_amb.u_amb.now_q && !\dut.g_amb.u_amb.next_q && !single
             : !\dut.g_amb.u_amb.now_q ));
// "xlat_req_o with the page's address and the mode, stable until xlat_done_i" unless it is taken back
wire [XLEN:0] asked = {xlat_req, xlat_vaddr};
prop_becomes #(.W(XLEN + 1)) request_is_stable (.clk(clk), .when_i(b_on & xlat_req & ~xlat_done & ~forget),
    .value_i(asked), .then_i(asked));
prop_becomes request_pauses (.clk(clk), .when_i(b_on & xlat_req & (xlat_done | forget)), .value_i(xlat_req),
    .then_i(1'b0));
prop_holds lambi_has_a_reason (.when_i(b_on & lambi), .holds_i(xlat_done && xlat_fault || threshold));
prop_holds trv_means_both_pages (.when_i(b_on & env_pdiss & trv), .holds_i(en && translated));
