# SPDX-License-Identifier: Apache-2.0
# find_package(shmem CONFIG) gives the target shmem::shmem; <shmem.h> and <shmem/shmem.h> are found.
include(CMakeFindDependencyMacro)
find_dependency(ascendcl CONFIG HINTS "${CMAKE_CURRENT_LIST_DIR}/../ascendcl")
include("${CMAKE_CURRENT_LIST_DIR}/shmemTargets.cmake")
