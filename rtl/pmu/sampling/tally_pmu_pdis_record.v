// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_record - the record of the sample that ends in this cycle, and whether the filters keep it
// (Smpdis, Sample Record and Sample Filtering; facts 12.2).
//
// Combinational, except for the target of the last control transfer. A simulator works nothing out in a cycle
// in which no sample ends; hardware does, and nobody looks.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_pdis_record #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter [0:0] HYP = 1'b0
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     look_i,        // a sample may end
    input  wire [XLEN-1:0]          pc_i,
    input  wire [2:0]               type_i,
    input  wire [63:0]              lat_i,
    input  wire [4:0]               slow_i,        // which latencies are not below the threshold
    input  wire [63:0]              time_i,        // 0 if the record has none

    // what happened to it
    input  wire                     retired_i,
    input  wire                     flushed_i,
    input  wire [1:0]               flush_why_i,
    input  wire [XLEN-1:0]          flush_pc_i,
    input  wire [3:0]               itype_i,
    input  wire                     mispred_i,
    input  wire                     itmiss_i,
    input  wire                     icmiss_i,
    input  wire                     l1miss_i,
    input  wire                     llmiss_i,
    input  wire                     l1tlbmiss_i,
    input  wire                     lltlbmiss_i,
    input  wire [3:0]               dsrc_i,
    input  wire [31:0]              had_i,         // the events that these counters select
    input  wire [XLEN-1:0]          vaddr_i,
    input  wire [63:0]              paddr_i,
    input  wire [XLEN-1:0]          target_i,

    // retirement, for the target of the transfer before
    input  wire [RETIRE_W-1:0]      ret_valid_i,
    input  wire [RETIRE_W*XLEN-1:0] ret_pc_i,
    input  wire [RETIRE_W*3-1:0]    ret_mode_i,
    input  wire [XLEN-1:0]          ret_next_pc_i,
    input  wire [RETIRE_W-1:0]      ret_leaps_i,   // it is a transfer that went somewhere

    // configuration
    input  wire [4:0]               modes_i,       // modes that are sampled: M, S, U, VS, VU
    input  wire                     pa_i,
    input  wire                     ept_i,
    input  wire [31:0]              hpm_i,         // counters whose events are recorded
    input  wire [55:0]              evmask_i,
    input  wire [55:0]              evmatch_i,
    input  wire [3:0]               filter_i,      // LATSEL, INV

    output reg                      keep_o,        // the filters let it pass
    output reg  [63:0]              hdrev_o,
    output reg  [XLEN-1:0]          adr1_o,
    output reg  [XLEN-1:0]          adr2_o,
    output wire [XLEN-1:0]          pc_o,
    output wire [63:0]              time_o,
    output wire [63:0]              lat_o
);
  assign pc_o   = pc_i;
  assign time_o = time_i;
  assign lat_o  = lat_i;

  localparam [3:0] TRET = 4'd3, BR_TAKEN = 4'd5, FIRST_JUMP = 4'd8;
  wire memory   = type_i == `TALLY_TYPE_LOAD | type_i == `TALLY_TYPE_STORE | type_i == `TALLY_TYPE_LOAD_STORE;
  wire transfer = type_i == `TALLY_TYPE_TRANSFER;
  wire goes     = itype_i == TRET | itype_i == BR_TAKEN | itype_i >= FIRST_JUMP;
  wire classed  = itype_i >= TRET & (itype_i < 4'd6 | itype_i >= FIRST_JUMP);

  // ---- where the last control transfer went, of those that retired in modes that are sampled
  reg [XLEN-1:0] prior_q;

  wire [RETIRE_W-1:0] leap;
  genvar l;
  generate
    for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
      wire [1:0] priv = ret_mode_i[l*3 +: 2];
      wire       v    = HYP ? ret_mode_i[l*3 + 2] & priv != 2'd3 : 1'b0;
      wire       unused_v = &{1'b0, ret_mode_i[l*3 + 2]};
      wire enabled = priv == 2'd3 ? modes_i[4]
                   : priv == 2'd1 ? (v ? modes_i[1] : modes_i[3]) : (v ? modes_i[0] : modes_i[2]);
      assign leap[l] = ret_valid_i[l] & enabled & ret_leaps_i[l];
    end
  endgenerate

  // `prior` is what stays; `older` leaves out the last lane, which is the sample's if that retires.
  reg [XLEN-1:0] next_pc, prior, older;
  reg            last, found, found_older;
  integer        k;
  always @* begin
    next_pc     = ret_next_pc_i;
    prior       = prior_q;
    older       = prior_q;
    last        = 1'b1;
    found       = 1'b0;
    found_older = 1'b0;
    for (k = RETIRE_W - 1; k >= 0; k = k - 1) begin
      if (ret_valid_i[k]) begin
        if (leap[k] & ~found) prior = next_pc;
        if (leap[k] & ~found_older & ~(last & retired_i)) older = next_pc;
        found       = found | leap[k];
        found_older = found_older | leap[k] & ~(last & retired_i);
        last        = 1'b0;
        next_pc     = ret_pc_i[k*XLEN +: XLEN];
      end
    end
  end
  always @(posedge clk) begin
    if (rst)        prior_q <= {XLEN{1'b0}};
    else if (found) prior_q <= prior;
  end

  // ---- pdishdrev, addresses
  always @* begin
    hdrev_o = 64'd0;
    adr1_o  = {XLEN{1'b0}};
    adr2_o  = {XLEN{1'b0}};
    if (look_i) begin
      hdrev_o[31:0]  = hpm_i & had_i;
      hdrev_o[2:0]   = type_i;
      hdrev_o[32]    = flushed_i;
      hdrev_o[34:33] = flush_why_i & {2{flushed_i}};
      hdrev_o[37]    = itmiss_i;
      hdrev_o[38]    = icmiss_i;
      if (memory) begin
        hdrev_o[46:39] = {lltlbmiss_i, l1tlbmiss_i, dsrc_i, llmiss_i, l1miss_i};
      end
      if (transfer) begin
        hdrev_o[51:39] = {12'd0, classed} << (itype_i - TRET);
        hdrev_o[52]    = mispred_i;
      end
      if (flushed_i)
        adr1_o = flush_pc_i;
      else if (memory)
        adr1_o = vaddr_i;
      else if (transfer & retired_i & goes)
        adr1_o = target_i;
      if (flushed_i)
        adr2_o = vaddr_i & {XLEN{memory}};
      else if (memory)
        adr2_o = paddr_i[XLEN-1:0] & {XLEN{pa_i}};
      else if (transfer & ept_i)
        adr2_o = older;
    end
  end
  wire unused_ok = &{1'b0, paddr_i};

  // ---- filters
  reg slow;
  always @* begin
    slow   = 1'b0;
    keep_o = 1'b0;
    if (look_i) begin
      case (filter_i[3:1])
        3'd1:    slow = slow_i[1];
        3'd2:    slow = slow_i[2];
        3'd3:    slow = slow_i[3];
        3'd4:    slow = slow_i[4];
        default: slow = slow_i[0];
      endcase
      keep_o = ~|((hdrev_o[55:0] ^ evmatch_i) & evmask_i) & (slow ^ filter_i[0]);
    end
  end
endmodule

`default_nettype wire
