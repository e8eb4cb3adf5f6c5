# Memory room
list(APPEND TALLY_HART_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmp.v
)
