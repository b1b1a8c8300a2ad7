// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/view/view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace aclnn {
namespace {

std::size_t at(int dim) noexcept { return static_cast<std::size_t>(dim); }

struct Dim {
  std::int64_t size;
  std::int64_t stride;
};

/// The dims of more than one element; dims that continue each other are joined.
std::vector<Dim> joined_dims(const View& view) {
  std::vector<Dim> dims;
  for (int d = 0; d < view.rank(); ++d) {
    const Dim dim{view.size(d), view.stride(d)};
    if (dim.size == 1) continue;
    if (!dims.empty() && dims.back().stride == dim.size * dim.stride) {
      dims.back() = {dims.back().size * dim.size, dim.stride};
    } else {
      dims.push_back(dim);
    }
  }
  return dims;
}

}  // namespace

Shape::Shape(std::initializer_list<std::int64_t> extents)
    : Shape(std::span(extents.begin(), extents.size())) {}

Shape::Shape(std::span<const std::int64_t> extents) : rank(static_cast<int>(extents.size())) {
  std::copy(extents.begin(), extents.end(), dims.begin());
}

std::int64_t Shape::count() const noexcept {
  std::int64_t product = 1;
  for (int d = 0; d < rank; ++d) product *= dims[at(d)];
  return product;
}

bool Shape::operator==(const Shape& other) const noexcept {
  return rank == other.rank && std::equal(dims.begin(), dims.begin() + rank, other.dims.begin());
}

std::string text_of(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape.dims.begin(), shape.dims.begin() + shape.rank, ", "));
}

void Shape::append(std::int64_t extent) { dims[at(rank++)] = extent; }

Shape Shape::without(int dim) const {
  Shape rest;
  for (int d = 0; d < rank; ++d) {
    if (d != dim) rest.append(dims[at(d)]);
  }
  return rest;
}

bool broadcast(const Shape& a, const Shape& b, Shape& result) noexcept {
  const int rank = std::max(a.rank, b.rank);
  Shape shape;
  shape.rank = rank;
  for (int d = 1; d <= rank; ++d) {
    const std::int64_t left = d <= a.rank ? a[a.rank - d] : 1;
    const std::int64_t right = d <= b.rank ? b[b.rank - d] : 1;
    if (left != right && left != 1 && right != 1) return false;
    shape[rank - d] = left == 1 ? right : left;
  }
  result = shape;
  return true;
}

bool View::contiguous() const noexcept {
  std::int64_t expected = 1;
  for (int d = rank() - 1; d >= 0; --d) {
    if (size(d) != 1 && stride(d) != expected) return false;
    expected *= size(d);
  }
  return true;
}

View View::expanded(const Shape& to) const {
  View result = *this;
  result.shape = to;
  const int missing = to.rank - rank();
  for (int d = 0; d < to.rank; ++d) {
    const bool own = d >= missing;
    const bool repeated = !own || (size(d - missing) == 1 && to[d] != 1);
    result.strides[at(d)] = repeated ? 0 : stride(d - missing);
  }
  return result;
}

View View::permuted(std::span<const int> order) const {
  View result = *this;
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.shape.dims[i] = size(order[i]);
    result.strides[i] = stride(order[i]);
  }
  return result;
}

View View::transposed(int a, int b) const {
  View result = *this;
  std::swap(result.shape.dims[at(a)], result.shape.dims[at(b)]);
  std::swap(result.strides[at(a)], result.strides[at(b)]);
  return result;
}

View View::sliced(int dim, std::int64_t begin, std::int64_t count, std::int64_t step) const {
  View result = *this;
  result.offset += begin * stride(dim);
  result.shape[dim] = count;
  result.strides[at(dim)] *= step;
  return result;
}

View View::without(int dim) const {
  View result = *this;
  for (int d = dim; d + 1 < rank(); ++d) {
    result.shape.dims[at(d)] = shape.dims[at(d + 1)];
    result.strides[at(d)] = strides[at(d + 1)];
  }
  --result.shape.rank;
  return result;
}

View View::selected(int dim, std::int64_t index) const {
  View result = without(dim);
  result.offset += index * stride(dim);
  return result;
}

View View::with_unit(int dim) const {
  View result = *this;
  for (int d = rank(); d > dim; --d) {
    result.shape.dims[at(d)] = shape.dims[at(d - 1)];
    result.strides[at(d)] = strides[at(d - 1)];
  }
  ++result.shape.rank;
  result.shape[dim] = 1;
  result.strides[at(dim)] = 1;
  return result;
}

bool View::reshaped(const Shape& to, View& result) const {
  if (to.count() != count()) return false;
  View view = contiguous_view(to, type, slot);
  view.offset = offset;
  if (count() == 0) {
    result = view;
    return true;
  }
  // From the last dim on, each joined dim is cut into dims of the new shape.
  const std::vector<Dim> dims = joined_dims(*this);
  int d = to.rank - 1;
  for (auto from = dims.rbegin(); from != dims.rend(); ++from) {
    std::int64_t left = from->size, step = from->stride;
    while (left > 1) {
      if (d < 0 || left % to[d] != 0) return false;
      view.strides[at(d)] = step;
      step *= to[d];
      left /= to[d--];
    }
  }
  while (d >= 0 && to[d] == 1) --d;
  if (d >= 0) return false;
  result = view;
  return true;
}

