# SPDX-License-Identifier: Apache-2.0
# The install tree has the shape of a CANN toolkit: one real include/ and lib64/, and every other
# name that programs look under is a relative link to them, so that the tree can be moved.
include(CMakePackageConfigHelpers)

set(toolkit "${PROJECT_SOURCE_DIR}/cmake/install")
set(stage "${PROJECT_BINARY_DIR}/toolkit")

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(ACLSIM_ARCH aarch64)
else()
  set(ACLSIM_ARCH "${CMAKE_SYSTEM_PROCESSOR}")
endif()

# Names that programs link with besides -lascendcl.
set(ACLSIM_LIBRARY_ALIASES
  acl_rt acl_rt_impl acl_rtc acl_tdt_channel acl_tdt_queue ascend_dump msprofiler profapi runtime
  acl_op_compiler acl_op_executor acl_mdl acl_dvpp acl_dvpp_mpi acl_cblas acl_retr rt2_registry
  register platform graph_base error_manager ge_common_base unified_dlog mmpa ascendalog tiling_api)

# aclsim_link(TARGET NAME): in the staged tree, NAME is a symbolic link to TARGET.
function(aclsim_link target name)
  get_filename_component(dir "${stage}/${name}" DIRECTORY)
  file(MAKE_DIRECTORY "${dir}")
  file(CREATE_LINK "${target}" "${stage}/${name}" SYMBOLIC)
endfunction()

file(REMOVE_RECURSE "${stage}")
foreach(alias IN LISTS ACLSIM_LIBRARY_ALIASES)
  aclsim_link(libascendcl.so lib64/lib${alias}.so)
endforeach()
foreach(alias IN LISTS ACLSIM_LIBRARY_ALIASES ITEMS ascendcl)
  aclsim_link(../lib${alias}.so lib64/stub/lib${alias}.so)
endforeach()
# Small libraries of their own, which programs look for in the same places.
set(ACLSIM_COMPANIONS c_sec ms_tools_ext ascendc_runtime)
foreach(companion IN LISTS ACLSIM_COMPANIONS ITEMS hccl hcomm shmem shmem_utils opapi)
  aclsim_link(../lib${companion}.so lib64/stub/lib${companion}.so)
endforeach()
foreach(room runtime acllib ${ACLSIM_ARCH}-linux)
  aclsim_link(../include ${room}/include)
  aclsim_link(../lib64 ${room}/lib64)
endforeach()
aclsim_link(libhccl.so lib64/libhcomm.so)
aclsim_link(libshmem.so lib64/libshmem_utils.so)
# One library of operators under all the names that programs link with or open.
foreach(alias nnopbase opapi_math opapi_nn opapi_cv opapi_transformer)
  aclsim_link(libopapi.so lib64/lib${alias}.so)
  aclsim_link(../lib${alias}.so lib64/stub/lib${alias}.so)
endforeach()
aclsim_link(include pkg_inc)
aclsim_link(../set_env.sh bin/setenv.bash)
# On Debian find_package() looks below lib, not lib64.
aclsim_link(../../lib64/cmake/ascendcl lib/cmake/ascendcl)
aclsim_link(../../lib64/cmake/hccl lib/cmake/hccl)
aclsim_link(../../lib64/cmake/aclnn lib/cmake/aclnn)
aclsim_link(../../lib64/cmake/shmem lib/cmake/shmem)

include(InstallAscendC)

aclsim_link(../../aclsim/samples share/doc/aclsim/samples)
aclsim_link(../../../include share/doc/aclsim/include)

if(TARGET acl)  # an older place of the module
  aclsim_link(../../../../python/site-packages/acl.so pyACL/python/site-packages/acl/acl.so)
endif()

foreach(folder IN LISTS ACLSIM_PUBLIC_INCLUDE)
  install(DIRECTORY "${folder}/" DESTINATION include FILES_MATCHING PATTERN "*.h")
endforeach()
install(TARGETS ascendcl EXPORT ascendclTargets LIBRARY DESTINATION lib64)
install(TARGETS ${ACLSIM_COMPANIONS} LIBRARY DESTINATION lib64)
install(TARGETS hccl EXPORT hcclTargets LIBRARY DESTINATION lib64)
install(TARGETS opapi EXPORT aclnnTargets LIBRARY DESTINATION lib64)
install(TARGETS shmem EXPORT shmemTargets LIBRARY DESTINATION lib64)
install(TARGETS cuda LIBRARY DESTINATION lib64/cuda)  # never where programs look by default
if(TARGET aclsim)
  install(TARGETS aclsim RUNTIME DESTINATION bin)
  if(TARGET aclsim_man)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/man1" DESTINATION share/man)
  endif()
