# SPDX-License-Identifier: Apache-2.0
# Netlists of tally_pmu for iCE40 and ECP5, with Yosys' models of the cells, under the same random traffic against the
# same golden model. The first configuration is the unit of the small
# boards.
find_file(TALLY_ICE40_CELLS ice40/cells_sim.v PATHS /usr/share/yosys /usr/local/share/yosys REQUIRED)
find_file(TALLY_ECP5_CELLS ecp5/cells_sim.v PATHS /usr/share/yosys /usr/local/share/yosys REQUIRED)
list(JOIN TALLY_PMU_SOURCES " " pmu_sources)
list(TRANSFORM TALLY_RTL_INCLUDES PREPEND -I OUTPUT_VARIABLE pmu_includes)
list(JOIN pmu_includes " " pmu_includes)

# iCE40
function(pmu_netlist NAME CYCLES)
  list(TRANSFORM ARGN REPLACE "(.*)=(.*)" "-set \\1 \\2" OUTPUT_VARIABLE sets)
  list(JOIN sets " " sets)
  set(netlist ${CMAKE_CURRENT_BINARY_DIR}/netlist_${NAME}.v)
  # Every net becomes a wire of its own: the simulator would see loops through vectors that are none.
  file(CONFIGURE OUTPUT ${netlist}.ys @ONLY CONTENT "read_verilog @pmu_includes@ @pmu_sources@
chparam @sets@ tally_pmu
synth_ice40 -abc9 -top tally_pmu -run :check
blackbox =A:whitebox
setattr -mod -unset keep_hierarchy *
flatten
opt_clean -purge
splitnets
opt_clean -purge
write_verilog -noattr @netlist@
")
  add_custom_command(OUTPUT ${netlist} COMMAND yosys -q -s ${netlist}.ys COMMENT "Synthesizing ${netlist}"
    DEPENDS ${netlist}.ys ${TALLY_PMU_SOURCES} ${TALLY_GENERATED_FILES} tally_spec_files VERBATIM)
  pmu_netlist_tests(${NAME} ${CYCLES} ${TALLY_ICE40_CELLS} ${ARGN})
endfunction()

# ECP5, by the steps of scripts/fpga.py: the family's forms of modules, its mapper, carry cells without constants. No
# PDIS_QUEUE that becomes block RAM: Yosys has no model of that.
function(pmu_netlist_ecp5 NAME CYCLES)
  set(netlist ${CMAKE_CURRENT_BINARY_DIR}/netlist_${NAME}.v)
  set(scripts ${CMAKE_CURRENT_SOURCE_DIR}/netlist_ecp5.py ${CMAKE_SOURCE_DIR}/scripts/fpga.py
    ${CMAKE_SOURCE_DIR}/scripts/carries.py)
  file(GLOB forms CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/prim/ecp5/*.v)
  add_custom_command(OUTPUT ${netlist}
    COMMAND ${TALLY_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/netlist_ecp5.py ${CMAKE_BINARY_DIR} ${netlist} ${ARGN}
    COMMENT "Synthesizing ${netlist}"
    DEPENDS ${scripts} ${forms} ${TALLY_PMU_SOURCES} ${TALLY_GENERATED_FILES} tally_spec_files VERBATIM)
  pmu_netlist_tests(${NAME} ${CYCLES} ${TALLY_ECP5_CELLS} ${ARGN})
endfunction()

# Bench and tests of a netlist: of CELLS, the file of their models
function(pmu_netlist_tests NAME CYCLES CELLS)
  set(netlist ${CMAKE_CURRENT_BINARY_DIR}/netlist_${NAME}.v)
  get_filename_component(models ${CELLS} DIRECTORY)
  pmu_parameters(params ${ARGN})
  list(TRANSFORM params PREPEND PMU_ OUTPUT_VARIABLE defines)
  tally_verilated(pmu_netlist_${NAME} TOP tally_pmu SOURCES ${CELLS} ${netlist}
    ARGS -I${models} -Wno-lint -Wno-style DEFINES NO_ICE40_DEFAULT_ASSIGNMENTS)
  set(bench pmu_netlist_bench_${NAME})
  add_executable(${bench} EXCLUDE_FROM_ALL lockstep.cpp) # synthesis takes a minute: built on demand
  target_compile_definitions(${bench} PRIVATE ${defines} PMU_NAME="netlist of ${NAME}")
  target_link_libraries(${bench} pmu_netlist_${NAME} pmu_bench tally_host)
  add_test(NAME pmu_netlist_${NAME}_build COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target ${bench})
  # --no-cover: coverage is measured on the sources (configurations.txt), in longer runs. Every difference
  # still fails.
  add_test(NAME pmu_netlist_${NAME} COMMAND ${bench} --cycles ${CYCLES} --no-cover)
  set_tests_properties(pmu_netlist_${NAME}_build PROPERTIES LABELS ci TIMEOUT 1800 FIXTURES_SETUP netlist_${NAME}
    RESOURCE_LOCK pmu_build)
  set_tests_properties(pmu_netlist_${NAME} PROPERTIES LABELS ci TIMEOUT 1800 FIXTURES_REQUIRED netlist_${NAME})
endfunction()

pmu_netlist(board 1000000 HPM_N=4 SMCSRIND=0 SMCDELEG=0 SMSTATEEN=0 SWEVENT=0 SSPESA=1)
pmu_netlist_ecp5(ecp5 1000000 HPM_N=4 SMCSRIND=0 SMCDELEG=0 SMSTATEEN=0 SWEVENT=0 SSPESA=1)
pmu_netlist(ram 1000000 HPM_N=6 COUNTER_RAM=1 CSR_PIPELINE=1)
pmu_netlist(sampling 300000 HPM_N=4 CSR_PIPELINE=1 SSPESA=1 SMPDIS=1 PDIS_QUEUE=2)
# Synthesis of this one takes minutes.
set_tests_properties(pmu_netlist_sampling pmu_netlist_sampling_build PROPERTIES LABELS long)
