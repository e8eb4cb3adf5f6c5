// SPDX-License-Identifier: Apache-2.0
// tally_rvfi_check - whether an RVFI stream keeps the interface's own rules, and those of tally_rvfi.
//
// A rule that is broken in a cycle has its bit in broken_o in that cycle; rule_o is the name of the lowest
// one in ASCII (0: none), which wave viewers show as text; seen_o keeps the bits until reset. After a broken
// rule the stream is checked from the new instruction on. It only observes.
//
//   0 ORDER  a lane's order is not the last one plus 1 (lane 0 is the oldest)
//   1 TRAP   an instruction traps and writes memory
//   2 MODE   mode 2
//   3 IXL    ixl is not that of XLEN (1: 32, 2: 64), or wider than XLEN
//   4 PC     the pc is odd, or differs from the previous instruction's next pc (no trap, no intr)
//   5 HALT   an instruction retires after the one with halt
//   6 INSN   compressed code with a bit above 15 set
//   7 LANES  lanes of one cycle have different modes (RVFI allows that; the unit has one mode a cycle)
// ORDER and PC are not checked for the first instruction after reset.

`default_nettype none

module tally_rvfi_check #(
    parameter XLEN  = 64,
    parameter NRET  = 1,
    parameter RULES = 8               // not to be changed at an instance
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [NRET-1:0]      rvfi_valid_i,
    input  wire [NRET*64-1:0]   rvfi_order_i,
    input  wire [NRET*32-1:0]   rvfi_insn_i,
    input  wire [NRET-1:0]      rvfi_trap_i,
    input  wire [NRET-1:0]      rvfi_halt_i,
    input  wire [NRET-1:0]      rvfi_intr_i,
    input  wire [NRET*2-1:0]    rvfi_mode_i,
    input  wire [NRET*2-1:0]    rvfi_ixl_i,
    input  wire [NRET*XLEN-1:0] rvfi_pc_rdata_i,
    input  wire [NRET*XLEN-1:0] rvfi_pc_wdata_i,
    input  wire [NRET*XLEN/8-1:0] rvfi_mem_wmask_i,
    output reg  [RULES-1:0]     broken_o,
    output reg  [RULES-1:0]     seen_o,
    output reg  [39:0]          rule_o
);
  localparam ORDER = 0, TRAP = 1, MODE = 2, IXL = 3, PC = 4, HALT = 5, INSN = 6, LANES = 7;

  // ---- the instruction before
  reg            begun_q, trap_q, halt_q, begun, trap, halt, other;
  reg [63:0]     order_q, order;
  reg [XLEN-1:0] next_q, next;
  reg [1:0]      first;

  // ---- lane by lane
  integer n;
  always @* begin
    broken_o = {RULES{1'b0}};
    first    = 2'd0;
    other    = 1'b0;
    {begun, trap, halt, order, next} = {begun_q, trap_q, halt_q, order_q, next_q};
    for (n = 0; n < NRET; n = n + 1)
      if (rvfi_valid_i[n]) begin
        broken_o[ORDER] = broken_o[ORDER] | begun & rvfi_order_i[n*64 +: 64] != order;
        broken_o[TRAP]  = broken_o[TRAP] | rvfi_trap_i[n] & |rvfi_mem_wmask_i[n*XLEN/8 +: XLEN/8];
        broken_o[MODE]  = broken_o[MODE] | rvfi_mode_i[n*2 +: 2] == 2'd2;
        broken_o[IXL]   = broken_o[IXL] | ^rvfi_ixl_i[n*2 +: 2] == 1'b0 | XLEN == 32 & rvfi_ixl_i[n*2+1];
        broken_o[PC]    = broken_o[PC] | rvfi_pc_rdata_i[n*XLEN]
                        | begun & ~trap & ~rvfi_intr_i[n] & rvfi_pc_rdata_i[n*XLEN +: XLEN] != next;
        broken_o[HALT]  = broken_o[HALT] | halt;
        broken_o[INSN]  = broken_o[INSN] | ~&rvfi_insn_i[n*32 +: 2] & |rvfi_insn_i[n*32+16 +: 16];
        broken_o[LANES] = broken_o[LANES] | other & rvfi_mode_i[n*2 +: 2] != first;
        if (!other) first = rvfi_mode_i[n*2 +: 2];
        other = 1'b1;
        begun = 1'b1;
        trap  = rvfi_trap_i[n];
        halt  = rvfi_halt_i[n];
        order = rvfi_order_i[n*64 +: 64] + 64'd1;
        next  = rvfi_pc_wdata_i[n*XLEN +: XLEN];
      end
    rule_o = broken_o[ORDER] ? "ORDER" : broken_o[TRAP] ? "TRAP" : broken_o[MODE] ? "MODE"
           : broken_o[IXL] ? "IXL" : broken_o[PC] ? "PC" : broken_o[HALT] ? "HALT"
           : broken_o[INSN] ? "INSN" : broken_o[LANES] ? "LANES" : 40'd0;
  end

  always @(posedge clk) begin
    {trap_q, halt_q, order_q, next_q} <= {trap, halt, order, next};
    seen_o  <= rst ? {RULES{1'b0}} : seen_o | broken_o;
    begun_q <= ~rst & begun;
    if (rst) halt_q <= 1'b0;
  end
endmodule

`default_nettype wire
