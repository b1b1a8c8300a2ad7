# SPDX-License-Identifier: Apache-2.0
if(NOT CMAKE_ASC_COMPILER)
  find_program(CMAKE_ASC_COMPILER NAMES bisheng
    HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../../bin" "$ENV{ASCEND_HOME_PATH}/bin"
    DOC "ASC compiler")
endif()
if(NOT CMAKE_ASC_COMPILER)
  message(FATAL_ERROR "bisheng, the compiler of the language ASC, is not found; source set_env.sh")
endif()
find_program(CMAKE_ASC_COMPILER_AR NAMES ar)
mark_as_advanced(CMAKE_ASC_COMPILER CMAKE_ASC_COMPILER_AR)
set(CMAKE_ASC_COMPILER_ENV_VAR ASC)
configure_file("${CMAKE_CURRENT_LIST_DIR}/CMakeASCCompiler.cmake.in"
  "${CMAKE_PLATFORM_INFO_DIR}/CMakeASCCompiler.cmake" @ONLY)
