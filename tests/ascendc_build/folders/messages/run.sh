#!/bin/bash
# says WHAT COMMAND...: the command fails, and a line of its output contains WHAT.
says() {
  local what=$1
  shift
  if "$@" >out 2>&1; then echo "'$*' succeeded"; exit 1; fi
  grep -qF -- "$what" out || { echo "'$*' does not say '$what' but:"; cat out; exit 1; }
}
set -e
arch=--npu-arch=dav-2201
says "mistake.asc:9:21: error: use of undeclared identifier 'undeclared'" bisheng -c mistake.asc $arch
says "mistake.asc:9:21: error: 'undeclared' was not declared" env CXX=g++ bisheng -c mistake.asc $arch
says "mistake.asc:13:" bisheng -c mistake.asc $arch
says "included.h:2:10: error: '<<<' of a launch has no '>>>('" bisheng -c includes.asc
says "o such file or directory: 'missing.asc'" bisheng missing.asc -o missing
says "bisheng: error: --npu-arch=dav-1 is unknown; expected dav-2201, dav-3510," bisheng text.asc --npu-arch=dav-1
says "bisheng: error: --run-mode=gpu is unknown; expected npu, cpu or sim" bisheng text.asc --run-mode=gpu
says "the program 'no-such-compiler' cannot be started" env CXX=no-such-compiler bisheng -c mistake.asc
says "text.asc:1:" bisheng -c text.asc
says 'kernels need C++17; expected -std=c++17 or later' bisheng -c mistake.asc -std=c++14
[ "$(grep -c error: out)" = 1 ]
says "values.asc:7:9: error: the launch of 'kernel' has 5 values between" bisheng -c values.asc -DFIVE
says "the launch of 'kernel' has 0 values between" bisheng -c values.asc -DNONE
says "the first value between <<< and >>> is a pointer; expected a number of blocks" bisheng -c values.asc
bisheng -c named.asc $arch -Wall -Wextra -Wno-unused-parameter -Wno-unused-variable -Werror
[ -z "$(bisheng -c named.asc $arch 2>&1)" ]
host() { says "named.asc:$1" bisheng -c named.asc $arch "-D$2"; grep -q "$1.*is not a kernel: it lacks __global__" out; }
host 68: HOST
host 70: HOST_SCOPED
other() { says "named.asc:$1" bisheng -c named.asc $arch "-D$2"; grep -qF -- "$3" out; }
other 72: FEW "the arguments do not fit the parameters of the kernel 'declared': (uint8_t * x, uint8_t * y)"
other 74: MANY "the arguments do not fit the parameters of the kernel 'scoped': (uint8_t * x"
other 76: OTHER "the arguments do not fit the parameters of the kernel 'turned': (uint8_t * x, int32_t n = 3)"
other 78: OTHER_TYPES "the arguments do not fit the parameters of the kernel 'of_any': (T * x, T first)"
# HAVE_WORKSPACE determines the parameter that is advanced by the system part of the workspace.
says "workspace.asc:7:" bisheng -c workspace.asc -DHAVE_WORKSPACE -DHAVE_TILING
says "'count' of the kernel 'scaled' is the workspace, as HAVE_WORKSPACE and HAVE_TILING are defined" \
  bisheng -c workspace.asc -DHAVE_WORKSPACE -DHAVE_TILING
says "'count' of the kernel 'of_any' is the workspace" \
  bisheng -c workspace.asc -DHAVE_WORKSPACE -DHAVE_TILING -DLAUNCH_TEMPLATE
says "'tiling' of the kernel 'fits' is the workspace, as HAVE_WORKSPACE is defined" bisheng -c workspace.asc -DHAVE_WORKSPACE

