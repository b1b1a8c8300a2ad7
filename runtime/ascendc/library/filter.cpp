// SPDX-License-Identifier: Apache-2.0
// Functions that choose elements by a mask, progressions, random numbers.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <vector>

#include "runtime/ascendc/library/elements.h"
#include "runtime/ascendc/library/plan.h"

namespace ascendc::library {
namespace {

// ---- DropOut: dst, src, mask, tmp?; numbers: mode, rows, elements of a row of the source and of
// the mask, the bits of the probability

struct Drops {
  explicit Drops(const Call& call)
      : mode(call.number(0)),
        rows(call.count(1)),
        cols(call.count(2)),
        mask_cols(call.count(3)),
        kept(call.value(4, ACLSIM_FLOAT)) {
    if (mode == 0) mode = mode_of_axes();
  }
  bool bits() const { return mode >= 3; }
  bool padded() const { return mode == 1 || mode == 4; }
  /// Bytes of a row of the mask that matter.
  std::uint64_t mask_row() const { return bits() ? (cols + 7) / 8 : cols; }
  std::uint64_t mask_size() const {
    if (padded()) return rows * mask_cols;
    return bits() ? (rows * cols + 7) / 8 : rows * cols;
  }
  bool keeps(const std::uint8_t* mask, std::uint64_t row, std::uint64_t col) const {
    if (!bits()) return mask[row * (padded() ? mask_cols : cols) + col] != 0;
    const std::uint64_t bit = (padded() ? row * mask_cols * 8 : row * cols) + col;
    return (mask[bit / 8] >> (bit % 8) & 1U) != 0;
  }
  std::int64_t mode;
  std::uint64_t rows, cols, mask_cols;
  double kept;

