# SPDX-License-Identifier: Apache-2.0
# find_package(ascendcl CONFIG) gives the target ascendcl::ascendcl.
include("${CMAKE_CURRENT_LIST_DIR}/ascendclTargets.cmake")
