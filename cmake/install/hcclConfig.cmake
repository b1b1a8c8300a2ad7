# SPDX-License-Identifier: Apache-2.0
# find_package(hccl CONFIG) gives the targets hccl::hccl and hccl::hcomm.
include(CMakeFindDependencyMacro)
find_dependency(ascendcl CONFIG HINTS "${CMAKE_CURRENT_LIST_DIR}/../ascendcl")
include("${CMAKE_CURRENT_LIST_DIR}/hcclTargets.cmake")
if(NOT TARGET hccl::hcomm)
  add_library(hccl::hcomm INTERFACE IMPORTED)
  target_link_libraries(hccl::hcomm INTERFACE hccl::hccl)
endif()
