# The lists of Verilog sources: rtl/<room>/files.cmake, and nowhere else. Each appends its files to
# TALLY_PMU_SOURCES, TALLY_HART_SOURCES, TALLY_SOC_SOURCES, TALLY_BOARD_SOURCES. For tools outside CMake the same lists are written to
# <build>/generated/<room>.f, each with what its room needs from the rooms below.

foreach(room PMU HART SOC BOARD)
  set(TALLY_${room}_SOURCES)
  string(TOLOWER ${room} folder)
  include(${CMAKE_SOURCE_DIR}/rtl/${folder}/files.cmake OPTIONAL)
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${CMAKE_SOURCE_DIR}/rtl/${folder}/files.cmake)
endforeach()
list(APPEND TALLY_HART_SOURCES ${TALLY_PMU_SOURCES})
list(APPEND TALLY_SOC_SOURCES ${TALLY_HART_SOURCES})
list(APPEND TALLY_BOARD_SOURCES ${TALLY_SOC_SOURCES})

# Where `include finds its files.
set(TALLY_RTL_INCLUDES ${TALLY_GENERATED_DIR} ${CMAKE_SOURCE_DIR}/rtl/pmu ${CMAKE_SOURCE_DIR}/rtl/hart
  ${CMAKE_SOURCE_DIR}/rtl/soc)

foreach(room PMU HART SOC BOARD)
  string(TOLOWER ${room} folder)
  list(JOIN TALLY_${room}_SOURCES "\n" text)
  file(CONFIGURE OUTPUT ${TALLY_GENERATED_DIR}/${folder}.f CONTENT "${text}\n" @ONLY)
endforeach()
list(JOIN TALLY_RTL_INCLUDES "\n" text)
file(CONFIGURE OUTPUT ${TALLY_GENERATED_DIR}/includes.f CONTENT "${text}\n" @ONLY)