# Messages of build files: REASON DEFINITION...
project() {
  mkdir -p "$1" && printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' "$2" >"$1/CMakeLists.txt"
}
project soc 'project(p CXX) 
include($ENV{ASCENDC_CMAKE_DIR}/ascendc.cmake)
ascendc_library(k STATIC ${SOURCES})'
flat() { "$@" 2>&1 | tr '\n' ' ' | tr -s ' '; return "${PIPESTATUS[0]}"; }
says "SOC_VERSION is not set; expected one of Ascend910B1," flat env -u SOC_VERSION cmake -S soc -B b1
says "SOC_VERSION is 'Ascend1'; expected one of Ascend910B1," flat cmake -S soc -B b2 -DSOC_VERSION=Ascend1
says "RUN_MODE is 'gpu'; expected npu, sim or cpu" flat cmake -S soc -B b3 -DRUN_MODE=gpu
says "ASCEND_CANN_PACKAGE_PATH is '/nowhere', which does not exist" flat cmake -S soc -B b4 -DASCEND_CANN_PACKAGE_PATH=/nowhere
says "the source 'none.cpp' of 'k' does not exist" flat cmake -S soc -B b5 -DSOURCES=none.cpp
project asc 'find_package(ASC REQUIRED)
project(p LANGUAGES ASC CXX)'
says "ASCEND_HOME_PATH is not set" flat env -u ASCEND_HOME_PATH cmake -S asc -B b6
says "CMAKE_ASC_RUN_MODE is 'gpu'; expected npu, cpu or sim" flat cmake -S asc -B b7 -DCMAKE_ASC_RUN_MODE=gpu
# Kernels that share a name can be launched by <<<>>> but not by one launcher. Two definitions of a kernel are an error.
project names 'project(names CXX)
include($ENV{ASCENDC_CMAKE_DIR}/ascendc.cmake)
ascendc_library(k STATIC ${SOURCES})
add_executable(names main.cpp)
target_link_libraries(names PRIVATE k)'
kernel() { printf '#include "kernel_operator.h"\n%s\n' "$2" >"names/$1.cpp"; }
kernel one 'extern "C" __global__ __aicore__ void dup(GM_ADDR x) {} void one() { dup<<<1, 0, nullptr>>>(nullptr); }'
kernel two 'namespace n { __global__ __aicore__ void dup(GM_ADDR x) {} }
namespace m { __global__ __aicore__ void dup(GM_ADDR x, int i) {} }
void two() { n::dup<<<1, 0, nullptr>>>(nullptr); m::dup<<<1, 0, nullptr>>>(nullptr, 1); }'
kernel same 'extern "C" __global__ __aicore__ void dup(GM_ADDR x) {}'
echo 'void one(); void two(); int main() { one(); two(); }' >names/main.cpp
cmake -S names -B b11 '-DSOURCES=one.cpp;two.cpp' >log && cmake --build b11 >log && ./b11/names
says "#error the kernel name 'dup' is defined at $PWD/names/one.cpp:2 and at $PWD/names/two.cpp:2 and at $PWD/names/two.cpp:3" \
  sh -c 'cat b11/include/k/aclrtlaunch_dup.h && false'
says "bisheng: error: the kernel 'dup' is defined at $PWD/names/one.cpp:2 and at $PWD/names/same.cpp:2; expected one" \
  sh -c "cmake -S names -B b11 '-DSOURCES=one.cpp;same.cpp' && cmake --build b11"
cmake -S names -B b11 '-DSOURCES=one.cpp' >log && cmake --build b11 --target k >log
grep -q 'uint32_t aclrtlaunch_dup(uint32_t numBlocks' b11/include/k/aclrtlaunch_dup.h
# Names of folders that the files written by CMake cannot contain.
says "has '\$(' or '\${' in its name" flat cmake -S names -B 'b$(x)' -DSOURCES=one.cpp
says "b#1' has '#' in its name" flat cmake -S names -B 'b#1' -DSOURCES=one.cpp
# The name of a chip may have any case; chips of other architectures are accepted.
project good 'project(p CXX)
include($ENV{ASCENDC_CMAKE_DIR}/ascendc.cmake)
message(STATUS "is ${_ascendc_architecture}")'
cmake -S good -B b8 -DSOC_VERSION=ascend910b3 | grep -q 'is dav-2201'
cmake -S good -B b9 -DSOC_VERSION=Ascend950PR_9589 | grep -q 'is dav-3510'
cmake -S good -B b10 -DSOC_VERSION=Ascend310P3 | grep -q 'is dav-2002'
echo "messages: ok"
