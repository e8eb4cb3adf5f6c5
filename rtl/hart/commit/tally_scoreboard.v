// SPDX-License-Identifier: Apache-2.0
// tally_scoreboard - the scoreboard (ROB): an entry from its dispatch over its completion to its retirement.
//
// A ring of entries, in program order. Two may complete in a cycle: one of EX, one of the result bus, which
// load/store unit and multiplier share. The oldest entry is read a cycle ahead, together with the units'
// reports of that cycle, so that retirement of the oldest instruction is decided from a register. An
// entry that is dispatched in this cycle is seen a cycle later: no unit has completed it by then.

`default_nettype none
`include "tally_spec.vh"
`include "tally_hart.vh"

module tally_scoreboard #(
    parameter XLEN  = 64,
    parameter TAG_W = 3
) (
    input  wire             clk,
    input  wire             rst,

    // dispatch
    output wire             d_ready_o,      // a flush or squash stops dispatch by itself
    output wire [TAG_W-1:0] d_tag_o,
    input  wire             d_valid_i,
    input  wire [31:0]      d_insn_i,
    input  wire             d_rvc_i,
    input  wire [4:0]       d_rd_i,
    input  wire             d_rdwe_i,
    input  wire [2:0]       d_unit_i,
    input  wire [2:0]       d_funct3_i,
    input  wire [3:0]       d_sys_i,
    input  wire [2:0]       d_ls_op_i,
    input  wire [3:0]       d_itype_i,
    input  wire             d_exc_i,
    input  wire [3:0]       d_cause_i,
    input  wire             d_half_i,
    input  wire             d_icmiss_i,
    input  wire             d_itmiss_i,

    // completion: of EX; of the load/store unit or the multiplier, which share a result bus
    input  wire             ex_done_i,
    input  wire [TAG_W-1:0] ex_tag_i,
    input  wire [XLEN-1:0]  ex_value_i,
    input  wire             ex_mispred_i,   // late-arriving: everything younger than ex_tag_i goes
    input  wire [XLEN-1:0]  ex_next_pc_i,
    input  wire [3:0]       ex_itype_i,
    input  wire             res_done_i,     // late-arriving
    input  wire             res_early_i,    // the same, but for accesses that PMP denies; early
    input  wire [TAG_W-1:0] res_tag_i,
    input  wire [XLEN-1:0]  res_value_i,    // or tval with lc_exc_i
    input  wire             lc_done_i,      // ... it is the load/store unit's
    input  wire             lc_certain_i,   // ... the same
    input  wire             lc_exc_i,
    input  wire [3:0]       lc_cause_i,
    input  wire [XLEN-1:0]  lc_vaddr_i,
    input  wire [55:0]      lc_paddr_i,
    input  wire [`TALLY_LSF_N-1:0] lc_flags_i,

    // operands of IS
    input  wire [TAG_W-1:0] src1_tag_i,
    input  wire             src1_res_i,     // it completes on the result bus
    output wire             src1_done_o,
    output wire [XLEN-1:0]  src1_value_o,
    input  wire [TAG_W-1:0] src2_tag_i,
    input  wire             src2_res_i,
    output wire             src2_done_o,
    output wire [XLEN-1:0]  src2_value_o,

    // commit (late-arriving)
    input  wire             retire_i,       // the oldest retires
    input  wire             flush_i,        // everything that has not retired goes
    input  wire             ad_i,           // the oldest runs alone

    // the oldest entry, registered
    output wire             head_valid_o,
    output wire [TAG_W-1:0] head_tag_o,
    output wire [31:0]      head_insn_o,
    output wire [`TALLY_ROB_W-1:0] head_info_o,
    output wire             head_done_o,
    output wire             head_plain_o,   // it is done, and retires by itself;
    output wire             head_trap_o,    // is done, and traps;
    output wire             head_again_o,   // is done, and has to run again to set A or D
    output wire             head_exc_o,     // it traps, done or not
    output wire             head_fault_o,   // a memory access that failed
    output wire [3:0]       head_cause_o,
    output wire             head_sys_o,     // it acts at commit
    output wire [`TALLY_EVR_N-1:0] head_events_o,

    // ... and its places in the memories
    output wire [XLEN-1:0]  head_value_o,
    output wire [XLEN-1:0]  head_next_o,    // of a control transfer

    // an entry's memory access that is done
    input  wire [TAG_W-1:0] sample_tag_i,
    output wire [XLEN-1:0]  sample_vaddr_o,
    output wire [55:0]      sample_paddr_o
);
  localparam ROB_N = 1 << TAG_W;

  localparam [TAG_W:0]   ONE   = 1;
  localparam [TAG_W-1:0] ONE_T = 1;

  // ---------------------------------------------------------------------------------------------------------
  // The entries: fields written by dispatch, fields written by units

  reg [31:0]       insn_q   [0:ROB_N-1];
  reg [`TALLY_ROB_W-1:0] info_q [0:ROB_N-1];
  reg [XLEN-1:0]   ex_q     [0:ROB_N-1];   // results of EX,
  reg [XLEN-1:0]   res_q    [0:ROB_N-1];   // and of the result bus: memories, each with one write port
  reg [ROB_N-1:0]  low_q;                  // bit 0 of the latter
  reg [XLEN-1:0]   next_q   [0:ROB_N-1];   // of control transfers
  reg [3:0]        itype_q  [0:ROB_N-1];   // of control transfers, as resolved
  reg [ROB_N-1:0]  mispred_q;
  reg [XLEN-1:0]   vaddr_q  [0:ROB_N-1];   // of memory accesses
  reg [55:0]       paddr_q  [0:ROB_N-1];
  reg [`TALLY_LSF_N-1:0] flags_q [0:ROB_N-1];
  reg [3:0]        cause_q [0:ROB_N-1];
  reg [ROB_N-1:0]  fault_q;
  reg [ROB_N-1:0]  done_q;

  reg [TAG_W:0]    head_q, tail_q;         // one bit more than an index: full and empty differ
  wire [TAG_W-1:0] head  = head_q[TAG_W-1:0];
  wire [TAG_W-1:0] tail  = tail_q[TAG_W-1:0];
  wire             empty = head_q == tail_q;
  wire             full  = head == tail && !empty;

  reg              block_q;   // a serialising instruction is on its way: nothing behind it is dispatched

  integer n;
  initial for (n = 0; n < ROB_N; n = n + 1) begin
    insn_q[n]   = 32'b0;
    info_q[n]   = {`TALLY_ROB_W{1'b0}};
    ex_q[n]  = {XLEN{1'b0}};
    res_q[n]   = {XLEN{1'b0}};
    next_q[n]   = {XLEN{1'b0}};
    itype_q[n]  = 4'b0;
    vaddr_q[n]  = {XLEN{1'b0}};
    paddr_q[n]  = 56'b0;
    flags_q[n]  = {`TALLY_LSF_N{1'b0}};
    cause_q[n] = 4'b0;
  end

  wire d_serial = d_unit_i == `TALLY_U_SYS || d_exc_i;

  assign d_ready_o = !full && !block_q && !(ad_i && !empty);
  assign d_tag_o   = tail;

  // Dispatch is late-arriving: the free entry is written in every cycle, and tail_q alone decides.
  always @(posedge clk) begin
    if (!full) begin
      insn_q[tail] <= d_insn_i;
      info_q[tail] <= {d_rd_i, d_rdwe_i, d_unit_i, d_funct3_i, d_sys_i, d_ls_op_i, d_itype_i, d_cause_i,
                       d_exc_i, d_half_i, d_rvc_i, d_icmiss_i, d_itmiss_i};
    end
  end

  always @(posedge clk) begin
    if (ex_done_i) begin
      ex_q[ex_tag_i] <= ex_value_i;
      next_q[ex_tag_i]  <= ex_next_pc_i;
      itype_q[ex_tag_i] <= ex_itype_i;
    end
    if (res_done_i) begin
      res_q[res_tag_i] <= res_value_i;
      low_q[res_tag_i]  <= res_value_i[0];
    end
    if (lc_done_i) begin
      vaddr_q[res_tag_i]  <= lc_vaddr_i;
      paddr_q[res_tag_i]  <= lc_paddr_i;
      flags_q[res_tag_i]  <= lc_flags_i;
      cause_q[res_tag_i] <= lc_cause_i;
    end
    if (!full) begin
      done_q[tail]    <= d_exc_i;
      fault_q[tail]    <= 1'b0;
      mispred_q[tail] <= 1'b0;
    end
    if (ex_done_i) begin
      done_q[ex_tag_i]    <= 1'b1;
      mispred_q[ex_tag_i] <= ex_mispred_i;
    end
    if (res_done_i) begin
      done_q[res_tag_i] <= 1'b1;
      fault_q[res_tag_i] <= lc_done_i && lc_exc_i;
    end
  end

  assign src1_done_o  = done_q[src1_tag_i];
  assign src1_value_o = src1_res_i ? res_q[src1_tag_i] : ex_q[src1_tag_i];
  assign src2_done_o  = done_q[src2_tag_i];
  assign src2_value_o = src2_res_i ? res_q[src2_tag_i] : ex_q[src2_tag_i];

  // ---------------------------------------------------------------------------------------------------------
  // The oldest entry, a cycle ahead

  wire [TAG_W-1:0] behind = head + ONE_T;

  wire                    first_done, first_exc, first_ad, first_fault, first_sys;
  wire [3:0]              first_cause;
  wire [`TALLY_EVR_N-1:0] first_events;

  tally_rob_entry u_first (
      .valid_i(!empty), .info_i(info_q[head]), .done_i(done_q[head]),
      .fault_i(fault_q[head]), .cause_i(cause_q[head]), .flags_i(flags_q[head]), .low_i(low_q[head]),
      .itype_i(itype_q[head]), .mispred_i(mispred_q[head]),
      .ex_i(ex_done_i && ex_tag_i == head), .ex_itype_i(ex_itype_i), .ex_mispred_i(ex_mispred_i),
      .res_i(res_early_i && res_tag_i == head), .lc_i(lc_certain_i && res_tag_i == head),
      .lc_exc_i(lc_exc_i), .lc_cause_i(lc_cause_i), .lc_flags_i(lc_flags_i), .lc_low_i(res_value_i[0]),
      .done_o(first_done), .exc_o(first_exc), .ad_o(first_ad), .fault_o(first_fault), .cause_o(first_cause),
      .sys_o(first_sys), .events_o(first_events)
  );

  wire                    second_done, second_exc, second_ad, second_fault, second_sys;
  wire [3:0]              second_cause;
  wire [`TALLY_EVR_N-1:0] second_events;

  tally_rob_entry u_second (
      .valid_i(tail_q != head_q + ONE), .info_i(info_q[behind]), .done_i(done_q[behind]),
      .fault_i(fault_q[behind]), .cause_i(cause_q[behind]), .flags_i(flags_q[behind]), .low_i(low_q[behind]),
      .itype_i(itype_q[behind]), .mispred_i(mispred_q[behind]),
      .ex_i(ex_done_i && ex_tag_i == behind), .ex_itype_i(ex_itype_i), .ex_mispred_i(ex_mispred_i),
      .res_i(res_early_i && res_tag_i == behind), .lc_i(lc_certain_i && res_tag_i == behind),
      .lc_exc_i(lc_exc_i), .lc_cause_i(lc_cause_i), .lc_flags_i(lc_flags_i), .lc_low_i(res_value_i[0]),
      .done_o(second_done), .exc_o(second_exc), .ad_o(second_ad), .fault_o(second_fault),
      .cause_o(second_cause),
      .sys_o(second_sys), .events_o(second_events)
  );

  wire done_d = (retire_i ? second_done : first_done) && !flush_i && !rst;
  wire exc_d  = retire_i ? second_exc : first_exc;
  wire ad_d   = retire_i ? second_ad : first_ad;
  wire sys_d  = retire_i ? second_sys : first_sys;

  reg  [`TALLY_ROB_W-1:0] head_info_q;
  reg  [31:0]             head_insn_q;
  reg                     head_done_q, head_plain_q, head_trap_q, head_again_q, head_exc_q, head_fault_q;
  reg                     head_sys_q;
  reg  [3:0]              head_cause_q;
  reg  [`TALLY_EVR_N-1:0] head_events_q;

  always @(posedge clk) begin
    head_info_q    <= retire_i ? info_q[behind] : info_q[head];
    head_insn_q    <= retire_i ? insn_q[behind] : insn_q[head];
    head_done_q    <= done_d;
    head_plain_q   <= done_d && !exc_d && !sys_d;
    head_trap_q    <= done_d && exc_d && !ad_d;
    head_again_q   <= done_d && ad_d;
    head_exc_q     <= exc_d;
    head_sys_q     <= sys_d;
    head_fault_q   <= retire_i ? second_fault : first_fault;
    head_cause_q   <= retire_i ? second_cause : first_cause;
    head_events_q  <= retire_i ? second_events : first_events;
  end

  wire [2:0] unit   = head_info_q[`TALLY_ROB_UNIT +: 3];
  wire       mem    = unit == `TALLY_U_MEM;
  wire       on_bus = mem || unit == `TALLY_U_MUL || unit == `TALLY_U_DIV || unit == `TALLY_U_COUNT;

  assign head_valid_o   = !empty;
  assign head_tag_o     = head;
  assign head_insn_o    = head_insn_q;
  assign head_info_o    = head_info_q;
  assign head_done_o    = head_done_q;
  assign head_plain_o   = head_plain_q;
  assign head_trap_o    = head_trap_q;
  assign head_again_o   = head_again_q;
  assign head_exc_o     = head_exc_q;
  assign head_fault_o   = mem && head_fault_q;
  assign head_cause_o   = head_cause_q;
  assign head_sys_o     = head_sys_q;
  assign head_events_o  = head_events_q;
  assign head_value_o   = on_bus ? res_q[head] : ex_q[head];
  assign head_next_o    = next_q[head];
  assign sample_vaddr_o = vaddr_q[sample_tag_i];
  assign sample_paddr_o = paddr_q[sample_tag_i];

  // ---------------------------------------------------------------------------------------------------------
  // The ring

  // A squash keeps everything up to the mispredicted transfer.
  wire [TAG_W-1:0] keep = ex_tag_i - head + ONE_T;
  wire [TAG_W:0]   kept = {keep == {TAG_W{1'b0}}, keep};

  always @(posedge clk) begin
    if (rst) begin
      head_q  <= {TAG_W+1{1'b0}};
      tail_q  <= {TAG_W+1{1'b0}};
      block_q <= 1'b0;
    end else begin
      if (retire_i) head_q <= head_q + ONE;

      if (flush_i)           tail_q <= retire_i ? head_q + ONE : head_q;
      else if (ex_mispred_i) tail_q <= head_q + kept;
      else if (d_valid_i)    tail_q <= tail_q + ONE;

      if (flush_i || ex_mispred_i || (retire_i && head_sys_q)) block_q <= 1'b0;
      else if (d_valid_i && d_serial)                          block_q <= 1'b1;
    end
  end

  // Read by the harness, by name; no logic depends on it
  /* verilator lint_off UNUSEDSIGNAL */
  wire [TAG_W:0]   probe_used      = tail_q - head_q;
  wire [ROB_N-1:0] probe_done      = done_q;
  wire [XLEN-1:0]  probe_mem_vaddr = mem ? vaddr_q[head] : {XLEN{1'b0}};
  wire [55:0]      probe_mem_paddr = mem ? paddr_q[head] : 56'b0;
  /* verilator lint_on UNUSEDSIGNAL */
endmodule

`default_nettype wire
