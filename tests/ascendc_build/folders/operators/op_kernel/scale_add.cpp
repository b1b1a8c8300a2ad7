// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"

#ifndef ADDED_TO_SCALE
#define ADDED_TO_SCALE 0
#endif
#if ORIG_DTYPE_X != DT_FLOAT && ORIG_DTYPE_X != DT_INT32
#error "the type of x"
#endif
#if FORMAT_Y != FORMAT_ND
#error "the format of y"
#endif

extern "C" __global__ __aicore__ void scale_add(GM_ADDR x, GM_ADDR bias, GM_ADDR y,
                                                GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  AscendC::GlobalTensor<DTYPE_X> from, more;
  AscendC::GlobalTensor<DTYPE_Y> to;
  AscendC::GlobalTensor<int32_t> scratch;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x);
  more.SetGlobalBuffer((__gm__ DTYPE_BIAS*)bias);
  to.SetGlobalBuffer((__gm__ DTYPE_Y*)y);
  scratch.SetGlobalBuffer((__gm__ int32_t*)workspace);
  scratch.SetValue(0, ADDED_TO_ALL + ADDED_TO_SCALE + static_cast<int32_t>(data.sizes.names[0]));
  for (uint32_t i = 0; i < data.sizes.length; ++i) {
    float sum = static_cast<float>(from.GetValue(i)) * data.factor + data.offset;
    if (TILING_KEY_IS(2)) {
      sum += static_cast<float>(more.GetValue(i));
    } else if (!TILING_KEY_IS(1)) {
      sum = -1;
    }
    const float first = static_cast<float>(to.GetValue(i));  // InitValue
    to.SetValue(i, static_cast<DTYPE_Y>(sum + first + static_cast<float>(scratch.GetValue(0))));
  }
}
