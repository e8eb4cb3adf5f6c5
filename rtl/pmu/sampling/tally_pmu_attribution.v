// SPDX-License-Identifier: Apache-2.0
// tally_pmu_attribution - precise event sample attribution: shpmspc and shpmsdata (Sspesa; docs/sampling.md).
//
// When a counter's overflow sets LCOFIP, the pc to which the overflow belongs is captured, and the counter's
// number. Of a retire event it is the pc of the instruction that made the counter wrap; of any other event
// that of the oldest instruction that retires in this cycle; if none does, of the next one to retire, or,
// while the pipeline is empty because of a flush, of the instruction that caused that (ruling 14).
//
// With one lane an instruction that has an event is the oldest that retires, so one rule serves both. That a
// counter overflows is known late in a cycle: with one lane all of that is kept for the cycle after, in which
// it is found out whether there is a capture, and of which counter. What is read knows; nobody can see a
// difference.

`include "tally_idle.vh"
`include "tally_spec.vh"

`default_nettype none

module tally_pmu_attribution #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter HPM_W    = 64,
    parameter NEXT     = 0    // 1: an empty pipeline is no exception: the next to retire
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     lcofip_i,        // as it stands
    input  wire [31:0]              request_i,       // counters that set LCOFIP at this clock edge
    input  wire [31:0]              eligible_i,

    input  wire [RETIRE_W-1:0]      ret_valid_i,
    input  wire [RETIRE_W*XLEN-1:0] ret_pc_i,
    input  wire [XLEN-1:0]          ret_next_pc_i,
    input  wire [XLEN-1:0]          ret_flush_pc_i,
    input  wire                     ret_flushed_i,

    // with more than one lane: what counters select, the three lowest bits of their values
    input  wire [32*8-1:0]          events_i,
    input  wire [32*3-1:0]          low_i,
    input  wire [RETIRE_W*64-1:0]   lane_event_i,    // tally_pmu_events
    input  wire [RETIRE_W-1:0]      inside_i,        // of the pc range ...
    input  wire [31:0]              range_i,         // ... which matters to these counters

    // access
    input  wire                     pc_we_i,
    input  wire                     data_we_i,
    input  wire [XLEN-1:0]          value_i,
    output wire [XLEN-1:0]          pc_o,
    output wire [4:0]               cntrid_o
);
  localparam     LATER = RETIRE_W == 1;
  reg [XLEN-1:1] pc_q;
  reg [4:0]      cntrid_q;
  // of the cycle before: counters, their cause, LCOFIP, which registers were written
  reg [31:0]     causes_q;
  reg [XLEN-1:1] cause_q;
  reg            lcofip_q, wrote_pc_q, wrote_data_q;

  // ---- whose overflow: the lowest number
  reg  [31:0] causes;
  always @* begin
    causes = 32'd0;
    if (`TALLY_ACTIVE(|request_i)) causes = request_i & eligible_i;
  end
  wire [31:0] among   = LATER ? causes_q : causes;
  wire        capture = |among & ~(LATER ? lcofip_q : lcofip_i);
  // ... of halves of halves, so that it is five steps deep, not one a counter: of each pair the lower one, if
  // there is anything in it.
  wire [15:0] pair  = among[31:16] & {16{~|among[15:0]}} | among[15:0];
  wire [7:0]  four  = pair[15:8] & {8{~|pair[7:0]}} | pair[7:0];
  wire [3:0]  eight = four[7:4] & {4{~|four[3:0]}} | four[3:0];
  wire        low   = |eight[1:0] ? eight[0] : eight[2];
  wire [4:0]  index = {~|among[15:0], ~|pair[7:0], ~|four[3:0], ~|eight[1:0], ~low};
  // ... unless that is written.
  wire        new_pc   = capture & ~(LATER & wrote_pc_q);
  wire        new_data = capture & ~(LATER & wrote_data_q);
  assign cntrid_o = LATER && new_data ? index : cntrid_q;
  assign pc_o     = {LATER && new_pc ? cause_q : pc_q, 1'b0};

  // ---- an instruction in general: the oldest of this cycle
  reg [XLEN-1:0] oldest;
  integer        k;
  always @* begin
    k      = 0;
    oldest = {XLEN{1'b0}};
    if (`TALLY_ACTIVE(|causes)) begin
      oldest = ret_flushed_i && NEXT == 0 ? ret_flush_pc_i : ret_next_pc_i;
      for (k = RETIRE_W - 1; k >= 0; k = k - 1) if (ret_valid_i[k]) oldest = ret_pc_i[k*XLEN +: XLEN];
    end
  end

  // ---- the one that made it wrap
  wire [XLEN-1:0] cause;
  wire            unused_low;
  generate
    if (RETIRE_W == 1) begin : g_one_lane
      assign cause      = oldest;
      assign unused_low = &{1'b0, events_i, low_i, lane_event_i, inside_i, range_i};
    end else begin : g_lanes
      `include "tally_event_fn.vh"
      // steps to the wrap, which is in this cycle
      localparam [3:0] RANGE = HPM_W >= 3 ? 4'd8 : HPM_W == 2 ? 4'd4 : 4'd2;
      wire [7:0]           selected = events_i[index*8 +: 8];
      wire [3:0]           left     = RANGE - {1'b0, low_i[index*3 +: 3]};
      wire [RETIRE_W-1:0]  has;
      genvar l;
      for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
        wire [63:0] low_event   = tally_lines_low(lane_event_i[l*64 +: 64], 64'd0);
        wire [63:0] mid_event   = tally_lines_mid(lane_event_i[l*64 +: 64], 64'd0);
        wire [63:0] cache_event = tally_lines_cache(lane_event_i[l*64 +: 64], 64'd0);
        assign has[l] = (selected[7] ? cache_event[selected[5:0]] :
                         selected[6] ? mid_event[selected[5:0]] : low_event[selected[5:0]])
                      & (inside_i[l] | ~range_i[index]);
      end
      reg  [XLEN-1:0] found;
      reg  [3:0]      seen;
      integer         j;
      always @* begin
        found = oldest;
        seen  = 4'd0;
        for (j = 0; j < RETIRE_W; j = j + 1) begin
          if (has[j]) begin
            seen = seen + 4'd1;
            if (seen == left) found = ret_pc_i[j*XLEN +: XLEN];
          end
        end
      end
      assign cause      = found;
      assign unused_low = 1'b0;
    end
  endgenerate

  // ---- a write wins, register by register
  always @(posedge clk) begin
    if (rst)          pc_q <= {XLEN - 1{1'b0}};
    else if (pc_we_i) pc_q <= value_i[XLEN-1:1];
    else if (new_pc)  pc_q <= LATER ? cause_q : cause[XLEN-1:1];

    if (rst)            cntrid_q <= 5'd0;
    else if (data_we_i) cntrid_q <= value_i[4:0];
    else if (new_data)  cntrid_q <= index;
  end
  always @(posedge clk) begin
    causes_q     <= causes;
    lcofip_q     <= lcofip_i;
    wrote_pc_q   <= pc_we_i | rst;
    wrote_data_q <= data_we_i | rst;
    if (`TALLY_ACTIVE(|causes)) cause_q <= cause[XLEN-1:1];
  end

  wire unused_ok = &{1'b0, eight[3], unused_low, cause[0], value_i};
endmodule

`default_nettype wire
