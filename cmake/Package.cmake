# SPDX-License-Identifier: Apache-2.0
# `cmake --build BUILD --target package` makes a relocatable .tar.gz and, on systems with dpkg, a .deb.
# Both hold the install tree. The .deb puts it into /opt/aclsim, with the command and its manual pages
# below /usr as links.

set(CPACK_PACKAGE_NAME aclsim)
set(CPACK_PACKAGE_VENDOR "The aclsim maintainers")
set(ACLSIM_MAINTAINER "The aclsim maintainers <maintainers@aclsim.invalid>" CACHE STRING
    "Name and address that packages carry; set it when you hand them out")
set(CPACK_PACKAGE_CONTACT "${ACLSIM_MAINTAINER}")
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Emulator of the Ascend ACL runtime for machines without an NPU")
set(CPACK_PACKAGE_DESCRIPTION
"Programs written against acl/acl.h build and run unchanged on emulated devices.
The package holds the library libascendcl.so, its headers, the Python module
acl, samples, and the command aclsim, which runs, checks and explores such
programs and replays traces of them.")
set(CPACK_PACKAGE_FILE_NAME "aclsim-${PROJECT_VERSION}-linux-${ACLSIM_ARCH}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_GENERATOR TGZ)
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/install/package_options.cmake")

find_program(ACLSIM_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(ACLSIM_SHLIBDEPS)
if(ACLSIM_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-14 | clang")  # compiles kernels
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libdw1")  # lines in the reports of the checker
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, python3, python3-numpy")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/install/package_deb.cmake")
include(CPack)
