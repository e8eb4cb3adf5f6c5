# SPDX-License-Identifier: Apache-2.0
# spec/ -> <build>/generated. Runs when CMake configures, so that what is wrong in spec/ shows first, and as a step of the
# build when the specification or its generator changes. Files that stay the same keep their time stamps.

set(TALLY_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)

find_program(TALLY_PYTHON python PATHS ${CMAKE_SOURCE_DIR}/.venv/bin NO_DEFAULT_PATH)
if(NOT TALLY_PYTHON)
  message(FATAL_ERROR "There is no .venv: run scripts/setup first")
endif()

file(GLOB TALLY_SPEC_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/spec/*.yaml ${CMAKE_SOURCE_DIR}/spec/csr/*.yaml)
file(GLOB TALLY_GENERATORS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scripts/gen_spec.py ${CMAKE_SOURCE_DIR}/scripts/spec_*.py)
set(TALLY_GENERATE ${TALLY_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/gen_spec.py --out ${TALLY_GENERATED_DIR})
set(TALLY_GENERATED_FILES tally_spec.vh tally_event_fn.vh tally_spec.h tally_events.h tally_names.h)
list(TRANSFORM TALLY_GENERATED_FILES PREPEND ${TALLY_GENERATED_DIR}/)

execute_process(COMMAND ${TALLY_GENERATE} RESULT_VARIABLE TALLY_GEN_STATUS)
if(NOT TALLY_GEN_STATUS EQUAL 0)
  message(FATAL_ERROR "spec/ is not consistent (see above)")
endif()

set(stamp ${TALLY_GENERATED_DIR}/spec.stamp)
add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${TALLY_GENERATED_FILES}
  COMMAND ${TALLY_GENERATE}
  COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
  DEPENDS ${TALLY_SPEC_FILES} ${TALLY_GENERATORS} VERBATIM)
add_custom_target(tally_spec_files ALL DEPENDS ${stamp})

# Link to it for tally_spec.h, tally_events.h and tally_names.h.
add_library(tally_spec INTERFACE)
target_include_directories(tally_spec INTERFACE ${TALLY_GENERATED_DIR})
add_dependencies(tally_spec tally_spec_files)
