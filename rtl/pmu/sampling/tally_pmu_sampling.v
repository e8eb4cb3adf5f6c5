// SPDX-License-Identifier: Apache-2.0
// tally_pmu_sampling - precise sampling (event sampling draft; docs/sampling.md).
//
// Attribution finds the instruction to which an overflow belongs (Sspesa) and limits how many instructions
// retire beside it (Ssplcofi). Instruction sampling (Smpdis, Sspdis) selects decoded instructions, tracks
// each to its end and writes a record of it. Outputs of parts that are not built are constants.
//
// Attribution acts in the cycle of the overflow. For instruction sampling the host's report, most of which is
// late-arriving, is registered once, here. In the cycle in which the end of a retired sample is processed,
// retire_hold_o keeps the next instruction from retiring, so that the sample's interrupt precedes it.

`include "tally_idle.vh"
`include "tally_spec.vh"

`default_nettype none

module tally_pmu_sampling #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter DECODE_W = 1,
    parameter HPM_N    = 29,
    parameter HPM_W    = 64,
    parameter LINE_W   = 1,    // bits of an event's count in a cycle
    parameter EVR_N    = `TALLY_EVR_N,
    parameter SMCDELEG   = 1,
    parameter SMSTATEEN  = 1,
    parameter HYP        = 0,
    parameter SSPESA     = 0,
    parameter SPESA_NEXT = 0,
    parameter SPESA_REGISTERED = 1,   // with one lane: attribution registers the requests first
    parameter SMPDIS     = 0,
    parameter PDIS_MEM   = 2,
    parameter PDIS_ACC   = 2,
    parameter PDIS_QUEUE = 4,
    parameter EBB        = 0,
    parameter REPORT_W   = 1024  // REPORT_WIDTH of tally_pmu_report.vh
) (
    input  wire                       clk,
    input  wire                       rst,

    // the hart
    input  wire                       env_cde_i,
    input  wire                       env_pdiss_i,
    input  wire                       env_pdisv_i,
    input  wire                       mstateen_pdis_i,
    input  wire                       hstateen_pdis_i,
    input  wire                       env_hcounteren_tm_i,
    input  wire                       env_lcofip_i,
    input  wire [63:0]                env_time_i,
    input  wire [63:0]                env_htimedelta_i,
    input  wire                       env_tlb_inval_i,
    input  wire                       mode_stopcount_i,
    input  wire                       mode_halted_i,
    input  wire [RETIRE_W*EVR_N-1:0]  ev_retire_i,
    input  wire [DECODE_W-1:0]        dec_valid_i,
    input  wire [DECODE_W*XLEN-1:0]   dec_pc_i,
    input  wire [DECODE_W*3-1:0]      dec_type_i,
    input  wire [DECODE_W*3-1:0]      dec_mode_i,
    output wire [DECODE_W-1:0]        dec_sample_o,
    input  wire [EVR_N-1:0]           trk_ev_i,        // retire events of the sample, if it retires
    input  wire [REPORT_W-1:0]        report_i,        // tally_pmu_report.vh
    input  wire [XLEN-1:0]            ret_flush_pc_i,
    input  wire                       ret_flushed_i,
    output wire [3:0]                 lanes_max_o,     // retire at most so many lanes ...
    output wire                       retire_hold_o,   // ... and none: a retired sample ends
    output wire                       irq_lambi_o,
    output wire                       rec_valid_o,
    input  wire                       rec_ready_i,
    output wire [55:0]                rec_addr_o,
    output wire [63:0]                rec_data_o,
    input  wire                       rec_done_i,
    output wire                       xlat_req_o,
    output wire [XLEN-1:0]            xlat_vaddr_o,
    output wire [1:0]                 xlat_mode_o,
    input  wire                       xlat_done_i,
    input  wire                       xlat_fault_i,
    input  wire [55:0]                xlat_paddr_i,

    // counting: events and interrupt request of sampling; the counters (tally_pmu_counting)
    output wire [3:0]                 sampling_o,      // a sample is kept, filtered, dropped, inhibited
    output wire [LINE_W-1:0]          collisions_o,
    output wire                       sample_lcofi_o,
    input  wire [31:0]                request_i,
    input  wire [31:0]                ebb_request_i,   // events of routed counters,
    output wire [XLEN-1:0]            ebb_pc_o,        // ... and the cause of the lowest's
    input  wire [RETIRE_W*64-1:0]     lane_event_i,
    input  wire [RETIRE_W-1:0]        in_range_i,
    input  wire [31:0]                pc_range_i,
    input  wire [32*8-1:0]            events_i,
    input  wire [32*3-1:0]            low_bits_i,
    input  wire [31:0]                near_max_i,
    input  wire [31:0]                selected_i,
    input  wire [31:0]                class_high_i,
    input  wire [31:0]                class_low_i,
    input  wire [31:0]                mcounteren_i,
    input  wire [31:0]                inhibit_i,
    input  wire [31:0]                flags_i,
    input  wire [31:0]                minh_i,
    input  wire [31:0]                sinh_i,
    input  wire [31:0]                uinh_i,
    input  wire [31:0]                vsinh_i,
    input  wire [31:0]                vuinh_i,

    // access: registers
    output wire [XLEN-1:0]            pesa_pc_o,
    output wire [4:0]                 pesa_cntrid_o,
    output wire                       pdis_inhibit_o,  // mcountinhibit's bit of sampling
    output wire [63:0]                pdisctl_o,
    output wire [1:0]                 pdis_vmodes_o,
    output wire [63:0]                pdiscounter_o,
    output wire [55:0]                evmask_o,
    output wire [55:0]                evmatch_o,
    output wire [15:0]                pdisfilter_o,
    output wire [63:0]                ambcs_o,
    output wire [XLEN-1:0]            ambaddr_o,
    input  wire [3:0]                 data_index_i,    // the word of the sample's data
    output wire [XLEN-1:0]            data_word_o,
    input  wire                       pesa_pc_we_i,
    input  wire                       pesa_data_we_i,
    input  wire                       pdis_inhibit_we_i,
    input  wire                       pdis_inhibit_new_i,
    input  wire                       pdisctl_we_i,
    input  wire                       pdisctl_machine_i,
    input  wire                       pdisctl_guest_i,
    input  wire                       pdiscount_we_i,
    input  wire                       pdisinit_we_i,
    input  wire                       evmask_we_i,
    input  wire                       evmatch_we_i,
    input  wire                       pdisfilter_we_i,
    input  wire                       ambcs_we_i,
    input  wire                       ambaddr_we_i,
    input  wire                       data_we_i,
    input  wire [63:0]                sample_wdata_i,  // written ...
    input  wire [63:0]                sample_wmask_i   // ... in these bits
);

  `include "tally_pmu_report.vh"

  wire [RETIRE_W-1:0]      ret_valid   = report_i[REPORT_RET_VALID +: RETIRE_W];
  wire [RETIRE_W*XLEN-1:0] ret_pc      = report_i[REPORT_RET_PC +: RETIRE_W*XLEN];
  wire [XLEN-1:0]          ret_next_pc = report_i[REPORT_RET_NEXT_PC +: XLEN];

  // ---- attribution of overflows
  generate
    if (SSPESA != 0) begin : g_attribution
      tally_pmu_attribution #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .HPM_W(HPM_W), .HYP(HYP), .EBB(EBB),
          .REGISTERED(SPESA_REGISTERED), .NEXT(SPESA_NEXT)
      ) u_attribution (
          .clk(clk), .rst(rst),
          .lcofip_i(env_lcofip_i),
          .request_i(request_i),
          .eligible_i(mcounteren_i | {32{SMCDELEG == 0 | ~env_cde_i}}),
          .ret_valid_i(ret_valid),
          .ret_pc_i(ret_pc),
          .ret_mode_i(report_i[REPORT_RET_MODE +: RETIRE_W*3]),
          .ret_next_pc_i(ret_next_pc),
          .ret_flush_pc_i(ret_flush_pc_i),
          .ret_flushed_i(ret_flushed_i),
          .events_i(events_i),
          .low_i(low_bits_i),
          .lane_event_i(lane_event_i),
          .in_range_i(in_range_i),
          .pc_range_i(pc_range_i),
          .pc_we_i(pesa_pc_we_i),
          .data_we_i(pesa_data_we_i),
          .wdata_i(sample_wdata_i[XLEN-1:0]),
          .pc_o(pesa_pc_o),
          .cntrid_o(pesa_cntrid_o),
          .ebb_request_i(ebb_request_i),
          .ebb_pc_o(ebb_pc_o)
      );
      if (RETIRE_W > 1) begin : g_retire_limit
        tally_pmu_retire_limit #(
            .RETIRE_W(RETIRE_W), .HPM_N(HPM_N), .HPM_W(HPM_W)
        ) u_retire_limit (
            .events_i(events_i),
            .low_i(low_bits_i),
            .near_max_i(near_max_i),
            .exempt_i(inhibit_i | flags_i),
            .max_o(lanes_max_o)
        );
      end else begin : g_one_lane
        assign lanes_max_o = RETIRE_W[3:0];
        wire unused_ok   = &{1'b0, near_max_i};
      end
    end else begin : g_no_attribution
      assign pesa_pc_o     = {XLEN{1'b0}};
      assign pesa_cntrid_o = 5'd0;
      assign ebb_pc_o      = {XLEN{1'b0}};
      assign lanes_max_o   = RETIRE_W[3:0];
      wire unused_ok = &{1'b0, request_i, ebb_request_i, low_bits_i, near_max_i, pesa_pc_we_i,
          pesa_data_we_i};
    end
  endgenerate

  // ---- sampling of decoded instructions
  generate
    if (SMPDIS != 0) begin : g_pdis
      // The report a cycle later. Its fields are valid together with a pulse only.
      localparam PULSES_W = REPORT_WIDTH - REPORT_PULSES;
      reg  [REPORT_WIDTH-1:0] report_q;
      wire [PULSES_W-1:0]     pulses = report_i[REPORT_PULSES +: PULSES_W];
      always @(posedge clk) begin
        if (`TALLY_ACTIVE(|pulses)) report_q[REPORT_PULSES-1:0] <= report_i[REPORT_PULSES-1:0];
        report_q[REPORT_PULSES +: PULSES_W] <= pulses & {PULSES_W{~rst}};
      end
      assign retire_hold_o = report_q[REPORT_RETIRED];

      // ... lanes with a control transfer that was taken
      localparam [EVR_N-1:0] ONE = 1;
      localparam [EVR_N-1:0] TRANSFERS =
          ONE << `TALLY_EVR_TRET | ONE << `TALLY_EVR_BR_TK | ONE << `TALLY_EVR_IND_CALL |
          ONE << `TALLY_EVR_DIR_CALL | ONE << `TALLY_EVR_IND_JMP | ONE << `TALLY_EVR_DIR_JMP |
          ONE << `TALLY_EVR_CORSWAP | ONE << `TALLY_EVR_RETURN | ONE << `TALLY_EVR_IND_LJMP |
          ONE << `TALLY_EVR_DIR_LJMP;
      reg [RETIRE_W-1:0] ret_transfer_q;
      integer            l;
      always @(posedge clk)
        for (l = 0; l < RETIRE_W; l = l + 1)
          ret_transfer_q[l] <= |(ev_retire_i[l*EVR_N +: EVR_N] & TRANSFERS);

      // ... and counters whose retire event the sample caused (pdishdrev.HPM). With one lane the events of a
      // sample that retires are those that the counters select from in that cycle.
      wire [31:0] hpm_event;
      reg  [31:0] hpm_event_q;
      if (RETIRE_W == 1) begin : g_one_lane
        assign hpm_event = selected_i;
      end else begin : g_lanes
        `include "tally_event_fn.vh"
        wire [63:0] by_index    = tally_retire_lines(trk_ev_i);
        wire [63:0] low_event   = tally_lines_low(by_index, 64'd0);
        wire [63:0] mid_event   = tally_lines_mid(by_index, 64'd0);
        wire [63:0] cache_event = tally_lines_cache(by_index, 64'd0);
        genvar c;
        for (c = 0; c < 32; c = c + 1) begin : g_counter
          if (c >= 3 && c < 3 + HPM_N) begin : g_some
            tally_mux256 #(.MASK(`TALLY_RETIRE_LINES)) u_mux (
                .sel_i(events_i[c*8 +: 8]), .in_i({64'd0, cache_event, mid_event, low_event}),
                .out_o(hpm_event[c])
            );
          end else begin : g_none
            assign hpm_event[c] = 1'b0;
          end
        end
        wire unused_ok = &{1'b0, low_event, mid_event, cache_event};
      end
      always @(posedge clk)
        if (`TALLY_ACTIVE(report_i[REPORT_RETIRED])) hpm_event_q <= hpm_event & class_low_i & ~class_high_i;

      // Events are counted a cycle later, which keeps sampling off the path from an event to an overflow.
      // While the core clock is halted they wait; no others come meanwhile.
      wire [3:0]        outcome;
      wire [LINE_W-1:0] collisions;
      reg  [3:0]        outcome_q;
      reg  [LINE_W-1:0] collisions_q;
      always @(posedge clk) begin
        outcome_q    <= (outcome | outcome_q & {4{mode_halted_i}}) & {4{~rst}};
        collisions_q <= (collisions | collisions_q & {LINE_W{mode_halted_i}}) & {LINE_W{~rst}};
      end
      assign sampling_o   = outcome_q;
      assign collisions_o = collisions_q;

      tally_pmu_pdis #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .HPM_N(HPM_N), .LINE_W(LINE_W),
          .MEM(PDIS_MEM), .ACC(PDIS_ACC), .QUEUE(PDIS_QUEUE), .REPORT_W(REPORT_WIDTH),
          .SMCDELEG(SMCDELEG != 0), .SMSTATEEN(SMSTATEEN != 0), .HYP(HYP != 0)
      ) u_pdis (
          .clk(clk), .rst(rst),
          .env_cde_i(env_cde_i),
          .env_pdiss_i(env_pdiss_i),
          .env_pdisv_i(env_pdisv_i),
          .mstateen_pdis_i(mstateen_pdis_i),
          .hstateen_pdis_i(hstateen_pdis_i),
          .env_time_i(env_time_i),
          .env_htimedelta_i(env_htimedelta_i),
          .env_hcounteren_tm_i(env_hcounteren_tm_i),
          .env_tlb_inval_i(env_tlb_inval_i),
          .mode_stopcount_i(mode_stopcount_i),
          .mode_halted_i(mode_halted_i),
          .mcounteren_i(mcounteren_i),
          .minh_i(minh_i),
          .sinh_i(sinh_i),
          .uinh_i(uinh_i),
          .vsinh_i(vsinh_i),
          .vuinh_i(vuinh_i),
          .dec_valid_i(dec_valid_i),
          .dec_pc_i(dec_pc_i),
          .dec_type_i(dec_type_i),
          .dec_mode_i(dec_mode_i),
          .dec_sample_o(dec_sample_o),
          .report_i(report_q),
          .ret_transfer_i(ret_transfer_q),
          .hpm_event_i(hpm_event_q),
          .rec_valid_o(rec_valid_o),
          .rec_ready_i(rec_ready_i),
          .rec_addr_o(rec_addr_o),
          .rec_data_o(rec_data_o),
          .rec_done_i(rec_done_i),
          .xlat_req_o(xlat_req_o),
          .xlat_vaddr_o(xlat_vaddr_o),
          .xlat_mode_o(xlat_mode_o),
          .xlat_done_i(xlat_done_i),
          .xlat_fault_i(xlat_fault_i),
          .xlat_paddr_i(xlat_paddr_i),
          .lcofi_o(sample_lcofi_o),
          .lambi_o(irq_lambi_o),
          .ev_sample_o(outcome[3]),
          .ev_filtered_o(outcome[2]),
          .ev_dropped_o(outcome[1]),
          .ev_inhibited_o(outcome[0]),
          .ev_collisions_o(collisions),
          .inhibit_o(pdis_inhibit_o),
          .ctl_o(pdisctl_o),
          .vmodes_o(pdis_vmodes_o),
          .counter_o(pdiscounter_o),
          .evmask_o(evmask_o),
          .evmatch_o(evmatch_o),
          .filter_o(pdisfilter_o),
          .ambcs_o(ambcs_o),
          .ambaddr_o(ambaddr_o),
          .data_word_i(data_index_i),
          .data_o(data_word_o),
          .inhibit_we_i(pdis_inhibit_we_i),
          .inhibit_i(pdis_inhibit_new_i),
          .ctl_we_i(pdisctl_we_i),
          .ctl_machine_i(pdisctl_machine_i),
          .ctl_guest_i(pdisctl_guest_i),
          .count_we_i(pdiscount_we_i),
          .initval_we_i(pdisinit_we_i),
          .evmask_we_i(evmask_we_i),
          .evmatch_we_i(evmatch_we_i),
          .filter_we_i(pdisfilter_we_i),
          .ambcs_we_i(ambcs_we_i),
          .ambaddr_we_i(ambaddr_we_i),
          .data_we_i(data_we_i),
          .wdata_i(sample_wdata_i),
          .wmask_i(sample_wmask_i)
      );
    end else begin : g_no_pdis
      assign dec_sample_o = {DECODE_W{1'b0}};
      assign rec_valid_o  = 1'b0;
      assign rec_addr_o   = 56'd0;
      assign rec_data_o   = 64'd0;
      assign xlat_req_o   = 1'b0;
      assign xlat_vaddr_o = {XLEN{1'b0}};
      assign xlat_mode_o  = 2'd0;
      assign irq_lambi_o  = 1'b0;
      assign sample_lcofi_o = 1'b0;
      assign retire_hold_o  = 1'b0;
      assign sampling_o     = 4'd0;
      assign collisions_o   = {LINE_W{1'b0}};
      assign pdis_inhibit_o = 1'b0;
      assign pdisctl_o      = 64'd0;
      assign pdis_vmodes_o  = 2'd0;
      assign pdiscounter_o  = 64'd0;
      assign evmask_o       = 56'd0;
      assign evmatch_o      = 56'd0;
      assign pdisfilter_o   = 16'd0;
      assign ambcs_o        = 64'd0;
      assign ambaddr_o      = {XLEN{1'b0}};
      assign data_word_o    = {XLEN{1'b0}};
      wire unused_ok = &{1'b0, data_index_i, pdis_inhibit_we_i, pdis_inhibit_new_i, pdisctl_we_i,
          pdisctl_machine_i, pdisctl_guest_i, pdiscount_we_i, pdisinit_we_i, evmask_we_i, evmatch_we_i,
          pdisfilter_we_i, ambcs_we_i, ambaddr_we_i, data_we_i, sample_wdata_i, sample_wmask_i};
    end
  endgenerate

  // Inputs that a build has no use for.
  wire unused_ok = &{1'b0, clk, rst, env_cde_i, env_pdiss_i, env_pdisv_i, mstateen_pdis_i, hstateen_pdis_i,
      env_hcounteren_tm_i, env_lcofip_i, env_time_i, env_htimedelta_i, env_tlb_inval_i, mode_stopcount_i,
      mode_halted_i, ev_retire_i, dec_valid_i, dec_pc_i, dec_type_i, dec_mode_i, trk_ev_i, report_i,
      ret_valid, ret_pc, ret_next_pc, ret_flush_pc_i, ret_flushed_i, rec_ready_i, rec_done_i, xlat_done_i,
      xlat_fault_i, xlat_paddr_i, request_i, lane_event_i, in_range_i, pc_range_i, events_i, low_bits_i,
      near_max_i, selected_i, class_high_i, class_low_i, mcounteren_i, inhibit_i, flags_i, minh_i, sinh_i,
      uinh_i, vsinh_i, vuinh_i};
endmodule

`default_nettype wire
