# SPDX-License-Identifier: Apache-2.0
# The lists of Verilog sources: rtl/<part>/files.cmake, and nowhere else. Each appends its files to TALLY_PMU_SOURCES,
# TALLY_ADAPT_SOURCES, TALLY_HART_SOURCES, TALLY_SOC_SOURCES, TALLY_BOARD_SOURCES: the form that hardware is made of, which proofs and mutants
# read. The lists with SIM in their names (TALLY_PMU_SIM_SOURCES...) are what simulators are made of: a module that has a
# file in rtl/prim/sim is taken from there. For tools outside CMake the same lists are written to
# <build>/generated/<part>.f and <part>_sim.f, each with what its part needs from the parts below.

foreach(part PRIM PMU ADAPT HART SOC BOARD)
  set(TALLY_${part}_SOURCES)
  string(TOLOWER ${part} folder)
  include(${CMAKE_SOURCE_DIR}/rtl/${folder}/files.cmake OPTIONAL)
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${CMAKE_SOURCE_DIR}/rtl/${folder}/files.cmake)
endforeach()
list(APPEND TALLY_PMU_SOURCES ${TALLY_PRIM_SOURCES})
list(APPEND TALLY_ADAPT_SOURCES ${TALLY_PMU_SOURCES})
list(APPEND TALLY_HART_SOURCES ${TALLY_PMU_SOURCES})
list(APPEND TALLY_SOC_SOURCES ${TALLY_HART_SOURCES})
list(APPEND TALLY_BOARD_SOURCES ${TALLY_SOC_SOURCES})

# The folders of the overlays: files of the same module names, in the form that a tool wants.
set(TALLY_SIM_FORMS ${CMAKE_SOURCE_DIR}/rtl/prim/sim)
set(TALLY_ECP5_FORMS ${CMAKE_SOURCE_DIR}/rtl/prim/ecp5)

# tally_overlay(OUT FOLDER files...): the files, those that FOLDER has too taken from there.
function(tally_overlay OUT FOLDER)
  file(GLOB forms CONFIGURE_DEPENDS ${FOLDER}/*.v)
  set(result)
  foreach(file ${ARGN})
    get_filename_component(name ${file} NAME)
    if(${FOLDER}/${name} IN_LIST forms)
      set(file ${FOLDER}/${name})
    endif()
    list(APPEND result ${file})
  endforeach()
  set(${OUT} ${result} PARENT_SCOPE)
endfunction()

# tally_module_files(OUT module...): where the modules are, by name without "tally_".
function(tally_module_files OUT)
  set(result)
  foreach(module ${ARGN})
    set(files ${TALLY_BOARD_SOURCES})
    list(FILTER files INCLUDE REGEX "/tally_${module}\\.v$")
    list(LENGTH files count)
    if(NOT count EQUAL 1)
      message(FATAL_ERROR "tally_module_files: ${count} files of tally_${module}")
    endif()
    list(APPEND result ${files})
  endforeach()
  set(${OUT} ${result} PARENT_SCOPE)
endfunction()

# Where `include finds its files.
set(TALLY_RTL_INCLUDES ${TALLY_GENERATED_DIR} ${CMAKE_SOURCE_DIR}/rtl/pmu ${CMAKE_SOURCE_DIR}/rtl/prim
  ${CMAKE_SOURCE_DIR}/rtl/hart ${CMAKE_SOURCE_DIR}/rtl/soc)

foreach(part PMU ADAPT HART SOC BOARD)
  tally_overlay(TALLY_${part}_SIM_SOURCES ${TALLY_SIM_FORMS} ${TALLY_${part}_SOURCES})
  string(TOLOWER ${part} folder)
  foreach(form "" _sim)
    string(TOUPPER "${form}" FORM)
    list(JOIN TALLY_${part}${FORM}_SOURCES "\n" text)
    file(CONFIGURE OUTPUT ${TALLY_GENERATED_DIR}/${folder}${form}.f CONTENT "${text}\n" @ONLY)
  endforeach()
endforeach()
list(JOIN TALLY_RTL_INCLUDES "\n" text)
file(CONFIGURE OUTPUT ${TALLY_GENERATED_DIR}/includes.f CONTENT "${text}\n" @ONLY)
