// SPDX-License-Identifier: Apache-2.0
// Changes of the order of lanes, and values that depend on the place of a lane.
#include <cstring>

#include "runtime/ascendc/registers/loops.h"
#include "runtime/ascendc/registers/registers.h"

namespace ascendc::registers {
namespace {

using vector::bytes_of_element;

/// The operands of a change of order, and the number of lanes.
struct Operands {
  void* dst0;
  void* dst1;
  const void* src0;
  const void* src1;
  const std::uint64_t* mask;
  std::size_t count;
  std::size_t stride;
  std::uint64_t scalar;
  std::uint8_t flags;
};

template <typename T>
void interleave(const Operands& o) {
  const auto* const a = static_cast<const T*>(o.src0);
  const auto* const b = static_cast<const T*>(o.src1);
  T first[2 * kRegister / sizeof(T)];
  T second[2 * kRegister / sizeof(T)];
  const std::size_t half = o.count / 2;
  for (std::size_t i = 0; i < half; ++i) {
    first[2 * i] = a[i];
    first[2 * i + 1] = b[i];
    second[2 * i] = a[half + i];
    second[2 * i + 1] = b[half + i];
  }
  std::memcpy(o.dst0, first, o.count * sizeof(T));
  std::memcpy(o.dst1, second, o.count * sizeof(T));
}

template <typename T>
void deinterleave(const Operands& o) {
  const auto* const a = static_cast<const T*>(o.src0);
  const auto* const b = static_cast<const T*>(o.src1);
  T first[2 * kRegister / sizeof(T)];
  T second[2 * kRegister / sizeof(T)];
  const std::size_t half = o.count / 2;
  for (std::size_t i = 0; i < half; ++i) {
    first[i] = a[2 * i];
    second[i] = a[2 * i + 1];
    first[half + i] = b[2 * i];
    second[half + i] = b[2 * i + 1];
  }
  std::memcpy(o.dst0, first, o.count * sizeof(T));
  std::memcpy(o.dst1, second, o.count * sizeof(T));
}

template <typename T>
std::size_t squeeze(const Operands& o) {
  const auto* const a = static_cast<const T*>(o.src0);
  T kept[kRegister / sizeof(T)] = {};
  std::size_t n = 0;
  for (std::size_t i = 0; i < o.count; ++i) {
    if (lane(o.mask, i, o.stride)) kept[n++] = a[i];
  }
  std::memcpy(o.dst0, kept, sizeof kept);
  return n;
}

/// The number of lanes before each lane that are on.
template <typename T>
void unsqueeze(const Operands& o) {
  auto* const d = static_cast<T*>(o.dst0);
  std::size_t n = 0;
  for (std::size_t i = 0; i < o.count; ++i) {
    d[i] = static_cast<T>(n);
    n += lane(o.mask, i, o.stride) ? 1 : 0;
  }
}

template <typename T>
void gather(const Operands& o) {
  const auto* const a = static_cast<const T*>(o.src0);
  const auto* const index = static_cast<const T*>(o.src1);
  T taken[2 * kRegister / sizeof(T)];
  for (std::size_t i = 0; i < o.count; ++i) taken[i] = a[index[i] % o.count];
  std::memcpy(o.dst0, taken, o.count * sizeof(T));
}

template <typename T>
void first_lane(const Operands& o) {
  const auto* const a = static_cast<const T*>(o.src0);
  T all[2 * kRegister / sizeof(T)];
  const T value = (o.flags & ACLSIM_REG_HIGHEST) != 0 ? a[o.count - 1] : a[0];
  for (std::size_t i = 0; i < o.count; ++i) all[i] = value;
  blend(o.dst0, all, o.mask, sizeof(T), o.count, (o.flags & ACLSIM_REG_MERGES) != 0);
}

template <typename T>
void select(const Operands& o) {
  alignas(64) std::uint8_t result[2 * kRegister];
  std::memcpy(result, o.src1, o.count * sizeof(T));
  blend(result, o.src0, o.mask, sizeof(T), o.count, true);
  std::memcpy(o.dst0, result, o.count * sizeof(T));
}

template <typename T>
void move(const Operands& o) {
  if (o.mask == nullptr) {
    if (o.dst0 != o.src0) std::memcpy(o.dst0, o.src0, o.count * sizeof(T));
  } else {
    blend(o.dst0, o.src0, o.mask, sizeof(T), o.count, (o.flags & ACLSIM_REG_MERGES) != 0);
  }
}

template <typename T>
std::size_t by_size(std::uint16_t operation, const Operands& o) {
  switch (operation) {
    case ACLSIM_REG_INTERLEAVE:
      interleave<T>(o);
      break;
    case ACLSIM_REG_DEINTERLEAVE:
      deinterleave<T>(o);
      break;
    case ACLSIM_REG_SQUEEZE:
    case ACLSIM_REG_SQUEEZE_STORED:
      return squeeze<T>(o);
    case ACLSIM_REG_UNSQUEEZE:
      unsqueeze<T>(o);
      break;
    case ACLSIM_REG_GATHER:
      gather<T>(o);
      break;
    case ACLSIM_REG_FIRST:
      first_lane<T>(o);
      break;
    case ACLSIM_REG_SELECT:
      select<T>(o);
      break;
    default:
      move<T>(o);
  }
  return 0;
}

/// The low halves of `src`, in one half of `dst`. The other half becomes 0.
void pack(const aclsimRegForm& form, void* dst, const void* src) {
  const std::size_t from = bytes_of_element(form.source);
  const std::size_t to = from / 2;
  const bool high = (form.flags & ACLSIM_REG_HIGHEST) != 0;
  std::uint8_t packed[kRegister] = {};
  for (std::size_t i = 0; i < kRegister / from; ++i) {
    std::memcpy(packed + (high ? kRegister / 2 : 0) + i * to,
                static_cast<const std::uint8_t*>(src) + i * from, to);
  }
  std::memcpy(dst, packed, sizeof packed);
}

/// One half of `src`, with its sign or with zeros.
void unpack(const aclsimRegForm& form, void* dst, const void* src) {
  const std::size_t from = bytes_of_element(form.source);
  const std::size_t to = from * 2;
  const bool has_sign =
      form.source == ACLSIM_INT8 || form.source == ACLSIM_INT16 || form.source == ACLSIM_INT32;
  const bool high = (form.flags & ACLSIM_REG_HIGHEST) != 0;
  std::uint8_t unpacked[kRegister] = {};
  for (std::size_t i = 0; i < kRegister / to; ++i) {
    const std::uint8_t* const at =
        static_cast<const std::uint8_t*>(src) + (high ? kRegister / 2 : 0) + i * from;
    if (has_sign && (at[from - 1] & 0x80U) != 0) std::memset(unpacked + i * to, 0xff, to);
    std::memcpy(unpacked + i * to, at, from);
  }
  std::memcpy(dst, unpacked, sizeof unpacked);
}

void arange(const aclsimRegForm& form, const Operands& o) {
  const bool down = (form.flags & ACLSIM_REG_DOWN) != 0;
  alignas(64) std::uint8_t places[2 * kRegister];
  std::uint8_t* const at[] = {places};
  const vector::Loop index =
      vector::find_loop(ACLSIM_OP_CreateVecIndex, form.element, form.element);
  if (index == nullptr) return;
  index(at, o.count, {.scalar = o.scalar});
  const std::size_t bytes = bytes_of_element(form.element);
  auto* const to = static_cast<std::uint8_t*>(o.dst0);
  for (std::size_t i = 0; i < o.count; ++i) {
    std::memcpy(to + i * bytes, places + (down ? o.count - 1 - i : i) * bytes, bytes);
  }
}

/// `layout`: which 128 values; `mode` 1: the values up to each.
void histogram(const aclsimRegForm& form, const Operands& o) {
  const auto* const values = static_cast<const std::uint8_t*>(o.src0);
  std::uint16_t counts[256] = {};
  for (std::size_t i = 0; i < kRegister; ++i) {
    if (lane(o.mask, i, 1)) ++counts[values[i]];
  }
  if (form.mode != 0) {
    for (std::size_t i = 1; i < 256; ++i) {
      counts[i] = static_cast<std::uint16_t>(counts[i] + counts[i - 1]);
    }
  }
  auto* const d = static_cast<std::uint16_t*>(o.dst0);
  const std::size_t first = std::size_t{form.layout} * 128 % 256;
  for (std::size_t i = 0; i < 128; ++i) {
    d[i] = static_cast<std::uint16_t>(d[i] + counts[first + i]);
  }
}

/// The low and high halves of products of 32 bits.
void long_product(const aclsimRegForm& form, const Operands& o) {
  for (std::size_t i = 0; i < o.count; ++i) {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::memcpy(&a, static_cast<const std::uint8_t*>(o.src0) + i * 4, 4);
    std::memcpy(&b, static_cast<const std::uint8_t*>(o.src1) + i * 4, 4);
    const std::uint64_t product =
        form.element == ACLSIM_INT32
            ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(a)) *
                                         static_cast<std::int32_t>(b))
            : std::uint64_t{a} * b;
    const bool on = lane(o.mask, i, o.stride);
    const std::uint32_t parts[2] = {on ? static_cast<std::uint32_t>(product) : 0,
                                    on ? static_cast<std::uint32_t>(product >> 32) : 0};
    std::memcpy(static_cast<std::uint8_t*>(o.dst0) + i * 4, &parts[0], 4);
    std::memcpy(static_cast<std::uint8_t*>(o.dst1) + i * 4, &parts[1], 4);
  }
}

}  // namespace

