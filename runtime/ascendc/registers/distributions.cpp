// SPDX-License-Identifier: Apache-2.0
// The layouts of loads and stores. LoadDist and StoreDist (reg_types.h) number them.
#include <cstring>

#include "runtime/ascendc/registers/registers.h"

namespace ascendc::registers {
namespace {

enum Load : unsigned {
  kNorm,
  kBrcB8,
  kBrcB16,
  kBrcB32,
  kUsB8 = 6,
  kUsB16,
  kDsB8,
  kDsB16,
  kDeintB8 = 11,
  kDeintB16,
  kUnpackB8,
  kUnpackB16,
  kBlk,
  kE2bB16,
  kE2bB32,
  kUnpackB32,
  kDeintB32,
  kUnpack4B8
};

/// Repeats each element of `bytes` bytes `times` times, or fills the places after it with zeros.
void widen(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, std::size_t times,
           bool repeats) {
  const std::size_t count = kRegister / bytes / times;
  if (!repeats) std::memset(to, 0, kRegister);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < (repeats ? times : 1); ++k) {
      std::memcpy(to + (i * times + k) * bytes, from + i * bytes, bytes);
    }
  }
}

/// Every `step`-th element from the given one, until a register is full.
void thin(std::uint8_t* to, const std::uint8_t* from, std::size_t bytes, std::size_t step) {
  for (std::size_t i = 0; i < kRegister / bytes; ++i) {
    std::memcpy(to + i * bytes, from + i * step * bytes, bytes);
  }
}

constexpr std::uint64_t lowest_of(std::size_t stride) {
  return stride == 1   ? ~0ULL
         : stride == 2 ? 0x5555555555555555ULL
         : stride == 4 ? 0x1111111111111111ULL
                       : 0x0101010101010101ULL;
}
std::size_t count_of(std::uint64_t word, std::size_t stride) {
  return static_cast<std::size_t>(__builtin_popcountll(word & lowest_of(stride)));
}

}  // namespace

Layout layout_of_load(unsigned dist, std::size_t, bool twice) {
  switch (dist) {
    case kBrcB8:
      return {1, 1};
    case kBrcB16:
      return {2, 2};
    case kBrcB32:
      return {4, 4};
    case kUsB8:
    case kUsB16:
    case kUnpackB8:
    case kUnpackB16:
    case kUnpackB32:
      return {kRegister / 2, 32};
    case kUnpack4B8:
      return {kRegister / 4, 32};
    case kDsB8:
    case kDsB16:
    case kDeintB8:
    case kDeintB16:
    case kDeintB32:
      return {2 * kRegister, 32};
    case kBlk:
      return {32, 32};
    case kE2bB16:
      return {16, 16};
    case kE2bB32:
      return {32, 32};
    default:
      return {twice ? 2 * kRegister : kRegister, 32};
  }
}

void load(unsigned dist, std::size_t, bool twice, void* dst0, void* dst1,
          const std::uint8_t* from) {
  auto* const to = static_cast<std::uint8_t*>(dst0);
  auto* const second = static_cast<std::uint8_t*>(dst1);
  switch (dist) {
    case kBrcB8:
      return widen(to, from, 1, kRegister, true);
    case kBrcB16:
      return widen(to, from, 2, kRegister / 2, true);
    case kBrcB32:
      return widen(to, from, 4, kRegister / 4, true);
    case kUsB8:
      return widen(to, from, 1, 2, true);
    case kUsB16:
      return widen(to, from, 2, 2, true);
    case kUnpackB8:
      return widen(to, from, 1, 2, false);
    case kUnpackB16:
      return widen(to, from, 2, 2, false);
    case kUnpackB32:
      return widen(to, from, 4, 2, false);
    case kUnpack4B8:
      return widen(to, from, 1, 4, false);
    case kDsB8:
      return thin(to, from, 1, 2);
    case kDsB16:
      return thin(to, from, 2, 2);
    case kBlk:
      return widen(to, from, 32, 8, true);
    case kE2bB16:
      return widen(to, from, 2, 16, true);
    case kE2bB32:
      return widen(to, from, 4, 8, true);
    case kDeintB8:
      thin(to, from, 1, 2);
      return thin(second, from + 1, 1, 2);
    case kDeintB16:
      thin(to, from, 2, 2);
      return thin(second, from + 2, 2, 2);
    case kDeintB32:
      thin(to, from, 4, 2);
      return thin(second, from + 4, 4, 2);
    default:
      std::memcpy(to, from, twice ? 2 * kRegister : kRegister);
  }
}

