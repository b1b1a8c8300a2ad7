#include "kernel_operator.h"

extern "C" __global__ __aicore__ void twice(__gm__ int32_t* x) { x[block_idx] *= 2; }
