#!/bin/bash
set -e
trap 'echo "debugger: line $LINENO"; cat said 2>/dev/null' ERR
bisheng scale.asc -g -O0 -o scale

# A single block, and blocks in a fixed order, with one worker.
[ "$(ACLSIM_KERNEL_BLOCKS=1 ./scale)" = 31 ]
[ "$(ACLSIM_KERNEL_BLOCKS=9,100 ./scale 2>said)" = 31 ]  # as it was before the launch
grep -q "ACLSIM_KERNEL_BLOCKS is '9,100': none of these is among the 4 blocks of kernel scale" said
export ACLSIM_WORKERS=1
[ "$(ACLSIM_KERNEL_BLOCKS=7,0,1 ./scale order 2>said)" = "7 0 1" ]
grep -q 'error: kernel in_order, .*pipe-race' said
[ "$(./scale order 2>said)" = "0 1 2 3 4 5 6 7" ]
[ -z "$(ACLSIM_KERNEL_CHECKS=off ./scale order 2>&1 >/dev/null)" ]
# The output of a block is complete when the process ends, even if another block of the launch still runs.
[ "$(./scale speak)" = one ]
[ "$(ACLSIM_KERNEL_PREFIX=on ./scale speak)" = '[AIV Block 0/2] one' ]
# The checker's report contains the findings in kernels.
if command -v aclsim >/dev/null; then
  ! aclsim run --check -- ./scale order >said 2>&1
  grep -q 'ACL035' said && grep -q 'kernel in_order' said && grep -q 'scale.asc:[0-9]' said
  ! aclsim run --check -- ./scale wrong >said 2>&1
  grep -q 'ACL036' said && grep -q 'tensor-exceeded' said
fi
unset ACLSIM_WORKERS

command -v gdb >/dev/null || { echo "debugger: skipped, gdb is not installed"; exit 0; }
here=$(grep -n 'the debugger stops here' scale.asc | cut -d: -f1)
# gdb needs the right to trace a process, which containers may not give.
gdb -nx -batch -ex run --args true >said 2>&1
if ! grep -q 'exited normally' said; then
  echo "debugger: skipped, gdb cannot run programs here: $(tail -n 1 said)"
  exit 0
fi
gdb -nx -batch -ex 'set breakpoint pending on' -ex "break scale.asc:$here if block == 2" \
  -ex run -ex 'print block' -ex 'print *(int(*)[8])tile.address_.absAddr' \
  -ex 'print *all.address_@8' \
  -ex 'info breakpoints' -ex continue ./scale >said 2>&1
grep -q "scale\.asc:$here" said                       # its own file and line
grep -q '^\$1 = 2$' said                              # the block
grep -q '^\$2 = {48, 51, 54, 57, 60, 63, 66, 69}$' said  # a local tensor
grep -q '^\$3 = {16, 17, 18, 19, 20, 21, 22, 23}$' said  # a global tensor
grep -q 'breakpoint already hit 1 time' said
grep -q '^93$' said                                   # and the program goes on
grep -q 'exited normally' said
echo "debugger: ok"
