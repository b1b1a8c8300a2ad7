# SPDX-License-Identifier: Apache-2.0
# What builds kernels, in the places where build files look for it. The real ones are bin/bisheng,
# include/ascendc and compiler/tikcpp/ascendc_kernel_cmake. So that tests find a toolkit in the build
# tree, that has these, set_env.sh, and the few links that they need.
set(kernel_cmake compiler/tikcpp/ascendc_kernel_cmake)
file(COPY "${PROJECT_SOURCE_DIR}/cmake/ascendc/" DESTINATION "${PROJECT_BINARY_DIR}/${kernel_cmake}")
file(GLOB_RECURSE kernel_cmake_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/ascendc/*")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS ${kernel_cmake_files})
file(COPY "${toolkit}/set_env.sh" DESTINATION "${PROJECT_BINARY_DIR}")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/lib/cmake" "${PROJECT_BINARY_DIR}/lib64")
file(RELATIVE_PATH headers "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/include")
foreach(link "${headers}|include" "libascendcl.so|lib64/libacl_rt.so"
             "../../${kernel_cmake}|lib/cmake/ASC"
             "../../${kernel_cmake}/tikicpulib|lib/cmake/tikicpulib")
  string(REPLACE "|" ";" link "${link}")
  list(GET link 0 target)
  list(GET link 1 name)
  file(CREATE_LINK "${target}" "${PROJECT_BINARY_DIR}/${name}" SYMBOLIC)
endforeach()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/python")
file(CREATE_LINK . "${PROJECT_BINARY_DIR}/python/site-packages" SYMBOLIC)
foreach(alias tiling_api register platform ascendalog)
  file(CREATE_LINK libascendcl.so "${PROJECT_BINARY_DIR}/lib64/lib${alias}.so" SYMBOLIC)
endforeach()

aclsim_link(../compiler/tikcpp tools/tikcpp)
aclsim_link(../compiler/tikcpp ${ACLSIM_ARCH}-linux/tikcpp)
aclsim_link(../../../compiler/tikcpp/ascendc_kernel_cmake ascendc_devkit/tikcpp/samples/cmake)
aclsim_link(../../include/ascendc compiler/tikcpp/tikcfw)
aclsim_link(../include/ascendc asc/include)
aclsim_link(../asc ${ACLSIM_ARCH}-linux/asc)
aclsim_link(../../../include/ascendc tools/tikicpulib/lib/include)
aclsim_link(../../../compiler/tikcpp/ascendc_kernel_cmake/tikicpulib tools/tikicpulib/lib/cmake)
aclsim_link(../../../bin/bisheng ${ACLSIM_ARCH}-linux/ccec_compiler/bin/bisheng)
aclsim_link(../../../bin/bisheng compiler/ccec_compiler/bin/bisheng)
aclsim_link(../../compiler/tikcpp/ascendc_kernel_cmake lib/cmake/ASC)
aclsim_link(../../compiler/tikcpp/ascendc_kernel_cmake/tikicpulib lib/cmake/tikicpulib)

# Archives that build files name by path; here they only lead to the library.
foreach(archive ascendc_runtime tiling_api)
  file(CONFIGURE OUTPUT "${stage}/lib64/lib${archive}.a" CONTENT "INPUT(-lascendc_runtime)\n")
endforeach()

install(TARGETS bisheng_command ascendc_translate_command RUNTIME DESTINATION bin)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cmake/ascendc/" DESTINATION ${kernel_cmake})
