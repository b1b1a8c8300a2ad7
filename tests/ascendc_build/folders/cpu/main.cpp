#ifndef ASCENDC_CPU_DEBUG
#error "the target of the chip says that kernels run on the host"
#endif
#include <cstdio>
#include <cstring>

#include "tikicpulib.h"

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n);
extern "C" __global__ __aicore__ void add_tiles(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t tiles);

template <typename T>
__global__ __aicore__ void fill(GM_ADDR x, T value) {
  ((__gm__ T*)x)[block_idx] = value;
}

__global__ __aicore__ void keyed(GM_ADDR x) {
  TILING_KEY_VAR == 7 ? ((__gm__ int32_t*)x)[block_idx] = 70 : ((__gm__ int32_t*)x)[block_idx] = 1;
}

__global__ __aicore__ void to_file(GM_ADDR x) {
  AscendC::LocalTensor<int32_t> tile(AscendC::TPosition::VECCALC, 0, 8);
  AscendC::CreateVecIndex(tile, 5, 8);
  ((__gm__ int32_t*)x)[0] = tile.ToFile("tile.bin");
  ((__gm__ int32_t*)x)[1] = tile.ToFile("no/such/folder");
}

// The additions of the CPU mode: a tiling key from the host, a tensor in a file.
int cpu_only(uint8_t* x) {
  auto* const words = (int32_t*)x;
  ICPU_SET_TILING_KEY(7);
  ICPU_RUN_KF(keyed, 2, x);
  if (words[0] != 70 || words[1] != 70) return 3;
  ICPU_SET_TILING_KEY(8);
  ICPU_RUN_KF(keyed, 1, x);
  if (words[0] != 1) return 4;
  ICPU_RUN_KF(to_file, 1, x);
  if (words[0] != 0 || words[1] != -1) return 5;
  int32_t read[9] = {};
  std::FILE* const file = std::fopen("tile.bin", "rb");
  if (!file || std::fread(read, 4, 9, file) != 8 || read[0] != 5 || read[7] != 12) return 6;
  return std::fclose(file);
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
  for (uint32_t i = 0; i < n; ++i) {
    if (((float*)z)[i] != i + 0.5f) return 1;
  }
  std::memset(z, 0, n * sizeof(float));
  ICPU_RUN_KF(add_tiles, 2, x, y, z, 3);
  for (uint32_t i = 0; i < n; ++i) {
    if (((float*)z)[i] != (i < 96 ? i + 0.5f : 0)) return 7;
  }
  ICPU_RUN_KF((fill<int32_t>), 4, x, 7);
  if (((int32_t*)x)[3] != 7) return 2;
  if (const int wrong = cpu_only(x)) return wrong;
  AscendC::GmFree((void*)x);
  AscendC::GmFree((void*)y);
  AscendC::GmFree((void*)z);
  std::printf("cpu: ok\n");
}
