// SPDX-License-Identifier: Apache-2.0
// Masks as values: 256 bits.
#include <cstring>

#include "runtime/ascendc/registers/registers.h"

namespace ascendc::registers {
namespace {

bool bit(const std::uint64_t* mask, std::size_t i) { return (mask[i / 64] >> i % 64 & 1U) != 0; }
void put(std::uint64_t* mask, std::size_t i, bool on) {
  mask[i / 64] |= static_cast<std::uint64_t>(on) << i % 64;
}

}  // namespace

void order_mask(const aclsimRegForm& form, std::uint64_t* dst0, std::uint64_t* dst1,
                const std::uint64_t* src0, const std::uint64_t* src1) {
  constexpr std::size_t kBits = kMask * 8;
  const std::size_t bytes = form.element;  // bits of a lane
  std::uint64_t first[4] = {};
  std::uint64_t second[4] = {};
  const bool high = (form.flags & ACLSIM_REG_HIGHEST) != 0;
  for (std::size_t i = 0; i < kBits; ++i) {
    const std::size_t group = i / bytes;
    const std::size_t rest = i % bytes;
    switch (form.operation) {
      case ACLSIM_REG_INTERLEAVE: {
        const std::uint64_t* const from = group % 2 == 0 ? src0 : src1;
        put(first, i, bit(from, group / 2 * bytes + rest));
        put(second, i, bit(from, (group / 2 + kBits / bytes / 2) * bytes + rest));
        break;
      }
      case ACLSIM_REG_DEINTERLEAVE: {
        const std::size_t half = kBits / bytes / 2;
        const std::uint64_t* const from = group < half ? src0 : src1;
        const std::size_t at = group % half * 2 * bytes + rest;
        put(first, i, bit(from, at));
        put(second, i, bit(from, at + bytes));
        break;
      }
      case ACLSIM_REG_PACK:
        if (i % 2 == 0) put(first, i / 2 + (high ? kBits / 2 : 0), bit(src0, i));
        break;
      default:
        if (i < kBits / 2) put(first, i * 2, bit(src0, i + (high ? kBits / 2 : 0)));
    }
  }
  std::memcpy(dst0, first, sizeof first);
  if (dst1 != nullptr) std::memcpy(dst1, second, sizeof second);
}

void mask_from_bits(std::uint64_t* dst, const void* bits, std::size_t bytes) {
  std::uint64_t from[4] = {};
  std::memcpy(from, bits, kMask / bytes);
  std::uint64_t mask[4] = {};
  for (std::size_t i = 0; i < kMask * 8; ++i) put(mask, i, bit(from, i / bytes));
  std::memcpy(dst, mask, sizeof mask);
}

std::size_t bits_from_mask(void* bits, const std::uint64_t* mask, std::size_t bytes) {
  std::uint64_t to[4] = {};
  for (std::size_t i = 0; i < kMask * 8 / bytes; ++i) put(to, i, bit(mask, i * bytes));
  std::memcpy(bits, to, kMask / bytes);
  return kMask / bytes;
}

}  // namespace ascendc::registers
