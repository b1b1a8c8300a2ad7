// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/links/word_values.h"

#include "runtime/fabric/transport/atomic.h"

namespace shmem {

std::optional<std::uint64_t> value_after(const WordEffect& effect,
                                         std::optional<std::uint64_t> before, std::size_t bytes) {
  using fabric::AtomicOp;
  if (!effect.known || bytes > sizeof(std::uint64_t)) return std::nullopt;
  const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
  if (effect.op == AtomicOp::set) return effect.operand & mask;
  if (!before || (bytes != 4 && bytes != 8)) return std::nullopt;
  alignas(8) std::uint64_t word = *before & mask;
  fabric::apply(reinterpret_cast<std::byte*>(&word),
                {effect.op, static_cast<std::uint8_t>(bytes), effect.operand, effect.expected});
  return word & mask;
}

}  // namespace shmem
