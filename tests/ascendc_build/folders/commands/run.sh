#!/bin/bash
set -e
trap 'echo "commands: line $LINENO"' ERR
arch=--npu-arch=dav-2201
says() { local said; said=$("$1"); [ "$said" = "$1: $2" ] || { echo "$said; expected $2"; exit 1; }; }

bisheng main.cpp kernel.asc -o one_step $arch -I"$ASCEND_HOME_PATH/include"
says ./one_step "11 21"

bisheng -dc kernel.asc -o kernel.o $arch -O2 -g -MD -MT some/target -MF kernel.d
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
test "$(bisheng -dumpversion)" = "$(c++ -dumpversion)"

cd ..
bisheng stamps.asc -o no_stamps $arch
[ -z "$(./no_stamps)" ]
bisheng stamps.asc -o stamps $arch -DASCENDC_TIME_STAMP_ON
./stamps >said
[ "$(grep -cE '^descId is 6560[01], rsv is 0, timeStamp is [1-9][0-9]*, pcPtr is 0$' said)" = 2 ]
[ "$(wc -l <said)" = 2 ]

echo "commands: ok"
