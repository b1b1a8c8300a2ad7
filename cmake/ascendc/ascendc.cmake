# SPDX-License-Identifier: Apache-2.0
# Kernels in C++ projects: include(${ASCENDC_CMAKE_DIR}/ascendc.cmake)
#
#   ascendc_library(TARGET STATIC|SHARED|OBJECT SOURCE...)    kernels with their launches, as a library
#   ascendc_fatbin_library(TARGET SOURCE...)                  kernels alone, as a file to load
#   ascendc_compile_definitions(TARGET SCOPE DEFINITION...)
#   ascendc_compile_options(TARGET SCOPE OPTION...)
#   ascendc_include_directories(TARGET SCOPE FOLDER...)
#
# A program that launches kernels links the target host_intf_pub.
# SOC_VERSION names the chip, RUN_MODE is npu, sim or cpu; ASCEND_CANN_PACKAGE_PATH is the toolkit.
include_guard(GLOBAL)
include("${CMAKE_CURRENT_LIST_DIR}/soc.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/functions.cmake")

if(NOT SOC_VERSION AND DEFINED ENV{SOC_VERSION})
  set(SOC_VERSION "$ENV{SOC_VERSION}")
endif()
ascendc_list_socs(_ascendc_socs)
if(NOT SOC_VERSION)
  message(FATAL_ERROR "SOC_VERSION is not set; expected one of ${_ascendc_socs}")
endif()
ascendc_architecture_of(_ascendc_architecture "${SOC_VERSION}")
if(NOT _ascendc_architecture)
  message(FATAL_ERROR "SOC_VERSION is '${SOC_VERSION}'; expected one of ${_ascendc_socs}")
endif()

if(NOT DEFINED RUN_MODE OR RUN_MODE STREQUAL "")
  set(RUN_MODE npu)
endif()
if(NOT RUN_MODE MATCHES "^(npu|sim|cpu)$")
  message(FATAL_ERROR "RUN_MODE is '${RUN_MODE}'; expected npu, sim or cpu")
endif()

if(NOT ASCEND_CANN_PACKAGE_PATH)
  set(ASCEND_CANN_PACKAGE_PATH "${_ascendc_root}")
elseif(NOT EXISTS "${ASCEND_CANN_PACKAGE_PATH}")
  message(FATAL_ERROR "ASCEND_CANN_PACKAGE_PATH is '${ASCEND_CANN_PACKAGE_PATH}', which does not exist; "
    "expected the toolkit's folder, ${_ascendc_root}")
endif()

if(NOT TARGET host_intf_pub)
  add_library(host_intf_pub INTERFACE)
  target_include_directories(host_intf_pub INTERFACE "${_ascendc_root}/include" "${_ascendc_root}/include/ascendc")
  target_link_libraries(host_intf_pub INTERFACE
    "${_ascendc_root}/lib64/libascendc_runtime.so" "${_ascendc_root}/lib64/libascendcl.so" dl)
endif()
