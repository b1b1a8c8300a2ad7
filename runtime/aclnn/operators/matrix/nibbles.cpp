// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/matrix/nibbles.h"

#include <cstddef>

namespace aclnn {

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

void Nibbles::load(Run& run, std::int64_t row, std::int64_t column, std::int64_t count, bool down,
                   float* to) const {
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

}  // namespace aclnn
