// SPDX-License-Identifier: Apache-2.0
// tally_pmu_overflow - the counters' overflow flags (OF) and their interrupt requests (Sscofpmf 1.1;
// AndeStar V5 PMU).
//
// An overflow sets the counter's flag. If the flag was clear it also requests an interrupt: mip[18] if the
// counter's bit of mcounterinen is set, else LCOFIP (docs/rulings.md, Andes and Sscofpmf). A flag that
// software writes in the cycle of an overflow has the written value; the interrupt is requested. A flag that
// it clears is clear before the overflow of that cycle, which is a new one (docs/rulings.md, OF cleared in
// the cycle of a wrap). A sample of Smpdis requests LCOFIP too. A routed counter requests neither: it makes
// an event (docs/rulings.md, EBB overflow).
//
// Requests are combinational, in the cycle of the event. The event of a counter is late-arriving, so a
// request is the product of two parts, `ready`, which is early, and `trigger`, which is late-arriving; the
// sum of products is one cell (tally_and_or). Without CSR_PIPELINE the trigger is the overflow itself. With
// CSR_PIPELINE requests do not wait for the counters: the trigger is the selected event, and a counter that
// counts by one is ready if it is at its maximum, enabled and not written. A counter with a combined selector
// overflows also if its high bits are all ones and its low bits carry out.

