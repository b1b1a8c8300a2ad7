// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/fabric/base/error.h"
#include "runtime/fabric/transport/transport.h"

namespace fabric {

template <class Word>
std::uint64_t apply_to(std::byte* place, const Atomic& what) {
  std::atomic_ref<Word> word(*reinterpret_cast<Word*>(place));
  const auto operand = static_cast<Word>(what.operand);
  switch (what.op) {
    case AtomicOp::add:
      return word.fetch_add(operand);
    case AtomicOp::set:
      return word.exchange(operand);
    case AtomicOp::bit_and:
      return word.fetch_and(operand);
    case AtomicOp::bit_or:
      return word.fetch_or(operand);
    case AtomicOp::bit_xor:
      return word.fetch_xor(operand);
    case AtomicOp::compare_and_set: {
      auto expected = static_cast<Word>(what.expected);
      word.compare_exchange_strong(expected, operand);
      return expected;
    }
  }
  return 0;
}

/// Returns the old value of the word.
inline std::uint64_t apply(std::byte* place, const Atomic& what) {
  return what.width == 4 ? apply_to<std::uint32_t>(place, what)
                         : apply_to<std::uint64_t>(place, what);
}

/// Throws FabricError(invalid).
inline void require_word(const PeerMemory& at, std::size_t offset, const Atomic& what) {
  if ((what.width != 4 && what.width != 8) || offset % what.width != 0) {
    throw FabricError(Status::invalid, "an atomic of " + std::to_string(what.width) +
                                           " bytes at offset " + std::to_string(offset) +
                                           "; expected 4 or 8 bytes at a multiple of that");
  }
  at.require(offset, what.width, "an atomic");
}

}  // namespace fabric
