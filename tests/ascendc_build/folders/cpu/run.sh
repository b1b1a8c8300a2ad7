#!/bin/bash
set -e
cmake -B build -DSOC_VERSION=Ascend910B3 >log || { cat log; exit 1; }
cmake --build build -j2 >log || { cat log; exit 1; }
./build/main >output || { cat output; exit 1; }
test "$(grep -c '^\[SUCCESS\]\[AIV_[0-7]\]\[pid [0-9]*\] exit success!$' output)" = 18
tail -1 output
