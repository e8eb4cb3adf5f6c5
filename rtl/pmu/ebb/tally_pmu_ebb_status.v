// SPDX-License-Identifier: Apache-2.0
// tally_pmu_ebb_status - ubescr: the state machine of events (docs/rulings.md, EBB overflow, EBB delivery,
// uebret).
//
// A routed overflow with PME=1 is an event: PME becomes 0 and PMEO 1, for any write of software in that
// cycle. With PME=0 only OF is set, and a write that would set PME makes the event of a flag set earlier:
// none is lost. A delivery clears GE, uebret writes it.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_ebb_status (
    input  wire        clk,
    input  wire        rst,

    input  wire        overflow_i,      // a routed counter's OF changes from 0 to 1 (late-arriving)
    input  wire        flagged_i,       // a routed counter's OF is 1
    input  wire        delivered_i,     // the branch is delivered (late-arriving)
    input  wire        uebret_i,
    input  wire        uebret_ge_i,

    output wire        event_o,         // an overflow with PME=1
    output wire        unheard_o,       // ... PME=0: missed
    output wire        freeze_o,        // no routed counter counts
    output wire        ge_next_o,       // GE in the next cycle; PMEO in this one
    output wire        pmeo_o,

    // access
    input  wire        we_i,
    input  wire [31:0] wdata_i,
    output wire [31:0] status_o
);
  localparam GE = `TALLY_UBESCR_GE_LSB, FZ = `TALLY_UBESCR_FZ_LSB, PME = `TALLY_UBESCR_PME_LSB,
             PMEO = `TALLY_UBESCR_PMEO_LSB;

  reg ge_q, fz_q, pme_q, pmeo_q;

  assign event_o   = overflow_i & pme_q;
  assign unheard_o = overflow_i & ~pme_q;

  // Events: an overflow with PME=1, or with a write of it; a write of PME with a flag set earlier. The
  // overflow is last in the logic: it clears PME.
  wire heard  = pme_q | we_i & wdata_i[PME];
  wire missed = we_i & wdata_i[PME] & ~pme_q & flagged_i;
  wire pme_next, pmeo_next;
  tally_and_nand u_pme (
      .en_i((we_i ? wdata_i[PME] : pme_q) & ~missed), .mask_i(1'b1), .last_i(overflow_i), .out_o(pme_next)
  );
  tally_or_gated #(.W(1)) u_pmeo (
      .word_i((we_i ? wdata_i[PMEO] : pmeo_q) | missed), .last_en_i(heard), .last_i(overflow_i),
      .word_o(pmeo_next)
  );

  reg ge_next;
  always @* begin
    if (we_i)             ge_next = wdata_i[GE];
    else if (uebret_i)    ge_next = uebret_ge_i;
    else if (delivered_i) ge_next = 1'b0;
    else                  ge_next = ge_q;
  end
  assign ge_next_o = ge_next;

  always @(posedge clk) begin
    if (rst) begin
      ge_q   <= 1'b0;
      fz_q   <= 1'b0;
      pme_q  <= 1'b0;
      pmeo_q <= 1'b0;
    end else begin
      ge_q   <= ge_next;
      if (we_i) fz_q <= wdata_i[FZ];
      pme_q  <= pme_next;
      pmeo_q <= pmeo_next;
    end
  end

  assign freeze_o  = fz_q & pmeo_q;
  assign pmeo_o    = pmeo_q;

  reg [31:0] status;
  always @* begin
    status       = 32'd0;
    status[GE]   = ge_q;
    status[FZ]   = fz_q;
    status[PME]  = pme_q;
    status[PMEO] = pmeo_q;
  end
  assign status_o = status;

  wire unused_ok = &{1'b0, wdata_i};
endmodule

`default_nettype wire
