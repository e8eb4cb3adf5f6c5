# tally_verilated(NAME TOP module SOURCES files...
#                 [PREFIX class] [TRACE] [SYSTEMC] [COVERAGE] [PARAMS P=1...] [DEFINES D...] [ARGS option...])
#
# Make the static library NAME out of Verilog: class V<module> or PREFIX, to be linked by whoever drives it. TRACE: FST waves.
# Sources of the project: TALLY_PMU_SOURCES, TALLY_HART_SOURCES, TALLY_SOC_SOURCES (each with the rooms below it).

option(TALLY_PROFILE "Keep the names of Verilog modules in the simulator, for scripts/bench.py --profile" OFF)

find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator /usr/local/share/verilator)

function(tally_verilated NAME)
  cmake_parse_arguments(V "TRACE;SYSTEMC;COVERAGE" "TOP;PREFIX" "SOURCES;PARAMS;DEFINES;ARGS" ${ARGN})
  if(V_UNPARSED_ARGUMENTS OR NOT V_TOP OR NOT V_SOURCES)
    message(FATAL_ERROR "tally_verilated(${NAME}): TOP and SOURCES are needed; not known: ${V_UNPARSED_ARGUMENTS}")
  endif()

  if(NOT V_PREFIX)
    set(V_PREFIX V${V_TOP})
  endif()

  set(args -O3 --x-assign fast --x-initial fast --noassert -Wall ${V_ARGS})
  if(TALLY_PROFILE)
    list(APPEND args --prof-cfuncs)
  endif()
  foreach(dir ${TALLY_RTL_INCLUDES})
    list(APPEND args -I${dir})
  endforeach()
  foreach(param ${V_PARAMS})
    list(APPEND args -G${param})
  endforeach()
  foreach(define ${V_DEFINES})
    list(APPEND args -D${define})
  endforeach()
  set(kinds)
  if(V_TRACE)
    list(APPEND kinds TRACE_FST)
  endif()
  foreach(kind SYSTEMC COVERAGE)
    if(V_${kind})
      list(APPEND kinds ${kind})
    endif()
  endforeach()

  add_library(${NAME} STATIC)
  verilate(${NAME} ${kinds}
    PREFIX ${V_PREFIX} TOP_MODULE ${V_TOP} SOURCES ${V_SOURCES} VERILATOR_ARGS ${args}
    OPT_FAST -O3 OPT_GLOBAL -O3 OPT_SLOW -O1)
  if(V_SYSTEMC)
    verilator_link_systemc(${NAME})
  endif()
  if(V_TRACE)
    target_link_libraries(${NAME} PUBLIC z)
    target_compile_definitions(${NAME} INTERFACE VM_TRACE=1 VM_TRACE_FST=1)
  endif()
  # Verilator's own files are C and C++ that our warnings are not meant for.
  target_compile_options(${NAME} PRIVATE -w)
  get_target_property(dirs ${NAME} INTERFACE_INCLUDE_DIRECTORIES)
  set_target_properties(${NAME} PROPERTIES INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${dirs}")
endfunction()
