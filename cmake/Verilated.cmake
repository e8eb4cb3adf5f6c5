# SPDX-License-Identifier: Apache-2.0
# tally_verilated(NAME TOP module SOURCES files...
#                 [PREFIX class] [TRACE] [SYSTEMC] [COVERAGE] [PARAMS P=1...] [DEFINES D...] [ARGS option...]
#                 [INCLUDES file...] [TRAINING | PROFILE file])
#
# Make the library NAME out of Verilog: class V<module> or PREFIX, to be linked by whoever drives it. TRACE: waves (tb/wave_trace.h).
# TRAINING: its runs write down what they do (LLVM_PROFILE_FILE); PROFILE: it is compiled for what runs wrote down.
# INCLUDES: files that `include finds before those of rtl.
# Sources of the project: TALLY_PMU_SIM_SOURCES, TALLY_HART_SIM_SOURCES, TALLY_SOC_SIM_SOURCES (each with the parts of rtl below it).
#
# Verilator and the compiler run when something that is being built links to NAME, through the makefile that Verilator
# writes. (Verilator's own verilate() runs Verilator when CMake configures: a minute for the models of tests/pmu alone.)

option(TALLY_PROFILE "Keep the names of Verilog modules in the simulator, for scripts/bench.py --profile" OFF)

find_package(verilator REQUIRED HINTS $ENV{VERILATOR_ROOT} /usr/share/verilator /usr/local/share/verilator)
find_program(TALLY_MAKE NAMES gmake make REQUIRED)
# Clang compiles them in three quarters of GCC's time, to models that are a fifth faster (docs/performance.md).
find_program(TALLY_MODEL_CXX NAMES clang++ DOC "Compiler of Verilated models: clang++ or, without one, CMAKE_CXX_COMPILER")
if(NOT TALLY_MODEL_CXX)
  set(TALLY_MODEL_CXX ${CMAKE_CXX_COMPILER} CACHE FILEPATH "Compiler of Verilated models" FORCE)
endif()
cmake_host_system_information(RESULT TALLY_CORES QUERY NUMBER_OF_LOGICAL_CORES)

