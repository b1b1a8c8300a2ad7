# SPDX-License-Identifier: Apache-2.0
# Installs the tools that build kernels, at the paths where build files look for them. The real ones are bin/bisheng,
# include/ascendc and compiler/tikcpp/ascendc_kernel_cmake. So that tests find a toolkit in the build
# tree, that has these, the public headers, set_env.sh, and the few links that they need.
set(kernel_cmake compiler/tikcpp/ascendc_kernel_cmake)
file(COPY "${PROJECT_SOURCE_DIR}/cmake/ascendc/" DESTINATION "${PROJECT_BINARY_DIR}/${kernel_cmake}")
file(GLOB_RECURSE kernel_cmake_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/ascendc/*")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS ${kernel_cmake_files})
file(COPY "${toolkit}/set_env.sh" DESTINATION "${PROJECT_BINARY_DIR}")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/lib/cmake" "${PROJECT_BINARY_DIR}/lib64")
file(CREATE_LINK libascendcl.so "${PROJECT_BINARY_DIR}/lib64/libacl_rt.so" SYMBOLIC)
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/python")
file(CREATE_LINK . "${PROJECT_BINARY_DIR}/python/site-packages" SYMBOLIC)
foreach(alias tiling_api register platform ascendalog)
  file(CREATE_LINK libascendcl.so "${PROJECT_BINARY_DIR}/lib64/lib${alias}.so" SYMBOLIC)
endforeach()

# aclsim_place(TARGET NAME...): NAME is a link to TARGET, in the staged tree and in the build tree.
function(aclsim_place target)
  foreach(name IN LISTS ARGN)
    get_filename_component(dir "${name}" DIRECTORY)
    file(RELATIVE_PATH to "/${dir}" "/${target}")
    aclsim_link("${to}" "${name}")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${dir}")
    file(CREATE_LINK "${to}" "${PROJECT_BINARY_DIR}/${name}" SYMBOLIC)
  endforeach()
endfunction()

set(arch_folder ${ACLSIM_ARCH}-linux)
aclsim_place(compiler/tikcpp tools/tikcpp ${arch_folder}/tikcpp)
aclsim_place(${kernel_cmake} ascendc_devkit/tikcpp/samples/cmake lib/cmake/ASC)
aclsim_place(${kernel_cmake}/tikicpulib tools/tikicpulib/lib/cmake lib/cmake/tikicpulib)
aclsim_place(lib64 ${arch_folder}/devlib)
aclsim_place(asc ${arch_folder}/asc)

# Headers: the newer folder has parts, of which some are one here.
aclsim_place(include/ascendc compiler/tikcpp/tikcfw tools/tikicpulib/lib/include
  asc/include/basic_api asc/include/interface asc/include/micro_api asc/include/aicpu_api)
aclsim_place(include/tiling asc/include/tiling)
file(GLOB parts RELATIVE "${PROJECT_BINARY_DIR}/include/ascendc" "${PROJECT_BINARY_DIR}/include/ascendc/*")
list(REMOVE_ITEM parts basic_api)  # linked above, with all headers
foreach(part IN LISTS parts)
  aclsim_place(include/ascendc/${part} asc/include/${part})
endforeach()

# Libraries that build files look for by the name of a chip.
include("${PROJECT_SOURCE_DIR}/cmake/ascendc/soc.cmake")
foreach(number 2201 3510 1001 2002 3002)
  foreach(soc IN LISTS _ascendc_socs_${number})
    aclsim_place(lib64 tools/tikicpulib/lib/${soc} tools/simulator/${soc}/lib)
  endforeach()
  aclsim_place(lib64 tools/simulator/dav_${number}/lib)
endforeach()
# libascend_hal is the driver, which kernels' build files link without a call.
aclsim_place(lib64/libascendcl.so lib64/libruntime_camodel.so lib64/libnpu_drv_camodel.so
  lib64/libascend_hal.so)

# Tools beside the compiler, which older build files call themselves.
set(tools_folder ${arch_folder}/ccec_compiler/bin)
aclsim_place(bin/bisheng ${tools_folder}/bisheng compiler/ccec_compiler/bin/bisheng)
foreach(tool ld.lld llvm-ar)
  aclsim_place(${tools_folder}/${tool} compiler/ccec_compiler/bin/${tool})
  file(COPY "${toolkit}/${tool}" DESTINATION "${PROJECT_BINARY_DIR}/${tools_folder}")
  install(PROGRAMS "${toolkit}/${tool}" DESTINATION ${tools_folder})
endforeach()

# Archives that build files name by path; here they only lead to the library.
foreach(archive ascendc_runtime tiling_api)
  file(CONFIGURE OUTPUT "${stage}/lib64/lib${archive}.a" CONTENT "INPUT(-lascendc_runtime)\n")
endforeach()

# In trees of older versions this was a link.
install(CODE [[
  set(folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/asc/include")
  if(IS_SYMLINK "${folder}")
    file(REMOVE "${folder}")
  endif()
]])
install(TARGETS bisheng_command ascendc_translate_command RUNTIME DESTINATION bin)
install(TARGETS op_build_command RUNTIME DESTINATION tools/opbuild)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/cmake/ascendc/" DESTINATION ${kernel_cmake} USE_SOURCE_PERMISSIONS)
