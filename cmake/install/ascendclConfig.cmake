# SPDX-License-Identifier: Apache-2.0
# find_package(ascendcl CONFIG) gives the targets ascendcl::ascendcl and ascendcl::aclsim, the command
# line tool, and ascendcl_add_checked_test().
include("${CMAKE_CURRENT_LIST_DIR}/ascendclTargets.cmake")

get_filename_component(_ascendcl_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET ascendcl::aclsim AND EXISTS "${_ascendcl_prefix}/bin/aclsim")
  add_executable(ascendcl::aclsim IMPORTED)
  set_target_properties(ascendcl::aclsim PROPERTIES IMPORTED_LOCATION "${_ascendcl_prefix}/bin/aclsim")
endif()
unset(_ascendcl_prefix)

# ascendcl_add_checked_test(NAME name COMMAND program [argument...] [FAIL_ON error|warning|note]
#                           [SUPPRESSIONS file] [GUARD_READS])
# A test that runs the program, a target or a path, under the order checker. It fails when the program
# does, and when there are findings at the level (warning unless said otherwise) or above; NAME.xml in
# the build folder has them as JUnit. GUARD_READS also finds code of the host that does not wait.
function(ascendcl_add_checked_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "GUARD_READS" "NAME;FAIL_ON;SUPPRESSIONS" "COMMAND")
  if(NOT arg_NAME OR NOT arg_COMMAND OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ascendcl_add_checked_test: expected NAME, COMMAND [FAIL_ON] [SUPPRESSIONS] "
                        "[GUARD_READS]; "
                        "got \"${ARGN}\"")
  endif()
  if(NOT TARGET ascendcl::aclsim)
    message(FATAL_ERROR "ascendcl_add_checked_test: this install has no bin/aclsim")
  endif()
  if(NOT arg_FAIL_ON)
    set(arg_FAIL_ON warning)
  endif()
  set(options --check --fail-on "${arg_FAIL_ON}" --report "${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}.xml")
  if(arg_SUPPRESSIONS)
    get_filename_component(file "${arg_SUPPRESSIONS}" ABSOLUTE)
    list(APPEND options --suppressions "${file}")
  endif()
  if(arg_GUARD_READS)
    list(APPEND options --guard-reads)
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET "${program}")
    set(program "$<TARGET_FILE:${program}>")
  endif()
  add_test(NAME "${arg_NAME}"
           COMMAND ascendcl::aclsim run ${options} -- "${program}" ${arg_COMMAND})
endfunction()