`default_nettype none

module tally_pmu_overflow #(
    parameter HPM_N = 29,
    parameter [0:0] SSCOFPMF = 1'b1,
    parameter [0:0] ANDES    = 1'b0,
    parameter [31:0] SINGLE  = 32'd0,      // CSR_PIPELINE: counters that count by one at most
    parameter [31:0] CARRIES = 32'd0,      // CSR_PIPELINE: counters for which comb_carry_out_i is known
    parameter [0:0] RAM_REQUEST  = 1'b0,   // ram_request_i has the requests; without CSR_PIPELINE and ANDES
    parameter [0:0] EBB          = 1'b0,
    parameter [0:0] CSR_PIPELINE = 1'b0
) (
    input  wire        clk,
    input  wire        rst,

    // the counters
    input  wire [31:0] wrap_i,             // counter i overflows at this clock edge
    input  wire [31:0] ram_request_i,      // RAM_REQUEST: ... and no_request_o is 0
    // CSR_PIPELINE
    input  wire [31:0] at_max_i,           // it would, if it counted by one and were not written,
    input  wire [31:0] high_max_i,         // ... or if its low bits carried out
    input  wire [31:0] written_i,
    input  wire [31:0] selected_i,         // its event happens
    input  wire [31:0] comb_on_i,          // it has a combined selector instead,
    input  wire [31:0] comb_carry_out_i,   // ... which makes its low bits carry out
    input  wire [31:0] stop_priv_i,        // tally_pmu_count_enable
    input  wire [31:0] stop_user_i,
    input  wire [31:0] class_active_i,

    // requests
    input  wire [31:0] inten_i,            // mcounterinten
    input  wire        sample_i,           // a sample requests LCOFIP
    output wire [31:0] no_request_o,       // an overflow of counter i does not request LCOFIP
    output wire        lcofi_o,            // pulse: set LCOFIP
    output wire [31:0] request_o,          // counters whose overflow does that
    output wire        andes_o,            // pulse: set mip[18]

    // EBB: routed counters request nothing, but make events
    input  wire [31:0] routed_i,
    output wire [31:0] ebb_request_o,
    output wire        ebb_o,              // ... any of them

    // the flags
    output reg  [31:0] of_o,
    // Flags that software clears, before the overflows of this cycle: of a mask, one, and of routed counters;
    // any in reset
    input  wire [31:0] clear_mask_i,
    input  wire [31:0] clear_routed_i,
    input  wire [31:0] clear_hot_i,
    input  wire        clear_i,
    input  wire [31:0] of_we_i,            // flags that it writes with of_i, after them; any in reset
    input  wire        of_i,
    input  wire [31:0] word_we_i,          // ... or with their bits of word_i; 0 in reset
    input  wire [31:0] word_i
);
  localparam [31:0] HPM     = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] FIXED   = 32'h5;
  localparam [31:0] FLAGS   = (SSCOFPMF || ANDES ? HPM : 32'd0) | (ANDES ? FIXED : 32'd0);
  localparam [31:0] ANDES_M = ANDES ? HPM | FIXED : 32'd0;

  // ---- flags
  wire [31:0] trigger, ready, andes_ready;   // the parts of the requests
  wire [31:0] wrap = RAM_REQUEST ? trigger : wrap_i;   // of a flag that is set already it may be 0
  wire [31:0] kept_unrouted;   // of counters that are not routed, which alone request
  tally_clear u_kept (
      .word_i(of_o), .mask_i(clear_mask_i), .hot_i(clear_hot_i), .en_i(clear_i), .out_o(kept_unrouted)
  );
  wire [31:0] kept = EBB ? kept_unrouted & ~clear_routed_i : kept_unrouted;
  always @(posedge clk) begin
    if (rst) of_o <= 32'd0;
    else     of_o <= ((kept | wrap) & ~of_we_i & ~word_we_i | {32{of_i}} & of_we_i | word_i & word_we_i)
                     & FLAGS;
  end

  // ---- requests: only when OF changes from 0 to 1; of one interrupt or the other, never of both
  wire [31:0] routed   = EBB ? routed_i : 32'd0;
  wire [31:0] no_andes = kept_unrouted | ~inten_i | routed;
  wire        lcofi, andes;
  assign      no_request_o = kept_unrouted | inten_i | routed;
  generate
    if (CSR_PIPELINE) begin : g_pipeline
      wire [31:0] unwritten_max = at_max_i & ~written_i;
      wire [31:0] single, andes_single;   // counters that overflow if their event happens
      tally_and_not u_single (
          .a_i(unwritten_max & ~no_request_o),
          .b_i(class_active_i),
          .not_c_i(stop_priv_i),
          .not_d_i(stop_user_i),
          .out_o(single)
      );
      if (ANDES) begin : g_andes
        tally_and_not u_single (
            .a_i(unwritten_max & ~no_andes),
            .b_i(class_active_i),
            .not_c_i(stop_priv_i),
            .not_d_i(stop_user_i),
            .out_o(andes_single)
        );
      end else begin : g_no_andes
        assign andes_single = 32'd0;
      end
      // A counter with a combination requests by its carry, one that counts by one at most by its event,
      // others by their wrap.
      localparam [31:0] BY_EVENT = SINGLE | CARRIES, BY_WRAP = ~BY_EVENT;
      wire [31:0] combined = CARRIES & comb_on_i;
      wire [31:0] carries  = combined & high_max_i & ~written_i;
      assign trigger     = BY_EVENT & selected_i | CARRIES & comb_carry_out_i | BY_WRAP & wrap_i;
      assign ready       = BY_EVENT & ~combined & single | (carries | BY_WRAP) & ~no_request_o;
      assign andes_ready = BY_EVENT & ~combined & andes_single | (carries | BY_WRAP) & ~no_andes;
      // mcycle never requests LCOFIP: its place is the sample's.
      tally_and_or #(.MASK(HPM | 32'd1)) u_lcofi (
          .a_i({trigger[31:1], sample_i}), .b_i({ready[31:1], 1'b1}), .out_o(lcofi)
      );
      tally_and_or #(.MASK(ANDES_M)) u_andes (.a_i(trigger), .b_i(andes_ready), .out_o(andes));
      assign lcofi_o = SSCOFPMF ? lcofi : sample_i;
    end else begin : g_wrap
      assign trigger     = RAM_REQUEST ? ram_request_i : wrap_i;
      assign ready       = ~no_request_o;
      assign andes_ready = ~no_andes;
      if (RAM_REQUEST) begin : g_ram
        tally_or #(.W(32), .MASK(HPM)) u_lcofi (.in_i(trigger), .out_o(lcofi));
        assign andes = 1'b0;
      end else begin : g_flags  // NOT_B: no inverters outside the boundary
        tally_and_or #(.MASK(HPM), .NOT_B(1'b1)) u_lcofi (.a_i(trigger), .b_i(no_request_o), .out_o(lcofi));
        tally_and_or #(.MASK(ANDES_M), .NOT_B(1'b1)) u_andes (.a_i(trigger), .b_i(no_andes), .out_o(andes));
      end
      assign lcofi_o = (SSCOFPMF && lcofi) || sample_i;
    end
  endgenerate
  assign request_o = SSCOFPMF ? trigger & ready & HPM : 32'd0;
  assign andes_o   = ANDES ? andes : 1'b0;

  // ---- events of routed counters, registered: they may be later than the requests
  wire [31:0] ebb_ready = routed & ~kept;
  assign ebb_request_o  = wrap_i & ebb_ready & HPM;
  tally_and_or #(.MASK(EBB ? HPM : 32'd0)) u_ebb (.a_i(wrap_i), .b_i(ebb_ready), .out_o(ebb_o));

  wire unused_ok = &{1'b0, ram_request_i, at_max_i, high_max_i, written_i, selected_i, comb_on_i,
      comb_carry_out_i, stop_priv_i, stop_user_i, class_active_i, andes_ready, routed_i,
      clear_routed_i};

`ifdef FORMAL
  always @* if (!rst) begin
    request_is_wrap: assert ((trigger & ready & HPM) == (wrap_i & ~no_request_o & HPM));
    andes_is_wrap:   assert ((trigger & andes_ready & ANDES_M) == (wrap_i & ~no_andes & ANDES_M));
  end
`endif
endmodule

`default_nettype wire
