// SPDX-License-Identifier: Apache-2.0
// tally_pmu_buffer_pages - physical addresses of two of the sampling buffer's pages: the one that the next
// record goes to and the one after it (self-hosted trace draft, Ssamb, pre-translation; docs/sampling.md,
// "The buffer": Translation).
//
// Missing translations are requested, one page at a time. An answer is used from the cycle after it on.
// Outputs other than fault_o come from registers.

`default_nettype none

module tally_pmu_buffer_pages #(
    parameter XLEN = 64,
    parameter [0:0] HYP = 1'b0
) (
    input  wire            clk,
    input  wire            rst,

    input  wire            en_i,          // spdisambcs.EN: with 0 nothing is requested
    input  wire            tf_i,          // spdisambcs.TF: with 1 no new request is made
    input  wire            invalidate_i,  // drop translations and the pending request
    input  wire            pdiss_i,       // a change of these, which select the mode, drops them too
    input  wire            pdisv_i,
    input  wire [XLEN-1:12] page_i,       // the next record's page
    input  wire [19:0]     next_page_i,   // bits 31:12 of the page after it
    input  wire            one_page_i,    // the buffer has no other page
    input  wire            advance_i,     // the next page becomes the page

    output wire            page_valid_o,  // the page is translated,
    output wire [43:0]     ppn_o,         // ... to this
    output wire            pages_valid_o, // both pages are translated
    output wire            fault_o,       // this page cannot be written:
    output wire [19:0]     fault_page_o,

    output wire            xlat_req_o,
    output wire [XLEN-1:0] xlat_vaddr_o,
    output wire [1:0]      xlat_mode_o,
    input  wire            xlat_done_i,
    input  wire            xlat_fault_i,
    input  wire [43:0]     xlat_ppn_i
);
  wire [1:0] mode = {pdiss_i, HYP ? pdiss_i & pdisv_i : 1'b0};
  reg  [1:0] mode_q;
  reg        page_valid_q, next_valid_q;
  reg [43:0] page_ppn_q, next_ppn_q;
  reg        advanced_q;
  reg        req_q, req_next_q;                               // a request is pending; it is for the next page
  reg [19:0] req_page_q;

  // With EN=0 nothing is valid or pending, so there is nothing to drop.
  wire invalidate = en_i & (invalidate_i | mode != mode_q);
  wire missing    = en_i & ~tf_i & (~page_valid_q | ~next_valid_q & ~one_page_i);
  // An address that arrives in the cycle of an invalidation may be stored; only its flag must stay 0.
  wire arrives    = req_q & xlat_done_i & ~xlat_fault_i;
  wire translated = arrives & ~invalidate;
  assign fault_o  = req_q & xlat_done_i & xlat_fault_i & ~invalidate;

  wire        next_valid = next_valid_q | translated & req_next_q;
  wire [43:0] next_ppn   = arrives & req_next_q ? xlat_ppn_i : next_ppn_q;

  always @(posedge clk) begin
    mode_q <= mode;
    if (en_i) begin
      next_valid_q <= next_valid & ~advance_i & ~invalidate;
      page_valid_q <= (advance_i ? next_valid : page_valid_q | translated & ~req_next_q) & ~invalidate;
      next_ppn_q   <= next_ppn;
      // advance_i is late-arriving: next_ppn_q is copied a cycle later, and read instead until then. A page
      // that is valid is never requested.
      advanced_q <= advance_i;
      if (advanced_q | arrives & ~req_next_q) page_ppn_q <= page_valid_q ? next_ppn_q : xlat_ppn_i;

      if (req_q) begin
        req_q      <= ~xlat_done_i & ~invalidate;
        req_next_q <= req_next_q & ~advance_i;
      end else begin
        req_q      <= missing & ~invalidate;
        req_next_q <= page_valid_q & ~advance_i;
        req_page_q <= page_valid_q ? next_page_i : page_i[31:12];
      end
    end
    if (rst) begin
      mode_q       <= 2'd0;
      page_valid_q <= 1'b0;
      next_valid_q <= 1'b0;
      req_q        <= 1'b0;
      req_next_q   <= 1'b0;
      advanced_q   <= 1'b0;
    end
  end

  assign page_valid_o  = page_valid_q;
  assign ppn_o         = advanced_q ? next_ppn_q : page_ppn_q;
  assign pages_valid_o = page_valid_q & (next_valid_q | one_page_i);
  assign fault_page_o  = req_page_q;

  wire [31:0] vaddr_low = {req_page_q, 12'd0};
  assign xlat_req_o  = req_q;
  assign xlat_mode_o = ~mode[1] ? 2'd3 : mode[0] ? 2'd2 : 2'd1;
  generate
    if (XLEN == 64) begin : g_vaddr64
      reg [31:0] req_upper_q;
      always @(posedge clk) if (en_i & ~req_q) req_upper_q <= page_i[63:32];
      assign xlat_vaddr_o = {req_upper_q, vaddr_low} & {XLEN{req_q}};
    end else begin : g_vaddr32
      assign xlat_vaddr_o = vaddr_low & {XLEN{req_q}};
    end
  endgenerate
endmodule

`default_nettype wire
