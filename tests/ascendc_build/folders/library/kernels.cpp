#include "fill.h"
#include "kernel_operator.h"

struct Tiling {
  int32_t first;
  float second;
};

extern "C" __global__ __aicore__ void scale(GM_ADDR x, int32_t add, Tiling tiling) {
  auto numbers = (__gm__ int32_t*)x;
  numbers[block_idx] = numbers[block_idx] * SCALE + add + tiling.first + (int32_t)tiling.second;
}

extern "C" __global__ __aicore__ void add_offset(GM_ADDR x) {
  ((__gm__ int32_t*)x)[block_idx] += OFFSET;
}

int scale_do(uint32_t blockDim, void* stream, void* x, int32_t add) {
  return static_cast<int32_t>(scale<<<blockDim, nullptr, stream>>>((GM_ADDR)x, add, {1, 2.5f}));
}

#ifndef ASCENDC_CPU_DEBUG
void fill_do(uint32_t blockDim, void* l2ctrl, void* stream, float* to) {
  fill<float, 2><<<blockDim, l2ctrl, stream>>>(to, 1.25);
}
#endif
