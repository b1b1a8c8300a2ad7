// A template of a kernel, in a header.
#pragma once
#include "kernel_operator.h"

template <typename T, int FACTOR>
__global__ __vector__ void fill(__gm__ T* to, T value) {
  to[block_idx] = value * FACTOR;
}
