// SPDX-License-Identifier: Apache-2.0
// tally_interrupts - mip, mie and mideleg; which interrupt is to be taken next, and in which mode.
//
// Interrupts for M-mode come first, then those delegated to S-mode; within each MEI MSI MTI SEI SSI STI LCOFI
// LAMBI, and the Andes interrupt last. Lines of devices, the timer and the mask of enabled interrupts are
// registered. The unit's requests (LCOFI, LAMBI, Andes) are not: they precede the next retirement. They come
// last in the order, so that the rest is decided beside them.
//
// Privileged manual, Machine Interrupt (mip and mie) Registers; Sstc;
// docs/rulings.md, LCOFIP cleared and set.

`default_nettype none
`include "tally_spec.vh"

module tally_interrupts (
    input  wire        clk,
    input  wire        rst,

    // device lines, timer, requests of the unit
    input  wire        irq_msip_i,
    input  wire        irq_mtip_i,
    input  wire        irq_meip_i,
    input  wire        irq_seip_i,
    input  wire [63:0] time_i,
    input  wire [63:0] stimecmp_i,
    input  wire        stce_i,          // menvcfg.STCE: STIP is the comparison with stimecmp
    input  wire        set_lcofip_i,
    input  wire        set_lambip_i,
    input  wire        set_andes_i,

    // writes of software; wdata_i is the new value of the register
    input  wire        mip_we_i,
    input  wire        sip_we_i,
    input  wire        slip_we_i,
    input  wire        mie_we_i,
    input  wire        sie_we_i,
    input  wire        slie_we_i,
    input  wire        mideleg_we_i,
    input  wire        mslideleg_we_i,
    input  wire [31:0] wdata_i,

    // mode and its global enables
    input  wire [1:0]  priv_i,
    input  wire        mstatus_mie_i,
    input  wire        mstatus_sie_i,

    output wire [31:0] mip_o,
    output wire [31:0] mip_written_o,   // mip as CSRRS and CSRRC change it
    output wire [31:0] mie_o,
    output wire [31:0] mideleg_o,
    output wire        lcofip_o,

    output wire        irq_o,           // one is to be taken before the next instruction;
                                        // not valid in the cycle after a trap, a return or a write
    output wire        irq_to_s_o,      // ... in S-mode
    output wire [4:0]  irq_cause_o,
    output wire        wake_o           // mip & mie is not 0; the unit's bits of it a cycle later
);
  localparam [4:0] SSI   = `TALLY_INT_SSI, STI = `TALLY_INT_STI, SEI = `TALLY_INT_SEI,
                   MSI   = `TALLY_INT_MSI, MTI = `TALLY_INT_MTI, MEI = `TALLY_INT_MEI,
                   LCOFI = `TALLY_INT_LCOFI, LAMBI = `TALLY_INT_LAMBI, ANDES = `TALLY_INT_ANDES;

  localparam [63:0] MIDELEG_MASK = `TALLY_MIDELEG_WMASK;
  localparam [63:0] MIE_MASK     = `TALLY_MIE_WMASK;

  reg [31:0] mideleg_q, mie_q;
  reg        ssip_q, stip_q, seip_q, lcofip_q, lambip_q, andesip_q;  // the software-writable pending bits
  reg        timer_q, msip_q, mtip_q, meip_q, seip_line_q;           // time >= stimecmp; lines of devices

  wire        stip = stce_i ? timer_q : stip_q;
  wire [31:0] mip_pmu = {31'b0, lcofip_q} << LCOFI | {31'b0, lambip_q} << LAMBI | {31'b0, andesip_q} << ANDES;
  wire [31:0] mip     = {31'b0, ssip_q} << SSI | {31'b0, stip} << STI | {31'b0, seip_q | seip_line_q} << SEI
                      | {31'b0, msip_q} << MSI | {31'b0, mtip_q} << MTI | {31'b0, meip_q} << MEI | mip_pmu;

  assign mip_o         = mip;
  // SEIP's software bit changes by its own old value, without the PLIC's line.
  assign mip_written_o = {mip[31:SEI+1], seip_q, mip[SEI-1:0]};
  assign mie_o         = mie_q;
  assign mideleg_o     = mideleg_q;
  assign lcofip_o      = lcofip_q;

  // ---------------------------------------------------------------------------------------------------------
  // Enable and delegation

  always @(posedge clk) begin
    if (rst) begin
      mideleg_q <= 32'b0;
      mie_q     <= 32'b0;
    end else begin
      if (mideleg_we_i)   mideleg_q        <= wdata_i & MIDELEG_MASK[31:0];
      if (mslideleg_we_i) mideleg_q[ANDES] <= wdata_i[ANDES];
      if (mie_we_i)       mie_q <= wdata_i & MIE_MASK[31:0];
      if (sie_we_i)       mie_q <= (mie_q & ~mideleg_q) | (wdata_i & mideleg_q);
      if (slie_we_i && mideleg_q[ANDES]) mie_q[ANDES] <= wdata_i[ANDES];
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Pending bits: a set by hardware wins over a clear by software in the same cycle

  wire sw_ssip   = mip_we_i || (sip_we_i && mideleg_q[SSI]);
  wire sw_lcofip = mip_we_i || (sip_we_i && mideleg_q[LCOFI]);
  wire sw_lambip = mip_we_i || (sip_we_i && mideleg_q[LAMBI]);
  wire sw_andes  = mip_we_i || ((sip_we_i || slip_we_i) && mideleg_q[ANDES]);

  always @(posedge clk) begin
    if (sw_ssip)             ssip_q    <= wdata_i[SSI];
    if (mip_we_i && !stce_i) stip_q    <= wdata_i[STI];
    if (mip_we_i)            seip_q    <= wdata_i[SEI];
    if (sw_lcofip)           lcofip_q  <= wdata_i[LCOFI];
    if (sw_lambip)           lambip_q  <= wdata_i[LAMBI];
    if (sw_andes)            andesip_q <= wdata_i[ANDES];
    if (set_lcofip_i)        lcofip_q  <= 1'b1;
    if (set_lambip_i)        lambip_q  <= 1'b1;
    if (set_andes_i)         andesip_q <= 1'b1;
    if (rst) begin
      ssip_q    <= 1'b0;
      stip_q    <= 1'b0;
      seip_q    <= 1'b0;
      lcofip_q  <= 1'b0;
      lambip_q  <= 1'b0;
      andesip_q <= 1'b0;
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // Selection

  // The mask changes only with a trap, a return or a CSR access. In the cycle after one tally_commit takes
  // no interrupt, and nothing retires that it would have to precede: a mask which is a cycle old will do.
  reg  [31:0] may_m_q, may_s_q, may_q;
  wire [31:0] may_m = mie_q & ~mideleg_q & {32{priv_i != 2'd3 || mstatus_mie_i}};
  wire [31:0] may_s = mie_q & mideleg_q & {32{priv_i == 2'd0 || (priv_i == 2'd1 && mstatus_sie_i)}};

  always @(posedge clk) begin
    may_m_q <= may_m;
    may_s_q <= may_s;
    may_q   <= may_m | may_s;
  end

  // Device lines and timer: the choice is registered together with the pending bits.
  wire        timer    = time_i >= stimecmp_i;
  wire        stip_next = stce_i ? timer : stip_q;
  wire [31:0] mip_next  = {31'b0, ssip_q} << SSI | {31'b0, stip_next} << STI
                        | {31'b0, seip_q | irq_seip_i} << SEI | {31'b0, irq_msip_i} << MSI
                        | {31'b0, irq_mtip_i} << MTI | {31'b0, irq_meip_i} << MEI;

  wire [31:0] chosen   = (mip_next & may_m) != 32'b0 ? mip_next & may_m : mip_next & may_s;
  reg  [4:0]  first;
  always @* begin
    if      (chosen[MEI]) first = MEI;
    else if (chosen[MSI]) first = MSI;
    else if (chosen[MTI]) first = MTI;
    else if (chosen[SEI]) first = SEI;
    else if (chosen[SSI]) first = SSI;
    else                  first = STI;
  end

  reg        for_m_q, for_s_q, for_q;   // one of them is to be taken in M-mode; in S-mode; at all
  reg  [4:0] first_q;
  reg        wake_q;

  always @(posedge clk) begin
    msip_q      <= irq_msip_i && !rst;
    mtip_q      <= irq_mtip_i && !rst;
    meip_q      <= irq_meip_i && !rst;
    seip_line_q <= irq_seip_i && !rst;
    timer_q     <= timer && !rst;
    for_m_q     <= (mip_next & may_m) != 32'b0;
    for_s_q     <= (mip_next & may_s) != 32'b0;
    for_q       <= (mip_next & (may_m | may_s)) != 32'b0;
    first_q     <= first;
    wake_q      <= ((mip_next | mip_pmu) & mie_q) != 32'b0;
  end

  // The unit's requests, in this cycle
  wire [31:0] pmu_m = mip_pmu & may_m_q;
  wire [31:0] pmu_s = mip_pmu & may_s_q;
  wire [31:0] pmu   = pmu_m != 32'b0 ? pmu_m : pmu_s;
  wire        for_m = for_m_q || pmu_m != 32'b0;

  assign irq_o       = for_q || (mip_pmu & may_q) != 32'b0;
  assign irq_to_s_o  = !for_m;
  assign irq_cause_o = for_m_q || (for_s_q && !for_m) ? first_q :
                       pmu[LCOFI]                       ? LCOFI :
                       pmu[LAMBI]                        ? LAMBI : ANDES;
  assign wake_o      = wake_q;

  wire unused_ok = &{1'b0, chosen, pmu, wdata_i, MIDELEG_MASK[63:32], MIE_MASK[63:32]};
endmodule

`default_nettype wire
