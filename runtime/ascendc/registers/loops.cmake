# SPDX-License-Identifier: Apache-2.0
# As the loops of the vector unit; the sources that arrange lanes are built with optimisation too.
set(register_options -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(NOT ACLSIM_SANITIZE)
  list(APPEND register_options -O3)
endif()
set_source_files_properties(registers/loops_plain.cpp registers/loops_avx2.cpp registers/lanes.cpp
  registers/convert.cpp registers/order.cpp registers/masks.cpp registers/distributions.cpp
  PROPERTIES COMPILE_OPTIONS "${register_options}")
set_target_properties(ascendc_registers PROPERTIES UNITY_BUILD OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set_source_files_properties(registers/loops_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "${register_options};-mavx2;-mf16c;-mfma")
  set_source_files_properties(registers/lanes.cpp PROPERTIES COMPILE_DEFINITIONS ACLSIM_REGISTERS_AVX2)
endif()
