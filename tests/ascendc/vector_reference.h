// SPDX-License-Identifier: Apache-2.0
// A slow reference of the vector instructions: a value is a double or a wide integer,
// and every rounding is a step of its own. Shares nothing with the unit but the numbers of
// elements.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "ascendc/impl/instruction.h"

namespace vectortest {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

struct Type {
  std::uint8_t element;
  const char* name;
  unsigned bits;
  int digits;  // of the significand; 0: an integer
  int least;   // exponent of the least normal number
  int most;    // exponent of the greatest
  bool is_signed;
  bool real() const { return digits != 0; }
  unsigned bytes() const { return bits / 8; }
};

inline const Type& type_of(std::uint8_t element) {
  static const Type kTypes[] = {
      {ACLSIM_INT8, "int8", 8, 0, 0, 0, true},
      {ACLSIM_UINT8, "uint8", 8, 0, 0, 0, false},
      {ACLSIM_INT16, "int16", 16, 0, 0, 0, true},
      {ACLSIM_UINT16, "uint16", 16, 0, 0, 0, false},
      {ACLSIM_INT32, "int32", 32, 0, 0, 0, true},
      {ACLSIM_UINT32, "uint32", 32, 0, 0, 0, false},
      {ACLSIM_INT64, "int64", 64, 0, 0, 0, true},
      {ACLSIM_UINT64, "uint64", 64, 0, 0, 0, false},
      {ACLSIM_HALF, "half", 16, 11, -14, 15, true},
      {ACLSIM_BFLOAT16, "bf16", 16, 8, -126, 127, true},
      {ACLSIM_FLOAT, "float", 32, 24, -126, 127, true},
  };
  for (const Type& type : kTypes) {
    if (type.element == element) return type;
  }
  static const Type kNone = {0, "?", 8, 0, 0, 0, false};
  return kNone;
}

enum Mode { kNone, kRint, kFloor, kCeil, kRound, kTrunc, kOdd };

inline double to_integral(double x, int mode) {
  switch (mode) {
    case kFloor:
      return std::floor(x);
    case kCeil:
      return std::ceil(x);
    case kRound:
      return std::round(x);
    case kTrunc:
      return std::trunc(x);
    case kOdd:
      return std::trunc(x) == x || std::fmod(std::trunc(x), 2) != 0
                 ? std::trunc(x)
                 : std::trunc(x) + (x < 0 ? -1 : 1);
    default:
      return std::nearbyint(x);
  }
}

/// To a number that `type` has.
inline double rounded(double x, const Type& type, int mode = kRint) {
  if (x == 0 || std::isnan(x) || std::isinf(x)) return x;
  int exponent = std::ilogb(x);
  if (exponent < type.least) exponent = type.least;
  const int scale = exponent - type.digits + 1;
  const double result = std::ldexp(to_integral(std::ldexp(x, -scale), mode), scale);
  const double most = std::ldexp(2 - std::ldexp(1.0, 1 - type.digits), type.most);
  if (std::fabs(result) <= most) return result;
  const bool stays =
      mode == kTrunc || mode == kOdd || (mode == kFloor && x > 0) || (mode == kCeil && x < 0);
  return std::copysign(stays ? most : std::numeric_limits<double>::infinity(), x);
}

inline Wide least_of(const Type& type) {
  return type.is_signed ? -(static_cast<Wide>(1) << (type.bits - 1)) : 0;
}
inline Wide most_of(const Type& type) {
  return (static_cast<Wide>(1) << (type.bits - (type.is_signed ? 1 : 0))) - 1;
}
/// The low bits.
inline Wide wrapped(Wide value, const Type& type) {
  const Wide span = static_cast<Wide>(1) << type.bits;
  Wide low = value % span;
  if (low < 0) low += span;
  return type.is_signed && low >= span / 2 ? low - span : low;
}
inline Wide nearest(Wide value, const Type& type) {
  return value < least_of(type) ? least_of(type) : value > most_of(type) ? most_of(type) : value;
}
/// An integral double, or beyond.
inline Wide nearest(double value, const Type& type) {
  if (std::isnan(value)) return 0;
  if (value < -1e19) return least_of(type);
  if (value > 2e19) return most_of(type);
  return nearest(static_cast<Wide>(value), type);
}

struct Value {
  double real = 0;
  Wide whole = 0;
};

inline Value decode(std::uint64_t bits, const Type& type) {
  Value value;
  if (!type.real()) {
    value.whole = wrapped(static_cast<Wide>(bits), type);
    return value;
  }
  const int stored = type.digits - 1;
  const auto fraction = static_cast<double>(bits & ((1ULL << stored) - 1));
  const int field = static_cast<int>(bits >> stored & ((1ULL << (type.bits - 1 - stored)) - 1));
  const bool negative = (bits >> (type.bits - 1) & 1U) != 0;
  const int top = (1 << (type.bits - 1 - stored)) - 1;
  if (field == top) {
    value.real = fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                               : std::numeric_limits<double>::infinity();
  } else if (field == 0) {
    value.real = std::ldexp(fraction, type.least - stored);
  } else {
    value.real = std::ldexp(fraction + std::ldexp(1.0, stored), field - 1 + type.least - stored);
  }
  if (negative) value.real = -value.real;
  return value;
}

/// Bits of a number that the type has (rounded() and wrapped() have been there).
inline std::uint64_t encode(const Value& value, const Type& type) {
  if (!type.real()) {
    return static_cast<std::uint64_t>(value.whole) &
           (type.bits == 64 ? ~0ULL : (1ULL << type.bits) - 1);
  }
  const int stored = type.digits - 1;
  const std::uint64_t sign = std::signbit(value.real) ? 1ULL << (type.bits - 1) : 0;
  const std::uint64_t top = (1ULL << (type.bits - 1 - stored)) - 1;
  const double size = std::fabs(value.real);
  if (std::isnan(size)) return sign | top << stored | 1ULL << (stored - 1);
  if (std::isinf(size)) return sign | top << stored;
  if (size == 0) return sign;
  const int exponent = std::ilogb(size);
  if (exponent < type.least) {
    return sign | static_cast<std::uint64_t>(std::ldexp(size, stored - type.least));
  }
  const auto digits = static_cast<std::uint64_t>(std::ldexp(size, stored - exponent));
  return sign | static_cast<std::uint64_t>(exponent - type.least + 1) << stored |
         (digits & ((1ULL << stored) - 1));
}

inline bool is_nan(std::uint64_t bits, const Type& type) {
  return type.real() && std::isnan(decode(bits, type).real);
}

/// The count of numbers of the type between two of one sign; large when the signs differ.
inline std::uint64_t steps_between(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : b - a;
}

}  // namespace vectortest
