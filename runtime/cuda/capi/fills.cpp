// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/transfer.h"

using namespace cuda;

namespace {

void fill(Caller caller, const FillRequest& request, CUstream stream, bool own) {
  transfer::fill(caller, request, streams::find(stream, own));
}

}  // namespace

CUDA_STREAM_ENTRY(cuMemsetD8_v2, cuMemsetD8_v2_ptds,
                  (CUdeviceptr to, unsigned char value, size_t count), {
                    fill(caller, {to, value, 1, count}, nullptr, kOwn);
                  });

CUDA_STREAM_ENTRY(cuMemsetD16_v2, cuMemsetD16_v2_ptds,
                  (CUdeviceptr to, unsigned short value, size_t count), {
                    fill(caller, {to, value, 2, count}, nullptr, kOwn);
                  });

CUDA_STREAM_ENTRY(cuMemsetD32_v2, cuMemsetD32_v2_ptds,
                  (CUdeviceptr to, unsigned int value, size_t count), {
                    fill(caller, {to, value, 4, count}, nullptr, kOwn);
                  });

CUDA_STREAM_ENTRY(cuMemsetD8Async, cuMemsetD8Async_ptsz,
                  (CUdeviceptr to, unsigned char value, size_t count, CUstream stream), {
                    fill(caller, {to, value, 1, count}, stream, kOwn);
                  });

CUDA_STREAM_ENTRY(cuMemsetD16Async, cuMemsetD16Async_ptsz,
                  (CUdeviceptr to, unsigned short value, size_t count, CUstream stream), {
                    fill(caller, {to, value, 2, count}, stream, kOwn);
                  });

CUDA_STREAM_ENTRY(cuMemsetD32Async, cuMemsetD32Async_ptsz,
                  (CUdeviceptr to, unsigned int value, size_t count, CUstream stream), {
                    fill(caller, {to, value, 4, count}, stream, kOwn);
                  });
