#include "kernel_operator.h"

extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
  for (uint32_t i = block_idx; i < n; i += block_num) {
    ((__gm__ float*)z)[i] = ((__gm__ float*)x)[i] + ((__gm__ float*)y)[i];
  }
}

// The same with tensors and queues, in tiles.
constexpr uint32_t kTile = 32;
extern "C" __global__ __aicore__ void add_tiles(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t tiles) {
  using namespace AscendC;
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 2> out;
  pipe.InitBuffer(in, 2, 2 * kTile * sizeof(float));
  pipe.InitBuffer(out, 2, kTile * sizeof(float));
  GlobalTensor<float> a, b, c;
  a.SetGlobalBuffer((__gm__ float*)x);
  b.SetGlobalBuffer((__gm__ float*)y);
  c.SetGlobalBuffer((__gm__ float*)z);
  for (uint32_t i = GetBlockIdx(); i < tiles; i += GetBlockNum()) {
    LocalTensor<float> both = in.AllocTensor<float>();
    DataCopy(both, a[i * kTile], kTile);
    DataCopy(both[kTile], b[i * kTile], kTile);
    in.EnQue(both);
    both = in.DeQue<float>();
    LocalTensor<float> sum = out.AllocTensor<float>();
    Add(sum, both, both[kTile], (int32_t)kTile);
    out.EnQue(sum);
    in.FreeTensor(both);
    sum = out.DeQue<float>();
    DataCopy(c[i * kTile], sum, kTile);
    out.FreeTensor(sum);
  }
}
