// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparisons.
#include <bit>
#include <cstring>

#include "runtime/ascendc/registers/loops.h"
#include "runtime/ascendc/registers/registers.h"

namespace ascendc::registers {
namespace {

using vector::bytes_of_element;
using vector::Loop;
using vector::Setting;

constexpr std::uint64_t kLowest[9] = {0, ~0ULL, 0x5555555555555555ULL, 0, 0x1111111111111111ULL, 0,
                                      0, 0,     0x0101010101010101ULL};

Loop find(std::uint16_t operation, std::uint8_t element, std::uint8_t source) {
  if (operation < ACLSIM_REG_Xor || operation >= vector::kCompareLT) {
    return vector::find_loop(operation, element, source);
  }
#if defined(ACLSIM_REGISTERS_AVX2)
  static const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c") &&
                           __builtin_cpu_supports("fma");
  if (wide) return vector::avx2::find_register(operation, element);
#endif
  return vector::plain::find_register(operation, element);
}

bool reads_destination(std::uint16_t operation) {
  return operation == ACLSIM_REG_MulAddDst || operation == ACLSIM_REG_MulDstAdd ||
         operation == ACLSIM_REG_Axpy;
}

template <typename T>
void blend_as(void* to, const void* from, const std::uint64_t* mask, std::size_t lanes,
              std::size_t stride, bool keeps) {
  auto* const d = static_cast<T*>(to);
  const auto* const s = static_cast<const T*>(from);
  const std::size_t in_word = 64 / stride;
  for (std::size_t first = 0; first < lanes; first += in_word) {
    const std::uint64_t word = mask[first / in_word];
    for (std::size_t k = 0; k < in_word; ++k) {
      const auto on = static_cast<T>(0 - static_cast<T>(word >> (k * stride) & 1U));
      const T old = keeps ? d[first + k] : T{0};
      d[first + k] = static_cast<T>((s[first + k] & on) | (old & static_cast<T>(~on)));
    }
  }
}

void flush(std::uint8_t* to, const void* from, std::size_t lanes) {
  for (std::size_t i = 0; i < lanes; ++i) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, static_cast<const std::uint8_t*>(from) + i * 4, 4);
    if ((bits & 0x7f800000U) == 0) bits &= 0x80000000U;
    std::memcpy(to + i * 4, &bits, 4);
  }
}

template <std::size_t stride>
void bits_of(const std::uint8_t* from, std::uint64_t* to) {
  constexpr std::size_t kInWord = 64 / stride;
  for (std::size_t w = 0; w < 4; ++w) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < kInWord; ++k) {
      word |= static_cast<std::uint64_t>(from[w * kInWord + k] & 1U) << (k * stride);
    }
    to[w] = word;
  }
}

}  // namespace

Control control_of(std::uint64_t value) noexcept {
  const auto bit = [value](unsigned n) { return (value >> n & 1U) != 0; };
  return {!bit(48), bit(53), bit(60), !bit(48), !bit(59)};
}

bool is_full(const std::uint64_t* mask, std::size_t stride) {
  const std::uint64_t all = kLowest[stride];
  return (mask[0] & mask[1] & mask[2] & mask[3] & all) == all;
}

void blend(void* to, const void* from, const std::uint64_t* mask, std::size_t bytes,
           std::size_t lanes, bool keeps) {
  const std::size_t stride = kRegister / lanes;
  switch (bytes) {
    case 1:
      return blend_as<std::uint8_t>(to, from, mask, lanes, stride, keeps);
    case 2:
      return blend_as<std::uint16_t>(to, from, mask, lanes, stride, keeps);
    case 4:
      return blend_as<std::uint32_t>(to, from, mask, lanes, stride, keeps);
    default:
      return blend_as<std::uint64_t>(to, from, mask, lanes, stride, keeps);
  }
}

