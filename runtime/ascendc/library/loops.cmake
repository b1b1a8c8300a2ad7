# SPDX-License-Identifier: Apache-2.0
# The loops over rows are always built with optimisation. One step is one rounding (no contraction), and only the
# results of arithmetic matter (no traps, no errno).
set(row_options -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(NOT ACLSIM_SANITIZE)
  list(APPEND row_options -O3)
endif()
set(row_files library/activation.cpp library/normalization.cpp library/softmax.cpp)
set_source_files_properties(${row_files} PROPERTIES COMPILE_OPTIONS "${row_options}")
set_target_properties(ascendc_library PROPERTIES UNITY_BUILD OFF)
