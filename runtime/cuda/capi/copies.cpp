// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/transfer.h"

using namespace cuda;

namespace {

CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

void copy(Caller caller, const CopyRequest& request, CUstream stream, bool own, bool now) {
  transfer::copy(caller, request, streams::find(stream, own), now);
}

/// Any memory, in the default stream.
void copy_now(Caller caller, CUdeviceptr to, CUdeviceptr from, size_t size, bool own,
              Expected to_is = Expected::any, Expected from_is = Expected::any) {
  copy(caller, {to, from, size, to_is, from_is}, nullptr, own, true);
}

}  // namespace

CUDA_STREAM_ENTRY(cuMemcpy, cuMemcpy_ptds, (CUdeviceptr to, CUdeviceptr from, size_t size),
                  { copy_now(caller, to, from, size, kOwn); });

CUDA_STREAM_ENTRY(cuMemcpyPeer, cuMemcpyPeer_ptds,
                  (CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext,
                   size_t size),
                  {
                    contexts::find(toContext);
                    contexts::find(fromContext);
                    copy_now(caller, to, from, size, kOwn, Expected::device, Expected::device);
                  });

CUDA_STREAM_ENTRY(cuMemcpyHtoD_v2, cuMemcpyHtoD_v2_ptds,
                  (CUdeviceptr to, const void* from, size_t size),
                  { copy_now(caller, to, address(from), size, kOwn, Expected::device); });

CUDA_STREAM_ENTRY(cuMemcpyDtoH_v2, cuMemcpyDtoH_v2_ptds, (void* to, CUdeviceptr from, size_t size),
                  {
                    copy_now(caller, address(to), from, size, kOwn, Expected::any,
                             Expected::device);
                  });

// Between devices the call does not wait for the copy; both are ordered in the default stream.
CUDA_STREAM_ENTRY(
    cuMemcpyDtoD_v2, cuMemcpyDtoD_v2_ptds, (CUdeviceptr to, CUdeviceptr from, size_t size), {
      copy(caller, {to, from, size, Expected::device, Expected::device}, nullptr, kOwn, false);
    });

CUDA_STREAM_ENTRY(cuMemcpyAsync, cuMemcpyAsync_ptsz,
                  (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream), {
                    copy(caller, {to, from, size}, stream, kOwn, false);
                  });

CUDA_STREAM_ENTRY(
    cuMemcpyPeerAsync, cuMemcpyPeerAsync_ptsz,
    (CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t size,
     CUstream stream),
    {
      contexts::find(toContext);
      contexts::find(fromContext);
      copy(caller, {to, from, size, Expected::device, Expected::device}, stream, kOwn, false);
    });

CUDA_STREAM_ENTRY(cuMemcpyHtoDAsync_v2, cuMemcpyHtoDAsync_v2_ptsz,
                  (CUdeviceptr to, const void* from, size_t size, CUstream stream), {
                    copy(caller, {to, address(from), size, Expected::device}, stream, kOwn, false);
                  });

CUDA_STREAM_ENTRY(
    cuMemcpyDtoHAsync_v2, cuMemcpyDtoHAsync_v2_ptsz,
    (void* to, CUdeviceptr from, size_t size, CUstream stream), {
      copy(caller, {address(to), from, size, Expected::any, Expected::device}, stream, kOwn, false);
    });

CUDA_STREAM_ENTRY(
    cuMemcpyDtoDAsync_v2, cuMemcpyDtoDAsync_v2_ptsz,
    (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream), {
      copy(caller, {to, from, size, Expected::device, Expected::device}, stream, kOwn, false);
    });
