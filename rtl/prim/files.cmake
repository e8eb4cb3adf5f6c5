# SPDX-License-Identifier: Apache-2.0
# Cells: each says one thing to a technology mapper, by a boundary that is kept. Most serve anybody; tally_csr_read,
# tally_branch_outcome and tally_term_lookup hold the logic of one user inside its boundary. rtl/prim/sim and
# rtl/prim/ecp5 hold modules of the same names in the form that one tool wants (cmake/Rtl.cmake).
set(TALLY_PRIM_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/tally_and_nand.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_and_not.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_and_or.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_and_or8.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_branch_outcome.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_clear.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_csr_read.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_csr_rmw.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_decoder.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_equal.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_increment.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_mux4.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_mux16.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_mux32.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_mux256.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_mux_chain.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_mux_gated.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_mux_word.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_or.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_or_gated.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_or_mux.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_ram_1r1w.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_select_first.v
  ${CMAKE_CURRENT_LIST_DIR}/tally_term_lookup.v
)