View contiguous_view(const Shape& shape, aclDataType type, int slot) {
  View view;
  view.shape = shape;
  view.type = type;
  view.slot = slot;
  std::int64_t stride = 1;
  for (int d = shape.rank - 1; d >= 0; --d) {
    view.strides[at(d)] = stride;
    stride *= shape[d];
  }
  return view;
}

Walk::Walk(const Data& data) : base_(data.at) {
  const auto bytes = static_cast<std::int64_t>(size_of(data.view.type));
  at_ = base_;
  if (data.view.count() == 0) {  // one empty dim; the strides do not matter
    steps_[0] = bytes;
    rank_ = 1;
    return;
  }
  for (int d = 0; d < data.view.rank(); ++d) {
    const std::int64_t size = data.view.size(d), step = data.view.stride(d) * bytes;
    if (size == 1) continue;
    if (rank_ != 0 && steps_[at(rank_ - 1)] == size * step) {
      dims_[at(rank_ - 1)] *= size;
      steps_[at(rank_ - 1)] = step;
    } else {
      dims_[at(rank_)] = size;
      steps_[at(rank_++)] = step;
    }
  }
  if (rank_ == 0) {
    dims_[0] = 1;
    steps_[0] = bytes;
    rank_ = 1;
  }
}

void Walk::seek(std::int64_t index) {
  at_ = base_;
  for (int d = rank_ - 1; d > 0; --d) {
    index_[at(d)] = index % dims_[at(d)];
    index /= dims_[at(d)];
    at_ += index_[at(d)] * steps_[at(d)];
  }
  index_[0] = index;
  at_ += index * steps_[0];
}

Walk::Segment Walk::next(std::int64_t most) {
  const std::size_t last = at(rank_ - 1);
  const Segment piece{at_, steps_[last], std::min(most, dims_[last] - index_[last])};
  index_[last] += piece.count;
  at_ += piece.count * piece.step;
  for (std::size_t d = last; d > 0 && index_[d] == dims_[d]; --d) {
    at_ += steps_[d - 1] - dims_[d] * steps_[d];
    index_[d] = 0;
    ++index_[d - 1];
  }
  return piece;
}

std::pair<std::int64_t, std::int64_t> extent_of(const View& view) {
  if (view.count() == 0) return {0, 0};
  std::int64_t low = view.offset, high = view.offset;
  for (int d = 0; d < view.rank(); ++d) {
    (view.stride(d) < 0 ? low : high) += (view.size(d) - 1) * view.stride(d);
  }
  const std::int64_t bits = bits_of(view.type);
  // The first byte of the nibbles, and the byte after the last.
  const auto floor8 = [](std::int64_t bit) { return bit >= 0 ? bit / 8 : -((7 - bit) / 8); };
  return {floor8(low * bits), floor8((high + 1) * bits + 7)};
}

std::vector<std::pair<std::int64_t, std::int64_t>> ranges_of(const View& view) {
  if (view.count() == 0) return {};
  const auto bytes = static_cast<std::int64_t>(size_of(view.type));
  if (bytes == 0) return {extent_of(view)};  // nibbles
  // Ascending strides, the order of elements does not matter here.
  std::vector<Dim> dims;
  std::int64_t first = view.offset;
  for (int d = 0; d < view.rank(); ++d) {
    Dim dim{view.size(d), view.stride(d)};
    if (dim.size == 1 || dim.stride == 0) continue;
    if (dim.stride < 0) {
      first += (dim.size - 1) * dim.stride;
      dim.stride = -dim.stride;
    }
    dims.push_back(dim);
  }
  std::sort(dims.begin(), dims.end(),
            [](const Dim& a, const Dim& b) { return a.stride < b.stride; });
  std::int64_t run = 1;  // elements without a gap
  std::size_t d = 0;
  for (; d < dims.size() && dims[d].stride <= run; ++d) {
    run = std::max(run, (dims[d].size - 1) * dims[d].stride + run);
  }
  std::vector<std::int64_t> starts{first};
  for (; d < dims.size(); ++d) {
    std::vector<std::int64_t> more;
    more.reserve(starts.size() * static_cast<std::size_t>(dims[d].size));
    for (std::int64_t i = 0; i < dims[d].size; ++i) {
      for (const std::int64_t start : starts) more.push_back(start + i * dims[d].stride);
    }
    starts = std::move(more);
  }
  std::sort(starts.begin(), starts.end());
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
  for (const std::int64_t start : starts) {
    if (!ranges.empty() && start * bytes <= ranges.back().second) {
      ranges.back().second = std::max(ranges.back().second, (start + run) * bytes);
    } else {
      ranges.emplace_back(start * bytes, (start + run) * bytes);
    }
  }
  return ranges;
}

}  // namespace aclnn
