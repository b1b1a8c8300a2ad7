#pragma once
extern "C" __global__ __aicore__ void declared_first(GM_ADDR, int32_t);

#define MAKE_KERNEL(NAME, TYPE)                                                     \
  extern "C" __global__ __vector__ void kernel_##NAME(__gm__ TYPE* x, TYPE value) { \
    x[block_idx] = value;                                                           \
  }                                                                                 \
  inline void launch_##NAME(void* stream, TYPE* x, TYPE value) {                    \
    kernel_##NAME<<<1, 0, stream>>>(x, value);                                      \
  }
