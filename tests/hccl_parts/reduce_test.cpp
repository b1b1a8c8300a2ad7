// SPDX-License-Identifier: Apache-2.0
// Reductions at every length and alignment; rounding, overflow and NaN.
#include "runtime/hccl/reduce/reduce.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "runtime/hccl/base/types.h"
#include "tests/support/catch.h"

using namespace hccl;

namespace {

/// Elements at an odd address, with bytes before and after that must not change.
template <class T>
class Odd {
 public:
  explicit Odd(std::size_t count) : bytes_(count * sizeof(T) + 9, std::byte{0x77}), count_(count) {}
  std::byte* at() { return bytes_.data() + 5; }
  T get(std::size_t i) {
    T value;
    std::memcpy(&value, at() + i * sizeof(T), sizeof(T));
    return value;
  }
  void set(std::size_t i, T value) { std::memcpy(at() + i * sizeof(T), &value, sizeof(T)); }
  bool intact() const {
    for (std::size_t i = 0; i < 5; ++i) {
      if (bytes_[i] != std::byte{0x77}) return false;
    }
    for (std::size_t i = 5 + count_ * sizeof(T); i < bytes_.size(); ++i) {
      if (bytes_[i] != std::byte{0x77}) return false;
    }
    return true;
  }

 private:
  std::vector<std::byte> bytes_;
  const std::size_t count_;
};

template <class T>
T reduced(HcclDataType type, HcclReduceOp op, const std::vector<T>& values) {
  std::vector<std::byte> result(sizeof(T));
  std::vector<const std::byte*> sources;
  for (const T& value : values) sources.push_back(reinterpret_cast<const std::byte*>(&value));
  std::byte* const targets[] = {result.data()};
  reduce(type, op, sources, targets, 1);
  T value;
  std::memcpy(&value, result.data(), sizeof value);
  return value;
}

}  // namespace

TEST_CASE("every length and both targets get all elements and nothing else", "[reduce]") {
  for (std::size_t count = 0; count < 200; ++count) {
    Odd<std::int16_t> a(count), b(count), first(count), second(count);
    for (std::size_t i = 0; i < count; ++i) {
      a.set(i, static_cast<std::int16_t>(i * 300));
      b.set(i, static_cast<std::int16_t>(i * 7 - 1000));
    }
    const std::byte* const sources[] = {a.at(), b.at()};
    std::byte* const targets[] = {first.at(), second.at()};
    reduce(HCCL_DATA_TYPE_INT16, HCCL_REDUCE_SUM, sources, targets, count);
    for (std::size_t i = 0; i < count; ++i) {
      REQUIRE(first.get(i) == static_cast<std::int16_t>(a.get(i) + b.get(i)));
      REQUIRE(second.get(i) == first.get(i));
    }
    REQUIRE(first.intact());
    REQUIRE(second.intact());
  }
}

TEST_CASE("a target may be a source", "[reduce]") {
  std::vector<float> a(1000, 1.5f), b(1000, 2.0f);
  const std::byte* const sources[] = {reinterpret_cast<std::byte*>(a.data()),
                                      reinterpret_cast<std::byte*>(b.data())};
  std::byte* const targets[] = {reinterpret_cast<std::byte*>(b.data())};
  reduce(HCCL_DATA_TYPE_FP32, HCCL_REDUCE_PROD, sources, targets, 1000);
  CHECK(b == std::vector<float>(1000, 3.0f));
}

TEST_CASE("16-bit floats are rounded once, to the nearest even", "[reduce]") {
  // 1 + 2^-11 + 2^-11: each step alone would round down to 1.
  const std::uint16_t half = 0x1000;  // 2^-11
  CHECK(reduced<std::uint16_t>(HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM, {0x3c00, half, half}) ==
        0x3c01);
  CHECK(reduced<std::uint16_t>(HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM, {0x3c00, half}) == 0x3c00);
  CHECK(reduced<std::uint16_t>(HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM, {0x3c01, half}) == 0x3c02);
  // The same of bfloat16, where the last bit of 1 is 2^-7.
  CHECK(reduced<std::uint16_t>(HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_SUM, {0x3f80, 0x3b80, 0x3b80}) ==
        0x3f81);
  CHECK(reduced<std::uint16_t>(HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_SUM, {0x3f80, 0x3b80}) == 0x3f80);
  CHECK(reduced<std::uint16_t>(HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_SUM, {0x3f81, 0x3b80}) == 0x3f82);
}

TEST_CASE("what is no number stays none, and too large becomes infinite", "[reduce]") {
  const std::uint16_t nan =
      reduced<std::uint16_t>(HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_SUM, {0x7fff, 0x3f80});
  CHECK((nan & 0x7f80) == 0x7f80);
  CHECK((nan & 0x7f) != 0);
  CHECK(reduced<std::uint16_t>(HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM, {0x7bff, 0x7bff}) == 0x7c00);
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(std::isnan(reduced<float>(HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, {infinity, -infinity})));
}

TEST_CASE("sums and products of integers wrap", "[reduce]") {
  CHECK(reduced<std::int8_t>(HCCL_DATA_TYPE_INT8, HCCL_REDUCE_SUM, {100, 100}) == -56);
  CHECK(reduced<std::int8_t>(HCCL_DATA_TYPE_INT8, HCCL_REDUCE_PROD, {100, 3}) == 44);
  CHECK(reduced<std::uint64_t>(HCCL_DATA_TYPE_UINT64, HCCL_REDUCE_PROD, {0x8000000000000001, 3}) ==
        0x8000000000000003);
  CHECK(reduced<std::uint64_t>(HCCL_DATA_TYPE_UINT64, HCCL_REDUCE_MAX, {0x8000000000000001, 3}) ==
        0x8000000000000001);
  CHECK(reduced<std::int64_t>(HCCL_DATA_TYPE_INT64, HCCL_REDUCE_MIN, {-5, 3}) == -5);
}
