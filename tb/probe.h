// SPDX-License-Identifier: Apache-2.0
/* Signals of the RTL that the harness reads: X(field of the C structure, signal). */
#ifndef TALLY_PROBE_H
#define TALLY_PROBE_H

#include "tally_spec.h"

/* struct sim_probe, struct oracle_in, struct track_in <- tally_hart with event-based branches */
#if SOC_EBB
#define PROBE_EBB(X) X(ebb, u_commit__DOT__probe_ebb)
#else
#define PROBE_EBB(X)
#endif

/* struct sim_probe <- tally_hart */
#define PROBE_HART(X)                                                                                        \
    X(retire, u_commit__DOT__probe_retire)                                                                   \
    X(trap, u_commit__DOT__probe_trap)                                                                       \
    X(rd_we, u_commit__DOT__probe_rd_we)                                                                     \
    X(sc_fail, u_commit__DOT__probe_sc_fail)                                                                 \
    X(csr_changed, u_commit__DOT__probe_csr_changed)                                                         \
    X(priv, u_commit__DOT__probe_priv)                                                                       \
    X(rd, u_commit__DOT__probe_rd)                                                                           \
    X(mem_op, u_commit__DOT__probe_mem_op)                                                                   \
    X(mem_size, u_commit__DOT__probe_mem_size)                                                               \
    X(insn, u_commit__DOT__probe_insn)                                                                       \
    X(mip, u_csr__DOT__probe_mip)                                                                            \
    X(pc, u_commit__DOT__probe_pc)                                                                           \
    X(next_pc, u_commit__DOT__probe_next_pc)                                                                 \
    X(rd_val, u_commit__DOT__probe_rd_val)                                                                   \
    X(mem_vaddr, u_commit__DOT__u_scoreboard__DOT__probe_mem_vaddr)                                          \
    X(mem_paddr, u_commit__DOT__u_scoreboard__DOT__probe_mem_paddr)                                          \
    X(mem_wdata, u_issue__DOT__probe_mem_wdata)                                                              \
    X(cause, u_csr__DOT__probe_cause)                                                                        \
    X(epc, u_commit__DOT__probe_epc)                                                                         \
    X(tval, u_commit__DOT__probe_tval)                                                                       \
    PROBE_EBB(X)

/* struct oracle_in <- tally_hart, in every cycle */
#define PROBE_FLOW(X)                                                                                        \
    X(exception, u_commit__DOT__probe_exception)                                                             \
    X(interrupt, u_commit__DOT__probe_interrupt)                                                             \
    X(rob_empty, u_commit__DOT__probe_rob_empty)                                                             \
    X(flush, u_commit__DOT__probe_flush)                                                                     \
    X(held, u_commit__DOT__probe_halted)                                                                     \
    X(redirect, u_commit__DOT__probe_redirect)                                                               \
    X(resolve, u_adapter__DOT__probe_resolve)                                                                \
    X(resolve_pc, u_adapter__DOT__probe_resolve_pc)                                                          \
    X(dispatch, u_commit__DOT__probe_dispatch)                                                               \
    X(issue, u_adapter__DOT__probe_issue)                                                                    \
    X(i_line, u_hartbus__DOT__probe_i_line)                                                                  \
    X(d_line, u_hartbus__DOT__probe_d_line)                                                                  \
    X(read, u_hartbus__DOT__probe_bus_read)                                                                  \
    X(write, u_hartbus__DOT__probe_bus_write)                                                                \
    X(translated, u_csr__DOT__probe_translated)                                                              \
    X(sample, u_adapter__DOT__probe_sample)                                                                  \
    X(dispatch_tag, u_commit__DOT__probe_dispatch_tag)                                                       \
    X(head_tag, u_commit__DOT__probe_head_tag)                                                               \
    X(access_done, u_commit__DOT__probe_lc_valid)                                                            \
    X(access_tag, u_commit__DOT__probe_lc_tag)                                                               \
    X(dispatch_says, u_commit__DOT__probe_dispatch_miss)                                                     \
    X(access_says, u_commit__DOT__probe_lc_miss)                                                             \
    X(memory_says, u_adapter__DOT__probe_evm)                                                                \
    X(front_end_says, u_adapter__DOT__probe_evf)                                                             \
    PROBE_EBB(X)

