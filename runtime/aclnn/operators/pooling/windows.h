// SPDX-License-Identifier: Apache-2.0
// Windows over one dim of an image, found while planning.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/aclnn/base/error.h"

namespace aclnn {

/// Elements begin, begin + step, ... before end; `extent`: their number with the padding that
/// belongs to the window.
struct Window {
  std::int64_t begin, end, step, extent;
};

struct Sliding {
  std::int64_t kernel, stride, before, after, dilation;
  bool ceil;
};

/// Windows of a size at regular places. With `ceil` a last one may pass the padding, if it begins
/// before it.
inline std::vector<Window> sliding_windows(std::int64_t size, const Sliding& s) {
  const std::int64_t span = s.dilation * (s.kernel - 1) + 1;
  const std::int64_t room = size + s.before + s.after - span;
  if (room < 0) return {};
  std::int64_t count = (room + (s.ceil ? s.stride - 1 : 0)) / s.stride + 1;
  if (s.ceil && (count - 1) * s.stride >= size + s.before) --count;
  std::vector<Window> windows;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = i * s.stride - s.before;
    std::int64_t begin = first;
    if (begin < 0) begin += (-begin + s.dilation - 1) / s.dilation * s.dilation;
    const std::int64_t extent = std::min(first + span, size + s.after) - first;
    windows.push_back({begin, std::min(first + span, size), s.dilation, extent});
  }
  return windows;
}

/// As many windows as wanted, which together are all elements.
inline std::vector<Window> adaptive_windows(std::int64_t size, std::int64_t count) {
  std::vector<Window> windows;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t begin = i * size / count, end = ((i + 1) * size + count - 1) / count;
    windows.push_back({begin, end, 1, end - begin});
  }
  return windows;
}

}  // namespace aclnn
