# SPDX-License-Identifier: Apache-2.0
# Sources of the machine around the harts; the harts' and the PMU's lists are in their own folders.
list(APPEND TALLY_SOC_SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/tally_soc.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_bus.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_amo.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_aclint.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_plic.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_uart.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_finisher.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_bootrom.v)