std::size_t order(const aclsimRegForm& form, void* dst0, void* dst1, const void* src0,
                  const void* src1, const std::uint64_t* mask, std::uint64_t scalar) {
  const std::size_t bytes = bytes_of_element(form.element);
  const std::size_t all = (form.flags & ACLSIM_REG_TWICE) != 0 ? 2 * kRegister : kRegister;
  const Operands o{dst0,   dst1,      src0, src1, mask, all / bytes, kRegister * bytes / all,
                   scalar, form.flags};
  switch (form.operation) {
    case ACLSIM_REG_PACK:
      pack(form, dst0, src0);
      return 0;
    case ACLSIM_REG_UNPACK:
      unpack(form, dst0, src0);
      return 0;
    case ACLSIM_REG_ARANGE:
      arange(form, o);
      return 0;
    case ACLSIM_REG_HISTOGRAM:
      histogram(form, o);
      return 0;
    case ACLSIM_REG_LONG_PRODUCT:
      long_product(form, o);
      return 0;
    default:
      break;
  }
  switch (bytes) {
    case 1:
      return by_size<std::uint8_t>(form.operation, o);
    case 2:
      return by_size<std::uint16_t>(form.operation, o);
    case 4:
      return by_size<std::uint32_t>(form.operation, o);
    default:
      return by_size<std::uint64_t>(form.operation, o);
  }
}

}  // namespace ascendc::registers
