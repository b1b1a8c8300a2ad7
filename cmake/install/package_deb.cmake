# SPDX-License-Identifier: Apache-2.0
# Run by CPack when the tree of a .deb is complete.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(tree "${CPACK_TEMPORARY_INSTALL_DIRECTORY}")

# The command and its manual pages are links below /usr, where shells and man look for them.
set(prefix opt/aclsim)
set(usr "${tree}/usr")
file(MAKE_DIRECTORY "${usr}/bin" "${usr}/share/man/man1" "${usr}/share/doc")
file(CREATE_LINK ../../${prefix}/bin/aclsim "${usr}/bin/aclsim" SYMBOLIC)
file(CREATE_LINK ../../../${prefix}/share/doc/aclsim "${usr}/share/doc/aclsim" SYMBOLIC)
file(GLOB pages RELATIVE "${tree}/${prefix}/share/man/man1" "${tree}/${prefix}/share/man/man1/*.1")
foreach(page IN LISTS pages)
  file(CREATE_LINK ../../../../${prefix}/share/man/man1/${page} "${usr}/share/man/man1/${page}" SYMBOLIC)
endforeach()

# The packages of the libraries that the files load. CPACK_DEBIAN_PACKAGE_SHLIBDEPS finds the same, but
# starts `file` for each of thousands of files, and follows links of folders.
cmake_policy(SET CMP0009 NEW)  # GLOB_RECURSE does not
file(GLOB_RECURSE files LIST_DIRECTORIES false "${tree}/*")
set(binaries)
foreach(file IN LISTS files)
  file(READ "${file}" magic LIMIT 4 HEX)
  if(magic STREQUAL "7f454c46" AND NOT IS_SYMLINK "${file}")
    list(APPEND binaries -e "${file}")
  endif()
endforeach()
# dpkg-shlibdeps wants debian/control where it runs, and DEBIAN in the tree of a package for $ORIGIN.
set(work "${tree}.shlibdeps")
file(MAKE_DIRECTORY "${work}/debian" "${tree}/DEBIAN")
file(WRITE "${work}/debian/control" "")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E env LC_ALL=C dpkg-shlibdeps --ignore-missing-info -O ${binaries}
  WORKING_DIRECTORY "${work}"
  OUTPUT_VARIABLE depends ERROR_VARIABLE said RESULT_VARIABLE status)
file(REMOVE_RECURSE "${work}" "${tree}/DEBIAN")
if(NOT status EQUAL 0 OR NOT depends MATCHES "^shlibs:Depends=([^\n]+)")
  message(FATAL_ERROR "dpkg-shlibdeps failed (${status}): ${said}")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CMAKE_MATCH_1}, ${CPACK_DEBIAN_PACKAGE_DEPENDS}")
