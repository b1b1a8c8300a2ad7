// SPDX-License-Identifier: Apache-2.0
//
// x / (1 + exp(-1.702 x)) of each half, in tiles.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kTile = 512;

extern "C" __global__ __aicore__ void gelu(GM_ADDR x, GM_ADDR y, uint32_t count) {
  const uint32_t each = (count + GetBlockNum() - 1) / GetBlockNum();
  const uint32_t first = each * GetBlockIdx();
  if (first >= count) return;
  const uint32_t length = first + each < count ? each : count - first;
  GlobalTensor<half> from, to;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(x) + first, length);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(y) + first, length);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  TQue<TPosition::VECOUT, 2> out;
  TBuf<TPosition::VECCALC> wide, scratch;
  pipe.InitBuffer(in, 2, kTile * sizeof(half));
  pipe.InitBuffer(out, 2, kTile * sizeof(half));
  pipe.InitBuffer(wide, kTile * sizeof(float));
  pipe.InitBuffer(scratch, kTile * sizeof(float));
  LocalTensor<float> a = wide.Get<float>(), b = scratch.Get<float>();
  for (uint32_t at = 0; at < length; at += kTile) {
    const uint32_t here = length - at < kTile ? length - at : kTile;
    const DataCopyExtParams piece(1, here * sizeof(half), 0, 0, 0);
    LocalTensor<half> tile = in.AllocTensor<half>();
    DataCopyPad(tile, from[at], piece, DataCopyPadExtParams<half>());
    in.EnQue(tile);
    tile = in.DeQue<half>();
    LocalTensor<half> result = out.AllocTensor<half>();
    Cast(a, tile, RoundMode::CAST_NONE, here);
    in.FreeTensor(tile);
    PipeBarrier<PIPE_V>();
    Muls(b, a, -1.702f, static_cast<int32_t>(here));
    PipeBarrier<PIPE_V>();
    Exp(b, b, static_cast<int32_t>(here));
    PipeBarrier<PIPE_V>();
    Adds(b, b, 1.0f, static_cast<int32_t>(here));
    PipeBarrier<PIPE_V>();
    Div(a, a, b, static_cast<int32_t>(here));
    PipeBarrier<PIPE_V>();
    Cast(result, a, RoundMode::CAST_RINT, here);
    out.EnQue(result);
    result = out.DeQue<half>();
    DataCopyPad(to[at], result, piece);
    out.FreeTensor(result);
  }
}
