// SPDX-License-Identifier: Apache-2.0
// tally_pmu_count_enable - the counters that count in this cycle: not inhibited (privileged manual, Machine
// Counter-Inhibit), not filtered in the current mode (Sscofpmf 1.1; Smcntrpmf 1.0), and the class of their
// event active.
//
// While the core clock is halted only bus cycles occur, the class `always`. With one lane `retires` is
// late-arriving; with several the lanes are masked before (tally_pmu_events), and it is 1.
//
// Combinational.

`default_nettype none

module tally_pmu_count_enable #(
    parameter HPM_N = 29,
    parameter [0:0] HYP   = 1'b0,
    parameter [0:0] RANGE = 1'b0,              // counters may be limited to a range of program counters
    parameter [31:0] COMBINED = 32'd0,         // counters whose stop_o is used with CSR_PIPELINE
    parameter [0:0] CSR_PIPELINE = 1'b0        // the enable in three terms
) (
    input  wire [1:0]  mode_priv_i,
    input  wire        mode_v_i,
    input  wire        mode_stopcount_i,
    input  wire        halted_i,               // core clock halted
    input  wire        retires_i,              // one lane: it retires; several: 1
    input  wire        in_range_i,             // ... from inside the range
    input  wire        software_i,             // software raises its event
    input  wire [31:0] inhibit_i,
    input  wire [31:0] user_inhibit_i,         // event-based branches: the same, late-arriving
    input  wire [31:0] minh_i,
    input  wire [31:0] sinh_i,
    input  wire [31:0] uinh_i,
    input  wire [31:0] vsinh_i,
    input  wire [31:0] vuinh_i,
    input  wire [31:0] class_high_i,           // class of the event (tally_pmu_event_select)
    input  wire [31:0] class_low_i,
    input  wire [31:0] range_i,                // counter i is limited to the range
    output wire [31:0] stop_o,                 // counter i does not count
    output wire [31:0] enable_o,               // counter i counts its event
    // CSR_PIPELINE: the terms of enable_o (tally_pmu_count_terms)
    output wire [31:0] stop_priv_o,
    output wire [31:0] stop_user_o,
    output wire [31:0] class_active_o
);
  localparam [31:0] PRESENT = ((32'd1 << HPM_N) - 32'd1) << 3 | 32'h5;

  wire       user = ~mode_stopcount_i & mode_priv_i != 2'd3 & mode_priv_i != 2'd1;
  wire [1:0] mode = mode_stopcount_i ? 2'd3 : mode_priv_i == 2'd3 ? 2'd1 : user ? 2'd0 : 2'd2;
  wire       running  = ~halted_i;
  wire       retires  = running & retires_i;
  wire       in_range = retires & in_range_i;
  wire       software = running & software_i;

  wire [31:0] stop;
  assign      stop_o = stop | user_inhibit_i;
  tally_pmu_count_stop #(.MASK(CSR_PIPELINE ? COMBINED : 32'hFFFF_FFFF), .HYP(HYP)) u_stop (
      .mode_i(mode),
      .user_i(user),
      .v_i(mode_v_i),
      .inhibit_i(inhibit_i),
      .minh_i(minh_i),
      .sinh_i(sinh_i),
      .uinh_i(uinh_i),
      .vsinh_i(vsinh_i),
      .vuinh_i(vuinh_i),
      .stop_o(stop)
  );
  generate
    if (CSR_PIPELINE) begin : g_terms
      tally_pmu_count_terms #(.MASK(PRESENT), .HYP(HYP), .RANGE(RANGE)) u_terms (
          .mode_i(mode),
          .user_i(user),
          .v_i(mode_v_i),
          .inhibit_i(inhibit_i | user_inhibit_i),
          .minh_i(minh_i),
          .sinh_i(sinh_i),
          .uinh_i(uinh_i),
          .vsinh_i(vsinh_i),
          .vuinh_i(vuinh_i),
          .class_high_i(class_high_i),
          .class_low_i(class_low_i),
          .range_i(range_i),
          .running_i(running),
          .retires_i(retires),
          .in_range_i(in_range),
          .software_i(software),
          .stop_priv_o(stop_priv_o),
          .stop_user_o(stop_user_o),
          .class_active_o(class_active_o)
      );
      assign enable_o = class_active_o & ~stop_priv_o & ~stop_user_o;
    end else begin : g_gate
      tally_pmu_count_gate #(.RANGE(RANGE)) u_gate (
          .class_high_i(class_high_i),
          .class_low_i(class_low_i),
          .stop_i(stop_o),
          .range_i(range_i),
          .running_i(running),
          .retires_i(retires),
          .in_range_i(in_range),
          .software_i(software),
          .enable_o(enable_o)
      );
      assign stop_priv_o    = 32'd0;
      assign stop_user_o    = 32'd0;
      assign class_active_o = 32'd0;
    end
  endgenerate
endmodule

`default_nettype wire
