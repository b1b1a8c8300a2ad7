# SPDX-License-Identifier: Apache-2.0
# find_package(aclnn CONFIG) gives the target aclnn::opapi: operators and descriptions of their tensors.
include(CMakeFindDependencyMacro)
find_dependency(ascendcl CONFIG HINTS "${CMAKE_CURRENT_LIST_DIR}/../ascendcl")
include("${CMAKE_CURRENT_LIST_DIR}/aclnnTargets.cmake")
