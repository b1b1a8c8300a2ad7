#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# source PREFIX/set_env.sh && bash run.sh
set -e
cd "$(dirname "${BASH_SOURCE[0]}")"
cmake -B build -DASCEND_CANN_PACKAGE_PATH="$ASCEND_HOME_PATH"
cmake --build build -j
./build/vector_add_ascendc
