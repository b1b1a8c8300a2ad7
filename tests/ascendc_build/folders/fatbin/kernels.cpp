#include "kernel_operator.h"

extern "C" __global__ __aicore__ void steps(GM_ADDR x, uint32_t from) {
  ((__gm__ uint32_t*)x)[block_idx] = from + STEP * (uint32_t)block_idx;
}

namespace ops {
__global__ __vector__ void add(__gm__ uint32_t* x, uint32_t what) { x[block_idx] += what; }
}

extern "C" __global__ __aicore__ void mixed(GM_ADDR) { KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2); }
