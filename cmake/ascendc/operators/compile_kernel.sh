#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compile_kernel.sh SKIPS OUTPUT COMMAND...: compiles a kernel into an object, and links it to OUTPUT, a
# library that is loaded. SKIPS is 1 if a failure only leaves the kernel out. The file OUTPUT.done is written
# at the end.
set -e
skips=$1
output=$2
shift 2
rm -f "$output" "$output.done"
if "$@" -c -o "$output.object" && "$1" -shared "$output.object" -o "$output"; then
  rm -f "$output.object"
elif [ "$skips" = 1 ]; then
  echo "$(basename "$output") does not compile and is left out (ASCEND_SKIP_FAILED_COMPUTE_UNIT)" >&2
  : >"$output.d"
else
  exit 1
fi
: >"$output.done"
