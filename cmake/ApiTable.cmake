# SPDX-License-Identifier: Apache-2.0
# Writes generated/api_table.inc: what each published function is, for `aclsim api`.
# One row each: {"name", "header", "section", "tier", "emulated|unsupported|inline", "feature"},
# The truth is tests/abi/functions.tsv and the ACL_UNSUPPORTED rows of the runtime.

set(api_functions_table ${PROJECT_SOURCE_DIR}/tests/abi/functions.tsv)
file(GLOB api_unsupported_sources CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/runtime/acl/capi/unsupported/*.cpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${api_functions_table} ${api_unsupported_sources})

# Sets missing_<function> to the missing feature, for each row of one source.
macro(api_read_unsupported source)
  file(READ ${source} api_text)
  string(REGEX REPLACE "[][;]" " " api_text "${api_text}") # these would break a CMake list
  string(REGEX MATCHALL "ACL_UNSUPPORTED\\([^\"]*\"[^\"]*\"" api_rows "${api_text}")
  foreach(api_row IN LISTS api_rows)
    if(NOT api_row MATCHES "^ACL_UNSUPPORTED\\([^,]*,[ \n]*([A-Za-z0-9_]+),[^\"]*\"([^\"]*)\"$")
      message(FATAL_ERROR "${source}: cannot read the row ${api_row}")
    endif()
    set(missing_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  endforeach()
endmacro()

function(api_write_table output)
  foreach(source IN LISTS api_unsupported_sources)
    api_read_unsupported(${source})
  endforeach()
  file(READ ${api_functions_table} lines)
  string(REGEX REPLACE "[][;]" " " lines "${lines}")
  string(REGEX REPLACE "\n" ";" lines "${lines}")
  list(POP_FRONT lines) # the column names
  set(column "([^\t]*)")
  set(table "")
  foreach(line IN LISTS lines)
    if(line STREQUAL "")
      continue()
    endif()
    string(REGEX MATCH
      "^${column}\t${column}\t${column}\t${column}\t${column}\t${column}\t${column}$" _ "${line}")
    set(header "${CMAKE_MATCH_1}")
    set(section "${CMAKE_MATCH_2}")
    set(name "${CMAKE_MATCH_4}")
    set(tier "${CMAKE_MATCH_6}")
    set(state emulated)
    set(feature "")
    if(CMAKE_MATCH_7 STREQUAL "inline")
      set(state inline)
    elseif(DEFINED missing_${name})
      set(state unsupported)
      set(feature "${missing_${name}}")
    endif()
    string(APPEND table
      "{\"${name}\", \"${header}\", \"${section}\", \"${tier}\", \"${state}\", \"${feature}\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${table}" @ONLY)
endfunction()

api_write_table(${CMAKE_BINARY_DIR}/generated/api_table.inc)
