// SPDX-License-Identifier: Apache-2.0
// pmu_state - tally_pmu with its architectural state as ports, for the properties.
//
// Here the state is named, and only here. Vectors have bit n for counter n; of the counters' values and
// selectors those of counter `index_i`: they come out of the modules that hold them (their FORMAL part),
// as software sees them, however they are stored.

`include "tally_spec.vh"

`default_nettype none

module pmu_state #(
`include "configuration.vh"
) (
    output wire                             hit,
    output wire                             illegal,
    output wire                             virt,
    output wire [XLEN-1:0]                  rdata,
    output wire                             tm,           // mcounteren.TM, for the hart
    output wire [3:0]                       ret_max,
    output wire                             lcofi,
    output wire                             andes,

    output wire [31:0]                      mcounteren,
    output wire [31:0]                      scounteren,
    output wire [31:0]                      inhibit,
    output wire [31:0]                      wen,
    output wire [31:0]                      inten,
    output wire [31:0]                      flags,
    output wire [31:0]                      minh,
    output wire [31:0]                      sinh,
    output wire [31:0]                      uinh,
    output wire [31:0]                      vsinh,
    output wire [31:0]                      vuinh,
    output wire [31:0]                      wrap,         // counters that the unit says wrap in this cycle
    output wire [11:0]                      miselect,
    output wire [11:0]                      siselect,
    output wire [11:0]                      vsiselect,
    output wire [31:0]                      pc_range,
    output wire [XLEN-1:0]                  pc_low,
    output wire [XLEN-1:0]                  pc_high,

    input  wire [4:0]                       index_i,
    output wire [63:0]                      count,
    output wire [55:0]                      simple,       // selector, if it is no combination; else 0
    output wire [55:0]                      combination,  // ... if it is one
    output wire                             was,          // the edge's history bit of a combination
    output wire [DECODE_W-1:0]              decoded,      // lanes whose events count in this cycle,
    output wire [DECODE_W*3-1:0]            decoded_type, // ... their types
    // state of accesses, not of counters. CSR_PIPELINE: the access of the cycle before; COUNTER_RAM: which
    // counter is in the stage, and which is next
    output wire [128:0]                     way,
    // event-based branches
    output wire                             ebb_men,
    output wire                             ebb_en,
    output wire                             ebb_win,
    output wire [31:0]                      ebb_route,
    output wire [31:0]                      ebb_inh,
    output wire [4:0]                       ebb_sel,
    output wire                             ebb_ge,
    output wire                             ebb_fz,
    output wire                             ebb_pme,
    output wire                             ebb_pmeo,
    output wire [XLEN-1:0]                  ebb_hr,
    output wire [XLEN-1:0]                  ebb_rr,
    output wire [XLEN-1:0]                  ebb_spc,
    output wire [1:0]                       ebb_events,
    output wire                             ebb_req,
    output wire [XLEN-1:0]                  ebb_target,
    output wire [XLEN-1:0]                  ebb_return,
    output wire                             uebret_illegal,
    output wire                             uebret_virtual,
`include "host.vh"
);
  localparam COMB = COMB_N < HPM_N ? COMB_N : HPM_N;

  tally_pmu #(
      .XLEN(XLEN), .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .HPM_N(HPM_N), .HPM_W(HPM_W), .EVC_W(EVC_W),
      .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .SMCSRIND(SMCSRIND), .SMCDELEG(SMCDELEG),
      .SMSTATEEN(SMSTATEEN), .HYP(HYP), .ANDES(ANDES), .ANDES_SILICON(ANDES_SILICON),
      .ANDES_SWRITE(ANDES_SWRITE), .SWEVENT(SWEVENT), .COMB_N(COMB_N), .PCRANGE(PCRANGE),
      .SSPESA(SSPESA), .EBB(EBB), .CSR_PIPELINE(CSR_PIPELINE), .COUNTER_RAM(COUNTER_RAM)
  ) dut (
      .clk(clk), .rst(rst),
      .csr_valid_i(csr_valid),
      .csr_num_i(csr_num),
      .csr_op_i(csr_op),
      .csr_wdata_i(csr_wdata),
      .csr_priv_i(csr_priv),
      .csr_v_i(csr_v),
      .csr_hit_o(hit),
      .csr_illegal_o(illegal),
      .csr_virtual_o(virt),
      .csr_rdata_o(rdata),
      .csr_tm_o(tm),
      .csr_ready_next_o(),
      .env_cde_i(env_cde),
      .env_mstateen0_i(env_mstateen0),
      .env_hstateen0_i(env_hstateen0),
      .env_sstateen0_i(env_sstateen0),
      .env_hcounteren_i(env_hcounteren),
      .env_time_i(env_time),
      .env_htimedelta_i(env_htimedelta),
      .mode_priv_i(mode_priv),
      .mode_v_i(mode_v),
      .mode_stopcount_i(mode_stopcount),
      .mode_debug_i(mode_debug),
      .mode_halted_i(mode_halted),
      .ev_retire_i(ev_retire),
      .ev_cycle_i(ev_cycle),
      .dec_valid_i(dec_valid),
      .dec_type_i(dec_type),
      .ret_valid_i(ret_valid),
      .ret_pc_i(ret_pc),
      .ret_mode_i(ret_mode),
      .ret_next_pc_i(ret_next_pc),
      .ret_flush_pc_i({XLEN{1'b0}}),
      .env_lcofip_i(1'b0),
      .ret_flushed_i(ret_flushed),
      .ret_uebret_i(ret_uebret),
      .ret_uebret_ge_i(ret_uebret_ge),
      .ebb_req_o(ebb_req),
      .ebb_target_o(ebb_target),
      .ebb_ack_i(ebb_ack),
      .ebb_return_o(ebb_return),
      .uebret_illegal_o(uebret_illegal),
      .uebret_virtual_o(uebret_virtual),
      .ret_max_o(ret_max),
      .irq_lcofi_o(lcofi),
      .irq_andes_o(andes)
  );

  // Yosys joins these with the wires of the same names below.
  (* hierconn *) wire [31:0] \dut.mcounteren ;
  (* hierconn *) wire [31:0] \dut.scounteren ;
  (* hierconn *) wire [31:0] \dut.inhibit ;
  (* hierconn *) wire [31:0] \dut.wen ;
  (* hierconn *) wire [31:0] \dut.inten ;
  (* hierconn *) wire [31:0] \dut.flags ;
  (* hierconn *) wire [31:0] \dut.minh ;
  (* hierconn *) wire [31:0] \dut.sinh ;
  (* hierconn *) wire [31:0] \dut.uinh ;
  (* hierconn *) wire [31:0] \dut.vsinh ;
  (* hierconn *) wire [31:0] \dut.vuinh ;
  (* hierconn *) wire [31:0] \dut.u_counting.wrap ;
  (* hierconn *) wire [11:0] \dut.u_access.u_data.miselect_q ;
  (* hierconn *) wire [11:0] \dut.u_access.u_data.siselect_q ;
  (* hierconn *) wire [11:0] \dut.u_access.u_data.vsiselect_q ;
  (* hierconn *) wire [4:0]  \dut.u_counting.g_plain.u_counters.formal_index ;
  (* hierconn *) wire [63:0] \dut.u_counting.g_plain.u_counters.formal_count ;
  (* hierconn *) wire [4:0]  \dut.u_counting.g_ram.u_counters.formal_index ;
  (* hierconn *) wire [63:0] \dut.u_counting.g_ram.u_counters.formal_count ;
  (* hierconn *) wire [12:0] \dut.u_counting.g_ram.u_counters.formal_side ;
`include "tally_pmu_access.vh"
  (* hierconn *) wire [11:0] \dut.u_access.g_pipelined.num_q ;
  (* hierconn *) wire [1:0]  \dut.u_access.g_pipelined.op_q ;
  (* hierconn *) wire [1:0]  \dut.u_access.g_pipelined.priv_q ;
  (* hierconn *) wire        \dut.u_access.g_pipelined.v_q ;
  (* hierconn *) wire [ACCESS_W-1:0] \dut.u_access.g_pipelined.access_q ;
  (* hierconn *) wire [4:0]  \dut.u_counting.g_ram.u_counters.turn_q ;
  (* hierconn *) wire [4:0]  \dut.u_counting.g_ram.u_counters.stage_q ;
  (* hierconn *) wire [32*(ANDES ? 8 : HYP ? 13 : 11)-1:0] \dut.u_counting.g_ram.u_counters.formal_sides ;
  (* hierconn *) wire [255:0] \dut.u_counting.u_select.event_q ;
  (* hierconn *) wire        \dut.u_counting.g_ram.u_counters.live_q ;
  (* hierconn *) wire        \dut.u_counting.g_ram.u_counters.asked_q ;
  (* hierconn *) wire        \dut.u_counting.g_ram.u_counters.clearing_q ;
  (* hierconn *) wire        \dut.u_counting.g_ram.u_counters.same_q ;
  (* hierconn *) wire [4:0]  \dut.u_counting.formal_index ;
  (* hierconn *) wire [4:0]  \dut.u_counting.u_select.formal_index ;
  (* hierconn *) wire [7:0]  \dut.u_counting.u_select.formal_event ;
  (* hierconn *) wire [55:0] \dut.u_counting.u_select.formal_selector ;
  (* hierconn *) wire [4:0]  \dut.u_counting.g_combine.u_combine.formal_index ;
  (* hierconn *) wire [55:0] \dut.u_counting.g_combine.u_combine.formal_selector ;
  (* hierconn *) wire        \dut.u_counting.g_combine.u_combine.formal_before ;
  (* hierconn *) wire [DECODE_W-1:0]   \dut.u_counting.u_events.valid_q ;
  (* hierconn *) wire [DECODE_W*3-1:0] \dut.u_counting.u_events.type_q ;
  (* hierconn *) wire [31:0] \dut.pc_range ;
  (* hierconn *) wire [XLEN-1:0] \dut.pc_low ;
  (* hierconn *) wire [XLEN-1:0] \dut.pc_high ;


  (* hierconn *) wire              \dut.g_ebb.u_ebb.u_gates.machine_en_q ;
  (* hierconn *) wire              \dut.g_ebb.u_ebb.u_gates.en_q ;
  (* hierconn *) wire              \dut.g_ebb.u_ebb.u_gates.window_q ;
  (* hierconn *) wire [31:0]       \dut.g_ebb.u_ebb.u_gates.route_q ;
  (* hierconn *) wire [31:0]       \dut.g_ebb.u_ebb.inhibit_q ;
  (* hierconn *) wire [4:0]        \dut.g_ebb.u_ebb.select_q ;
  (* hierconn *) wire              \dut.g_ebb.u_ebb.u_status.ge_q ;
  (* hierconn *) wire              \dut.g_ebb.u_ebb.u_status.fz_q ;
  (* hierconn *) wire              \dut.g_ebb.u_ebb.u_status.pme_q ;
  (* hierconn *) wire              \dut.g_ebb.u_ebb.u_status.pmeo_q ;
  (* hierconn *) wire [XLEN-1:1]   \dut.g_ebb.u_ebb.handler_q ;
  (* hierconn *) wire [XLEN-1:1]   \dut.g_ebb.u_ebb.return_q ;
  (* hierconn *) wire [XLEN-1:0]   \dut.g_ebb.u_ebb.pc ;
  (* hierconn *) wire [1:0]        \dut.g_ebb.u_ebb.events_q ;

  assign mcounteren = \dut.mcounteren ;
  assign scounteren = \dut.scounteren ;
  assign inhibit    = \dut.inhibit ;
  assign wen        = \dut.wen ;
  assign inten      = \dut.inten ;
  assign flags      = \dut.flags ;
  assign minh       = \dut.minh ;
  assign sinh       = \dut.sinh ;
  assign uinh       = \dut.uinh ;
  assign vsinh      = \dut.vsinh ;
  assign vuinh      = \dut.vuinh ;
  assign wrap       = \dut.u_counting.wrap ;
  assign miselect   = \dut.u_access.u_data.miselect_q ;
  assign siselect   = \dut.u_access.u_data.siselect_q ;
  assign vsiselect  = \dut.u_access.u_data.vsiselect_q ;
  assign decoded    = \dut.u_counting.u_events.valid_q ;
  assign decoded_type = \dut.u_counting.u_events.type_q ;
  assign pc_range   = \dut.pc_range ;
  assign pc_low     = \dut.pc_low ;
  assign pc_high    = \dut.pc_high ;
  assign ebb_men   = EBB ? \dut.g_ebb.u_ebb.u_gates.machine_en_q  : 1'b0;
  assign ebb_en    = EBB ? \dut.g_ebb.u_ebb.u_gates.en_q  : 1'b0;
  assign ebb_win   = EBB ? \dut.g_ebb.u_ebb.u_gates.window_q  : 1'b0;
  assign ebb_route = EBB ? \dut.g_ebb.u_ebb.u_gates.route_q  : 32'd0;
  assign ebb_inh   = EBB ? \dut.g_ebb.u_ebb.inhibit_q  : 32'd0;
  assign ebb_sel   = EBB ? \dut.g_ebb.u_ebb.select_q  : 5'd0;
  assign ebb_events = EBB ? \dut.g_ebb.u_ebb.events_q  : 2'd0;
  assign ebb_ge    = EBB ? \dut.g_ebb.u_ebb.u_status.ge_q  : 1'b0;
  assign ebb_fz    = EBB ? \dut.g_ebb.u_ebb.u_status.fz_q  : 1'b0;
  assign ebb_pme   = EBB ? \dut.g_ebb.u_ebb.u_status.pme_q  : 1'b0;
  assign ebb_pmeo  = EBB ? \dut.g_ebb.u_ebb.u_status.pmeo_q  : 1'b0;
  assign ebb_hr    = EBB ? {\dut.g_ebb.u_ebb.handler_q , 1'b0} : {XLEN{1'b0}};
  assign ebb_rr    = EBB ? {\dut.g_ebb.u_ebb.return_q , 1'b0} : {XLEN{1'b0}};
  assign ebb_spc   = EBB & SSPESA ? \dut.g_ebb.u_ebb.pc  : {XLEN{1'b0}};

  assign \dut.u_counting.formal_index = index_i;
  assign \dut.u_counting.g_plain.u_counters.formal_index = index_i;
  assign \dut.u_counting.g_ram.u_counters.formal_index = index_i;
  assign \dut.u_counting.g_combine.u_combine.formal_index = index_i;
  assign count  = COUNTER_RAM ? \dut.u_counting.g_ram.u_counters.formal_count
                              : \dut.u_counting.g_plain.u_counters.formal_count ;
  assign \dut.u_counting.u_select.formal_index = index_i;
  assign simple = \dut.u_counting.u_select.formal_selector ;

  wire [13:0]       stage = {
      \dut.u_counting.g_ram.u_counters.turn_q , \dut.u_counting.g_ram.u_counters.stage_q ,
      \dut.u_counting.g_ram.u_counters.live_q , \dut.u_counting.g_ram.u_counters.asked_q ,
      \dut.u_counting.g_ram.u_counters.clearing_q , \dut.u_counting.g_ram.u_counters.same_q };
  wire [ACCESS_W+16:0] asked = {\dut.u_access.g_pipelined.num_q , \dut.u_access.g_pipelined.op_q ,
                             \dut.u_access.g_pipelined.priv_q , \dut.u_access.g_pipelined.v_q ,
                             \dut.u_access.g_pipelined.access_q };
  assign way = {COUNTER_RAM ? stage : 14'd0, {98 - ACCESS_W{1'b0}},
                CSR_PIPELINE ? asked : {ACCESS_W + 17{1'b0}}};

  // The values that are read from the RAM of the counters are those that act.
  wire [12:0] side    = \dut.u_counting.g_ram.u_counters.formal_side ;
  wire        counter = index_i < 5'd3 + HPM_N && index_i != 5'd1;
  // Requests of combined selectors depend on the events of all counters.
  localparam SIDE_W = ANDES ? 8 : HYP ? 13 : 11;
  wire [HPM_N-1:0] same_side;
  genvar s;
  generate
    for (s = 0; s < HPM_N; s = s + 1) begin : g_side
      assign same_side[s] = \dut.u_counting.g_ram.u_counters.formal_sides [(s+3)*SIDE_W +: 8]
                            == \dut.u_counting.u_select.event_q [(s+3)*8 +: 8];
    end
  endgenerate
  always @* if (!rst && COUNTER_RAM && CSR_PIPELINE && COMB_N > 0) all_sides_are_events: assert (&same_side);
  always @* if (!rst && COUNTER_RAM && counter) begin
    side_is_event: assert (side[7:0] == \dut.u_counting.u_select.formal_event );
    if (!ANDES)
      side_is_filter: assert ({side[10:8], HYP ? side[12:11] : 2'd0}
                              == {minh[index_i], sinh[index_i], uinh[index_i],
                                  vsinh[index_i], vuinh[index_i]});
  end

  // Routes and the user's stop are of programmable counters that are there (docs/rulings.md, Absent
  // counters).
  localparam [31:0] HPM = ((32'd1 << HPM_N) - 32'd1) << 3;
  always @* if (!rst) ebb_bits_of_counters: assert (((ebb_route | ebb_inh) & ~HPM) == 32'd0);

  assign combination = COMB > 0 ? \dut.u_counting.g_combine.u_combine.formal_selector : 56'd0;
  assign was         = COMB > 0 ? \dut.u_counting.g_combine.u_combine.formal_before : 1'b0;
endmodule

`default_nettype wire
