# SPDX-License-Identifier: Apache-2.0
# The functions of ascendc.cmake, which projects of the language ASC have, too. Each source is one
# command: bisheng makes an object and the headers aclrtlaunch_KERNEL.h of it.
include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(SET CMP0116 NEW)  # dependency files name what they are for by its full path

# The toolkit that this file belongs to. A build file may have found the file through any link.
get_filename_component(_ascendc_root "${CMAKE_CURRENT_LIST_FILE}" REALPATH)
while(NOT EXISTS "${_ascendc_root}/include/ascendc/impl/chevron.h")
  get_filename_component(_ascendc_above "${_ascendc_root}" DIRECTORY)
  if(_ascendc_above STREQUAL _ascendc_root)
    message(FATAL_ERROR "${CMAKE_CURRENT_LIST_FILE} does not lie in a toolkit")
  endif()
  set(_ascendc_root "${_ascendc_above}")
endwhile()
set(_ascendc_root "${_ascendc_root}" CACHE INTERNAL "The toolkit of the kernel build files")

# CMake writes wrong rules for make and Ninja if a folder's name has these characters; quoting them here
# does not help.
function(_ascendc_refuse_name folder pattern shown)
  if(folder MATCHES "${pattern}")
    message(FATAL_ERROR "The folder '${folder}' has ${shown} in its name, which the generator ${CMAKE_GENERATOR} "
      "cannot build kernels in; expected another name")
  endif()
endfunction()
_ascendc_refuse_name("${CMAKE_SOURCE_DIR}" "\\$[({]" "'$(' or '\${'")
_ascendc_refuse_name("${CMAKE_BINARY_DIR}" "\\$[({]" "'$(' or '\${'")

# _ascendc_settings(TARGET): a target that holds what the other functions specify for TARGET. Custom
# commands read its properties at generation time, when all of them are known.
function(_ascendc_settings target)
  if(NOT TARGET ${target}_ascendc_settings)
    add_library(${target}_ascendc_settings INTERFACE)
  endif()
endfunction()

function(_ascendc_require_target target function)
  if(NOT TARGET ${target}_ascendc_settings)
    message(FATAL_ERROR "${function}: '${target}' was not made by ascendc_library or ascendc_fatbin_library")
  endif()
endfunction()

# _ascendc_forward(DONE TARGET FUNCTION SCOPE VALUES): for a target of the language ASC, which bisheng compiles
# like sources of any language. DONE is false for targets of the functions below.
function(_ascendc_forward done target function scope)
  set(${done} FALSE PARENT_SCOPE)
  if(TARGET ${target} AND NOT TARGET ${target}_ascendc_settings)
    cmake_language(CALL ${function} ${target} ${scope} ${ARGN})
    set(${done} TRUE PARENT_SCOPE)
  endif()
endfunction()

function(ascendc_compile_definitions target scope)
  _ascendc_forward(done ${target} target_compile_definitions ${scope} ${ARGN})
  if(done)
    return()
  endif()
  _ascendc_require_target(${target} ascendc_compile_definitions)
  set(definitions)
  foreach(definition IN LISTS ARGN)
    string(REGEX REPLACE "(^|:)-D" "\\1" definition "${definition}")  # also in a generator expression
    list(APPEND definitions "${definition}")
  endforeach()
  set_property(TARGET ${target}_ascendc_settings APPEND PROPERTY
    INTERFACE_COMPILE_DEFINITIONS "${definitions}")
endfunction()

function(ascendc_compile_options target scope)
  _ascendc_forward(done ${target} target_compile_options ${scope} ${ARGN})
  if(done)
    return()
  endif()
  _ascendc_require_target(${target} ascendc_compile_options)
  set_property(TARGET ${target}_ascendc_settings APPEND PROPERTY INTERFACE_COMPILE_OPTIONS "${ARGN}")
endfunction()

function(ascendc_include_directories target scope)
  _ascendc_forward(done ${target} target_include_directories ${scope} ${ARGN})
  if(done)
    return()
  endif()
  _ascendc_require_target(${target} ascendc_include_directories)
  foreach(folder IN LISTS ARGN)
    if(NOT folder MATCHES "^\\$<")
      get_filename_component(folder "${folder}" ABSOLUTE)
    endif()
    set_property(TARGET ${target}_ascendc_settings APPEND PROPERTY
      INTERFACE_INCLUDE_DIRECTORIES "${folder}")
  endforeach()
endfunction()

# _ascendc_flags(OUT): for all sources.
function(_ascendc_flags out)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  set(flags -std=c++17 -fPIC)
  if(type STREQUAL "DEBUG")
    list(APPEND flags -O0 -g)
  elseif(type STREQUAL "RELEASE")
    list(APPEND flags -O3 -DNDEBUG)
  else()
    list(APPEND flags -O2 -g)
  endif()
  if(_ascendc_architecture)
    list(APPEND flags --npu-arch=${_ascendc_architecture})
  elseif(CMAKE_ASC_ARCHITECTURES)
    list(APPEND flags --npu-arch=${CMAKE_ASC_ARCHITECTURES})
  endif()
  if(RUN_MODE STREQUAL "cpu" OR CMAKE_ASC_RUN_MODE STREQUAL "cpu")
    list(APPEND flags --run-mode=cpu -DASCENDC_DEBUG=1 -DASCENDC_DUMP=0)
  endif()
  if(CMAKE_CXX_COMPILER)
    list(APPEND flags "--asc-host-compiler=${CMAKE_CXX_COMPILER}")
  endif()
  set(${out} "${flags}" PARENT_SCOPE)
endfunction()

