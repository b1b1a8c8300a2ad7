#!/bin/bash
set -e
trap 'echo "passes: line $LINENO"' ERR
arch=--npu-arch=dav-2201
# The object of each pass has its own code; the program's variables exist once.
expected='0: 12 20 21 1 5 2 61 62 2 220 1 102 1 0'
for compiler in clang++-14 g++; do
  CXX=$compiler bisheng cores.asc -g -o cores $arch 2>said || { cat said; exit 1; }
  [ "$(./cores)" = "$expected" ] || { echo "$compiler: $(./cores); expected $expected"; exit 1; }
done
bisheng cores.asc -o cores $arch -O2 -Wall -Wextra -Wno-unused-parameter -Werror
[ "$(./cores)" = "$expected" ]
bisheng -dc cores.asc -o cores.o $arch && bisheng -dc second.asc -o second.o $arch
bisheng cores.o second.o -o cores && [ "$(./cores)" = "$expected" ]
bisheng -shared second.asc -o libsecond.so $arch -fPIC
# Findings and dependency files name the source.
bisheng -c cores.asc -o own.o $arch -MD && grep -q 'cores\.asc' own.d
bisheng words.asc -o words $arch
[ "$(./words 2>/dev/null)" = '0 1014 3 -5 1 8 7 11' ]
bisheng -c empty.asc $arch 2>said
grep -q "empty.asc:2: warning: the kernel 'nothing' contains no code for the cores that it runs on" said
[ "$(bisheng -c second.asc $arch 2>&1)" = '' ]
bisheng cube_only.asc -o cube_only $arch && [ "$(./cube_only)" = '0 32' ]
# memcheck follows the stacks of blocks. (It does not read the line tables of clang-14.)
CXX=g++ bisheng cube_only.asc -o by_gcc $arch 2>/dev/null
[ "$(valgrind -q --error-exitcode=9 ./by_gcc 2>/dev/null)" = '0 32' ]
# C sources are C, and options for other compilers have no effect.
printf '#ifdef __cplusplus\n#error\n#endif\nint class = 1;\n' >plain.c
bisheng -c plain.c -o plain.o --gcc-toolchain=/nowhere --sanitizer
mkdir -p c && cd c
printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' 'set(CMAKE_C_COMPILER bisheng)' \
  'set(CMAKE_CXX_COMPILER bisheng)' 'project(x LANGUAGES C CXX)' 'add_executable(x x.c)' >CMakeLists.txt
echo 'int main(void) { return 0; }' >x.c
cmake -B build >log && cmake --build build >log || { cat log; exit 1; }
echo "passes: ok"
