// tally_pmu_amb - the sampling buffer in memory: spdisambcs, spdisambaddr, the queue of records on their way,
// and the translations of the buffer's pages (Ssamb; docs/sampling.md, "The buffer").
//
// A record is accepted only if its physical address is known, and takes that along: nothing that happens to
// EN, to translations or to the pointer afterwards concerns it, no record is torn, the queue always drains.
// The words themselves are in tally_pmu_pdis_data; here are their places.
//
// One word a cycle to memory, from the cycle after a record's acceptance. Every output but lambi_o is a
// function of state (and of PDISS and PDISV).

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_amb #(
    parameter XLEN   = 64,
    parameter QUEUE  = 4,       // records, a power of two from 2
    parameter SLOT_W = 3,       // bits of a place's number in the data memory
    parameter [0:0] HYP = 1'b0
) (
    input  wire              clk,
    input  wire              rst,

    input  wire              pdiss_i,
    input  wire              pdisv_i,
    input  wire              inval_i,       // translations are void
    input  wire              source_i,      // a sample is under way that may come here

    // records
    output wire              room_o,        // one would be accepted in this cycle
    input  wire              put_i,         // it is
    output wire [SLOT_W-1:0] put_slot_o,

    // to memory
    output wire              rec_valid_o,
    input  wire              rec_ready_i,
    output reg  [55:0]       rec_addr_o,
    output wire [SLOT_W-1:0] get_slot_o,
    output wire [2:0]        get_o,         // which 64 bits of it
    input  wire              rec_done_i,

    // translation
    output wire              xlat_req_o,
    output wire [XLEN-1:0]   xlat_vaddr_o,
    output wire [1:0]        xlat_mode_o,
    input  wire              xlat_done_i,
    input  wire              xlat_fault_i,
    input  wire [55:0]       xlat_paddr_i,

    output wire              lambi_o,       // set LAMBIP

    // access: `touch_i` has the bits that are written
    output wire [63:0]       cs_o,
    output wire [XLEN-1:0]   addr_o,
    input  wire              cs_we_i,
    input  wire              addr_we_i,
    input  wire [63:0]       value_i,
    input  wire [63:0]       touch_i
);
  localparam LSB    = XLEN == 64 ? 6 : 5;                    // log2 of a record's bytes
  localparam PART_W = LSB - 3;                               // bits of the number of 64 bits in a record
  localparam N_W    = QUEUE > 8 ? 4 : QUEUE > 4 ? 3 : QUEUE > 2 ? 2 : 1;   // bits of a slot
  localparam [4:0] SIZE_MAX = 5'd20;
  localparam [PART_W-1:0] LAST_PART = {PART_W{1'b1}};
  localparam [N_W:0]      ALL       = QUEUE[N_W:0];

  // ---- spdisambcs, spdisambaddr
  reg              en_q, tf_q, bmi_q, bmien_q, sof_q, wrap_q;
  reg [4:0]        size_q;
  reg [19:0]       tfptr_q;
  reg [1:0]        bmith_q;
  reg [XLEN-1:LSB] addr_q;

  // Without a buffer and with nothing under way everything here stands, and the simulator looks at little of
  // it.
  wire awake;

  reg  [19:0]   pages;                                        // bits of the page's number in the buffer
  reg  [31:LSB] ring;                                         // bits of the pointer that advance
  always @* begin
    pages = 20'd0;
    if (awake) pages = ~(20'hF_FFFF << size_q);
    ring = {pages, {12 - LSB{1'b1}}};
  end

  // ---- the queue: slots from done_slot_q on, `used_q` of them; the first `used_q - unsent_q` have been sent
  reg [N_W-1:0]    done_slot_q, send_slot_q;
  reg [N_W:0]      used_q, unsent_q;
  reg [PART_W-1:0] done_part_q, send_part_q;
  wire [N_W-1:0]   put_slot = done_slot_q + used_q[N_W-1:0];

  reg [55:LSB] where_q [0:QUEUE-1];

  wire sent      = rec_valid_o & rec_ready_i;
  wire sent_last = sent & send_part_q == LAST_PART;
  wire done_last = rec_done_i & done_part_q == LAST_PART;

  wire busy = used_q != {N_W + 1{1'b0}};
  assign awake = en_q | busy;
  always @(posedge clk) begin
    if (put_i | busy) begin
      send_part_q <= send_part_q + {{PART_W - 1{1'b0}}, sent};
      done_part_q <= done_part_q + {{PART_W - 1{1'b0}}, rec_done_i};
      send_slot_q <= send_slot_q + {{N_W - 1{1'b0}}, sent_last};
      done_slot_q <= done_slot_q + {{N_W - 1{1'b0}}, done_last};
      unsent_q    <= unsent_q + {{N_W{1'b0}}, put_i} - {{N_W{1'b0}}, sent_last};
      used_q      <= used_q + {{N_W{1'b0}}, put_i} - {{N_W{1'b0}}, done_last};
    end
    if (rst) begin
      send_part_q <= {PART_W{1'b0}};
      done_part_q <= {PART_W{1'b0}};
      send_slot_q <= {N_W{1'b0}};
      done_slot_q <= {N_W{1'b0}};
      unsent_q    <= {N_W + 1{1'b0}};
      used_q      <= {N_W + 1{1'b0}};
    end
  end

  // ---- place: where the next record goes
  reg  [32:LSB] ahead;
  reg  [31:LSB] at;
  reg           wrapped, fills;                               // fills: the last of its page
  reg  [19:0]   page, behind;
  always @* begin
    ahead   = {33 - LSB{1'b0}};
    at      = {32 - LSB{1'b0}};
    wrapped = 1'b0;
    fills   = 1'b0;
    page    = 20'd0;
    behind  = 20'd0;
    if (en_q) begin
      ahead   = {1'b0, addr_q[31:LSB] & ring} + {{32 - LSB - N_W{1'b0}}, used_q};
      wrapped = |(ahead & ~{1'b0, ring});
      at      = (addr_q[31:LSB] & ~ring) | (ahead[31:LSB] & ring);
      fills   = &at[11:LSB];
      page    = at[31:12];
      behind  = (page & ~pages) | ((page + 20'd1) & pages);
    end
  end

  // ---- translations of its page, and of the page behind it
  wire [1:0] mode = {pdiss_i, HYP ? pdisv_i : 1'b0};
  wire       bare = ~pdiss_i;
  reg  [1:0] mode_q;
  reg        now_q, next_q;                                   // they are there
  reg [43:0] now_ppn_q, next_ppn_q;

  // what an access leaves
  wire [4:0] size_new = value_i[`TALLY_SPDISAMBCS_SIZE_MSB:`TALLY_SPDISAMBCS_SIZE_LSB] > SIZE_MAX ? SIZE_MAX
                      : value_i[`TALLY_SPDISAMBCS_SIZE_MSB:`TALLY_SPDISAMBCS_SIZE_LSB];
  // With EN=0 there is nothing to forget.
  reg        forget;
  always @* begin
    forget = 1'b0;
    if (en_q)
      forget = inval_i | addr_we_i | mode != mode_q
             | cs_we_i & (~value_i[`TALLY_SPDISAMBCS_EN_LSB] | size_new != size_q);
  end

  // EN=1, PDISS=1: what is held or asked for may change
  reg        req_q, req_next_q;
  wire holds    = en_q & (~bare | now_q | next_q | req_q);
  reg [19:0] req_page_q;
  wire single   = size_q == 5'd0;
  wire want     = holds & ~bare & ~tf_q & (~now_q | ~next_q & ~single);
  wire answered = req_q & xlat_done_i & ~forget;
  wire mapped   = answered & ~xlat_fault_i;
  wire fault    = answered & xlat_fault_i;
  wire turn     = put_i & fills & ~single;                    // place leaves its page

  wire        next_now = next_q | mapped & req_next_q;
  wire [43:0] next_ppn = mapped & req_next_q ? xlat_paddr_i[55:12] : next_ppn_q;

  always @(posedge clk) begin
    mode_q <= mode;
    if (holds) begin
      next_q     <= next_now & ~turn & ~forget;
      now_q      <= (turn ? next_now : now_q | mapped & ~req_next_q) & ~forget;
      next_ppn_q <= next_ppn;
      if (turn)                      now_ppn_q <= next_ppn;
      else if (mapped & ~req_next_q) now_ppn_q <= xlat_paddr_i[55:12];

      if (req_q) begin
        req_q      <= ~xlat_done_i & ~forget;
        req_next_q <= req_next_q & ~turn;
      end else begin
        req_q      <= want & ~forget;
        req_next_q <= now_q & ~turn;
        req_page_q <= now_q ? behind : page;
      end
    end
    if (rst) begin
      mode_q     <= 2'd0;
      now_q      <= 1'b0;
      next_q     <= 1'b0;
      req_q      <= 1'b0;
      req_next_q <= 1'b0;
    end
  end

  wire [31:0] vaddr_low = {req_page_q, 12'd0};
  assign xlat_req_o = req_q;
  generate
    if (XLEN == 64) begin : g_vaddr64
      reg [31:0] req_upper_q;
      always @(posedge clk) if (holds & !req_q) req_upper_q <= addr_q[XLEN-1:32];
      assign xlat_vaddr_o = {req_upper_q, vaddr_low} & {XLEN{req_q}};
    end else begin : g_vaddr32
      assign xlat_vaddr_o = vaddr_low & {XLEN{req_q}};
    end
  endgenerate
  assign xlat_mode_o  = bare ? 2'd3 : mode[0] ? 2'd2 : 2'd1;

  // ---- acceptance
  wire [43:0] physical;
  generate
    if (XLEN == 64) begin : g_rv64
      assign physical = bare ? {addr_q[55:32], page} : now_ppn_q;
    end else begin : g_rv32
      assign physical = bare ? {24'd0, page} : now_ppn_q;
    end
  endgenerate
  assign room_o     = en_q & (bare | now_q) & used_q != ALL & ~(sof_q & (wrap_q | wrapped));
  assign put_slot_o = {{SLOT_W - N_W{1'b0}}, put_slot};
  always @(posedge clk) if (put_i) where_q[put_slot] <= {physical, at[11:LSB]};

  // ---- to memory
  assign rec_valid_o = unsent_q != {N_W + 1{1'b0}};
  always @* begin
    rec_addr_o = 56'd0;
    if (rec_valid_o) rec_addr_o = {where_q[send_slot_q], send_part_q, 3'd0};
  end
  assign get_slot_o  = {{SLOT_W - N_W{1'b0}}, send_slot_q};
  assign get_o       = {{3 - PART_W{1'b0}}, send_part_q};

`ifdef FORMAL
  // The record behind the one that is being written, for the proof that none is torn
  wire [N_W-1:0] formal_slot = send_slot_q + {{N_W - 1{1'b0}}, 1'b1};
  wire [55:LSB]  formal_where = where_q[formal_slot];
`endif

  // ---- the pointer
  wire          advance = done_last & ~addr_we_i;
  reg  [31:LSB] moved;
  reg  [21:0]   quarter_old, quarter_new;
  reg           ends, reached;
  always @* begin
    moved       = {32 - LSB{1'b0}};
    quarter_old = 22'd0;
    quarter_new = 22'd0;
    ends        = 1'b0;
    reached     = 1'b0;
    if (advance) begin
      moved       = (addr_q[31:LSB] & ~ring) | ((addr_q[31:LSB] + 1'b1) & ring);
      ends        = &(addr_q[31:LSB] | ~ring);
      quarter_old = addr_q[31:10] >> size_q;
      quarter_new = moved[31:10] >> size_q;
      reached     = bmien_q & quarter_new[1:0] != quarter_old[1:0] & quarter_new[1:0] == bmith_q;
    end
  end
  assign lambi_o = fault | reached;

  always @(posedge clk) begin
    if (rst)            addr_q <= {XLEN - LSB{1'b0}};
    else if (addr_we_i) addr_q <= value_i[XLEN-1:LSB];
    else if (advance)   addr_q[31:LSB] <= moved;
  end

  // ---- control and status
  wire [2:0] own = {ends, reached, fault} & ~({3{cs_we_i}} &
      {touch_i[`TALLY_SPDISAMBCS_WRAP_LSB], touch_i[`TALLY_SPDISAMBCS_BMI_LSB],
       touch_i[`TALLY_SPDISAMBCS_TF_LSB]});
  always @(posedge clk) begin
    if (fault) tfptr_q <= req_page_q & pages;
    if (cs_we_i) begin
      en_q    <= value_i[`TALLY_SPDISAMBCS_EN_LSB];
      tf_q    <= value_i[`TALLY_SPDISAMBCS_TF_LSB];
      bmi_q   <= value_i[`TALLY_SPDISAMBCS_BMI_LSB];
      size_q  <= size_new;
      bmith_q <= value_i[`TALLY_SPDISAMBCS_BMITH_MSB:`TALLY_SPDISAMBCS_BMITH_LSB];
      bmien_q <= value_i[`TALLY_SPDISAMBCS_BMIEN_LSB];
      sof_q   <= value_i[`TALLY_SPDISAMBCS_SOF_LSB];
      wrap_q  <= value_i[`TALLY_SPDISAMBCS_WRAP_LSB];
    end
    if (|own) begin
      if (own[0]) tf_q   <= 1'b1;
      if (own[1]) bmi_q  <= 1'b1;
      if (own[2]) wrap_q <= 1'b1;
    end
    if (rst) begin
      {en_q, tf_q, bmi_q, bmien_q, sof_q, wrap_q} <= 6'd0;
      size_q  <= 5'd0;
      tfptr_q <= 20'd0;
      bmith_q <= 2'd0;
    end
  end

  wire empty = ~busy & ~source_i;
  wire ready = en_q & (bare | now_q & (next_q | single));
  assign cs_o   = {ready, empty, wrap_q, 25'd0, sof_q, bmien_q, bmith_q,
                   tfptr_q, size_q, 4'd0, bmi_q, tf_q, en_q};
  assign addr_o = {addr_q, {LSB{1'b0}}};

  wire unused_ok = &{1'b0, value_i, touch_i, xlat_paddr_i, quarter_old, quarter_new};
endmodule

`default_nettype wire
