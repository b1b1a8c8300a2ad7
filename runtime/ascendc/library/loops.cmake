# SPDX-License-Identifier: Apache-2.0
# The loops over rows are always built with optimisation, and the hottest once more for AVX2. One step is one
# rounding (no contraction), and only the results of arithmetic matter (no traps, no errno).
set(row_options -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(NOT ACLSIM_SANITIZE)
  list(APPEND row_options -O3)
endif()
set(row_files library/activation.cpp library/call.cpp library/normalization.cpp library/reduction.cpp
  library/row_loops_avx2.cpp library/row_loops_plain.cpp library/softmax.cpp)
set_source_files_properties(${row_files} PROPERTIES COMPILE_OPTIONS "${row_options}")
set_target_properties(ascendc_library PROPERTIES UNITY_BUILD OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set_source_files_properties(library/row_loops_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "${row_options};-mavx2")
  set_source_files_properties(library/row_loops.cpp PROPERTIES COMPILE_DEFINITIONS ACLSIM_LIBRARY_AVX2)
endif()
