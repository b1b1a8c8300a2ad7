# SPDX-License-Identifier: Apache-2.0
# How tests are built and registered: one CTest entry per program and variation of environment.

find_package(Catch2 3 QUIET)
if(NOT Catch2_FOUND)
  find_package(Catch2 2.13 REQUIRED)
endif()

# Tests are compiled without optimisation, because that builds faster; tests that compute for long are
# declared with LONG. The undefined-behaviour sanitizer checks the product, not its tests.
set(aclsim_test_options -O0)
set(aclsim_long_test_options -O1)
if(ACLSIM_SANITIZE)
  list(APPEND aclsim_test_options $<$<STREQUAL:${ACLSIM_SANITIZE},address>:-fno-sanitize=undefined>)
  set(aclsim_long_test_options ${aclsim_test_options})
endif()

# The headers that all test programs include are compiled once.
foreach(kind test long_test)
  aclsim_room_pch(${kind}_pch "${PROJECT_SOURCE_DIR}/tests/support/catch.h" <fmt/format.h>
    LIBS room_tests Catch2::Catch2 aclsim_fmt)
  target_compile_options(${kind}_pch PRIVATE ${aclsim_${kind}_options})
endforeach()

# Every test program has the header tests/support/catch.h and the files beside it, one of which defines
# main(). They use the machine and the system, never ACL.
file(GLOB support_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.cpp")
if(NOT support_sources)
  set(support_sources "${PROJECT_BINARY_DIR}/generated/catch_main.cpp")
  file(CONFIGURE OUTPUT "${support_sources}" CONTENT
"#define CATCH_CONFIG_RUNNER
#include \"tests/support/catch.h\"
int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
")
endif()
# Catch2's own functions, the longest file of all to compile: neither fast nor under suspicion. Under
# ThreadSanitizer it is instrumented: the linker may take its copies of std::shared_ptr's functions
# for the whole program, and then no release of a shared_ptr would be seen.
set(main_options -O0)
if(NOT ACLSIM_SANITIZE STREQUAL "thread")
  list(APPEND main_options -fno-sanitize=all)
endif()
set_source_files_properties("${PROJECT_SOURCE_DIR}/tests/support/main.cpp" PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS "${main_options}")
add_library(aclsim_test_support OBJECT ${support_sources})
target_compile_options(aclsim_test_support PRIVATE ${aclsim_test_options})
target_precompile_headers(aclsim_test_support REUSE_FROM test_pch)
target_compile_definitions(aclsim_test_support PRIVATE ACLSIM_HAVE_UCX=${ACLSIM_HAVE_UCX})
target_link_libraries(aclsim_test_support
  PUBLIC room_tests room_device_sim Catch2::Catch2 aclsim_fmt Threads::Threads
  PRIVATE aclsim_warnings)

# aclsim_row(NAME ROW): a run that is row ROW of a matrix: skipped where ACLSIM_TEST_SHARE names a share
# that does not hold it (tests/support/share.h). To be called after the run's environment is set.
function(aclsim_row name row)
  set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "ACLSIM_TEST_ROW=${row}")
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# With ACLSIM_TEST_TURN=0 or 1 a sanitizer build has only the test programs of that turn (see TURN at
# aclsim_test); the others are not built, and their runs are disabled. scripts/test gives the two
# sanitizers different turns, which change daily.
set(ACLSIM_TEST_TURN "" CACHE STRING "0 or 1: the test programs of a sanitizer build; empty: all")
# The same for programs that compute values on one core (see QUARTER): they take long to compile, and the
# sanitizers find least in them.
set(ACLSIM_TEST_QUARTER "" CACHE STRING "0 to 3: the programs of values of a sanitizer build; empty: all")

# aclsim_run(NAME TARGET [ARGS arg...] [ENVIRONMENT VAR=value...] [LABELS label...] [ROW row])
# Registers one run of a program; the library of this build tree wins over an installed one.
function(aclsim_run name target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "ROW" "ARGS;ENVIRONMENT;LABELS")
  add_test(NAME ${name} COMMAND ${target} ${arg_ARGS})
  set(most 600)
  if(ACLSIM_SANITIZE)  # several times slower
    set(most 1800)
  endif()
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${most}
    LABELS "${arg_LABELS}"
    ENVIRONMENT "${arg_ENVIRONMENT};${ACLSIM_SANITIZER_ENVIRONMENT}"
    ENVIRONMENT_MODIFICATION "LD_LIBRARY_PATH=path_list_prepend:$<TARGET_FILE_DIR:ascendcl>")
  if(DEFINED arg_ROW)
    aclsim_row(${name} ${arg_ROW})
  endif()
  if(TARGET ${target})
    get_target_property(left_out ${target} EXCLUDE_FROM_ALL)
    if(left_out)
      set_tests_properties(${name} PROPERTIES DISABLED ON)
    endif()
  endif()
