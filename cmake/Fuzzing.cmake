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
