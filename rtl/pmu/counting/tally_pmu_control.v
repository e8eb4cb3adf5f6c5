// SPDX-License-Identifier: Apache-2.0
// tally_pmu_control - one bit a counter: enables, inhibits, filters, overflow flags; interrupt requests.
//
// Every register is a vector with bit i for counter i, so that a filter is one operation for all counters.
// tally_pmu_access_data makes the views (mhpmevent's upper byte, mcyclecfg, scountovf, the Andes masks);
// here is the state. A write takes effect from the next clock. Overflow: facts sections 2.2 and 8.3; order:
// facts section 13.

`default_nettype none

module tally_pmu_control #(
    parameter HPM_N     = 29,
    parameter [0:0] SSCOFPMF  = 1'b1,
    parameter [0:0] SMCNTRPMF = 1'b1,
    parameter [0:0] HYP       = 1'b0,
    parameter [0:0] ANDES     = 1'b0,
    parameter [31:0] STOPS    = 32'hFFFF_FFFF,  // bits of stop_o that are wanted
    parameter [0:0] CSR_PIPELINE    = 1'b0,  // hot_i stands in registers
    parameter [0:0] PURE      = 1'b0   // late_i has no quiet counters, and there is no Andes view
) (
    input  wire        clk,
    input  wire        rst,

    input  wire [1:0]  mode_priv_i,
    input  wire        mode_v_i,
    input  wire        mode_debug_i,
    output wire [1:0]  mode_o,          // for tally_pmu_stop and tally_pmu_takes
    output wire        user_o,
    output wire [31:0] stop_o,          // counter i does not count in this cycle
    input  wire [31:0] wrap_i,          // counter i wraps at this clock edge
    output wire [31:0] quiet_o,         // ... and that would be no reason for LCOFIP
    output wire [31:0] mute_o,          // ... nor for mip[18]
    input  wire [31:0] late_i,          // ... would be one, in two parts, of which this one is known later
    input  wire [31:0] early_i,         // for LCOFIP; without CSR_PIPELINE all but the quiet ones
    input  wire [31:0] andes_early_i,   // for mip[18]; ... but the mute ones
    input  wire        sample_i,        // a sample is a reason for LCOFIP
    output wire        lcofi_o,         // pulse: set LCOFIP
    output wire [31:0] request_o,       // counters for which
    output wire        andes_o,         // pulse: set mip[18]

    // state, for the views
    output reg  [31:0] mcounteren_o,
    output reg  [31:0] scounteren_o,
    output reg  [31:0] inhibit_o,
    output reg  [31:0] wen_o,
    output reg  [31:0] inten_o,
    output reg  [31:0] of_o,
    output reg  [31:0] minh_o,
    output reg  [31:0] sinh_o,
    output reg  [31:0] uinh_o,
    output reg  [31:0] vsinh_o,
    output reg  [31:0] vuinh_o,

    // writes of a whole vector
    input  wire        mcounteren_we_i,
    input  wire        scounteren_we_i,
    input  wire        inhibit_we_i,
    input  wire        wen_we_i,
    input  wire        inten_we_i,
    input  wire        minh_we_i,
    input  wire        sinh_we_i,
    input  wire        uinh_we_i,
    input  wire [31:0] vector_i,
    // the bits of it that the access writes; the others hold the old value
    input  wire [31:0] vector_mask_i,
    input  wire [31:0] of_clear_i,      // overflow flags that software clears
    // writes of one counter's bits
    input  wire [4:0]  index_i,
    input  wire [31:0] hot_i,           // the same, a bit each
    input  wire [31:0] of_one_i,        // counter i's overflow flag is written; any while rst is
    input  wire        of_i,
    input  wire [31:0] event_hit_i,     // counter i's filter is written; all while rst is
    input  wire [4:0]  filter_i,        // MINH, SINH, UINH, VSINH, VUINH
    output wire [4:0]  filter_o
);
  localparam [31:0] HPM      = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] FIXED    = 32'h5;
  localparam [31:0] ENABLES  = HPM | 32'h7;
  localparam [31:0] INHIBITS = HPM | FIXED;
  localparam [31:0] FILTERS  = (SSCOFPMF || ANDES ? HPM : 32'd0) | (SMCNTRPMF || ANDES ? FIXED : 32'd0);
  localparam [31:0] VFILTERS = HYP ? FILTERS : 32'd0;
  localparam [31:0] FLAGS    = (SSCOFPMF || ANDES ? HPM : 32'd0) | (ANDES ? FIXED : 32'd0);
  localparam [31:0] ANDES_M  = ANDES ? INHIBITS : 32'd0;

  // ---- who counts
  assign user_o = ~mode_debug_i & mode_priv_i != 2'd3 & mode_priv_i != 2'd1;
  assign mode_o = mode_debug_i ? 2'd3 : mode_priv_i == 2'd3 ? 2'd1 : user_o ? 2'd0 : 2'd2;
  tally_pmu_stop #(.MASK(STOPS), .HYP(HYP)) u_stop (
      .mode_i(mode_o),
      .user_i(user_o),
      .v_i(mode_v_i),
      .inhibit_i(inhibit_o),
      .minh_i(minh_o),
      .sinh_i(sinh_o),
      .uinh_i(uinh_o),
      .vsinh_i(vsinh_o),
      .vuinh_i(vuinh_o),
      .stop_o(stop_o)
  );

  tally_mux32 #(.MASK(FILTERS), .ONE_HOT(CSR_PIPELINE)) u_minh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(minh_o), .out_o(filter_o[4])
  );
  tally_mux32 #(.MASK(FILTERS), .ONE_HOT(CSR_PIPELINE)) u_sinh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(sinh_o), .out_o(filter_o[3])
  );
  tally_mux32 #(.MASK(FILTERS), .ONE_HOT(CSR_PIPELINE)) u_uinh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(uinh_o), .out_o(filter_o[2])
  );
  tally_mux32 #(.MASK(VFILTERS), .ONE_HOT(CSR_PIPELINE)) u_vsinh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(vsinh_o), .out_o(filter_o[1])
  );
  tally_mux32 #(.MASK(VFILTERS), .ONE_HOT(CSR_PIPELINE)) u_vuinh (
      .sel_i(index_i), .hot_i(hot_i), .in_i(vuinh_o), .out_o(filter_o[0])
  );

  // ---- whole vectors
  always @(posedge clk) begin
    if (rst) begin
      mcounteren_o <= 32'd0;
      scounteren_o <= 32'd0;
      inhibit_o    <= 32'd0;
      wen_o        <= 32'd0;
      inten_o      <= 32'd0;
    end else begin
      if (mcounteren_we_i) mcounteren_o <= vector_i & ENABLES;
      if (scounteren_we_i) scounteren_o <= vector_i & ENABLES;
      if (inhibit_we_i)    inhibit_o    <= vector_i & INHIBITS;
      if (wen_we_i)        wen_o        <= vector_i & ANDES_M;
      if (inten_we_i)      inten_o      <= vector_i & ANDES_M;
    end
  end

  // ---- mode filters: written one counter at a time, or by the Andes masks one mode at a time
  wire [31:0] one     = event_hit_i;   // all of them in reset
  // for the Andes masks VS counts as S, VU as U
  wire        m_we    = ANDES & minh_we_i, s_we = ANDES & sinh_we_i, u_we = ANDES & uinh_we_i;
  wire [31:0] vs_mask = vector_mask_i & {32{s_we}};
  wire [31:0] vu_mask = vector_mask_i & {32{u_we}};
  wire [4:0]  filter  = filter_i & {5{~rst}};
`ifdef SYNTHESIS
  localparam EACH = !ANDES;  // then a clock enable does it, without a LUT; a simulator likes whole vectors
