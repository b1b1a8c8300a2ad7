# SPDX-License-Identifier: Apache-2.0
# Builds the package, installs it, and calls its operator. Source set_env.sh before.
set -e
cmake -S . -B build
cmake --build build --target binary package
./build/custom_opp_*.run --install-path="$PWD/build/opp"
. build/opp/vendors/sample/bin/set_env.bash
package=$PWD/build/opp/vendors/sample/op_api
${CXX:-c++} -std=c++17 main.cpp -o build/scaled_add -I"$ASCEND_HOME_PATH/include" -I"$package/include" \
  -L"$package/lib" -lcust_opapi -L"$ASCEND_HOME_PATH/lib64" -lnnopbase -lacl_rt
./build/scaled_add