# _ascendc_compile(OUT TARGET HEADERS SOURCE...): commands for the objects of a target. HEADERS: the
# folder of the launchers' headers; empty: none are made.
function(_ascendc_compile out target headers)
  _ascendc_refuse_name("${CMAKE_BINARY_DIR}" "#" "'#'")
  if(CMAKE_GENERATOR MATCHES "Ninja")  # the file of dependencies is not quoted
    _ascendc_refuse_name("${CMAKE_BINARY_DIR}" "\\$" "'$'")
  endif()
  _ascendc_settings(${target})
  _ascendc_flags(flags)
  set(settings ${target}_ascendc_settings)
  foreach(kind DEFINITIONS:-D INCLUDE_DIRECTORIES:-I)
    string(REPLACE ":" ";" kind "${kind}")
    list(GET kind 0 name)
    list(GET kind 1 option)
    if(name STREQUAL "DEFINITIONS")
      set(name COMPILE_DEFINITIONS)
    endif()
    set(list "$<TARGET_PROPERTY:${settings},INTERFACE_${name}>")
    list(APPEND flags "$<$<BOOL:${list}>:${option}$<JOIN:${list},;${option}>>")
  endforeach()
  list(APPEND flags "$<TARGET_PROPERTY:${settings},INTERFACE_COMPILE_OPTIONS>")
  if(headers)
    file(MAKE_DIRECTORY "${headers}")
    list(APPEND flags "--asc-launch-headers=${headers}")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.ascendc")
  file(MAKE_DIRECTORY "${folder}")
  set(objects)
  foreach(source IN LISTS ARGN)
    get_filename_component(source "${source}" ABSOLUTE)
    get_filename_component(name "${source}" NAME)
    string(REGEX REPLACE "[^A-Za-z0-9_.+-]" "_" name "${name}")  # make and CMake take not all as an output
    list(LENGTH objects number)
    set(object "${folder}/${number}_${name}.o")
    file(RELATIVE_PATH shown "${CMAKE_BINARY_DIR}" "${object}")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${_ascendc_root}/bin/bisheng" -x asc "${flags}" -MD -MQ "${object}" -MF "${object}.d"
              -c "${source}" -o "${object}"
      DEPENDS "${source}" "${_ascendc_root}/bin/bisheng"
      DEPFILE "${object}.d"
      COMMENT "Building kernels ${shown}"
      COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  # A source that was removed from the target may have left files with the same kernel names.
  file(GLOB left "${folder}/*.launchers")
  foreach(launchers IN LISTS left)
    string(REGEX REPLACE "\\.launchers$" "" object "${launchers}")
    if(NOT object IN_LIST objects)
      file(REMOVE_RECURSE "${launchers}")
      file(REMOVE ${objects})
    endif()
  endforeach()
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()

function(_ascendc_require_sources target function)
  if(NOT ARGN)
    message(FATAL_ERROR "${function}: '${target}' has no sources")
  endif()
  foreach(source IN LISTS ARGN)
    get_filename_component(path "${source}" ABSOLUTE)
    if(NOT EXISTS "${path}")
      message(FATAL_ERROR "${function}: the source '${source}' of '${target}' does not exist")
    endif()
  endforeach()
endfunction()

function(ascendc_library target type)
  string(TOUPPER "${type}" type)
  if(NOT type MATCHES "^(STATIC|SHARED|OBJECT)$")
    message(FATAL_ERROR "ascendc_library: '${target}' is ${type}; expected STATIC, SHARED or OBJECT")
  endif()
  _ascendc_require_sources(${target} ascendc_library ${ARGN})
  set(headers "${CMAKE_BINARY_DIR}/include/${target}")
  _ascendc_compile(objects ${target} "${headers}" ${ARGN})
  add_library(${target} ${type} ${objects})
  set_target_properties(${target} PROPERTIES
    LINKER_LANGUAGE CXX
    ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib"
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  target_include_directories(${target} INTERFACE "$<BUILD_INTERFACE:${headers}>"
    "$<BUILD_INTERFACE:${_ascendc_root}/include>" "$<BUILD_INTERFACE:${_ascendc_root}/include/ascendc>")
  target_link_libraries(${target} PUBLIC
    "${_ascendc_root}/lib64/libascendc_runtime.so" "${_ascendc_root}/lib64/libascendcl.so" dl)
  if(type STREQUAL "OBJECT")  # objects that CMake did not compile are not passed on by themselves
    target_link_libraries(${target} INTERFACE ${objects})
  else()
    add_custom_command(TARGET ${target} PRE_LINK
      COMMAND "${_ascendc_root}/bin/bisheng" --asc-require-one-definition ${objects} VERBATIM)
    install(TARGETS ${target} LIBRARY DESTINATION lib ARCHIVE DESTINATION lib)
  endif()
  install(DIRECTORY "${headers}" DESTINATION include)
endfunction()

function(ascendc_fatbin_library target)
  _ascendc_require_sources(${target} ascendc_fatbin_library ${ARGN})
  _ascendc_compile(objects ${target} "" ${ARGN})
  set(file "${CMAKE_INSTALL_PREFIX}/fatbin/${target}/${target}.o")
  get_filename_component(folder "${file}" DIRECTORY)
  add_custom_command(OUTPUT "${file}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
    COMMAND "${_ascendc_root}/bin/bisheng" -shared ${objects} -o "${file}"
            "$<$<BOOL:${CMAKE_CXX_COMPILER}>:--asc-host-compiler=${CMAKE_CXX_COMPILER}>"
    DEPENDS ${objects}
    COMMENT "Linking kernels ${file}"
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target} ALL DEPENDS "${file}")
endfunction()

cmake_policy(POP)
