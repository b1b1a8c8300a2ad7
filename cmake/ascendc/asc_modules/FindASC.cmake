# SPDX-License-Identifier: Apache-2.0
# For projects that put this folder into CMAKE_MODULE_PATH.
include("${CMAKE_CURRENT_LIST_DIR}/../ASCConfig.cmake")
