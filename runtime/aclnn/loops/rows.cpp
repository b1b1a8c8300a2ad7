// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/loops/rows.h"

namespace aclnn {
namespace {

void append_dim(View& view, const View& from, int dim) {
  view.strides[static_cast<std::size_t>(view.rank())] = from.stride(dim);
  view.shape.append(from.size(dim));
}

}  // namespace

Split split(const View& view, const Dims& mask) {
  Split parts{view, view};
  parts.rows.shape = parts.along.shape = Shape{};
  parts.along.offset = 0;
  for (int d = 0; d < view.rank(); ++d) {
    append_dim(mask[static_cast<std::size_t>(d)] ? parts.along : parts.rows, view, d);
  }
  return parts;
}

View joined(const View& view) {
  View result = view;
  result.shape = Shape{};
  for (int d = 0; d < view.rank(); ++d) {
    if (view.size(d) == 1) continue;
    const int last = result.rank() - 1;
    if (last >= 0 && result.stride(last) == view.size(d) * view.stride(d)) {
      result.shape[last] *= view.size(d);
      result.strides[static_cast<std::size_t>(last)] = view.stride(d);
    } else {
      append_dim(result, view, d);
    }
  }
  return result;
}

}  // namespace aclnn
