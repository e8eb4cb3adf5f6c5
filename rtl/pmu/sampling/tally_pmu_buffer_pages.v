// SPDX-License-Identifier: Apache-2.0
// tally_pmu_buffer_pages - physical addresses of the sampling buffer's pages: the one that the next record
// goes to and the one after it (Ssamb, pre-translation; docs/sampling.md, "The buffer": Translation).
//
// What is missing is asked for, one page at a time. An answer counts from the cycle after it on. Outputs but
// fault_o are functions of state.

`default_nettype none

module tally_pmu_buffer_pages #(
    parameter XLEN = 64,
    parameter [0:0] HYP = 1'b0
) (
    input  wire            clk,
    input  wire            rst,

    input  wire            en_i,          // with EN=0 nothing is asked for
    input  wire            tf_i,          // nor with TF=1
    input  wire            void_i,        // what is held and asked for is void
    input  wire            pdiss_i,       // void too if the mode that follows from these changes
    input  wire            pdisv_i,
    input  wire [XLEN-1:12] page_i,       // the next record's,
    input  wire [19:0]     behind_i,      // bits 31:12 of the one behind it
    input  wire            single_i,      // there is none
    input  wire            turn_i,        // the page is left

    output wire            here_o,        // the page is there,
    output wire [43:0]     ppn_o,
    output wire            both_o,        // and the one behind it, if there is one
    output wire            fault_o,       // this page cannot be written:
    output wire [19:0]     asked_o,

    output wire            xlat_req_o,
    output wire [XLEN-1:0] xlat_vaddr_o,
    output wire [1:0]      xlat_mode_o,
    input  wire            xlat_done_i,
    input  wire            xlat_fault_i,
    input  wire [43:0]     xlat_ppn_i
);
  wire [1:0] mode = {pdiss_i, HYP ? pdiss_i & pdisv_i : 1'b0};
  reg  [1:0] mode_q;
  reg        now_q, next_q;                                   // they are there
  reg [43:0] now_ppn_q, next_ppn_q;
  reg        turned_q;                                        // the page was left in the cycle before
  reg        req_q, req_next_q;                               // one is asked for; the page behind
  reg [19:0] req_page_q;

  // With EN=0 there is nothing to forget.
  wire forget   = en_i & (void_i | mode != mode_q);
  wire want     = en_i & ~tf_i & (~now_q | ~next_q & ~single_i);
  // What is forgotten in the cycle of an answer need not be kept from taking it, but for the flags.
  wire arrives  = req_q & xlat_done_i & ~xlat_fault_i;
  wire mapped   = arrives & ~forget;
  assign fault_o = req_q & xlat_done_i & xlat_fault_i & ~forget;

  wire        next_now = next_q | mapped & req_next_q;
  wire [43:0] next_ppn = arrives & req_next_q ? xlat_ppn_i : next_ppn_q;

  always @(posedge clk) begin
    mode_q <= mode;
    if (en_i) begin
      next_q     <= next_now & ~turn_i & ~forget;
      now_q      <= (turn_i ? next_now : now_q | mapped & ~req_next_q) & ~forget;
      next_ppn_q <= next_ppn;
      // That a page is left is known late: the one behind it follows a cycle later, and is looked up where it
      // is till then. A page that is there is not asked for.
      turned_q <= turn_i;
      if (turned_q | arrives & ~req_next_q) now_ppn_q <= now_q ? next_ppn_q : xlat_ppn_i;

      if (req_q) begin
        req_q      <= ~xlat_done_i & ~forget;
        req_next_q <= req_next_q & ~turn_i;
      end else begin
        req_q      <= want & ~forget;
        req_next_q <= now_q & ~turn_i;
        req_page_q <= now_q ? behind_i : page_i[31:12];
      end
    end
    if (rst) begin
      mode_q     <= 2'd0;
      now_q      <= 1'b0;
      next_q     <= 1'b0;
      req_q      <= 1'b0;
      req_next_q <= 1'b0;
      turned_q   <= 1'b0;
    end
  end

  assign here_o  = now_q;
  assign ppn_o   = turned_q ? next_ppn_q : now_ppn_q;
  assign both_o  = now_q & (next_q | single_i);
  assign asked_o = req_page_q;

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
