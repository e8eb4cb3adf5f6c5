// SPDX-License-Identifier: Apache-2.0
// tally_trap - privilege mode, mstatus, and the registers of traps: entry, return, and where they lead.
//
// At most one trap or return a cycle, late-arriving; state changes at the clock edge. Privileged manual,
// Machine Status (mstatus) Register, Machine Trap-Vector Base-Address Register, and the sections after it.

`default_nettype none
`include "tally_spec.vh"

module tally_trap #(
    parameter XLEN = 64
) (
    input  wire            clk,
    input  wire            rst,

    // traps and returns (late-arriving)
    input  wire            trap_i,
    input  wire            trap_irq_i,      // it is the interrupt of irq_*_i
    input  wire [3:0]      trap_cause_i,    // of an exception
    input  wire [XLEN-1:0] trap_epc_i,
    input  wire [XLEN-1:0] trap_tval_i,
    input  wire            irq_to_s_i,
    input  wire [4:0]      irq_cause_i,
    output wire [XLEN-1:0] trap_target_o,
    output wire [XLEN-1:0] trap_xcause_o,   // new value of mcause or scause
    input  wire            mret_i,
    input  wire            sret_i,

    // a CSR is written; wdata_i is its new value
    input  wire            we_i,
    input  wire [11:0]     num_i,
    input  wire [XLEN-1:0] wdata_i,

    output wire [1:0]      priv_o,
    output wire [XLEN-1:0] mstatus_o,
    output wire [XLEN-1:0] mtvec_o,
    output wire [XLEN-1:0] mepc_o,
    output wire [XLEN-1:0] mcause_o,
    output wire [XLEN-1:0] mtval_o,
    output wire [XLEN-1:0] stvec_o,
    output wire [XLEN-1:0] sepc_o,
    output wire [XLEN-1:0] scause_o,
    output wire [XLEN-1:0] stval_o,
    output wire [31:0]     medeleg_o
);
  localparam [63:0] MEDELEG_MASK = `TALLY_MEDELEG_WMASK;
  localparam [4:0]  ANDES        = `TALLY_INT_ANDES;

  reg [1:0]      priv_q;
  reg            sie_q, mie_q, spie_q, mpie_q, spp_q, mprv_q, sum_q, mxr_q, tvm_q, tw_q, tsr_q;
  reg [1:0]      mpp_q;
  reg [XLEN-1:0] mtvec_q, mepc_q, mcause_q, mtval_q, stvec_q, sepc_q, scause_q, stval_q;
  reg [31:0]     medeleg_q;

  reg [XLEN-1:0] mstatus;
  always @* begin
    mstatus                           = `TALLY_MSTATUS_RESET;
    mstatus[`TALLY_MSTATUS_TSR_LSB]   = tsr_q;
    mstatus[`TALLY_MSTATUS_TW_LSB]    = tw_q;
    mstatus[`TALLY_MSTATUS_TVM_LSB]   = tvm_q;
    mstatus[`TALLY_MSTATUS_MXR_LSB]   = mxr_q;
    mstatus[`TALLY_MSTATUS_SUM_LSB]   = sum_q;
    mstatus[`TALLY_MSTATUS_MPRV_LSB]  = mprv_q;
    mstatus[`TALLY_MSTATUS_MPP_MSB:`TALLY_MSTATUS_MPP_LSB] = mpp_q;
    mstatus[`TALLY_MSTATUS_SPP_LSB]   = spp_q;
    mstatus[`TALLY_MSTATUS_MPIE_LSB]  = mpie_q;
    mstatus[`TALLY_MSTATUS_SPIE_LSB]  = spie_q;
    mstatus[`TALLY_MSTATUS_MIE_LSB]   = mie_q;
    mstatus[`TALLY_MSTATUS_SIE_LSB]   = sie_q;
  end

  // ---------------------------------------------------------------------------------------------------------
  // Where a trap leads

  // An interrupt's target is worked out before it is known whether the interrupt is taken.
  wire            to_s     = trap_irq_i ? irq_to_s_i : priv_q != 2'd3 && medeleg_q[{1'b0, trap_cause_i}];
  // The Andes interrupt is 18 in M-mode and 256 + 18 in S-mode (AndeStar V5).
  wire [8:0]      irq_code = {irq_to_s_i && irq_cause_i == ANDES, 3'b0, irq_cause_i};
  wire            irq_vec  = irq_to_s_i ? stvec_q[0] : mtvec_q[0];
  wire [XLEN-1:2] irq_base = irq_to_s_i ? stvec_q[XLEN-1:2] : mtvec_q[XLEN-1:2];
  wire [XLEN-1:0] irq_to   = {irq_base + (irq_vec ? {{XLEN-11{1'b0}}, irq_code} : {XLEN-2{1'b0}}), 2'b00};
  wire [XLEN-1:0] exc_to   = {to_s ? stvec_q[XLEN-1:2] : mtvec_q[XLEN-1:2], 2'b00};
  wire [XLEN-1:0] xcause   = {trap_irq_i, {XLEN-10{1'b0}}, trap_irq_i ? irq_code : {5'b0, trap_cause_i}};

  assign trap_target_o = trap_irq_i ? irq_to : exc_to;
  assign trap_xcause_o = xcause;

  // ---------------------------------------------------------------------------------------------------------
  // Mode and mstatus

  wire       mstatus_we = we_i && num_i == `TALLY_CSR_MSTATUS;
  wire       sstatus_we = we_i && num_i == `TALLY_CSR_SSTATUS;
  wire [1:0] new_mpp    = wdata_i[`TALLY_MSTATUS_MPP_MSB:`TALLY_MSTATUS_MPP_LSB];

  always @(posedge clk) begin
    if (rst) begin
      priv_q    <= 2'd3;
      sie_q     <= 1'b0;
      mie_q     <= 1'b0;
      spie_q    <= 1'b0;
      mpie_q    <= 1'b0;
      spp_q     <= 1'b0;
      mpp_q     <= 2'd0;
      mprv_q    <= 1'b0;
      sum_q     <= 1'b0;
      mxr_q     <= 1'b0;
      tvm_q     <= 1'b0;
      tw_q      <= 1'b0;
      tsr_q     <= 1'b0;
    end else if (trap_i && to_s) begin
      priv_q <= 2'd1;
      spie_q <= sie_q;
      sie_q  <= 1'b0;
      spp_q  <= priv_q[0];
    end else if (trap_i) begin
      priv_q    <= 2'd3;
      mpie_q    <= mie_q;
      mie_q     <= 1'b0;
      mpp_q     <= priv_q;
    end else if (mret_i) begin
      priv_q    <= mpp_q;
      mie_q <= mpie_q;
      mpie_q    <= 1'b1;
      mpp_q     <= 2'd0;
      if (mpp_q != 2'd3) mprv_q <= 1'b0;
    end else if (sret_i) begin
      priv_q <= {1'b0, spp_q};
      sie_q  <= spie_q;
      spie_q <= 1'b1;
      spp_q  <= 1'b0;
      mprv_q <= 1'b0;
    end else if (mstatus_we || sstatus_we) begin
      sie_q  <= wdata_i[`TALLY_MSTATUS_SIE_LSB];
      spie_q <= wdata_i[`TALLY_MSTATUS_SPIE_LSB];
      spp_q  <= wdata_i[`TALLY_MSTATUS_SPP_LSB];
      sum_q  <= wdata_i[`TALLY_MSTATUS_SUM_LSB];
      mxr_q  <= wdata_i[`TALLY_MSTATUS_MXR_LSB];
      if (mstatus_we) begin
        mie_q <= wdata_i[`TALLY_MSTATUS_MIE_LSB];
        mpie_q    <= wdata_i[`TALLY_MSTATUS_MPIE_LSB];
        if (new_mpp != 2'd2) mpp_q <= new_mpp;
        mprv_q    <= wdata_i[`TALLY_MSTATUS_MPRV_LSB];
        tvm_q     <= wdata_i[`TALLY_MSTATUS_TVM_LSB];
        tw_q      <= wdata_i[`TALLY_MSTATUS_TW_LSB];
        tsr_q     <= wdata_i[`TALLY_MSTATUS_TSR_LSB];
      end
    end
  end

  // ---------------------------------------------------------------------------------------------------------
  // The registers of traps

  always @(posedge clk) begin
    if (trap_i && !to_s) begin
      mepc_q   <= trap_epc_i;
      mcause_q <= xcause;
      mtval_q  <= trap_tval_i;
    end else if (we_i) begin
      case (num_i)
        `TALLY_CSR_MEPC:   mepc_q   <= {wdata_i[XLEN-1:1], 1'b0};
        `TALLY_CSR_MCAUSE: mcause_q <= wdata_i;
        `TALLY_CSR_MTVAL:  mtval_q  <= wdata_i;
        default: ;
      endcase
    end
    if (trap_i && to_s) begin
      sepc_q   <= trap_epc_i;
      scause_q <= xcause;
      stval_q  <= trap_tval_i;
    end else if (we_i) begin
      case (num_i)
        `TALLY_CSR_SEPC:   sepc_q   <= {wdata_i[XLEN-1:1], 1'b0};
        `TALLY_CSR_SCAUSE: scause_q <= wdata_i;
        `TALLY_CSR_STVAL:  stval_q  <= wdata_i;
        default: ;
      endcase
    end
    if (rst) begin
      mepc_q   <= {XLEN{1'b0}};
      mcause_q <= {XLEN{1'b0}};
      mtval_q  <= {XLEN{1'b0}};
      sepc_q   <= {XLEN{1'b0}};
      scause_q <= {XLEN{1'b0}};
      stval_q  <= {XLEN{1'b0}};
    end
  end

  always @(posedge clk) begin
    if (rst) begin
      mtvec_q   <= {XLEN{1'b0}};
      stvec_q   <= {XLEN{1'b0}};
      medeleg_q <= 32'b0;
    end else if (we_i) begin
      case (num_i)
        `TALLY_CSR_MTVEC:   mtvec_q   <= {wdata_i[XLEN-1:2], 1'b0, wdata_i[0]};
        `TALLY_CSR_STVEC:   stvec_q   <= {wdata_i[XLEN-1:2], 1'b0, wdata_i[0]};
        `TALLY_CSR_MEDELEG: medeleg_q <= wdata_i[31:0] & MEDELEG_MASK[31:0];
        default: ;
      endcase
    end
  end

  assign priv_o    = priv_q;
  assign mstatus_o = mstatus;
  assign mtvec_o   = mtvec_q;
  assign mepc_o    = mepc_q;
  assign mcause_o  = mcause_q;
  assign mtval_o   = mtval_q;
  assign stvec_o   = stvec_q;
  assign sepc_o    = sepc_q;
  assign scause_o  = scause_q;
  assign stval_o   = stval_q;
  assign medeleg_o = medeleg_q;

  wire unused_ok = &{1'b0, MEDELEG_MASK[63:32]};
endmodule

`default_nettype wire
