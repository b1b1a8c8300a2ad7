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

/// Sums and products that must be below 2^64.
size_t sum(size_t a, size_t b) {
  size_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) refuse("the box passes the last address");
  return result;
}
size_t product(size_t a, size_t b) {
  size_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) refuse("the box passes the last address");
  return result;
}

struct Box {
  size_t width = 0;  // bytes of a row
  size_t height = 0;
  size_t depth = 1;

  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// One side of a copy of a box.
struct Corner {
  CUdeviceptr base = 0;
  size_t pitch = 0;   // from row to row
  size_t height = 0;  // rows from plane to plane
  size_t x = 0;
  size_t y = 0;
  size_t z = 0;

  CUdeviceptr begin() const {
    return sum(base, sum(x, product(sum(y, product(z, height)), pitch)));
  }
  CUdeviceptr row(size_t plane, size_t row) const {
    return begin() + (plane * height + row) * pitch;
  }
  /// The bytes from the first to the last of the box.
  size_t span(const Box& box) const {
    return sum(product(sum(product(box.depth - 1, height), box.height - 1), pitch), box.width);
  }
};

/// Checks the whole box first, so that a refused call has changed nothing.
void copy_rows(Caller caller, const Corner& to, const Corner& from, const Box& box,
               const streams::StreamRef& stream, bool now) {
  if (box.empty()) return;
  transfer::require_memory(from.begin(), from.span(box), Role::read, Expected::any, stream, "src");
  transfer::require_memory(to.begin(), to.span(box), Role::written, Expected::any, stream, "dst");
  for (size_t z = 0; z < box.depth; ++z) {
    for (size_t row = 0; row < box.height; ++row) {
      transfer::copy(caller, {to.row(z, row), from.row(z, row), box.width}, stream, now);
    }
  }
}

void copy_plane(Caller caller, const CUDA_MEMCPY2D* what, const streams::StreamRef& stream,
                bool now) {
  const CUDA_MEMCPY2D& copy = *require_input(what, "pCopy");
  const Box box{copy.WidthInBytes, copy.Height};
  const Corner to{base_of(copy.dstMemoryType, copy.dstHost, copy.dstDevice, "dstMemoryType"),
                  pitch_of(copy.dstPitch, box.width, "dstPitch"), box.height, copy.dstXInBytes,
                  copy.dstY};
  const Corner from{base_of(copy.srcMemoryType, copy.srcHost, copy.srcDevice, "srcMemoryType"),
                    pitch_of(copy.srcPitch, box.width, "srcPitch"), box.height, copy.srcXInBytes,
                    copy.srcY};
  copy_rows(caller, to, from, box, stream, now);
}

void copy_box(Caller caller, const CUDA_MEMCPY3D* what, const streams::StreamRef& stream,
              bool now) {
  const CUDA_MEMCPY3D& copy = *require_input(what, "pCopy");
  const Box box{copy.WidthInBytes, copy.Height, copy.Depth};
  const Corner to{base_of(copy.dstMemoryType, copy.dstHost, copy.dstDevice, "dstMemoryType"),
                  pitch_of(copy.dstPitch, box.width, "dstPitch"),
                  copy.dstHeight == 0 ? box.height : copy.dstHeight,
                  copy.dstXInBytes,
                  copy.dstY,
                  copy.dstZ};
  const Corner from{base_of(copy.srcMemoryType, copy.srcHost, copy.srcDevice, "srcMemoryType"),
                    pitch_of(copy.srcPitch, box.width, "srcPitch"),
                    copy.srcHeight == 0 ? box.height : copy.srcHeight,
                    copy.srcXInBytes,
                    copy.srcY,
                    copy.srcZ};
  copy_rows(caller, to, from, box, stream, now);
}

void fill_rows(Caller caller, const FillRequest& row, size_t pitch, size_t height, bool own) {
  const streams::StreamRef stream = streams::find(nullptr, own);
  const Box box{product(row.width, row.count), height};
  const Corner to{row.to, pitch_of(pitch, box.width, "dstPitch"), height};
  if (box.empty()) return;
  if (height > 1 && to.pitch % row.width != 0) {
    refuse("dstPitch is {}; expected a multiple of {} bytes, the size of the value", to.pitch,
           row.width);
  }
  transfer::require_memory(to.begin(), to.span(box), Role::written, Expected::device, stream,
                           "dst");
  FillRequest next = row;
  for (size_t i = 0; i < height; ++i) {
    next.to = to.row(0, i);
    transfer::fill(caller, next, stream);
  }
}

}  // namespace

CUDA_STREAM_ENTRY(cuMemcpy2D_v2, cuMemcpy2D_v2_ptds, (const CUDA_MEMCPY2D* copy),
                  { copy_plane(caller, copy, streams::find(nullptr, kOwn), true); });

CUDA_STREAM_ENTRY(cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2_ptsz,
                  (const CUDA_MEMCPY2D* copy, CUstream stream),
                  { copy_plane(caller, copy, streams::find(stream, kOwn), false); });

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
