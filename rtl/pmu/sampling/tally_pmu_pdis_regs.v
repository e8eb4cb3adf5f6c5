// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis_regs - control and filter registers of instruction sampling: mpdisctl, spdisevmask,
// spdisevmatch, spdisfilter and mcountinhibit[1] (event sampling draft, Smpdis).
//
// mpdisctl, spdisctl and vspdisctl are one register; only U and S of V=1 are separate. A write takes effect
// in the next cycle. OF and its interrupt request follow the rules of a counter's: OF is set in the cycle of
// the request, and a write of OF in that cycle wins but does not cancel the request.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_pdis_regs #(
    parameter HPM_N = 29,
    parameter MEM   = 2,   // mpdisctl.MEM, ACC: 0 and 1 are hardwired, 2 is writable
    parameter ACC   = 2,
    parameter [0:0] HYP = 1'b0
) (
    input  wire        clk,
    input  wire        rst,

    output reg         inhibit_o,      // mcountinhibit[1]
    output wire [63:0] ctl_o,          // mpdisctl
    output wire [1:0]  vmodes_o,       // vspdisctl: S, U
    output wire [55:0] evmask_o,
    output wire [55:0] evmatch_o,
    output wire [15:0] filter_o,

    input  wire        of_set_i,       // a sample is kept
    output wire        lcofi_o,        // set LCOFIP

    // access
    input  wire        inhibit_we_i,
    input  wire        inhibit_i,
    input  wire        ctl_we_i,
    input  wire        machine_i,      // at mpdisctl's number: writes M too
    input  wire        guest_i,        // at vspdisctl's number
    input  wire        evmask_we_i,
    input  wire        evmatch_we_i,
    input  wire        filter_we_i,
    input  wire [63:0] wdata_i,        // new value of the whole register
    input  wire [63:0] wmask_i         // bits that the instruction writes
);
  localparam [28:0] HPM = (29'd1 << HPM_N) - 29'd1;

  reg [2:0]  sel_q;
  reg [28:0] hpm_q;
  reg        mem_q, acc_q, ts_q, pa_q, ept_q, u_q, s_q, m_q, of_q, vs_q, vu_q;
  reg [55:0] evmask_q, evmatch_q;
  reg [15:0] filter_q;

  assign ctl_o     = {of_q, m_q, s_q, u_q, 23'd0, ept_q, pa_q, ts_q, acc_q, mem_q, hpm_q, sel_q};
  assign vmodes_o  = {vs_q, vu_q};
  assign evmask_o  = evmask_q;
  assign evmatch_o = evmatch_q;
  assign filter_o  = filter_q;
  assign lcofi_o   = of_set_i & ~of_q;

  always @(posedge clk) begin
    if (rst)               inhibit_o <= 1'b0;
    else if (inhibit_we_i) inhibit_o <= inhibit_i;
  end

  // ---- mpdisctl. Reserved encodings of SEL become 0 (WARL).
  always @(posedge clk) begin
    if (of_set_i) of_q <= 1'b1;
    if (ctl_we_i) begin
      sel_q <= wdata_i[2:0] > `TALLY_PDISSEL_TRANSFERS ? `TALLY_PDISSEL_ALL : wdata_i[2:0];
      hpm_q <= wdata_i[31:3] & HPM;
      mem_q <= wdata_i[`TALLY_MPDISCTL_MEM_LSB];
      acc_q <= wdata_i[`TALLY_MPDISCTL_ACC_LSB];
      ts_q  <= wdata_i[`TALLY_MPDISCTL_TS_LSB];
      ept_q <= wdata_i[`TALLY_MPDISCTL_EPT_LSB];
      if (wmask_i[`TALLY_MPDISCTL_OF_LSB]) of_q <= wdata_i[`TALLY_MPDISCTL_OF_LSB];
      if (guest_i) begin
        vs_q <= wdata_i[`TALLY_MPDISCTL_S_LSB];
        vu_q <= wdata_i[`TALLY_MPDISCTL_U_LSB];
      end else begin
        pa_q <= wdata_i[`TALLY_MPDISCTL_PA_LSB];
        s_q  <= wdata_i[`TALLY_MPDISCTL_S_LSB];
        u_q  <= wdata_i[`TALLY_MPDISCTL_U_LSB];
      end
      if (machine_i) m_q <= wdata_i[`TALLY_MPDISCTL_M_LSB];
    end
    if (rst) {sel_q, hpm_q, ts_q, pa_q, ept_q, u_q, s_q, m_q, of_q} <= 39'd0;
    if (rst | !HYP) {vs_q, vu_q} <= 2'd0;
    if (rst | MEM != 2) mem_q <= MEM == 1;
    if (rst | ACC != 2) acc_q <= ACC == 1;
  end

  // ---- filters. Reserved encodings of spdisfilter.LATSEL, 5 to 7, become 0 (WARL).
  always @(posedge clk) begin
    if (evmask_we_i)  evmask_q  <= wdata_i[55:0];
    if (evmatch_we_i) evmatch_q <= wdata_i[55:0];
    if (filter_we_i)  filter_q  <= {wdata_i[15:13] > 3'd4 ? 3'd0 : wdata_i[15:13], wdata_i[12:0]};
    if (rst) begin
      evmask_q  <= 56'd0;
      evmatch_q <= 56'd0;
      filter_q  <= 16'd0;
    end
  end

  wire unused_ok = &{1'b0, wdata_i, wmask_i};
endmodule

`default_nettype wire