/* struct track_in <- tally_hart, in every cycle */
#define PROBE_TRACK(X)                                                                                       \
    X(tagged, u_adapter__DOT__probe_sample)                                                                  \
    X(insn, u_commit__DOT__probe_d_insn)                                                                     \
    X(refused, u_commit__DOT__probe_d_exc)                                                                   \
    X(fetch_missed, u_commit__DOT__probe_d_icmiss)                                                           \
    X(fetch_walked, u_commit__DOT__probe_d_itmiss)                                                           \
    X(dispatch, u_commit__DOT__probe_dispatch)                                                               \
    X(dispatch_tag, u_commit__DOT__probe_dispatch_tag)                                                       \
    X(issue, u_adapter__DOT__probe_issue)                                                                    \
    X(done, u_commit__DOT__u_scoreboard__DOT__probe_done)                                                    \
    X(redirect, u_commit__DOT__probe_redirect)                                                               \
    X(ex_pc, u_adapter__DOT__probe_resolve_pc)                                                               \
    X(ex_next_pc, u_commit__DOT__probe_ex_next_pc)                                                           \
    X(access, u_lsu__DOT__u_pipeline__DOT__probe_access)                                                     \
    X(access_tag, u_lsu__DOT__u_pipeline__DOT__probe_tag)                                                    \
    X(access_address, u_lsu__DOT__u_pipeline__DOT__probe_va)                                                 \
    X(translates, u_lsu__DOT__u_pipeline__DOT__probe_sv39)                                                   \
    X(tlb_hit, u_lsu__DOT__u_pipeline__DOT__probe_hit)                                                       \
    X(tlb_page, u_lsu__DOT__u_pipeline__DOT__probe_ppn)                                                      \
    X(walk, u_lsu__DOT__probe_walk)                                                                          \
    X(walk_tag, u_lsu__DOT__probe_walk_tag)                                                                  \
    X(walk_missed, u_lsu__DOT__probe_walk_missed)                                                            \
    X(single, u_lsu__DOT__probe_single)                                                                      \
    X(ended, u_commit__DOT__probe_lc_valid)                                                                  \
    X(ended_tag, u_commit__DOT__probe_lc_tag)                                                                \
    X(ended_missed, u_lsu__DOT__probe_lc_missed)                                                             \
    X(ended_hit, u_lsu__DOT__probe_lc_hit)                                                                   \
    X(ended_forwarded, u_commit__DOT__probe_lc_fwd)                                                          \
    X(ended_failed, u_commit__DOT__probe_lc_exc)                                                             \
    X(exception, u_commit__DOT__probe_exception)                                                             \
    X(interrupt, u_commit__DOT__probe_interrupt)                                                             \
    X(flush, u_commit__DOT__probe_flush)                                                                     \
    X(held, u_commit__DOT__probe_halted)                                                                     \
    PROBE_EBB(X)

/* struct crosses_in <- tally_hart */
#define PROBE_CROSSES(X)                                                                                     \
    X(redirect, u_commit__DOT__probe_redirect)                                                               \
    X(dispatch, u_commit__DOT__probe_dispatch)                                                               \
    X(dispatch_exc, u_commit__DOT__probe_d_exc)                                                              \
    X(dispatch_cause, u_commit__DOT__probe_d_cause)                                                          \
    X(head_tag, u_commit__DOT__probe_head_tag)                                                               \
    X(head_unit, u_commit__DOT__probe_head_unit)                                                             \
    X(head_op, u_commit__DOT__probe_head_op)                                                                 \
    X(head_sys, u_commit__DOT__probe_sys)                                                                    \
    X(head_done, u_commit__DOT__probe_head_done)                                                             \
    X(rob_used, u_commit__DOT__u_scoreboard__DOT__probe_used)                                                \
    X(device_read, u_lsu__DOT__u_load_queue__DOT__probe_device)                                              \
    X(ex_done, u_commit__DOT__probe_ex_done)                                                                 \
    X(ex_branch, u_adapter__DOT__probe_ex_branch)                                                            \
    X(md_done, u_adapter__DOT__probe_md_done)                                                                \
    X(divides, u_muldiv__DOT__probe_divides)                                                                 \
    X(multiplies, u_muldiv__DOT__probe_multiplies)                                                           \
    X(lc_valid, u_commit__DOT__probe_lc_valid)                                                               \
    X(lc_exc, u_commit__DOT__probe_lc_exc)                                                                   \
    X(lc_fwd, u_commit__DOT__probe_lc_fwd)                                                                   \
    X(lc_tag, u_commit__DOT__probe_lc_tag)                                                                   \
    X(lc_cause, u_commit__DOT__probe_lc_cause)                                                               \
    X(misses, u_lsu__DOT__probe_misses)                                                                      \
    X(waits, u_lsu__DOT__u_load_queue__DOT__probe_waits)                                                     \
    X(walks, u_adapter__DOT__probe_walks)                                                                    \
    X(fetch_waits, u_frontend__DOT__u_icache__DOT__busy_q)                                                   \
    X(load, u_lsu__DOT__probe_load)                                                                          \
    X(lc_load, u_lsu__DOT__probe_lc_load)                                                                    \
    X(load_size, u_lsu__DOT__probe_size)                                                                     \
    X(load_paddr, u_lsu__DOT__probe_paddr)                                                                   \
    X(oldest_store, u_lsu__DOT__u_stq__DOT__head_at_q)                                                       \
    X(stores, u_lsu__DOT__u_stq__DOT__valid_q)                                                               \
    X(retired_stores, u_lsu__DOT__u_stq__DOT__retired_q)

