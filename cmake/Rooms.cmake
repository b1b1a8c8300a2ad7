# SPDX-License-Identifier: Apache-2.0
# The top-level folders ("rooms") and who may look into which.

# aclsim_room(NAME): an interface target room_NAME with which `#include "NAME/..."` works and
# nothing else of the source tree does. Thus device_sim cannot include <acl/...> by mistake.
function(aclsim_room name)
  set(root "${PROJECT_BINARY_DIR}/rooms/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${name}" "${root}/${name}" SYMBOLIC)
  add_library(room_${name} INTERFACE)
  target_include_directories(room_${name} INTERFACE "${root}")
endfunction()

# aclsim_sources(OUT DIR [NOT REGEX]): the C++ files below DIR; an empty unit where there are none.
function(aclsim_sources out dir)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "NOT" "")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${dir}/*.cpp")
  if(arg_NOT)
    list(FILTER files EXCLUDE REGEX "${arg_NOT}")
  endif()
  if(NOT files)
    set(empty "${PROJECT_BINARY_DIR}/generated/empty.cpp")
    if(NOT EXISTS "${empty}")
      file(WRITE "${empty}" "// No sources yet.\n")
    endif()
    set(files "${empty}")
  endif()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

aclsim_room(device_sim)
aclsim_room(runtime)
aclsim_room(tools)
aclsim_room(tests)
aclsim_room(bench)
aclsim_room(pyacl)
