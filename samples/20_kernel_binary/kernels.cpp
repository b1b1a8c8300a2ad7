// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

constexpr int32_t kTile = 256;

// Each block: y = factor * x + table[block], over one tile.
extern "C" __global__ __aicore__ void scale_and_shift(GM_ADDR x, GM_ADDR y, GM_ADDR table,
                                                      float factor) {
  const uint32_t first = AscendC::GetBlockIdx() * kTile;
  AscendC::GlobalTensor<float> from, to, shifts;
  from.SetGlobalBuffer((__gm__ float*)x + first, kTile);
  to.SetGlobalBuffer((__gm__ float*)y + first, kTile);
  shifts.SetGlobalBuffer((__gm__ float*)table, AscendC::GetBlockNum());

  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, kTile * sizeof(float));
  pipe.InitBuffer(out, 1, kTile * sizeof(float));

  AscendC::LocalTensor<float> a = in.AllocTensor<float>();
  AscendC::DataCopy(a, from, kTile);
  in.EnQue(a);
  a = in.DeQue<float>();
  AscendC::LocalTensor<float> b = out.AllocTensor<float>();
  AscendC::Muls(b, a, factor, kTile);
  AscendC::Adds(b, b, shifts.GetValue(AscendC::GetBlockIdx()), kTile);
  out.EnQue(b);
  in.FreeTensor(a);
  b = out.DeQue<float>();
  AscendC::DataCopy(to, b, kTile);
  out.FreeTensor(b);
}
