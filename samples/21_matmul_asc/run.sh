#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# source PREFIX/set_env.sh && bash run.sh
set -e
cd "$(dirname "${BASH_SOURCE[0]}")"
cmake -B build -DCMAKE_ASC_ARCHITECTURES=dav-2201
cmake --build build -j
./build/matmul_asc
