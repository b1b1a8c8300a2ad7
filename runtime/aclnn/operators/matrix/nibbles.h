// SPDX-License-Identifier: Apache-2.0
// Matrices of signed numbers of four bits, two in a byte, the lower nibble first.
#pragma once

#include <cstdint>

#include "runtime/aclnn/plan/plan.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {

class Nibbles {
 public:
  Nibbles() = default;
  /// A matrix of INT4.
  explicit Nibbles(const View& matrix);
  /// A view [rows, columns] of INT4, or of INT32 that hold eight each, along the side that is
  /// short.
  Nibbles(const Planner& p, const View& view, std::int64_t rows, std::int64_t columns);

  explicit operator bool() const noexcept { return static_cast<bool>(base_); }
  /// Whether the numbers of a column are contiguous.
  bool along_rows() const noexcept { return down_ == 1 && right_ != 1; }
  /// `count` numbers from (row, column) on: down a column, or to the right.
  void load(Execution& run, std::int64_t row, std::int64_t column, std::int64_t count, bool down,
            float* to) const;

 private:
  View base_;                                      // the operand's first byte
  std::int64_t first_ = 0, down_ = 0, right_ = 0;  // in nibbles
};

/// A view as INT4: INT32 elements hold eight numbers each along the last dim.
View as_nibbles(const Planner& p, const View& view);

/// Writes rows of such numbers, of -8 to 7 each: the lower nibble first, a byte at a time.
class NibbleRows {
 public:
  /// Rows are along the last dim. Refuses views of which two rows would share a byte.
  NibbleRows(const Planner& p, const View& view);
  std::int64_t count() const noexcept { return view_.size(view_.rank() - 1); }
  void store(Execution& run, std::int64_t row, const float* from) const;

 private:
  View view_;
};

}  // namespace aclnn
