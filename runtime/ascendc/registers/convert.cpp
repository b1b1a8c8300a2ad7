// SPDX-License-Identifier: Apache-2.0
// Conversions. The wider type has one lane for each conversion; of the narrower type, the layout
// selects one lane in each group.
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/ascendc/registers/loops.h"
#include "runtime/ascendc/registers/registers.h"

namespace ascendc::registers {
namespace {

using vector::bytes_of_element;

bool is_real(std::uint8_t element) {
  return element == ACLSIM_HALF || element == ACLSIM_BFLOAT16 || element == ACLSIM_FLOAT;
}

/// Copies lanes of `bytes` bytes from every `step`-th place to every `to_step`-th place.
template <typename T>
void spread_as(void* to, std::size_t to_step, const void* from, std::size_t step,
               std::size_t lanes) {
  auto* const d = static_cast<T*>(to);
  const auto* const s = static_cast<const T*>(from);
  for (std::size_t i = 0; i < lanes; ++i) d[i * to_step] = s[i * step];
}
void spread(std::size_t bytes, void* to, std::size_t to_step, const void* from, std::size_t step,
            std::size_t lanes) {
  switch (bytes) {
    case 1:
      return spread_as<std::uint8_t>(to, to_step, from, step, lanes);
    case 2:
      return spread_as<std::uint16_t>(to, to_step, from, step, lanes);
    case 4:
      return spread_as<std::uint32_t>(to, to_step, from, step, lanes);
    default:
      return spread_as<std::uint64_t>(to, to_step, from, step, lanes);
  }
}

std::int64_t whole(const std::uint8_t* from, std::uint8_t element, std::size_t i) {
  const auto at = [=](auto type) {
    decltype(type) value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    return static_cast<std::int64_t>(value);
  };
  switch (element) {
    case ACLSIM_INT8:
      return at(std::int8_t{});
    case ACLSIM_UINT8:
      return at(std::uint8_t{});
    case ACLSIM_INT16:
      return at(std::int16_t{});
    case ACLSIM_UINT16:
      return at(std::uint16_t{});
    case ACLSIM_INT32:
      return at(std::int32_t{});
    case ACLSIM_UINT32:
      return at(std::uint32_t{});
    default:
      return at(std::int64_t{});
  }
}

struct Range {
  std::int64_t least;
  std::int64_t most;
};
Range range_of_integer(std::uint8_t element) {
  const auto bits = bytes_of_element(element) * 8;
  const bool has_sign = element == ACLSIM_INT8 || element == ACLSIM_INT16 ||
                        element == ACLSIM_INT32 || element == ACLSIM_INT64;
  if (!has_sign) return {0, static_cast<std::int64_t>((1ULL << bits) - 1)};
  const auto most = static_cast<std::int64_t>((1ULL << (bits - 1)) - 1);
  return {-most - 1, most};
}

void put(std::uint8_t* to, std::size_t bytes, std::size_t i, std::int64_t value) {
  std::memcpy(to + i * bytes, &value, bytes);  // the low bytes come first
}

void between_integers(const aclsimRegForm& form, std::uint8_t* to, const std::uint8_t* from,
                      std::size_t lanes, bool saturates) {
  const Range range = range_of_integer(form.element);
  const std::size_t bytes = bytes_of_element(form.element);
  // A wider type without sign takes negative numbers as 0 in either mode.
  const bool clamps = saturates || bytes > bytes_of_element(form.source);
  for (std::size_t i = 0; i < lanes; ++i) {
    std::int64_t value = whole(from, form.source, i);
    if (clamps) value = value < range.least ? range.least : value > range.most ? range.most : value;
    put(to, bytes, i, value);
  }
}

double rounded(double value, unsigned mode) {
  switch (mode) {
    case 2:
      return std::floor(value);
    case 3:
      return std::ceil(value);
    case 4:
      return std::round(value);
    case 5:
      return std::trunc(value);
    default:
      return std::nearbyint(value);
  }
}

/// Without saturation: the low bits of the integer; the extreme number for an infinity.
void to_low_bits(const aclsimRegForm& form, std::uint8_t* to, const float* from,
                 std::size_t lanes) {
  const Range range = range_of_integer(form.element);
  const std::size_t bytes = bytes_of_element(form.element);
  for (std::size_t i = 0; i < lanes; ++i) {
    const double value = rounded(from[i], form.mode);
    std::int64_t low = 0;
    if (std::isinf(value)) {
      low = value < 0 ? range.least : range.most;
    } else if (!std::isnan(value)) {
      const double turn = std::fmod(value, 0x1p64);
      const auto size = static_cast<std::uint64_t>(std::fabs(turn));
      low = static_cast<std::int64_t>(turn < 0 ? 0 - size : size);
    }
    put(to, bytes, i, low);
  }
}

/// `lanes` adjacent lanes of either type.
void convert(const aclsimRegForm& form, std::uint8_t* to, std::uint8_t* from, std::size_t lanes,
             const Control& control) {
  const bool own = (form.flags & ACLSIM_REG_SAT) != 0;
  const bool real = control.casts_global ? control.cast_saturates : own;
  const bool integers = control.casts_global ? control.cast_saturates_integers : own;
  if (!is_real(form.element) && !is_real(form.source)) {
    return between_integers(form, to, from, lanes, integers);
  }
  const auto cast = [&](std::uint8_t dst, std::uint8_t src, std::uint8_t* d, std::uint8_t* s) {
    std::uint8_t* const at[] = {d, s};
    const vector::Loop loop = vector::find_loop(ACLSIM_OP_Cast, dst, src);
    if (loop != nullptr) loop(at, lanes, {.mode = form.mode, .saturate = real});
    return loop != nullptr;
  };
  alignas(64) std::uint8_t floats[kRegister * 4];
  if (!is_real(form.element) && !integers) {
    if (form.source == ACLSIM_FLOAT) {
      std::memcpy(floats, from, lanes * 4);
    } else {
      cast(ACLSIM_FLOAT, form.source, floats, from);
    }
    return to_low_bits(form, to, reinterpret_cast<const float*>(floats), lanes);
  }
  if (cast(form.element, form.source, to, from)) return;
  // Types that the vector unit converts in two exact steps.
  if (cast(ACLSIM_FLOAT, form.source, floats, from)) {
    cast(form.element, ACLSIM_FLOAT, to, floats);
  }
}

}  // namespace

void cast(const aclsimRegForm& form, void* dst, const void* src, const std::uint64_t* mask,
          const Control& control) {
  const std::size_t to_bytes = bytes_of_element(form.element);
  const std::size_t from_bytes = bytes_of_element(form.source);
  const bool twice = (form.flags & ACLSIM_REG_TWICE) != 0;
  const std::size_t wide = to_bytes > from_bytes ? to_bytes : from_bytes;
  const std::size_t count = (twice ? 2 * kRegister : kRegister) / wide;
  const std::size_t to_step = twice ? 1 : wide / to_bytes;
  const std::size_t from_step = twice ? 1 : wide / from_bytes;
  alignas(64) std::uint8_t narrow[2 * kRegister];
  alignas(64) std::uint8_t results[2 * kRegister];
  auto* from = static_cast<std::uint8_t*>(const_cast<void*>(src));
  if (from_step != 1) {
    spread(from_bytes, narrow, 1, from + form.layout * from_bytes, from_step, count);
    from = narrow;
  }
  convert(form, results, from, count, control);
  // The mask belongs to the lanes of the source.
  std::uint64_t own[4] = {};
  const std::size_t stride = kRegister / count;
  const std::size_t shift = from_step == 1 ? 0 : form.layout * from_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bit = i * stride + shift;
    own[i * stride / 64] |= (mask[bit / 64] >> bit % 64 & 1U) << i * stride % 64;
  }
  blend(results, results, own, to_bytes, count, false);
  if (to_step == 1) {
    if ((form.flags & ACLSIM_REG_MERGES) != 0) {
      blend(dst, results, own, to_bytes, count, true);
    } else {
      std::memcpy(dst, results, count * to_bytes);
    }
    return;
  }
  std::memset(dst, 0, kRegister);
  spread(to_bytes, static_cast<std::uint8_t*>(dst) + form.layout * to_bytes, to_step, results, 1,
         count);
}

}  // namespace ascendc::registers
