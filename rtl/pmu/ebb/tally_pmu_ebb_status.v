// SPDX-License-Identifier: Apache-2.0
// tally_pmu_ebb_status - ubescr: the state machine of events (docs/rulings.md, EBB overflow, EBB delivery,
// uebret).
//
// A routed overflow that finds PME=1 is an event: PME becomes 0 and PMEO 1, whatever software writes in that
// cycle. One that finds PME=0 leaves OF, and a write that would set PME finds that flag and makes the event:
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

    output wire        event_o,         // an overflow finds PME=1
    output wire        unheard_o,       // ... PME=0
    output wire        freeze_o,        // no routed counter counts
    output wire        pending_o,       // GE and PMEO

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

  // A write that turns PME on
  wire arms   = we_i & wdata_i[PME] & ~pme_q;
  wire missed = arms & (flagged_i | overflow_i);

  always @(posedge clk) begin
    if (rst) begin
      ge_q   <= 1'b0;
      fz_q   <= 1'b0;
      pme_q  <= 1'b0;
      pmeo_q <= 1'b0;
    end else begin
      if (we_i)             ge_q <= wdata_i[GE];
      else if (uebret_i)    ge_q <= uebret_ge_i;
      else if (delivered_i) ge_q <= 1'b0;
      if (we_i) fz_q <= wdata_i[FZ];
      pme_q  <= (we_i ? wdata_i[PME] : pme_q) & ~event_o & ~missed;
      pmeo_q <= (we_i ? wdata_i[PMEO] : pmeo_q) | event_o | missed;
    end
  end

  assign freeze_o  = fz_q & pmeo_q;
  assign pending_o = ge_q & pmeo_q;

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
