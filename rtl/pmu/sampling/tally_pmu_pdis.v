// SPDX-License-Identifier: Apache-2.0
// tally_pmu_pdis - sampling of decoded instructions (event sampling draft, Smpdis and Sspdis). It connects
// the parts that a sample passes, and decides about a sample that ends (docs/sampling.md, "The end
// of a sample"):
//
//     decode -> tally_pmu_pdis_select -> _track -> _record -> _data: registers, or tally_pmu_buffer's queue
//
// The host's report is that of the cycle before (tally_pmu_sampling). Registers are written through
// tally_pmu_access_data.

`include "tally_idle.vh"
`include "tally_spec.vh"

`default_nettype none

module tally_pmu_pdis #(
    parameter XLEN     = 64,
    parameter RETIRE_W = 1,
    parameter DECODE_W = 1,
    parameter HPM_N    = 29,
    parameter LINE_W   = 1,
    parameter MEM      = 2,
    parameter ACC      = 2,
    parameter QUEUE    = 4,
    parameter REPORT_W = 1024,   // REPORT_WIDTH of tally_pmu_report.vh
    parameter [0:0] SMCDELEG  = 1'b1,
    parameter [0:0] SMSTATEEN = 1'b1,
    parameter [0:0] HYP       = 1'b0
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     env_cde_i,
    input  wire                     env_pdiss_i,
    input  wire                     env_pdisv_i,
    input  wire                     mstateen_pdis_i,
    input  wire                     hstateen_pdis_i,
    input  wire [63:0]              env_time_i,
    input  wire [63:0]              env_htimedelta_i,
    input  wire                     env_hcounteren_tm_i,
    input  wire                     env_tlb_inval_i,
    input  wire                     mode_stopcount_i,
    input  wire                     mode_halted_i,

    // counters
    input  wire [31:0]              mcounteren_i,
    input  wire [31:0]              minh_i,
    input  wire [31:0]              sinh_i,
    input  wire [31:0]              uinh_i,
    input  wire [31:0]              vsinh_i,
    input  wire [31:0]              vuinh_i,

    input  wire [DECODE_W-1:0]      dec_valid_i,
    input  wire [DECODE_W*XLEN-1:0] dec_pc_i,
    input  wire [DECODE_W*3-1:0]    dec_type_i,
    input  wire [DECODE_W*3-1:0]    dec_mode_i,
    output wire [DECODE_W-1:0]      dec_sample_o,

    // of the cycle before
    input  wire [REPORT_W-1:0]      report_i,       // tally_pmu_report.vh
    input  wire [RETIRE_W-1:0]      ret_transfer_i, // lanes with a control transfer that was taken
    input  wire [31:0]              hpm_event_i,    // counters whose retire event the sample caused

    output wire                     rec_valid_o,
    input  wire                     rec_ready_i,
    output wire [55:0]              rec_addr_o,
    output wire [63:0]              rec_data_o,
    input  wire                     rec_done_i,
    output wire                     xlat_req_o,
    output wire [XLEN-1:0]          xlat_vaddr_o,
    output wire [1:0]               xlat_mode_o,
    input  wire                     xlat_done_i,
    input  wire                     xlat_fault_i,
    input  wire [55:0]              xlat_paddr_i,

    output wire                     lcofi_o,
    output wire                     lambi_o,

    // events: one of the first four when a sample ends
    output wire                     ev_sample_o,
    output wire                     ev_filtered_o,
    output wire                     ev_dropped_o,
    output wire                     ev_inhibited_o,
    output wire [LINE_W-1:0]        ev_collisions_o,

    // access
    output wire                     inhibit_o,     // mcountinhibit[1]
    output wire [63:0]              ctl_o,
    output wire [1:0]               vmodes_o,
    output wire [63:0]              counter_o,
    output wire [55:0]              evmask_o,
    output wire [55:0]              evmatch_o,
    output wire [15:0]              filter_o,
    output wire [63:0]              ambcs_o,
    output wire [XLEN-1:0]          ambaddr_o,
    input  wire [3:0]               data_word_i,
    output wire [XLEN-1:0]          data_o,
    input  wire                     inhibit_we_i,
    input  wire                     inhibit_i,
    input  wire                     ctl_we_i,
    input  wire                     ctl_machine_i,
    input  wire                     ctl_guest_i,
    input  wire                     count_we_i,
    input  wire                     initval_we_i,
    input  wire                     evmask_we_i,
    input  wire                     evmatch_we_i,
    input  wire                     filter_we_i,
    input  wire                     ambcs_we_i,
    input  wire                     ambaddr_we_i,
    input  wire                     data_we_i,
    input  wire [63:0]              wdata_i,        // new value of the whole register
    input  wire [63:0]              wmask_i         // bits that the instruction writes
);
  `include "tally_pmu_report.vh"

  localparam WORDS  = XLEN == 64 ? 6 : 8;
  localparam SLOTS  = MEM == 0 ? 0 : QUEUE;      // of the queue
  localparam SLOT_W = MEM == 0 ? 1 : $clog2(QUEUE);

  // ---- registers
  tally_pmu_pdis_regs #(
      .HPM_N(HPM_N), .MEM(MEM), .ACC(ACC), .HYP(HYP)
  ) u_regs (
      .clk(clk), .rst(rst),
      .inhibit_o(inhibit_o),
      .ctl_o(ctl_o),
      .vmodes_o(vmodes_o),
      .evmask_o(evmask_o),
      .evmatch_o(evmatch_o),
      .filter_o(filter_o),
      .of_set_i(ev_sample_o),
      .lcofi_o(lcofi_o),
      .inhibit_we_i(inhibit_we_i),
      .inhibit_i(inhibit_i),
      .ctl_we_i(ctl_we_i),
      .machine_i(ctl_machine_i),
      .guest_i(ctl_guest_i),
      .evmask_we_i(evmask_we_i),
      .evmatch_we_i(evmatch_we_i),
      .filter_we_i(filter_we_i),
      .wdata_i(wdata_i),
      .wmask_i(wmask_i)
  );
  wire       mem   = ctl_o[`TALLY_MPDISCTL_MEM_LSB];
  wire       acc   = ctl_o[`TALLY_MPDISCTL_ACC_LSB];
  wire [4:0] modes = {ctl_o[`TALLY_MPDISCTL_M_LSB], ctl_o[`TALLY_MPDISCTL_S_LSB],
                      ctl_o[`TALLY_MPDISCTL_U_LSB], vmodes_o};

  // ---- selection
  reg  accelerate_q;
  wire active, ends;
  tally_pmu_pdis_select #(
      .DECODE_W(DECODE_W), .LINE_W(LINE_W), .HYP(HYP)
  ) u_select (
      .clk(clk), .rst(rst),
      .dec_valid_i(dec_valid_i),
      .dec_type_i(dec_type_i),
      .dec_mode_i(dec_mode_i),
      .sample_o(dec_sample_o),
      .collisions_o(ev_collisions_o),
      .enable_i(~inhibit_o & ~mode_stopcount_i & ~mode_halted_i),
      .sel_i(ctl_o[`TALLY_MPDISCTL_SEL_MSB:`TALLY_MPDISCTL_SEL_LSB]),
      .modes_i(modes),
      .active_i(active),
      .accelerate_i(accelerate_q & acc),
      .counter_o(counter_o),
      .count_we_i(count_we_i),
      .initval_we_i(initval_we_i),
      .wdata_i(wdata_i)
  );
  // ACC: the first match after a discarded sample is selected without an overflow. It is a don't-care while a
  // sample is active.
  always @(posedge clk)
    if (rst) accelerate_q <= 1'b0;
    else if (accelerate_q | acc)
      accelerate_q <= acc & (ev_filtered_o | ev_dropped_o | accelerate_q & ~active);

  // ---- tracking
  wire [XLEN-1:0] pc;
  wire [2:0]      kind, mode;
  wire [63:0]     lat;
  wire [4:0]      at_thresh;
  tally_pmu_pdis_track #(
      .XLEN(XLEN), .DECODE_W(DECODE_W)
  ) u_track (
      .clk(clk), .rst(rst),
      .sample_i(dec_sample_o),
      .dec_pc_i(dec_pc_i),
      .dec_type_i(dec_type_i),
      .dec_mode_i(dec_mode_i),
      .dispatched_i(report_i[REPORT_DISPATCHED]),
      .issued_i(report_i[REPORT_ISSUED]),
      .completed_i(report_i[REPORT_COMPLETED]),
      .oldest_i(report_i[REPORT_OLDEST]),
      .retired_i(report_i[REPORT_RETIRED]),
      .trapped_i(report_i[REPORT_TRAPPED]),
      .flushed_i(report_i[REPORT_FLUSHED]),
      .active_o(active),
      .end_o(ends),
      .pc_o(pc),
      .type_o(kind),
      .mode_o(mode),
      .lat_o(lat),
      .thresh_i(filter_o[11:0]),
      .at_thresh_o(at_thresh)
  );

  // ---- the owner of sampling: M-mode, S-mode or VS-mode (docs/rulings.md, Recorded counters)
  wire m_pdis = SMSTATEEN ? mstateen_pdis_i : 1'b1;
  wire v_pdis = m_pdis & (HYP ? (SMSTATEEN ? hstateen_pdis_i : 1'b1) : 1'b0);
  wire cde    = SMCDELEG ? env_cde_i : 1'b0;
  // The record has the time that the owner may read.
  wire time_enabled = ~m_pdis | mcounteren_i[1] & (~v_pdis | env_hcounteren_tm_i);
  wire [63:0] owner_time = env_time_i + (v_pdis ? env_htimedelta_i : 64'd0);

  wire guest = HYP ? mode[2] & mode[1:0] != 2'd3 : 1'b0;
  reg  [31:0] filtered, hpm;
  reg  [63:0] time_word;
  always @* begin
    filtered  = 32'd0;
    hpm       = 32'd0;
    time_word = 64'd0;
    if (`TALLY_ACTIVE(ends)) begin
      if (ctl_o[`TALLY_MPDISCTL_TS_LSB] & time_enabled) time_word = owner_time;
      filtered = mode[1:0] == 2'd3 ? minh_i
               : mode[1:0] == 2'd1 ? (guest ? vsinh_i : sinh_i) : (guest ? vuinh_i : uinh_i);
      // Recorded are retire events, so of samples that retire, if the counter has the same owner and its
      // filter lets the sample's mode count.
      hpm = ctl_o[31:0] & ~(mcounteren_i & {32{cde}} ^ {32{m_pdis}})
          & {32{~v_pdis & report_i[REPORT_RETIRED]}} & ~filtered;
    end
  end

  // ---- the record
  wire            keep;
  wire [63:0]     hdrev;
  wire [XLEN-1:0] adr1, adr2;
  tally_pmu_pdis_record #(
      .XLEN(XLEN), .RETIRE_W(RETIRE_W), .REPORT_W(REPORT_W), .HYP(HYP)
  ) u_record (
      .clk(clk), .rst(rst),
      .end_i(ends),
      .type_i(kind),
      .at_thresh_i(at_thresh),
      .report_i(report_i),
      .ret_transfer_i(ret_transfer_i),
      .hpm_event_i(hpm_event_i),
      .modes_i(modes),
      .pa_i(ctl_o[`TALLY_MPDISCTL_PA_LSB]),
      .ept_i(ctl_o[`TALLY_MPDISCTL_EPT_LSB]),
      .hpm_i(hpm),
      .evmask_i(evmask_o),
      .evmatch_i(evmatch_o),
      .latsel_i(filter_o[15:13]),
      .inv_i(filter_o[12]),
      .keep_o(keep),
      .hdrev_o(hdrev),
      .adr1_o(adr1),
      .adr2_o(adr2)
  );

  // ---- the decision
  wire accept;
  reg  inhibited, refused, kept, dropped;
  always @* begin
    {inhibited, refused, kept, dropped} = 4'd0;
    if (ends) begin
      if (~keep)              refused   = 1'b1;
      else if (inhibit_o)     inhibited = 1'b1;
      else if (~mem | accept) kept      = 1'b1;
      else                    dropped   = 1'b1;
    end
  end
  assign ev_inhibited_o = inhibited;
  assign ev_filtered_o  = refused;
  assign ev_dropped_o   = dropped;
  assign ev_sample_o    = kept;

  wire [WORDS*XLEN-1:0] record;
  generate
    if (XLEN == 64) begin : g_rv64
      assign record = {adr2, adr1, lat, time_word, pc, hdrev};
    end else begin : g_rv32
      assign record = {adr2, adr1, lat, time_word[31:0], pc, hdrev};
      wire unused_ok = &{1'b0, time_word};
    end
  endgenerate

  wire [SLOT_W-1:0] put_slot, read_slot;
  wire              slot_free;
  wire [2:0]        read_part;
  tally_pmu_pdis_data #(
      .XLEN(XLEN), .WORDS(WORDS), .QUEUE(SLOTS), .SLOT_W(SLOT_W)
  ) u_data (
      .clk(clk), .rst(rst),
      .mem_i(mem),
      .end_i(ends),
      .keep_i(keep & ~inhibit_o),
      .slot_free_i(slot_free),
      .put_slot_i(put_slot),
      .record_i(record),
      .word_i(data_word_i),
      .word_o(data_o),
      .word_we_i(data_we_i),
      .word_wdata_i(wdata_i[XLEN-1:0]),
      .read_slot_i(read_slot),
      .read_en_i(rec_valid_o),
      .read_part_i(read_part),
      .read_o(rec_data_o)
  );

  generate
    if (MEM != 0) begin : g_buffer
      tally_pmu_buffer #(
          .XLEN(XLEN), .QUEUE(QUEUE), .SLOT_W(SLOT_W), .HYP(HYP)
      ) u_buffer (
          .clk(clk), .rst(rst),
          .pdiss_i(env_pdiss_i),
          .pdisv_i(env_pdisv_i),
          .inval_i(env_tlb_inval_i),
          .pending_i(active & ~inhibit_o),
          .accept_o(accept),
          .put_i(ev_sample_o & mem),
          .slot_free_o(slot_free),
          .put_slot_o(put_slot),
          .rec_valid_o(rec_valid_o),
          .rec_ready_i(rec_ready_i),
          .rec_addr_o(rec_addr_o),
          .read_slot_o(read_slot),
          .read_part_o(read_part),
          .rec_done_i(rec_done_i),
          .xlat_req_o(xlat_req_o),
          .xlat_vaddr_o(xlat_vaddr_o),
          .xlat_mode_o(xlat_mode_o),
          .xlat_done_i(xlat_done_i),
          .xlat_fault_i(xlat_fault_i),
          .xlat_paddr_i(xlat_paddr_i),
          .lambi_o(lambi_o),
          .cs_o(ambcs_o),
          .addr_o(ambaddr_o),
          .cs_we_i(ambcs_we_i),
          .addr_we_i(ambaddr_we_i),
          .wdata_i(wdata_i),
          .wmask_i(wmask_i)
      );
    end else begin : g_no_buffer
      assign accept       = 1'b0;
      assign put_slot     = {SLOT_W{1'b0}};
      assign read_slot    = {SLOT_W{1'b0}};
      assign slot_free    = 1'b0;
      assign read_part    = 3'd0;
      assign rec_valid_o  = 1'b0;
      assign rec_addr_o   = 56'd0;
      assign xlat_req_o   = 1'b0;
      assign xlat_vaddr_o = {XLEN{1'b0}};
      assign xlat_mode_o  = 2'd0;
      assign lambi_o      = 1'b0;
      assign ambcs_o      = 64'd0;
      assign ambaddr_o    = {XLEN{1'b0}};
      wire unused_ok = &{1'b0, env_pdiss_i, env_pdisv_i, env_tlb_inval_i, rec_ready_i, rec_done_i,
          xlat_done_i, xlat_fault_i, xlat_paddr_i, ambcs_we_i, ambaddr_we_i};
    end
  endgenerate
  wire unused_ok = &{1'b0, mcounteren_i, hpm, filter_o};
endmodule

`default_nettype wire
