# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: what a program outside of this tree needs (docs/programs.md). The folder lib/tally is laid out as
# this tree is, so that scripts find their parts there too.
include(CMakePackageConfigHelpers)
set(tally_home lib/tally)

install(PROGRAMS ${CMAKE_BINARY_DIR}/tally-sim ${CMAKE_BINARY_DIR}/tally-sim-2 ${CMAKE_BINARY_DIR}/tally-iss
  ${CMAKE_BINARY_DIR}/tally-profile ${CMAKE_BINARY_DIR}/tally-cc DESTINATION ${tally_home}/build)
install(FILES ${CMAKE_BINARY_DIR}/sw/firmware.elf ${CMAKE_BINARY_DIR}/sw/program.elf DESTINATION ${tally_home}/build/sw)
install(FILES ${CMAKE_BINARY_DIR}/sw/user/start.o ${CMAKE_BINARY_DIR}/sw/user/libtally-user.a
  ${CMAKE_BINARY_DIR}/sw/user/user.ld DESTINATION ${tally_home}/build/sw/user)
install(PROGRAMS scripts/profile.py DESTINATION ${tally_home}/scripts)
install(FILES scripts/cmake_cache.py scripts/spec_read.py DESTINATION ${tally_home}/scripts)
install(FILES spec/events.yaml DESTINATION ${tally_home}/spec)
file(WRITE ${CMAKE_BINARY_DIR}/install/CMakeCache.txt "TALLY_SAMPLING:BOOL=${TALLY_SAMPLING}\n")
install(FILES ${CMAKE_BINARY_DIR}/install/CMakeCache.txt DESTINATION ${tally_home}/build)

foreach(program tally-sim tally-iss tally-profile tally-cc)
  install(CODE "
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
    file(CREATE_LINK ../${tally_home}/build/${program} \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/${program}\" SYMBOLIC)")
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/TallyConfig.cmake.in ${CMAKE_BINARY_DIR}/install/TallyConfig.cmake
  INSTALL_DESTINATION lib/cmake/Tally PATH_VARS tally_home)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/TallyConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/install/TallyConfig.cmake ${CMAKE_BINARY_DIR}/install/TallyConfigVersion.cmake
  DESTINATION lib/cmake/Tally)
