# SPDX-License-Identifier: Apache-2.0
# Run by CPack when the tree of a .deb is complete: the command and its manual pages are links below
# /usr, where shells and man look for them.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(prefix opt/aclsim)
set(usr "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr")
file(MAKE_DIRECTORY "${usr}/bin" "${usr}/share/man/man1" "${usr}/share/doc")
file(CREATE_LINK ../../${prefix}/bin/aclsim "${usr}/bin/aclsim" SYMBOLIC)
file(CREATE_LINK ../../../${prefix}/share/doc/aclsim "${usr}/share/doc/aclsim" SYMBOLIC)
file(GLOB pages RELATIVE "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${prefix}/share/man/man1"
     "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${prefix}/share/man/man1/*.1")
foreach(page IN LISTS pages)
  file(CREATE_LINK ../../../../${prefix}/share/man/man1/${page} "${usr}/share/man/man1/${page}" SYMBOLIC)
endforeach()
