# SPDX-License-Identifier: Apache-2.0
# Packages of operators in each form, installed and called.
set -euo pipefail
must_fail() {
  if "$@"; then
    echo "did not fail: $*"
    exit 1
  fi
}
link_and_run() {  # PROGRAM OPTION...
  program=$1
  shift
  ${CXX:-c++} -std=c++17 calls.cpp -o "$program" "$@" -L"$ASCEND_HOME_PATH/lib64" -lnnopbase -lacl_rt \
    -Wl,-rpath,"$ASCEND_HOME_PATH/lib64"
  "./$program"
}

# An installer, in a folder of its own and then in the toolkit's.
cmake -S . -B run_build -DCMAKE_INSTALL_PREFIX="$PWD/run_out" >run.txt
cmake --build run_build --target binary package -j2 >>run.txt
test "$(./run_out/custom_opp_*.run --install-path="$PWD/other" | tail -1)" = SUCCESS
own=$PWD/other/vendors/tested
test -f "$own/notes/notes.txt"
test -f "$own/op_api/include/aclnn_scale_add.h"
test -f "$own/op_proto/inc/op_proto.h"
test -f "$own/op_impl/ai_core/tbe/tested_impl/dynamic/other_name.cpp"
grep -qx 'load_priority=tested' other/vendors/config.ini
(
  . "$own/bin/set_env.bash"
  test "$ASCEND_CUSTOM_OPP_PATH" = "$own"
  link_and_run packaged -I"$own/op_api/include" -L"$own/op_api/lib" -lcust_opapi
  ACLSIM_SOC=Ascend950PR ./packaged Ascend950PR
  # The binaries that the library has loaded are not left by the program.
  ACLSIM_CHECK=1 ./packaged >check.txt 2>&1
  grep -q "0 errors, 0 warnings" check.txt
  must_fail grep ACL013 check.txt
  # A kernel that the build left out is named.
  rm "$own/op_impl/ai_core/tbe/kernel/ascend910b/increment/Increment_0.o"
  must_fail ./packaged >left_out.txt
  grep -q "Increment: .*has no compiled kernel" left_out.txt
)
./run_out/custom_opp_*.run --install-path="$PWD/other" --quiet >/dev/null
test "$(sh "$own/scripts/uninstall.sh")" = SUCCESS
test ! -e "$own"
ASCEND_OPP_PATH=$PWD/opp ./run_out/custom_opp_*.run >/dev/null
test -f opp/vendors/tested/op_api/lib/libcust_opapi.so
must_fail ./run_out/custom_opp_*.run --unknown 2>/dev/null

# Nothing is built again without a change.
cmake --build run_build --target binary package >again.txt
must_fail grep "Building" again.txt

# Libraries that contain the package.
for type in SHARED STATIC; do
  cmake -S . -B ${type}_build -DTYPE=$type -DCMAKE_INSTALL_PREFIX="$PWD/${type}_out" >$type.txt
  cmake --build ${type}_build --target binary install -j2 >>$type.txt
  test -f ${type}_out/lib/cmake/tested/tested-config.cmake
done
link_and_run shared -ISHARED_out/include -LSHARED_out/lib -lcust_opapi -Wl,-rpath,"$PWD/SHARED_out/lib"
link_and_run static -ISTATIC_out/include STATIC_out/lib/libtested.a -lascendc_runtime
mkdir app
cat >app/CMakeLists.txt <<'TEXT'
cmake_minimum_required(VERSION 3.19)
project(app LANGUAGES CXX)
find_package(tested REQUIRED)
add_executable(calls ../calls.cpp)
target_compile_features(calls PRIVATE cxx_std_17)
target_link_libraries(calls PRIVATE tested::tested)
TEXT
cmake -S app -B app_build -DCMAKE_PREFIX_PATH="$PWD/STATIC_out" >app.txt
cmake --build app_build >>app.txt
./app_build/calls

# The installer goes into the build folder, also if the project is configured again.
sed 's/ CONFIG INSTALL_PATH.*)/)/' CMakeLists.txt >CMakeLists.new
mv CMakeLists.new CMakeLists.txt
for _ in 1 2; do
  cmake -S . -B twice >twice.txt
  grep -qF "set(path \"$PWD/twice\")" twice/CMakeFiles/tested.npu_op/stage.cmake
done

# Mistakes in build files and in operators are named.
refused() {  # TEXT FILE: the build file is refused with this text
  mkdir -p bad
  cp "$2" bad/CMakeLists.txt
  cp -r op_host op_kernel bad/
  rm -rf bad_build
  if cmake -S bad -B bad_build >bad.txt 2>&1; then echo "not refused: $1"; exit 1; fi
  tr '\n' ' ' <bad.txt | tr -s ' ' | grep -qF "$1" || { cat bad.txt; exit 1; }
}
sed 's/TYPE ${TYPE}/TYPE ZIP/' CMakeLists.txt >1.cmake
refused "TYPE is 'ZIP'; expected RUN, SHARED or STATIC" 1.cmake
sed 's/ascend950/ascend000/' CMakeLists.txt >2.cmake
refused "ASCEND_COMPUTE_UNIT has 'ascend000'" 2.cmake
sed 's/other_name.cpp/no_name.cpp/' CMakeLists.txt >3.cmake
refused "no kernel of SumOfList is found: searched" 3.cmake
sed 's/LIBRARY kernels/LIBRARY nothing/' CMakeLists.txt >4.cmake
refused "'nothing' is no target" 4.cmake

# ASCEND_SKIP_FAILED_COMPUTE_UNIT leaves out what does not compile.
echo '#error "never"' >>op_kernel/increment.cpp
cmake -S . -B run_build -DASCEND_SKIP_FAILED_COMPUTE_UNIT=ON >skip.txt
cmake --build run_build --target binary package >>skip.txt 2>&1
grep -q "Increment_0.o does not compile and is left out" skip.txt
cmake -S . -B run_build -DASCEND_SKIP_FAILED_COMPUTE_UNIT=OFF >fail.txt
must_fail cmake --build run_build --target binary package >>fail.txt 2>&1