void lanes(const aclsimRegForm& form, void* dst, const void* src0, const void* src1,
           const std::uint64_t* mask, std::uint64_t scalar, const Control& control) {
  const std::size_t bytes = bytes_of_element(form.element);
  const std::size_t all = (form.flags & ACLSIM_REG_TWICE) != 0 ? 2 * kRegister : kRegister;
  const Loop loop = find(form.operation, form.element, form.source ? form.source : form.element);
  if (loop == nullptr) return;
  const Setting setting{.scalar = scalar,
                        .mode = form.mode,
                        .saturate = control.saturates,
                        .saturate_integers = control.saturates_integers};
  const auto source = [](const void* from) {
    return static_cast<std::uint8_t*>(const_cast<void*>(from));
  };
  const bool full = mask == nullptr || is_full(mask, kRegister / (all / bytes));
  alignas(64) std::uint8_t result[2 * kRegister];
  if (!full && reads_destination(form.operation)) std::memcpy(result, dst, all);
  std::uint8_t* at[] = {full ? static_cast<std::uint8_t*>(dst) : result, source(src0),
                        source(src1)};
  const bool flushes = (form.flags & ACLSIM_REG_FLUSHES) != 0 && form.element == ACLSIM_FLOAT;
  alignas(64) std::uint8_t flushed[2][kRegister];
  for (std::size_t i = 1; flushes && i < 3 && at[i] != nullptr; ++i) {
    flush(flushed[i - 1], at[i], all / bytes);
    at[i] = flushed[i - 1];
  }
  loop(at, all / bytes, setting);
  if (flushes) flush(at[0], at[0], all / bytes);
  if (!full) {
    blend(dst, result, mask, bytes, all / bytes, (form.flags & ACLSIM_REG_MERGES) != 0);
  }
}

void compare(const aclsimRegForm& form, std::uint64_t* dst, const void* src0, const void* src1,
             const std::uint64_t* mask, std::uint64_t scalar) {
  const std::size_t bytes = bytes_of_element(form.element);
  const std::size_t all = (form.flags & ACLSIM_REG_TWICE) != 0 ? 2 * kRegister : kRegister;
  const unsigned first = src1 ? vector::kCompareLT : vector::kCompareSLT;
  const Loop loop =
      vector::find_loop(static_cast<std::uint16_t>(first + form.mode), form.element, form.element);
  if (loop == nullptr) return;
  alignas(64) std::uint8_t results[kRegister];
  std::uint8_t* const at[] = {results, static_cast<std::uint8_t*>(const_cast<void*>(src0)),
                              static_cast<std::uint8_t*>(const_cast<void*>(src1))};
  const std::size_t count = all / bytes;
  loop(at, count, {.scalar = scalar});
  std::uint64_t bits[4];
  switch (kRegister / count) {
    case 1:
      bits_of<1>(results, bits);
      break;
    case 2:
      bits_of<2>(results, bits);
      break;
    case 4:
      bits_of<4>(results, bits);
      break;
    default:
      bits_of<8>(results, bits);
  }
  for (std::size_t w = 0; w < 4; ++w) dst[w] = bits[w] & mask[w];
}

void carry(const aclsimRegForm& form, std::uint64_t* out, void* dst, const void* src0,
           const void* src1, const std::uint64_t* carried, const std::uint64_t* mask) {
  const bool subtracts = form.operation == ACLSIM_OP_Sub;
  std::uint64_t bits[4] = {};
  for (std::size_t i = 0; i < kRegister / 4; ++i) {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::memcpy(&a, static_cast<const std::uint8_t*>(src0) + i * 4, 4);
    std::memcpy(&b, static_cast<const std::uint8_t*>(src1) + i * 4, 4);
    if (subtracts) b = ~b;
    const std::uint64_t in = carried ? lane(carried, i, 4) : subtracts;
    const std::uint64_t sum = std::uint64_t{a} + b + in;
    const bool on = lane(mask, i, 4);
    const auto low = on ? static_cast<std::uint32_t>(sum) : 0U;
    std::memcpy(static_cast<std::uint8_t*>(dst) + i * 4, &low, 4);
    if (on) bits[i / 16] |= (sum >> 32) << i % 16 * 4;
  }
  std::memcpy(out, bits, sizeof bits);
}

}  // namespace ascendc::registers
