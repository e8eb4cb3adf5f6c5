# SPDX-License-Identifier: Apache-2.0
# Sources of boards beside the SoC. Primitives of FPGA vendors are here only.
list(APPEND TALLY_BOARD_SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/tally_board_soc.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_board_ram.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_board_reset.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_uart_line.v)

# Lattice ECP5
list(APPEND TALLY_BOARD_SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/tally_ecp5_pll.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_ulx3s.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_orangecrab.v)

# Xilinx 7 series
list(APPEND TALLY_BOARD_SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/tally_xilinx7_pll.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_arty.v)

# Lattice iCE40: the PMU without a hart
list(APPEND TALLY_BOARD_SOURCES
    ${CMAKE_CURRENT_LIST_DIR}/tally_player.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_icebreaker.v
    ${CMAKE_CURRENT_LIST_DIR}/tally_hx8k.v)
