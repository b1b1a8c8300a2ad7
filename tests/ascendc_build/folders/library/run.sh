#!/bin/bash
set -e
cmake -B build -DASCEND_CANN_PACKAGE_PATH="$ASCEND_INSTALL_PATH" >log || { cat log; exit 1; }
cmake --build build -j2 >log || { cat log; exit 1; }
cmake --install build >log
export LD_LIBRARY_PATH=$PWD/out/lib:$LD_LIBRARY_PATH
./build/main
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
