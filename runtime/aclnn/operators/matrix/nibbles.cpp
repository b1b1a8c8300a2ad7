// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/matrix/nibbles.h"

#include <cstddef>

namespace aclnn {

Nibbles::Nibbles(const View& matrix)
    : base_(matrix), first_(matrix.offset), down_(matrix.stride(0)), right_(matrix.stride(1)) {
  base_.offset = 0;
}

Nibbles::Nibbles(const Planner& p, const View& view, std::int64_t rows, std::int64_t columns)
    : base_(view), first_(view.offset), down_(view.stride(0)), right_(view.stride(1)) {
  base_.offset = 0;
  if (view.type == ACL_INT4) {
    p.require_shape(view, Shape{rows, columns});
    return;
  }
  const bool right = view.shape == Shape{rows, columns / 8} && columns % 8 == 0;
  const bool down = view.shape == Shape{rows / 8, columns} && rows % 8 == 0;
  require(right || down, "{} has the shape {}; expected [{}, {} / 8] or [{} / 8, {}]", p.name(view),
          view.shape.text(), rows, columns, rows, columns);
  const bool whole = (right ? right_ : down_) == 1;
  require(whole, "{} has the strides {} and {}; expected 1 where eight numbers lie in one",
          p.name(view), down_, right_);
  first_ *= 8;
  (right ? down_ : right_) *= 8;
}

void Nibbles::load(Execution& run, std::int64_t row, std::int64_t column, std::int64_t count,
                   bool down, float* to) const {
  const std::byte* const bytes = run.at(base_).at;
  const auto low = [](std::byte pair) {
    return static_cast<float>(static_cast<std::int8_t>(std::to_integer<unsigned>(pair) << 4) >> 4);
  };
  const auto high = [](std::byte pair) {
    return static_cast<float>(static_cast<std::int8_t>(pair) >> 4);
  };
  std::int64_t at = first_ + row * down_ + column * right_;
  const std::int64_t step = down ? down_ : right_;
  std::int64_t i = 0;
  if (step == 1 && at % 2 != 0 && count > 0) {
    to[i++] = high(bytes[at >> 1]);
    ++at;
  }
  if (step == 1) {
    for (const std::byte* pair = bytes + (at >> 1); i + 2 <= count; i += 2, at += 2, ++pair) {
      to[i] = low(*pair);
      to[i + 1] = high(*pair);
    }
  }
  for (; i < count; ++i, at += step) {
    to[i] = at % 2 == 0 ? low(bytes[at >> 1]) : high(bytes[at >> 1]);
  }
}

View as_nibbles(const Planner& p, const View& view) {
  if (view.type == ACL_INT4) return view;
  View numbers = view;
  const int last = view.rank() - 1;
  require(view.stride(last) == 1 || view.size(last) == 1,
          "{} has the stride {} in its last dim; expected 1, as eight numbers lie in an INT32",
          p.name(view), view.stride(last));
  for (int d = 0; d < last; ++d) numbers.strides[static_cast<std::size_t>(d)] *= 8;
  numbers.strides[static_cast<std::size_t>(last)] = 1;
  numbers.shape[last] *= 8;
  numbers.offset *= 8;
  numbers.type = ACL_INT4;
  return numbers;
}

NibbleRows::NibbleRows(const Planner& p, const View& view) : view_(as_nibbles(p, view)) {
  const int last = view_.rank() - 1;
  bool whole = view_.stride(last) == 1 && view_.size(last) % 2 == 0 && view_.offset % 2 == 0;
  for (int d = 0; d < last; ++d) whole = whole && view_.stride(d) % 2 == 0;
  require(whole, "{} has the shape {}; expected rows that each begin with a byte and end with one",
          p.name(view), view.shape.text());
}

void NibbleRows::store(Execution& run, std::int64_t row, const float* from) const {
  View bytes = view_;
  bytes.offset = 0;
  std::int64_t at = view_.offset;
  for (int d = view_.rank() - 2; d >= 0; --d) {
    at += row % view_.size(d) * view_.stride(d);
    row /= view_.size(d);
  }
  std::byte* const to = run.at(bytes).at + at / 2;
  const auto nibble = [](float number) {
    return static_cast<unsigned>(static_cast<int>(number)) & 15U;
  };
  for (std::int64_t i = 0; i < count() / 2; ++i) {
    to[i] = static_cast<std::byte>(nibble(from[2 * i]) | nibble(from[2 * i + 1]) << 4);
  }
}

}  // namespace aclnn
