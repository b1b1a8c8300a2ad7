// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "runtime/aclnn/base/types.h"

namespace aclnn {

inline constexpr int kMaxRank = 8;

/// The extents of a tensor. Rank 0 is one element.
struct Shape {
  int rank = 0;
  std::array<std::int64_t, kMaxRank> dims{};

  Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents);
  explicit Shape(std::span<const std::int64_t> extents);

  std::int64_t operator[](int dim) const { return dims[static_cast<std::size_t>(dim)]; }
  std::int64_t& operator[](int dim) { return dims[static_cast<std::size_t>(dim)]; }
  std::int64_t count() const noexcept;  // of elements
  bool operator==(const Shape& other) const noexcept;
  struct Text;
  Text text() const noexcept;  // "[2, 3]" when it is formatted

  void append(std::int64_t extent);
  Shape without(int dim) const;
};

struct Shape::Text {
  Shape shape;
};
inline Shape::Text Shape::text() const noexcept { return {*this}; }
std::string text_of(const Shape& shape);

/// numpy's rules; false where the extents do not fit.
bool broadcast(const Shape& a, const Shape& b, Shape& result) noexcept;

/// Elements in the memory of one operand: element (i0..in) lies `offset + sum of i * stride`
/// elements behind the operand's address. Operators change views while they plan; where the memory
/// is becomes known when the operator runs (Execution::at).
struct View {
  Shape shape;
  std::array<std::int64_t, kMaxRank> strides{};
  std::int64_t offset = 0;
  aclDataType type = ACL_DT_UNDEFINED;
  int slot = -1;  // the operand

  /// False for an optional operand that was not given.
  explicit operator bool() const noexcept { return slot >= 0; }

  int rank() const noexcept { return shape.rank; }
  std::int64_t size(int dim) const { return shape[dim]; }
  std::int64_t stride(int dim) const { return strides[static_cast<std::size_t>(dim)]; }
  std::int64_t count() const noexcept { return shape.count(); }
  ComputeType lane() const noexcept { return compute_type_of(type); }
  bool contiguous() const noexcept;

  /// As the shape wants it: dims of one are repeated with stride 0, missing ones are put in front.
  /// The shapes must fit (`broadcast`).
  View expanded(const Shape& to) const;
  /// Dim i is dim order[i] of this one.
  View permuted(std::span<const int> order) const;
  View transposed(int a, int b) const;
  /// [begin, begin + count * step) of a dim, in steps.
  View sliced(int dim, std::int64_t begin, std::int64_t count, std::int64_t step = 1) const;
  /// One index of a dim, which goes away.
  View selected(int dim, std::int64_t index) const;
  View without(int dim) const;
  /// A dim of one at this place.
  View with_unit(int dim) const;
  /// The same elements in the same order with other dims; false if no view has them.
  bool reshaped(const Shape& to, View& result) const;
};

/// A contiguous view of memory that is not an operand's.
View contiguous_view(const Shape& shape, aclDataType type, int slot = -1);

/// A view whose memory is known.
struct Data {
  View view;
  std::byte* at = nullptr;  // element 0 of the view

  std::int64_t count() const noexcept { return view.count(); }
};
inline Data bind(const View& view, std::byte* base) noexcept {
  return {view, base + view.offset * bits_of(view.type) / 8};
}

/// Walks the elements of a view in order, from one on: the dims that follow each other in memory
/// are taken as one.
class Walk {
 public:
  explicit Walk(const Data& data);

  /// A piece whose elements lie `step` bytes apart.
  struct Segment {
    std::byte* at;
    std::int64_t step;
    std::int64_t count;
  };
  /// To the element of this number.
  void seek(std::int64_t index);
  /// The elements from the place on, `most` at most; goes behind them.
  Segment next(std::int64_t most);

 private:
  std::byte* base_;
  int rank_ = 0;
  std::array<std::int64_t, kMaxRank> dims_{}, steps_{}, index_{};
  std::byte* at_ = nullptr;
};

/// The byte ranges [first, second) that a view touches, relative to the operand's address; adjacent
/// ones are joined, in ascending order.
std::vector<std::pair<std::int64_t, std::int64_t>> ranges_of(const View& view);

/// The least range that holds them all.
std::pair<std::int64_t, std::int64_t> extent_of(const View& view);

}  // namespace aclnn

template <>
struct fmt::formatter<aclnn::Shape::Text> : fmt::formatter<std::string> {
  template <class Context>
  auto format(const aclnn::Shape::Text& text, Context& context) const {
    return fmt::formatter<std::string>::format(text_of(text.shape), context);
  }
};
