// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

struct IncrementTiling {
  uint32_t length;
};

extern "C" __global__ __aicore__ void increment(GM_ADDR x, GM_ADDR by, GM_ADDR x_ref,
                                                GM_ADDR workspace, GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(IncrementTiling);
  GET_TILING_DATA(data, tiling);
  AscendC::GlobalTensor<DTYPE_X> from, more;
  AscendC::GlobalTensor<DTYPE_X_REF> to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x);
  more.SetGlobalBuffer((__gm__ DTYPE_BY*)by);
  to.SetGlobalBuffer((__gm__ DTYPE_X_REF*)x_ref);
  for (uint32_t i = 0; i < data.length; ++i) to.SetValue(i, from.GetValue(i) + more.GetValue(i));
}