/* Arrays of the store queue: X(field, signal) */
#define PROBE_CROSSES_STORES(X)                                                                              \
    X(store_word, u_lsu__DOT__u_stq__DOT__word_q)                                                            \
    X(store_bytes, u_lsu__DOT__u_stq__DOT__strb_q)

/* CSR number <- tally_csr */
#define PROBE_CSR(X)                                                                                         \
    X(TALLY_CSR_MSTATUS, probe_mstatus)                                                                      \
    X(TALLY_CSR_MTVEC, probe_mtvec)                                                                          \
    X(TALLY_CSR_MEPC, probe_mepc)                                                                            \
    X(TALLY_CSR_MCAUSE, probe_mcause)                                                                        \
    X(TALLY_CSR_MTVAL, probe_mtval)                                                                          \
    X(TALLY_CSR_MSCRATCH, probe_mscratch)                                                                    \
    X(TALLY_CSR_MEDELEG, probe_medeleg)                                                                      \
    X(TALLY_CSR_MIDELEG, probe_mideleg)                                                                      \
    X(TALLY_CSR_MIE, probe_mie)                                                                              \
    X(TALLY_CSR_MIP, probe_mip)                                                                              \
    X(TALLY_CSR_SATP, probe_satp)                                                                            \
    X(TALLY_CSR_STVEC, probe_stvec)                                                                          \
    X(TALLY_CSR_SEPC, probe_sepc)                                                                            \
    X(TALLY_CSR_SCAUSE, probe_scause)                                                                        \
    X(TALLY_CSR_STVAL, probe_stval)                                                                          \
    X(TALLY_CSR_SSCRATCH, probe_sscratch)                                                                    \
    X(TALLY_CSR_MENVCFG, probe_menvcfg)                                                                      \
    X(TALLY_CSR_MSTATEEN0, probe_mstateen0)                                                                  \
    X(TALLY_CSR_SSTATEEN0, probe_sstateen0)                                                                  \
    X(TALLY_CSR_STIMECMP, probe_stimecmp)                                                                    \
    X(TALLY_CSR_MSECCFG, probe_mseccfg)                                                                      \
    X(TALLY_CSR_PMPCFG0, probe_pmpcfg0)                                                                      \
    X(TALLY_CSR_PMPADDR0 + 0, probe_pmpaddr0)                                                                \
    X(TALLY_CSR_PMPADDR0 + 1, probe_pmpaddr1)                                                                \
    X(TALLY_CSR_PMPADDR0 + 2, probe_pmpaddr2)                                                                \
    X(TALLY_CSR_PMPADDR0 + 3, probe_pmpaddr3)                                                                \
    X(TALLY_CSR_PMPADDR0 + 4, probe_pmpaddr4)                                                                \
    X(TALLY_CSR_PMPADDR0 + 5, probe_pmpaddr5)                                                                \
    X(TALLY_CSR_PMPADDR0 + 6, probe_pmpaddr6)                                                                \
    X(TALLY_CSR_PMPADDR0 + 7, probe_pmpaddr7)