 private:
  std::int64_t mode_of_axes() const {
    if (mask_cols >= cols) return mask_cols == cols ? 2 : 1;
    return mask_cols * 8 == cols ? 3 : 4;
  }
};

void plan_dropout(const Call& call, Plan& plan) {
  const Drops drops(call);
  plan.require_range("info.firstAxis", call.number(1), 1, UINT32_MAX);
  plan.require_range("info.srcLastAxis", call.number(2), 1, UINT32_MAX);
  plan.require_range("info.maskLastAxis", call.number(3), 1, UINT32_MAX);
  if (!(drops.kept > 0 && drops.kept <= 1)) {
    plan.refuse(Fault::kRange,
                fmt::format("keepProb is {}; expected more than 0 and at most 1", drops.kept));
  }
  if (drops.padded()) {
    plan.require_range("info.maskLastAxis", call.number(3),
                       static_cast<std::int64_t>(drops.mask_row()), UINT32_MAX);
    plan.require_multiple("info.maskLastAxis", call.number(3), 32);
    plan.require_multiple("elements of the mask that count",
                          static_cast<std::int64_t>(drops.mask_row()), 2);
    plan.require_multiple("info.srcLastAxis * sizeof(T)", call.number(2) * call.bytes(1), 32);
  }
  plan.read(1, drops.rows * drops.cols);
  plan.read(2, drops.mask_size());
  if (drops.padded()) plan.write(2, drops.mask_size());
  plan.write(0, drops.rows * drops.cols);
  plan.temporary(3);
  plan.require_apart(0, 2);
}

void compute_dropout(const Call& call) {
  const Drops drops(call);
  const auto* const first = call.at<std::uint8_t>(2);
  const std::vector<std::uint8_t> mask(first, first + drops.mask_size());
  double values[kPiece];
  for (std::uint64_t row = 0; row < drops.rows; ++row) {
    for (std::uint64_t col = 0; col < drops.cols; col += kPiece) {
      const auto here = std::min<std::uint64_t>(kPiece, drops.cols - col);
      call.load(1, row * drops.cols + col, here, values);
      for (std::size_t i = 0; i < here; ++i) {
        values[i] = drops.keeps(mask.data(), row, col + i) ? values[i] / drops.kept : 0.0;
      }
      call.store(0, row * drops.cols + col, here, values);
    }
  }
}

// ---- Select: dst, src0?, src1?, mask, tmp; numbers: rows, elements of a row of the source and of
// the mask, whether the mask may change, the bits of the value

void plan_select(const Call& call, Plan& plan) {
  const std::uint64_t all = call.count(0) * call.count(1), masks = call.count(0) * call.count(2);
  plan.require_range("info.firstAxis", call.number(0), 1, UINT32_MAX);
  plan.require_range("info.srcLastAxis", call.number(1), 1, UINT32_MAX);
  plan.require_range("info.maskLastAxis", call.number(2), call.number(1), UINT32_MAX);
  plan.require_multiple("info.srcLastAxis * sizeof(T)", call.number(1) * call.bytes(0), 32);
  plan.require_multiple("info.maskLastAxis", call.number(2), 16);
  plan.require_multiple("info.maskLastAxis * sizeof(U)", call.number(2) * call.bytes(3), 32);
  plan.read(1, all);
  plan.read(2, all);
  plan.read(3, masks);
  if (call.number(3) != 0 && call.count(1) != call.count(2)) plan.write(3, masks);
  plan.write(0, all);
  plan.temporary(4);
  plan.require_apart(0, 3);
}

void compute_select(const Call& call) {
  const std::uint64_t rows = call.count(0), cols = call.count(1), mask_cols = call.count(2);
  const unsigned bytes = call.bytes(0), mask_bytes = call.bytes(3);
  const bool tensor_first = call.has(1);  // taken where the mask is 0
  const auto* const source = call.at<std::uint8_t>(tensor_first ? 1 : 2);
  const std::vector<std::uint8_t> from(source, source + rows * cols * bytes);
  const auto* const masks = call.at<std::uint8_t>(3);
  const std::vector<std::uint8_t> mask(masks, masks + rows * mask_cols * mask_bytes);
  const std::uint8_t zero[8] = {};
  const auto value = static_cast<std::uint64_t>(call.number(4));
  auto* to = call.at<std::uint8_t>(0);
  for (std::uint64_t i = 0; i < rows * cols; ++i, to += bytes) {
    const std::uint64_t at = i / cols * mask_cols + i % cols;
    const bool set = std::memcmp(mask.data() + at * mask_bytes, zero, mask_bytes) != 0;
    if (set != tensor_first) {
      std::memcpy(to, from.data() + i * bytes, bytes);
    } else {
      std::memcpy(to, &value, bytes);  // the low bytes
    }
  }
}

// ---- Arange: dst; numbers: elements, bits of the first and of the difference

void plan_arange(const Call& call, Plan& plan) {
  plan.require_range("count", call.number(0), 1, INT32_MAX);
  const double difference = call.value(2, call.element(0));
  if (!(difference >= 0)) {
    plan.refuse(Fault::kRange, fmt::format("diffValue is {}; expected at least 0", difference));
  }
  plan.write(0, call.count(0));
}

void compute_arange(const Call& call) {
  const std::uint64_t count = call.count(0);
  if (is_floating(call.element(0))) {
    const double first = call.value(1, call.element(0)), step = call.value(2, call.element(0));
    for (std::uint64_t i = 0; i < count; ++i) {
      const double value = first + static_cast<double>(i) * step;
      call.store(0, i, 1, &value);
    }
    return;
  }
  with_integer(call.element(0), [&](auto type) {
    using T = decltype(type);
    auto value = static_cast<std::uint64_t>(call.number(1));
    for (std::uint64_t i = 0; i < count; ++i) {
      call.at<T>(0)[i] = static_cast<T>(value);
      value += static_cast<std::uint64_t>(call.number(2));
    }
  });
}

// ---- PhiloxRandom: dst; numbers: rounds, two of the key, four of the counter, stride (0: one row
// of any length), rows, elements of a row

void plan_philox(const Call& call, Plan& plan) {
  plan.require_range("row", call.number(8), 1, UINT32_MAX);
  if (call.number(7) == 0 && call.number(8) == 1 && call.number(9) < 65536) {
    plan.require_range("count", call.number(9), 1, 65535);
  } else {
    plan.require_range("column", call.number(9), 1, UINT32_MAX);
    plan.require_range("stride", call.number(7), call.number(9), UINT32_MAX);
    plan.require_multiple("column", call.number(9), 4);
    plan.require_multiple("stride", call.number(7), 4);
  }
  plan.write(0, call.count(8) * call.count(9));
}

using Words = std::array<std::uint32_t, 4>;

/// J. Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011).
Words philox_4x32(Words counter, std::uint32_t key0, std::uint32_t key1, std::int64_t rounds) {
  constexpr std::uint64_t kFirst = 0xD2511F53U, kSecond = 0xCD9E8D57U;
  for (std::int64_t round = 0; round < rounds; ++round) {
    const std::uint64_t first = kFirst * counter[0], second = kSecond * counter[2];
    counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key0,
               static_cast<std::uint32_t>(second),
               static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key1,
               static_cast<std::uint32_t>(first)};
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  return counter;
}

void count_on(Words& counter, std::uint64_t steps) {
  std::uint64_t carry = steps;
  for (std::uint32_t& word : counter) {
    const std::uint64_t sum = word + (carry & 0xffffffffU);
    word = static_cast<std::uint32_t>(sum);
    carry = (carry >> 32) + (sum >> 32);
  }
}

void compute_philox(const Call& call) {
  Words counter;
  for (unsigned i = 0; i < 4; ++i) counter[i] = static_cast<std::uint32_t>(call.number(3 + i));
  const auto key0 = static_cast<std::uint32_t>(call.number(1));
  const auto key1 = static_cast<std::uint32_t>(call.number(2));
  const std::uint64_t rows = call.count(8), cols = call.count(9);
  const bool floating = call.element(0) == ACLSIM_FLOAT;
  auto* to = call.at<std::uint32_t>(0);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t col = 0; col < cols; col += 4) {
      const Words words = philox_4x32(counter, key0, key1, call.number(0));
      for (std::uint64_t i = 0; i < std::min<std::uint64_t>(4, cols - col); ++i, ++to) {
        *to = words[i];
        if (!floating) continue;
        const float value = static_cast<float>(words[i] & 0x7fffffU) * 0x1p-23F;
        std::memcpy(to, &value, sizeof value);
      }
      count_on(counter, 1);
    }
    if (call.count(7) > cols) count_on(counter, (call.count(7) - cols) / 4);
  }
}

}  // namespace

const std::vector<Function> kFilterFunctions = {
    {ACLSIM_LIB_DropOut, plan_dropout, compute_dropout},
    {ACLSIM_LIB_Select, plan_select, compute_select},
    {ACLSIM_LIB_Arange, plan_arange, compute_arange},
    {ACLSIM_LIB_PhiloxRandom, plan_philox, compute_philox},
};

}  // namespace ascendc::library
