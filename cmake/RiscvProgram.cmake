# SPDX-License-Identifier: Apache-2.0
# tally_riscv_program(NAME SOURCES files... [DEFS D=1...] [INCLUDES dirs...] [LINKER script] [FREESTANDING]
#                     [MARCH isa] [EXTENSIONS _x...] [MABI abi] [FLAGS compiler options...] [LINK_FLAGS options...])
#
# Make <build>/sw/NAME.elf, a program for the hart, as target `riscv_NAME`; the path is left in NAME_ELF.
# EXTENSIONS are for the sources alone: Debian's libraries have no form for them, and MARCH chooses among their forms.
# C library: picolibc, or none with FREESTANDING. With a linker script of its own a program brings its own start code.

find_program(TALLY_RISCV_CC riscv64-unknown-elf-gcc)
set(TALLY_RISCV_DIR ${CMAKE_BINARY_DIR}/sw)
file(MAKE_DIRECTORY ${TALLY_RISCV_DIR})

function(tally_riscv_program NAME)
  cmake_parse_arguments(P "FREESTANDING" "LINKER;MARCH;EXTENSIONS;MABI" "SOURCES;DEFS;INCLUDES;FLAGS;LINK_FLAGS" ${ARGN})
  if(P_UNPARSED_ARGUMENTS OR NOT P_SOURCES)
    message(FATAL_ERROR "tally_riscv_program(${NAME}): SOURCES are needed; not known: ${P_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT TALLY_RISCV_CC)
    message(FATAL_ERROR "riscv64-unknown-elf-gcc is missing: run scripts/setup")
  endif()
  if(NOT P_MARCH)
    set(P_MARCH rv64imac)
  endif()
  if(NOT P_MABI)
    set(P_MABI lp64)
  endif()

  set(machine -misa-spec=2.2 -mabi=${P_MABI} -mcmodel=medany)
  set(compile -march=${P_MARCH}${P_EXTENSIONS} ${machine} -std=gnu11 -O2 -g -Wall -Wextra -Werror -I${TALLY_GENERATED_DIR})
  set(link -march=${P_MARCH} ${machine} -static)
  if(P_FREESTANDING)
    list(APPEND compile -ffreestanding)
    list(APPEND link -nostdlib)
    set(libs -lgcc)
  else()
    list(APPEND compile --specs=picolibc.specs)
    list(APPEND link --specs=picolibc.specs)
    set(libs)
  endif()
  foreach(dir ${P_INCLUDES})
    get_filename_component(dir ${dir} ABSOLUTE)
    list(APPEND compile -I${dir})
  endforeach()
  foreach(def ${P_DEFS})
    list(APPEND compile -D${def})
  endforeach()
  set(inputs)
  if(P_LINKER)
    get_filename_component(script ${P_LINKER} ABSOLUTE)
    list(APPEND link -nostartfiles -T${script})
    list(APPEND inputs ${script})
  endif()

  # A command a source, so that each has its own list of headers and only what changed is compiled.
  set(objects)
  foreach(source ${P_SOURCES})
    get_filename_component(path ${source} ABSOLUTE)
    file(RELATIVE_PATH object ${CMAKE_SOURCE_DIR} ${path})
    string(REGEX REPLACE "[^A-Za-z0-9_.-]" "_" object ${object})
    set(object ${TALLY_RISCV_DIR}/${NAME}.dir/${object}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${TALLY_RISCV_DIR}/${NAME}.dir
      COMMAND ${TALLY_RISCV_CC} ${compile} ${P_FLAGS} -MD -MF ${object}.d -MT ${object} -c ${path} -o ${object}
      DEPENDS ${path} DEPFILE ${object}.d VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(elf ${TALLY_RISCV_DIR}/${NAME}.elf)
  add_custom_command(OUTPUT ${elf}
    COMMAND ${TALLY_RISCV_CC} ${link} ${P_FLAGS} ${P_LINK_FLAGS} ${objects} ${libs} -o ${elf}
    DEPENDS ${objects} ${inputs} VERBATIM)
  add_custom_target(riscv_${NAME} ALL DEPENDS ${elf})
  set(${NAME}_ELF ${elf} PARENT_SCOPE)
endfunction()
