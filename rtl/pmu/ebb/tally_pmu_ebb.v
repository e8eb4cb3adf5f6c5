// SPDX-License-Identifier: Apache-2.0
// tally_pmu_ebb - event-based branches: a user program is called by the overflow of its own counter
// (docs/rulings.md, Event-based branches).
//
// Routed counters (tally_pmu_ebb_gates) make events (tally_pmu_ebb_status). While one is pending and U-mode
// runs, the unit asks for a branch to uebbhr, and the host delivers it between two instructions. The window
// lets the handler clear overflow flags, stop counters and write them. Rights to the registers are those of
// tally_pmu_access_rights; uebbcnt is decoded there to the counter that uebbsel names.
//
// Requests and rights come from registers, env and mode; state changes at the clock edge.

`include "tally_spec.vh"
`include "tally_idle.vh"

`default_nettype none

module tally_pmu_ebb #(
    parameter XLEN  = 64,
    parameter HPM_N = 29,
    parameter [0:0] SMSTATEEN = 1'b1,
    parameter [0:0] HYP       = 1'b0,
    parameter [0:0] SSPESA    = 1'b0,
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire            clk,
    input  wire            rst,

    // the hart
    input  wire            mstateen_c_i,
    input  wire            sstateen_c_i,
    input  wire            cde_i,
    input  wire [1:0]      mode_priv_i,
    input  wire            mode_v_i,
    input  wire            mode_debug_i,
    input  wire            mode_halted_i,
    input  wire            ret_uebret_i,
    input  wire            ret_uebret_ge_i,
    input  wire [XLEN-1:0] ret_next_pc_i,
    output wire            req_o,
    output wire [XLEN-1:0] target_o,
    input  wire            ack_i,
    output wire [XLEN-1:0] return_o,
    output wire            uebret_illegal_o,
    output wire            uebret_virtual_o,

    // counting
    input  wire [31:0]     mcounteren_i,
    input  wire [31:0]     flags_i,
    output wire [31:0]     routed_o,
    output wire [31:0]     stop_o,          // routed counters that do not count
    input  wire            overflow_i,      // OF of a routed counter changes from 0 to 1 (late-arriving)
    output wire [31:0]     flags_clear_o,   // OF that software clears, before the overflows of this cycle,
    output wire [31:0]     flags_we_o,      // ... or writes, after them
    output wire [31:0]     flags_new_o,
    output wire [1:0]      events_o,        // a branch has been delivered; an overflow has found PME=0

    // sampling
    input  wire [XLEN-1:0] cause_i,         // pc of the event; SSPESA

    // access
    output wire            s_open_o,        // gates
    output wire            u_open_o,
    output wire            window_open_o,
    output wire [4:0]      select_o,        // uebbsel,
    output wire            selected_o,      // ... which names a routed counter
    input  wire [3:0]      word_i,          // B_x
    input  wire            we_i,
    input  wire            clear_i,         // ... by CSRRC
    input  wire [XLEN-1:0] wdata_i,         // the new value,
    input  wire [31:0]     wmask_i,         // ... and the bits that are written
    output reg  [XLEN-1:0] word_o
);
`include "tally_pmu_access.vh"

  localparam [31:0] HPM = ((32'd1 << HPM_N) - 32'd1) << 3;

  wire we_status  = we_i & word_i == B_STATUS;
  wire we_handler = we_i & word_i == B_HANDLER;
  wire we_return  = we_i & word_i == B_RETURN;
  wire we_flags   = we_i & word_i == B_FLAGS;
  wire we_inhibit = we_i & word_i == B_INHIBIT;
  wire we_select  = we_i & word_i == B_SELECT;
  wire we_pc      = we_i & word_i == B_PC;

  // ---- gates and routes
  wire        enabled_next;
  wire [31:0] machine, supervisor;
  tally_pmu_ebb_gates #(
      .HPM_N(HPM_N), .SMSTATEEN(SMSTATEEN)
  ) u_gates (
      .clk(clk), .rst(rst),
      .mstateen_c_i(mstateen_c_i),
      .sstateen_c_i(sstateen_c_i),
      .cde_i(cde_i),
      .mcounteren_i(mcounteren_i),
      .s_open_o(s_open_o),
      .u_open_o(u_open_o),
      .window_open_o(window_open_o),
      .enabled_next_o(enabled_next),
      .routed_o(routed_o),
      .machine_we_i(we_i & word_i == B_MACHINE),
      .supervisor_we_i(we_i & word_i == B_SUPERVISOR),
      .wdata_i(wdata_i[31:0]),
      .machine_o(machine),
      .supervisor_o(supervisor)
  );
  wire guest = HYP & mode_v_i & mode_priv_i != 2'd3;
  wire user  = mode_priv_i == 2'd0 & ~guest;

  // ---- events
  wire        event_now, unheard, freeze, ge_next, pmeo, flagged;
  wire [31:0] status;
  wire        delivered = req_o & ack_i;
  tally_and_or #(.MASK(HPM)) u_flagged (.a_i(flags_i), .b_i(routed_o), .out_o(flagged));
  tally_pmu_ebb_status u_status (
      .clk(clk), .rst(rst),
      .overflow_i(overflow_i),
      .flagged_i(flagged),
      .delivered_i(delivered),
      .uebret_i(ret_uebret_i),
      .uebret_ge_i(ret_uebret_ge_i),
      .event_o(event_now),
      .unheard_o(unheard),
      .freeze_o(freeze),
      .ge_next_o(ge_next),
      .pmeo_o(pmeo),
      .we_i(we_status),
      .wdata_i(wdata_i[31:0]),
      .status_o(status)
  );

  // Counted in the next cycle in which the core clock runs, as sampling's events are.
  reg [1:0] events_q;
  always @(posedge clk)
    if (rst) events_q <= 2'd0;
    else     events_q <= {delivered, unheard} | events_q & {2{mode_halted_i}};
  assign events_o = events_q;

  // ---- delivery and uebret
  reg [XLEN-1:1] handler_q, return_q;
  always @(posedge clk) begin
    if (rst)             handler_q <= {XLEN - 1{1'b0}};
    else if (we_handler) handler_q <= wdata_i[XLEN-1:1];

    if (rst)                         return_q <= {XLEN - 1{1'b0}};
    else if (we_return | delivered) return_q <= we_return ? wdata_i[XLEN-1:1] : ret_next_pc_i[XLEN-1:1];
  end
  // U-mode's gate is open, GE is 1, an event is pending, and U-mode runs. The host's retirement waits for it,
  // so all but the last terms are registered.
  reg open_q;
  always @(posedge clk) open_q <= enabled_next & ge_next & ~rst;
  assign req_o = open_q & pmeo & ((mstateen_c_i & sstateen_c_i) | !SMSTATEEN) & user & ~mode_debug_i;
  assign target_o         = {handler_q, 1'b0};
  assign return_o         = {return_q, 1'b0};
  assign uebret_virtual_o = guest & s_open_o;
  assign uebret_illegal_o = guest ? ~s_open_o : ~(user & u_open_o);

  // ---- the window
  reg [31:0] inhibit_q;
  reg [4:0]  select_q;
  always @(posedge clk) begin
    if (rst) begin
      inhibit_q <= 32'd0;
      select_q  <= 5'd0;
    end else begin
      if (we_inhibit) inhibit_q <= wdata_i[31:0] & routed_o | inhibit_q & ~routed_o;
      if (we_select)  select_q  <= wdata_i[4:0];
    end
  end
  assign stop_o   = routed_o & (inhibit_q | {32{freeze | ~user}});
  assign select_o = select_q;
  wire selected;
  tally_mux32 #(.MASK(HPM)) u_selected (
      .sel_i(select_q), .hot_i(32'd0), .in_i(routed_o), .out_o(selected)
  );
  // Outside of MASK the multiplexer shows anything: `uebbsel` holds numbers of no programmable counter, too.
  assign selected_o = selected & select_q > 5'd2 & {27'd0, select_q} < 3 + HPM_N;

  wire [31:0] written  = wmask_i & routed_o & {32{we_flags}};
  assign flags_clear_o = written & {32{clear_i}};
  assign flags_we_o    = written & {32{~clear_i}};
  assign flags_new_o   = wdata_i[31:0];

  // ---- the cause of the event: uebbspc
  wire [XLEN-1:0] pc;
  generate
    if (SSPESA && CSR_PIPELINE) begin : g_pc_later
      // The event is the end of the longest paths: its cause waits in a register for a cycle.
      reg            event_q;
      reg [XLEN-1:1] cause_q, pc_q;
      always @(posedge clk) begin
        event_q <= event_now & ~we_pc & ~rst;
        if (`TALLY_ACTIVE(event_now)) cause_q <= cause_i[XLEN-1:1];
        if (rst)                  pc_q <= {XLEN - 1{1'b0}};
        else if (we_pc | event_q) pc_q <= we_pc ? wdata_i[XLEN-1:1] : cause_q;
      end
      assign pc      = {event_q ? cause_q : pc_q, 1'b0};
      wire unused_ok = &{1'b0, cause_i[0]};
    end else if (SSPESA) begin : g_pc
      reg [XLEN-1:1] pc_q;
      always @(posedge clk)
        if (rst)                    pc_q <= {XLEN - 1{1'b0}};
        else if (we_pc | event_now) pc_q <= we_pc ? wdata_i[XLEN-1:1] : cause_i[XLEN-1:1];
      assign pc      = {pc_q, 1'b0};
      wire unused_ok = &{1'b0, cause_i[0]};
    end else begin : g_no_pc
      assign pc      = {XLEN{1'b0}};
      wire unused_ok = &{1'b0, cause_i, we_pc, event_now};
    end
  endgenerate

  // ---- read
  wire [31:0] low_word = status & {32{word_i == B_STATUS}}
                       | flags_i & routed_o & {32{word_i == B_FLAGS}}
                       | inhibit_q & routed_o & {32{word_i == B_INHIBIT}}
                       | {27'd0, select_q} & {32{word_i == B_SELECT}}
                       | supervisor & {32{word_i == B_SUPERVISOR}}
                       | machine & {32{word_i == B_MACHINE}};
  always @* begin
    word_o       = target_o & {XLEN{word_i == B_HANDLER}} | return_o & {XLEN{word_i == B_RETURN}}
                 | pc & {XLEN{word_i == B_PC}};
    word_o[31:0] = word_o[31:0] | low_word;
  end

  wire unused_ok = &{1'b0, mode_v_i, ret_next_pc_i[0]};

`ifdef FORMAL
  always @* if (!rst) begin
    open_is_open: assert (open_q == (status[`TALLY_UBESCR_GE_LSB] & machine[`TALLY_MEBBCTL_EN_LSB] &
                                     supervisor[`TALLY_SEBBCTL_EN_LSB]));
  end
`endif
endmodule

`default_nettype wire
