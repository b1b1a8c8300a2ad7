# SPDX-License-Identifier: Apache-2.0
# The public headers. Most are committed in include/. Headers that only include another header
# are generated into generated/include of the build tree: include/generated_headers.tsv
# has a row for each of them. Two regular groups need no rows:
#
#   aclnnop/level2/NAME.h   includes aclnnop/NAME.h, for each committed header of an operator
#   ascendc/lib/FOLDER/NAME.h, and .../kernel_operator_NAME_intf.h: the older names of
#                           ascendc/adv_api/FOLDER/NAME.h, for each row of kind `library`; the
#                           first also for ..._tiling.h
#
# ascendc/adv_api/kernel_api.h includes the headers of all rows of this kind.
#
# The tests use the build tree as a toolkit, whose headers are in one folder. So the folder include of the
# build tree has a link to each committed and to each generated header.
#
#   ACLSIM_PUBLIC_INCLUDE      the two include paths, for the targets of this project
#   ACLSIM_GENERATED_HEADERS   the generated headers, relative to the second path
set(generated_include "${PROJECT_BINARY_DIR}/generated/include")
set(ACLSIM_PUBLIC_INCLUDE "${PROJECT_SOURCE_DIR}/include" "${generated_include}")
set(ACLSIM_GENERATED_HEADERS)

# aclsim_generate_header(HEADER INCLUDES BODY): writes the header unless it has this text already.
macro(aclsim_generate_header header includes body)
  string(TOUPPER "${header}_" guard)
  string(REGEX REPLACE "[/.]" "_" guard "${guard}")
  set(lines "")
  foreach(include ${includes})
    string(APPEND lines "#include \"${include}\"\n")
  endforeach()
  file(CONFIGURE OUTPUT "${generated_include}/${header}" @ONLY CONTENT
"/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ${guard}
#define ${guard}

${lines}${body}
#endif /* ${guard} */
")
  list(APPEND ACLSIM_GENERATED_HEADERS "${header}")
endmacro()

set(library_headers)
set(table "${PROJECT_SOURCE_DIR}/include/generated_headers.tsv")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${table}")
file(STRINGS "${table}" rows)
list(POP_FRONT rows)  # the column names
foreach(row IN LISTS rows)
  if(NOT row MATCHES "^([^\t]+)\t(include|library)\t([^\t]+)$")
    message(FATAL_ERROR
      "${table}: expected header, 'include' or 'library', headers; found: ${row}")
  endif()
  set(header "${CMAKE_MATCH_1}")
  set(kind "${CMAKE_MATCH_2}")
  string(REPLACE " " ";" names "${CMAKE_MATCH_3}")
  if(kind STREQUAL "include")
    aclsim_generate_header("${header}" "${names}" "")
    if(header MATCHES "^ascendc/adv_api/(.*_tiling\\.h)$")
      aclsim_generate_header("ascendc/lib/${CMAKE_MATCH_1}" "${header}" "")
    endif()
    continue()
  endif()
  aclsim_generate_header("${header}" "${names}" "")
  string(REPLACE "ascendc/adv_api/" "ascendc/lib/" older "${header}")
  aclsim_generate_header("${older}" "${header}" "")
  string(REGEX REPLACE "/([^/]*)\\.h$" "/kernel_operator_\\1_intf.h" older "${older}")
  aclsim_generate_header("${older}" "${header}" "")
  list(APPEND library_headers "${header}")
endforeach()
aclsim_generate_header(ascendc/adv_api/kernel_api.h "${library_headers};ascendc/impl/tiling_names.h" "")

file(GLOB_RECURSE committed CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
     "${PROJECT_SOURCE_DIR}/include/*.h")
set(operators "${committed}")
list(FILTER operators INCLUDE REGEX "^aclnnop/aclnn_")
list(REMOVE_ITEM operators aclnnop/aclnn_util.h)
foreach(header IN LISTS operators)
  string(REPLACE "aclnnop/" "aclnnop/level2/" older "${header}")
  aclsim_generate_header("${older}" "${header}" "")
endforeach()

# aclsim_remove_other_headers(FOLDER HEADER...): removes all other headers from the folder; an earlier
# configuration has put them there.
function(aclsim_remove_other_headers folder)
  file(GLOB_RECURSE headers RELATIVE "${folder}" "${folder}/*.h")
  list(REMOVE_ITEM headers ${ARGN})
  foreach(header IN LISTS headers)
    file(REMOVE "${folder}/${header}")
  endforeach()
endfunction()
set(one_folder "${PROJECT_BINARY_DIR}/include")
if(IS_SYMLINK "${one_folder}")  # in build trees of older versions
  file(REMOVE "${one_folder}")
endif()
aclsim_remove_other_headers("${generated_include}" ${ACLSIM_GENERATED_HEADERS})
aclsim_remove_other_headers("${one_folder}" ${committed} ${ACLSIM_GENERATED_HEADERS})

# aclsim_link_headers(FOLDER HEADER...): makes the missing links in include of the build tree.
function(aclsim_link_headers folder)
  foreach(header IN LISTS ARGN)
    set(link "${one_folder}/${header}")
    if(NOT IS_SYMLINK "${link}" OR NOT EXISTS "${link}")
      get_filename_component(parent "${link}" DIRECTORY)
      file(MAKE_DIRECTORY "${parent}")
      file(CREATE_LINK "${folder}/${header}" "${link}" SYMBOLIC)
    endif()
  endforeach()
endfunction()
aclsim_link_headers("${PROJECT_SOURCE_DIR}/include" ${committed})
aclsim_link_headers("${generated_include}" ${ACLSIM_GENERATED_HEADERS})
