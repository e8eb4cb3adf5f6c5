// SPDX-License-Identifier: Apache-2.0
// tally_pmu_check - parameters of tally_pmu that are out of range, or that exclude each other.
//
// Each rule that is broken instantiates a module that does not exist, so that elaboration stops in every tool
// with the rule in the module's name. No logic.

`include "tally_spec.vh"

`default_nettype none

module tally_pmu_check #(
    parameter XLEN          = 64,
    parameter RETIRE_W      = 1,
    parameter DECODE_W      = 1,
    parameter HPM_N         = 29,
    parameter HPM_W         = 64,
    parameter EVC_W         = 1,
    parameter EVR_N         = `TALLY_EVR_N,
    parameter EVC_N         = `TALLY_EVC_N,
    parameter SSCOFPMF      = 1,
    parameter SMCNTRPMF     = 1,
    parameter SMCSRIND      = 1,
    parameter SMCDELEG      = 1,
    parameter SMSTATEEN     = 1,
    parameter HYP           = 0,
    parameter ANDES         = 0,
    parameter ANDES_SILICON = 0,
    parameter ANDES_SWRITE  = 1,
    parameter SWEVENT       = 1,
    parameter SMALL_EVENTS  = 0,
    parameter COMB_N        = 0,
    parameter PCRANGE       = 0,
    parameter SSPESA        = 0,
    parameter SPESA_NEXT    = 0,
    parameter SMPDIS        = 0,
    parameter PDIS_MEM      = 2,
    parameter PDIS_ACC      = 2,
    parameter PDIS_QUEUE    = 4,
    parameter EBB           = 0,
    parameter CSR_PIPELINE  = 0,
    parameter COUNTER_RAM   = 0
);
  generate
    // ---- ranges
    if (XLEN != 32 && XLEN != 64) begin : g_xlen
      tally_pmu_error_XLEN_is_32_or_64 u_error ();
    end
    if (RETIRE_W < 1 || RETIRE_W > 8) begin : g_retire_w
      tally_pmu_error_RETIRE_W_is_1_to_8 u_error ();
    end
    if (DECODE_W < 1 || DECODE_W > 8) begin : g_decode_w
      tally_pmu_error_DECODE_W_is_1_to_8 u_error ();
    end
    if (HPM_N < 0 || HPM_N > 29) begin : g_hpm_n
      tally_pmu_error_HPM_N_is_0_to_29 u_error ();
    end
    if (HPM_W < 1 || HPM_W > 64) begin : g_hpm_w
      tally_pmu_error_HPM_W_is_1_to_64 u_error ();
    end
    if (EVC_W < 1 || EVC_W > 8) begin : g_evc_w
      tally_pmu_error_EVC_W_is_1_to_8 u_error ();
    end
    if (EVR_N != `TALLY_EVR_N) begin : g_evr_n
      tally_pmu_error_EVR_N_is_not_to_be_set u_error ();
    end
    if (EVC_N != `TALLY_EVC_N) begin : g_evc_n
      tally_pmu_error_EVC_N_is_not_to_be_set u_error ();
    end
    if (COMB_N < 0 || COMB_N > 29) begin : g_comb_n
      tally_pmu_error_COMB_N_is_0_to_29 u_error ();
    end
    if (PDIS_MEM < 0 || PDIS_MEM > 2) begin : g_pdis_mem
      tally_pmu_error_PDIS_MEM_is_0_1_or_2 u_error ();
    end
    if (PDIS_ACC < 0 || PDIS_ACC > 2) begin : g_pdis_acc
      tally_pmu_error_PDIS_ACC_is_0_1_or_2 u_error ();
    end
    if (PDIS_QUEUE != 2 && PDIS_QUEUE != 4 && PDIS_QUEUE != 8 && PDIS_QUEUE != 16) begin : g_pdis_queue
      tally_pmu_error_PDIS_QUEUE_is_2_4_8_or_16 u_error ();
    end

    // ---- switches
    if (SSCOFPMF != 0 && SSCOFPMF != 1) begin : g_sscofpmf
      tally_pmu_error_SSCOFPMF_is_0_or_1 u_error ();
    end
    if (SMCNTRPMF != 0 && SMCNTRPMF != 1) begin : g_smcntrpmf
      tally_pmu_error_SMCNTRPMF_is_0_or_1 u_error ();
    end
    if (SMCSRIND != 0 && SMCSRIND != 1) begin : g_smcsrind
      tally_pmu_error_SMCSRIND_is_0_or_1 u_error ();
    end
    if (SMCDELEG != 0 && SMCDELEG != 1) begin : g_smcdeleg
      tally_pmu_error_SMCDELEG_is_0_or_1 u_error ();
    end
    if (SMSTATEEN != 0 && SMSTATEEN != 1) begin : g_smstateen
      tally_pmu_error_SMSTATEEN_is_0_or_1 u_error ();
    end
    if (HYP != 0 && HYP != 1) begin : g_hyp
      tally_pmu_error_HYP_is_0_or_1 u_error ();
    end
    if (ANDES != 0 && ANDES != 1) begin : g_andes
      tally_pmu_error_ANDES_is_0_or_1 u_error ();
    end
    if (ANDES_SILICON != 0 && ANDES_SILICON != 1) begin : g_andes_silicon
      tally_pmu_error_ANDES_SILICON_is_0_or_1 u_error ();
    end
    if (ANDES_SWRITE != 0 && ANDES_SWRITE != 1) begin : g_andes_swrite
      tally_pmu_error_ANDES_SWRITE_is_0_or_1 u_error ();
    end
    if (SMALL_EVENTS != 0 && SMALL_EVENTS != 1) begin : g_small_events
      tally_pmu_error_SMALL_EVENTS_is_0_or_1 u_error ();
    end
    if (SWEVENT != 0 && SWEVENT != 1) begin : g_swevent
      tally_pmu_error_SWEVENT_is_0_or_1 u_error ();
    end
    if (PCRANGE != 0 && PCRANGE != 1) begin : g_pcrange
      tally_pmu_error_PCRANGE_is_0_or_1 u_error ();
    end
    if (SSPESA != 0 && SSPESA != 1) begin : g_sspesa
      tally_pmu_error_SSPESA_is_0_or_1 u_error ();
    end
    if (SPESA_NEXT != 0 && SPESA_NEXT != 1) begin : g_spesa_next
      tally_pmu_error_SPESA_NEXT_is_0_or_1 u_error ();
    end
    if (SMPDIS != 0 && SMPDIS != 1) begin : g_smpdis
      tally_pmu_error_SMPDIS_is_0_or_1 u_error ();
    end
    if (EBB != 0 && EBB != 1) begin : g_ebb
      tally_pmu_error_EBB_is_0_or_1 u_error ();
    end
    if (CSR_PIPELINE != 0 && CSR_PIPELINE != 1) begin : g_csr_pipeline
      tally_pmu_error_CSR_PIPELINE_is_0_or_1 u_error ();
    end
    if (COUNTER_RAM != 0 && COUNTER_RAM != 1) begin : g_counter_ram
      tally_pmu_error_COUNTER_RAM_is_0_or_1 u_error ();
    end

    // ---- extensions that need others
    if (SMCDELEG != 0 && SMCSRIND == 0) begin : g_smcdeleg_smcsrind
      tally_pmu_error_SMCDELEG_needs_SMCSRIND u_error ();
    end
    if (SSPESA != 0 && SSCOFPMF == 0) begin : g_sspesa_sscofpmf
      tally_pmu_error_SSPESA_needs_SSCOFPMF u_error ();
    end
    if (SMPDIS != 0 && SSCOFPMF == 0) begin : g_smpdis_sscofpmf
      tally_pmu_error_SMPDIS_needs_SSCOFPMF u_error ();
    end
    if (SMPDIS != 0 && SMCSRIND == 0) begin : g_smpdis_smcsrind
      tally_pmu_error_SMPDIS_needs_SMCSRIND u_error ();
    end
    if (SMALL_EVENTS != 0 && COMB_N != 0) begin : g_small_events_comb_n
      tally_pmu_error_SMALL_EVENTS_excludes_COMB_N u_error ();
    end
    if (EBB != 0 && SSCOFPMF == 0) begin : g_ebb_sscofpmf
      tally_pmu_error_EBB_needs_SSCOFPMF u_error ();
    end
    if (EBB != 0 && SMCDELEG == 0) begin : g_ebb_smcdeleg
      tally_pmu_error_EBB_needs_SMCDELEG u_error ();
    end
  endgenerate
endmodule

`default_nettype wire
