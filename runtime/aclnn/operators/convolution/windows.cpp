// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/convolution/windows.h"

#include <algorithm>
#include <utility>

#include "runtime/aclnn/loops/convert.h"

namespace aclnn {
namespace {

using WindowPlace = std::array<std::int64_t, 3>;

/// A dim as two, the first of which has `outer` places.
View split_dim(const View& view, int dim, std::int64_t outer) {
  View result = view.with_unit(dim);
  result.shape[dim] = outer;
  result.shape[dim + 1] = view.size(dim) / outer;
  result.strides[static_cast<std::size_t>(dim)] = view.size(dim) / outer * view.stride(dim);
  return result;
}

/// An image as [groups, channels, (N, d, h, w)].
View channels_first(const View& image, std::int64_t groups) {
  return split_dim(image.transposed(0, 1), 0, groups);
}

/// Weights as [groups, narrow channels, (wide channels, d, h, w)], or with the channels swapped.
View weight_rows(const View& weight, std::int64_t groups, bool swapped) {
  const View view = split_dim(weight, 0, groups);
  return swapped ? view.transposed(1, 2) : view;
}

/// Matrices [groups, rows, columns...] whose columns may be several dims.
Source<float> source_of_channels(const View& view) {
  Source<float> source;
  source.load = [view](Execution& run, const Tile& block, std::vector<float>& scratch) {
    float* const to = room(scratch, block.rows * block.columns);
    const Data data = run.at(view);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      load_row_of(data, 1, block.batch, block.row + i, block.column, block.columns,
                  to + i * block.columns);
    }
    return Matrix<float>{to, block.columns, 1};
  };
  return source;
}

/// The matrix of an image's windows: a row for each channel and position of the kernel, a column
/// for each position of the other image.
class Seen {
 public:
  /// `from` is the wide image, or the narrow one with `back`.
  Seen(const Windows& windows, const View& from, bool back)
      : w_(windows), from_(split_dim(from, 1, windows.groups)), back_(back) {}

  std::int64_t rows() const { return from_.size(2) * w_.kernel[0] * w_.kernel[1] * w_.kernel[2]; }
  std::int64_t columns() const {
    const WindowPlace& places = other();
    return from_.size(0) * places[0] * places[1] * places[2];
  }

  Matrix<float> load(Execution& run, const Tile& block, std::vector<float>& scratch) const {
    float* const to = room(scratch, block.rows * block.columns);
    const Data data = run.at(from_);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      load_row(data, block.batch, block.row + i, block.column, block.columns,
               to + i * block.columns);
    }
    return {to, block.columns, 1};
  }

 private:
  const WindowPlace& other() const { return back_ ? w_.wide : w_.narrow; }
  const WindowPlace& own() const { return back_ ? w_.narrow : w_.wide; }

  /// The position that is seen from `place` through a position of the kernel; false if it is
  /// outside.
  bool seen(std::size_t d, std::int64_t place, std::int64_t kernel, std::int64_t& at) const {
    const std::int64_t moved = kernel * w_.dilation[d] - w_.before[d];
    if (!back_) {
      at = place * w_.stride[d] + moved;
      return at >= 0 && at < own()[d];
    }
    const std::int64_t steps = place - moved;
    at = steps / w_.stride[d];
    return steps >= 0 && steps % w_.stride[d] == 0 && at < own()[d];
  }

  void load_row(const Data& data, std::int64_t group, std::int64_t row, std::int64_t column,
                std::int64_t count, float* to) const {
    WindowPlace kernel{};
    for (std::size_t d = 3; d-- > 0;) {
      kernel[d] = row % w_.kernel[d];
      row /= w_.kernel[d];
    }
    const WindowPlace& places = other();
    WindowPlace place{};
    for (std::size_t d = 3; d-- > 0;) {
      place[d] = column % places[d];
      column /= places[d];
    }
    std::int64_t image = column;
    while (count > 0) {
      const std::int64_t length = std::min(count, places[2] - place[2]);
      load_line(data, {image, group, row}, kernel, place, length, to);
      to += length;
      count -= length;
      place[2] = 0;
      if (++place[1] == places[1]) {
        place[1] = 0;
        if (++place[0] == places[0]) {
          place[0] = 0;
          ++image;
        }
      }
    }
  }

