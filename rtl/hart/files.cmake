# The hart and its core
list(APPEND TALLY_HART_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_hart.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_rvc.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_decode.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_dispatch.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_regfile.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_issue.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_execute.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_resolve.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_muldiv.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_proceeds.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_commit.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_retired.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_csr.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_track.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_hartbus.v
)

# Memory room
list(APPEND TALLY_HART_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmp.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_dtlb.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_l2tlb.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_walker.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_stq.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_dcache_way.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_dcache.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_memory.v
)

# Front end
list(APPEND TALLY_HART_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_fe_ram.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_same.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_icache_way.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_icache.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_itlb.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_taken.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_bpred.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_fetch_on.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_fetchq.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_frontend.v
)
