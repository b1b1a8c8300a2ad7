#ifndef ASCENDC_CPU_DEBUG
#error "the target of the chip says that kernels run on the host"
#endif
#include <cstdio>

#include "tikicpulib.h"

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n);

template <typename T>
__global__ __aicore__ void fill(GM_ADDR x, T value) {
  ((__gm__ T*)x)[block_idx] = value;
}

int main() {
  const uint32_t n = 100;
  uint8_t* x = (uint8_t*)AscendC::GmAlloc(n * sizeof(float));
  uint8_t* y = (uint8_t*)AscendC::GmAlloc(n * sizeof(float));
  uint8_t* z = (uint8_t*)AscendC::GmAlloc(n * sizeof(float));
  for (uint32_t i = 0; i < n; ++i) {
    ((float*)x)[i] = i;
    ((float*)y)[i] = 0.5f;
  }
  AscendC::SetKernelMode(KernelMode::AIV_MODE);
  ICPU_RUN_KF(add_custom, 8, x, y, z, n);
  ICPU_RUN_KF((fill<int32_t>), 4, x, 7);
  for (uint32_t i = 0; i < n; ++i) {
    if (((float*)z)[i] != i + 0.5f) return 1;
  }
  if (((int32_t*)x)[3] != 7) return 2;
  AscendC::GmFree((void*)x);
  AscendC::GmFree((void*)y);
  AscendC::GmFree((void*)z);
  std::printf("cpu: ok\n");
}
