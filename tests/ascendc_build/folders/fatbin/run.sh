#!/bin/bash
set -e
cmake -B build >log || { cat log; exit 1; }
cmake --build build -j2 >log || { cat log; exit 1; }
./build/main
