// SPDX-License-Identifier: Apache-2.0
// pdis_formal - the properties of instruction sampling (Smpdis/Sspdis, Ssamb): tally_pmu_pdis with free
// inputs and, beside it, the documents' rules for selection and the end of a sample. A record's way to
// memory is proved separately (buffer_formal.v, buffer_queue_formal.v).
//
// Rights to the registers are proved of the whole unit (sampling_access.v). Here their write strobes are
// free: more than any access can do.
//
// Assumed of the host (docs/sampling.md): reset first; a word is performed once, and not before it was taken;
// an answer of the translation answers a request.

`include "tally_spec.vh"

`default_nettype none

module pdis_formal #(
    parameter XLEN     = 64,
    parameter DECODE_W = 2,
    parameter HPM_N    = 1,
    parameter MEM      = 2,
    parameter ACC      = 2,
    parameter QUEUE    = 2,
    parameter [0:0] HYP = 1
) (
    input wire                    clk,
    input wire                    rst,
    input wire                    env_cde, env_pdiss, env_pdisv, mstateen_pdis, hstateen_pdis,
    input wire                    env_hcounteren_tm, env_tlb_inval, mode_stopcount, mode_halted,
    input wire [63:0]             env_time, env_htimedelta,
    input wire [31:0]             mcounteren, minh, sinh, uinh, vsinh, vuinh,
    input wire [31:0]             hpm_event,
    input wire [DECODE_W-1:0]     dec_valid,
    input wire [DECODE_W*XLEN-1:0] dec_pc,
    input wire [DECODE_W*3-1:0]   dec_type, dec_mode,
    input wire                    dispatched, issued, completed, oldest, retired, trapped, flushed,
    input wire [1:0]              flush_why,
    input wire [XLEN-1:0]         flush_pc, vaddr, target,
    input wire [63:0]             paddr,
    input wire [3:0]              itype, dsrc,
    input wire                    mispred, itmiss, icmiss, l1miss, llmiss, l1tlbmiss, lltlbmiss,
    input wire                    ret_valid, ret_transfer,
    input wire [XLEN-1:0]         ret_pc, ret_next_pc,
    input wire [2:0]              ret_mode,
    input wire                    rec_ready, rec_done, xlat_done, xlat_fault,
    input wire [55:0]             xlat_paddr,
    input wire                    inhibit_we, inhibit_new, ctl_we, ctl_machine, ctl_guest, count_we,
    input wire                    initval_we, evmask_we, evmatch_we, filter_we, ambcs_we, ambaddr_we, data_we,
    input wire [3:0]              data_word,
    input wire [63:0]             wdata, wmask
);
  localparam LINE_W = 4, RETIRE_W = 1;
  `include "tally_pmu_report.vh"
  wire [REPORT_WIDTH-1:0] report = {ret_valid, flushed, trapped, retired, oldest, completed, issued,
      dispatched, lltlbmiss, l1tlbmiss, llmiss, l1miss, icmiss, itmiss, mispred, dsrc, itype, flush_why,
      ret_mode, ret_pc, ret_next_pc, flush_pc, target, vaddr, paddr};

  wire [DECODE_W-1:0] sample;
  wire                rec_valid, xlat_req, lcofi, lambi, ev_sample, ev_filtered, ev_dropped, ev_inhibited;
  wire [55:0]         rec_addr;
  wire [63:0]         rec_data, ctl, counter, ambcs;
  wire [XLEN-1:0]     xlat_vaddr, ambaddr, data;
  wire [1:0]          xlat_mode, vmodes;
  wire [LINE_W-1:0]   collisions;
  wire                inhibit;
  wire [55:0]         evmask, evmatch;
  wire [15:0]         filter;
  tally_pmu_pdis #(
      .XLEN(XLEN), .RETIRE_W(1), .DECODE_W(DECODE_W), .HPM_N(HPM_N), .LINE_W(LINE_W), .MEM(MEM), .ACC(ACC),
      .QUEUE(QUEUE), .REPORT_W(REPORT_WIDTH), .HYP(HYP)
  ) dut (
      .clk(clk), .rst(rst),
      .env_cde_i(env_cde), .env_pdiss_i(env_pdiss), .env_pdisv_i(env_pdisv),
      .mstateen_pdis_i(mstateen_pdis), .hstateen_pdis_i(hstateen_pdis), .env_time_i(env_time),
      .env_htimedelta_i(env_htimedelta), .env_hcounteren_tm_i(env_hcounteren_tm),
      .env_tlb_inval_i(env_tlb_inval), .mode_stopcount_i(mode_stopcount), .mode_halted_i(mode_halted),
      .mcounteren_i(mcounteren), .minh_i(minh), .sinh_i(sinh), .uinh_i(uinh),
      .vsinh_i(vsinh), .vuinh_i(vuinh),
      .dec_valid_i(dec_valid), .dec_pc_i(dec_pc),
      .dec_type_i(dec_type), .dec_mode_i(dec_mode), .dec_sample_o(sample),
      .report_i(report), .ret_transfer_i(ret_transfer), .hpm_event_i(hpm_event), .rec_valid_o(rec_valid),
      .rec_ready_i(rec_ready), .rec_addr_o(rec_addr), .rec_data_o(rec_data), .rec_done_i(rec_done),
      .xlat_req_o(xlat_req), .xlat_vaddr_o(xlat_vaddr), .xlat_mode_o(xlat_mode), .xlat_done_i(xlat_done),
      .xlat_fault_i(xlat_fault), .xlat_paddr_i(xlat_paddr), .lcofi_o(lcofi), .lambi_o(lambi),
      .ev_sample_o(ev_sample), .ev_filtered_o(ev_filtered), .ev_dropped_o(ev_dropped),
      .ev_inhibited_o(ev_inhibited), .ev_collisions_o(collisions), .inhibit_o(inhibit), .ctl_o(ctl),
      .vmodes_o(vmodes), .counter_o(counter), .evmask_o(evmask), .evmatch_o(evmatch), .filter_o(filter),
      .ambcs_o(ambcs), .ambaddr_o(ambaddr), .data_word_i(data_word), .data_o(data),
      .inhibit_we_i(inhibit_we), .inhibit_i(inhibit_new), .ctl_we_i(ctl_we), .ctl_machine_i(ctl_machine),
      .ctl_guest_i(ctl_guest), .count_we_i(count_we), .initval_we_i(initval_we), .evmask_we_i(evmask_we),
      .evmatch_we_i(evmatch_we), .filter_we_i(filter_we), .ambcs_we_i(ambcs_we), .ambaddr_we_i(ambaddr_we),
      .data_we_i(data_we), .wdata_i(wdata), .wmask_i(wmask)
  );

  // Internal signals of the unit; Yosys joins these with the wires of the same names.
  (* hierconn *) wire                   \dut.active ;
  (* hierconn *) wire                   \dut.accelerate_q ;
  (* hierconn *) wire                   \dut.accept ;
  (* hierconn *) wire [63:0]            \dut.hdrev ;
  (* hierconn *) wire [63:0]            \dut.lat ;
  localparam RECORD = XLEN == 64 ? 6 * 64 : 8 * 32;   // bits that are kept of one
  (* hierconn *) wire [RECORD-1:0]      \dut.record ;
  wire [511:0] record = {{512 - RECORD{1'b0}}, \dut.record };

  // ---- the host
  reg up = 1'b0;
  always @(posedge clk) up <= up | rst;
  wire on   = up & ~rst;
  wire sent = rec_valid & rec_ready;
  reg [7:0] flying = 8'd0;              // words that were taken and are not performed
  always @(posedge clk) flying <= rst ? 8'd0 : flying + {7'd0, sent} - {7'd0, rec_done};
  always @* begin
    if (!up) assume (rst);
    if (flying == 8'd0 && !sent) assume (!rec_done);
    if (!xlat_req) assume (!xlat_done);
  end

  wire mem = ctl[`TALLY_MPDISCTL_MEM_LSB], acc = ctl[`TALLY_MPDISCTL_ACC_LSB];
  wire of  = ctl[`TALLY_MPDISCTL_OF_LSB];

  `include "pdis_select.vh"
  `include "pdis_end.vh"
endmodule

`default_nettype wire
