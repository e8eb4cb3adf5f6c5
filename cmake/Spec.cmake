# spec/ -> <build>/generated. Runs when CMake configures, because Verilator's file lists are made then too, and
# configures again when the specification or its generator changes.

set(TALLY_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)

find_program(TALLY_PYTHON python PATHS ${CMAKE_SOURCE_DIR}/.venv/bin NO_DEFAULT_PATH)
if(NOT TALLY_PYTHON)
  message(FATAL_ERROR "There is no .venv: run scripts/setup first")
endif()

file(GLOB TALLY_SPEC_FILES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/spec/*.yaml ${CMAKE_SOURCE_DIR}/spec/csr/*.yaml)
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${TALLY_SPEC_FILES} ${CMAKE_SOURCE_DIR}/scripts/gen_spec.py)

execute_process(
  COMMAND ${TALLY_PYTHON} ${CMAKE_SOURCE_DIR}/scripts/gen_spec.py --out ${TALLY_GENERATED_DIR}
  RESULT_VARIABLE TALLY_GEN_STATUS)
if(NOT TALLY_GEN_STATUS EQUAL 0)
  message(FATAL_ERROR "spec/ is not consistent (see above)")
endif()

# Link to it for tally_spec.h and tally_events.h.
add_library(tally_spec INTERFACE)
target_include_directories(tally_spec INTERFACE ${TALLY_GENERATED_DIR})
