#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# source PREFIX/set_env.sh && bash run.sh
set -e
cd "$(dirname "${BASH_SOURCE[0]}")"
cmake -B build -DCMAKE_ASC_ARCHITECTURES=dav-2201
cmake --build build -j
./build/mmad_asc
# The same without the flag that keeps a load from overtaking a product: the emulator reports it.
if ./build/mmad_asc --missing-flag 2>&1 | grep -q 'pipe-race'; then
  echo "the missing flag is found"
else
  echo "the missing flag is not found" >&2
  exit 1
fi
