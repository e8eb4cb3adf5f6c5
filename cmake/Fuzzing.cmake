# SPDX-License-Identifier: Apache-2.0
# TALLY_LIBFUZZER: clang can link fuzzers. libFuzzer comes with clang only, so fuzzers are compiled by TALLY_CLANG by
# itself, whatever the project's compiler is.
find_program(TALLY_CLANG clang)
if(TALLY_CLANG AND NOT DEFINED TALLY_LIBFUZZER)
  set(probe ${CMAKE_BINARY_DIR}/fuzz_probe.c)
  file(WRITE ${probe} "int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return p && n ? 0 : 0; }\n")
  execute_process(COMMAND ${TALLY_CLANG} -fsanitize=fuzzer,address,undefined ${probe} -o ${probe}.out
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(status EQUAL 0)
    set(TALLY_LIBFUZZER ON CACHE BOOL "clang can link fuzzers")
  else()
    message(STATUS "clang has no libFuzzer (libclang-rt-dev): nothing that reads files is fuzzed")
  endif()
endif()

# tally_fuzzer(GROUP.NAME SOURCES... [FLAGS ...] [LIBS ...] [DEPENDS ...] [SEEDS command...] [OPTIONS ...] [ENVIRONMENT X=Y])
# Builds fuzz_NAME.c, with the sources, and runs it in GROUP.NAME_fuzz (10 s) and GROUP.NAME_fuzz_long (5 minutes). SEEDS
# writes the first inputs into the folder that it gets as its last argument; OPTIONS are libFuzzer's.
function(tally_fuzzer test)
  cmake_parse_arguments(arg "" "ENVIRONMENT" "SOURCES;FLAGS;LIBS;DEPENDS;SEEDS;OPTIONS" ${ARGN})
  string(REGEX REPLACE "^.*\\." "" name ${test})
  set(fuzzer ${CMAKE_CURRENT_BINARY_DIR}/fuzz_${name})
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/fuzz_${name}.c)
  add_custom_command(OUTPUT ${fuzzer}
    COMMAND ${TALLY_CLANG} -std=gnu11 -O1 -g -D_GNU_SOURCE -Wall -Wextra -Werror
      -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
      ${arg_FLAGS} ${source} ${arg_SOURCES} ${arg_LIBS} -o ${fuzzer}
    DEPENDS ${source} ${arg_SOURCES} ${arg_DEPENDS} VERBATIM)
  add_custom_target(${name}_fuzzer ALL DEPENDS ${fuzzer})
  foreach(run "fuzz;10" "fuzz_long;300")
    list(GET run 0 suffix)
    list(GET run 1 seconds)
    add_test(NAME ${test}_${suffix}
      COMMAND ${CMAKE_SOURCE_DIR}/tests/fuzz.sh ${fuzzer} ${seconds} "${arg_OPTIONS}" ${arg_SEEDS})
    set_tests_properties(${test}_${suffix} PROPERTIES RESOURCE_LOCK ${name}_corpus ENVIRONMENT "${arg_ENVIRONMENT}")
  endforeach()
  set_tests_properties(${test}_fuzz_long PROPERTIES LABELS long)
endfunction()
