#include "kernel_operator.h"

extern "C" __global__ __aicore__ void steps(GM_ADDR x, uint32_t from) {
  ((__gm__ uint32_t*)x)[block_idx] = from + STEP * (uint32_t)block_idx;
}

namespace ops {
__global__ __vector__ void add(__gm__ uint32_t* x, uint32_t what) { x[block_idx] += what; }
}  // namespace ops

// A variable of the file, which the host accesses by its name.
__gm__ int32_t table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
extern "C" __global__ __aicore__ void from_table(GM_ADDR x) {
  ((__gm__ int32_t*)x)[block_idx] = table[block_idx] * (int32_t)block_num;
}

// The launch copies the data to which the last argument points.
extern "C" __global__ __aicore__ void tiled(GM_ADDR x, GM_ADDR tiling) {
  ((__gm__ int32_t*)x)[block_idx] = ((__gm__ int32_t*)tiling)[block_idx];
}

extern "C" __global__ __aicore__ void mixed(GM_ADDR) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
}