StoreForm form_of_store(unsigned dist, std::size_t bytes, bool twice) {
  const auto all = [](std::size_t lane, std::size_t kept) {
    return StoreForm{lane, kept, kRegister / lane, 32, false, false};
  };
  switch (dist) {
    case 0:
      return all(1, 1);
    case 1:
      return all(2, 2);
    case 2:
      return all(4, 4);
    case 3:
      return {1, 1, 1, 1, true, false};
    case 4:
      return {2, 2, 1, 2, true, false};
    case 5:
      return {4, 4, 1, 4, true, false};
    case 6:
      return all(2, 1);
    case 7:
      return all(4, 2);
    case 8:
      return {1, 1, 2 * kRegister, 32, false, true};
    case 9:
      return {2, 2, kRegister, 32, false, true};
    case 10:
      return all(8, 4);
    case 11:
      return {4, 4, kRegister / 2, 32, false, true};
    case 12:
      return all(4, 1);
    default:
      return {bytes, bytes, (twice ? 2 * kRegister : kRegister) / bytes, 32, false, false};
  }
}

LaneRange range_of(const std::uint64_t* mask, std::size_t stride, std::size_t lanes) {
  LaneRange range{lanes, 0};
  const std::uint64_t lowest = lowest_of(stride);
  for (std::size_t w = 0; w < 4; ++w) {
    const std::uint64_t bits = mask[w] & lowest;
    if (bits == 0) continue;
    const std::size_t before = w * 64 / stride;
    if (range.last == 0) {
      range.first = before + static_cast<std::size_t>(__builtin_ctzll(bits)) / stride;
    }
    range.last = before + (63 - static_cast<std::size_t>(__builtin_clzll(bits))) / stride + 1;
  }
  if (range.last == 0) range.first = 0;
  return range;
}

void store(const StoreForm& form, std::uint8_t* to, const void* src0, const void* src1,
           const std::uint64_t* mask) {
  const auto* const a = static_cast<const std::uint8_t*>(src0);
  if (form.interleaves) {
    const auto* const b = static_cast<const std::uint8_t*>(src1);
    for (std::size_t i = 0; i < form.lanes / 2; ++i) {
      std::memcpy(to + 2 * i * form.lane_bytes, a + i * form.lane_bytes, form.lane_bytes);
      std::memcpy(to + (2 * i + 1) * form.lane_bytes, b + i * form.lane_bytes, form.lane_bytes);
    }
    return;
  }
  if (form.first) {
    std::memcpy(to, a, form.lane_bytes);
    return;
  }
  const std::size_t stride = kRegister / form.lanes;
  if (form.kept == form.lane_bytes && is_full(mask, stride)) {
    std::memcpy(to, a, form.lanes * form.lane_bytes);
    return;
  }
  // Bytes of other lanes may be outside of the memory, so they are not even written back.
  const LaneRange range = range_of(mask, stride, form.lanes);
  std::size_t on = 0;
  for (std::size_t w = 0; w < 4; ++w) on += count_of(mask[w], stride);
  if (form.kept == form.lane_bytes && on == range.last - range.first) {
    std::memcpy(to + range.first * form.kept, a + range.first * form.kept, on * form.kept);
    return;
  }
  for (std::size_t i = range.first; i < range.last; ++i) {
    if (lane(mask, i, stride)) {
      std::memcpy(to + i * form.kept, a + i * form.lane_bytes, form.kept);
    }
  }
}

}  // namespace ascendc::registers
