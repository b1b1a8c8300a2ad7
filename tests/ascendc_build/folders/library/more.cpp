#include <cstddef>

#include "kernel_operator.h"

#if _GLIBCXX_USE_CXX11_ABI != 0
#error "the older interface of the C++ library was asked for"
#endif
#if defined(MODE_IS_CPU) != defined(ASCENDC_CPU_DEBUG)
#error "only kernels of the CPU mode are told so"
#endif

extern "C" __global__ __aicore__ void twice(__gm__ int32_t* x) { x[block_idx] *= 2; }
