#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# source PREFIX/set_env.sh && bash run.sh
set -e
cd "$(dirname "${BASH_SOURCE[0]}")"
cmake -B build
cmake --build build -j
python3 test_gelu.py
