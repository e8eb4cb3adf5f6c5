# Memory room
list(APPEND TALLY_HART_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmp.v
)

# Front end
list(APPEND TALLY_HART_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_fe_ram.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_icache_way.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_icache.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_itlb.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_bpred.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_fetchq.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_frontend.v
)
