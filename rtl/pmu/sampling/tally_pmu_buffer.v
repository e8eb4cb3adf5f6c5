// SPDX-License-Identifier: Apache-2.0
// tally_pmu_buffer - the sampling buffer in memory: spdisambcs, spdisambaddr, and where the next record goes
// (Ssamb; docs/sampling.md, "The buffer").
//
// A record is accepted only if the physical address of its page is known (tally_pmu_buffer_pages). It carries
// its address into the queue (tally_pmu_buffer_queue): later changes of EN, of translations or of the pointer
// do not affect it. No record is torn, and the queue always drains.
//
// Every output but lambi_o is a function of state (and of PDISS and PDISV).

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_buffer #(
    parameter XLEN   = 64,
    parameter QUEUE  = 4,       // records, a power of two from 2
    parameter SLOT_W = 2,       // bits of a slot's number
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
    output wire              free_o,        // its queue has a slot,
    output wire [SLOT_W-1:0] put_slot_o,    // this one

    // to memory
    output wire              rec_valid_o,
    input  wire              rec_ready_i,
    output wire [55:0]       rec_addr_o,
    output wire [SLOT_W-1:0] read_slot_o,   // whose words may be wanted in the next cycle
    output wire [2:0]        get_o,         // which 64 bits of a record
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
  localparam USED_W = QUEUE > 8 ? 5 : QUEUE > 4 ? 4 : QUEUE > 2 ? 3 : 2;   // bits of a number of records
  localparam [4:0] SIZE_MAX = 5'd20;

  // ---- spdisambcs, spdisambaddr
  reg              en_q, tf_q, bmi_q, bmien_q, sof_q, wrap_q;
  reg [4:0]        size_q;
  reg [19:0]       tfptr_q;
  reg [1:0]        bmith_q;
  reg [XLEN-1:LSB] addr_q;

  // ---- records on their way
  wire [USED_W-1:0] used;
  wire [55:LSB]     put_where;
  wire              full, done;
  tally_pmu_buffer_queue #(
      .LSB(LSB), .QUEUE(QUEUE), .SLOT_W(SLOT_W), .USED_W(USED_W)
  ) u_queue (
      .clk(clk), .rst(rst),
      .put_i(put_i),
      .put_where_i(put_where),
      .put_slot_o(put_slot_o),
      .full_o(full),
      .used_o(used),
      .rec_valid_o(rec_valid_o),
      .rec_ready_i(rec_ready_i),
      .rec_addr_o(rec_addr_o),
      .read_slot_o(read_slot_o),
      .get_o(get_o),
      .rec_done_i(rec_done_i),
      .done_o(done)
  );

  // Without a buffer and with nothing under way everything here stands, and the simulator looks at little of
  // it.
  wire busy  = used != {USED_W{1'b0}};
  wire awake = en_q | busy;
  reg  [19:0]   pages;                                        // bits of the page's number in the buffer
  reg  [31:LSB] ring;                                         // bits of the pointer that advance
  always @* begin
    pages = 20'd0;
    if (awake) pages = ~(20'hF_FFFF << size_q);
    ring = {pages, {12 - LSB{1'b1}}};
  end

  // ---- place: where the next record goes
  localparam N_W = USED_W - 1;                                // bits of the offset that records ahead reach
  reg  [31:LSB] ahead;
  reg  [N_W:0]  beyond;
  reg  [31:LSB] at;
  reg           wrapped, fills;                               // fills: the last of its page
  reg  [19:0]   page, behind;
  always @* begin
    ahead   = {32 - LSB{1'b0}};
    beyond  = {N_W + 1{1'b0}};
    at      = {32 - LSB{1'b0}};
    wrapped = 1'b0;
    fills   = 1'b0;
    page    = 20'd0;
    behind  = 20'd0;
    if (en_q) begin
      ahead   = addr_q[31:LSB] + {{32 - LSB - USED_W{1'b0}}, used};
      at      = (addr_q[31:LSB] & ~ring) | (ahead & ring);
      // The queue is less than a page: what is in it passes the end if it leaves the last so many places.
      beyond  = {1'b0, addr_q[LSB +: N_W]} + used;
      wrapped = &(addr_q[31:LSB+N_W] | ~ring[31:LSB+N_W]) & beyond[N_W];
      fills   = &at[11:LSB];
      page    = at[31:12];
      behind  = (page & ~pages) | ((page + 20'd1) & pages);
    end
  end

  // ---- its physical page
  wire [4:0] size_given = value_i[`TALLY_SPDISAMBCS_SIZE_MSB:`TALLY_SPDISAMBCS_SIZE_LSB];
  wire [4:0] size_new   = size_given > SIZE_MAX ? SIZE_MAX : size_given;
  wire       single     = size_q == 5'd0;
  wire       here, both, fault;
  wire [43:0] ppn;
  wire [19:0] asked;
  wire [XLEN-1:12] place;
  generate
    if (XLEN == 64) begin : g_rv64
      assign place = {addr_q[63:32], page};
    end else begin : g_rv32
      assign place = page;
    end
  endgenerate
  tally_pmu_buffer_pages #(
      .XLEN(XLEN), .HYP(HYP)
  ) u_pages (
      .clk(clk), .rst(rst),
      .en_i(en_q),
      .tf_i(tf_q),
      .void_i(inval_i | addr_we_i | cs_we_i & (~value_i[`TALLY_SPDISAMBCS_EN_LSB] | size_new != size_q)),
      .pdiss_i(pdiss_i),
      .pdisv_i(pdisv_i),
      .page_i(place),
      .behind_i(behind),
      .single_i(single),
      .turn_i(put_i & fills & ~single),
      .here_o(here),
      .ppn_o(ppn),
      .both_o(both),
      .fault_o(fault),
      .asked_o(asked),
      .xlat_req_o(xlat_req_o),
      .xlat_vaddr_o(xlat_vaddr_o),
      .xlat_mode_o(xlat_mode_o),
      .xlat_done_i(xlat_done_i),
      .xlat_fault_i(xlat_fault_i),
      .xlat_ppn_i(xlat_paddr_i[55:12])
  );

  // ---- the pointer
  wire          advance = done & ~addr_we_i;
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

  // ---- acceptance
  assign put_where = {ppn, at[11:LSB]};
  assign free_o    = ~full;
  // Whether what comes next has wrapped is known from the cycle before, for a record is accepted late. While
  // nothing is translated, and so in the cycle after a write, it is looked up.
  reg  wrapped_q;
  wire last = &(at | ~ring);
  always @(posedge clk) wrapped_q <= ((here ? wrapped_q : wrapped) | put_i & last) & ~(advance & ends);
  assign room_o    = en_q & here & ~full & ~(sof_q & (wrap_q | wrapped_q));

  // ---- control and status
  wire [2:0] own = {ends, reached, fault} & ~({3{cs_we_i}} &
      {touch_i[`TALLY_SPDISAMBCS_WRAP_LSB], touch_i[`TALLY_SPDISAMBCS_BMI_LSB],
       touch_i[`TALLY_SPDISAMBCS_TF_LSB]});
  always @(posedge clk) begin
    if (fault) tfptr_q <= asked & pages;
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
  wire ready = en_q & both;
  assign cs_o   = {ready, empty, wrap_q, 25'd0, sof_q, bmien_q, bmith_q,
                   tfptr_q, size_q, 4'd0, bmi_q, tf_q, en_q};
  assign addr_o = {addr_q, {LSB{1'b0}}};

  wire unused_ok = &{1'b0, value_i, touch_i, xlat_paddr_i, quarter_old, quarter_new};
endmodule

`default_nettype wire
