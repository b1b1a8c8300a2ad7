#!/bin/bash
set -e
mkdir -p build && cd build
cmake -DCMAKE_ASC_ARCHITECTURES=dav-2201 .. >log || { cat log; exit 1; }
make -j2 >log || { cat log; exit 1; }
./demo
./mode
./with_library  # finds its library, as programs in build folders do
cmake --install . --prefix out >log && test -f out/lib/libtwice.so && LD_LIBRARY_PATH=out/lib:$LD_LIBRARY_PATH out/bin/with_library
touch ../kernels.h
make >log && grep -q 'Building ASC object' log
make >log && ! grep Building log
for mode in sim cpu; do
  cmake -B ../$mode -DCMAKE_ASC_RUN_MODE=$mode .. >log && make -C ../$mode mode >log || { cat log; exit 1; }
  ../$mode/mode
done
