# SPDX-License-Identifier: Apache-2.0
# The compiler came with this file.
set(CMAKE_ASC_COMPILER_WORKS TRUE CACHE INTERNAL "")
