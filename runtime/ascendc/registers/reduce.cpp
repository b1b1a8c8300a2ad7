// SPDX-License-Identifier: Apache-2.0
// Reductions: sums as trees of neighbours, and the first place of a maximum or minimum.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/ascendc/registers/loops.h"
#include "runtime/ascendc/registers/registers.h"

namespace ascendc::registers {
namespace {

using vector::bytes_of_element;

enum : std::uint8_t { kSum = 0, kMax = 1, kMin = 2 };

/// Puts together neighbours until `left` lanes are left. `values` has room for them.
void sum_neighbours(std::uint8_t* values, std::uint8_t element, std::size_t count, std::size_t left,
                    const Control& control) {
  const std::size_t bytes = bytes_of_element(element);
  const vector::Loop add = vector::find_loop(ACLSIM_OP_Add, element, element);
  alignas(64) std::uint8_t even[2 * kRegister];
  alignas(64) std::uint8_t odd[2 * kRegister];
  while (count > left) {
    count /= 2;
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(even + i * bytes, values + 2 * i * bytes, bytes);
      std::memcpy(odd + i * bytes, values + (2 * i + 1) * bytes, bytes);
    }
    std::uint8_t* const at[] = {values, even, odd};
    add(at, count, {.saturate = control.saturates});
  }
}

/// A value that can be compared with others of its type.
struct Value {
  bool nan = false;
  bool negative = false;  // decides between 0 and -0
  double real = 0;
  std::int64_t whole = 0;
  std::uint64_t natural = 0;
};

template <typename T>
T read(const std::uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

float float_of(std::uint16_t bits, std::uint8_t element) {
  if (element == ACLSIM_BFLOAT16) {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }
  const int exponent = bits >> 10 & 0x1f;
  const int fraction = bits & 0x3ff;
  double size = 0;
  if (exponent == 31) {
    size = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  } else {
    size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  }
  return static_cast<float>((bits & 0x8000) != 0 ? -size : size);
}

Value value_of(const std::uint8_t* at, std::uint8_t element) {
  Value value;
  switch (element) {
    case ACLSIM_HALF:
    case ACLSIM_BFLOAT16:
      value.real = float_of(read<std::uint16_t>(at), element);
      break;
    case ACLSIM_FLOAT:
      value.real = read<float>(at);
      break;
    case ACLSIM_INT8:
      value.whole = read<std::int8_t>(at);
      break;
    case ACLSIM_INT16:
      value.whole = read<std::int16_t>(at);
      break;
    case ACLSIM_INT32:
      value.whole = read<std::int32_t>(at);
      break;
    case ACLSIM_INT64:
      value.whole = read<std::int64_t>(at);
      break;
    case ACLSIM_UINT16:
      value.natural = read<std::uint16_t>(at);
      break;
    case ACLSIM_UINT32:
      value.natural = read<std::uint32_t>(at);
      break;
    case ACLSIM_UINT64:
      value.natural = read<std::uint64_t>(at);
      break;
    default:
      value.natural = *at;
  }
  value.nan = std::isnan(value.real);
  value.negative = std::signbit(value.real);
  return value;
}

/// Whether `a` is more extreme than `b`.
bool exceeds(const Value& a, const Value& b, bool greatest) {
  if (a.nan || b.nan) return a.nan && !b.nan;
  if (a.real == b.real && a.negative != b.negative) return b.negative == greatest;
  if (a.real != b.real) return (a.real > b.real) == greatest;
  if (a.whole != b.whole) return (a.whole > b.whole) == greatest;
  return a.natural != b.natural && (a.natural > b.natural) == greatest;
}

/// The bits of the least number of a type (of the greatest for a minimum).
std::uint64_t neutral(std::uint8_t element, bool greatest) {
  switch (element) {
    case ACLSIM_HALF:
      return greatest ? 0xfc00 : 0x7c00;
    case ACLSIM_BFLOAT16:
      return greatest ? 0xff80 : 0x7f80;
    case ACLSIM_FLOAT:
      return greatest ? 0xff800000 : 0x7f800000;
    default:
      break;
  }
  const unsigned bits = bytes_of_element(element) * 8;
  const std::uint64_t all = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
  const bool has_sign = element == ACLSIM_INT8 || element == ACLSIM_INT16 ||
                        element == ACLSIM_INT32 || element == ACLSIM_INT64;
  const std::uint64_t least = has_sign ? 1ULL << (bits - 1) : 0;
  return greatest ? least : all ^ least;
}

/// The most extreme of the lanes [first, last); writes its value, and returns its place.
std::size_t extreme(const aclsimRegForm& form, const std::uint8_t* src, const std::uint64_t* mask,
                    std::size_t stride, std::size_t first, std::size_t last, std::uint8_t* to) {
  const std::size_t bytes = bytes_of_element(form.element);
  const bool greatest = form.mode == kMax;
  std::size_t place = last;
  Value best;
  for (std::size_t i = first; i < last; ++i) {
    if (!lane(mask, i, stride)) continue;
    const Value value = value_of(src + i * bytes, form.element);
    if (place != last && !exceeds(value, best, greatest)) continue;
    best = value;
    place = i;
  }
  const std::uint64_t none = neutral(form.element, greatest);
  std::memcpy(to, place != last ? static_cast<const void*>(src + place * bytes) : &none, bytes);
  return place != last ? place - first : 0;
}

/// Whether a sum has a wider type than its sources.
std::size_t widen(const aclsimRegForm& form, const void* src, const std::uint64_t* mask,
                  std::size_t stride, std::uint8_t* values, std::size_t count) {
  const std::size_t from = bytes_of_element(form.source);
  const std::size_t to = bytes_of_element(form.element);
  const auto* const s = static_cast<const std::uint8_t*>(src);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t value = 0;
    if (lane(mask, i, stride)) {
      std::memcpy(&value, s + i * from, from);
      if (form.source == ACLSIM_INT16) value = static_cast<std::int16_t>(value);
    }
    std::memcpy(values + i * to, &value, to);
  }
  return count;
}

void reduce_all(const aclsimRegForm& form, std::uint8_t* result, const void* src,
                const std::uint64_t* mask, std::size_t count, const Control& control) {
  const std::size_t bytes = bytes_of_element(form.element);
  const std::size_t stride = kRegister / count;
  if (form.mode == kSum) {
    alignas(64) std::uint8_t values[2 * kRegister];
    widen(form, src, mask, stride, values, count);
    sum_neighbours(values, form.element, count, 1, control);
    std::memcpy(result, values, bytes);
    return;
  }
  const std::uint64_t place =
      extreme(form, static_cast<const std::uint8_t*>(src), mask, stride, 0, count, result);
  std::memcpy(result + bytes, &place, bytes);
}

void reduce_blocks(const aclsimRegForm& form, std::uint8_t* result, const void* src,
                   const std::uint64_t* mask, std::size_t count, const Control& control) {
  const std::size_t bytes = bytes_of_element(form.element);
  const std::size_t stride = kRegister / count;
  if (form.mode == kSum) {
    alignas(64) std::uint8_t values[2 * kRegister];
    widen(form, src, mask, stride, values, count);
    sum_neighbours(values, form.element, count, 8, control);
    std::memcpy(result, values, 8 * bytes);
    return;
  }
  for (std::size_t block = 0; block < 8; ++block) {
    extreme(form, static_cast<const std::uint8_t*>(src), mask, stride, block * count / 8,
            (block + 1) * count / 8, result + block * bytes);
  }
}

}  // namespace

void reduce(const aclsimRegForm& form, void* dst, const void* src, const std::uint64_t* mask,
            const Control& control) {
  const std::size_t all = (form.flags & ACLSIM_REG_TWICE) != 0 ? 2 * kRegister : kRegister;
  const std::size_t count = all / bytes_of_element(form.source);
  alignas(64) std::uint8_t result[2 * kRegister] = {};
  std::size_t written = 0;  // lanes
  if (form.operation == ACLSIM_OP_ReduceDataBlock) {
    reduce_blocks(form, result, src, mask, count, control);
    written = 8;
  } else if (form.operation == ACLSIM_OP_ReducePairElem) {
    widen(form, src, mask, kRegister / count, result, count);
    sum_neighbours(result, form.element, count, count / 2, control);
    written = count / 2;
    std::memset(result + written * bytes_of_element(form.element), 0,
                all - written * bytes_of_element(form.element));
  } else {
    reduce_all(form, result, src, mask, count, control);
    written = form.mode == kSum ? 1 : 2;
  }
  const bool keeps = (form.flags & ACLSIM_REG_MERGES) != 0;
  std::memcpy(dst, result, keeps ? written * bytes_of_element(form.element) : all);
}

}  // namespace ascendc::registers
