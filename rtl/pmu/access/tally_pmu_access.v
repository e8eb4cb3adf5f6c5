// SPDX-License-Identifier: Apache-2.0
// tally_pmu_access - CSR accesses to the unit.
//
// tally_pmu_access_rights decodes the number and decides whether the access is allowed,
// tally_pmu_access_data reads and writes. The answer is that of the access in this cycle; with CSR_PIPELINE
// it is decoded in one cycle and answered in the next (decoded_o), and meanwhile ready_o is 0.
//
// Sections: docs/integration.md, csr; those of the two modules.

`include "tally_spec.vh"
`include "tally_idle.vh"

`default_nettype none

module tally_pmu_access #(
    parameter XLEN  = 64,
    parameter HPM_N = 29,
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
    parameter [0:0] SMALL_EVENTS  = 1'b0,
    parameter [0:0] PCRANGE       = 1'b0,
    parameter [0:0] SSPESA        = 1'b0,
    parameter [0:0] SMPDIS        = 1'b0,
    parameter       PDIS_MEM      = 2,
    parameter [0:0] EBB           = 1'b0,
    parameter [0:0] CSR_PIPELINE  = 1'b0,
    parameter [0:0] COUNTER_RAM   = 1'b0
) (
    input  wire                    clk,
    input  wire                    rst,

    // the hart
    input  wire                    csr_valid_i,
    input  wire [11:0]             csr_num_i,
    input  wire [1:0]              csr_op_i,
    input  wire [XLEN-1:0]         csr_wdata_i,
    input  wire [1:0]              csr_priv_i,
    input  wire                    csr_v_i,
    output wire                    csr_hit_o,
    output wire                    csr_illegal_o,
    output wire                    csr_virtual_o,
    output wire [XLEN-1:0]         csr_rdata_o,
    output wire                    ready_o,         // no access, or one that can be performed
    input  wire                    env_cde_i,
    input  wire                    mstateen_csrind_i,
    input  wire                    hstateen_csrind_i,
    input  wire                    mstateen_c_i,
    input  wire                    hstateen_c_i,
    input  wire                    mstateen_pdis_i,
    input  wire                    hstateen_pdis_i,
    input  wire [31:0]             env_hcounteren_i,
    input  wire [63:0]             env_time_i,
    input  wire [63:0]             env_htimedelta_i,

    // counting: which counter
    output wire [4:0]              index_o,
    output wire [31:0]             hot_o,           // CSR_PIPELINE: the same, one-hot
    output wire                    decoded_o,       // the access of this cycle is answered in it
    output wire                    held_o,          // CSR_PIPELINE: an access to the unit was decoded
    // CSR_PIPELINE: the counter of the next cycle: that of siselect or uebbsel, or this one
    output wire                    next_window_o,
    output wire [4:0]              next_counter_o,
    output wire [4:0]              next_index_o,    // ... one or the other
    output wire [4:0]              window_index_o,  // the counter of siselect or uebbsel
    input  wire                    count_ready_i,   // COUNTER_RAM: its registers can be read and written

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

    // event-based branches (tally_pmu_ebb)
    input  wire                    ebb_s_open_i,
    input  wire                    ebb_u_open_i,
    input  wire                    ebb_window_open_i,
    input  wire [4:0]              ebb_select_i,
    input  wire                    ebb_selected_i,
    output wire [3:0]              ebb_index_o,
    input  wire [XLEN-1:0]         ebb_word_i,
    output wire                    ebb_we_o,
    output wire                    ebb_clear_o
);

`include "tally_pmu_access.vh"

  // ---- decoding and rights
  wire [11:0]         siselect, vsiselect;
  wire [ACCESS_W-1:0] offered, access;
  tally_pmu_access_rights #(
      .XLEN(XLEN), .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .SMCSRIND(SMCSRIND),
      .SMCDELEG(SMCDELEG), .SMSTATEEN(SMSTATEEN), .HYP(HYP), .ANDES(ANDES), .ANDES_SWRITE(ANDES_SWRITE),
      .SWEVENT(SWEVENT), .PCRANGE(PCRANGE), .SSPESA(SSPESA), .SMPDIS(SMPDIS), .PDIS_MEM(PDIS_MEM),
      .EBB(EBB), .CSR_PIPELINE(CSR_PIPELINE), .ACCESS_WIDTH(ACCESS_W)
  ) u_rights (
      .num_i(csr_num_i),
      .op_i(csr_op_i),
      .priv_i(csr_priv_i),
      .v_i(csr_v_i),
      .env_cde_i(env_cde_i),
      .mstateen_csrind_i(mstateen_csrind_i),
      .hstateen_csrind_i(hstateen_csrind_i),
      .mstateen_c_i(mstateen_c_i),
      .hstateen_c_i(hstateen_c_i),
      .mstateen_pdis_i(mstateen_pdis_i),
      .hstateen_pdis_i(hstateen_pdis_i),
      .env_hcounteren_i(env_hcounteren_i),
      .siselect_i(siselect),
      .vsiselect_i(vsiselect),
      .mcounteren_i(mcounteren_i),
      .scounteren_i(scounteren_i),
      .wen_i(wen_i),
      .uebbsel_i(ebb_select_i),
      .ebb_s_open_i(ebb_s_open_i),
      .ebb_u_open_i(ebb_u_open_i),
      .ebb_window_open_i(ebb_window_open_i),
      .ebb_selected_i(ebb_selected_i),
      .in_window_o(next_window_o),
      .window_index_o(window_index_o),
      .counter_o(next_counter_o),
      .access_o(offered)
  );
  assign next_index_o = offered[4:0];

  // ---- the access that is answered
  wire [1:0]       op;
  wire             hit, granted, refused, high, upper, raise, clears, clears_word, by_clear;
  wire             mmsc, enabled, own;
  wire             window, overflow;
  wire             guest, write, writable, has_count, has_event, has_filter;
  wire             sample, machine_view, guest_view, inhibit_bit, overflow_bit, limited, by_enable;
  wire [3:0]       sample_word, sample_part;
  wire             ebb;
  wire [WORDS-1:0] word, read, change;
  wire [4:0]       index;
  assign `TALLY_PMU_ACCESS = access;
  generate
    if (CSR_PIPELINE) begin : g_pipelined
      reg [ACCESS_W-1:0] access_q;
      reg [31:0]         hot_q;
      reg [11:0]         num_q;
      reg [1:0]          op_q, priv_q;
      reg                v_q;
      wire [31:0]        hot_number, hot_window;
      // A write may change rights: the next access is decoded anew. Registers of sampling give none.
      wire               we = csr_valid_i & granted & write & (~sample | ebb);
      tally_decoder u_number (
          .sel_i(next_counter_o), .hot_i(32'd0), .en_i(1'b1), .all_i(1'b0), .out_o(hot_number)
      );
      tally_decoder u_window (
          .sel_i(window_index_o), .hot_i(32'd0), .en_i(1'b1), .all_i(1'b0), .out_o(hot_window)
      );
      always @(posedge clk) begin
        num_q    <= csr_num_i & {12{~rst & ~we}};   // 0 is no access
        op_q     <= csr_op_i;
        priv_q   <= csr_priv_i;
        v_q      <= csr_v_i;
        // Behind the number 0 nothing reads the decoding but ACCESS_HIT, which an access clears when it ends.
        if (`TALLY_ACTIVE(csr_num_i != 12'd0 | hit | rst)) begin
          access_q <= offered & ~(ACCESS_HIT & {ACCESS_W{rst | we}});
          hot_q    <= next_window_o ? hot_window : hot_number;
        end
      end
`ifdef FORMAL
      // The registers equal the decoding of this cycle. Assumed of the host: its registers that give rights
      // do not change during an access.
      wire [41:0]         env = {ebb_s_open_i, ebb_u_open_i, ebb_window_open_i, mstateen_pdis_i,
                                 hstateen_pdis_i, env_cde_i, mstateen_csrind_i, hstateen_csrind_i,
                                 mstateen_c_i, hstateen_c_i, env_hcounteren_i};
      reg  [41:0]         env_q;
      reg                 selected_q;
      wire [ACCESS_W-1:0] again;
      always @(posedge clk) {selected_q, env_q} <= {ebb_selected_i, env};
      tally_pmu_access_rights #(
          .XLEN(XLEN), .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF), .SMCNTRPMF(SMCNTRPMF), .SMCSRIND(SMCSRIND),
          .SMCDELEG(SMCDELEG), .SMSTATEEN(SMSTATEEN), .HYP(HYP), .ANDES(ANDES), .ANDES_SWRITE(ANDES_SWRITE),
          .SWEVENT(SWEVENT), .PCRANGE(PCRANGE), .SSPESA(SSPESA), .SMPDIS(SMPDIS), .PDIS_MEM(PDIS_MEM),
          .EBB(EBB), .CSR_PIPELINE(CSR_PIPELINE), .ACCESS_WIDTH(ACCESS_W)
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
          .mstateen_pdis_i(env_q[38]),
          .hstateen_pdis_i(env_q[37]),
          .env_hcounteren_i(env_q[31:0]),
          .siselect_i(siselect),
          .vsiselect_i(vsiselect),
          .mcounteren_i(mcounteren_i),
          .scounteren_i(scounteren_i),
          .wen_i(wen_i),
          .uebbsel_i(ebb_select_i),
          .ebb_s_open_i(env_q[41]),
          .ebb_u_open_i(env_q[40]),
          .ebb_window_open_i(env_q[39]),
          .ebb_selected_i(selected_q),
          .in_window_o(),
          .window_index_o(),
          .counter_o(),
          .access_o(again)
      );
      always @* if (!rst) begin
        if (decoded_o & csr_num_i != 12'd0) assume (env == env_q);
        access_is_access: assert (num_q == 12'd0 ? !hit : access_q == again);
        selected_stays:   assert (num_q == 12'd0 | env != env_q | selected_q == ebb_selected_i);
        hot_is_index:     assert (!hit || hot_q == 32'd1 << index);
      end
`endif
      assign access    = access_q;
      assign hot_o     = hot_q;
      assign decoded_o = {num_q, op_q, priv_q, v_q} == {csr_num_i, csr_op_i, csr_priv_i, csr_v_i};
      assign op        = op_q;
    end else begin : g_direct
      assign access    = offered;
      assign hot_o     = 32'd0;
      assign decoded_o = 1'b1;
      assign op        = csr_op_i;
    end
  endgenerate
  assign index_o = index;
  assign held_o  = hit;

  // ---- the answer. With CSR_PIPELINE it may be that of the cycle before: then csr_valid_i is 0.
  wire answered = hit & decoded_o;
  assign csr_hit_o     = answered;
  assign csr_virtual_o = answered & refused;
  assign csr_illegal_o = answered & ~granted & ~refused;
  assign ready_o       = count_ready_i & (decoded_o | csr_num_i == 12'd0);   // 0 is no access

  // ---- data
  tally_pmu_access_data #(
      .XLEN(XLEN), .HPM_N(HPM_N), .SSCOFPMF(SSCOFPMF), .HYP(HYP), .ANDES(ANDES),
      .ANDES_SILICON(ANDES_SILICON), .PCRANGE(PCRANGE), .CSR_PIPELINE(CSR_PIPELINE),
      .COUNTER_RAM(COUNTER_RAM), .SMALL_EVENTS(SMALL_EVENTS), .SMPDIS(SMPDIS), .EBB(EBB),
      .ACCESS_WIDTH(ACCESS_W)
  ) u_data (
      .clk(clk), .rst(rst), .csr_valid_i(csr_valid_i), .csr_wdata_i(csr_wdata_i), .csr_rdata_o(csr_rdata_o),
      .access_i(access), .answered_i(decoded_o), .op_i(op), .hot_i(hot_o),
      .env_hcounteren_i(env_hcounteren_i), .env_time_i(env_time_i), .env_htimedelta_i(env_htimedelta_i),
      .siselect_o(siselect), .vsiselect_o(vsiselect), .count_access_o(count_access_o), .count_i(count_i),
      .count_we_o(count_we_o), .count_new_o(count_new_o), .event_now_i(event_now_i),
      .comb_now_i(comb_now_i), .filter_i(filter_i), .event_we_o(event_we_o), .event_new_o(event_new_o),
      .comb_new_o(comb_new_o), .filter_new_o(filter_new_o), .flag_we_o(flag_we_o), .flag_new_o(flag_new_o),
      .flag_clear_o(flag_clear_o), .software_o(software_o), .pc_low_i(pc_low_i), .pc_high_i(pc_high_i),
      .pc_range_i(pc_range_i), .pc_low_we_o(pc_low_we_o), .pc_high_we_o(pc_high_we_o),
      .pc_range_we_o(pc_range_we_o), .pc_bound_o(pc_bound_o), .mcounteren_i(mcounteren_i),
      .scounteren_i(scounteren_i),
      .inhibit_i(inhibit_i), .wen_i(wen_i), .inten_i(inten_i), .flags_i(flags_i), .minh_i(minh_i),
      .sinh_i(sinh_i), .uinh_i(uinh_i), .mcounteren_we_o(mcounteren_we_o),
      .scounteren_we_o(scounteren_we_o), .inhibit_we_o(inhibit_we_o), .wen_we_o(wen_we_o),
      .inten_we_o(inten_we_o), .minh_we_o(minh_we_o), .sinh_we_o(sinh_we_o), .uinh_we_o(uinh_we_o),
      .vector_o(vector_o), .vector_mask_o(vector_mask_o), .flags_clear_o(flags_clear_o),
      .pesa_pc_i(pesa_pc_i), .pesa_cntrid_i(pesa_cntrid_i), .pdis_inhibit_i(pdis_inhibit_i),
      .pdisctl_i(pdisctl_i), .pdis_vmodes_i(pdis_vmodes_i), .pdiscounter_i(pdiscounter_i),
      .evmask_i(evmask_i), .evmatch_i(evmatch_i), .pdisfilter_i(pdisfilter_i), .ambcs_i(ambcs_i),
      .ambaddr_i(ambaddr_i), .data_index_o(data_index_o), .data_word_i(data_word_i),
      .pesa_pc_we_o(pesa_pc_we_o), .pesa_data_we_o(pesa_data_we_o), .pdis_inhibit_we_o(pdis_inhibit_we_o),
      .pdis_inhibit_new_o(pdis_inhibit_new_o), .pdisctl_we_o(pdisctl_we_o),
      .pdisctl_machine_o(pdisctl_machine_o), .pdisctl_guest_o(pdisctl_guest_o),
      .pdiscount_we_o(pdiscount_we_o), .pdisinit_we_o(pdisinit_we_o), .evmask_we_o(evmask_we_o),
      .evmatch_we_o(evmatch_we_o), .pdisfilter_we_o(pdisfilter_we_o), .ambcs_we_o(ambcs_we_o),
      .ambaddr_we_o(ambaddr_we_o), .data_we_o(data_we_o), .sample_wdata_o(sample_wdata_o),
      .sample_wmask_o(sample_wmask_o), .ebb_index_o(ebb_index_o), .ebb_word_i(ebb_word_i),
      .ebb_we_o(ebb_we_o), .ebb_clear_o(ebb_clear_o)
  );

  wire unused_ok = &{1'b0, clk, rst, high, upper, raise, clears, clears_word, by_clear, mmsc, enabled, own,
      window, overflow, guest, write, writable, has_count, has_event, has_filter, sample, ebb, machine_view,
      guest_view, inhibit_bit, overflow_bit, limited, by_enable, sample_word, sample_part, word, read,
      change};
endmodule

`default_nettype wire
