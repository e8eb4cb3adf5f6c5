// SPDX-License-Identifier: Apache-2.0
// tally_pmu_access_data - read and write data of an access.
//
// One multiplexer reads the word that the access names, in the bits of its view; one read-modify-write makes
// the new value (tally_csr_rmw), and each word has an enable. No view keeps state of its own, so no two can
// disagree. The select registers are here; all other state is in tally_pmu_counting and tally_pmu_sampling.
//
// Combinational, but for the select registers. Sections: privileged manual, Hardware Performance Monitor;
// Sscofpmf, scountovf; Smcntrpmf; Smcsrind and Sscsrind; event sampling draft, CSRs; docs/rulings.md, Event
// register writes, Select registers, Andes masks and Andes overflow flags.

`include "tally_idle.vh"
`include "tally_spec.vh"

`default_nettype none

module tally_pmu_access_data #(
    parameter XLEN  = 64,
    parameter HPM_N = 29,
    parameter [0:0] SSCOFPMF      = 1'b1,
    parameter [0:0] HYP           = 1'b0,
    parameter [0:0] ANDES         = 1'b0,
    parameter [0:0] ANDES_SILICON = 1'b0,
    parameter [0:0] PCRANGE       = 1'b0,
    parameter [0:0] CSR_PIPELINE  = 1'b0,
    parameter [0:0] COUNTER_RAM   = 1'b0,  // count_new_o is count_i in a cycle without a write
    parameter [0:0] SMALL_EVENTS  = 1'b0,
    parameter [0:0] SMPDIS        = 1'b0,
    parameter [0:0] EBB           = 1'b0,
    parameter       ACCESS_WIDTH  = 92     // ACCESS_W; not to be changed at an instance
) (
    input  wire                    clk,
    input  wire                    rst,

    input  wire                    csr_valid_i,
    input  wire [XLEN-1:0]         csr_wdata_i,
    output wire [XLEN-1:0]         csr_rdata_o,
    input  wire [ACCESS_WIDTH-1:0] access_i,        // TALLY_PMU_ACCESS
    input  wire                    answered_i,      // ... of this cycle
    input  wire [1:0]              op_i,
    input  wire [31:0]             hot_i,           // CSR_PIPELINE: the counter, one-hot

    input  wire [31:0]             env_hcounteren_i,
    input  wire [63:0]             env_time_i,
    input  wire [63:0]             env_htimedelta_i,
    output wire [11:0]             siselect_o,
    output wire [11:0]             vsiselect_o,

    // counting: the accessed counter
    output wire                    count_access_o,  // a counter or an event register is read or written
    input  wire [63:0]             count_i,
    output wire                    count_we_o,
    output wire [63:0]             count_new_o,
    input  wire [7:0]              event_now_i,
    input  wire [55:0]             comb_now_i,      // its selector, if that is a combination; else 0
    input  wire [4:0]              filter_i,
    output wire                    event_we_o,
    output wire [7:0]              event_new_o,
    output wire [55:0]             comb_new_o,      // the selector that is written, of either kind
    output wire [4:0]              filter_new_o,
    output wire                    flag_we_o,       // OF is written with flag_new_o, or
    output wire                    flag_new_o,
    output wire                    flag_clear_o,    // ... cleared (CSRRC)
    output wire                    software_o,      // shpmswinc: one event

    // counting: the pc range, registers of a bit a counter
    input  wire [XLEN-1:0]         pc_low_i,
    input  wire [XLEN-1:0]         pc_high_i,
    input  wire [31:0]             pc_range_i,
    output wire                    pc_low_we_o,
    output wire                    pc_high_we_o,
    output wire                    pc_range_we_o,
    output wire [XLEN-1:1]         pc_bound_o,
    input  wire [31:0]             mcounteren_i,
    input  wire [31:0]             scounteren_i,
    input  wire [31:0]             inhibit_i,
    input  wire [31:0]             wen_i,
    input  wire [31:0]             inten_i,
    input  wire [31:0]             flags_i,
    input  wire [31:0]             minh_i,
    input  wire [31:0]             sinh_i,
    input  wire [31:0]             uinh_i,
    output wire                    mcounteren_we_o,
    output wire                    scounteren_we_o,
    output wire                    inhibit_we_o,
    output wire                    wen_we_o,
    output wire                    inten_we_o,
    output wire                    minh_we_o,
    output wire                    sinh_we_o,
    output wire                    uinh_we_o,
    output wire [31:0]             vector_o,        // the new value of any of them,
    output wire [31:0]             vector_mask_o,   // ... in these bits
    output wire [31:0]             flags_clear_o,

    // sampling
    input  wire [XLEN-1:0]         pesa_pc_i,
    input  wire [4:0]              pesa_cntrid_i,
    input  wire                    pdis_inhibit_i,
    input  wire [63:0]             pdisctl_i,
    input  wire [1:0]              pdis_vmodes_i,
    input  wire [63:0]             pdiscounter_i,
    input  wire [55:0]             evmask_i,
    input  wire [55:0]             evmatch_i,
    input  wire [15:0]             pdisfilter_i,
    input  wire [63:0]             ambcs_i,
    input  wire [XLEN-1:0]         ambaddr_i,
    output wire [3:0]              data_index_o,    // of the sample registers; NO_PART: none
    input  wire [XLEN-1:0]         data_word_i,
    output wire                    pesa_pc_we_o,
    output wire                    pesa_data_we_o,
    output wire                    pdis_inhibit_we_o,
    output wire                    pdis_inhibit_new_o,
    output wire                    pdisctl_we_o,
    output wire                    pdisctl_machine_o,  // as mpdisctl, or
    output wire                    pdisctl_guest_o,    // as vspdisctl
    output wire                    pdiscount_we_o,
    output wire                    pdisinit_we_o,
    output wire                    evmask_we_o,
    output wire                    evmatch_we_o,
    output wire                    pdisfilter_we_o,
    output wire                    ambcs_we_o,
    output wire                    ambaddr_we_o,
    output wire                    data_we_o,
    output wire [63:0]             sample_wdata_o,  // the new value of any of them,
    output wire [63:0]             sample_wmask_o,  // ... and the bits that are written

    // event-based branches: the word B_x
    output wire [3:0]              ebb_index_o,
    input  wire [XLEN-1:0]         ebb_word_i,
    output wire                    ebb_we_o,
    output wire                    ebb_clear_o      // ... by CSRRC
);
  `include "tally_event_fn.vh"
