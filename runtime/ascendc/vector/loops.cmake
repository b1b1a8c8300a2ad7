# SPDX-License-Identifier: Apache-2.0
# The loops over lanes are always built with optimisation, and once more for AVX2. One step is one rounding
# (no contraction), and only the results of arithmetic matter (no traps, no errno).
set(loop_options -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(NOT ACLSIM_SANITIZE)
  list(APPEND loop_options -O3)
endif()
set(loop_files vector/loops_plain.cpp vector/loops_avx2.cpp vector/loops_narrow.cpp)
set_source_files_properties(${loop_files} PROPERTIES COMPILE_OPTIONS "${loop_options}")
set_target_properties(ascendc_vector PROPERTIES UNITY_BUILD OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set_source_files_properties(vector/loops_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "${loop_options};-mavx2;-mf16c")
  set_source_files_properties(vector/loops.cpp PROPERTIES COMPILE_DEFINITIONS ACLSIM_VECTOR_AVX2)
endif()