endif()
install(DIRECTORY "${stage}/" DESTINATION .)
install(FILES "${toolkit}/set_env.sh" DESTINATION .)
install(PROGRAMS "${toolkit}/npu-smi" DESTINATION bin)

# Documents keep their place beside samples and headers, so that their links work.
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
  "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION share/doc/aclsim)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION share/doc/aclsim)
install(FILES "${PROJECT_SOURCE_DIR}/scripts/packages.txt" DESTINATION share/doc/aclsim/scripts)
file(GLOB_RECURSE readmes CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  "${PROJECT_SOURCE_DIR}/runtime/README.md" "${PROJECT_SOURCE_DIR}/device_sim/README.md"
  "${PROJECT_SOURCE_DIR}/bench/README.md" "${PROJECT_SOURCE_DIR}/pyshmem/README.md")
foreach(readme IN LISTS readmes)
  get_filename_component(folder "${readme}" DIRECTORY)
  install(FILES "${PROJECT_SOURCE_DIR}/${readme}" DESTINATION "share/doc/aclsim/${folder}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/samples" DESTINATION share/aclsim
  PATTERN __pycache__ EXCLUDE
  REGEX "samples/CMakeLists.txt$" EXCLUDE)  # that one is of the source tree

# The licences of the libraries that are compiled or linked in, if the system's packages have installed them.
foreach(package libboost-dev libboost-context-dev libcli11-dev libfmt-dev libprotobuf-dev libopenblas-serial-dev
                libsqlite3-dev libtomlplusplus-dev nlohmann-json3-dev rapidjson-dev zlib1g-dev)
  get_filename_component(copyright "/usr/share/doc/${package}/copyright" REALPATH)
  if(EXISTS "${copyright}")
    install(FILES "${copyright}" DESTINATION share/doc/aclsim/third-party RENAME ${package})
  endif()
endforeach()

install(DIRECTORY DESTINATION python/site-packages)  # on PYTHONPATH
if(TARGET acl)
  install(TARGETS acl LIBRARY DESTINATION python/site-packages)
  install(TARGETS pyshmem LIBRARY DESTINATION python/site-packages/shmem)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/pyshmem/package/" DESTINATION python/site-packages/shmem
    PATTERN __pycache__ EXCLUDE)
  if(NOT ACLSIM_SANITIZE)
    install(DIRECTORY "${PROJECT_BINARY_DIR}/python/acl-stubs" DESTINATION python/site-packages)
    install(FILES "${PROJECT_SOURCE_DIR}/pyacl/pytest_aclsim.py" DESTINATION python/site-packages)
    install(FILES "${PROJECT_BINARY_DIR}/python/shmem/_pyshmem.pyi"
      DESTINATION python/site-packages/shmem)
  endif()
endif()

set(package_dir lib64/cmake/ascendcl)
install(EXPORT ascendclTargets NAMESPACE ascendcl:: DESTINATION ${package_dir})
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ascendclConfigVersion.cmake"
                                 COMPATIBILITY SameMajorVersion)
install(FILES "${toolkit}/ascendclConfig.cmake" "${PROJECT_BINARY_DIR}/ascendclConfigVersion.cmake"
        DESTINATION ${package_dir})

foreach(library hccl shmem aclnn)
  set(package_dir lib64/cmake/${library})
  install(EXPORT ${library}Targets NAMESPACE ${library}:: DESTINATION ${package_dir})
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/${library}ConfigVersion.cmake"
                                   COMPATIBILITY SameMajorVersion)
  install(FILES "${toolkit}/${library}Config.cmake" "${PROJECT_BINARY_DIR}/${library}ConfigVersion.cmake"
          DESTINATION ${package_dir})
endforeach()

foreach(library ascendcl hccl shmem aclnn aclsim-cuda)
  configure_file("${toolkit}/${library}.pc.in" "${PROJECT_BINARY_DIR}/${library}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${library}.pc" DESTINATION lib64/pkgconfig)
endforeach()
