// SPDX-License-Identifier: Apache-2.0
#include "kernel_operator.h"
#include "sum_of_list_keys.h"

template <typename T, int TIMES, bool NEGATIVE>
__global__ __aicore__ void sum_of_list(GM_ADDR x, GM_ADDR added, GM_ADDR values, GM_ADDR y,
                                       GM_ADDR workspace, GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(SumOfListTiling);
  GET_TILING_DATA(data, tiling);
  AscendC::ListTensorDesc list((__gm__ void*)x);
  AscendC::GlobalTensor<T> to, scalar;
  AscendC::GlobalTensor<int64_t> numbers;
  to.SetGlobalBuffer((__gm__ T*)y);
  scalar.SetGlobalBuffer((__gm__ T*)added);
  numbers.SetGlobalBuffer((__gm__ int64_t*)values);
  for (uint64_t i = 0; i < data.length; ++i) {
    T sum = 0;
    for (uint64_t k = 0; k < data.tensors; ++k) {
      AscendC::GlobalTensor<T> from;
      from.SetGlobalBuffer(list.GetDataPtr<T>(k));
      sum += from.GetValue(i);
    }
    sum = sum * TIMES + scalar.GetValue(0);
    for (uint64_t k = 0; k < data.values; ++k) sum += static_cast<T>(numbers.GetValue(k));
    to.SetValue(i, NEGATIVE ? -sum : sum);
  }
}
