// SPDX-License-Identifier: Apache-2.0
// sampling_access - access to the registers of precise sampling (Sspesa, Smpdis/Sspdis, Ssamb): rights,
// values read, effects of writes. The whole unit with free inputs.
//
// Table for table as the event sampling draft and docs/rulings.md have them; every mode, every state, every
// number. With CSR_PIPELINE an answer is valid when the access does not wait any more.
//
// Assumed of the host: reset first; implemented modes only; with CSR_PIPELINE an access is performed when it
// does not wait, number 0 is none, and the inputs that give rights do not change during an access
// (docs/integration.md).

`include "tally_spec.vh"

`default_nettype none

module sampling_access #(
    parameter XLEN     = 64,
    parameter PDIS_MEM = 2,
    parameter [0:0] SMSTATEEN = 1,
    parameter [0:0] SMCDELEG  = 1,
    parameter [0:0] HYP       = 1,
    parameter [0:0] CSR_PIPELINE    = 0
) (
    input wire            clk,
    input wire            rst,
    input wire            csr_valid,
    input wire [11:0]     csr_num,
    input wire [1:0]      csr_op,
    input wire [XLEN-1:0] csr_wdata,
    input wire [1:0]      csr_priv,
    input wire            csr_v,
    input wire            env_cde,
    input wire [63:0]     env_mstateen0, env_hstateen0,
    input wire [31:0]     env_hcounteren,
    input wire            dec_valid,
    input wire [2:0]      dec_type, dec_mode,
    input wire            retired, ret_valid,
    // the rest of the host
    input wire            env_pdiss, env_pdisv, env_lcofip, env_tlb_inval, mode_v,
    input wire            mode_stopcount, mode_halted,
    input wire [63:0]     env_time, env_htimedelta, trk_paddr,
    input wire [1:0]      mode_priv, trk_flush_why,
    input wire [`TALLY_EVR_N-1:0] ev_retire, trk_ev,
    input wire [`TALLY_EVC_N-1:0] ev_cycle,
    input wire [XLEN-1:0] dec_pc, trk_flush_pc, trk_vaddr, trk_target, ret_pc, ret_next_pc, ret_flush_pc,
    input wire            dispatched, issued, completed, oldest, trapped, flushed, mispred, ret_flushed,
    input wire [5:0]      misses,
    input wire [3:0]      trk_itype, trk_dsrc,
    input wire [2:0]      ret_mode,
    input wire            rec_ready, rec_done, xlat_done, xlat_fault,
    input wire [55:0]     xlat_paddr
);
  localparam RV32 = XLEN == 32;
  wire            hit, illegal, virt;
  wire [XLEN-1:0] rdata;
  wire [3:0]      ret_max;
  tally_pmu #(
      .XLEN(XLEN), .HPM_N(1), .HYP(HYP), .SMSTATEEN(SMSTATEEN), .SMCDELEG(SMCDELEG), .SSPESA(1), .SMPDIS(1),
      .PDIS_MEM(PDIS_MEM), .PDIS_QUEUE(2), .CSR_PIPELINE(CSR_PIPELINE)
  ) dut (
      .clk(clk), .rst(rst), .csr_valid_i(csr_valid), .csr_num_i(csr_num), .csr_op_i(csr_op),
      .csr_wdata_i(csr_wdata), .csr_priv_i(csr_priv), .csr_v_i(csr_v), .csr_hit_o(hit),
      .csr_illegal_o(illegal), .csr_virtual_o(virt), .csr_rdata_o(rdata), .ret_max_o(ret_max),
      .env_cde_i(env_cde),
      .env_mstateen0_i(env_mstateen0), .env_hstateen0_i(env_hstateen0), .env_hcounteren_i(env_hcounteren),
      .dec_valid_i(dec_valid), .dec_type_i(dec_type), .dec_mode_i(dec_mode), .trk_retired_i(retired),
      .ret_valid_i(ret_valid), .rec_ready_i(rec_ready), .rec_done_i(rec_done), .xlat_done_i(xlat_done),
      .xlat_fault_i(xlat_fault), .xlat_paddr_i(xlat_paddr), .env_pdiss_i(env_pdiss), .env_pdisv_i(env_pdisv),
      .env_lcofip_i(env_lcofip), .env_time_i(env_time),
      .env_htimedelta_i(env_htimedelta), .env_tlb_inval_i(env_tlb_inval), .mode_priv_i(mode_priv),
      .mode_v_i(mode_v), .mode_stopcount_i(mode_stopcount), .mode_halted_i(mode_halted),
      .ev_retire_i(ev_retire),
      .ev_cycle_i(ev_cycle), .dec_pc_i(dec_pc), .trk_dispatched_i(dispatched), .trk_issued_i(issued),
      .trk_completed_i(completed), .trk_oldest_i(oldest), .trk_trapped_i(trapped), .trk_flushed_i(flushed),
      .trk_flush_why_i(trk_flush_why), .trk_flush_pc_i(trk_flush_pc), .trk_itype_i(trk_itype),
      .trk_mispred_i(mispred), .trk_itmiss_i(misses[0]), .trk_icmiss_i(misses[1]), .trk_l1miss_i(misses[2]),
      .trk_llmiss_i(misses[3]), .trk_l1tlbmiss_i(misses[4]), .trk_lltlbmiss_i(misses[5]),
      .trk_dsrc_i(trk_dsrc), .trk_ev_i(trk_ev), .trk_vaddr_i(trk_vaddr), .trk_paddr_i(trk_paddr),
      .trk_target_i(trk_target), .ret_pc_i(ret_pc), .ret_mode_i(ret_mode), .ret_next_pc_i(ret_next_pc),
      .ret_flush_pc_i(ret_flush_pc), .ret_flushed_i(ret_flushed), .ret_uebret_i(1'b0),
      .env_sstateen0_i(32'd0), .mode_debug_i(1'b0), .ret_uebret_ge_i(1'b0), .ebb_ack_i(1'b0)
  );
  (* hierconn *) wire [4:0] \dut.u_counting.u_select.formal_index ;
  (* hierconn *) wire [4:0] \dut.u_counting.g_plain.u_counters.formal_index ;
  (* anyconst *) wire [4:0] i;
  assign \dut.u_counting.u_select.formal_index = i;
  assign \dut.u_counting.g_plain.u_counters.formal_index = i;
  (* hierconn *) wire [11:0] \dut.u_access.u_data.siselect_q , \dut.u_access.u_data.vsiselect_q ;
  (* hierconn *) wire [63:0] \dut.pdisctl , \dut.pdiscounter , \dut.ambcs ;
  (* hierconn *) wire [1:0]  \dut.pdis_vmodes ;
  (* hierconn *) wire [55:0] \dut.evmask , \dut.evmatch ;
  (* hierconn *) wire [15:0] \dut.pdisfilter ;
  (* hierconn *) wire [XLEN-1:0] \dut.ambaddr , \dut.pesa_pc ;
  (* hierconn *) wire [4:0]  \dut.pesa_cntrid ;
  (* hierconn *) wire        \dut.pdis_inhibit ;
  (* hierconn *) wire        \dut.pesa_pc_we , \dut.pesa_data_we , \dut.pdisctl_we , \dut.pdiscount_we ;
  (* hierconn *) wire        \dut.pdisinit_we , \dut.evmask_we , \dut.evmatch_we , \dut.pdisfilter_we ;
  (* hierconn *) wire        \dut.ambcs_we , \dut.ambaddr_we , \dut.data_we , \dut.pdis_inhibit_we ;

  reg up = 1'b0;
  always @(posedge clk) up <= up | rst;
  wire on = up & ~rst;
  always @* begin
    if (!up) assume (rst);
    assume (csr_priv != 2'd2);
    if (!HYP || csr_priv == 2'd3) assume (!csr_v);
  end
  wire ready   = !CSR_PIPELINE || ret_max != 4'd0 && csr_num != 12'd0;
  wire answers = on & ready;
  wire [160:0] rights = {env_cde, env_mstateen0, env_hstateen0, env_hcounteren};
  reg  [160:0] rights_q;
  always @(posedge clk) rights_q <= rights;
  always @* begin
    if (!ready) assume (!csr_valid);
    if (CSR_PIPELINE && ready) assume (rights == rights_q);
  end

  wire m  = csr_priv == 2'd3;
  wire s  = csr_priv == 2'd1 & ~csr_v, u  = csr_priv == 2'd0 & ~csr_v;
  wire vs = csr_priv == 2'd1 & csr_v,  vu = csr_priv == 2'd0 & csr_v;
  wire cde    = SMCDELEG & env_cde;
  wire csrind  = !SMSTATEEN || env_mstateen0[`TALLY_MSTATEEN0_CSRIND_LSB];
  wire hcsrind = !SMSTATEEN || env_hstateen0[`TALLY_MSTATEEN0_CSRIND_LSB];
  wire pdis    = !SMSTATEEN || env_mstateen0[`TALLY_MSTATEEN0_PDIS_LSB];
  wire hpdis   = !SMSTATEEN || env_hstateen0[`TALLY_MSTATEEN0_PDIS_LSB];
  localparam [1:0] NONE = 2'd0, OK = 2'd1, ILLEGAL = 2'd2, VIRTUAL = 2'd3;
  wire [1:0] answer = ~hit ? NONE : illegal ? ILLEGAL : virt ? VIRTUAL : OK;
  wire       ok     = answer == OK;
  wire       write  = csr_valid & ok & on & csr_op != 2'd0;

  wire mctl  = csr_num == `TALLY_CSR_MPDISCTL,  mctlh  = csr_num == `TALLY_CSR_MPDISCTLH;
  wire sctl  = csr_num == `TALLY_CSR_SPDISCTL,  sctlh  = csr_num == `TALLY_CSR_SPDISCTLH;
  wire vsctl = csr_num == `TALLY_CSR_VSPDISCTL, vsctlh = csr_num == `TALLY_CSR_VSPDISCTLH;
  wire count = csr_num == `TALLY_CSR_SPDISCOUNTER, counth = csr_num == `TALLY_CSR_SPDISCOUNTERH;
  wire mask  = csr_num == `TALLY_CSR_SPDISEVMASK,  maskh  = csr_num == `TALLY_CSR_SPDISEVMASKH;
  wire match = csr_num == `TALLY_CSR_SPDISEVMATCH, matchh = csr_num == `TALLY_CSR_SPDISEVMATCHH;
  wire filt  = csr_num == `TALLY_CSR_SPDISFILTER;
  wire cs    = csr_num == `TALLY_CSR_SPDISAMBCS,   csh    = csr_num == `TALLY_CSR_SPDISAMBCSH;
  wire addr  = csr_num == `TALLY_CSR_SPDISAMBADDR;
  wire spc   = csr_num == `TALLY_CSR_SHPMSPC, sdata = csr_num == `TALLY_CSR_SHPMSDATA;
  wire amb    = cs | csh | addr;
  wire halves = mctlh | sctlh | vsctlh | counth | maskh | matchh | csh;
  wire spdis  = sctl | sctlh | count | counth | mask | maskh | match | matchh | filt | amb;
  wire sireg  = csr_num == `TALLY_CSR_SIREG | csr_num == `TALLY_CSR_SIREG2 | csr_num == `TALLY_CSR_SIREG3
              | csr_num == `TALLY_CSR_SIREG4 | csr_num == `TALLY_CSR_SIREG5 | csr_num == `TALLY_CSR_SIREG6;
  wire vsireg = csr_num == `TALLY_CSR_VSIREG | csr_num == `TALLY_CSR_VSIREG2 | csr_num == `TALLY_CSR_VSIREG3
              | csr_num == `TALLY_CSR_VSIREG4 | csr_num == `TALLY_CSR_VSIREG5 | csr_num == `TALLY_CSR_VSIREG6;
  wire [11:0] select = csr_v | vsireg ? \dut.u_access.u_data.vsiselect_q : \dut.u_access.u_data.siselect_q ;
  wire sampled = select == `TALLY_RECORD_SELECT | select == `TALLY_RECORD_SELECT + 12'd1;

  // "For RV32, bits 63:32 can be accessed via the ...h CSR": on RV64 there is no such number. "spdisambcs,
  // spdisambaddr: implemented only if mpdisctl.MEM is not hardcoded to 0" (event sampling draft, CSRs)
  wire absent = halves & !RV32 | amb & PDIS_MEM == 0 | (vsctl | vsctlh) & !HYP;
  prop_holds absent_registers (.when_i(answers & absent), .holds_i(answer == NONE));

  // Machine CSR: M-mode only (event sampling draft, mpdisctl)
  prop_holds mpdisctl_access (.when_i(answers & (mctl | mctlh) & ~absent),
      .holds_i(answer == (m ? OK : ILLEGAL)));

  // "When mstateen0.PDIS=0 and the privilege mode is less privileged than M-mode, attempts to access spdis*
  // or vspdisctl raise an illegal-instruction exception. When mstateen0.PDIS=1 and hstateen0.PDIS=0,
  // VS-mode accesses raise a virtual-instruction exception" (event sampling draft, State Enable Access
  // Control); U and VU as for every supervisor CSR (privileged manual, CSR Address Mapping Conventions)
  prop_holds spdis_access (.when_i(answers & spdis & ~absent),
      .holds_i(answer == (m ? OK : ~pdis ? ILLEGAL : u ? ILLEGAL : vu | vs & ~hpdis ? VIRTUAL : OK)));
  prop_holds vspdisctl_access (.when_i(answers & (vsctl | vsctlh) & ~absent),
      .holds_i(answer == (m ? OK : ~pdis ? ILLEGAL : u ? ILLEGAL : csr_v ? VIRTUAL : OK)));

  // "When supervisor counter delegation is disabled, attempts to access shpmspc from S-mode raise an illegal
  // instruction exception. From VS-mode: virtual instruction when delegation is enabled, illegal when
  // disabled" (event sampling draft, shpmspc); "Access to shpmsdata matches that of shpmspc"
  prop_holds shpmspc_access (.when_i(answers & (spc | sdata)),
      .holds_i(answer == (m ? OK : ~cde | u ? ILLEGAL : csr_v ? VIRTUAL : OK)));

  // The windows at 0x60 and 0x61: Sscsrind's rules in their order, then PDIS'; with MEM hardcoded
  // to 1 "the PDIS Sample Data registers are not implemented" (event sampling draft)
  wire slots = PDIS_MEM != 1;
  prop_holds sample_window (.when_i(answers & sireg & sampled & slots),
      .holds_i(answer == (m ? OK : ~csrind | u ? ILLEGAL : vu ? VIRTUAL : vs & ~hcsrind ? VIRTUAL
                          : ~pdis ? ILLEGAL : vs & ~hpdis ? VIRTUAL : OK)));
  prop_holds sample_window_of_a_guest (.when_i(answers & vsireg & sampled & slots & HYP),
      .holds_i(answer == (m ? OK : ~csrind | u ? ILLEGAL : csr_v ? VIRTUAL : ~pdis ? ILLEGAL : OK)));
  prop_holds no_window_without_registers (.when_i(answers & (sireg | vsireg & HYP) & sampled & !slots & m),
      .holds_i(answer == ILLEGAL));

  // A refused access shows nothing and changes nothing.
  prop_holds refused_shows_nothing (.when_i(answers & ~ok), .holds_i(rdata == {XLEN{1'b0}}));
  wire [11:0] strobes = {\dut.pesa_pc_we , \dut.pesa_data_we , \dut.pdisctl_we , \dut.pdiscount_we ,
      \dut.pdisinit_we , \dut.evmask_we , \dut.evmatch_we , \dut.pdisfilter_we , \dut.ambcs_we ,
      \dut.ambaddr_we , \dut.data_we , \dut.pdis_inhibit_we };
  prop_holds refused_or_read_writes_nothing (.when_i(on & ~write), .holds_i(strobes == 12'd0));
  wire [11:0] named = {spc, sdata, mctl | mctlh | sctl | sctlh | vsctl | vsctlh, count,
      count & !RV32 | counth, mask | maskh, match | matchh, filt, cs | csh, addr, sireg | vsireg,
      csr_num == `TALLY_CSR_MCOUNTINHIBIT | csr_num == `TALLY_CSR_SCOUNTINHIBIT};
  prop_holds a_write_is_of_the_register_named (.when_i(on & |strobes), .holds_i((strobes & ~named) == 12'd0));

  wire high = halves;
  function [63:0] seen;
    input [63:0] value;
    seen = !RV32 ? value : high ? {32'd0, value[63:32]} : {32'd0, value[31:0]};
  endfunction
  wire [63:0] answer_data = {{64 - XLEN{1'b0}}, rdata};
  // "Bit 62 in spdisctl is read-only 0. All other mpdisctl fields are accessible through spdisctl";
  // "vspdisctl provides access to spdisctl from VS-mode, with the exception of PA, S, U" (event sampling
  // draft); PA of a guest reads 0 (docs/sampling.md)
  wire [63:0] all_modes = \dut.pdisctl , no_m = all_modes & ~(64'd1 << `TALLY_MPDISCTL_M_LSB);
  wire [63:0] of_guest  = no_m & ~(64'd1 << `TALLY_MPDISCTL_S_LSB | 64'd1 << `TALLY_MPDISCTL_U_LSB
                                  | 64'd1 << `TALLY_MPDISCTL_PA_LSB)
                        | {2'd0, \dut.pdis_vmodes , 60'd0};
  wire guest = vsctl | vsctlh | csr_v;
  prop_holds mpdisctl_view (.when_i(answers & ok & (mctl | mctlh)), .holds_i(answer_data == seen(all_modes)));
  prop_holds spdisctl_view (.when_i(answers & ok & (sctl | sctlh | vsctl | vsctlh)),
      .holds_i(answer_data == seen(guest ? of_guest : no_m)));
  prop_holds counter_view (.when_i(answers & ok & (count | counth)),
      .holds_i(answer_data == seen(\dut.pdiscounter )));
  prop_holds filters_view (.when_i(answers & ok & (mask | maskh | match | matchh | filt)),
      .holds_i(answer_data == seen(filt ? {48'd0, \dut.pdisfilter } :
                                   {8'd0, mask | maskh ? \dut.evmask : \dut.evmatch })));
  prop_holds buffer_view (.when_i(answers & ok & amb),
      .holds_i(answer_data == (addr ? {{64 - XLEN{1'b0}}, \dut.ambaddr } : seen(\dut.ambcs ))));
  prop_holds sspesa_view (.when_i(answers & ok & (spc | sdata)),
      .holds_i(answer_data == (spc ? {{64 - XLEN{1'b0}}, \dut.pesa_pc } : {59'd0, \dut.pesa_cntrid })));
  // "Bit 1 in scountovf reflects mpdisctl.OF"; "When PDIS is delegated from M-mode and CDE=1,
  // mcountinhibit[1] is accessible from scountinhibit[1]. Otherwise scountinhibit[1] is read-only 0" (event
  // sampling draft)
  prop_holds scountovf_bit_1 (.when_i(answers & ok & csr_num == `TALLY_CSR_SCOUNTOVF),
      .holds_i(rdata[1] == (all_modes[63] & (m | pdis & (~vs | hpdis)))));
  wire is_m_inhibit = csr_num == `TALLY_CSR_MCOUNTINHIBIT, is_s_inhibit = csr_num == `TALLY_CSR_SCOUNTINHIBIT;
  prop_holds countinhibit_bit_1 (.when_i(answers & ok & (is_m_inhibit | is_s_inhibit)),
      .holds_i(rdata[1] == (\dut.pdis_inhibit & (is_m_inhibit | pdis))));
  // Bit 1 of the counters' own vectors does not exist.
  (* hierconn *) wire [31:0] \dut.inhibit , \dut.flags ;
  prop_holds no_counter_1 (.when_i(up), .holds_i(!\dut.inhibit [1] && !\dut.flags [1]));
  wire bit_new = csr_op == 2'd1 ? csr_wdata[1] : csr_op == 2'd2;
  wire bit_set = csr_op == 2'd1 | csr_wdata[1];
  prop_becomes inhibit_write (.clk(clk), .when_i(on), .value_i(\dut.pdis_inhibit ),
      .then_i(write & (is_m_inhibit | is_s_inhibit & pdis) & bit_set ? bit_new : \dut.pdis_inhibit ));
  // "the M field in mpdisctl is not accessible through spdisctl"; a guest writes modes of its own (event
  // sampling draft)
  prop_becomes m_is_the_machine_s (.clk(clk), .when_i(on & ~(write & (mctl | mctlh))),
      .value_i(\dut.pdisctl [62]), .then_i(\dut.pdisctl [62]));
  prop_becomes #(.W(2)) guest_modes_are_the_guest_s (.clk(clk), .when_i(on & ~(write & guest)),
      .value_i(\dut.pdis_vmodes ), .then_i(\dut.pdis_vmodes ));
  wire [2:0] modes_and_pa = {\dut.pdisctl [61:60], \dut.pdisctl [`TALLY_MPDISCTL_PA_LSB]};
  prop_becomes #(.W(3)) a_guest_leaves_the_supervisor_s (.clk(clk), .when_i(write & guest),
      .value_i(modes_and_pa), .then_i(modes_and_pa));
  // Reserved encodings and fields that are not there read 0 (event sampling draft: WARL)
  prop_holds fields_that_exist (.when_i(up), .holds_i((\dut.pdisctl & 64'h0FFF_FFE0_0000_0000) == 64'd0
      && \dut.pdisctl [31:4] == 28'd0 && \dut.pdisctl [2:0] <= 3'd4 && \dut.pdisfilter [15:13] <= 3'd4
      && (HYP || \dut.pdis_vmodes == 2'd0)));
endmodule

`default_nettype wire
