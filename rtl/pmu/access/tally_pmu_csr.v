// SPDX-License-Identifier: Apache-2.0
// tally_pmu_csr - the one place that decides who may touch what.
//
// An access comes in by number, which tally_pmu_decode makes one of a few `word`s of state, a counter index
// and a half, in a view. Then one set of rules says ok, illegal or virtual, one multiplexer reads, and one
// read-modify-write makes the new value. No view keeps state of its own, so none can disagree with another.
//
// Combinational, except for the three select registers; with CSR_PIPELINE what is decoded is registered.
// Sections: facts 1.3 (user counters), 2.3 (scountovf), 4 (indirect access), 5 (delegation), 6.2 (state
// enable), 8.3 (Andes); rulings 1, 2, 12.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_csr #(
    parameter XLEN          = 64,
    parameter HPM_N         = 29,
    parameter [0:0] SSCOFPMF      = 1'b1,
    parameter [0:0] SMCNTRPMF     = 1'b1,
    parameter [0:0] SMCSRIND      = 1'b1,
    parameter [0:0] SMCDELEG      = 1'b1,
    parameter [0:0] SMSTATEEN     = 1'b1,
    parameter [0:0] HYP           = 1'b0,
    parameter [0:0] ANDES         = 1'b0,
    parameter [0:0] ANDES_SILICON = 1'b0,
    parameter [0:0] ANDES_SWRITE  = 1'b1,
    parameter [0:0] SWEVENT       = 1'b1,
    parameter [0:0] PCRANGE       = 1'b0,
    parameter [0:0] CSR_PIPELINE        = 1'b0,  // answers a cycle after the number
    parameter [0:0] COUNTER_RAM          = 1'b0   // count_o is count_i in a cycle without a write
) (
    input  wire            clk,
    input  wire            rst,

    input  wire            csr_valid_i,
    input  wire [11:0]     csr_num_i,
    input  wire [1:0]      csr_op_i,
    input  wire [XLEN-1:0] csr_wdata_i,
    input  wire [1:0]      csr_priv_i,
    input  wire            csr_v_i,
    output wire            csr_hit_o,
    output wire            csr_illegal_o,
    output wire            csr_virtual_o,
    output wire [XLEN-1:0] csr_rdata_o,

    input  wire            env_cde_i,
    input  wire            mstateen_csrind_i,
    input  wire            hstateen_csrind_i,
    input  wire            mstateen_c_i,
    input  wire            hstateen_c_i,
    input  wire [31:0]     env_hcounteren_i,
    input  wire [63:0]     env_time_i,
    input  wire [63:0]     env_htimedelta_i,

    // counters
    output wire [11:0]     siselect_o,
    output wire [11:0]     vsiselect_o,
    // CSR_PIPELINE, the access answered in the next cycle: its counter is that of siselect, or this one
    output wire            next_window_o,
    output wire [4:0]      next_counter_o,
    output wire [4:0]      next_index_o,    // index_o then
    output wire            held_o,          // ... it was, and is to something
    output wire [4:0]      index_o,
    output wire [31:0]     hot_o,           // the same, a bit each
    output wire            decoded_o,       // the access is answered: all of this belongs to csr_num_i
    output wire [1:0]      op_o,            // ... and who does what
    output wire [1:0]      priv_o,
    output wire            v_o,
    input  wire [63:0]     count_i,
    // CSR_PIPELINE: a counter's value is read and missing in csr_rdata_o; it is its upper half
    output wire            count_read_o,
    output wire            count_upper_o,
    output wire            count_access_o,  // ... the number is that of its value or its event register
    output wire            count_we_o,
    output wire [63:0]     count_o,
    input  wire [7:0]      event_i,
    output wire            event_we_o,
    output wire [7:0]      event_o,
    input  wire [55:0]     comb_i,          // its selector, if that is a combination; else 0
    output wire [55:0]     comb_o,          // what is written, of whatever kind
    output wire            software_o,      // one software event

    // program counter range
    input  wire [XLEN-1:0] pc_low_i,
    input  wire [XLEN-1:0] pc_high_i,
    input  wire [31:0]     pc_range_i,
    output wire            pc_low_we_o,
    output wire            pc_high_we_o,
    output wire [XLEN-1:1] pc_bound_o,
    output wire            pc_range_we_o,

    // control
    input  wire [31:0]     mcounteren_i,
    input  wire [31:0]     scounteren_i,
    input  wire [31:0]     inhibit_i,
    input  wire [31:0]     wen_i,
    input  wire [31:0]     inten_i,
    input  wire [31:0]     of_i,
    input  wire [31:0]     minh_i,
    input  wire [31:0]     sinh_i,
    input  wire [31:0]     uinh_i,
    output wire            mcounteren_we_o,
    output wire            scounteren_we_o,
    output wire            inhibit_we_o,
    output wire            wen_we_o,
    output wire            inten_we_o,
    output wire            minh_we_o,
    output wire            sinh_we_o,
    output wire            uinh_we_o,
    output wire [31:0]     vector_o,
    output wire [31:0]     vector_mask_o,
    output wire [31:0]     of_clear_o,
    output wire            of_we_o,
    output wire            of_o,
    input  wire [4:0]      filter_i,        // of counter index_o; written with its event
    output wire [4:0]      filter_o
);
  `include "tally_event_fn.vh"

  localparam RV32 = XLEN == 32;
  localparam [31:0] HPM      = ((32'd1 << HPM_N) - 32'd1) << 3;
  localparam [31:0] COUNTERS = HPM | 32'h5;

  // ---- indirect selects
  reg [11:0] miselect_q, siselect_q, vsiselect_q;
  assign siselect_o  = siselect_q;
  assign vsiselect_o = vsiselect_q;

  // ---- what the access asks for, and whether it may. With CSR_PIPELINE that is found out in one cycle, and
  // answered in the next: it rests on registers that accesses to another number write.
`include "tally_pmu_access.vh"
  wire [ASKED-1:0] asked;
  tally_pmu_access #(
      .XLEN(XLEN), .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .SMCSRIND(SMCSRIND),
      .SMCDELEG(SMCDELEG), .SMSTATEEN(SMSTATEEN), .HYP(HYP), .ANDES(ANDES), .ANDES_SWRITE(ANDES_SWRITE),
      .SWEVENT(SWEVENT), .PCRANGE(PCRANGE), .CSR_PIPELINE(CSR_PIPELINE), .ASKED_W(ASKED)
  ) u_access (
      .num_i(csr_num_i),
      .op_i(csr_op_i),
      .priv_i(csr_priv_i),
      .v_i(csr_v_i),
      .env_cde_i(env_cde_i),
      .mstateen_csrind_i(mstateen_csrind_i),
      .hstateen_csrind_i(hstateen_csrind_i),
      .mstateen_c_i(mstateen_c_i),
      .hstateen_c_i(hstateen_c_i),
      .env_hcounteren_i(env_hcounteren_i),
      .siselect_i(siselect_q),
      .vsiselect_i(vsiselect_q),
      .mcounteren_i(mcounteren_i),
      .scounteren_i(scounteren_i),
      .wen_i(wen_i),
      .in_window_o(next_window_o),
      .counter_o(next_counter_o),
      .asked_o(asked)
  );

  assign next_index_o = asked[4:0];

  wire             hit, granted, refused, high, upper, raise, mmsc, enabled, own, no_write, window, overflow;
  wire             guest, write, writable, has_count, has_event, has_filter;
  wire [WORDS-1:0] word, read, change;
  wire [4:0]       index;
  generate
    if (CSR_PIPELINE) begin : g_pipelined
      reg [ASKED-1:0] asked_q;
      reg [31:0]      hot_q;
      reg [11:0]      num_q;
      reg [1:0]       op_q, priv_q;
      reg             v_q;
      wire [31:0]     hot_number, hot_window;
      wire            we = csr_valid_i & granted & write;
      tally_decoder u_number (
          .sel_i(next_counter_o), .hot_i(32'd0), .en_i(1'b1), .all_i(1'b0), .out_o(hot_number)
      );
      tally_decoder u_window (
          .sel_i(siselect_q[4:0]), .hot_i(32'd0), .en_i(1'b1), .all_i(1'b0), .out_o(hot_window)
      );
      always @(posedge clk) begin
        // 0 is no access. What is written is looked up anew.
        num_q   <= csr_num_i & {12{~rst & ~we}};
        op_q    <= csr_op_i;
        priv_q  <= csr_priv_i;
        v_q     <= csr_v_i;
        asked_q <= asked & ~(ASKED_HIT & {ASKED{rst | we}});
        hot_q   <= next_window_o ? hot_window : hot_number;
      end
`ifdef FORMAL
      // What stands in the registers is what would be found out now. The host's part: what its registers say
      // of rights stands while an access does.
      wire [36:0]      env = {env_cde_i, mstateen_csrind_i, hstateen_csrind_i, mstateen_c_i, hstateen_c_i,
                              env_hcounteren_i};
      reg  [36:0]      env_q;
      wire [ASKED-1:0] again;
      always @(posedge clk) env_q <= env;
      tally_pmu_access #(
          .XLEN(XLEN), .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .SMCSRIND(SMCSRIND),
          .SMCDELEG(SMCDELEG), .SMSTATEEN(SMSTATEEN), .HYP(HYP), .ANDES(ANDES),
          .ANDES_SWRITE(ANDES_SWRITE), .SWEVENT(SWEVENT), .PCRANGE(PCRANGE), .CSR_PIPELINE(CSR_PIPELINE),
          .ASKED_W(ASKED)
      ) u_again (
          .num_i(num_q),
          .op_i(op_q),
          .priv_i(priv_q),
          .v_i(v_q),
          .env_cde_i(env_q[36]),
          .mstateen_csrind_i(env_q[35]),
          .hstateen_csrind_i(env_q[34]),
          .mstateen_c_i(env_q[33]),
          .hstateen_c_i(env_q[32]),
          .env_hcounteren_i(env_q[31:0]),
          .siselect_i(siselect_q),
          .vsiselect_i(vsiselect_q),
          .mcounteren_i(mcounteren_i),
          .scounteren_i(scounteren_i),
          .wen_i(wen_i),
          .in_window_o(),
          .counter_o(),
          .asked_o(again)
      );
      always @* if (!rst) begin
        if (decoded_o & csr_num_i != 12'd0) assume (env == env_q);
        asked_is_asked: assert (num_q == 12'd0 ? !hit : asked_q == again);
        hot_is_index:   assert (!hit || hot_q == 32'd1 << index);
      end
`endif
      assign `TALLY_PMU_ASKED = asked_q;
      assign hot_o     = hot_q;
      assign decoded_o = {num_q, op_q, priv_q, v_q} == {csr_num_i, csr_op_i, csr_priv_i, csr_v_i};
      assign op_o      = op_q;
      assign priv_o    = priv_q;
      assign v_o       = v_q;
    end else begin : g_direct
      assign `TALLY_PMU_ASKED = asked;
      assign hot_o     = 32'd0;
      assign decoded_o = 1'b1;
      assign op_o      = csr_op_i;
      assign priv_o    = csr_priv_i;
      assign v_o       = csr_v_i;
    end
  endgenerate

  localparam [1:0] OP_READ = 2'd0, OP_WRITE = 2'd1, OP_SET = 2'd2, OP_CLEAR = 2'd3;

  // ---- the answer. With CSR_PIPELINE it may be that of the cycle before: then csr_valid_i is 0.
  wire here = hit & decoded_o;
  assign csr_hit_o     = here;
  assign csr_virtual_o = here & refused;
  assign csr_illegal_o = here & ~granted & ~refused;
  assign held_o        = hit;

  // ---- read
  // mask bit 1 = count, in the proposal's words
  localparam [31:0] POLARITY = ANDES_SILICON ? 32'd0 : COUNTERS;

  wire        has_flag   = SSCOFPMF & has_event;
  wire        flag;
  tally_mux32 #(.MASK(SSCOFPMF ? HPM : 32'd0), .ONE_HOT(CSR_PIPELINE)) u_flag (
      .sel_i(index), .hot_i(hot_o), .in_i(of_i), .out_o(flag)
  );
  // S-mode must not see or change whether its counters run in M-mode
  wire [4:0]  filter_see = {5{has_filter & upper}} & {~window, 4'hF};
  wire [55:0] selector   = tally_event_long(event_i & {8{has_event}}) | comb_i;

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
  // Only scountovf takes counters away that have a flag (with the Andes view): cycle and instret.
  // Of scountovf a guest sees only what hcounteren has as well.
  wire [31:0] see = (env_hcounteren_i | {32{~(HYP & overflow & guest)}}) & (HPM | {32{~(ANDES & overflow)}});

  wire [63:0] time_now = env_time_i + (guest ? env_htimedelta_i : 64'd0);

  // With CSR_PIPELINE the value of a counter joins what is read outside, where everything else is there.
  wire        r_count = |(read & W_COUNT) & has_count;
  // The bits of a stored selector are read and written like a vector's.
  localparam [55:0] SHARED = CSR_PIPELINE ? 56'd0 : 56'h1007F;
  wire [63:0] readout, old;
  wire [31:0] vector;  // as it is behind the view
  tally_pmu_readout #(
      .MASKED(ANDES | HYP), .OTHER(ANDES | HYP | PCRANGE), .CSR_PIPELINE(CSR_PIPELINE)
  ) u_readout (
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
      .flags_i(of_i),
      .mcounteren_i(mcounteren_i),
      .scounteren_i(scounteren_i),
      .miselect_i(miselect_q),
      .siselect_i(siselect_q),
      .event_i({selector[16], selector[6:0]}),
      .other_i(selects | andes | pc_range_i & r_pc_range),
      .enabled_i(enabled),
      .see_i(see),
      .vector_o(vector),
      .data_o(readout)
  );
  assign old = readout
             | {flag & has_flag & upper, filter_i & filter_see, 2'd0, selector & ~SHARED}
               & {64{|(read & W_EVENT)}}
             | {{64 - XLEN{1'b0}}, pc_low_i & {XLEN{|(read & W_PC_LOW)}}}
             | {{64 - XLEN{1'b0}}, pc_high_i & {XLEN{|(read & W_PC_HIGH)}}};
  assign count_read_o  = r_count;
  assign count_upper_o = high;
  assign csr_rdata_o = high ? old[63:64-XLEN] : old[XLEN-1:0];

  // ---- write: what becomes of 32 bits of state
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
  wire [1:0]  op_low  = RV32 ? op_o & {2{~high}} : op_o;  // for the lower half of a word
  wire [1:0]  op_high = RV32 ? op_o & {2{high}} : op_o;

  assign index_o        = index;
  assign count_access_o = |(word & (W_COUNT | W_EVENT));
  assign count_we_o     = csr_valid_i & |(change & W_COUNT);
  wire hold = COUNTER_RAM & ~count_we_o;
  tally_csr_rmw #(.W(32)) u_count_low (
      .op_i(op_low & {2{~hold}}), .old_i(count_i[31:0]), .data_i(data[31:0]), .new_o(count_o[31:0])
  );
  tally_csr_rmw #(.W(32)) u_count_high (
      .op_i(op_high & {2{~hold}}), .old_i(count_i[63:32]), .data_i(data[63:32]), .new_o(count_o[63:32])
  );

  wire [31:0] vector_new;
  tally_csr_rmw #(.W(32)) u_vector (
      .op_i(op_low), .old_i(vector), .data_i(data[31:0]), .new_o(vector_new)
  );

  // One write of the event register: selector, filter and flag, each where the view has it; what it does not
  // have is written as it was. A selector is legal as a whole or not at all. Only a combination has bits in
  // the upper half of RV32: any other that is there has none, and the lower half, when it makes another of
  // it, takes them away.
  wire [63:0] event_value = {written(op_high, {1'b0, filter_i, 2'd0, selector[55:32]}, data[63:32]),
                             written(op_low, selector[31:0] & ~SHARED[31:0], data[31:0]) & ~SHARED[31:0]
                             | vector_new & SHARED[31:0]};
  wire combined = event_value[`TALLY_SEL_TYPE_MSB:`TALLY_SEL_TYPE_LSB] == `TALLY_SEL_TYPE_IS_COMBINED;
  wire [55:0] selector_new = {event_value[55:32] & {24{~RV32 | combined}}, event_value[31:0]};
  assign event_we_o  = csr_valid_i & |(change & W_EVENT) & ~(ANDES & own & ~writable);
  assign event_o     = tally_event_short(selector_new) & {8{has_event}};
  assign comb_o      = selector_new;
  assign filter_o    = (filter_i & ~filter_see) | (event_value[62:58] & filter_see);
  assign of_we_o     = event_we_o & has_flag & upper & (op_high == OP_WRITE | op_high != OP_READ & data[63]);
  assign of_o        = op_high != OP_CLEAR & data[63];

  wire [31:0] open       = (mcounteren_i | {32{~enabled}})
                         & (wen_i | {32{~(ANDES & own)}}) & {32{~(ANDES & no_write)}};
  wire        masks      = |(word & (W_MASK_M | W_MASK_S | W_MASK_U));
  assign vector_mask_o   = open & (data[31:0] | {32{op_low == OP_WRITE}});
  assign vector_o        = (open & vector_new | ~open & vector) ^ (masks ? POLARITY : 32'd0);
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
  // mcounterovf, scounterovf: a 1 clears, by CSRRW and by CSRRC alike (Andes' two idioms); CSRRS does nothing
  wire        flags_we   = ANDES & csr_valid_i & |(change & W_FLAGS) & op_o != OP_SET;
  assign of_clear_o      = {32{flags_we}} & open & data[31:0];
  assign software_o      = csr_valid_i & raise & data[0];

  wire unused_ok = &{1'b0, overflow, own, no_write, writable, write, event_value[63], event_value[57:56],
      pc_value[0], pc_value[63:32]};

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
endmodule

`default_nettype wire
