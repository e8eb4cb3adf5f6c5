// SPDX-License-Identifier: Apache-2.0
// tally_pmu - performance monitoring unit for a RISC-V hart: the top level.
//
// Every connection of the unit and its host is a port below; docs/integration.md has the rules of each group.
// A CSR access is answered in its own cycle, with CSR_PIPELINE a cycle later; state changes at the edge.
// The unit is tally_pmu_counting, tally_pmu_access, tally_pmu_sampling and tally_pmu_ebb.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu #(
    parameter XLEN     = 64,   // 32 or 64
    parameter RETIRE_W = 1,    // retire lanes, 1..8
    parameter DECODE_W = 1,    // decode lanes, 1..8
    parameter HPM_N    = 29,   // programmable counters 3 .. 3+HPM_N-1; the others read 0
    parameter HPM_W    = 64,   // their width, 1..64
    parameter EVC_W    = 1,    // bits of one cycle event's count
    // retire event wires (spec/events.yaml); not to be changed at an instance
    parameter EVR_N    = `TALLY_EVR_N,
    parameter EVC_N    = `TALLY_EVC_N,  // cycle event wires; not to be changed at an instance

    // Extensions; 0 folds their logic to constants.
    parameter SSCOFPMF  = 1,   // overflow flags and interrupt, mode filters of the programmable counters
    parameter SMCNTRPMF = 1,   // mode filters of cycle and instret
    parameter SMCSRIND  = 1,   // indirect CSR access: *iselect, *ireg*
    parameter SMCDELEG  = 1,   // counter delegation (with Ssccfg); needs SMCSRIND
    parameter SMSTATEEN = 1,   // obey env_mstateen0_i and env_hstateen0_i; 0: as if all of their bits were 1
    parameter HYP       = 0,   // V=1 exists: its filters, vsiselect, vsireg*, virtual-instruction exceptions
    parameter ANDES         = 0,  // the Andes view beside the standard one
    parameter ANDES_SILICON = 0,  // 0: a mask bit of 1 counts (the proposal); 1: it does not (AndeStar V5)
    parameter ANDES_SWRITE  = 1,  // S-mode writes counters at the user's numbers where mcounterwen allows
    parameter SWEVENT       = 1,  // shpmswinc: an event that software raises
    parameter SMALL_EVENTS  = 0,  // 1: only events that a small core can have (spec/events.yaml, small)
    parameter COMB_N        = 0,  // counters from 3 up with selectors that combine up to four events
    parameter PCRANGE       = 0,  // shpmpclo, shpmpchi, shpmpcsel: counters limited to a range of pcs
    parameter SSPESA        = 0,  // shpmspc, shpmsdata (Sspesa), Ssplcofi with more lanes; needs SSCOFPMF
    parameter SPESA_NEXT    = 0,  // 1: with the pipeline empty after a flush, the next to retire is the cause
    parameter SMPDIS        = 0,  // sampling of instructions (Smpdis, Sspdis); needs SSCOFPMF, SMCSRIND
    parameter PDIS_MEM      = 2,  // mpdisctl.MEM: 0, 1 hardwired, 2 writable. 0: no memory buffer
    parameter PDIS_ACC      = 2,  // mpdisctl.ACC: the same
    parameter PDIS_QUEUE    = 4,  // records on their way to memory: 2, 4, 8, 16
    parameter EBB           = 0,  // event-based branches; needs SSCOFPMF, SMCDELEG

    // 1: an access is decoded in one cycle and performed in the next, for a fast clock; ret_max_o is 0 in the
    // first
    parameter CSR_PIPELINE = 0,
    // 1: most bits of the counters in a RAM, updated in turn. Half of the logic; an access to a counter or
    // event register waits for one or two cycles (more): ret_max_o is 0 until it can be performed
    parameter COUNTER_RAM = 0
) (
    input  wire                       clk,
    input  wire                       rst,

    // csr: one access a cycle. The answers are combinational; state changes at the clock edge, and only if
    // the access is valid and legal. Number, op and data may be offered before the access is performed.
    // performed: its instruction retires in this cycle
    input  wire                       csr_valid_i,
    input  wire [11:0]                csr_num_i,
    input  wire [1:0]                 csr_op_i,       // 0 read only, 1 write, 2 set, 3 clear
    input  wire [XLEN-1:0]            csr_wdata_i,    // rs1 or the zero-extended immediate
    input  wire [1:0]                 csr_priv_i,     // 3 M, 1 S/HS/VS, 0 U/VU
    input  wire                       csr_v_i,        // virtualization mode
    output wire                       csr_hit_o,      // this unit owns the number (legal or not)
    output wire                       csr_illegal_o,  // illegal-instruction exception
    output wire                       csr_virtual_o,  // virtual-instruction exception
    output wire [XLEN-1:0]            csr_rdata_o,    // old value
    output wire                       csr_tm_o,       // mcounteren.TM, for a hart with Sstc
    // the access, if it stays, is not what makes ret_max_o 0 in the next cycle (CSR_PIPELINE: from the second
    // cycle of its number on)
    output wire                       csr_ready_next_o,

    // env: registers of the hart that the unit obeys
    input  wire                       env_cde_i,      // menvcfg.CDE
    input  wire                       env_pdiss_i,    // menvcfg.PDISS
    input  wire                       env_pdisv_i,    // henvcfg.PDISV
    input  wire [63:0]                env_mstateen0_i,
    input  wire [63:0]                env_hstateen0_i,
    input  wire [31:0]                env_sstateen0_i,
    input  wire [31:0]                env_hcounteren_i,
    input  wire                       env_lcofip_i,   // mip.LCOFIP, in its current state
    input  wire [63:0]                env_time_i,     // mtime
    input  wire [63:0]                env_htimedelta_i,
    input  wire                       env_tlb_inval_i,// pulse: SFENCE/HFENCE or a satp write

    // mode at the start of the cycle
    input  wire [1:0]                 mode_priv_i,
    input  wire                       mode_v_i,
    input  wire                       mode_stopcount_i, // in debug mode with dcsr.stopcount
    input  wire                       mode_debug_i,   // in debug mode
    input  wire                       mode_halted_i,  // core clock halted (WFI)

    // events (spec/events.yaml, wires)
    // lane 0 is the oldest; a lane's bits matter only if it retires (ret_valid_i), and may come earlier
    input  wire [RETIRE_W*EVR_N-1:0]  ev_retire_i,
    input  wire [EVC_N*EVC_W-1:0]     ev_cycle_i,

    // decode
    input  wire [DECODE_W-1:0]        dec_valid_i,
    input  wire [DECODE_W*XLEN-1:0]   dec_pc_i,
    // pdishdrev.TYPE (TALLY_TYPE_x)
    input  wire [DECODE_W*3-1:0]      dec_type_i,
    input  wire [DECODE_W*3-1:0]      dec_mode_i,     // {V, priv}
    output wire [DECODE_W-1:0]        dec_sample_o,   // this one is the sample

    // track: the tagged instruction
    input  wire                       trk_dispatched_i,
    input  wire                       trk_issued_i,
    input  wire                       trk_completed_i,
    input  wire                       trk_oldest_i,
    input  wire                       trk_retired_i,
    input  wire                       trk_trapped_i,
    input  wire                       trk_flushed_i,
    // pdishdrev.FLUSH: 0 other 1 misprediction 2 memory ordering
    input  wire [1:0]                 trk_flush_why_i,
    input  wire [XLEN-1:0]            trk_flush_pc_i,    // culprit
    input  wire [3:0]                 trk_itype_i,       // kind of control transfer: docs/integration.md
    input  wire                       trk_mispred_i,
    input  wire                       trk_itmiss_i,
    input  wire                       trk_icmiss_i,
    input  wire                       trk_l1miss_i,
    input  wire                       trk_llmiss_i,
    input  wire                       trk_l1tlbmiss_i,
    input  wire                       trk_lltlbmiss_i,
    input  wire [3:0]                 trk_dsrc_i,
    input  wire [EVR_N-1:0]           trk_ev_i,          // if it retires; with one lane ev_retire_i's
    input  wire [XLEN-1:0]            trk_vaddr_i,       // data address; valid at its end, 0 if there is none
    input  wire [63:0]                trk_paddr_i,
    input  wire [XLEN-1:0]            trk_target_i,      // where a control transfer went

    // retire
    input  wire [RETIRE_W-1:0]        ret_valid_i,
    input  wire [RETIRE_W*XLEN-1:0]   ret_pc_i,
    input  wire [RETIRE_W*3-1:0]      ret_mode_i,        // {V, priv}
    // oldest instruction that has not retired in this cycle
    input  wire [XLEN-1:0]            ret_next_pc_i,
    input  wire [XLEN-1:0]            ret_flush_pc_i,    // last instruction that flushed the pipeline
    input  wire                       ret_flushed_i,     // ... and nothing younger can retire yet
    input  wire                       ret_uebret_i,      // lane 0 retires uebret, alone,
    input  wire                       ret_uebret_ge_i,   // ... with this operand
    output wire [3:0]                 ret_max_o,         // retire at most so many lanes

    // irq
    output wire                       irq_lcofi_o,       // pulse: set LCOFIP at this clock edge
    output wire                       irq_lambi_o,       // pulse: set LAMBIP
    output wire                       irq_andes_o,       // pulse: set mip[18]

    // ebb: event-based branches
    output wire                       ebb_req_o,         // branch before the next instruction,
    output wire [XLEN-1:0]            ebb_target_o,      // ... to here
    input  wire                       ebb_ack_i,         // done: ret_next_pc_i is that instruction
    output wire [XLEN-1:0]            ebb_return_o,      // where uebret goes
    output wire                       uebret_illegal_o,  // uebret now would be an illegal instruction,
    output wire                       uebret_virtual_o,  // ... a virtual-instruction exception

    // mem: sample records and the translation of the buffer's pages
    output wire                       rec_valid_o,
    input  wire                       rec_ready_i,
    output wire [55:0]                rec_addr_o,
    output wire [63:0]                rec_data_o,
    input  wire                       rec_done_i,
    output wire                       xlat_req_o,
    output wire [XLEN-1:0]            xlat_vaddr_o,
    output wire [1:0]                 xlat_mode_o,       // 3 bare physical, 1 satp, 2 vsatp and hgatp
    input  wire                       xlat_done_i,
    input  wire                       xlat_fault_i,
    input  wire [55:0]                xlat_paddr_i
);

  tally_pmu_check #(
      .XLEN(XLEN), .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .HPM_N(HPM_N), .HPM_W(HPM_W), .EVC_W(EVC_W),
      .EVR_N(EVR_N), .EVC_N(EVC_N), .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .SMCSRIND(SMCSRIND),
      .SMCDELEG(SMCDELEG), .SMSTATEEN(SMSTATEEN), .HYP(HYP), .ANDES(ANDES), .ANDES_SILICON(ANDES_SILICON),
      .ANDES_SWRITE(ANDES_SWRITE), .SWEVENT(SWEVENT), .SMALL_EVENTS(SMALL_EVENTS), .COMB_N(COMB_N),
      .PCRANGE(PCRANGE), .SSPESA(SSPESA),
      .SPESA_NEXT(SPESA_NEXT), .SMPDIS(SMPDIS), .PDIS_MEM(PDIS_MEM), .PDIS_ACC(PDIS_ACC),
      .PDIS_QUEUE(PDIS_QUEUE), .EBB(EBB), .CSR_PIPELINE(CSR_PIPELINE), .COUNTER_RAM(COUNTER_RAM)
  ) u_check ();

  // ---- bits of the largest increment of a counter
  localparam RET_BITS = $clog2(RETIRE_W + 1);
  localparam DEC_BITS = $clog2(DECODE_W + 1);
  localparam LANE_BITS = RET_BITS > DEC_BITS ? RET_BITS : DEC_BITS;
  localparam LINE_W    = LANE_BITS > EVC_W ? LANE_BITS : EVC_W;

  localparam MSTATEEN_C = `TALLY_MSTATEEN0_C_LSB, MSTATEEN_PDIS = `TALLY_MSTATEEN0_PDIS_LSB,
             MSTATEEN_CSRIND = `TALLY_MSTATEEN0_CSRIND_LSB, SSTATEEN_C = `TALLY_SSTATEEN0_C_LSB;

  // ---- from counting, from sampling, from access
  wire count_ready;
  wire [4:0] filter;
  wire [7:0] event_now;
  wire [31:0] request, near_max, selected, class_high, class_low, pc_range, pc_limited, mcounteren,
              scounteren, inhibit, wen, inten, flags, minh, sinh, uinh, vsinh, vuinh;
  wire [55:0] comb_now;
  wire [63:0] count;
  wire [32*3-1:0] low_bits;
  wire [32*8-1:0] events;
  wire [XLEN-1:0] pc_low, pc_high;
  wire [RETIRE_W-1:0] in_range;
  wire [RETIRE_W*64-1:0] lane_event;

  wire retire_hold, sample_lcofi, pdis_inhibit;
  wire [1:0] pdis_vmodes;
  wire [3:0] lanes_max, sampling;
  wire [4:0] pesa_cntrid;
  wire [15:0] pdisfilter;
  wire [55:0] evmask, evmatch;
  wire [63:0] pdisctl, pdiscounter, ambcs;
  wire [XLEN-1:0] pesa_pc, ambaddr, data_word;
  wire [LINE_W-1:0] collisions;

  wire access_ready, decoded, held, next_window, count_access, count_we, event_we, flag_we, flag_new,
       flag_clear, software, pc_low_we, pc_high_we, pc_range_we, mcounteren_we, scounteren_we, inhibit_we,
       wen_we, inten_we, minh_we, sinh_we, uinh_we, pesa_pc_we, pesa_data_we, pdis_inhibit_we,
       pdis_inhibit_new, pdisctl_we, pdisctl_machine, pdisctl_guest, pdiscount_we, pdisinit_we, evmask_we,
       evmatch_we,
       pdisfilter_we, ambcs_we, ambaddr_we, data_we;
  wire ebb_overflow, ebb_s_open, ebb_u_open, ebb_window_open, ebb_selected, ebb_we, ebb_clear;
  wire [1:0] ebb_events;
  wire [3:0] ebb_index;
  wire [4:0] ebb_select;
  wire [31:0] ebb_routed, ebb_stop, ebb_request, ebb_flags_clear, ebb_flags_we, ebb_flags_new;
  wire [XLEN-1:0] ebb_pc, ebb_word;

  wire [3:0] data_index;
  wire [4:0] index, next_counter, next_index, window_index, filter_new;
  wire [7:0] event_new;
  wire [31:0] hot, vector, vector_mask, flags_clear;
  wire [55:0] comb_new;
  wire [63:0] count_new, sample_wdata, sample_wmask;
  wire [XLEN-1:1] pc_bound;

  // ---- the hart's report of the sample and of retirement
  `include "tally_pmu_report.vh"
  wire [REPORT_WIDTH-1:0] report = {ret_valid_i, trk_flushed_i, trk_trapped_i, trk_retired_i, trk_oldest_i,
      trk_completed_i, trk_issued_i, trk_dispatched_i, trk_lltlbmiss_i, trk_l1tlbmiss_i, trk_llmiss_i,
      trk_l1miss_i, trk_icmiss_i, trk_itmiss_i, trk_mispred_i, trk_dsrc_i, trk_itype_i, trk_flush_why_i,
      ret_mode_i, ret_pc_i, ret_next_pc_i, trk_flush_pc_i, trk_target_i, trk_vaddr_i, trk_paddr_i};

  // ---- counting
  tally_pmu_counting #(
      .XLEN(XLEN), .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .HPM_N(HPM_N), .HPM_W(HPM_W), .EVC_W(EVC_W),
      .LINE_W(LINE_W), .EVR_N(EVR_N), .EVC_N(EVC_N), .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .HYP(HYP),
      .ANDES(ANDES), .SMALL_EVENTS(SMALL_EVENTS), .COMB_N(COMB_N), .PCRANGE(PCRANGE), .EBB(EBB),
      .CSR_PIPELINE(CSR_PIPELINE), .COUNTER_RAM(COUNTER_RAM)
  ) u_counting (
      .clk(clk), .rst(rst), .mode_priv_i(mode_priv_i), .mode_v_i(mode_v_i),
      .mode_stopcount_i(mode_stopcount_i), .mode_halted_i(mode_halted_i), .ev_retire_i(ev_retire_i),
      .ev_cycle_i(ev_cycle_i), .dec_valid_i(dec_valid_i), .dec_type_i(dec_type_i), .ret_valid_i(ret_valid_i),
      .ret_pc_i(ret_pc_i), .irq_lcofi_o(irq_lcofi_o), .irq_andes_o(irq_andes_o), .sampling_i(sampling),
      .collisions_i(collisions), .sample_lcofi_i(sample_lcofi), .request_o(request),
      .lane_event_o(lane_event), .in_range_o(in_range), .events_o(events), .low_bits_o(low_bits),
      .near_max_o(near_max), .selected_o(selected), .class_high_o(class_high), .class_low_o(class_low),
      .index_i(index), .hot_i(hot), .decoded_i(decoded), .held_i(held), .next_counter_i(next_counter),
      .next_window_i(next_window), .next_index_i(next_index), .window_index_i(window_index),
      .count_access_i(count_access), .ready_o(count_ready), .ready_next_o(csr_ready_next_o), .count_o(count),
      .count_we_i(count_we), .count_new_i(count_new), .event_now_o(event_now), .comb_now_o(comb_now),
      .filter_o(filter), .event_we_i(event_we), .event_new_i(event_new), .comb_new_i(comb_new),
      .filter_new_i(filter_new), .flag_we_i(flag_we), .flag_new_i(flag_new), .flag_clear_i(flag_clear),
      .software_i(software), .pc_low_o(pc_low), .pc_high_o(pc_high), .pc_range_o(pc_range),
      .pc_low_we_i(pc_low_we), .pc_high_we_i(pc_high_we), .pc_range_we_i(pc_range_we), .pc_bound_i(pc_bound),
      .mcounteren_o(mcounteren), .scounteren_o(scounteren), .inhibit_o(inhibit), .wen_o(wen),
      .inten_o(inten), .flags_o(flags), .minh_o(minh), .sinh_o(sinh), .uinh_o(uinh), .vsinh_o(vsinh),
      .vuinh_o(vuinh), .mcounteren_we_i(mcounteren_we), .scounteren_we_i(scounteren_we),
      .inhibit_we_i(inhibit_we), .wen_we_i(wen_we), .inten_we_i(inten_we), .minh_we_i(minh_we),
      .sinh_we_i(sinh_we), .uinh_we_i(uinh_we), .vector_i(vector), .vector_mask_i(vector_mask),
      .flags_clear_i(flags_clear), .delegate_i(SMCDELEG != 0 && env_cde_i), .pc_limited_o(pc_limited),
      .ebb_routed_i(ebb_routed), .ebb_stop_i(ebb_stop), .ebb_overflow_o(ebb_overflow),
      .ebb_request_o(ebb_request), .ebb_flags_clear_i(ebb_flags_clear), .ebb_flags_we_i(ebb_flags_we),
      .ebb_flags_new_i(ebb_flags_new), .ebb_events_i(ebb_events)
  );
  assign csr_tm_o = mcounteren[1];

  // ---- access
  tally_pmu_access #(
      .XLEN(XLEN), .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF != 0), .SMCNTRPMF(SMCNTRPMF != 0),
      .SMCSRIND(SMCSRIND != 0), .SMCDELEG(SMCDELEG != 0), .SMSTATEEN(SMSTATEEN != 0), .HYP(HYP != 0),
      .ANDES(ANDES != 0), .ANDES_SILICON(ANDES_SILICON != 0), .ANDES_SWRITE(ANDES_SWRITE != 0),
      .SWEVENT(SWEVENT != 0), .SMALL_EVENTS(SMALL_EVENTS != 0), .PCRANGE(PCRANGE != 0), .SSPESA(SSPESA != 0),
      .SMPDIS(SMPDIS != 0), .PDIS_MEM(PDIS_MEM), .EBB(EBB != 0), .CSR_PIPELINE(CSR_PIPELINE != 0),
      .COUNTER_RAM(COUNTER_RAM != 0)
  ) u_access (
      .clk(clk), .rst(rst), .csr_valid_i(csr_valid_i), .csr_num_i(csr_num_i), .csr_op_i(csr_op_i),
      .csr_wdata_i(csr_wdata_i), .csr_priv_i(csr_priv_i), .csr_v_i(csr_v_i), .csr_hit_o(csr_hit_o),
      .csr_illegal_o(csr_illegal_o), .csr_virtual_o(csr_virtual_o), .csr_rdata_o(csr_rdata_o),
      .ready_o(access_ready), .env_cde_i(env_cde_i), .mstateen_csrind_i(env_mstateen0_i[MSTATEEN_CSRIND]),
      .hstateen_csrind_i(env_hstateen0_i[MSTATEEN_CSRIND]), .mstateen_c_i(env_mstateen0_i[MSTATEEN_C]),
      .hstateen_c_i(env_hstateen0_i[MSTATEEN_C]), .mstateen_pdis_i(env_mstateen0_i[MSTATEEN_PDIS]),
      .hstateen_pdis_i(env_hstateen0_i[MSTATEEN_PDIS]), .env_hcounteren_i(env_hcounteren_i),
      .env_time_i(env_time_i), .env_htimedelta_i(env_htimedelta_i), .index_o(index), .hot_o(hot),
      .decoded_o(decoded), .held_o(held), .next_window_o(next_window), .next_counter_o(next_counter),
      .next_index_o(next_index), .window_index_o(window_index), .count_ready_i(count_ready),
      .count_access_o(count_access), .count_i(count), .count_we_o(count_we), .count_new_o(count_new),
      .event_now_i(event_now), .comb_now_i(comb_now), .filter_i(filter), .event_we_o(event_we),
      .event_new_o(event_new), .comb_new_o(comb_new), .filter_new_o(filter_new), .flag_we_o(flag_we),
      .flag_new_o(flag_new), .flag_clear_o(flag_clear), .software_o(software), .pc_low_i(pc_low),
      .pc_high_i(pc_high), .pc_range_i(pc_range), .pc_low_we_o(pc_low_we), .pc_high_we_o(pc_high_we),
      .pc_range_we_o(pc_range_we), .pc_bound_o(pc_bound), .mcounteren_i(mcounteren),
      .scounteren_i(scounteren), .inhibit_i(inhibit), .wen_i(wen), .inten_i(inten), .flags_i(flags),
      .minh_i(minh), .sinh_i(sinh), .uinh_i(uinh), .mcounteren_we_o(mcounteren_we),
      .scounteren_we_o(scounteren_we), .inhibit_we_o(inhibit_we), .wen_we_o(wen_we), .inten_we_o(inten_we),
      .minh_we_o(minh_we), .sinh_we_o(sinh_we), .uinh_we_o(uinh_we), .vector_o(vector),
      .vector_mask_o(vector_mask), .flags_clear_o(flags_clear), .pesa_pc_i(pesa_pc),
      .pesa_cntrid_i(pesa_cntrid), .pdis_inhibit_i(pdis_inhibit), .pdisctl_i(pdisctl),
      .pdis_vmodes_i(pdis_vmodes), .pdiscounter_i(pdiscounter), .evmask_i(evmask), .evmatch_i(evmatch),
      .pdisfilter_i(pdisfilter), .ambcs_i(ambcs), .ambaddr_i(ambaddr), .data_index_o(data_index),
      .data_word_i(data_word), .pesa_pc_we_o(pesa_pc_we), .pesa_data_we_o(pesa_data_we),
      .pdis_inhibit_we_o(pdis_inhibit_we), .pdis_inhibit_new_o(pdis_inhibit_new), .pdisctl_we_o(pdisctl_we),
      .pdisctl_machine_o(pdisctl_machine), .pdisctl_guest_o(pdisctl_guest), .pdiscount_we_o(pdiscount_we),
      .pdisinit_we_o(pdisinit_we), .evmask_we_o(evmask_we), .evmatch_we_o(evmatch_we),
      .pdisfilter_we_o(pdisfilter_we), .ambcs_we_o(ambcs_we), .ambaddr_we_o(ambaddr_we), .data_we_o(data_we),
      .sample_wdata_o(sample_wdata), .sample_wmask_o(sample_wmask), .ebb_s_open_i(ebb_s_open),
      .ebb_u_open_i(ebb_u_open), .ebb_window_open_i(ebb_window_open), .ebb_select_i(ebb_select),
      .ebb_selected_i(ebb_selected), .ebb_index_o(ebb_index), .ebb_word_i(ebb_word), .ebb_we_o(ebb_we),
      .ebb_clear_o(ebb_clear)
  );

  // ---- sampling
  tally_pmu_sampling #(
      .XLEN(XLEN), .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .HPM_N(HPM_N), .HPM_W(HPM_W), .LINE_W(LINE_W),
      .EVR_N(EVR_N), .SMCDELEG(SMCDELEG), .SMSTATEEN(SMSTATEEN), .HYP(HYP), .SSPESA(SSPESA),
      .SPESA_NEXT(SPESA_NEXT), .SPESA_REGISTERED(COUNTER_RAM == 0 || CSR_PIPELINE != 0), .SMPDIS(SMPDIS),
      .PDIS_MEM(PDIS_MEM), .PDIS_ACC(PDIS_ACC), .PDIS_QUEUE(PDIS_QUEUE), .EBB(EBB), .REPORT_W(REPORT_WIDTH)
  ) u_sampling (
      .clk(clk), .rst(rst), .env_cde_i(env_cde_i), .env_pdiss_i(env_pdiss_i), .env_pdisv_i(env_pdisv_i),
      .mstateen_pdis_i(env_mstateen0_i[MSTATEEN_PDIS]), .hstateen_pdis_i(env_hstateen0_i[MSTATEEN_PDIS]),
      .env_hcounteren_tm_i(env_hcounteren_i[1]), .env_lcofip_i(env_lcofip_i), .env_time_i(env_time_i),
      .env_htimedelta_i(env_htimedelta_i), .env_tlb_inval_i(env_tlb_inval_i),
      .mode_stopcount_i(mode_stopcount_i), .mode_halted_i(mode_halted_i), .ev_retire_i(ev_retire_i),
      .dec_valid_i(dec_valid_i), .dec_pc_i(dec_pc_i), .dec_type_i(dec_type_i), .dec_mode_i(dec_mode_i),
      .dec_sample_o(dec_sample_o), .trk_ev_i(trk_ev_i), .report_i(report), .ret_flush_pc_i(ret_flush_pc_i),
      .ret_flushed_i(ret_flushed_i), .lanes_max_o(lanes_max), .retire_hold_o(retire_hold),
      .irq_lambi_o(irq_lambi_o), .rec_valid_o(rec_valid_o), .rec_ready_i(rec_ready_i),
      .rec_addr_o(rec_addr_o), .rec_data_o(rec_data_o), .rec_done_i(rec_done_i), .xlat_req_o(xlat_req_o),
      .xlat_vaddr_o(xlat_vaddr_o), .xlat_mode_o(xlat_mode_o), .xlat_done_i(xlat_done_i),
      .xlat_fault_i(xlat_fault_i), .xlat_paddr_i(xlat_paddr_i), .sampling_o(sampling),
      .collisions_o(collisions), .sample_lcofi_o(sample_lcofi), .request_i(request),
      .ebb_request_i(ebb_request), .ebb_pc_o(ebb_pc), .lane_event_i(lane_event), .in_range_i(in_range),
      .pc_range_i(pc_limited), .events_i(events), .low_bits_i(low_bits), .near_max_i(near_max),
      .selected_i(selected), .class_high_i(class_high), .class_low_i(class_low), .mcounteren_i(mcounteren),
      .inhibit_i(inhibit), .flags_i(flags), .minh_i(minh), .sinh_i(sinh), .uinh_i(uinh), .vsinh_i(vsinh),
      .vuinh_i(vuinh), .pesa_pc_o(pesa_pc), .pesa_cntrid_o(pesa_cntrid), .pdis_inhibit_o(pdis_inhibit),
      .pdisctl_o(pdisctl), .pdis_vmodes_o(pdis_vmodes), .pdiscounter_o(pdiscounter), .evmask_o(evmask),
      .evmatch_o(evmatch), .pdisfilter_o(pdisfilter), .ambcs_o(ambcs), .ambaddr_o(ambaddr),
      .data_index_i(data_index), .data_word_o(data_word), .pesa_pc_we_i(pesa_pc_we),
      .pesa_data_we_i(pesa_data_we), .pdis_inhibit_we_i(pdis_inhibit_we),
      .pdis_inhibit_new_i(pdis_inhibit_new), .pdisctl_we_i(pdisctl_we), .pdisctl_machine_i(pdisctl_machine),
      .pdisctl_guest_i(pdisctl_guest), .pdiscount_we_i(pdiscount_we), .pdisinit_we_i(pdisinit_we),
      .evmask_we_i(evmask_we), .evmatch_we_i(evmatch_we), .pdisfilter_we_i(pdisfilter_we),
      .ambcs_we_i(ambcs_we), .ambaddr_we_i(ambaddr_we), .data_we_i(data_we), .sample_wdata_i(sample_wdata),
      .sample_wmask_i(sample_wmask)
  );
  assign ret_max_o = access_ready & ~retire_hold ? lanes_max : 4'd0;

  // ---- event-based branches
  generate
    if (EBB != 0) begin : g_ebb
      tally_pmu_ebb #(
          .XLEN(XLEN), .HPM_N(HPM_N), .SMSTATEEN(SMSTATEEN != 0), .HYP(HYP != 0), .SSPESA(SSPESA != 0),
          .CSR_PIPELINE(CSR_PIPELINE != 0)
      ) u_ebb (
          .clk(clk), .rst(rst), .mstateen_c_i(env_mstateen0_i[MSTATEEN_C]),
          .sstateen_c_i(env_sstateen0_i[SSTATEEN_C]), .cde_i(env_cde_i), .mode_priv_i(mode_priv_i),
          .mode_v_i(mode_v_i), .mode_debug_i(mode_debug_i), .mode_halted_i(mode_halted_i),
          .ret_uebret_i(ret_uebret_i), .ret_uebret_ge_i(ret_uebret_ge_i), .ret_next_pc_i(ret_next_pc_i),
          .req_o(ebb_req_o), .target_o(ebb_target_o), .ack_i(ebb_ack_i), .return_o(ebb_return_o),
          .uebret_illegal_o(uebret_illegal_o), .uebret_virtual_o(uebret_virtual_o),
          .mcounteren_i(mcounteren), .flags_i(flags), .routed_o(ebb_routed), .stop_o(ebb_stop),
          .overflow_i(ebb_overflow), .flags_clear_o(ebb_flags_clear), .flags_we_o(ebb_flags_we),
          .flags_new_o(ebb_flags_new), .events_o(ebb_events), .cause_i(ebb_pc), .s_open_o(ebb_s_open),
          .u_open_o(ebb_u_open), .window_open_o(ebb_window_open), .select_o(ebb_select),
          .selected_o(ebb_selected), .word_i(ebb_index), .we_i(ebb_we), .clear_i(ebb_clear),
          .wdata_i(sample_wdata[XLEN-1:0]), .wmask_i(sample_wmask[31:0]), .word_o(ebb_word)
      );
    end else begin : g_no_ebb
      assign ebb_req_o        = 1'b0;
      assign uebret_illegal_o = 1'b1;
      assign uebret_virtual_o = 1'b0;
      assign {ebb_target_o, ebb_return_o, ebb_word} = {3 * XLEN{1'b0}};
      assign {ebb_routed, ebb_stop, ebb_flags_clear, ebb_flags_we, ebb_flags_new} = 160'd0;
      assign {ebb_events, ebb_s_open, ebb_u_open, ebb_window_open, ebb_select, ebb_selected} = 11'd0;
      wire unused_ok = &{1'b0, mode_debug_i, ret_uebret_i, ret_uebret_ge_i, ebb_ack_i, ebb_overflow, ebb_pc,
          ebb_index, ebb_we, ebb_clear};
    end
  endgenerate

  // Inputs that a build has no use for.
  wire unused_ok = &{1'b0, env_mstateen0_i, env_hstateen0_i, env_sstateen0_i};
endmodule

`default_nettype wire
