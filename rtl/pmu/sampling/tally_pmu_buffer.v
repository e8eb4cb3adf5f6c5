// SPDX-License-Identifier: Apache-2.0
// tally_pmu_buffer - the sampling buffer in memory: spdisambcs, spdisambaddr, and the address of the next
// record (self-hosted trace draft, Ssamb; docs/sampling.md, "The buffer").
//
// A record is accepted only if the physical address of its page is known (tally_pmu_buffer_pages). It carries
// its address into the queue (tally_pmu_buffer_queue): later changes of EN, of translations or of the pointer
// do not affect it. No record is torn, and the queue always drains.
//
// Outputs other than lambi_o come from registers, and from PDISS and PDISV.

`include "tally_spec.vh"
`include "tally_idle.vh"

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
    input  wire              inval_i,       // translations have become invalid
    input  wire              pending_i,     // a sample is active that may be put here

    // records
    output wire              accept_o,      // a record would be accepted in this cycle
    input  wire              put_i,         // a record is put; only with accept_o
    output wire              slot_free_o,   // the queue has a free slot,
    output wire [SLOT_W-1:0] put_slot_o,    // ... this one

    // to memory
    output wire              rec_valid_o,
    input  wire              rec_ready_i,
    output wire [55:0]       rec_addr_o,
    output wire [SLOT_W-1:0] read_slot_o,   // whose words may be sent in the next cycle
    output wire [2:0]        read_part_o,   // which 64 bits of the record
    input  wire              rec_done_i,

    // translation
    output wire              xlat_req_o,
    output wire [XLEN-1:0]   xlat_vaddr_o,
    output wire [1:0]        xlat_mode_o,
    input  wire              xlat_done_i,
    input  wire              xlat_fault_i,
    input  wire [55:0]       xlat_paddr_i,

    output wire              lambi_o,       // set LAMBIP

    // access
    output wire [63:0]       cs_o,
    output wire [XLEN-1:0]   addr_o,
    input  wire              cs_we_i,
    input  wire              addr_we_i,
    input  wire [63:0]       wdata_i,       // new value of the whole register
    input  wire [63:0]       wmask_i        // bits that the instruction writes
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

  // ---- records that are being written
  wire [USED_W-1:0] used;
  wire [55:LSB]     put_addr;
  wire              full, done;
  tally_pmu_buffer_queue #(
      .LSB(LSB), .QUEUE(QUEUE), .SLOT_W(SLOT_W), .USED_W(USED_W)
  ) u_queue (
      .clk(clk), .rst(rst),
      .put_i(put_i),
      .put_addr_i(put_addr),
      .put_slot_o(put_slot_o),
      .full_o(full),
      .used_o(used),
      .rec_valid_o(rec_valid_o),
      .rec_ready_i(rec_ready_i),
      .rec_addr_o(rec_addr_o),
      .read_slot_o(read_slot_o),
      .read_part_o(read_part_o),
      .rec_done_i(rec_done_i),
      .done_o(done)
  );

  wire busy = used != {USED_W{1'b0}};
  reg  [19:0]   page_mask;                                    // bits of the page's number in the buffer
  reg  [31:LSB] offset_mask;                                  // bits of the offset in the buffer
  always @* begin
    page_mask = 20'd0;
    if (`TALLY_ACTIVE(en_q | busy)) page_mask = ~(20'hF_FFFF << size_q);
    offset_mask = {page_mask, {12 - LSB{1'b1}}};
  end

  // ---- the next record's virtual address: the pointer plus the records in the queue
  localparam N_W = USED_W - 1;                                // bits of the offset that the queue can change
  reg  [31:LSB] sum;
  reg  [N_W:0]  sum_low;
  reg  [31:LSB] next_addr;
  reg           wrapped, page_last;                           // past the buffer's end; the last of its page
  reg  [19:0]   page, next_page;
  always @* begin
    sum       = {32 - LSB{1'b0}};
    sum_low   = {N_W + 1{1'b0}};
    next_addr = {32 - LSB{1'b0}};
    wrapped   = 1'b0;
    page_last = 1'b0;
    page      = 20'd0;
    next_page = 20'd0;
    if (`TALLY_ACTIVE(en_q)) begin   // with EN=0 no record is put and no page requested
      sum       = addr_q[31:LSB] + {{32 - LSB - USED_W{1'b0}}, used};
      next_addr = (addr_q[31:LSB] & ~offset_mask) | (sum & offset_mask);
      // The queue is smaller than a page: only from the last places of the buffer can it pass the end.
      sum_low   = {1'b0, addr_q[LSB +: N_W]} + used;
      wrapped   = &(addr_q[31:LSB+N_W] | ~offset_mask[31:LSB+N_W]) & sum_low[N_W];
      page_last = &next_addr[11:LSB];
      page      = next_addr[31:12];
      next_page = (page & ~page_mask) | ((page + 20'd1) & page_mask);
    end
  end

  // ---- its physical page
  wire [4:0] size_given = wdata_i[`TALLY_SPDISAMBCS_SIZE_MSB:`TALLY_SPDISAMBCS_SIZE_LSB];
  wire [4:0] size_new   = size_given > SIZE_MAX ? SIZE_MAX : size_given;
  wire       one_page   = size_q == 5'd0;
  wire       page_valid, pages_valid, fault;
  wire [43:0] ppn;
  wire [19:0] fault_page;
  wire [XLEN-1:12] virtual_page;
  generate
    if (XLEN == 64) begin : g_rv64
      assign virtual_page = {addr_q[63:32], page};
    end else begin : g_rv32
      assign virtual_page = page;
    end
  endgenerate
  tally_pmu_buffer_pages #(
      .XLEN(XLEN), .HYP(HYP)
  ) u_pages (
      .clk(clk), .rst(rst),
      .en_i(en_q),
      .tf_i(tf_q),
      .invalidate_i(inval_i | addr_we_i
                    | cs_we_i & (~wdata_i[`TALLY_SPDISAMBCS_EN_LSB] | size_new != size_q)),
      .pdiss_i(pdiss_i),
      .pdisv_i(pdisv_i),
      .page_i(virtual_page),
      .next_page_i(next_page),
      .one_page_i(one_page),
      .advance_i(put_i & page_last & ~one_page),
      .page_valid_o(page_valid),
      .ppn_o(ppn),
      .pages_valid_o(pages_valid),
      .fault_o(fault),
      .fault_page_o(fault_page),
      .xlat_req_o(xlat_req_o),
      .xlat_vaddr_o(xlat_vaddr_o),
      .xlat_mode_o(xlat_mode_o),
      .xlat_done_i(xlat_done_i),
      .xlat_fault_i(xlat_fault_i),
      .xlat_ppn_i(xlat_paddr_i[55:12])
  );

  // ---- the pointer, BMITH and WRAP: they follow the records that are done
  wire          advance = done & ~addr_we_i;
  reg  [31:LSB] advanced;
  reg  [21:0]   quarter_old, quarter_new;                     // their low two bits: the quarter of the buffer
  reg           wraps, threshold;
  always @* begin
    advanced    = {32 - LSB{1'b0}};
    quarter_old = 22'd0;
    quarter_new = 22'd0;
    wraps       = 1'b0;
    threshold   = 1'b0;
    if (`TALLY_ACTIVE(advance)) begin
      advanced    = (addr_q[31:LSB] & ~offset_mask) | ((addr_q[31:LSB] + 1'b1) & offset_mask);
      wraps       = advance & &(addr_q[31:LSB] | ~offset_mask);
      quarter_old = addr_q[31:10] >> size_q;
      quarter_new = advanced[31:10] >> size_q;
      threshold   = advance & bmien_q & quarter_new[1:0] != quarter_old[1:0]
                  & quarter_new[1:0] == bmith_q;
    end
  end
  assign lambi_o = fault | threshold;
  always @(posedge clk) begin
    if (rst)            addr_q <= {XLEN - LSB{1'b0}};
    else if (addr_we_i) addr_q <= wdata_i[XLEN-1:LSB];
    else if (advance)   addr_q[31:LSB] <= advanced;
  end

  // ---- acceptance
  assign put_addr    = {ppn, next_addr[11:LSB]};
  assign slot_free_o = ~full;
  // put_i is late-arriving, so that the next record's address has wrapped is registered. While the page is
  // not translated, and so after every write, it is computed anew.
  reg  wrapped_q;
  wire put_wraps = put_i & &(next_addr | ~offset_mask);
  always @(posedge clk)
    wrapped_q <= ((page_valid ? wrapped_q : wrapped) | put_wraps) & ~(advance & wraps);
  assign accept_o = en_q & page_valid & ~full & ~(sof_q & (wrap_q | wrapped_q));

  // ---- control and status
  // Hardware sets WRAP, BMI and TF; a write of the bit in the same cycle wins.
  wire [2:0] set = {wraps, threshold, fault} & ~({3{cs_we_i}} &
      {wmask_i[`TALLY_SPDISAMBCS_WRAP_LSB], wmask_i[`TALLY_SPDISAMBCS_BMI_LSB],
       wmask_i[`TALLY_SPDISAMBCS_TF_LSB]});
  always @(posedge clk) begin
    if (fault) tfptr_q <= fault_page & page_mask;
    if (cs_we_i) begin
      en_q    <= wdata_i[`TALLY_SPDISAMBCS_EN_LSB];
      tf_q    <= wdata_i[`TALLY_SPDISAMBCS_TF_LSB];
      bmi_q   <= wdata_i[`TALLY_SPDISAMBCS_BMI_LSB];
      size_q  <= size_new;
      bmith_q <= wdata_i[`TALLY_SPDISAMBCS_BMITH_MSB:`TALLY_SPDISAMBCS_BMITH_LSB];
      bmien_q <= wdata_i[`TALLY_SPDISAMBCS_BMIEN_LSB];
      sof_q   <= wdata_i[`TALLY_SPDISAMBCS_SOF_LSB];
      wrap_q  <= wdata_i[`TALLY_SPDISAMBCS_WRAP_LSB];
    end
    if (|set) begin
      if (set[0]) tf_q   <= 1'b1;
      if (set[1]) bmi_q  <= 1'b1;
      if (set[2]) wrap_q <= 1'b1;
    end
    if (rst) begin
      {en_q, tf_q, bmi_q, bmien_q, sof_q, wrap_q} <= 6'd0;
      size_q  <= 5'd0;
      tfptr_q <= 20'd0;
      bmith_q <= 2'd0;
    end
  end

  wire empty = ~busy & ~pending_i;
  wire trv   = en_q & pages_valid;
  assign cs_o   = {trv, empty, wrap_q, 25'd0, sof_q, bmien_q, bmith_q,
                   tfptr_q, size_q, 4'd0, bmi_q, tf_q, en_q};
  assign addr_o = {addr_q, {LSB{1'b0}}};

  wire unused_ok = &{1'b0, wdata_i, wmask_i, xlat_paddr_i, quarter_old, quarter_new};
endmodule

`default_nettype wire
