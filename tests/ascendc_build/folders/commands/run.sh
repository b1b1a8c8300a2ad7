#!/bin/bash
set -e
trap 'echo "commands: line $LINENO"' ERR
arch=--npu-arch=dav-2201
says() { local said; said=$("$1"); [ "$said" = "$1: $2" ] || { echo "$said; expected $2"; exit 1; }; }

bisheng main.cpp kernel.asc -o one_step $arch -I"$ASCEND_HOME_PATH/include"
says ./one_step "11 21"

bisheng -dc kernel.asc -o kernel.o $arch -O2 -g --aicore-only -MD -MT some/target -MF kernel.d
bisheng -c -x asc other.cpp -o other.o $arch
bisheng -c main.cpp -o main.o -DWITH_OTHER
bisheng kernel.o other.o main.o -o separate
says ./separate "12 21"
grep -q '^some/target:.*kernel.asc' kernel.d
grep -q 'kernel\.h' kernel.d

bisheng -shared kernel.asc -o libkernel.so $arch -fPIC
bisheng main.cpp -o shared -L. -lkernel
LD_LIBRARY_PATH=.:$LD_LIBRARY_PATH says ./shared "11 21"
bisheng -lib kernel.asc -o libkernel_static.a $arch
bisheng main.cpp -o static -L. -lkernel_static
says ./static "11 21"

mkdir -p elsewhere && cd elsewhere
bisheng -x asc ../kernel.asc ../other.cpp -x c++ ../main.cpp -DWITH_OTHER -o from_elsewhere $arch \
  -Xaicore-start -O3 -DONE=5 --cce-auto-sync=off -Xaicore-end -mllvm -some-option \
  -Xhost-start -O1 -Xhost-end --cce-disable-asc-reserved-ubuf
says ./from_elsewhere "20 25"
bisheng -c ../kernel.asc && test -f kernel.o
bisheng -MMD -c ../kernel.asc -o own.o && grep -q '^own.o:' own.d
bisheng -E ../kernel.asc -o preprocessed && grep -qF 'add_one<<<2, 0, stream>>>(x)' preprocessed
test "$(CXX=g++ bisheng -dumpversion)" = "$(g++ -dumpversion)"
test "$(CXX=clang++-14 bisheng -dumpversion)" = "$(clang++-14 -dumpversion)"

cd ..
bisheng stamps.asc -o no_stamps $arch
[ -z "$(./no_stamps)" ]
bisheng stamps.asc -o stamps $arch -DASCENDC_TIME_STAMP_ON
./stamps >said
[ "$(grep -cE '^descId is 6560[01], rsv is 0, timeStamp is [1-9][0-9]*, pcPtr is 0$' said)" = 2 ]
[ "$(wc -l <said)" = 2 ]

bisheng arrays.asc -o arrays $arch -Wall -Wextra -Werror
./arrays 2>said
grep -q 'kernel too_much.*arrays\.asc:45: the array most has 240000 bytes.*\[local-exceeded\]' said
grep -q 'kernel overlaps.*arrays\.asc:40: SetValue writes .*the __ubuf__ array shared (.*arrays\.asc:37).*\[array-overlap\]' said
[ "$(grep -c array-overlap said)" = 1 ]
# The output of a kernel and of blocks that wait beside it is complete even if the kernel ends the process.
bisheng exits.asc -o exits $arch
status=0
timeout 60 ./exits 1 >said || status=$?
[ $status = 3 ]
[ "$(cat said)" = "$(printf '%s\n' before 'block 0' 'block 1' 'no newlineblock 2' 'block 3')" ]
status=0
timeout 60 ./exits 9 >said || status=$?
[ $status = 3 ]
grep -q 'no newline' said
bisheng threads.asc -o threads --npu-arch=dav-3510 --enable-simt
./threads

# The paths at which build files expect headers, libraries and tools.
package=$ASCEND_HOME_PATH
arch_folder=$package/$(uname -m)-linux
folders=
for folder in "$package"/include "$package"/asc/include{,/basic_api,/adv_api,/adv_api/matmul,/c_api,/simt_api,/utils} \
              "$package"/asc/include/{tiling,interface,micro_api,aicpu_api} "$package/compiler/tikcpp/tikcfw" \
              "$arch_folder"/tikcpp/tikcfw "$package/tools/tikicpulib/lib/include"; do
  test -d "$folder" || { echo "$folder is missing"; exit 1; }
  folders="$folders -isystem $folder"
done
printf '#include "%s"\n' kernel_operator.h kernel_basic_intf.h kernel_vec_intf.h kernel_cube_intf.h lib/matmul_intf.h \
  lib/matrix/matmul/matmul.h matmul_intf.h kernel_tiling/kernel_tiling.h acl/acl.h tikicpulib.h cpu_debug_launch.h utils/debug/asc_printf.h \
  utils/debug/asc_assert.h utils/debug/asc_dump.h utils/debug/asc_time.h c_api/asc_simd.h \
  tiling/platform/platform_ascendc.h tiling/tiling_api.h register/tilingdata_base.h register/op_def_registry.h \
  simt_api/asc_simt.h simt_api/asc_fp16.h simt_api/math_functions.h simt_api/cooperative_groups.h >headers.cpp
env -u CPATH "${CXX:-c++}" -std=c++17 -fsyntax-only $folders headers.cpp
for folder in "$arch_folder/devlib" "$package"/tools/simulator/{Ascend910B1,dav_2201}/lib \
              "$package"/tools/tikicpulib/lib/{Ascend910B1,Ascend950PR_9589}; do
  test -e "$folder/libascendcl.so" || { echo "$folder is missing"; exit 1; }
done
"$arch_folder"/ccec_compiler/bin/ld.lld -m aicorelinux -Ttext=0 kernel.o -static -o linked.so
"$arch_folder"/ccec_compiler/bin/llvm-ar rcs archive.a kernel.o && test -s linked.so -a -s archive.a

echo "commands: ok"
