// SPDX-License-Identifier: Apache-2.0
// Copies of rows and boxes, and fills of rows: one op for each row.
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/transfer.h"

using namespace cuda;

namespace {

CUdeviceptr base_of(CUmemorytype type, const void* host, CUdeviceptr device, const char* argument) {
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      return reinterpret_cast<CUdeviceptr>(host);
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      return device;
    default:
      fail(CUDA_ERROR_NOT_SUPPORTED, "{} is {}; arrays are not emulated", argument,
           static_cast<int>(type));
  }
}

size_t pitch_of(size_t pitch, size_t width, const char* argument) {
  if (pitch != 0 && pitch < width)
    refuse("{} is {}, less than the width {}", argument, pitch, width);
  return pitch == 0 ? width : pitch;
}

void copy_rows(Caller caller, const CUDA_MEMCPY2D* what, const streams::StreamRef& stream,
               bool now) {
  const CUDA_MEMCPY2D& copy = *require_input(what, "pCopy");
  const size_t from_pitch = pitch_of(copy.srcPitch, copy.WidthInBytes, "srcPitch");
  const size_t to_pitch = pitch_of(copy.dstPitch, copy.WidthInBytes, "dstPitch");
  const CUdeviceptr from =
      base_of(copy.srcMemoryType, copy.srcHost, copy.srcDevice, "srcMemoryType") +
      copy.srcXInBytes + copy.srcY * from_pitch;
  const CUdeviceptr to =
      base_of(copy.dstMemoryType, copy.dstHost, copy.dstDevice, "dstMemoryType") +
      copy.dstXInBytes + copy.dstY * to_pitch;
  for (size_t row = 0; row < copy.Height; ++row) {
    transfer::copy(caller, {to + row * to_pitch, from + row * from_pitch, copy.WidthInBytes},
                   stream, now);
  }
}

void copy_box(Caller caller, const CUDA_MEMCPY3D* what, const streams::StreamRef& stream,
              bool now) {
  const CUDA_MEMCPY3D& copy = *require_input(what, "pCopy");
  const size_t from_pitch = pitch_of(copy.srcPitch, copy.WidthInBytes, "srcPitch");
  const size_t to_pitch = pitch_of(copy.dstPitch, copy.WidthInBytes, "dstPitch");
  const size_t from_height = copy.srcHeight == 0 ? copy.Height : copy.srcHeight;
  const size_t to_height = copy.dstHeight == 0 ? copy.Height : copy.dstHeight;
  const CUdeviceptr from =
      base_of(copy.srcMemoryType, copy.srcHost, copy.srcDevice, "srcMemoryType") +
      copy.srcXInBytes + (copy.srcY + copy.srcZ * from_height) * from_pitch;
  const CUdeviceptr to =
      base_of(copy.dstMemoryType, copy.dstHost, copy.dstDevice, "dstMemoryType") +
      copy.dstXInBytes + (copy.dstY + copy.dstZ * to_height) * to_pitch;
  for (size_t z = 0; z < copy.Depth; ++z) {
    for (size_t row = 0; row < copy.Height; ++row) {
      transfer::copy(caller,
                     {to + (z * to_height + row) * to_pitch,
                      from + (z * from_height + row) * from_pitch, copy.WidthInBytes},
                     stream, now);
    }
  }
}

void fill_rows(Caller caller, const FillRequest& row, size_t pitch, size_t height, bool own) {
  const streams::StreamRef stream = streams::find(nullptr, own);
  const size_t step = pitch_of(pitch, row.width * row.count, "dstPitch");
  FillRequest next = row;
  for (size_t i = 0; i < height; ++i, next.to += step) transfer::fill(caller, next, stream);
}

}  // namespace

CUDA_STREAM_ENTRY(cuMemcpy2D_v2, cuMemcpy2D_v2_ptds, (const CUDA_MEMCPY2D* copy),
                  { copy_rows(caller, copy, streams::find(nullptr, kOwn), true); });

CUDA_STREAM_ENTRY(cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2_ptsz,
                  (const CUDA_MEMCPY2D* copy, CUstream stream),
                  { copy_rows(caller, copy, streams::find(stream, kOwn), false); });

CUDA_STREAM_ENTRY(cuMemcpy3D_v2, cuMemcpy3D_v2_ptds, (const CUDA_MEMCPY3D* copy),
                  { copy_box(caller, copy, streams::find(nullptr, kOwn), true); });

CUDA_STREAM_ENTRY(cuMemcpy3DAsync_v2, cuMemcpy3DAsync_v2_ptsz,
                  (const CUDA_MEMCPY3D* copy, CUstream stream),
                  { copy_box(caller, copy, streams::find(stream, kOwn), false); });

CUDA_STREAM_ENTRY(cuMemsetD2D8_v2, cuMemsetD2D8_v2_ptds,
                  (CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height),
                  {
                    fill_rows(caller, {to, value, 1, width}, pitch, height, kOwn);
                  });

CUDA_STREAM_ENTRY(cuMemsetD2D16_v2, cuMemsetD2D16_v2_ptds,
                  (CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height),
                  {
                    fill_rows(caller, {to, value, 2, width}, pitch, height, kOwn);
                  });

CUDA_STREAM_ENTRY(cuMemsetD2D32_v2, cuMemsetD2D32_v2_ptds,
                  (CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height), {
                    fill_rows(caller, {to, value, 4, width}, pitch, height, kOwn);
                  });
