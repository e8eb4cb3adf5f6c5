// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_record - header and addresses of the sample that ends in this cycle, and whether the filters
// keep it (event sampling draft, Smpdis, Sample Record and Sample Filtering).
//
// Combinational, except for the target of the last control transfer. Outputs are used in the cycle of the end
// only.

`include "tally_idle.vh"
`include "tally_spec.vh"

`default_nettype none

module tally_pmu_pdis_record #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter REPORT_W = 1024,   // REPORT_WIDTH of tally_pmu_report.vh
    parameter [0:0] HYP = 1'b0
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     end_i,          // the sample ends in this cycle
    input  wire [2:0]               type_i,
    input  wire [4:0]               at_thresh_i,    // latencies that are not below the threshold (LATSEL)
    input  wire [REPORT_W-1:0]      report_i,       // tally_pmu_report.vh
    input  wire [RETIRE_W-1:0]      ret_transfer_i, // lanes with a control transfer that was taken
    input  wire [31:0]              hpm_event_i,    // counters whose event the sample caused

    // configuration
    input  wire [4:0]               modes_i,        // modes that are sampled: M, S, U, VS, VU
    input  wire                     pa_i,
    input  wire                     ept_i,
    input  wire [31:0]              hpm_i,          // counters whose events are recorded
    input  wire [55:0]              evmask_i,
    input  wire [55:0]              evmatch_i,
    input  wire [2:0]               latsel_i,
    input  wire                     inv_i,

    output reg                      keep_o,         // the filters let it pass
    output reg  [63:0]              hdrev_o,
    output reg  [XLEN-1:0]          adr1_o,
    output reg  [XLEN-1:0]          adr2_o
);
  `include "tally_pmu_report.vh"

  wire            retired    = report_i[REPORT_RETIRED];
  wire            flushed    = report_i[REPORT_FLUSHED];
  wire [1:0]      flush_why  = report_i[REPORT_FLUSH_WHY +: 2];
  wire [3:0]      itype      = report_i[REPORT_ITYPE +: 4];
  wire [XLEN-1:0] vaddr      = report_i[REPORT_VADDR +: XLEN];
  wire [63:0]     paddr      = report_i[REPORT_PADDR +: 64];
  wire [RETIRE_W-1:0] ret_valid = report_i[REPORT_RET_VALID +: RETIRE_W];

  // Calls, jumps and returns have the codes from the indirect call up; 6 and 7 are no kinds of transfer.
  localparam [3:0] TRET = `TALLY_ITYPE_TRET, BR_TAKEN = `TALLY_ITYPE_BR_TK,
                   FIRST_JUMP = `TALLY_ITYPE_IND_CALL;
  wire memory   = type_i == `TALLY_TYPE_LOAD | type_i == `TALLY_TYPE_STORE | type_i == `TALLY_TYPE_LOAD_STORE;
  wire transfer = type_i == `TALLY_TYPE_TRANSFER;
  wire taken    = itype == TRET | itype == BR_TAKEN | itype >= FIRST_JUMP;
  wire has_bit  = itype >= TRET & (itype <= BR_TAKEN | itype >= FIRST_JUMP);   // a class of pdishdrev

  // ---- target of the prior control transfer (EPT): of those that retired in modes that are sampled
  reg [XLEN-1:0] prior_q;

  wire [RETIRE_W-1:0] transfers;
  genvar l;
  generate
    for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
      wire [1:0] priv = report_i[REPORT_RET_MODE + l*3 +: 2];
      wire       v    = HYP ? report_i[REPORT_RET_MODE + l*3 + 2] & priv != 2'd3 : 1'b0;
      wire mode_enabled = priv == 2'd3 ? modes_i[4]
                        : priv == 2'd1 ? (v ? modes_i[1] : modes_i[3]) : (v ? modes_i[0] : modes_i[2]);
      assign transfers[l] = ret_valid[l] & mode_enabled & ret_transfer_i[l];
    end
  endgenerate

  // `youngest` includes the last lane that retires; `earlier` leaves it out if it is the sample.
  reg [XLEN-1:0] target, youngest, earlier;
  reg            last, found, found_earlier;
  integer        k;
  always @* begin
    target        = report_i[REPORT_RET_NEXT_PC +: XLEN];
    youngest      = prior_q;
    earlier       = prior_q;
    last          = 1'b1;
    found         = 1'b0;
    found_earlier = 1'b0;
    for (k = RETIRE_W - 1; k >= 0; k = k - 1) begin
      if (ret_valid[k]) begin
        if (transfers[k] & ~found) youngest = target;
        if (transfers[k] & ~found_earlier & ~(last & retired)) earlier = target;
        found         = found | transfers[k];
        found_earlier = found_earlier | transfers[k] & ~(last & retired);
        last          = 1'b0;
        target        = report_i[REPORT_RET_PC + k*XLEN +: XLEN];
      end
    end
  end
  always @(posedge clk) begin
    if (rst)        prior_q <= {XLEN{1'b0}};
    else if (found) prior_q <= youngest;
  end

  // ---- pdishdrev, pdisadr1, pdisadr2
  always @* begin
    hdrev_o = 64'd0;
    adr1_o  = {XLEN{1'b0}};
    adr2_o  = {XLEN{1'b0}};
    if (`TALLY_ACTIVE(end_i)) begin
      hdrev_o[31:0]                            = hpm_i & hpm_event_i;
      hdrev_o[2:0]                             = type_i;
      hdrev_o[`TALLY_PDISHDREV_FLUSHED_LSB]    = flushed;
      hdrev_o[`TALLY_PDISHDREV_FLUSH_LSB +: 2] = flush_why & {2{flushed}};
      hdrev_o[`TALLY_PDISHDREV_ITMISS_LSB]     = report_i[REPORT_ITMISS];
      hdrev_o[`TALLY_PDISHDREV_ICMISS_LSB]     = report_i[REPORT_ICMISS];
      if (memory) begin
        hdrev_o[`TALLY_PDISHDREV_L1MISS_LSB]    = report_i[REPORT_L1MISS];
        hdrev_o[`TALLY_PDISHDREV_LLMISS_LSB]    = report_i[REPORT_LLMISS];
        hdrev_o[`TALLY_PDISHDREV_DSRC_LSB +: 4] = report_i[REPORT_DSRC +: 4];
        hdrev_o[`TALLY_PDISHDREV_L1TLBMISS_LSB] = report_i[REPORT_L1TLBMISS];
        hdrev_o[`TALLY_PDISHDREV_LLTLBMISS_LSB] = report_i[REPORT_LLTLBMISS];
      end
      if (transfer) begin
        hdrev_o[`TALLY_PDISHDREV_DIRLJMP_LSB:`TALLY_PDISHDREV_TRET_LSB] = {12'd0, has_bit} << (itype - TRET);
        hdrev_o[`TALLY_PDISHDREV_MISPRED_LSB]   = report_i[REPORT_MISPRED];
      end
      if (flushed)
        adr1_o = report_i[REPORT_FLUSH_PC +: XLEN];
      else if (memory)
        adr1_o = vaddr;
      else if (transfer & retired & taken)
        adr1_o = report_i[REPORT_TARGET +: XLEN];
      if (flushed)
        adr2_o = vaddr & {XLEN{memory}};
      else if (memory)
        adr2_o = paddr[XLEN-1:0] & {XLEN{pa_i}};
      else if (transfer & ept_i)
        adr2_o = earlier;
    end
  end
  wire unused_ok = &{1'b0, report_i, paddr};

  // ---- filters
  reg slow;   // the latency that LATSEL selects is not below the threshold
  always @* begin
    slow   = 1'b0;
    keep_o = 1'b0;
    if (`TALLY_ACTIVE(end_i)) begin
      case (latsel_i)
        3'd1:    slow = at_thresh_i[1];
        3'd2:    slow = at_thresh_i[2];
        3'd3:    slow = at_thresh_i[3];
        3'd4:    slow = at_thresh_i[4];
        default: slow = at_thresh_i[0];
      endcase
      keep_o = ~|((hdrev_o[55:0] ^ evmatch_i) & evmask_i) & (slow ^ inv_i);
    end
  end
endmodule

`default_nettype wire