function(tally_verilated NAME)
  cmake_parse_arguments(V "TRACE;SYSTEMC;COVERAGE;TRAINING" "TOP;PREFIX"
    "SOURCES;INCLUDES;PARAMS;DEFINES;ARGS;PROFILE" ${ARGN})
  if(V_UNPARSED_ARGUMENTS OR NOT V_TOP OR NOT V_SOURCES)
    message(FATAL_ERROR "tally_verilated(${NAME}): TOP and SOURCES are needed; not known: ${V_UNPARSED_ARGUMENTS}")
  endif()

  if(NOT V_PREFIX)
    set(V_PREFIX V${V_TOP})
  endif()

  set(args --top ${V_TOP} --prefix ${V_PREFIX} -O3 --x-assign fast --x-initial fast --noassert -Wall ${V_ARGS})
  if(V_SYSTEMC)
    list(APPEND args --sc)
  else()
    list(APPEND args --cc)
  endif()
  if(V_TRACE)
    list(APPEND args --trace-fst)
  endif()
  if(V_COVERAGE)
    list(APPEND args --coverage)
  endif()
  if(TALLY_PROFILE)
    list(APPEND args --prof-cfuncs)
  endif()
  foreach(file ${V_INCLUDES})
    get_filename_component(dir ${file} DIRECTORY)
    list(APPEND args -I${dir})
  endforeach()
  foreach(dir ${TALLY_RTL_INCLUDES})
    list(APPEND args -I${dir})
  endforeach()
  foreach(param ${V_PARAMS})
    list(APPEND args -G${param})
  endforeach()
  foreach(define ${V_DEFINES})
    list(APPEND args -D${define})
  endforeach()

  # -w: our warnings are not meant for Verilator's output. CFG_CXXFLAGS_PROFILE is -pg, whose calls would be
  # nine tenths of the time that perf then sees.
  set(flags "${CMAKE_CXX_FLAGS} -std=c++${CMAKE_CXX_STANDARD} -w")
  set(dir ${CMAKE_CURRENT_BINARY_DIR}/${NAME})
  set(rewrite)
  set(rewriters)
  if(V_TRACE)
    string(APPEND flags " -I${CMAKE_SOURCE_DIR}/tb")
    set(rewrite COMMAND ${TALLY_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/wave_code.py ${dir} ${V_PREFIX})
    file(GLOB rewriters CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/sim/*.yaml ${CMAKE_SOURCE_DIR}/sim/stories/*.yaml)
    list(APPEND rewriters ${CMAKE_SOURCE_DIR}/scripts/wave_code.py ${CMAKE_SOURCE_DIR}/tb/wave_trace.h
      ${CMAKE_SOURCE_DIR}/tb/fst_write.h)
  endif()
  # OPT_SLOW is for what runs once, as a model or its waves begin: at -O1 it was two fifths of the compiler's time.
  set(optimize -O2)
  set(forget)
  if(V_TRAINING)
    string(APPEND optimize " -fprofile-instr-generate")
  elseif(V_PROFILE)
    string(APPEND optimize " -fprofile-instr-use=${V_PROFILE}")
    set(forget COMMAND sh -c "rm -f ${dir}/*.o") # which may be of a build without profile: make does not see that
  endif()
  set(archive ${dir}/${V_PREFIX}__ALL.a)
  file(GLOB_RECURSE includes CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/*.vh)
  list(APPEND includes ${V_INCLUDES})
  add_custom_command(OUTPUT ${archive} BYPRODUCTS ${dir}/${V_PREFIX}.h ${dir}/${V_PREFIX}___024root.h
    COMMAND ${VERILATOR_BIN} ${args} --Mdir ${dir} ${V_SOURCES}
    ${rewrite}
    ${forget}
    COMMAND ${TALLY_MAKE} --silent -j ${TALLY_CORES} -C ${dir} -f ${V_PREFIX}.mk VERILATOR_ROOT=${VERILATOR_ROOT}
      CXX=${TALLY_MODEL_CXX} AR=${CMAKE_AR} OBJCACHE=${TALLY_CCACHE} OPT_FAST=${optimize} OPT_SLOW=-O0 CXXFLAGS=${flags}
      CFG_CXXFLAGS_PROFILE= ${V_PREFIX}__ALL.a > ${dir}/archive.log
    DEPENDS ${V_SOURCES} ${includes} ${TALLY_GENERATED_FILES} tally_spec_files ${V_PROFILE} ${rewriters}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} COMMENT "Verilating ${NAME}" VERBATIM)
  add_custom_target(${NAME}_files DEPENDS ${archive})

  add_library(${NAME} INTERFACE)
  add_dependencies(${NAME} ${NAME}_files)
  target_include_directories(${NAME} SYSTEM INTERFACE ${dir})
  target_link_libraries(${NAME} INTERFACE ${archive})
  if(V_TRAINING)
    tally_profile_runtime(profiling)
    target_link_libraries(${NAME} INTERFACE -Wl,-u,__llvm_profile_runtime ${profiling})
  endif()
  set(runtime tally_verilator)
  if(V_SYSTEMC)
    set(runtime tally_verilator_systemc)
  endif()
  target_link_libraries(${NAME} INTERFACE ${runtime} $<$<BOOL:${V_TRACE}>:tally_fst_write>
    $<$<BOOL:${V_COVERAGE}>:tally_verilator_coverage>)
endfunction()

# The library that writes down what a training model does, for a linker that is not Clang's
function(tally_profile_runtime OUT)
  execute_process(COMMAND ${TALLY_MODEL_CXX} -print-file-name=libclang_rt.profile-${CMAKE_SYSTEM_PROCESSOR}.a
    OUTPUT_VARIABLE library OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT IS_ABSOLUTE "${library}")
    message(FATAL_ERROR "A guided build needs Clang and its library of profiles; TALLY_MODEL_CXX is ${TALLY_MODEL_CXX}")
  endif()
  set(${OUT} ${library} PARENT_SCOPE)
endfunction()

# Verilator's own code: libraries that are made when a model needs them.
function(tally_verilator_library NAME)
  cmake_parse_arguments(L "" "" "FILES;DEFINES;LINK" ${ARGN})
  list(TRANSFORM L_FILES PREPEND ${VERILATOR_ROOT}/include/)
  add_library(${NAME} STATIC EXCLUDE_FROM_ALL ${L_FILES})
  target_include_directories(${NAME} SYSTEM PUBLIC ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  target_compile_definitions(${NAME} PUBLIC ${L_DEFINES})
  target_compile_options(${NAME} PRIVATE -O3 -w)
  target_link_libraries(${NAME} PUBLIC ${L_LINK})
endfunction()

tally_verilator_library(tally_verilator FILES verilated.cpp verilated_threads.cpp LINK pthread)
tally_verilator_library(tally_verilator_coverage FILES verilated_cov.cpp DEFINES VM_COVERAGE=1)
tally_verilator_library(tally_verilator_save FILES verilated_save.cpp)
tally_verilator_library(tally_verilator_systemc FILES verilated.cpp verilated_threads.cpp DEFINES VM_SC=1
  LINK systemc pthread)
