# SPDX-License-Identifier: Apache-2.0
# Cells: what is said to a mapper, each once. rtl/prim/sim and rtl/prim/ecp5 hold the same modules in the form that one
# tool wants (cmake/Rtl.cmake).
set(TALLY_PRIM_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_any.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_any8.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_bit.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_late.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_onehot.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_pick16.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_pick4.v
)