/* struct gp_in <- ports of tally_pmu. ev_cycle may be a wide signal and is copied separately */
#define PROBE_PMU_IN(X)                                                                                      \
    X(csr.valid, csr_valid_i)                                                                                \
    X(csr.num, csr_num_i)                                                                                    \
    X(csr.op, csr_op_i)                                                                                      \
    X(csr.wdata, csr_wdata_i)                                                                                \
    X(csr.priv, csr_priv_i)                                                                                  \
    X(csr.v, csr_v_i)                                                                                        \
    X(env.cde, env_cde_i)                                                                                    \
    X(env.pdiss, env_pdiss_i)                                                                                \
    X(env.pdisv, env_pdisv_i)                                                                                \
    X(env.mstateen0, env_mstateen0_i)                                                                        \
    X(env.hstateen0, env_hstateen0_i)                                                                        \
    X(env.sstateen0, env_sstateen0_i)                                                                        \
    X(env.hcounteren, env_hcounteren_i)                                                                      \
    X(env.lcofip, env_lcofip_i)                                                                              \
    X(env.time, env_time_i)                                                                                  \
    X(env.htimedelta, env_htimedelta_i)                                                                      \
    X(env.tlb_inval, env_tlb_inval_i)                                                                        \
    X(mode.priv, mode_priv_i)                                                                                \
    X(mode.v, mode_v_i)                                                                                      \
    X(mode.stopcount, mode_stopcount_i)                                                                      \
    X(mode.debug, mode_debug_i)                                                                              \
    X(mode.halted, mode_halted_i)                                                                            \
    X(ev_retire[0], ev_retire_i)                                                                             \
    X(decode[0].valid, dec_valid_i)                                                                          \
    X(decode[0].pc, dec_pc_i)                                                                                \
    X(decode[0].type, dec_type_i)                                                                            \
    X(decode[0].mode, dec_mode_i)                                                                            \
    X(track.dispatched, trk_dispatched_i)                                                                    \
    X(track.issued, trk_issued_i)                                                                            \
    X(track.completed, trk_completed_i)                                                                      \
    X(track.oldest, trk_oldest_i)                                                                            \
    X(track.retired, trk_retired_i)                                                                          \
    X(track.trapped, trk_trapped_i)                                                                          \
    X(track.flushed, trk_flushed_i)                                                                          \
    X(track.flush_why, trk_flush_why_i)                                                                      \
    X(track.flush_pc, trk_flush_pc_i)                                                                        \
    X(track.itype, trk_itype_i)                                                                              \
    X(track.mispred, trk_mispred_i)                                                                          \
    X(track.itmiss, trk_itmiss_i)                                                                            \
    X(track.icmiss, trk_icmiss_i)                                                                            \
    X(track.l1miss, trk_l1miss_i)                                                                            \
    X(track.llmiss, trk_llmiss_i)                                                                            \
    X(track.l1tlbmiss, trk_l1tlbmiss_i)                                                                      \
    X(track.lltlbmiss, trk_lltlbmiss_i)                                                                      \
    X(track.dsrc, trk_dsrc_i)                                                                                \
    X(track.ev, trk_ev_i)                                                                                    \
    X(track.vaddr, trk_vaddr_i)                                                                              \
    X(track.paddr, trk_paddr_i)                                                                              \
    X(track.target, trk_target_i)                                                                            \
    X(retire[0].valid, ret_valid_i)                                                                          \
    X(retire[0].pc, ret_pc_i)                                                                                \
    X(retire[0].mode, ret_mode_i)                                                                            \
    X(ret_next_pc, ret_next_pc_i)                                                                            \
    X(ret_flush_pc, ret_flush_pc_i)                                                                          \
    X(ret_flushed, ret_flushed_i)                                                                            \
    X(ret_uebret, ret_uebret_i)                                                                              \
    X(ret_uebret_ge, ret_uebret_ge_i)                                                                        \
    X(ebb_ack, ebb_ack_i)                                                                                    \
    X(rec_ready, rec_ready_i)                                                                                \
    X(rec_done, rec_done_i)                                                                                  \
    X(xlat_done, xlat_done_i)                                                                                \
    X(xlat_fault, xlat_fault_i)                                                                              \
    X(xlat_paddr, xlat_paddr_i)

/* struct gp_out <- ports of tally_pmu: X(field, signal, valid only if); `waits`: an access may have to wait
 */
#define PROBE_PMU_OUT(X)                                                                                     \
    X(csr_hit, csr_hit_o, in->csr.valid)                                                                     \
    X(csr_illegal, csr_illegal_o, in->csr.valid && out->csr_hit)                                             \
    X(csr_virtual, csr_virtual_o, in->csr.valid && out->csr_hit)                                             \
    X(csr_rdata, csr_rdata_o, in->csr.valid && out->csr_hit && !out->csr_illegal && !out->csr_virtual)       \
    X(dec_sample, dec_sample_o, true)                                                                        \
    X(csr_tm, csr_tm_o, true)                                                                                \
    X(ret_max, ret_max_o, !waits) /* 0 while an access waits */                                              \
    X(irq_lcofi, irq_lcofi_o, true)                                                                          \
    X(irq_lambi, irq_lambi_o, true)                                                                          \
    X(irq_andes, irq_andes_o, true)                                                                          \
    X(ebb_req, ebb_req_o, true)                                                                              \
    X(ebb_target, ebb_target_o, out->ebb_req)                                                                \
    X(ebb_return, ebb_return_o, true)                                                                        \
    X(uebret_illegal, uebret_illegal_o, true)                                                                \
    X(uebret_virtual, uebret_virtual_o, true)                                                                \
    X(rec_valid, rec_valid_o, true)                                                                          \
    X(rec_addr, rec_addr_o, out->rec_valid)                                                                  \
    X(rec_data, rec_data_o, out->rec_valid)                                                                  \
    X(xlat_req, xlat_req_o, true)                                                                            \
    X(xlat_mode, xlat_mode_o, out->xlat_req)                                                                 \
    X(xlat_vaddr, xlat_vaddr_o, out->xlat_req)

#endif
