#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Removes the package of operators that this script belongs to.
set -eu
own=$(cd "$(dirname "$0")/.." && pwd)
name=$(basename "$own")
list=$(dirname "$own")/config.ini
if [ -f "$list" ]; then
  others=$(sed -n 's/^load_priority=//p' "$list" | tr ',' '\n' | grep -vxF "$name" | tr '\n' ',' || true)
  echo "load_priority=${others%,}" >"$list.new"
  mv "$list.new" "$list"
fi
rm -rf "$own"
echo SUCCESS
