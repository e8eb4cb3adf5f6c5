// SPDX-License-Identifier: Apache-2.0
// ebb_isolation - the registers of event-based branches reveal nothing of kernel, firmware and guests: two
// units side by side (docs/rulings.md, EBB gates; EBB overflow; EBB window).
//
// Both have the same user program: in cycles of U-mode with V=0 they get the same inputs. In all other cycles
// each gets its own: other modes, accesses, events, retirements, program counters. They agree in the state
// that U-mode may see: gates, routes, the user's registers, and of the routed counters value, event, flag,
// inhibition and the filter of U-mode. Of all other counters everything may be different. Then every answer
// to an access of U-mode to a register of event-based branches is the same in both, a branch is requested in
// both or in neither, and they agree again in the next cycle. So the user learns only that time passes.
//
// Assumed of the others: they do not write the user's state: their writes go
// to counters that are not routed, selects, scounteren and the kernel's sample pc; but for cycles in which
// both get the same (`together`), which set everything up. And of decoding, which counts in the cycle after
// it and in that cycle's mode: the last decode before the user's cycle is the same in both. (The
// reference hart's mode_priv_i is delayed by a cycle, so there decoding counts in its own mode.)
//
// `j` is any counter: if it agrees, all agree.

`include "tally_spec.vh"

`default_nettype none

