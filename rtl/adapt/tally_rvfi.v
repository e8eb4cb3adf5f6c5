// SPDX-License-Identifier: Apache-2.0
// tally_rvfi - socket for harts that have RVFI, the RISC-V Formal Interface: the ports ev_*, mode_*, dec_*,
// trk_* and ret_* of tally_pmu from retired instructions (docs/cores.md, RVFI).
//
// Combinational, so the unit counts in the cycle in which RVFI reports; RVFI itself is a cycle or more
// behind the hart. Lane 0 is the oldest. An instruction with `trap` does not retire, it is an exception; the
// first one with `intr` behind one that did not trap is an interrupt. The mode between two instructions is
// that of the older one, and the next pc is its next pc; in the cycle of a trap it is the pc of the
// instruction that traps. With more than one lane the youngest
// instruction of a cycle may be sampled, others not.

`include "tally_spec.vh"

`default_nettype none

module tally_rvfi #(
    parameter XLEN  = 64,
    parameter NRET  = 1,                 // RETIRE_W of the unit, 1..8; its DECODE_W is 1
    parameter EVC_W = $clog2(NRET + 1),  // the unit's
    parameter CHECK = 1,                 // 0: without tally_rvfi_check
    parameter EVR_N = `TALLY_EVR_N,      // not to be changed at an instance
    parameter EVC_N = `TALLY_EVC_N,      // likewise
    parameter RULES = 8                  // likewise
) (
    input  wire                   clk,
    input  wire                   rst,

    // the hart's RVFI, and signals that RVFI lacks; 0 where a hart has none
    input  wire [NRET-1:0]        rvfi_valid_i,
    input  wire [NRET*64-1:0]     rvfi_order_i,
    input  wire [NRET*32-1:0]     rvfi_insn_i,
    input  wire [NRET-1:0]        rvfi_trap_i,
    input  wire [NRET-1:0]        rvfi_halt_i,
    input  wire [NRET-1:0]        rvfi_intr_i,
    input  wire [NRET*2-1:0]      rvfi_mode_i,
    input  wire [NRET*2-1:0]      rvfi_ixl_i,
    input  wire [NRET*XLEN-1:0]   rvfi_pc_rdata_i,
    input  wire [NRET*XLEN-1:0]   rvfi_pc_wdata_i,
    input  wire [NRET*XLEN-1:0]   rvfi_mem_addr_i,
    input  wire [NRET*XLEN/8-1:0] rvfi_mem_rmask_i,
    input  wire [NRET*XLEN/8-1:0] rvfi_mem_wmask_i,
    input  wire                   halted_i,      // the hart sleeps (WFI)

    // tally_pmu
    output wire [1:0]             mode_priv_o,
    output wire                   mode_halted_o,
    output wire [NRET*EVR_N-1:0]  ev_retire_o,
    output reg  [EVC_N*EVC_W-1:0] ev_cycle_o,
    output wire [NRET-1:0]        ret_valid_o,
    output wire [NRET*XLEN-1:0]   ret_pc_o,
    output wire [NRET*3-1:0]      ret_mode_o,
    output wire [XLEN-1:0]        ret_next_pc_o,
    output reg                    dec_valid_o,
    output reg  [XLEN-1:0]        dec_pc_o,
    output reg  [2:0]             dec_type_o,
    output wire [2:0]             dec_mode_o,
    input  wire                   dec_sample_i,
    output wire                   trk_retired_o,
    output wire                   trk_trapped_o,
    output reg  [3:0]             trk_itype_o,
    output reg  [EVR_N-1:0]       trk_ev_o,
    output reg  [XLEN-1:0]        trk_vaddr_o,
    output wire [XLEN-1:0]        trk_target_o,

    // tally_rvfi_check: rules that are broken in this cycle, since reset, and the first one's name
    output wire [RULES-1:0]       broken_o,
    output wire [RULES-1:0]       broken_seen_o,
    output wire [39:0]            broken_rule_o
);
  // ---- each lane by itself
  wire [NRET*3-1:0]    kind;
  wire [NRET*4-1:0]    itype;
  wire [NRET*2-1:0]    mode;
  genvar l;
  generate
    for (l = 0; l < NRET; l = l + 1) begin : g_lane
      wire long = &rvfi_insn_i[l*32 +: 2];
      // a branch reaches no further than its offset of 13 bits, the lowest of them 0
      wire [12:1] after = rvfi_pc_rdata_i[l*XLEN+1 +: 12] + {10'd0, long, ~long};
      tally_rvfi_decode #(.XLEN(XLEN)) u_decode (
          .insn_i(rvfi_insn_i[l*32 +: 32]),
          .taken_i(rvfi_pc_wdata_i[l*XLEN+1 +: 12] != after),
          .wrote_i(|rvfi_mem_wmask_i[l*XLEN/8 +: XLEN/8]),
          .event_o(ev_retire_o[l*EVR_N +: EVR_N]), .type_o(kind[l*3 +: 3]), .itype_o(itype[l*4 +: 4])
      );
      // mode 2 is reserved
      assign mode[l*2 +: 2]       = rvfi_mode_i[l*2 +: 2] | {1'b0, rvfi_mode_i[l*2+1]};
      assign ret_mode_o[l*3 +: 3] = {1'b0, mode[l*2 +: 2]};
    end
  endgenerate
  assign ret_pc_o    = rvfi_pc_rdata_i;
  assign ret_valid_o = rvfi_valid_i & ~rvfi_trap_i;

  // ---- the lanes together: the oldest has the mode, the youngest is the one to sample
  reg              trap_q, trap, idle, sample_trap;
  reg  [1:0]       mode_q, oldest_mode, youngest_mode;
  reg  [XLEN-1:0]  next_q, next, stays;   // where it goes on; the oldest that does not retire
  reg  [EVC_W-1:0] exceptions, interrupts;
  integer          n;
  always @* begin
    {exceptions, interrupts}     = {2 * EVC_W{1'b0}};
    {trap, next, sample_trap}    = {trap_q, next_q, 1'b0};
    stays       = next_q;
    {oldest_mode, youngest_mode} = {mode_q, mode_q};
    idle        = 1'b1;
    dec_valid_o = 1'b0;
    dec_pc_o    = {XLEN{1'b0}};
    dec_type_o  = 3'd0;
    trk_itype_o = 4'd0;
    trk_ev_o    = {EVR_N{1'b0}};
    trk_vaddr_o = {XLEN{1'b0}};
    for (n = 0; n < NRET; n = n + 1)
      if (rvfi_valid_i[n]) begin
        exceptions = exceptions + {{EVC_W - 1{1'b0}}, rvfi_trap_i[n]};
        interrupts = interrupts + {{EVC_W - 1{1'b0}}, rvfi_intr_i[n] & ~trap};
        if (!dec_valid_o) oldest_mode = mode[n*2 +: 2];
        idle          = idle & rvfi_trap_i[n];
        youngest_mode = mode[n*2 +: 2];
        trap          = rvfi_trap_i[n];
        next          = rvfi_pc_wdata_i[n*XLEN +: XLEN];
        stays         = rvfi_trap_i[n] ? ret_pc_o[n*XLEN +: XLEN] : next;
        sample_trap   = rvfi_trap_i[n];
        dec_valid_o   = 1'b1;
        dec_pc_o      = ret_pc_o[n*XLEN +: XLEN];
        dec_type_o    = kind[n*3 +: 3];
        trk_itype_o   = itype[n*4 +: 4];
        trk_ev_o      = ev_retire_o[n*EVR_N +: EVR_N];
        trk_vaddr_o   = {XLEN{1'b0}};
        if (|{rvfi_mem_rmask_i[n*XLEN/8 +: XLEN/8], rvfi_mem_wmask_i[n*XLEN/8 +: XLEN/8]})
          trk_vaddr_o = rvfi_mem_addr_i[n*XLEN +: XLEN];
      end
  end
  always @(posedge clk) begin
    {trap_q, mode_q} <= rst ? 3'b011 : {trap, youngest_mode};
    next_q           <= next;
  end

  assign mode_priv_o   = oldest_mode;
  assign mode_halted_o = halted_i & ~dec_valid_o;      // not while a retirement is being reported
  assign dec_mode_o    = {1'b0, youngest_mode};
  assign trk_retired_o = dec_sample_i & dec_valid_o & ~sample_trap;
  assign trk_trapped_o = dec_sample_i & dec_valid_o & sample_trap;
  assign trk_target_o  = next;
  assign ret_next_pc_o = stays;

  always @* begin
    ev_cycle_o = {EVC_N * EVC_W{1'b0}};
    ev_cycle_o[`TALLY_EVC_CYCLE*EVC_W]             = ~mode_halted_o;
    // the time to the next retirement
    ev_cycle_o[`TALLY_EVC_STALL_BE*EVC_W]          = ~mode_halted_o & idle;
    ev_cycle_o[`TALLY_EVC_EXCEPTION*EVC_W +: EVC_W] = exceptions;
    ev_cycle_o[`TALLY_EVC_INTERRUPT*EVC_W +: EVC_W] = interrupts;
  end

  // ---- its rules
  generate
    if (CHECK != 0) begin : g_check
      tally_rvfi_check #(.XLEN(XLEN), .NRET(NRET)) u_check (
          .clk(clk), .rst(rst), .rvfi_valid_i(rvfi_valid_i), .rvfi_order_i(rvfi_order_i),
          .rvfi_insn_i(rvfi_insn_i), .rvfi_trap_i(rvfi_trap_i), .rvfi_halt_i(rvfi_halt_i),
          .rvfi_intr_i(rvfi_intr_i), .rvfi_mode_i(rvfi_mode_i), .rvfi_ixl_i(rvfi_ixl_i),
          .rvfi_pc_rdata_i(rvfi_pc_rdata_i), .rvfi_pc_wdata_i(rvfi_pc_wdata_i),
          .rvfi_mem_wmask_i(rvfi_mem_wmask_i),
          .broken_o(broken_o), .seen_o(broken_seen_o), .rule_o(broken_rule_o)
      );
    end else begin : g_no_check
      assign {broken_o, broken_seen_o, broken_rule_o} = {2 * RULES + 40{1'b0}};
      wire unused_ok = &{1'b0, rvfi_order_i, rvfi_halt_i, rvfi_ixl_i};
    end
  endgenerate
endmodule

`default_nettype wire
