# SPDX-License-Identifier: Apache-2.0
# Read by CPack for each form: where its tree goes. An archive has one folder, wherever it is unpacked.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_PACKAGING_INSTALL_PREFIX /opt/aclsim)
else()
  set(CPACK_PACKAGING_INSTALL_PREFIX /)
endif()
