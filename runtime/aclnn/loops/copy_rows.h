// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "runtime/aclnn/loops/copy.h"

namespace aclnn {

/// Moves elements of one size without interpreting them.
struct RowsOfSize {
  using Work = void (*)(const std::byte* from, std::byte* to, const Transfer::Plane& plane);
  Work copy;       // any steps; from_step 0 repeats one element
  Work transpose;  // rows follow each other element by element in `from`, columns in `to`
  std::int64_t tile;
  /// Elements whose places are offsets of bytes, into steps; and the other way.
  void (*gather)(const std::byte* from, const std::int64_t* offsets, std::byte* to,
                 std::int64_t to_step, std::int64_t count);
  void (*scatter)(const std::byte* from, std::int64_t from_step, std::byte* to,
                  const std::int64_t* offsets, std::int64_t count);
};

/// Sizes of 1, 2, 4, 8 and 16 bytes.
const RowsOfSize& rows_of_size(std::int64_t bytes) noexcept;

}  // namespace aclnn
