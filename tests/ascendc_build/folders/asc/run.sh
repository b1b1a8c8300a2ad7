#!/bin/bash
set -e
mkdir -p build && cd build
cmake -DCMAKE_ASC_ARCHITECTURES=dav-2201 .. >log || { cat log; exit 1; }
make -j2 >log || { cat log; exit 1; }
./demo
./mode
touch ../kernels.h
make >log && grep -q 'Building ASC object' log
make >log && ! grep Building log
for mode in sim cpu; do
  cmake -B ../$mode -DCMAKE_ASC_RUN_MODE=$mode .. >log && make -C ../$mode mode >log || { cat log; exit 1; }
  ../$mode/mode
done
