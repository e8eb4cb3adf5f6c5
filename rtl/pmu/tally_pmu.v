// SPDX-License-Identifier: Apache-2.0
// tally_pmu - performance monitoring unit for a RISC-V hart: the face of the product.
//
// Everything that crosses the wall between the unit and its host is a port below (docs/integration.md has
// the rules of each group). A CSR access is answered in its own cycle; counters take their events at the
// clock edge.

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

    // Extensions; 0 folds away what only they need.
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
    parameter COMB_N        = 0,  // counters from 3 up with selectors that put up to four events together
    parameter PCRANGE       = 0,  // shpmpclo, shpmpchi, shpmpcsel: counters limited to a range of pcs
    parameter SSPESA        = 0,  // shpmspc, shpmsdata (Sspesa), Ssplcofi with more lanes; needs SSCOFPMF
    parameter SPESA_NEXT    = 0,  // 1: with the pipeline empty after a flush, the next to retire is the cause
    parameter SMPDIS        = 0,  // sampling of instructions (Smpdis, Sspdis); needs SSCOFPMF, SMCSRIND
    parameter PDIS_MEM      = 2,  // mpdisctl.MEM: 0, 1 hardwired, 2 writable. 0: no memory buffer
    parameter PDIS_ACC      = 2,  // mpdisctl.ACC: the same
    parameter PDIS_QUEUE    = 4,  // records on their way to memory: 2, 4, 8, 16

    // 1: an access is decoded in one cycle and performed in the next, for a fast clock: ret_max_o is 0 in the
    // first
    parameter CSR_PIPELINE = 0,
    // 1: most of the counters in a RAM that is brought up to date in turn. Half of the logic; an access to a
    // counter or event register waits for a cycle or two (more): ret_max_o is 0 until it can be performed
    parameter COUNTER_RAM = 0
) (
    input  wire                       clk,
    input  wire                       rst,

    // csr: one access a cycle. The answers are combinational; state changes at the clock edge, and only if
    // the access is valid and legal. Unlike valid, number, op and data may be there earlier: the answers
    // then show.
    // the access is performed (its instruction retires) in this cycle
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

    // env: what the hart owns and the unit obeys
    input  wire                       env_cde_i,      // menvcfg.CDE
    input  wire                       env_pdiss_i,    // menvcfg.PDISS
    input  wire                       env_pdisv_i,    // henvcfg.PDISV
    input  wire [63:0]                env_mstateen0_i,
    input  wire [63:0]                env_hstateen0_i,
    input  wire [31:0]                env_hcounteren_i,
    input  wire [31:0]                env_mideleg_i,  // nothing depends on it yet
    input  wire                       env_lcofip_i,   // mip.LCOFIP as it stands
    input  wire [63:0]                env_time_i,     // mtime
    input  wire [63:0]                env_htimedelta_i,
    input  wire                       env_tlb_inval_i,// pulse: SFENCE/HFENCE or a satp write

    // mode at the start of the cycle
    input  wire [1:0]                 mode_priv_i,
    input  wire                       mode_v_i,
    input  wire                       mode_debug_i,   // in debug mode with dcsr.stopcount
    input  wire                       mode_halted_i,  // core clock halted (WFI)

    // events (spec/events.yaml, wires)
    // lane 0 is the oldest; a lane's bits matter only if it retires (ret_valid_i), and may come earlier
    input  wire [RETIRE_W*EVR_N-1:0]  ev_retire_i,
    input  wire [EVC_N*EVC_W-1:0]     ev_cycle_i,

    // decode
    input  wire [DECODE_W-1:0]        dec_valid_i,
    input  wire [DECODE_W*XLEN-1:0]   dec_pc_i,
    // pdishdrev.TYPE: 0 other 1 load 2 store 3 load and store 4 control transfer
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
    input  wire [3:0]                 trk_itype_i,       // facts 11.4
    input  wire                       trk_mispred_i,
    input  wire                       trk_itmiss_i,
    input  wire                       trk_icmiss_i,
    input  wire                       trk_l1miss_i,
    input  wire                       trk_llmiss_i,
    input  wire                       trk_l1tlbmiss_i,
    input  wire                       trk_lltlbmiss_i,
    input  wire [3:0]                 trk_dsrc_i,
    input  wire [EVR_N-1:0]           trk_ev_i,          // its event bits; with one lane ev_retire_i's, or 0
    input  wire [XLEN-1:0]            trk_vaddr_i,       // data address; valid at its end, 0 if there is none
    input  wire [63:0]                trk_paddr_i,
    input  wire [XLEN-1:0]            trk_target_i,      // where a control transfer went

    // retire
    input  wire [RETIRE_W-1:0]        ret_valid_i,
    input  wire [RETIRE_W*XLEN-1:0]   ret_pc_i,
    input  wire [RETIRE_W*3-1:0]      ret_mode_i,        // {V, priv}
    // oldest instruction that has not retired in this cycle
    input  wire [XLEN-1:0]            ret_next_pc_i,
    input  wire [XLEN-1:0]            ret_flush_pc_i,    // who flushed the pipeline last
    input  wire                       ret_flushed_i,     // ... and nothing younger can retire yet
    input  wire                       ret_uebret_i,
    output wire [3:0]                 ret_max_o,         // retire at most so many lanes

    // irq
    output wire                       irq_lcofi_o,       // pulse: set LCOFIP at this clock edge
    output wire                       irq_lambi_o,       // pulse: set LAMBIP
    output wire                       irq_andes_o,       // pulse: set mip[18]
    output wire                       ebb_req_o,
    output wire [XLEN-1:0]            ebb_target_o,
    input  wire                       ebb_ack_i,

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

  `include "tally_event_fn.vh"

  // ---- bits of the largest count that a counter may take in a cycle
  localparam RET_BITS = $clog2(RETIRE_W + 1);
  localparam DEC_BITS = $clog2(DECODE_W + 1);
  localparam LANE_BITS = RET_BITS > DEC_BITS ? RET_BITS : DEC_BITS;
  localparam LINE_W    = LANE_BITS > EVC_W ? LANE_BITS : EVC_W;

  localparam MSTATEEN_C = 0, MSTATEEN_PDIS = 53, MSTATEEN_CSRIND = 60;

  localparam COMB  = COMB_N < HPM_N ? COMB_N : HPM_N;
  localparam INC_W = COMB > 0 ? LINE_W + 2 : LINE_W;   // a combination may be the sum of four events

  // ---- events
  wire                   software;
  wire [3:0]             sampling;      // a sample has been kept, filtered, dropped, inhibited
  wire [LINE_W-1:0]      collisions;
  wire                   judged;        // one has retired: its interrupt comes before the next instruction
  wire [RETIRE_W*64-1:0] lane_event;
  wire [LINE_W*64-1:0]   cycle_event, low_line, mid_line, cache_line;
  tally_pmu_events #(
      .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .EVC_W(EVC_W), .LINE_W(LINE_W)
  ) u_events (
      .clk(clk), .rst(rst),
      .halted_i(mode_halted_i),
      .ret_valid_i(ret_valid_i),
      .ev_retire_i(ev_retire_i),
      .ev_cycle_i(ev_cycle_i),
      .dec_valid_i(dec_valid_i),
      .dec_type_i(dec_type_i),
      .sampling_i(sampling),
      .collisions_i(collisions),
      .lane_event_o(lane_event),
      .cycle_event_o(cycle_event)
  );
  tally_pmu_lines #(
      .RETIRE_W(RETIRE_W), .LINE_W(LINE_W)
  ) u_lines (
      .lane_event_i(lane_event),
      .cycle_event_i(cycle_event),
      .low_line_o(low_line),
      .mid_line_o(mid_line),
      .cache_line_o(cache_line)
  );

  // One lane retires when it is known late that it does; of several, those that do not are gated already.
  wire retires = RETIRE_W == 1 ? ret_valid_i[0] : 1'b1;

  // ---- the access that is answered: the one offered, with CSR_PIPELINE the one of the cycle before
  wire        decoded;   // there is one
  wire [1:0]  op, priv;
  wire        guest;
  wire [4:0]  index;     // its counter
  wire        next_window;
  wire [4:0]  next_counter;
  wire [4:0]  next_index;  // CSR_PIPELINE: in the next cycle
  wire [11:0] siselect;
  wire        held;
  wire [31:0] hot;       // the same, a bit each

  // ---- program counter range
  wire [7:0]           event_new;
  wire                 event_we, pc_low_we, pc_high_we, pc_range_we;
  wire [XLEN-1:0]      pc_low, pc_high;
  wire [XLEN-1:1]      pc_bound;
  wire [31:0]          pc_range, vector;
  wire [RETIRE_W-1:0]  in_range;
  wire [LINE_W*64-1:0] low_limit, mid_limit, cache_limit;
  localparam LIMIT = PCRANGE != 0 && RETIRE_W > 1;
  genvar l;
  generate
    if (PCRANGE != 0) begin : g_pcrange
      tally_pmu_pcrange #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .HPM_N(HPM_N)
      ) u_pcrange (
          .clk(clk), .rst(rst),
          .ret_pc_i(ret_pc_i),
          .inside_o(in_range),
          .low_o(pc_low),
          .high_o(pc_high),
          .range_o(pc_range),
          .low_we_i(pc_low_we),
          .high_we_i(pc_high_we),
          .bound_i(pc_bound),
          .range_we_i(pc_range_we),
          .range_i(vector)
      );
    end else begin : g_no_pcrange
      assign in_range   = {RETIRE_W{1'b1}};
      assign pc_low   = {XLEN{1'b0}};
      assign pc_high  = {XLEN{1'b0}};
      assign pc_range = 32'd0;
      wire unused_ok  = &{1'b0, pc_low_we, pc_high_we, pc_range_we, pc_bound};
    end
    if (LIMIT) begin : g_limit
      wire [RETIRE_W*64-1:0] lane_inside;
      for (l = 0; l < RETIRE_W; l = l + 1) begin : g_lane
        assign lane_inside[l*64 +: 64] = lane_event[l*64 +: 64] & {64{in_range[l]}};
      end
      tally_pmu_lines #(
          .RETIRE_W(RETIRE_W), .LINE_W(LINE_W)
      ) u_lines (
          .lane_event_i(lane_inside),
          .cycle_event_i(cycle_event),
          .low_line_o(low_limit),
          .mid_line_o(mid_limit),
          .cache_line_o(cache_limit)
      );
    end else begin : g_no_limit
      assign low_limit   = {LINE_W * 64{1'b0}};
      assign mid_limit   = {LINE_W * 64{1'b0}};
      assign cache_limit = {LINE_W * 64{1'b0}};
    end
  endgenerate

  // ---- combined selectors
  wire [31:0] stop;      // the counter does not count in this cycle
  wire [55:0] comb_now, comb_new;
  wire [(COMB > 0 ? COMB : 1)*INC_W-1:0] comb_count;
  wire [31:0] comb_on;     // there is one
  wire [31:0] comb_over;   // ... makes the counter's low bits hand one on, where that is found out here
  wire [32*3-1:0] count_low;
  wire [31:0]     count_brim;
  generate
    if (COMB > 0) begin : g_combine
      tally_pmu_combine #(
          .COMB_N(COMB), .RETIRE_W(RETIRE_W), .LINE_W(LINE_W), .INC_W(INC_W)
      ) u_combine (
          .clk(clk), .rst(rst),
          .halted_i(mode_halted_i),
          .lane_event_i(lane_event),
          .cycle_event_i(cycle_event),
          .retires_i(retires),
          .software_i(software),
          .inside_i(in_range),
          .range_i(pc_range[3 +: COMB]),
          .still_i(stop[3 +: COMB]),
          .low_i(count_low[3*3 +: COMB*3]),
          .brim_i(count_brim[3 +: COMB]),
          .over_o(comb_over[3 +: COMB]),
          .on_o(comb_on[3 +: COMB]),
          .count_o(comb_count),
          .index_i(index),
          .we_i(event_we),
          .selector_i(comb_new),
          .selector_o(comb_now)
      );
      assign comb_over[2:0] = 3'd0;
      assign comb_on[2:0]   = 3'd0;
      wire unused_ok        = &{1'b0, count_brim};
      if (COMB < 29) begin : g_no_more
        assign comb_over[31:3+COMB] = {29 - COMB{1'b0}};
        assign comb_on[31:3+COMB]   = {29 - COMB{1'b0}};
      end
    end else begin : g_no_combine
      assign comb_now   = 56'd0;
      assign comb_count = {INC_W{1'b0}};
      assign comb_over  = 32'd0;
      assign comb_on    = 32'd0;
      wire unused_ok    = &{1'b0, comb_new, in_range, count_brim};
    end
  endgenerate

  // ---- counters
  wire [31:0] wrap;
  wire [63:0] count, count_new;
  wire [7:0]  event_now;
  wire        count_access, count_we, count_read, count_upper;
  wire [INC_W*32-1:0] inc;
  wire [7:0]          event_held;
  wire [31:0]         event_hit, filter_hit, of_one;   // what of counter i is written
  wire                flag_we;
  wire [7:0]          event_next, number_next;         // ... that
  wire [4:0]          filter_next;
  wire [32*8-1:0]     events;     // selected, low bits of the value, all others are ones: a field a counter
  wire [31:0]         count_near;
  wire [31:0]         gate_high, gate_low, run, chosen, full, ends;
`ifdef FORMAL
  localparam [0:0]    LOOK = 1'b1;
`else
  localparam [0:0]    LOOK = RETIRE_W > 1;
`endif
  tally_pmu_select #(
      .HPM_N(HPM_N), .LINE_W(LINE_W), .COMB_N(COMB), .INC_W(INC_W), .LIMIT(LIMIT),
      .LOOK(LOOK), .CSR_PIPELINE(CSR_PIPELINE != 0 && COUNTER_RAM == 0)
  ) u_select (
      .clk(clk), .rst(rst),
      .low_line_i(low_line),
      .mid_line_i(mid_line),
      .cache_line_i(cache_line),
      .limit_i(pc_range),
      .low_limit_i(low_limit),
      .mid_limit_i(mid_limit),
      .cache_limit_i(cache_limit),
      .comb_count_i(comb_count),
      .run_i(run),
      .gate_high_o(gate_high),
      .gate_low_o(gate_low),
      .inc_o(inc),
      .chosen_o(chosen),
      .index_i(CSR_PIPELINE != 0 ? next_counter : index),
      .window_i(next_window),
      .window_index_i(siselect[4:0]),
      .held_i(held),
      .held_index_i(index),
      .event_o(event_held),
      .events_o(events),
      .event_hit_i(event_hit),
      .event_i(event_next),
      .number_i(number_next)
  );

  // Counters without combinations; they count by one at most if there is no more in a line.
  localparam [31:0] SIMPLE = ~(((32'd1 << COMB) - 32'd1) << 3);
  localparam [31:0] SINGLE = LINE_W == 1 ? SIMPLE : 32'd0;
  // ... whose combination says when it carries
  localparam [31:0] SUMS   = LINE_W == 1 && RETIRE_W == 1 ? ~SIMPLE : 32'd0;
  // ... and have bits behind that carry: a wrap is their event, or that carry
  localparam [31:0] EITHER = COUNTER_RAM == 0 && HPM_W > INC_W + 1 ? SUMS : 32'd0;

  // Requests come from the counters as they are.
  localparam [0:0] PURE = COUNTER_RAM != 0 && CSR_PIPELINE == 0 && ANDES == 0;

  wire [31:0] quiet, ram_request;
  wire [4:0] filter, filter_held, filter_new;
  wire       ready;
  generate
    if (COUNTER_RAM != 0) begin : g_ram
      // The selector is read from the RAM, and so are the filters, unless the Andes masks write them too.
      localparam SIDE_W = ANDES != 0 ? 8 : HYP != 0 ? 13 : 11;
      wire [12:0] side, side_kept, side_next;
      wire [12:0] side_new = {filter_new[1:0], filter_new[4:2], event_new};
      // With CSR_PIPELINE a write leaves what it asked for in the registers, but that nothing asks any more.
      wire asked = CSR_PIPELINE != 0 ? count_access & held : count_access;
      tally_pmu_counters_ram #(
          .HPM_N(HPM_N), .HPM_W(HPM_W), .INC_W(INC_W), .SIDE_W(SIDE_W), .UNIT(SINGLE),
          .CSR_PIPELINE(CSR_PIPELINE != 0)
      ) u_counters (
          .clk(clk), .rst(rst),
          .inc_i(inc),
          .wrap_o(wrap),
          .quiet_i(quiet),
          .request_o(ram_request),
          .full_o(full),
          .low_o(count_low),
          .near_o(count_near),
          .index_i(index),
          .ask_i(asked),
          .access_i(asked & decoded),
          .next_index_i(next_index),
          .ready_o(ready),
          .count_o(count),
          .count_we_i(count_we),
          .count_i(count_new),
          .side_o(side[SIDE_W-1:0]),
          .side_kept_o(side_kept[SIDE_W-1:0]),
          .side_we_i(event_we),
          .side_i(side_new[SIDE_W-1:0]),
          .visit_o(event_hit),
          .side_d_o(side_next[SIDE_W-1:0]),
          .of_we_i(flag_we),
          .of_one_o(of_one)
      );
      if (SIDE_W < 13) begin : g_side
        assign side[12:SIDE_W]      = {13 - SIDE_W{1'b0}};
        assign side_kept[12:SIDE_W] = {13 - SIDE_W{1'b0}};
        assign side_next[12:SIDE_W] = {13 - SIDE_W{1'b0}};
      end
      // The flip-flops beside the RAM take what it has whenever the counter is in the stage.
      assign event_next  = side_next[7:0];
      assign number_next = CSR_PIPELINE == 0 ? side_next[7:0]
                         : event_we ? tally_event_number(comb_new) : side_kept[7:0];
      if (ANDES != 0) begin : g_filter
        tally_decoder u_filter (
            .sel_i(index), .hot_i(32'd0), .en_i(event_we), .all_i(rst), .out_o(filter_hit)
        );
        assign filter_next = filter_new;
      end else begin : g_side_filter
        assign filter_hit  = event_hit;
        assign filter_next = {side_next[10:8], side_next[12:11]};
      end
      assign event_now = side[7:0];
      assign filter    = ANDES != 0 ? filter_held : {side[10:8], side[12:11]};
      assign ends       = 32'd0;
      assign count_brim = 32'd0;
      wire unused_ok    = &{1'b0, event_held, filter_held, side, side_kept, side_new, side_next, hot,
                            comb_over};
    end else begin : g_plain
      wire [31:0] load;
      if (CSR_PIPELINE != 0) begin : g_pipelined
        // A load in reset would have the flags of a value that nobody gives.
        tally_decoder #(.ONE_HOT(1'b1)) u_load (
            .sel_i(index), .hot_i(hot), .en_i(count_we), .all_i(1'b0), .out_o(load)
        );
        tally_decoder #(.ONE_HOT(1'b1)) u_event (
            .sel_i(index), .hot_i(hot), .en_i(event_we), .all_i(rst), .out_o(event_hit)
        );
        tally_decoder #(.ONE_HOT(1'b1)) u_of (
            .sel_i(index), .hot_i(hot), .en_i(flag_we), .all_i(1'b0), .out_o(of_one)
        );
      end else begin : g_direct
        tally_decoder #(.N(3)) u_written (
            .sel_i(index), .hot_i(32'd0), .en_i({flag_we, event_we, count_we}), .all_i(rst),
            .out_o({of_one, event_hit, load})
        );
      end
      assign ram_request = 32'd0;
      assign event_next  = event_new;
      assign number_next = tally_event_number(comb_new);
      assign filter_hit  = event_hit;
      assign filter_next = filter_new;
      tally_pmu_counters #(
          .HPM_N(HPM_N), .HPM_W(HPM_W), .INC_W(INC_W), .UNIT(SINGLE), .SUMS(SUMS), .NEAR(RETIRE_W > 1),
          .CSR_PIPELINE(CSR_PIPELINE != 0)
      ) u_counters (
          .clk(clk), .rst(rst),
          .inc_i(inc),
          .one_i(chosen & run),
          .over_i(comb_over),
          .brim_o(count_brim),
          .wrap_o(wrap),
          .full_o(full),
          .ends_o(ends),
          .low_o(count_low),
          .near_o(count_near),
          .index_i(index),
          .hot_i(hot),
          .count_o(count),
          .load_i(load),
          .count_i(count_new)
      );
      assign event_now = event_held;
      assign filter    = filter_held;
      assign ready     = 1'b1;
      wire unused_ok   = &{1'b0, count_access, next_index};
    end
  endgenerate

  // ---- control state
  wire [31:0] mcounteren, scounteren, inhibit, wen, inten, flags, minh, sinh, uinh, vsinh, vuinh;
  assign      csr_tm_o = mcounteren[1];
  wire        mcounteren_we, scounteren_we, inhibit_we, wen_we, inten_we, minh_we, sinh_we, uinh_we;
  wire [31:0] vector_mask, flags_clear;
  wire        flag_new, sample_lcofi;
  wire [31:0] request, mute, request_late, request_early, andes_early;
  wire [1:0]  mode;
  wire        user;
  tally_pmu_control #(
      .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF != 0), .SMCNTRPMF(SMCNTRPMF != 0), .HYP(HYP != 0), .ANDES(ANDES != 0),
      .STOPS(CSR_PIPELINE != 0 ? ~SIMPLE : 32'hFFFF_FFFF), .CSR_PIPELINE(CSR_PIPELINE != 0),
      .PURE(PURE)
  ) u_control (
      .clk(clk), .rst(rst),
      .mode_priv_i(mode_priv_i),
      .mode_v_i(mode_v_i),
      .mode_debug_i(mode_debug_i),
      .mode_o(mode),
      .user_o(user),
      .stop_o(stop),
      .wrap_i(wrap),
      .quiet_o(quiet),
      .mute_o(mute),
      .late_i(request_late),
      .early_i(request_early),
      .andes_early_i(andes_early),
      .sample_i(sample_lcofi),
      .lcofi_o(irq_lcofi_o),
      .request_o(request),
      .andes_o(irq_andes_o),
      .mcounteren_o(mcounteren),
      .scounteren_o(scounteren),
      .inhibit_o(inhibit),
      .wen_o(wen),
      .inten_o(inten),
      .of_o(flags),
      .minh_o(minh),
      .sinh_o(sinh),
      .uinh_o(uinh),
      .vsinh_o(vsinh),
      .vuinh_o(vuinh),
      .mcounteren_we_i(mcounteren_we),
      .scounteren_we_i(scounteren_we),
      .inhibit_we_i(inhibit_we),
      .wen_we_i(wen_we),
      .inten_we_i(inten_we),
      .minh_we_i(minh_we),
      .sinh_we_i(sinh_we),
      .uinh_we_i(uinh_we),
      .vector_i(vector),
      .vector_mask_i(vector_mask),
      .of_clear_i(flags_clear),
      .index_i(index),
      .hot_i(hot),
      .of_one_i(of_one),
      .of_i(flag_new),
      .event_hit_i(filter_hit),
      .filter_i(filter_next),
      .filter_o(filter_held)
  );

`ifdef FORMAL
  // A counter with a combination has no event: what it chooses is 0. With COUNTER_RAM, whose event is in
  // the RAM, for the counter that tests/formal looks at.
  wire [4:0]  formal_index;
  wire [31:0] formal_both;
  generate
    for (l = 0; l < 32; l = l + 1) begin : g_formal
      assign formal_both[l] = comb_on[l] & |events[l*8 +: 8];
    end
  endgenerate
  always @* if (!rst)
    event_or_combination: assert (COUNTER_RAM != 0 ? !formal_both[formal_index] : formal_both == 32'd0);
`endif

  // ---- which counters take their events. Nothing but bus cycles happens while the core clock is halted.
  wire running  = ~mode_halted_i;
  wire retiring = running & retires;
  wire ranging  = retiring & (RETIRE_W == 1 ? in_range[0] : 1'b1);
  wire raising  = running & software;
  generate
    if (CSR_PIPELINE != 0) begin : g_takes
      wire [31:0] privileged, idle, gate;
      tally_pmu_takes #(
          .MASK(((32'd1 << HPM_N) - 32'd1) << 3 | 32'h5), .HYP(HYP != 0), .LIMIT(PCRANGE != 0)
      ) u_takes (
          .mode_i(mode),
          .user_i(user),
          .v_i(mode_v_i),
          .inhibit_i(inhibit),
          .minh_i(minh),
          .sinh_i(sinh),
          .uinh_i(uinh),
          .vsinh_i(vsinh),
          .vuinh_i(vuinh),
          .high_i(gate_high),
          .low_i(gate_low),
          .limit_i(pc_range),
          .running_i(running),
          .retires_i(retiring),
          .in_range_i(ranging),
          .software_i(raising),
          .privileged_o(privileged),
          .idle_o(idle),
          .gate_o(gate)
      );
      assign run = gate & ~privileged & ~idle;
      // The interrupts do not wait for the counters: one that counts by one wraps if it is full, runs, has
      // chosen an event that happens, and is not written.
      wire [31:0] wraps, wraps_andes;
      wire [31:0] ripe = full & ~(hot & {32{count_we}});
      tally_and_not u_wraps (
          .not_c_i(privileged),
          .not_d_i(idle),
          .b_i(gate),
          .a_i(ripe & ~quiet),
          .out_o(wraps)
      );
      if (ANDES != 0) begin : g_andes
        tally_and_not u_wraps (
            .not_c_i(privileged),
            .not_d_i(idle),
            .b_i(gate),
            .a_i(ripe & ~mute),
            .out_o(wraps_andes)
        );
      end else begin : g_no_andes
        assign wraps_andes = 32'd0;
      end
      for (l = 0; l < 32; l = l + 1) begin : g_wrap
        if (EITHER[l]) begin : g_either
          wire carries = ends[l] & ~(hot[l] & count_we);   // a combination that does wraps
          assign request_late[l]  = chosen[l] | comb_over[l];
          assign request_early[l] = comb_on[l] ? carries & ~quiet[l] : wraps[l];
          assign andes_early[l]   = comb_on[l] ? carries & ~mute[l] : wraps_andes[l];
        end else begin : g_one
          assign request_late[l]  = SINGLE[l] ? chosen[l] : wrap[l];
          assign request_early[l] = SINGLE[l] ? wraps[l] : ~quiet[l];
          assign andes_early[l]   = SINGLE[l] ? wraps_andes[l] : ~mute[l];
        end
      end
    end else begin : g_run
      tally_pmu_run #(.LIMIT(PCRANGE != 0)) u_run (
          .high_i(gate_high),
          .low_i(gate_low),
          .stop_i(stop),
          .limit_i(pc_range),
          .running_i(running),
          .retires_i(retiring),
          .in_range_i(ranging),
          .software_i(raising),
          .run_o(run)
      );
      assign request_late  = PURE ? ram_request : wrap;
      assign request_early = ~quiet;
      assign andes_early   = ~mute;
    end
  endgenerate

  // ---- access
  wire            view_hit, view_illegal, view_virtual;
  wire [XLEN-1:0] view_rdata;
  wire [11:0]     vsiselect;
  tally_pmu_csr #(
      .XLEN(XLEN), .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF != 0), .SMCNTRPMF(SMCNTRPMF != 0),
      .SMCSRIND(SMCSRIND != 0), .SMCDELEG(SMCDELEG != 0), .SMSTATEEN(SMSTATEEN != 0), .HYP(HYP != 0),
      .ANDES(ANDES != 0), .ANDES_SILICON(ANDES_SILICON != 0),
      .ANDES_SWRITE(ANDES_SWRITE != 0), .SWEVENT(SWEVENT != 0), .PCRANGE(PCRANGE != 0),
      .CSR_PIPELINE(CSR_PIPELINE != 0),
      .COUNTER_RAM(COUNTER_RAM != 0)
  ) u_csr (
      .clk(clk), .rst(rst),
      .csr_valid_i(csr_valid_i),
      .csr_num_i(csr_num_i),
      .csr_op_i(csr_op_i),
      .csr_wdata_i(csr_wdata_i),
      .csr_priv_i(csr_priv_i),
      .csr_v_i(csr_v_i),
      .csr_hit_o(view_hit),
      .csr_illegal_o(view_illegal),
      .csr_virtual_o(view_virtual),
      .csr_rdata_o(view_rdata),
      .env_cde_i(env_cde_i),
      .mstateen_csrind_i(env_mstateen0_i[MSTATEEN_CSRIND]),
      .hstateen_csrind_i(env_hstateen0_i[MSTATEEN_CSRIND]),
      .mstateen_c_i(env_mstateen0_i[MSTATEEN_C]),
      .hstateen_c_i(env_hstateen0_i[MSTATEEN_C]),
      .env_hcounteren_i(env_hcounteren_i),
      .env_time_i(env_time_i),
      .env_htimedelta_i(env_htimedelta_i),
      .siselect_o(siselect),
      .vsiselect_o(vsiselect),
      .next_window_o(next_window),
      .next_counter_o(next_counter),
      .next_index_o(next_index),
      .held_o(held),
      .index_o(index),
      .hot_o(hot),
      .decoded_o(decoded),
      .op_o(op),
      .priv_o(priv),
      .v_o(guest),
      .count_i(count),
      .count_read_o(count_read),
      .count_upper_o(count_upper),
      .count_access_o(count_access),
      .count_we_o(count_we),
      .count_o(count_new),
      .event_i(event_now),
      .event_we_o(event_we),
      .event_o(event_new),
      .comb_i(comb_now),
      .comb_o(comb_new),
      .software_o(software),
      .pc_low_i(pc_low),
      .pc_high_i(pc_high),
      .pc_range_i(pc_range),
      .pc_low_we_o(pc_low_we),
      .pc_high_we_o(pc_high_we),
      .pc_bound_o(pc_bound),
      .pc_range_we_o(pc_range_we),
      .mcounteren_i(mcounteren),
      .scounteren_i(scounteren),
      .inhibit_i(inhibit),
      .wen_i(wen),
      .inten_i(inten),
      .of_i(flags),
      .minh_i(minh),
      .sinh_i(sinh),
      .uinh_i(uinh),
      .mcounteren_we_o(mcounteren_we),
      .scounteren_we_o(scounteren_we),
      .inhibit_we_o(inhibit_we),
      .wen_we_o(wen_we),
      .inten_we_o(inten_we),
      .minh_we_o(minh_we),
      .sinh_we_o(sinh_we),
      .uinh_we_o(uinh_we),
      .vector_o(vector),
      .vector_mask_o(vector_mask),
      .of_clear_o(flags_clear),
      .of_we_o(flag_we),
      .of_o(flag_new),
      .filter_i(filter),
      .filter_o(filter_new)
  );

  // ---- precise sampling: its registers, beside those above
  wire            sample_own, sample_illegal, sample_virtual;
  wire [XLEN-1:0] sample_rdata, pesa_pc, ambaddr, data_word;
  wire [4:0]      pesa_cntrid;
  wire [63:0]     pdisctl, pdiscounter, ambcs, sample_value, sample_touch;
  wire [1:0]      pdis_vmodes;
  wire [55:0]     evmask, evmatch;
  wire [15:0]     pdisfilter;
  wire [3:0]      data_index;
  wire            pdis_inhibit, pdis_inhibit_new, pdis_inhibit_we, pesa_pc_we, pesa_data_we;
  wire            pdisctl_we, pdisctl_machine, pdisctl_guest, pdiscount_we, pdisinit_we;
  wire            evmask_we, evmatch_we, pdisfilter_we, ambcs_we, ambaddr_we, data_we;
  tally_pmu_sample_csr #(
      .XLEN(XLEN), .SSPESA(SSPESA != 0), .SMPDIS(SMPDIS != 0), .PDIS_MEM(PDIS_MEM),
      .SMCDELEG(SMCDELEG != 0), .SMSTATEEN(SMSTATEEN != 0), .HYP(HYP != 0), .CSR_PIPELINE(CSR_PIPELINE != 0)
  ) u_sample_csr (
      .clk(clk), .rst(rst),
      .csr_valid_i(csr_valid_i),
      .csr_num_i(csr_num_i),
      .csr_priv_i(csr_priv_i),
      .csr_v_i(csr_v_i),
      .decoded_i(decoded),
      .op_i(op),
      .priv_i(priv),
      .v_i(guest),
      .csr_wdata_i(csr_wdata_i),
      .own_o(sample_own),
      .illegal_o(sample_illegal),
      .virtual_o(sample_virtual),
      .rdata_o(sample_rdata),
      .view_ok_i(view_hit & ~view_illegal & ~view_virtual),
      .inhibit_i(pdis_inhibit),
      .inhibit_we_o(pdis_inhibit_we),
      .inhibit_o(pdis_inhibit_new),
      .env_cde_i(env_cde_i),
      .mstateen_csrind_i(env_mstateen0_i[MSTATEEN_CSRIND]),
      .hstateen_csrind_i(env_hstateen0_i[MSTATEEN_CSRIND]),
      .mstateen_pdis_i(env_mstateen0_i[MSTATEEN_PDIS]),
      .hstateen_pdis_i(env_hstateen0_i[MSTATEEN_PDIS]),
      .siselect_i(siselect),
      .vsiselect_i(vsiselect),
      .pesa_pc_i(pesa_pc),
      .pesa_cntrid_i(pesa_cntrid),
      .ctl_i(pdisctl),
      .vmodes_i(pdis_vmodes),
      .counter_i(pdiscounter),
      .evmask_i(evmask),
      .evmatch_i(evmatch),
      .filter_i(pdisfilter),
      .ambcs_i(ambcs),
      .ambaddr_i(ambaddr),
      .data_word_o(data_index),
      .data_i(data_word),
      .pesa_pc_we_o(pesa_pc_we),
      .pesa_data_we_o(pesa_data_we),
      .ctl_we_o(pdisctl_we),
      .ctl_machine_o(pdisctl_machine),
      .ctl_guest_o(pdisctl_guest),
      .count_we_o(pdiscount_we),
      .initval_we_o(pdisinit_we),
      .evmask_we_o(evmask_we),
      .evmatch_we_o(evmatch_we),
      .filter_we_o(pdisfilter_we),
      .ambcs_we_o(ambcs_we),
      .ambaddr_we_o(ambaddr_we),
      .data_we_o(data_we),
      .value_o(sample_value),
      .touch_o(sample_touch)
  );
  // What is not granted reads 0, here and there.
  assign csr_hit_o     = view_hit | sample_own;
  assign csr_illegal_o = sample_own ? sample_illegal : view_illegal;
  assign csr_virtual_o = sample_own ? sample_virtual : view_virtual;
  generate
    if (CSR_PIPELINE != 0) begin : g_late
      tally_or_gated #(.W(XLEN)) u_late (
          .word_i(view_rdata | sample_rdata),
          .late_en_i(count_read),
          .late_i(count_upper ? count[63:64-XLEN] : count[XLEN-1:0]),
          .word_o(csr_rdata_o)
      );
    end else begin : g_joined
      assign csr_rdata_o = view_rdata | sample_rdata;
    end
  endgenerate

  // ---- whose overflow
  wire [3:0] lanes_max;
  generate
    if (SSPESA != 0) begin : g_spesa
      tally_pmu_spesa #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .HPM_W(HPM_W), .NEXT(SPESA_NEXT)
      ) u_spesa (
          .clk(clk), .rst(rst),
          .lcofip_i(env_lcofip_i),
          .request_i(request),
          .eligible_i(mcounteren | {32{SMCDELEG == 0 | ~env_cde_i}}),
          .ret_valid_i(ret_valid_i),
          .ret_pc_i(ret_pc_i),
          .ret_next_pc_i(ret_next_pc_i),
          .ret_flush_pc_i(ret_flush_pc_i),
          .ret_flushed_i(ret_flushed_i),
          .events_i(events),
          .low_i(count_low),
          .lane_event_i(lane_event),
          .inside_i(in_range),
          .range_i(pc_range),
          .pc_we_i(pesa_pc_we),
          .data_we_i(pesa_data_we),
          .value_i(sample_value[XLEN-1:0]),
          .pc_o(pesa_pc),
          .cntrid_o(pesa_cntrid)
      );
      if (RETIRE_W > 1) begin : g_splcofi
        tally_pmu_splcofi #(
            .RETIRE_W(RETIRE_W), .HPM_N(HPM_N), .HPM_W(HPM_W)
        ) u_splcofi (
            .events_i(events),
            .low_i(count_low),
            .near_i(count_near),
            .quiet_i(inhibit | flags),
            .max_o(lanes_max)
        );
      end else begin : g_one_lane
        assign lanes_max = RETIRE_W[3:0];
        wire unused_ok   = &{1'b0, count_near};
      end
    end else begin : g_no_spesa
      assign pesa_pc     = {XLEN{1'b0}};
      assign pesa_cntrid = 5'd0;
      assign lanes_max   = RETIRE_W[3:0];
      wire unused_ok = &{1'b0, request, count_low, count_near, pesa_pc_we, pesa_data_we};
    end
  endgenerate
  assign ret_max_o = ready & ~judged & (decoded | csr_num_i == 12'd0) ? lanes_max : 4'd0;  // 0: no access

  // ---- sampling of decoded instructions
  generate
    if (SMPDIS != 0) begin : g_pdis
      wire                          seen_trk_dispatched;
      wire                          seen_trk_issued;
      wire                          seen_trk_completed;
      wire                          seen_trk_oldest;
      wire                          seen_trk_retired;
      wire                          seen_trk_trapped;
      wire                          seen_trk_flushed;
      wire [1:0]                    seen_trk_flush_why;
      wire [XLEN-1:0]               seen_trk_flush_pc;
      wire [3:0]                    seen_trk_itype;
      wire                          seen_trk_mispred;
      wire                          seen_trk_itmiss;
      wire                          seen_trk_icmiss;
      wire                          seen_trk_l1miss;
      wire                          seen_trk_llmiss;
      wire                          seen_trk_l1tlbmiss;
      wire                          seen_trk_lltlbmiss;
      wire [3:0]                    seen_trk_dsrc;
      wire [XLEN-1:0]               seen_trk_vaddr;
      wire [63:0]                   seen_trk_paddr;
      wire [XLEN-1:0]               seen_trk_target;
      wire [RETIRE_W-1:0]           seen_ret_valid;
      wire [RETIRE_W*XLEN-1:0]      seen_ret_pc;
      wire [RETIRE_W*3-1:0]         seen_ret_mode;
      wire [XLEN-1:0]               seen_ret_next_pc;
      wire [RETIRE_W-1:0]           seen_ret_leaps;
      assign judged = seen_trk_retired;
      // Counted a cycle later: an overflow of one of them would otherwise stand behind all of sampling.
      wire [3:0]        becomes;
      wire [LINE_W-1:0] collides;
      reg  [3:0]        becomes_q;
      reg  [LINE_W-1:0] collides_q;
      // ... in which the core clock runs: meanwhile nothing more comes, but what was on its way.
      always @(posedge clk) begin
        becomes_q  <= (becomes | becomes_q & {4{mode_halted_i}}) & {4{~rst}};
        collides_q <= (collides | collides_q & {LINE_W{mode_halted_i}}) & {LINE_W{~rst}};
      end
      assign sampling   = becomes_q;
      assign collisions = collides_q;
      tally_pmu_pdis_seen #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W)
      ) u_seen (
          .clk(clk), .rst(rst),
          .trk_dispatched_i(trk_dispatched_i), .trk_dispatched_o(seen_trk_dispatched),
          .trk_issued_i(trk_issued_i), .trk_issued_o(seen_trk_issued),
          .trk_completed_i(trk_completed_i), .trk_completed_o(seen_trk_completed),
          .trk_oldest_i(trk_oldest_i), .trk_oldest_o(seen_trk_oldest),
          .trk_retired_i(trk_retired_i), .trk_retired_o(seen_trk_retired),
          .trk_trapped_i(trk_trapped_i), .trk_trapped_o(seen_trk_trapped),
          .trk_flushed_i(trk_flushed_i), .trk_flushed_o(seen_trk_flushed),
          .trk_flush_why_i(trk_flush_why_i), .trk_flush_why_o(seen_trk_flush_why),
          .trk_flush_pc_i(trk_flush_pc_i), .trk_flush_pc_o(seen_trk_flush_pc),
          .trk_itype_i(trk_itype_i), .trk_itype_o(seen_trk_itype),
          .trk_mispred_i(trk_mispred_i), .trk_mispred_o(seen_trk_mispred),
          .trk_itmiss_i(trk_itmiss_i), .trk_itmiss_o(seen_trk_itmiss),
          .trk_icmiss_i(trk_icmiss_i), .trk_icmiss_o(seen_trk_icmiss),
          .trk_l1miss_i(trk_l1miss_i), .trk_l1miss_o(seen_trk_l1miss),
          .trk_llmiss_i(trk_llmiss_i), .trk_llmiss_o(seen_trk_llmiss),
          .trk_l1tlbmiss_i(trk_l1tlbmiss_i), .trk_l1tlbmiss_o(seen_trk_l1tlbmiss),
          .trk_lltlbmiss_i(trk_lltlbmiss_i), .trk_lltlbmiss_o(seen_trk_lltlbmiss),
          .trk_dsrc_i(trk_dsrc_i), .trk_dsrc_o(seen_trk_dsrc),
          .trk_vaddr_i(trk_vaddr_i), .trk_vaddr_o(seen_trk_vaddr),
          .trk_paddr_i(trk_paddr_i), .trk_paddr_o(seen_trk_paddr),
          .trk_target_i(trk_target_i), .trk_target_o(seen_trk_target),
          .ret_valid_i(ret_valid_i), .ret_valid_o(seen_ret_valid),
          .ret_pc_i(ret_pc_i), .ret_pc_o(seen_ret_pc),
          .ret_mode_i(ret_mode_i), .ret_mode_o(seen_ret_mode),
          .ret_next_pc_i(ret_next_pc_i), .ret_next_pc_o(seen_ret_next_pc),
          .ev_retire_i(ev_retire_i), .ret_leaps_o(seen_ret_leaps)
      );
      wire [31:0] had;
      tally_pmu_pdis_had #(
          .RETIRE_W(RETIRE_W), .HPM_N(HPM_N)
      ) u_had (
          .clk(clk),
          .end_i(trk_retired_i | trk_trapped_i | trk_flushed_i),
          .ev_i(trk_ev_i),
          .chosen_i(chosen),
          .events_i(events),
          .of_retire_i(gate_low & ~gate_high),
          .had_o(had)
      );
      tally_pmu_pdis #(
          .XLEN(XLEN), .RETIRE_W(RETIRE_W), .DECODE_W(DECODE_W), .HPM_N(HPM_N), .LINE_W(LINE_W),
          .MEM(PDIS_MEM), .ACC(PDIS_ACC), .QUEUE(PDIS_QUEUE),
          .SMCDELEG(SMCDELEG != 0), .SMSTATEEN(SMSTATEEN != 0), .HYP(HYP != 0)
      ) u_pdis (
          .clk(clk), .rst(rst),
          .env_cde_i(env_cde_i),
          .env_pdiss_i(env_pdiss_i),
          .env_pdisv_i(env_pdisv_i),
          .mstateen_pdis_i(env_mstateen0_i[MSTATEEN_PDIS]),
          .hstateen_pdis_i(env_hstateen0_i[MSTATEEN_PDIS]),
          .env_time_i(env_time_i),
          .env_htimedelta_i(env_htimedelta_i),
          .env_hcounteren_tm_i(env_hcounteren_i[1]),
          .env_tlb_inval_i(env_tlb_inval_i),
          .mode_debug_i(mode_debug_i),
          .mode_halted_i(mode_halted_i),
          .inhibited_i(inhibit),
          .mcounteren_i(mcounteren),
          .minh_i(minh),
          .sinh_i(sinh),
          .uinh_i(uinh),
          .vsinh_i(vsinh),
          .vuinh_i(vuinh),
          .had_i(had),
          .dec_valid_i(dec_valid_i),
          .dec_pc_i(dec_pc_i),
          .dec_type_i(dec_type_i),
          .dec_mode_i(dec_mode_i),
          .dec_sample_o(dec_sample_o),
          .trk_dispatched_i(seen_trk_dispatched),
          .trk_issued_i(seen_trk_issued),
          .trk_completed_i(seen_trk_completed),
          .trk_oldest_i(seen_trk_oldest),
          .trk_retired_i(seen_trk_retired),
          .trk_trapped_i(seen_trk_trapped),
          .trk_flushed_i(seen_trk_flushed),
          .trk_flush_why_i(seen_trk_flush_why),
          .trk_flush_pc_i(seen_trk_flush_pc),
          .trk_itype_i(seen_trk_itype),
          .trk_mispred_i(seen_trk_mispred),
          .trk_itmiss_i(seen_trk_itmiss),
          .trk_icmiss_i(seen_trk_icmiss),
          .trk_l1miss_i(seen_trk_l1miss),
          .trk_llmiss_i(seen_trk_llmiss),
          .trk_l1tlbmiss_i(seen_trk_l1tlbmiss),
          .trk_lltlbmiss_i(seen_trk_lltlbmiss),
          .trk_dsrc_i(seen_trk_dsrc),
          .trk_vaddr_i(seen_trk_vaddr),
          .trk_paddr_i(seen_trk_paddr),
          .trk_target_i(seen_trk_target),
          .ret_valid_i(seen_ret_valid),
          .ret_pc_i(seen_ret_pc),
          .ret_mode_i(seen_ret_mode),
          .ret_next_pc_i(seen_ret_next_pc),
          .ret_leaps_i(seen_ret_leaps),
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
          .lcofi_o(sample_lcofi),
          .lambi_o(irq_lambi_o),
          .ev_sample_o(becomes[3]),
          .ev_filtered_o(becomes[2]),
          .ev_dropped_o(becomes[1]),
          .ev_inhibited_o(becomes[0]),
          .ev_collisions_o(collides),
          .inhibit_o(pdis_inhibit),
          .ctl_o(pdisctl),
          .vmodes_o(pdis_vmodes),
          .counter_o(pdiscounter),
          .evmask_o(evmask),
          .evmatch_o(evmatch),
          .filter_o(pdisfilter),
          .ambcs_o(ambcs),
          .ambaddr_o(ambaddr),
          .data_word_i(data_index),
          .data_o(data_word),
          .inhibit_we_i(pdis_inhibit_we),
          .inhibit_i(pdis_inhibit_new),
          .ctl_we_i(pdisctl_we),
          .ctl_machine_i(pdisctl_machine),
          .ctl_guest_i(pdisctl_guest),
          .count_we_i(pdiscount_we),
          .initval_we_i(pdisinit_we),
          .evmask_we_i(evmask_we),
          .evmatch_we_i(evmatch_we),
          .filter_we_i(pdisfilter_we),
          .ambcs_we_i(ambcs_we),
          .ambaddr_we_i(ambaddr_we),
          .data_we_i(data_we),
          .value_i(sample_value),
          .touch_i(sample_touch)
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
      assign sample_lcofi = 1'b0;
      assign judged       = 1'b0;
      assign sampling     = 4'd0;
      assign collisions   = {LINE_W{1'b0}};
      assign pdis_inhibit = 1'b0;
      assign pdisctl      = 64'd0;
      assign pdis_vmodes  = 2'd0;
      assign pdiscounter  = 64'd0;
      assign evmask       = 56'd0;
      assign evmatch      = 56'd0;
      assign pdisfilter   = 16'd0;
      assign ambcs        = 64'd0;
      assign ambaddr      = {XLEN{1'b0}};
      assign data_word    = {XLEN{1'b0}};
      wire unused_ok = &{1'b0, data_index, pdis_inhibit_we, pdis_inhibit_new, pdisctl_we, pdisctl_machine,
          pdisctl_guest, pdiscount_we, pdisinit_we, evmask_we, evmatch_we, pdisfilter_we, ambcs_we,
          ambaddr_we, data_we, sample_value, sample_touch};
    end
  endgenerate

  // ---- event-based branches are not in this build
  assign ebb_req_o    = 1'b0;
  assign ebb_target_o = {XLEN{1'b0}};

  // Inputs and signals that a build has no use for.
  wire unused_ok = &{1'b0, vsinh, vuinh, env_pdiss_i, env_pdisv_i, env_mstateen0_i, env_hstateen0_i,
      env_mideleg_i, env_lcofip_i, env_tlb_inval_i, dec_pc_i, dec_mode_i, trk_dispatched_i, trk_issued_i,
      trk_completed_i, trk_oldest_i, trk_retired_i, trk_trapped_i, trk_flushed_i, trk_flush_why_i,
      trk_flush_pc_i, trk_itype_i, trk_mispred_i, trk_itmiss_i, trk_icmiss_i, trk_l1miss_i, trk_llmiss_i,
      trk_l1tlbmiss_i, trk_lltlbmiss_i, trk_dsrc_i, trk_ev_i, trk_vaddr_i, trk_paddr_i, trk_target_i,
      ret_valid_i, ret_pc_i, ret_mode_i, ret_next_pc_i, ret_flush_pc_i, ret_flushed_i, ret_uebret_i,
      ebb_ack_i, rec_ready_i, rec_done_i, xlat_done_i, xlat_fault_i, xlat_paddr_i, events,
      chosen, full, ends, comb_on, ram_request, stop, count_read, count_upper, mode, user};
endmodule

`default_nettype wire
