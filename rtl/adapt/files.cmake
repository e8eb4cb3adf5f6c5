# SPDX-License-Identifier: Apache-2.0
# Sockets for harts by others
list(APPEND TALLY_ADAPT_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_rvfi.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_rvfi_check.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_rvfi_decode.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_bus.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_bus_axil.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_bus_wb.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_bus_apb.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_records.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_records_axil.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_records_wb.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_records_apb.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_pmu_lite.v
)
