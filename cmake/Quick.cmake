# SPDX-License-Identifier: Apache-2.0
# Settings that make builds quicker and change nothing else.

# aclsim_fmt: fmt without its shared library. If the version is known, its functions are compiled once;
# otherwise into every file that uses them.
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  add_library(aclsim_fmt STATIC "${PROJECT_SOURCE_DIR}/cmake/fmt_once.cpp")
  target_compile_options(aclsim_fmt PRIVATE -w)  # nothing of ours is in there
  target_include_directories(aclsim_fmt SYSTEM
    PUBLIC $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
else()
  add_library(aclsim_fmt INTERFACE)
  target_link_libraries(aclsim_fmt INTERFACE fmt::fmt-header-only)
endif()

set(aclsim_common_headers
  <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint> <cstring> <deque>
  <functional> <map> <memory> <mutex> <optional> <set> <string> <string_view> <thread>
  <unordered_map> <utility> <vector>)

# aclsim_precompile(TARGET [HEADER...]): the standard's headers, and these, are read once for all
# files of the target. -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON turns that off.
function(aclsim_precompile target)
  target_precompile_headers(${target} PRIVATE ${aclsim_common_headers} ${ARGN})
endfunction()
