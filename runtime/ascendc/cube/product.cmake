# SPDX-License-Identifier: Apache-2.0
# The product is always built with optimisation, and once more for AVX2 with FMA.
set(product_options -fno-math-errno -fno-trapping-math)
if(NOT ACLSIM_SANITIZE)
  list(APPEND product_options -O3)
endif()
set_source_files_properties(cube/product_plain.cpp cube/product_avx2.cpp PROPERTIES
  COMPILE_OPTIONS "${product_options};-ffp-contract=off")
set_target_properties(ascendc_cube PROPERTIES UNITY_BUILD OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set_source_files_properties(cube/product_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "${product_options};-ffp-contract=fast;-mavx2;-mfma;-mf16c")
  set_source_files_properties(cube/product.cpp PROPERTIES COMPILE_DEFINITIONS ACLSIM_CUBE_AVX2)
endif()
