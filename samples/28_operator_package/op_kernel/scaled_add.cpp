// SPDX-License-Identifier: Apache-2.0
// The kernel of ScaledAdd. DTYPE_X is float or half: it is compiled for each.
#include "kernel_operator.h"
#include "scaled_add_tiling.h"

using namespace AscendC;

class ScaledAddKernel {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const ScaledAddTiling& tiling) {
    tiling_ = tiling;
    const uint32_t begin = tiling.per_core * GetBlockIdx();
    count_ = tiling.total - begin < tiling.per_core ? tiling.total - begin : tiling.per_core;
    x_.SetGlobalBuffer((__gm__ DTYPE_X*)x + begin, count_);
    y_.SetGlobalBuffer((__gm__ DTYPE_Y*)y + begin, count_);
    z_.SetGlobalBuffer((__gm__ DTYPE_Z*)z + begin, count_);
    pipe_.InitBuffer(inputs_, 2, 2 * tiling.per_tile * sizeof(DTYPE_X));
    pipe_.InitBuffer(outputs_, 2, tiling.per_tile * sizeof(DTYPE_Z));
  }
  __aicore__ inline void Process() {
    for (uint32_t begin = 0; begin < count_; begin += tiling_.per_tile) {
      const uint32_t rest = count_ - begin;
      AddTile(begin, rest < tiling_.per_tile ? rest : tiling_.per_tile);
    }
  }

 private:
  __aicore__ inline void AddTile(uint32_t begin, uint32_t count) {
    const DataCopyExtParams bytes{1, static_cast<uint32_t>(count * sizeof(DTYPE_X)), 0, 0, 0};
    const DataCopyPadExtParams<DTYPE_X> no_padding{false, 0, 0, 0};
    LocalTensor<DTYPE_X> both = inputs_.AllocTensor<DTYPE_X>();
    DataCopyPad(both, x_[begin], bytes, no_padding);
    DataCopyPad(both[tiling_.per_tile], y_[begin], bytes, no_padding);
    inputs_.EnQue(both);

    both = inputs_.DeQue<DTYPE_X>();
    LocalTensor<DTYPE_Z> sum = outputs_.AllocTensor<DTYPE_Z>();
    Muls(sum, both[tiling_.per_tile], static_cast<DTYPE_X>(tiling_.factor), count);
    Add(sum, sum, both, count);
    inputs_.FreeTensor(both);
    outputs_.EnQue(sum);

    sum = outputs_.DeQue<DTYPE_Z>();
    DataCopyPad(z_[begin], sum, bytes);
    outputs_.FreeTensor(sum);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> inputs_;
  TQue<QuePosition::VECOUT, 1> outputs_;
  GlobalTensor<DTYPE_X> x_, y_, z_;
  ScaledAddTiling tiling_;
  uint32_t count_;
};

extern "C" __global__ __aicore__ void scaled_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                                 GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(ScaledAddTiling);
  GET_TILING_DATA(data, tiling);
  ScaledAddKernel kernel;
  kernel.Init(x, y, z, data);
  kernel.Process();
}
