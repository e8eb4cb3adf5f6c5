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
    // class of the event (tally_pmu_event_select): 0 running, 1 retires, 2 software, 3 always
    input  wire [31:0] class_high_i,
    input  wire [31:0] class_low_i,
    input  wire [31:0] range_i,                // class retires: from inside the range only
    output wire [31:0] stop_o,                 // counter i does not count
    output wire [31:0] enable_o,               // counter i counts its event
    // CSR_PIPELINE: the terms of enable_o
    output wire [31:0] stop_priv_o,            // filtered in M-, S- or VS-mode, or debug mode
    output wire [31:0] stop_user_o,            // inhibited, or filtered in U- or VU-mode
    output wire [31:0] class_active_o
);
  localparam [31:0] PRESENT = ((32'd1 << HPM_N) - 32'd1) << 3 | 32'h5;

  wire       user = ~mode_stopcount_i & mode_priv_i != 2'd3 & mode_priv_i != 2'd1;
  // 0 user, 1 machine, 2 supervisor, 3 debug: none counts
  wire [1:0] mode = mode_stopcount_i ? 2'd3 : mode_priv_i == 2'd3 ? 2'd1 : user ? 2'd0 : 2'd2;
  wire       running  = ~halted_i;
  wire       retires  = running & retires_i;
  wire       in_range = retires & in_range_i;
  wire       software = running & software_i;

  // ---- filters and inhibits
  wire [31:0] s = HYP && mode_v_i ? vsinh_i : sinh_i;
  wire [31:0] u = HYP && mode_v_i ? vuinh_i : uinh_i;
  wire [31:0] stop;
  assign      stop_o = stop | user_inhibit_i;
  tally_or_mux #(.MASK(CSR_PIPELINE ? COMBINED : 32'hFFFF_FFFF)) u_stop (
      .sel_i(mode), .in1_i(minh_i), .in2_i(s), .or_i(inhibit_i), .gated_i(u), .en_i(user), .word_o(stop)
  );

  // ---- with the class of the event
  generate
    if (CSR_PIPELINE) begin : g_terms
      // The overflow logic takes the terms, not enable_o, which is a level later.
      tally_or_mux #(.MASK(PRESENT), .OR(1'b0)) u_stop_priv (
          .sel_i(mode), .in1_i(minh_i), .in2_i(s), .or_i(32'd0), .gated_i(32'd0), .en_i(1'b0),
          .word_o(stop_priv_o)
      );
      wire [31:0] stop_user;
      tally_or_gated #(.W(32)) u_stop_user (
          .word_i(inhibit_i | user_inhibit_i), .last_en_i(user), .last_i(u), .word_o(stop_user)
      );
      assign stop_user_o = stop_user & PRESENT;
      tally_mux_gated #(.MASK(PRESENT), .ALT(RANGE), .BLOCK(1'b0)) u_class (
          .sel_high_i(class_high_i), .sel_low_i(class_low_i),
          .in0_i(running), .in1_i(retires), .in2_i(software),
          .alt_i(range_i), .alt1_i(in_range), .block_i(32'd0),
          .word_o(class_active_o)
      );
      assign enable_o = class_active_o & ~stop_priv_o & ~stop_user_o;
    end else begin : g_gate
      tally_mux_gated #(.ALT(RANGE)) u_enable (
          .sel_high_i(class_high_i), .sel_low_i(class_low_i),
          .in0_i(running), .in1_i(retires), .in2_i(software),
          .alt_i(range_i), .alt1_i(in_range), .block_i(stop_o),
          .word_o(enable_o)
      );
      assign stop_priv_o    = 32'd0;
      assign stop_user_o    = 32'd0;
      assign class_active_o = 32'd0;
    end
  endgenerate
endmodule

`default_nettype wire
