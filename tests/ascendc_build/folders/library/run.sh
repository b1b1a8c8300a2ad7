#!/bin/bash
set -e
cmake -B build -DASCEND_CANN_PACKAGE_PATH="$ASCEND_INSTALL_PATH" >log || { cat log; exit 1; }
cmake --build build -j2 >log || { cat log; exit 1; }
cmake --install build >log
export LD_LIBRARY_PATH=$PWD/out/lib:$LD_LIBRARY_PATH
./build/main 2>said
[ "$(grep -c 'warning: kernel measure: the workspace is null, so the kernel does nothing' said)" = 1 ]  # launched twice
env -u CPATH -u LIBRARY_PATH cmake -B host -DASCEND_CANN_PACKAGE_PATH="$ASCEND_INSTALL_PATH" >log
env -u CPATH -u LIBRARY_PATH cmake --build host --target host >log || { cat log; exit 1; }
./host/host
./out/bin/main
test -f out/include/kernels/aclrtlaunch_scale.h && test -f out/lib/libkernels.a
# The other modes.
for mode in sim cpu; do
  cmake -B $mode -DRUN_MODE=$mode >log && cmake --build $mode --target more >log || { cat log; exit 1; }
  test -f $mode/lib/libmore.so
done
# A changed header is noticed, and nothing is built twice.
touch include/fill.h
cmake --build build >log && grep -q 'Building kernels.*kernels.cpp' log
cmake --build build >log && ! grep Building log
# So it is with names that make reads in its own way.
mkdir 'odd names' && cd 'odd names'
printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'project(odd CXX)' 'include($ENV{ASCENDC_CMAKE_DIR}/ascendc.cmake)' \
  'ascendc_library(odd STATIC "a b.cpp" "50%.cpp" "c#.cpp")' >CMakeLists.txt
for name in 'a b' '50%' 'c#'; do echo '#include "value.h"' >"$name.cpp"; done
for build in plain 'with space' '50%' '$' 'a$b &' "it's"; do
  echo '// 1' >value.h
  cmake -G 'Unix Makefiles' -B "$build" >log && cmake --build "$build" >log || { cat log; exit 1; }
  cmake --build "$build" >log && ! grep 'Building kernels' log
  echo '// 2' >value.h
  cmake --build "$build" >log
  test "$(grep -c 'Building kernels' log)" = 3 || { echo "'$build': a changed header is not noticed"; exit 1; }
done
