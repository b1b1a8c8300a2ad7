#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# source PREFIX/set_env.sh && bash run.sh
set -e
cd "$(dirname "${BASH_SOURCE[0]}")"
cmake -B build -DCMAKE_ASC_ARCHITECTURES=dav-2201
cmake --build build -j
# Rows, elements of a row. The last tile of the second shape has fewer rows than the others.
for shape in "128 512" "205 768"; do
  python3 data.py make $shape
  ./build/add_layernorm_quant $shape
  python3 data.py check $shape
done
