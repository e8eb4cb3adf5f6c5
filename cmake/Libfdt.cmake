# SPDX-License-Identifier: Apache-2.0
# Source of libfdt, for what is cross-compiled: Debian has it in its package of Linux' source only.
#   TALLY_LIBFDT_DIR       where it is in the build tree
#   TALLY_LIBFDT_SOURCES   its files (made by the target libfdt_source)
file(GLOB archives /usr/src/linux-source-6.*.tar.xz)
if(archives)
  list(GET archives -1 archive)
  get_filename_component(top ${archive} NAME)
  string(REPLACE .tar.xz "" top ${top})
  set(TALLY_LIBFDT_DIR ${CMAKE_BINARY_DIR}/libfdt)
  set(TALLY_LIBFDT_SOURCES "")
  foreach(file fdt.c fdt_addresses.c fdt_ro.c fdt_rw.c fdt_wip.c)
    list(APPEND TALLY_LIBFDT_SOURCES ${TALLY_LIBFDT_DIR}/${file})
  endforeach()
  file(MAKE_DIRECTORY ${TALLY_LIBFDT_DIR})
  add_custom_command(OUTPUT ${TALLY_LIBFDT_SOURCES} ${TALLY_LIBFDT_DIR}/libfdt.h
    COMMAND ${CMAKE_COMMAND} -E echo "taking libfdt out of ${archive}"
    COMMAND tar -xJf ${archive} -C ${TALLY_LIBFDT_DIR} --strip-components=4 --touch ${top}/scripts/dtc/libfdt
    DEPENDS ${archive} VERBATIM)
  set(TALLY_LIBFDT_DIR ${TALLY_LIBFDT_DIR} CACHE INTERNAL "for other directories")
  set(TALLY_LIBFDT_SOURCES ${TALLY_LIBFDT_SOURCES} CACHE INTERNAL "for other directories")
  add_custom_target(libfdt_source DEPENDS ${TALLY_LIBFDT_SOURCES} ${TALLY_LIBFDT_DIR}/libfdt.h)
else()
  message(STATUS "no source of libfdt (package linux-source-6.12): no firmware")
endif()
