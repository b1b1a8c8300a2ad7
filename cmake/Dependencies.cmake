# SPDX-License-Identifier: Apache-2.0
# The libraries of the system that the project uses; scripts/packages.txt names the packages.

find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
# The libraries with which tools/trace reads files. Without SQLite or Protobuf it refuses the formats that
# need them.
# The static library comes first: an installed tool then needs no package of the system.
set(shared_first ${CMAKE_FIND_LIBRARY_SUFFIXES})
if(ACLSIM_STATIC_DEPS AND NOT ACLSIM_SANITIZE)
  list(PREPEND CMAKE_FIND_LIBRARY_SUFFIXES .a)
  # An older build tree may remember shared ones.
  foreach(found ZLIB_LIBRARY_RELEASE SQLite3_LIBRARY Protobuf_LIBRARY_RELEASE
                Protobuf_LITE_LIBRARY_RELEASE)
    if("${${found}}" MATCHES "\\.so$")
      unset(${found} CACHE)
    endif()
  endforeach()
endif()
find_package(ZLIB REQUIRED)
find_package(SQLite3 QUIET)
find_package(Protobuf QUIET)
set(CMAKE_FIND_LIBRARY_SUFFIXES ${shared_first})
if(SQLite3_FOUND)  # what its static library asks for
  set_property(TARGET SQLite::SQLite3 APPEND PROPERTY
    INTERFACE_LINK_LIBRARIES Threads::Threads ${CMAKE_DL_LIBS} m)
endif()

# RapidJSON consists of headers. Its own package file names the headers of the host, also in a cross build.
find_path(ACLSIM_RAPIDJSON_INCLUDE rapidjson/reader.h REQUIRED)
mark_as_advanced(ACLSIM_RAPIDJSON_INCLUDE)
add_library(aclsim_rapidjson INTERFACE)
target_include_directories(aclsim_rapidjson SYSTEM INTERFACE "${ACLSIM_RAPIDJSON_INCLUDE}")

# Highway's headers alone: what is made of them needs no library where it runs.
find_package(hwy CONFIG REQUIRED)
get_target_property(hwy_include hwy::hwy INTERFACE_INCLUDE_DIRECTORIES)
add_library(hwy_headers INTERFACE)
if(hwy_include)
  target_include_directories(hwy_headers SYSTEM INTERFACE ${hwy_include})
endif()

# Between hosts: UCX. Its headers alone, as the library is opened by the first process that has a rank
# on another host. A build without them refuses such ranks.
find_path(ACLSIM_UCX_INCLUDE ucp/api/ucp.h)
mark_as_advanced(ACLSIM_UCX_INCLUDE)
if(ACLSIM_UCX_INCLUDE)
  set(ACLSIM_HAVE_UCX 1)
else()
  set(ACLSIM_HAVE_UCX 0)
  message(STATUS "UCX (libucx-dev) is not there: ranks of several hosts will be refused")
endif()

# OpenSSL 3, for TLS of the store through which ranks find each other. Only its headers are needed: a
# process opens the library when its settings ask for TLS.
find_path(ACLSIM_OPENSSL_INCLUDE openssl/ssl.h)
mark_as_advanced(ACLSIM_OPENSSL_INCLUDE)
if(ACLSIM_OPENSSL_INCLUDE)
  set(ACLSIM_HAVE_OPENSSL 1)
else()
  set(ACLSIM_HAVE_OPENSSL 0)
  message(STATUS "OpenSSL (libssl-dev) is not there: TLS of SHMEM will be refused")
endif()

# The distribution's Python first: it is the one that the packages of scripts/packages.txt serve.
if(NOT Python3_EXECUTABLE AND NOT Python3_ROOT_DIR AND EXISTS /usr/bin/python3)
  set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.8 COMPONENTS Interpreter Development.Module)

# Boost's headers (Asio, Lockfree). Asio's coroutines are switched off: in 1.74 their header does not compile
# alone.
add_library(aclsim_boost INTERFACE)
target_link_libraries(aclsim_boost INTERFACE Boost::headers)
target_compile_definitions(aclsim_boost INTERFACE BOOST_ASIO_DISABLE_CO_AWAIT)

# Boost.Context: what blocks of AscendC kernels are parked with. Static, so that an installed library
# needs no package of the system.
if(ACLSIM_STATIC_DEPS)
  find_library(ACLSIM_BOOST_CONTEXT NAMES libboost_context.a boost_context REQUIRED)
else()
  find_library(ACLSIM_BOOST_CONTEXT NAMES boost_context REQUIRED)
endif()
mark_as_advanced(ACLSIM_BOOST_CONTEXT)
add_library(aclsim_boost_context INTERFACE)
target_link_libraries(aclsim_boost_context INTERFACE Boost::headers "${ACLSIM_BOOST_CONTEXT}")

# Some distributions point the package's own target at a shared library; the headers suffice.
find_path(ACLSIM_TOML_INCLUDE toml++/toml.h REQUIRED)
mark_as_advanced(ACLSIM_TOML_INCLUDE)
add_library(aclsim_toml INTERFACE)
target_include_directories(aclsim_toml SYSTEM INTERFACE "${ACLSIM_TOML_INCLUDE}")
target_include_directories(aclsim_toml INTERFACE "${CMAKE_CURRENT_LIST_DIR}/toml")
target_compile_definitions(aclsim_toml INTERFACE TOML_HEADER_ONLY=1)

# Products of matrices in operators: OpenBLAS, the variant without threads of its own. Static, so that an
# installed library needs no package of the system. A build without it multiplies slowly.
set(blas_folders openblas-serial openblas-pthread openblas)
if(ACLSIM_STATIC_DEPS)
  find_library(ACLSIM_BLAS NAMES libopenblas.a openblas PATH_SUFFIXES ${blas_folders})
else()
  find_library(ACLSIM_BLAS NAMES openblas PATH_SUFFIXES ${blas_folders})
endif()
find_path(ACLSIM_BLAS_INCLUDE cblas.h
  PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-serial ${CMAKE_LIBRARY_ARCHITECTURE}/openblas-pthread
                openblas-serial openblas)
mark_as_advanced(ACLSIM_BLAS ACLSIM_BLAS_INCLUDE)
add_library(aclsim_blas INTERFACE)
if(ACLSIM_BLAS AND ACLSIM_BLAS_INCLUDE)
  target_link_libraries(aclsim_blas INTERFACE "${ACLSIM_BLAS}" m)
  target_include_directories(aclsim_blas SYSTEM INTERFACE "${ACLSIM_BLAS_INCLUDE}")
  target_compile_definitions(aclsim_blas INTERFACE ACLSIM_HAVE_BLAS=1)
  if(ACLSIM_BLAS MATCHES "serial.*\\.a$")  # it may be called by one thread at a time: see gemm.cpp
    target_compile_definitions(aclsim_blas INTERFACE ACLSIM_WRAP_BLAS=1)
    target_link_options(aclsim_blas INTERFACE
      LINKER:--wrap=blas_memory_alloc,--wrap=blas_memory_free)
  elseif(ACLSIM_BLAS MATCHES "serial")
    target_compile_definitions(aclsim_blas INTERFACE ACLSIM_LOCK_BLAS=1)
  endif()
else()
  target_compile_definitions(aclsim_blas INTERFACE ACLSIM_HAVE_BLAS=0)
  message(STATUS "OpenBLAS (libopenblas-serial-dev) is not there: products of matrices will be slow")
endif()