module ebb_isolation #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter DECODE_W = 1,
    parameter EVC_W    = 1,
    parameter HPM_N    = 2,
    parameter [0:0] HYP = 1
) (
    // of the second unit, in cycles that are not the user's
    input wire                             csr_valid_1,
    input wire [11:0]                      csr_num_1,
    input wire [1:0]                       csr_op_1,
    input wire [XLEN-1:0]                  csr_wdata_1,
    input wire [63:0]                      env_time_1,
    input wire [63:0]                      env_hstateen0_1,
    input wire [31:0]                      env_hcounteren_1,
    input wire [1:0]                       mode_priv_1,
    input wire                             mode_v_1,
    input wire [RETIRE_W*`TALLY_EVR_N-1:0] ev_retire_1,
    input wire [`TALLY_EVC_N*EVC_W-1:0]    ev_cycle_1,
    input wire [DECODE_W-1:0]              dec_valid_1,
    input wire [DECODE_W*3-1:0]            dec_type_1,
    input wire [RETIRE_W-1:0]              ret_valid_1,
    input wire [RETIRE_W*XLEN-1:0]         ret_pc_1,
    input wire [RETIRE_W*3-1:0]            ret_mode_1,
    input wire [XLEN-1:0]                  ret_next_pc_1,
    input wire                             ret_flushed_1,
    input wire                             together,      // ... unless both get the same
`include "host.vh"
);
  (* anyconst *) wire [4:0] j;

  wire user = mode_priv == 2'd0 & ~mode_v;
  // The next to retire is the user's: its pc is.
  wire next_is_user = user & (|ret_valid | ret_mode[2:0] == 3'd0);

  localparam ANSWER = XLEN + 3, SHOWN = 3*XLEN + 6*32 + 14, OUTPUTS = 2*XLEN + 3, COUNTER = 64 + 56,
             DECODED = 4*DECODE_W;
  wire [2*ANSWER-1:0]  answer;
  wire [2*SHOWN-1:0]   shown;
  wire [2*OUTPUTS-1:0] outputs;
  wire [2*COUNTER-1:0] counter;
  wire [2*DECODED-1:0] decodes;
  wire [63:0]          wraps, routed;
  wire [1:0]           forbidden, write;
  wire [4:0]           sel;
  genvar c;
  generate
    for (c = 0; c < 2; c = c + 1) begin : g_unit
      localparam OWN = c == 1;
      wire        own = OWN & ~user & ~together;
      wire        valid = own ? csr_valid_1 : csr_valid;
      wire [11:0] num   = own ? csr_num_1 : csr_num;
      wire [1:0]  op    = own ? csr_op_1 : csr_op;
      wire [1:0]  priv  = own ? mode_priv_1 : mode_priv;
      wire        v     = own ? mode_v_1 : mode_v;
      wire            hit, illegal, virt;
      wire [XLEN-1:0] rdata;
      wire [31:0] mcounteren, inhibit, flags, uinh, wrap, ebb_route, ebb_inh;
      wire [11:0] select;
      wire [63:0] count;
      wire [55:0] selector;
      wire [4:0]  ebb_sel;
      wire        ebb_men, ebb_en, ebb_win, ebb_ge, ebb_fz, ebb_pme, ebb_pmeo;
      wire        ebb_req, uebret_illegal, uebret_virtual;
      wire [XLEN-1:0] ebb_hr, ebb_rr, ebb_spc, ebb_target, ebb_return;
      wire [1:0]      ebb_events;
      wire [DECODE_W-1:0]   decoded;
      wire [DECODE_W*3-1:0] decoded_type;
      pmu_state #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .EVC_W(EVC_W), .HPM_N(HPM_N), .HYP(HYP),
          .SSPESA(1), .EBB(1)
      ) state (
          .clk(clk), .rst(rst), .csr_valid(valid), .csr_num(num), .csr_op(op),
          .csr_wdata(own ? csr_wdata_1 : csr_wdata), .csr_priv(priv), .csr_v(v), .env_cde(env_cde),
          .env_mstateen0(env_mstateen0), .env_hstateen0(own ? env_hstateen0_1 : env_hstateen0),
          .env_sstateen0(env_sstateen0), .env_hcounteren(own ? env_hcounteren_1 : env_hcounteren),
          .env_time(own ? env_time_1 : env_time), .env_htimedelta(env_htimedelta), .mode_priv(priv),
              .mode_v(v),
          .mode_stopcount(mode_stopcount), .mode_debug(mode_debug), .mode_halted(mode_halted),
          .ev_retire(own ? ev_retire_1 : ev_retire), .ev_cycle(own ? ev_cycle_1 : ev_cycle),
          .dec_valid(own ? dec_valid_1 : dec_valid), .dec_type(own ? dec_type_1 : dec_type),
          .ret_valid(own ? ret_valid_1 : ret_valid), .ret_pc(own ? ret_pc_1 : ret_pc),
          .ret_mode(own ? ret_mode_1 : ret_mode),
          .ret_next_pc(OWN & ~next_is_user & ~together ? ret_next_pc_1 : ret_next_pc),
          .ret_flushed(own ? ret_flushed_1 : ret_flushed), .ret_uebret(ret_uebret),
              .ret_uebret_ge(ret_uebret_ge),
          .ebb_ack(ebb_ack),
          .hit(hit), .illegal(illegal), .virt(virt), .rdata(rdata), .mcounteren(mcounteren),
              .inhibit(inhibit),
          .flags(flags), .uinh(uinh), .wrap(wrap), .siselect(select), .index_i(j), .count(count),
              .simple(selector),
          .ebb_men(ebb_men), .ebb_en(ebb_en), .ebb_win(ebb_win), .ebb_route(ebb_route), .ebb_inh(ebb_inh),
          .ebb_sel(ebb_sel), .ebb_ge(ebb_ge), .ebb_fz(ebb_fz), .ebb_pme(ebb_pme), .ebb_pmeo(ebb_pmeo),
          .ebb_hr(ebb_hr), .ebb_rr(ebb_rr), .ebb_spc(ebb_spc), .ebb_events(ebb_events), .ebb_req(ebb_req),
          .decoded(decoded), .decoded_type(decoded_type), .ebb_target(ebb_target),
          .ebb_return(ebb_return), .uebret_illegal(uebret_illegal), .uebret_virtual(uebret_virtual)
      );
      wire [31:0] routes = ebb_men & env_mstateen0[`TALLY_MSTATEEN0_C_LSB] & env_cde ? ebb_route
          & mcounteren : 32'd0;
      assign answer[c*ANSWER +: ANSWER]    = {hit, illegal, virt, rdata};
      assign outputs[c*OUTPUTS +: OUTPUTS] = {ebb_req, uebret_illegal, uebret_virtual, ebb_target,
          ebb_return};
      assign shown[c*SHOWN +: SHOWN] = {
          ebb_men, ebb_en, ebb_win, ebb_route, mcounteren, ebb_inh, ebb_sel, ebb_ge, ebb_fz, ebb_pme,
              ebb_pmeo,
          ebb_hr, ebb_rr, ebb_spc, ebb_events, flags & routes, inhibit & routes, uinh & routes};
      assign decodes[c*DECODED +: DECODED] = {decoded, decoded_type};
      assign counter[c*COUNTER +: COUNTER] = {count, selector};
      assign wraps[c*32 +: 32]  = wrap;
      assign routed[c*32 +: 32] = routes;

      // The others' accesses: not to the user's state.
      wire low  = num[11:5] == 7'b1011_000 | num[11:5] == 7'b0011_001 & num[4:0] > 5'd2;
      wire high = XLEN == 32 & (num[11:5] == 7'b1011_100 | num[11:5] == 7'b0111_001 & num[4:0] > 5'd2);
      wire window = num[11:3] == 9'b0001_0101_0 & num[2:0] != 3'd0;
      wire [4:0] at = window ? select[4:0] : num[4:0];
      wire harmless = (low | high | window) & ~routes[at] | num == `TALLY_CSR_SISELECT
                    | num == `TALLY_CSR_MISELECT | num == `TALLY_CSR_VSISELECT | num == `TALLY_CSR_SCOUNTEREN
                    | num == `TALLY_CSR_SHPMSPC | num == `TALLY_CSR_SHPMSDATA;
      assign write[c]     = valid & op != 2'd0;
      assign forbidden[c] = ~user & ~together & write[c] & ~harmless;
    end
  endgenerate
  assign sel = g_unit[0].ebb_sel;

  reg up = 1'b0;  // have been reset
  always @(posedge clk) up <= up | rst;
  always @* begin
    if (!up) assume (rst);
    assume (mode_priv != 2'd2 & mode_priv_1 != 2'd2);
    if (!HYP) assume (!mode_v & !mode_v_1);
    assume (~(mode_priv == 2'd3 & mode_v) & ~(mode_priv_1 == 2'd3 & mode_v_1));
    // the second unit is not in U-mode with V=0 where the first is not
    if (!together) assume (mode_priv_1 != 2'd0 | mode_v_1);
    assume (forbidden == 2'd0);
    // decoding counts a cycle later
    if (user) assume (decodes[0 +: DECODED] == decodes[DECODED +: DECODED]);
    // counters stay whose they are
    assume (env_cde & env_mstateen0[`TALLY_MSTATEEN0_C_LSB]);
    // the user's own accesses: an event of software, say, is not isolated
    if (ebb_ack) assume (!csr_valid & ret_valid == {RETIRE_W{1'b0}} & next_is_user);
    if (ret_uebret) assume (user & !csr_valid & !ebb_ack & ret_valid == 1'b1);
  end

  wire ebb_number = csr_num == `TALLY_CSR_UBESCR | csr_num == `TALLY_CSR_UEBBHR | csr_num == `TALLY_CSR_UEBBRR
                  | csr_num == `TALLY_CSR_UEBBOVF | csr_num == `TALLY_CSR_UEBBINH |
                      csr_num == `TALLY_CSR_UEBBSEL
                  | csr_num == `TALLY_CSR_UEBBCNT | csr_num == `TALLY_CSR_UEBBCNTH
                  | csr_num == `TALLY_CSR_UEBBSPC | csr_num == `TALLY_CSR_SEBBCTL
                  | csr_num == `TALLY_CSR_MEBBCTL;
  wire of_counter = csr_num == `TALLY_CSR_UEBBCNT | csr_num == `TALLY_CSR_UEBBCNTH;

  wire agree = shown[0 +: SHOWN] == shown[SHOWN +: SHOWN]
             & (~routed[j] | counter[0 +: COUNTER] == counter[COUNTER +: COUNTER]);
  // ... of every counter: `j` is one; the others wrap together.
  wire agree_all = agree & (wraps[31:0] & routed[31:0]) == (wraps[63:32] & routed[63:32]);
  wire on = up & ~rst;

  prop_holds user_learns_nothing_of_others (
      .when_i(on & agree & user & ebb_number & (~of_counter | sel == j)),
      .holds_i(answer[0 +: ANSWER] == answer[ANSWER +: ANSWER]));
  prop_holds branches_tell_nothing_of_others (.when_i(on & agree & user),
      .holds_i(outputs[0 +: OUTPUTS] == outputs[OUTPUTS +: OUTPUTS]));
  prop_holds routed_counters_wrap_together (.when_i(on & agree & routed[j]),
      .holds_i(wraps[j] == wraps[32 + j]));
  prop_becomes others_leave_the_user_alone (.clk(clk), .when_i(on & agree_all & ~together),
      .value_i(agree), .then_i(1'b1));
endmodule

`default_nettype wire