`else
  localparam EACH = 0;
`endif
  genvar f;
  generate
    if (EACH) begin : g_each
      for (f = 0; f < 32; f = f + 1) begin : g_filter
        always @(posedge clk) begin
          if (one[f]) begin
            {minh_o[f], sinh_o[f], uinh_o[f]} <= filter[4:2] & {3{FILTERS[f]}};
            {vsinh_o[f], vuinh_o[f]}          <= filter[1:0] & {2{VFILTERS[f]}};
          end
        end
      end
      wire unused_ok = &{1'b0, m_we, vs_mask, vu_mask};
    end else begin : g_vectors
      always @(posedge clk) begin
        minh_o  <= ((m_we ? vector_i : minh_o) & ~one | {32{filter[4]}} & one) & FILTERS;
        sinh_o  <= ((s_we ? vector_i : sinh_o) & ~one | {32{filter[3]}} & one) & FILTERS;
        uinh_o  <= ((u_we ? vector_i : uinh_o) & ~one | {32{filter[2]}} & one) & FILTERS;
        vsinh_o <= ((vector_i & vs_mask | vsinh_o & ~vs_mask) & ~one | {32{filter[1]}} & one) & VFILTERS;
        vuinh_o <= ((vector_i & vu_mask | vuinh_o & ~vu_mask) & ~one | {32{filter[0]}} & one) & VFILTERS;
      end
    end
  endgenerate

  // ---- overflow flags: a flag that software writes in the cycle of a wrap takes the written value; the
  // interrupt is requested all the same
  wire [31:0] wrap = PURE ? late_i : wrap_i;   // the same where it matters
  always @(posedge clk) begin
    if (rst) of_o <= 32'd0;
    else     of_o <= ((of_o | wrap) & ~of_clear_i & ~of_one_i | {32{of_i}} & of_one_i) & FLAGS;
  end

  // ---- requests: only OF 0 -> 1; to one side or the other, never to both
  wire lcofi, andes;
  assign quiet_o = of_o | inten_o;
  assign mute_o  = of_o | ~inten_o;
  generate
    if (CSR_PIPELINE) begin : g_parts
      // mcycle never asks for LCOFIP: its place is the sample's.
      tally_and_or #(.MASK(HPM | 32'd1)) u_first (
          .a_i({late_i[31:1], sample_i}), .b_i({early_i[31:1], 1'b1}), .out_o(lcofi)
      );
      tally_and_or #(.MASK(ANDES_M)) u_andes (.a_i(late_i), .b_i(andes_early_i), .out_o(andes));
      assign lcofi_o = SSCOFPMF ? lcofi : sample_i;
    end else if (PURE) begin : g_pure
      tally_or #(.W(32), .MASK(HPM)) u_first (.in_i(late_i), .out_o(lcofi));
      assign andes   = 1'b0;
      assign lcofi_o = (SSCOFPMF && lcofi) || sample_i;
      wire unused_ok = &{1'b0, andes_early_i};
    end else begin : g_wrap  // the same without inverters in front of a boundary
      tally_and_or #(.MASK(HPM), .NOT_B(1'b1)) u_first (.a_i(late_i), .b_i(quiet_o), .out_o(lcofi));
      tally_and_or #(.MASK(ANDES_M), .NOT_B(1'b1)) u_andes (.a_i(late_i), .b_i(mute_o), .out_o(andes));
      assign lcofi_o = (SSCOFPMF && lcofi) || sample_i;
      wire unused_ok = &{1'b0, andes_early_i};
    end
  endgenerate
  assign request_o = SSCOFPMF ? late_i & early_i & HPM : 32'd0;
  assign andes_o = ANDES ? andes : 1'b0;

`ifdef FORMAL
  always @* if (!rst) begin
    parts_are_wrap:       assert ((late_i & early_i & HPM) == (wrap_i & ~quiet_o & HPM));
    andes_parts_are_wrap: assert ((late_i & andes_early_i & ANDES_M) == (wrap_i & ~mute_o & ANDES_M));
  end
`endif
endmodule

`default_nettype wire
