// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/fabric/transport/transport.h"

namespace shmem {

/// A change of a word.
struct WordEffect {
  bool known = false;  // false: bytes of the word change, and nothing is known of their values
  fabric::AtomicOp op = fabric::AtomicOp::set;
  std::uint64_t operand = 0;
  std::uint64_t expected = 0;  // of compare_and_set

  static WordEffect set(std::uint64_t value) { return {true, fabric::AtomicOp::set, value, 0}; }
  /// Whether the value after it depends on the value before it.
  bool merges() const noexcept { return !known || op != fabric::AtomicOp::set; }
};

/// The value of a word of `bytes` bytes after the change; nothing if it is not known.
std::optional<std::uint64_t> value_after(const WordEffect& effect,
                                         std::optional<std::uint64_t> before, std::size_t bytes);

}  // namespace shmem
