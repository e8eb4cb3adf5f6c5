# SPDX-License-Identifier: Apache-2.0
# The hart and its core
list(APPEND TALLY_HART_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_hart.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_adapter.v
  ${CMAKE_CURRENT_LIST_DIR}/fetch/tally_rvc.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_decode.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_dispatch.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_regfile.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_issue.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_operands.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_execute.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_multiply.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_divide.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_muldiv.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_result_bus.v
  ${CMAKE_CURRENT_LIST_DIR}/execute/tally_redirect.v
  ${CMAKE_CURRENT_LIST_DIR}/commit/tally_commit.v
  ${CMAKE_CURRENT_LIST_DIR}/commit/tally_scoreboard.v
  ${CMAKE_CURRENT_LIST_DIR}/commit/tally_rob_entry.v
  ${CMAKE_CURRENT_LIST_DIR}/commit/tally_system.v
  ${CMAKE_CURRENT_LIST_DIR}/commit/tally_csr.v
  ${CMAKE_CURRENT_LIST_DIR}/commit/tally_trap.v
  ${CMAKE_CURRENT_LIST_DIR}/commit/tally_interrupts.v
  ${CMAKE_CURRENT_LIST_DIR}/commit/tally_pmp_registers.v
  ${CMAKE_CURRENT_LIST_DIR}/commit/tally_track.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_hartbus.v
)

# Load/store unit
list(APPEND TALLY_HART_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_pmp.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_dtlb.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_load_value.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_l2tlb.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_walker.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_stq.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_dcache_way.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_dcache.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_pma.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_load_queue.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_lsu_replay.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_lsu_nonspec.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_lsu_bus.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_lsu_pipeline.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_lsu_completion.v
  ${CMAKE_CURRENT_LIST_DIR}/memory/tally_lsu.v
)

# Front end
list(APPEND TALLY_HART_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/fetch/tally_icache_way.v
  ${CMAKE_CURRENT_LIST_DIR}/fetch/tally_icache.v
  ${CMAKE_CURRENT_LIST_DIR}/fetch/tally_itlb.v
  ${CMAKE_CURRENT_LIST_DIR}/fetch/tally_bpred.v
  ${CMAKE_CURRENT_LIST_DIR}/fetch/tally_fetchq.v
  ${CMAKE_CURRENT_LIST_DIR}/fetch/tally_transfer.v
  ${CMAKE_CURRENT_LIST_DIR}/fetch/tally_fetch_pmp.v
  ${CMAKE_CURRENT_LIST_DIR}/fetch/tally_frontend.v
)