`include "tally_pmu_access.vh"

  localparam        RV32 = XLEN == 32;
  localparam [31:0] HPM      = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] COUNTERS = HPM | 32'h5;
  localparam        OF       = `TALLY_MHPMEVENT_OF_LSB;
  localparam [1:0]  OP_READ = 2'd0, OP_WRITE = 2'd1, OP_SET = 2'd2, OP_CLEAR = 2'd3;

  wire             hit, granted, refused, high, upper, raise, clears, clears_word, by_clear;
  wire             mmsc, enabled, own;
  wire             window, overflow;
  wire             guest, write, writable, has_count, has_event, has_filter;
  wire             sample, machine_view, guest_view, inhibit_bit, overflow_bit, limited, by_enable;
  wire [3:0]       sample_word, sample_part;
  wire             ebb;
  wire [WORDS-1:0] word, read, change;
  wire [4:0]       index;
  assign `TALLY_PMU_ACCESS = access_i;

  // ---- indirect selects
  reg [11:0] miselect_q, siselect_q, vsiselect_q;
  assign siselect_o  = siselect_q;
  assign vsiselect_o = vsiselect_q;

  // ---- read: counting
  // Andes masks: 1 counts in the proposal (docs/rulings.md, Andes masks), and does not on silicon.
  localparam [31:0] POLARITY = ANDES_SILICON ? 32'd0 : COUNTERS;

  wire        has_flag   = SSCOFPMF & has_event;
  wire        flag;
  tally_mux32 #(.MASK(SSCOFPMF ? HPM : 32'd0), .ONE_HOT(CSR_PIPELINE)) u_flag (
      .sel_i(index), .hot_i(hot_i), .in_i(flags_i), .out_o(flag)
  );
  // The window of S-mode has no MINH (docs/rulings.md, MINH below M-mode).
  wire [4:0]  filter_mask = {5{has_filter & upper}} & {~window, 4'hF};
  wire [55:0] selector   = tally_event_long(event_now_i & {8{has_event}}) | comb_now_i;

  wire [31:0] r_vsiselect = {32{|(read & W_VSISELECT)}};
  wire [31:0] r_wen = {32{|(read & W_WEN)}};
  wire [31:0] r_inten = {32{|(read & W_INTEN)}};
  wire [31:0] r_mask_m = {32{|(read & W_MASK_M)}};
  wire [31:0] r_mask_s = {32{|(read & W_MASK_S)}};
  wire [31:0] r_mask_u = {32{|(read & W_MASK_U)}};
  wire [31:0] r_pc_range = {32{|(read & W_PC_RANGE)}};
  wire [31:0] selects = {20'd0, vsiselect_q} & r_vsiselect;
  wire [31:0] andes   = wen_i & r_wen
                      | inten_i & r_inten
                      | (minh_i ^ POLARITY) & r_mask_m
                      | (sinh_i ^ POLARITY) & r_mask_s
                      | (uinh_i ^ POLARITY) & r_mask_u
                      | {16'd0, granted & mmsc, 15'd0};
  // Custom controls show and change below M the bits of shared counters (tally_pmu_access_rights).
  wire [31:0] shared = wen_i | mcounteren_i & {32{by_enable}} | {32{~limited}};
  // scountovf has no bits of cycle and instret, though with the Andes view these have a flag; a guest sees
  // the bits that hcounteren has as well.
  wire [31:0] read_mask = (env_hcounteren_i | {32{~(HYP & overflow & guest)}})
                        & (HPM | {32{~(ANDES & overflow)}}) & shared;

  wire [63:0] time_now = env_time_i + (guest ? env_htimedelta_i : 64'd0);

  // With CSR_PIPELINE a counter's value, which is late-arriving, is added to the answer last.
  wire        r_count = |(read & W_COUNT) & has_count;
  // The bits of a stored selector are read and written like a vector's.
  localparam [55:0] SHARED = CSR_PIPELINE ? 56'd0 : 56'h1007F;
  wire [63:0] read_word;
  wire [31:0] vector;  // as it is behind the view
  tally_csr_read #(
      .MASKED(ANDES | HYP | PCRANGE), .OTHER(ANDES | HYP | PCRANGE), .CSR_PIPELINE(CSR_PIPELINE)
  ) u_read (
      .r_count_i(r_count),
      .r_time_i(|(read & W_TIME)),
      .r_inhibit_i(|(read & W_INHIBIT)),
      .r_flags_i(|(read & W_FLAGS)),
      .r_mcounteren_i(|(read & W_MCOUNTEREN)),
      .r_scounteren_i(|(read & W_SCOUNTEREN)),
      .r_miselect_i(|(read & W_MISELECT)),
      .r_siselect_i(|(read & W_SISELECT)),
      .r_event_i(|(read & W_EVENT)),
      .count_i(count_i),
      .time_i(time_now),
      .inhibit_i(inhibit_i),
      .flags_i(flags_i),
      .mcounteren_i(mcounteren_i),
      .scounteren_i(scounteren_i),
      .miselect_i(miselect_q),
      .siselect_i(siselect_q),
      .event_i({selector[16], selector[6:0]}),
      .other_i(selects | andes | pc_range_i & r_pc_range),
      .enabled_i(enabled),
      .read_mask_i(read_mask),
      .vector_o(vector),
      .data_o(read_word)
  );
  wire [63:0] old = read_word
                  | {flag & has_flag & upper, filter_i & filter_mask, 2'd0, selector & ~SHARED}
                    & {64{|(read & W_EVENT)}}
                  | {{64 - XLEN{1'b0}}, pc_low_i & {XLEN{|(read & W_PC_LOW)}}}
                  | {{64 - XLEN{1'b0}}, pc_high_i & {XLEN{|(read & W_PC_HIGH)}}};


  // ---- read: sampling and event-based branches. The supervisor's view of mpdisctl has no M, the guest's has
  // modes of its own and no PA.
  localparam [63:0] NO_M     = ~(64'd1 << `TALLY_MPDISCTL_M_LSB);
  localparam [63:0] NO_MODES = ~(64'd1 << `TALLY_MPDISCTL_M_LSB | 64'd1 << `TALLY_MPDISCTL_S_LSB |
                                 64'd1 << `TALLY_MPDISCTL_U_LSB | 64'd1 << `TALLY_MPDISCTL_PA_LSB);
  wire [63:0] ctl_guest = (pdisctl_i & NO_MODES) | {2'd0, pdis_vmodes_i, 60'd0};
  wire [63:0] ctl       = guest_view ? ctl_guest : machine_view ? pdisctl_i : pdisctl_i & NO_M;

  // The new value does not wait for the right to it.
  reg  [63:0] sample_old;
  always @* begin
    sample_old = 64'd0;
    if (EBB && ebb) sample_old = {{64 - XLEN{1'b0}}, ebb_word_i};
    else if (sample) case (sample_word)
      S_PESA_PC:   sample_old = {{64 - XLEN{1'b0}}, pesa_pc_i};
      S_PESA_DATA: sample_old = {59'd0, pesa_cntrid_i};
      S_CTL:       sample_old = ctl;
      S_COUNTER:   sample_old = pdiscounter_i;
      S_EVMASK:    sample_old = {8'd0, evmask_i};
      S_EVMATCH:   sample_old = {8'd0, evmatch_i};
      S_FILTER:    sample_old = {48'd0, pdisfilter_i};
      S_AMBCS:     sample_old = ambcs_i;
      S_AMBADDR:   sample_old = {{64 - XLEN{1'b0}}, ambaddr_i};
      default:     sample_old = {{64 - XLEN{1'b0}}, data_word_i};   // S_DATA
    endcase
  end

  // Bit 1 of mcountinhibit, scountinhibit and scountovf.
  wire bit_ok = granted & answered_i;
  wire bit_1  = bit_ok & (inhibit_bit ? pdis_inhibit_i : overflow_bit & pdisctl_i[`TALLY_MPDISCTL_OF_LSB]);

  // ---- the answer
  wire [XLEN-1:0] word_read   = high ? old[63:64-XLEN] : old[XLEN-1:0];
  wire [XLEN-1:0] sample_read = high && (SMPDIS || EBB) ? sample_old[63:64-XLEN] : sample_old[XLEN-1:0];
  wire [XLEN-1:0] read_value  = word_read | sample_read & {XLEN{granted}}
                              | {{XLEN - 2{1'b0}}, bit_1, 1'b0};
  assign data_index_o = sample_part;
  generate
    if (CSR_PIPELINE) begin : g_count_last
      tally_or_gated #(.W(XLEN)) u_count_last (
          .word_i(read_value),
          .last_en_i(r_count),
          .last_i(high ? count_i[63:64-XLEN] : count_i[XLEN-1:0]),
          .word_o(csr_rdata_o)
      );
    end else begin : g_joined
      assign csr_rdata_o = read_value;
    end
  endgenerate

  // ---- write: counting
  // As tally_csr_rmw, but without its boundary: the checks and masks that follow merge with it.
  function [31:0] written;
    input [1:0]  fn_op;
    input [31:0] fn_old, fn_data;
    case (fn_op)
      OP_WRITE: written = fn_data;
      OP_SET:   written = fn_old | fn_data;
      OP_CLEAR: written = fn_old & ~fn_data;
      default:  written = fn_old;
    endcase
  endfunction

  wire [63:0] data    = {64 / XLEN{csr_wdata_i}};
  wire [1:0]  op_low  = RV32 ? op_i & {2{~high}} : op_i;  // for the lower half of a word
  wire [1:0]  op_high = RV32 ? op_i & {2{high}} : op_i;

  assign count_access_o = |(word & (W_COUNT | W_EVENT));
  assign count_we_o     = csr_valid_i & |(change & W_COUNT);
  wire hold = COUNTER_RAM & ~count_we_o;
  tally_csr_rmw #(.W(32)) u_count_low (
      .op_i(op_low & {2{~hold}}), .old_i(count_i[31:0]), .data_i(data[31:0]), .new_o(count_new_o[31:0])
  );
  tally_csr_rmw #(.W(32)) u_count_high (
      .op_i(op_high & {2{~hold}}), .old_i(count_i[63:32]), .data_i(data[63:32]), .new_o(count_new_o[63:32])
  );

  wire [31:0] vector_new;
  tally_csr_rmw #(.W(32)) u_vector (
      .op_i(op_low), .old_i(vector), .data_i(data[31:0]), .new_o(vector_new)
  );

  // The event register: selector, filter and flag, each where the view has it; the rest is written unchanged.
  // A selector is legal as a whole or not at all. Only a combination has selector bits in the upper half of
  // RV32; a write of the lower half that ends the combination clears them.
  wire [63:0] event_value = {written(op_high, {1'b0, filter_i, 2'd0, selector[55:32]}, data[63:32]),
                             written(op_low, selector[31:0] & ~SHARED[31:0], data[31:0]) & ~SHARED[31:0]
                             | vector_new & SHARED[31:0]};
  wire combined = event_value[`TALLY_SEL_TYPE_MSB:`TALLY_SEL_TYPE_LSB] == `TALLY_SEL_TYPE_IS_COMBINED;
  wire [55:0] selector_new = {event_value[55:32] & {24{~RV32 | combined}}, event_value[31:0]};
  assign event_we_o   = csr_valid_i & |(change & W_EVENT) & ~(ANDES & own & ~writable);
  localparam [255:0] SMALL = `TALLY_SMALL_LINES;
  wire [7:0] number     = tally_event_number(selector_new);
  wire       known      = SMALL[number] & ~|(selector_new ^ tally_event_long(number));
  wire [7:0] supported  = SMALL_EVENTS ? number & {8{known}} : tally_event_short(selector_new);
  assign event_new_o  = supported & {8{has_event}};
  assign comb_new_o   = selector_new;
  assign filter_new_o = (filter_i & ~filter_mask)
                      | (event_value[`TALLY_MHPMEVENT_MINH_MSB:`TALLY_MHPMEVENT_VUINH_LSB] & filter_mask);
  wire   flag_open    = event_we_o & has_flag & upper;
  assign flag_we_o    = flag_open & (op_high == OP_WRITE | op_high == OP_SET & data[OF]);
  assign flag_new_o   = data[OF];
  assign flag_clear_o = csr_valid_i & clears & data[OF];

  wire [31:0] view_mask  = (mcounteren_i | {32{~enabled}})
                         & (wen_i | {32{~(ANDES & own)}}) & shared;
  wire        masks      = |(word & (W_MASK_M | W_MASK_S | W_MASK_U));
  assign vector_mask_o   = view_mask & (data[31:0] | {32{op_low == OP_WRITE}});
  assign vector_o        = (view_mask & vector_new | ~view_mask & vector) ^ (masks ? POLARITY : 32'd0);
  assign mcounteren_we_o = csr_valid_i & |(change & W_MCOUNTEREN);
  assign scounteren_we_o = csr_valid_i & |(change & W_SCOUNTEREN);
  assign inhibit_we_o    = csr_valid_i & |(change & W_INHIBIT);
  assign wen_we_o        = csr_valid_i & |(change & W_WEN);
  assign inten_we_o      = csr_valid_i & |(change & W_INTEN);
  assign minh_we_o       = csr_valid_i & |(change & W_MASK_M);
  assign sinh_we_o       = csr_valid_i & |(change & W_MASK_S);
  assign uinh_we_o       = csr_valid_i & |(change & W_MASK_U);
  assign pc_range_we_o   = csr_valid_i & |(change & W_PC_RANGE);
  assign pc_low_we_o     = csr_valid_i & |(change & W_PC_LOW);
  assign pc_high_we_o    = csr_valid_i & |(change & W_PC_HIGH);
  wire [63:0] pc_old     = {{64 - XLEN{1'b0}}, |(word & W_PC_LOW) ? pc_low_i : pc_high_i};
  wire [63:0] pc_value   = {written(op_low, pc_old[63:32], data[63:32]),
                            written(op_low, pc_old[31:0], data[31:0])};
  assign pc_bound_o      = pc_value[XLEN-1:1];
  assign flags_clear_o   = {32{csr_valid_i & clears_word}} & view_mask & data[31:0];
  assign software_o      = csr_valid_i & raise & data[0];

  always @(posedge clk) begin
    if (rst) begin
      miselect_q  <= 12'd0;
      siselect_q  <= 12'd0;
      vsiselect_q <= 12'd0;
    end else if (csr_valid_i) begin
      if (|(change & W_MISELECT)) miselect_q <= vector_new[11:0];
      if (|(change & W_SISELECT)) siselect_q <= vector_new[11:0];
      if (|(change & W_VSISELECT) && HYP) vsiselect_q <= vector_new[11:0];
    end
  end

  // ---- write: sampling and event-based branches
  wire [63:0] half = !RV32 || !(SMPDIS || EBB) ? ~64'd0
                   : high ? 64'hFFFF_FFFF_0000_0000 : 64'h0000_0000_FFFF_FFFF;
  reg [63:0]  wmask, wdata;
  reg [9:0]   we;                            // by sample_word
  reg         ebb_we;
  always @* begin
    wmask = 64'd0;
    wdata = 64'd0;
    we     = 10'd0;
    ebb_we = 1'b0;
    if (`TALLY_ACTIVE(sample)) begin   // the new value does not depend on it
      wmask = half & (op_i[1] ? data : ~64'd0);   // OP_READ writes nothing
      wdata = (sample_old & ~wmask) | ((by_clear ? 64'd0 : data) & wmask);
      if (csr_valid_i & granted & write) begin
        if (EBB && ebb) ebb_we          = sample;
        else            we[sample_word] = sample;
      end
    end
  end
  assign sample_wmask_o = wmask;
  assign sample_wdata_o = wdata;

  assign pdis_inhibit_we_o  = bit_ok & inhibit_bit & csr_valid_i
                            & (op_i == OP_WRITE | op_i != OP_READ & csr_wdata_i[1]);
  assign pdis_inhibit_new_o = op_i != OP_CLEAR & csr_wdata_i[1];

  assign pesa_pc_we_o      = we[S_PESA_PC];
  assign pesa_data_we_o    = we[S_PESA_DATA];
  assign pdisctl_we_o      = we[S_CTL];
  assign pdisctl_machine_o = machine_view;
  assign pdisctl_guest_o   = guest_view;
  assign pdiscount_we_o    = we[S_COUNTER] & ~high;
  assign pdisinit_we_o     = we[S_COUNTER] & (high | !RV32);
  assign evmask_we_o       = we[S_EVMASK];
  assign evmatch_we_o      = we[S_EVMATCH];
  assign pdisfilter_we_o   = we[S_FILTER];
  assign ambcs_we_o        = we[S_AMBCS];
  assign ambaddr_we_o      = we[S_AMBADDR];
  assign data_we_o         = we[S_DATA];
  assign ebb_index_o       = sample_word & {4{ebb}};
  assign ebb_we_o          = ebb_we;
  assign ebb_clear_o       = by_clear;

  wire unused_ok = &{1'b0, hit, refused, overflow, own, writable, guest, index,
      event_value[OF], event_value[57:56], pc_value[0], pc_value[63:32], inhibit_bit, overflow_bit, bit_ok,
      ebb_word_i};
endmodule

`default_nettype wire
