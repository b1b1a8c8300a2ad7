#include "kernel_operator.h"

// With HAVE_WORKSPACE the kernel receives the user part of the workspace.
extern "C" __global__ __aicore__ void measure(GM_ADDR x, GM_ADDR workspace) {
  *(__gm__ int32_t*)x = (int32_t)(workspace - GetSysWorkSpacePtr());
}
