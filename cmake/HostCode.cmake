# SPDX-License-Identifier: Apache-2.0
# Rules for code that runs on the host. C is held to them everywhere; a C++ target that is written here (not made by
# Verilator) links to tally_host.

option(TALLY_SANITIZE "Address and undefined behaviour sanitizers in host code" OFF)

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Assertions stay: their cost is small beside the simulation's, and a wrong model must not go on.
set(CMAKE_C_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELEASE "-O2")

set(TALLY_WARNINGS -Wall -Wextra -Werror)
if(TALLY_SANITIZE)
  # GCC's analysis of uninitialized variables is not meant for instrumented code.
  list(APPEND TALLY_WARNINGS -Wno-maybe-uninitialized)
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:C>:${TALLY_WARNINGS}>")

add_library(tally_host INTERFACE)
target_compile_options(tally_host INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${TALLY_WARNINGS}>")

if(TALLY_SANITIZE)
  set(TALLY_SANITIZERS -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:${TALLY_SANITIZERS}>")
  target_compile_options(tally_host INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${TALLY_SANITIZERS}>")
  add_link_options(${TALLY_SANITIZERS})
endif()

find_program(TALLY_CCACHE ccache)
if(TALLY_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${TALLY_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${TALLY_CCACHE})
endif()
