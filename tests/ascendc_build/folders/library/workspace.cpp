#include "kernel_operator.h"

// With HAVE_WORKSPACE the kernel is given the part of the workspace that is the user's.
extern "C" __global__ __aicore__ void measure(GM_ADDR x, GM_ADDR workspace) {
  *(__gm__ int32_t*)x = (int32_t)(workspace - GetSysWorkSpacePtr());
}
