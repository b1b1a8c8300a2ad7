# SPDX-License-Identifier: Apache-2.0
# find_package(tikicpulib REQUIRED): kernels that g++ compiles and ICPU_RUN_KF calls. One target for each
# chip: tikicpulib::Ascend910B1 and so on, by any case of the name that build files use.
get_filename_component(_tikicpulib_root "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
while(NOT EXISTS "${_tikicpulib_root}/include/ascendc/tikicpulib.h")
  get_filename_component(_tikicpulib_above "${_tikicpulib_root}" DIRECTORY)
  if(_tikicpulib_above STREQUAL _tikicpulib_root)
    message(FATAL_ERROR "${CMAKE_CURRENT_LIST_FILE} does not lie in a toolkit")
  endif()
  set(_tikicpulib_root "${_tikicpulib_above}")
endwhile()
include("${_tikicpulib_root}/compiler/tikcpp/ascendc_kernel_cmake/soc.cmake")

# _tikicpulib_target(SOC NUMBER)
function(_tikicpulib_target soc number)
  if(TARGET tikicpulib::${soc})
    return()
  endif()
  add_library(tikicpulib::${soc} INTERFACE IMPORTED GLOBAL)
  set_target_properties(tikicpulib::${soc} PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${_tikicpulib_root}/include;${_tikicpulib_root}/include/ascendc"
    INTERFACE_COMPILE_DEFINITIONS
      "ASCENDC_CPU_DEBUG=1;ASCENDC_DEBUG=1;__CCE_KT_TEST__=1;__NPU_ARCH__=${number}"
    INTERFACE_LINK_LIBRARIES
      "${_tikicpulib_root}/lib64/libascendc_runtime.so;${_tikicpulib_root}/lib64/libascendcl.so")
endfunction()

set(_tikicpulib_socs_3510 ${_ascendc_socs_3510})
if(SOC_VERSION MATCHES "^[Aa]scend950")
  list(APPEND _tikicpulib_socs_3510 "${SOC_VERSION}")
endif()
foreach(_tikicpulib_number 2201 3510 1001 2002 3002)
  set(_tikicpulib_list ${_ascendc_socs_${_tikicpulib_number}})
  if(_tikicpulib_number STREQUAL "3510")
    set(_tikicpulib_list ${_tikicpulib_socs_3510})
  endif()
  foreach(_tikicpulib_soc IN LISTS _tikicpulib_list)
    _tikicpulib_target("${_tikicpulib_soc}" ${_tikicpulib_number})
    string(TOLOWER "${_tikicpulib_soc}" _tikicpulib_soc)
    _tikicpulib_target("${_tikicpulib_soc}" ${_tikicpulib_number})
  endforeach()
endforeach()
set(tikicpulib_FOUND TRUE)
