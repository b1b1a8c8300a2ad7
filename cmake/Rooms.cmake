# SPDX-License-Identifier: Apache-2.0
# Rooms: folders with walls. A room is a folder of the source tree. Its code sees its own headers and
# the headers of the rooms that it names, and no others. The walls are include paths: the build tree
# has one root per room that holds nothing but a link to the folder, so
#
#   #include "device_sim/streams/stream.h"
#
# compiles exactly where the root of device_sim/streams is on the include path.
#
#   aclsim_room(PATH)          makes the root of a folder and the interface target that carries it.
#   aclsim_room_library(...)   compiles a room behind its walls, as an object library.
#   aclsim_room_pch(...)       makes the precompiled header that several rooms share.
#   aclsim_write_walls(FILE)   writes down what each room sees, for the test rooms.walls.
#
# Rooms are declared lowest first, and a room may name only rooms that are declared: a cycle
# cannot be stated. The test rooms.walls compares the include paths of the compiler with the names.

# aclsim_room_target(OUT PATH): the name of the interface target of a room.
function(aclsim_room_target out path)
  string(REPLACE "/" "-" name "${path}")
  set(${out} room_${name} PARENT_SCOPE)
endfunction()

# aclsim_room(PATH): PATH is a folder, relative to the top of the source tree. Makes the interface
# target room_PATH (slashes become dashes: room_device_sim-base) with which `#include "PATH/..."`
# works and nothing else of the source tree does. Subfolders belong to the room, so a target that links
# room_device_sim sees all rooms of device_sim.
function(aclsim_room path)
  if(NOT IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${path}")
    message(FATAL_ERROR "Room ${path}: there is no such folder")
  endif()
  aclsim_room_target(target "${path}")
  string(REPLACE "/" "-" name "${path}")
  set(root "${PROJECT_BINARY_DIR}/rooms/${name}")
  get_filename_component(parent "${root}/${path}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${path}" "${root}/${path}" SYMBOLIC)
  add_library(${target} INTERFACE)
  target_include_directories(${target} INTERFACE "${root}")
endfunction()

# aclsim_room_library(NAME PATH [SEES path...] [LIBS library...] [PCH target])
# Makes the room PATH and the object library NAME of all C++ files below it. They see the room
# itself, the rooms SEES (paths, as in aclsim_room) and the headers of LIBS, which must not carry
# rooms. SEES is not transitive: if headers of a room in SEES include headers of another room, list that
# room too. PCH: see aclsim_room_pch.
#
# Put the objects into a library with target_link_libraries(LIBRARY PRIVATE NAME...): their LIBS
# are then linked too, and the walls stay inside. The rooms that clients of the library shall see
# are for the library to state: target_link_libraries(LIBRARY PUBLIC room_...).
# NAME is an ordinary target; compile definitions and options may be added to it.
function(aclsim_room_library name path)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "PCH" "SEES;LIBS")
  aclsim_room_target(own_target "${path}")
  if(TARGET ${own_target})
    message(FATAL_ERROR "Room ${path}: declared before; aclsim_room_library declares it itself")
  endif()
  set(seen_targets)
  foreach(seen IN LISTS arg_SEES)
    aclsim_room_target(target "${seen}")
    if(NOT TARGET ${target})
      message(FATAL_ERROR "Room ${path} sees ${seen}, which is not declared. Lower rooms come first")
    endif()
    string(FIND "${path}/" "${seen}/" at)
    if(at EQUAL 0)
      message(FATAL_ERROR "Room ${path} sees ${seen}, the folder that it lies in: no wall is left")
    endif()
    list(APPEND seen_targets ${target})
  endforeach()

  aclsim_room(${path})
  aclsim_sources(sources "${PROJECT_SOURCE_DIR}/${path}")
  add_library(${name} OBJECT ${sources})
  target_link_libraries(${name}
    PRIVATE ${own_target} ${seen_targets} ${arg_LIBS} aclsim_warnings)
  if(arg_PCH)
    target_precompile_headers(${name} REUSE_FROM ${arg_PCH})
  endif()
  set_target_properties(${name} PROPERTIES ACLSIM_ROOM "${path}" ACLSIM_ROOM_SEES "${arg_SEES}")
  set_property(GLOBAL APPEND PROPERTY ACLSIM_ROOM_LIBRARIES ${name})
endfunction()

# aclsim_room_pch(NAME [header...] [LIBS library...]): a target NAME without code that precompiles
# the standard's headers and these once, for all room libraries that say PCH NAME. LIBS: where the
# headers come from. The compiler refuses the result (-Winvalid-pch) where the options of a room
# change what is in it, as a macro does that the headers look at.
function(aclsim_room_pch name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  aclsim_empty_source(empty)
  add_library(${name} OBJECT "${empty}")
  target_link_libraries(${name} PRIVATE ${arg_LIBS} Threads::Threads aclsim_warnings)
  aclsim_precompile(${name} ${arg_UNPARSED_ARGUMENTS})
endfunction()

# aclsim_write_walls(FILE): one line for each room library, at the end of the configuration:
# target, room, rooms that it sees, include path; four fields behind tabs, lists joined by "|".
function(aclsim_write_walls file)
  get_property(libraries GLOBAL PROPERTY ACLSIM_ROOM_LIBRARIES)
  set(lines "")
  foreach(name IN LISTS libraries)
    get_target_property(path ${name} ACLSIM_ROOM)
    string(APPEND lines "${name}\t${path}\t"
      "$<JOIN:$<TARGET_PROPERTY:${name},ACLSIM_ROOM_SEES>,|>\t"
      "$<JOIN:$<TARGET_PROPERTY:${name},INCLUDE_DIRECTORIES>,|>\n")
  endforeach()
  file(GENERATE OUTPUT "${file}" CONTENT "${lines}")
endfunction()

# aclsim_empty_source(OUT): a unit without code, for targets that must have one.
function(aclsim_empty_source out)
  set(empty "${PROJECT_BINARY_DIR}/generated/empty.cpp")
  if(NOT EXISTS "${empty}")
    file(WRITE "${empty}" "// No sources yet.\n")
  endif()
  set(${out} "${empty}" PARENT_SCOPE)
endfunction()

# aclsim_sources(OUT DIR [NOT REGEX]): the C++ files below DIR; an empty unit where there are none.
function(aclsim_sources out dir)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "NOT" "")
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${dir}/*.cpp")
  if(arg_NOT)
    list(FILTER files EXCLUDE REGEX "${arg_NOT}")
  endif()
  if(NOT files)
    aclsim_empty_source(files)
  endif()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

aclsim_room(device_sim)
aclsim_room(runtime)
aclsim_room(tools)
aclsim_room(tests)
aclsim_room(bench)
aclsim_room(pyacl)
aclsim_room(pyshmem)