endfunction()

# aclsim_run_matrix(PREFIX TARGET [ENVIRONMENT VAR=value...] [LABELS label...] [LOCK resource])
# One run with each worker count and one with each seed. Each of the two lists is cut into shares. With
# a seed only one thread runs at a time, so these runs show the sanitizers least: under a sanitizer each
# program has them in one of four shares, and the programs are spread over the four.
function(aclsim_run_matrix prefix target)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "LOCK" "ENVIRONMENT;LABELS")
  get_property(index GLOBAL PROPERTY aclsim_matrices)
  math(EXPR index "${index} + 1")
  set_property(GLOBAL PROPERTY aclsim_matrices ${index})
  foreach(list WORKERS SEEDS)
    list(LENGTH ACLSIM_TEST_${list} length)
    set(row 0)
    foreach(value IN LISTS ACLSIM_TEST_${list})
      if(list STREQUAL "WORKERS")
        set(name ${prefix}.workers_${value})
        set(variables ACLSIM_WORKERS=${value})
      else()
        set(name ${prefix}.seed_${value})
        set(variables ACLSIM_SCHEDULE=seeded ACLSIM_SEED=${value})
      endif()
      set(row_of)
      if(length GREATER 1)  # one run alone is in every share
        set(row_of ROW ${row})
      elseif(list STREQUAL "SEEDS" AND ACLSIM_SANITIZE)
        string(COMPARE EQUAL "${ACLSIM_SANITIZE}" "address" of_address)
        math(EXPR part "(${index} + 2 * ${of_address}) % 4")
        set(row_of ROW ${part}/4)
      endif()
      aclsim_run(${name} ${target} ENVIRONMENT ${arg_ENVIRONMENT} ${variables}
        LABELS ${arg_LABELS} ${row_of})
      if(arg_LOCK)
        set_tests_properties(${name} PROPERTIES RESOURCE_LOCK ${arg_LOCK} PROCESSORS 2)
      endif()
      math(EXPR row "${row} + 1")
    endforeach()
  endforeach()
endfunction()

# LeakSanitizer mistakes the thread-local storage of libraries that are loaded late (libdw) for the memory
# before it, and sometimes follows a value that is not a pointer.
set(ACLSIM_SANITIZER_ENVIRONMENT
  "TSAN_OPTIONS=second_deadlock_stack=1 history_size=4 $ENV{TSAN_OPTIONS}"
  "ASAN_OPTIONS=detect_leaks=1 detect_stack_use_after_return=1 intercept_tls_get_addr=0 $ENV{ASAN_OPTIONS}"
  "UBSAN_OPTIONS=print_stacktrace=1 $ENV{UBSAN_OPTIONS}")

# aclsim_test(NAME source... [LIBS library...] [DEFINES ...] [ENVIRONMENT ...] [NO_RUN] [LONG] [TURN 0|1]
#             [QUARTER 0|1|2|3])
# A Catch2 program NAME, run once by CTest under that name unless NO_RUN says otherwise. LONG: it computes
# so much that optimising it pays.
function(aclsim_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_RUN;LONG" "TURN;QUARTER" "LIBS;DEFINES;ENVIRONMENT")
  set(kind test)
  if(arg_LONG)
    set(kind long_test)
  endif()
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS} $<TARGET_OBJECTS:aclsim_test_support>)
  target_compile_definitions(${name} PRIVATE ${arg_DEFINES})
  target_compile_options(${name} PRIVATE ${aclsim_${kind}_options} -fPIC)  # as the header that is shared
  target_precompile_headers(${name} REUSE_FROM ${kind}_pch)
  target_link_libraries(${name} PRIVATE
    ${arg_LIBS} room_tests aclsim_warnings Catch2::Catch2 aclsim_fmt Threads::Threads)
  if(ACLSIM_SANITIZE AND NOT ACLSIM_TEST_TURN STREQUAL "")
    if(DEFINED arg_QUARTER)
      set(turns ${arg_QUARTER} ${ACLSIM_TEST_QUARTER})
    elseif(DEFINED arg_TURN)
      set(turns ${arg_TURN} ${ACLSIM_TEST_TURN})
    else()
      set(turns 0 ${ACLSIM_TEST_TURN})
    endif()
    list(REMOVE_DUPLICATES turns)
    list(LENGTH turns different)
    if(different GREATER 1)
      set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
  endif()
  if(NOT arg_NO_RUN)
    aclsim_run(${name} ${name} ENVIRONMENT ${arg_ENVIRONMENT})
  endif()
endfunction()

# aclsim_program(NAME source [LIBS library...]): a plain program without Catch2.
function(aclsim_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} aclsim_warnings Threads::Threads)
  if(ACLSIM_SANITIZE)  # the sanitizers' C++ parts, which the library asks for
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  endif()
endfunction()
