# SPDX-License-Identifier: Apache-2.0
# Language level, warnings, sanitizers, compiler cache, where outputs lie.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The build tree has the shape of the install tree: ../lib64 beside bin.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib64")

find_program(ACLSIM_CCACHE ccache)
mark_as_advanced(ACLSIM_CCACHE)
if(ACLSIM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER "${ACLSIM_CCACHE}")
  # ccache caches files that use precompiled headers only with this setting.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${ACLSIM_CCACHE}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()

# A wide load that reads back two narrow stores has to wait until both are in the cache. GCC makes such
# pairs from neighbouring members.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-tree-slp-vectorize>)
endif()

add_library(aclsim_warnings INTERFACE)
target_compile_options(aclsim_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  # False alarms in std::string.
  target_compile_options(aclsim_warnings INTERFACE
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
# A compiler newer than those tried so far may warn of more; that shall not stop a build.
set(first_untried_GNU 14)
set(first_untried_Clang 15)
if(ACLSIM_WERROR
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS "${first_untried_${CMAKE_CXX_COMPILER_ID}}")
  target_compile_options(aclsim_warnings INTERFACE -Werror)
endif()

# The thread-local data of a call are a few pointers. They fit into the static thread-local storage that a
# process reserves for libraries that are loaded late; access to it needs no function call.
add_compile_options(-ftls-model=initial-exec)

if(ACLSIM_ASSERTS)
  add_compile_options(-UNDEBUG)
  add_compile_definitions($<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)
endif()

if(ACLSIM_SANITIZE STREQUAL "address")
  # -O1: the code that the sanitizers add takes long to optimise. Null pointers end in a signal, which is
  # reported anyway, and -fsanitize=address knows the sizes of objects better.
  set(sanitizer_flags -fsanitize=address,undefined -fno-sanitize=null,vptr,object-size
    -fno-sanitize-recover=all -O1)
elseif(ACLSIM_SANITIZE STREQUAL "thread")
  set(sanitizer_flags -fsanitize=thread -O1)
elseif(ACLSIM_SANITIZE)
  message(FATAL_ERROR "ACLSIM_SANITIZE=${ACLSIM_SANITIZE}: expected address, thread or nothing")
endif()
option(ACLSIM_FUZZ "Build the fuzz targets (clang with libFuzzer)" OFF)
if(ACLSIM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(ACLSIM_SANITIZE)
  add_compile_options(${sanitizer_flags} -fno-omit-frame-pointer)
  add_link_options(${sanitizer_flags})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented library headers raise false alarms; fences are not instrumented (-Wtsan).
    target_compile_options(aclsim_warnings INTERFACE -Wno-maybe-uninitialized -Wno-tsan)
  elseif(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/sanitizer_ignorelist.txt)
  endif()
endif()
