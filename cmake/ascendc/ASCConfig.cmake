# SPDX-License-Identifier: Apache-2.0
# find_package(ASC REQUIRED), before project(NAME LANGUAGES ASC CXX): the language of kernels. Files
# *.asc are compiled by bisheng; CMAKE_ASC_ARCHITECTURES names the architecture.
if(NOT DEFINED ENV{ASCEND_HOME_PATH})
  message(FATAL_ERROR "ASCEND_HOME_PATH is not set; source set_env.sh of the toolkit first")
endif()
if(NOT EXISTS "$ENV{ASCEND_HOME_PATH}")
  message(FATAL_ERROR "ASCEND_HOME_PATH is '$ENV{ASCEND_HOME_PATH}', which does not exist; "
    "source set_env.sh of the toolkit")
endif()

if(CUSTOM_ASC_CMAKE_PATH)
  set(_asc_folder "${CUSTOM_ASC_CMAKE_PATH}")
else()
  get_filename_component(_asc_folder "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
  get_filename_component(_asc_folder "${_asc_folder}" DIRECTORY)
endif()
list(APPEND CMAKE_MODULE_PATH "${_asc_folder}/asc_modules")
include("${_asc_folder}/operators.cmake")
if(NOT ASCEND_AUTOGEN_PATH)
  set(ASCEND_AUTOGEN_PATH "${CMAKE_BINARY_DIR}/autogen")
endif()

if(DEFINED CMAKE_ASC_RUN_MODE AND NOT CMAKE_ASC_RUN_MODE MATCHES "^(npu|cpu|sim)$")
  message(FATAL_ERROR "CMAKE_ASC_RUN_MODE is '${CMAKE_ASC_RUN_MODE}'; expected npu, cpu or sim")
endif()
set(ASC_FOUND TRUE)