  /// Places beside each other in w.
  void load_line(const Data& data, const WindowPlace& channel, const WindowPlace& kernel,
                 const WindowPlace& place, std::int64_t count, float* to) const {
    std::int64_t d = 0, h = 0;
    std::fill(to, to + count, 0.0F);
    if (!seen(0, place[0], kernel[0], d) || !seen(1, place[1], kernel[1], h)) return;
    const View& view = data.view;
    const auto bytes = static_cast<std::int64_t>(size_of(view.type));
    const std::int64_t line = channel[0] * view.stride(0) + channel[1] * view.stride(1) +
                              channel[2] * view.stride(2) + d * view.stride(3) + h * view.stride(4);
    const LoadRow<float> get = aclnn::load_row<float>(view.type);
    if (back_ && w_.stride[2] != 1) {
      for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t w = 0;
        if (!seen(2, place[2] + i, kernel[2], w)) continue;
        get(data.at + (line + w * view.stride(5)) * bytes, bytes, to + i, 1);
      }
      return;
    }
    // The first place that sees something, and the first one behind that does not any more.
    const std::int64_t step = back_ ? 1 : w_.stride[2];
    const std::int64_t moved = kernel[2] * w_.dilation[2] - w_.before[2];
    const std::int64_t start = place[2] * step + (back_ ? -moved : moved);
    const std::int64_t first = start >= 0 ? 0 : std::min(count, (-start + step - 1) / step);
    const std::int64_t room_left = own()[2] - start;
    const std::int64_t last = room_left <= 0 ? 0 : std::min(count, (room_left + step - 1) / step);
    if (first >= last) return;
    get(data.at + (line + (start + first * step) * view.stride(5)) * bytes,
        step * view.stride(5) * bytes, to + first, last - first);
  }

  Windows w_;
  View from_;  // [N, groups, channels, d, h, w]
  bool back_;
};

Work image_work(const Windows& windows, const View& from, const View& weight, const View& to,
                bool back, const FinishTile<float>& finish) {
  const Seen seen(windows, from, back);
  Product<float> product;
  product.out = channels_first(to, windows.groups);
  product.batch_dims = 1;
  product.batches = windows.groups;
  product.m = product.out.size(1);
  product.n = seen.columns();
  product.k = seen.rows();
  product.a = source_of_channels(weight_rows(weight, windows.groups, back));
  product.b.load = [seen](Execution& run, const Tile& block, std::vector<float>& scratch) {
    return seen.load(run, block, scratch);
  };
  product.finish = finish;
  return work_of(std::move(product));
}

}  // namespace

Work narrow_of_wide(const Windows& windows, const View& wide, const View& weight,
                    const View& narrow, const FinishTile<float>& finish) {
  return image_work(windows, wide, weight, narrow, false, finish);
}

Work wide_of_narrow(const Windows& windows, const View& narrow, const View& weight,
                    const View& wide, const FinishTile<float>& finish) {
  return image_work(windows, narrow, weight, wide, true, finish);
}

Work weight_of_images(const Windows& windows, const View& wide, const View& narrow,
                      const View& weight) {
  const Seen seen(windows, wide, false);
  Product<float> product;
  product.out = weight_rows(weight, windows.groups, false);
  product.batch_dims = 1;
  product.batches = windows.groups;
  product.m = product.out.size(1);
  product.n = seen.rows();
  product.k = seen.columns();
  product.a = source_of_channels(channels_first(narrow, windows.groups));
  product.b.along_rows = true;
  product.b.load = [seen](Execution& run, const Tile& block, std::vector<float>& scratch) {
    const Matrix<float> rows =
        seen.load(run, {block.batch, block.column, block.columns, block.row, block.rows}, scratch);
    return Matrix<float>{rows.data, rows.column, rows.row};
  };
  return work_of(std::move(product));
}

}  // namespace aclnn
