# SPDX-License-Identifier: Apache-2.0
# The libraries that programs link with in the place of the vendor's: what their code has in common, and
# how they are linked.

# aclsim_vendor_common(NAME [LIBS library...]): the interface target NAME that all rooms of one vendor
# interface link. They see the committed public headers, not the generated ones (cmake/PublicHeaders.cmake).
function(aclsim_vendor_common name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  add_library(${name} INTERFACE)
  target_include_directories(${name} INTERFACE "${PROJECT_SOURCE_DIR}/include")
  target_compile_definitions(${name} INTERFACE FUNC_VISIBILITY)
  target_link_libraries(${name} INTERFACE Threads::Threads aclsim_fmt ${arg_LIBS})
  # A C caller may pass any number as an enumeration. The entries check it themselves.
  if(ACLSIM_SANITIZE STREQUAL "address")
    target_compile_options(${name} INTERFACE -fno-sanitize=enum)
  endif()
endfunction()

# aclsim_vendor_library(NAME EXPORTS file [NODELETE] [SOURCES file...] [LIBS library...]): the shared
# library NAME of SOURCES and LIBS. It exports nothing but the functions of the version script EXPORTS,
# and everything that it uses must be defined at link time. It has no run path: programs find it, and it
# finds its neighbours, through LD_LIBRARY_PATH or the program's run path. Users of the target see all
# public headers.
#
# NODELETE: dlclose() leaves the library in memory, because its threads or signal handlers may still run.
function(aclsim_vendor_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NODELETE" "EXPORTS" "SOURCES;LIBS")
  add_library(${name} SHARED ${arg_SOURCES})
  if(NOT arg_SOURCES)  # all of its code is in object libraries
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
  target_include_directories(${name} PUBLIC
    "$<BUILD_INTERFACE:${ACLSIM_PUBLIC_INCLUDE}>" $<INSTALL_INTERFACE:include>)
  target_link_libraries(${name} PRIVATE ${arg_LIBS})
  target_link_options(${name} PRIVATE "LINKER:--version-script=${arg_EXPORTS}")
  if(arg_NODELETE)
    target_link_options(${name} PRIVATE LINKER:-z,nodelete)
  endif()
  if(NOT ACLSIM_SANITIZE)  # the sanitizer's functions are in the program
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
  set_target_properties(${name} PROPERTIES
    LINK_DEPENDS "${arg_EXPORTS}" SKIP_BUILD_RPATH ON INSTALL_RPATH "")
endfunction()
