#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# source PREFIX/set_env.sh && bash run.sh
set -e
cd "$(dirname "${BASH_SOURCE[0]}")"
bisheng softmax.asc -O2 -o softmax --npu-arch=dav-2201
./softmax
# Without one of its flags the numbers are still right here; the checker reports the missing flag.
bisheng softmax.asc -O2 -DMISSING_FLAG -o softmax_without_flag --npu-arch=dav-2201
./softmax_without_flag 2> report.txt
grep -q "pipe-race" report.txt
grep "repair:" report.txt
