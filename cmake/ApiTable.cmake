# SPDX-License-Identifier: Apache-2.0
# Writes generated/api_table.inc for `aclsim api`. It has one row for each published function:
# {"name", "header", "section", "tier", "emulated|unsupported|inline", "feature", "interface"},
# Writes also generated/call_losses.inc: the loss of a failed call of each function
# (runtime/order/report/call_loss.h). It has one row for each function, sorted by name:
# {"name", Loss::nothing|little|work|memory},
# The sources are functions.tsv of each interface in tests/abi and the tables of unsupported functions of
# its library.

# Sets missing_<function> to the missing feature, for each row of one source: MACRO(type, name, ... "feature"),
# and UNDECLARED(name) or UNDECLARED_AS(type, name, ...) for a function that no header declares.
macro(api_read_unsupported source)
  file(READ ${source} api_text)
  string(REGEX REPLACE "[][;]" " " api_text "${api_text}") # these would break a CMake list
  string(REGEX MATCHALL "[A-Z]+_UNSUPPORTED(_AFTER)?\\([^\"]*\"[^\"]*\"" api_rows "${api_text}")
  foreach(api_row IN LISTS api_rows)
    if(NOT api_row MATCHES "^[A-Z]+_UNSUPPORTED(_AFTER)?\\([^,]*,[ \n]*([A-Za-z0-9_]+),[^\"]*\"([^\"]*)\"$")
      message(FATAL_ERROR "${source}: cannot read the row ${api_row}")
    endif()
    set(missing_${CMAKE_MATCH_2} "${CMAKE_MATCH_3}")
  endforeach()
  string(REGEX MATCHALL "[A-Z]+_UNDECLARED(_AS\\([a-z0-9_]+, |\\()[A-Za-z0-9_]+" api_rows "${api_text}")
  foreach(api_row IN LISTS api_rows)
    string(REGEX MATCH "[A-Za-z0-9_]+$" api_name "${api_row}")
    set(missing_${api_name} "interfaces between parts of the vendor's software")
  endforeach()
endmacro()

# api_add_rows(TABLE INTERFACE FUNCTIONS SOURCES...): appends the rows of one interface to the variable.
function(api_add_rows table interface functions)
  foreach(source IN LISTS ARGN)
    api_read_unsupported(${source})
  endforeach()
  file(READ ${functions} lines)
  string(REGEX REPLACE "[][;]" " " lines "${lines}")
  string(REGEX REPLACE "\n" ";" lines "${lines}")
  list(POP_FRONT lines) # the column names
  set(column "([^\t]*)")
  set(rows "${${table}}")
  set(losses "${api_losses}")
  foreach(line IN LISTS lines)
    if(line STREQUAL "")
      continue()
    endif()
    string(REGEX MATCH
      "^${column}\t${column}\t${column}\t${column}\t${column}\t${column}\t${column}\t${column}$" _ "${line}")
    set(header "${CMAKE_MATCH_1}")
    set(section "${CMAKE_MATCH_2}")
    set(name "${CMAKE_MATCH_4}")
    set(library "${CMAKE_MATCH_7}")
    set(loss "${CMAKE_MATCH_8}")
    set(tier "${CMAKE_MATCH_6}")
    if(NOT loss MATCHES "^(nothing|little|work|memory)$")
      message(FATAL_ERROR "${functions}: the loss of ${name} is '${loss}'")
    endif()
    list(APPEND losses "{\"${name}\", Loss::${loss}},\n")
    if(section STREQUAL "first phases") # an operator is one row
      continue()
    endif()
    set(state emulated)
    set(feature "")
    if(library MATCHES "^(inline|header)$")
      set(state inline)
    elseif(DEFINED missing_${name})
      set(state unsupported)
      set(feature "${missing_${name}}")
    endif()
    string(APPEND rows "{\"${name}\", \"${header}\", \"${section}\", \"${tier}\", "
      "\"${state}\", \"${feature}\", \"${interface}\"},\n")
  endforeach()
  set(${table} "${rows}" PARENT_SCOPE)
  set(api_losses "${losses}" PARENT_SCOPE)
endfunction()

set(api_rows_of_all "")
set(api_losses "")
# api_interface(NAME FOLDER FUNCTIONS...): the folder of the library's refusals, and its tables in tests/abi.
macro(api_interface name folder)
  file(GLOB api_sources CONFIGURE_DEPENDS
       ${PROJECT_SOURCE_DIR}/runtime/${folder}/capi/unsupported/*.cpp)
  foreach(api_functions ${ARGN})
    set(api_functions ${PROJECT_SOURCE_DIR}/tests/abi/${api_functions})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${api_functions} ${api_sources})
    api_add_rows(api_rows_of_all ${name} ${api_functions} ${api_sources})
  endforeach()
endmacro()

api_interface(acl acl functions.tsv)
api_interface(hccl hccl hccl/functions.tsv)
api_interface(shmem shmem shmem/functions.tsv shmem_older/functions.tsv)
api_interface(cuda cuda cuda/functions.tsv)
api_interface(aclnn aclnn aclnn/functions.tsv)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/api_table.inc CONTENT "${api_rows_of_all}" @ONLY)
list(REMOVE_DUPLICATES api_losses) # overloads
list(SORT api_losses)
list(JOIN api_losses "" api_losses)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/call_losses.inc CONTENT "${api_losses}" @ONLY)
