// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr auto kSum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
constexpr auto kMax = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX;
constexpr auto kMin = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;

/// The content of dst after a reduction in device memory.
template <class T>
std::vector<T> reduced(std::vector<T> dst, const std::vector<T>& src, aclrtReduceKind kind,
                       aclDataType type) {
  const std::size_t bytes = dst.size() * sizeof(T);
  const DeviceMemory to(bytes);
  const DeviceMemory from(bytes);
  REQUIRE_ACL(aclrtMemcpy(to, bytes, dst.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(aclrtMemcpy(from, bytes, src.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  REQUIRE_ACL(aclrtReduceAsync(to, from, bytes, kind, type, nullptr, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  REQUIRE_ACL(aclrtMemcpy(dst.data(), bytes, to, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  return dst;
}

using Bits = std::vector<std::uint16_t>;

/// The upper bits of a float.
std::uint16_t bf16(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<std::uint16_t>(bits >> 16);
}

}  // namespace

TEST_CASE("integers are summed and compared, sums wrap around") {
  const Device device;
  CHECK(reduced<std::int8_t>({100, -100, 3}, {100, -100, -4}, kSum, ACL_INT8) ==
        std::vector<std::int8_t>{-56, 56, -1});
  CHECK(reduced<std::int8_t>({-128, 5, 3}, {127, 6, -4}, kMax, ACL_INT8) ==
        std::vector<std::int8_t>{127, 6, 3});
  CHECK(reduced<std::int16_t>({32767, -5}, {1, 6}, kSum, ACL_INT16) ==
        std::vector<std::int16_t>{-32768, 1});
  CHECK(reduced<std::int16_t>({32767, -5}, {1, 6}, kMin, ACL_INT16) ==
        std::vector<std::int16_t>{1, -5});
  CHECK(reduced<std::int32_t>({INT32_MAX, 7}, {2, -9}, kSum, ACL_INT32) ==
        std::vector<std::int32_t>{INT32_MIN + 1, -2});
  CHECK(reduced<std::int32_t>({INT32_MIN, 7}, {2, -9}, kMax, ACL_INT32) ==
        std::vector<std::int32_t>{2, 7});
}

TEST_CASE("floats are summed and compared") {
  const Device device;
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(reduced<float>({1.5f, 3e38f, 16777216.0f}, {2.25f, 3e38f, 1.0f}, kSum, ACL_FLOAT) ==
        std::vector<float>{3.75f, infinity, 16777216.0f});
  CHECK(reduced<float>({1.5f, -3.0f}, {2.25f, -4.0f}, kMax, ACL_FLOAT) ==
        std::vector<float>{2.25f, -3.0f});
  CHECK(reduced<float>({1.5f, -3.0f}, {2.25f, -infinity}, kMin, ACL_FLOAT) ==
        std::vector<float>{1.5f, -infinity});
  for (const auto kind : {kSum, kMax, kMin}) {
    const auto result = reduced<float>({NAN, 1.0f}, {1.0f, NAN}, kind, ACL_FLOAT);
    CHECK(std::isnan(result[0]));
    CHECK(std::isnan(result[1]));
  }
}

TEST_CASE("half precision sums round to nearest, ties to even") {
  const Device device;
  // 2048 + 1, 2050 + 1, 65504 + 15, 65504 + 16, the smallest twice, up to the smallest normal, -0.
  CHECK(reduced<std::uint16_t>({0x6800, 0x6801, 0x7bff, 0x7bff, 0x0001, 0x03ff, 0x8000},
                               {0x3c00, 0x3c00, 0x4b80, 0x4c00, 0x0001, 0x0001, 0x8000}, kSum,
                               ACL_FLOAT16) ==
        Bits{0x6800, 0x6802, 0x7bff, 0x7c00, 0x0002, 0x0400, 0x8000});
  CHECK(reduced<std::uint16_t>({0x3c00, 0xfc00}, {0xbc00, 0x0001}, kMax, ACL_FLOAT16) ==
        Bits{0x3c00, 0x0001});
  CHECK(reduced<std::uint16_t>({0x3c00, 0xfc00}, {0xbc00, 0x0001}, kMin, ACL_FLOAT16) ==
        Bits{0xbc00, 0xfc00});
  const Bits nan = reduced<std::uint16_t>({0x7e01, 0x7c00}, {0x3c00, 0xfc00}, kSum, ACL_FLOAT16);
  for (const std::uint16_t bits : nan) CHECK((bits & 0x7fff) > 0x7c00);
}

TEST_CASE("bf16 sums round to nearest, ties to even") {
  const Device device;
  CHECK(reduced<std::uint16_t>({bf16(256), bf16(258), bf16(1), 0x7f7f, 0x0001},
                               {bf16(1), bf16(1), bf16(0.00390625f), 0x7f7f, 0x0001}, kSum,
                               ACL_BF16) == Bits{bf16(256), bf16(260), bf16(1), 0x7f80, 0x0002});
  CHECK(reduced<std::uint16_t>({bf16(-2)}, {bf16(1)}, kMax, ACL_BF16) == Bits{bf16(1)});
  CHECK(reduced<std::uint16_t>({bf16(-2)}, {bf16(1)}, kMin, ACL_BF16) == Bits{bf16(-2)});
  const Bits nan = reduced<std::uint16_t>({0x7f81}, {bf16(1)}, kSum, ACL_BF16);
  CHECK((nan[0] & 0x7fff) > 0x7f80);
}

TEST_CASE("every half precision number survives a comparison with itself") {
  const Device device;
  Bits all(65536);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  for (const auto& [type, infinity] :
       {std::pair(ACL_FLOAT16, 0x7c00), std::pair(ACL_BF16, 0x7f80)}) {
    const Bits result = reduced<std::uint16_t>(all, all, kMax, type);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool nan = (i & 0x7fff) > static_cast<std::size_t>(infinity);
      const bool still_nan = (result[i] & 0x7fff) > infinity;
      changed += nan ? !still_nan : result[i] != all[i];
    }
    CHECK(changed == 0);
  }
}

#if defined(__FLT16_MANT_DIG__) && \
    defined(__x86_64__)  // other targets have the type from GCC 13 on
TEST_CASE("half precision sums are those of the compiler's own type") {
  __extension__ using Native = _Float16;
  const Device device;
  std::mt19937 random(7);
  Bits a(100000);
  Bits b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<std::uint16_t>(random());
    b[i] = static_cast<std::uint16_t>((a[i] & 0x7c00) ^ (random() & 0x8fff));
  }
  const Bits result = reduced<std::uint16_t>(a, b, kSum, ACL_FLOAT16);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    Native x;
    Native y;
    std::memcpy(&x, &a[i], 2);
    std::memcpy(&y, &b[i], 2);
    const Native sum = static_cast<Native>(x + y);
    std::uint16_t bits = 0;
    std::memcpy(&bits, &sum, 2);
    const bool nan = (bits & 0x7fff) > 0x7c00;
    wrong += nan ? (result[i] & 0x7fff) <= 0x7c00 : result[i] != bits;
  }
  CHECK(wrong == 0);
}
#endif

TEST_CASE("a reduction takes its turn") {
  const Device device;
  const Stream stream;
  const DeviceMemory to(64);
  const DeviceMemory from(64);
  store(to, 1);
  store(from, 10);
  Gate gate;
  gate.hold(stream);
  for (int i = 0; i < 3; ++i) {
    REQUIRE_ACL(aclrtReduceAsync(to, from, 4, kSum, ACL_INT32, stream, nullptr));
  }
  CHECK(fetch<int>(to) == 1);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(to) == 31);
}

TEST_CASE("reductions of several streams onto the same memory all count") {
  const Device device;
  constexpr std::size_t kCount = 5000;
  constexpr std::size_t kBytes = kCount * sizeof(int);
  const DeviceMemory to(kBytes + 4);
  const DeviceMemory from(kBytes);
  REQUIRE_ACL(aclrtMemset(to, kBytes + 4, 0, kBytes + 4));
  REQUIRE_ACL(aclrtMemsetD32(from, kBytes, 1, kCount));
  std::vector<Stream> streams(4);
  for (int round = 0; round < 10; ++round) {
    for (const Stream& stream : streams) {
      REQUIRE_ACL(aclrtReduceAsync(to.as() + 4, from, kBytes, kSum, ACL_INT32, stream, nullptr));
    }
  }
  REQUIRE_ACL(aclrtSynchronizeDevice());
  std::vector<int> result(kCount);
  REQUIRE_ACL(aclrtMemcpy(result.data(), kBytes, to.as() + 4, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  CHECK(result == std::vector<int>(kCount, 40));
}

TEST_CASE("a reduction may start anywhere") {
  const Device device;
  const DeviceMemory to(8192);
  const DeviceMemory from(8192);
  REQUIRE_ACL(aclrtMemset(to, 8192, 0, 8192));
  REQUIRE_ACL(aclrtMemset(from, 8192, 1, 8192));
  REQUIRE_ACL(
      aclrtReduceAsync(to.as() + 1, from.as() + 3, 8188, kSum, ACL_INT32, nullptr, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(fetch<int>(to.as() + 1) == 0x01010101);
  CHECK(fetch<int>(to.as() + 8185) == 0x01010101);
  CHECK(fetch<char>(to) == 0);
  CHECK(fetch<char>(to.as() + 8189) == 0);
}

TEST_CASE("a reduction is checked") {
  const Device device;
  const DeviceMemory a(64);
  const DeviceMemory b(64);
  int pageable[16] = {};
  const Event not_a_stream;
  const auto reduce = [&](void* dst, const void* src, std::uint64_t count, int kind = kSum,
                          int type = ACL_INT32, void* reserve = nullptr) {
    return aclrtReduceAsync(dst, src, count, static_cast<aclrtReduceKind>(kind),
                            static_cast<aclDataType>(type), nullptr, reserve);
  };
  CHECK_CODE(reduce(nullptr, b, 64), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(reduce(a, nullptr, 64), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(reduce(a, b, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(reduce(a, b, 64, kSum, ACL_INT32, a), ACL_ERROR_INVALID_PARAM);
  for (const int kind : {13, 9, 0, -1, 14})
    CHECK_CODE(reduce(a, b, 64, kind), ACL_ERROR_INVALID_PARAM);
  for (const int type : {ACL_UINT8, ACL_INT64, ACL_DOUBLE, ACL_UINT32, ACL_DT_UNDEFINED}) {
    CHECK_CODE(reduce(a, b, 64, kSum, type), ACL_ERROR_INVALID_PARAM);
  }
  CHECK_CODE(reduce(a, b, 62), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(reduce(a, b, 68), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(reduce(a, pageable, 64), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(reduce(pageable, b, 64), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtReduceAsync(a, b, 64, kSum, ACL_INT32, not_a_stream, nullptr),
             ACL_ERROR_RT_INVALID_HANDLE);
  const Context second(1);
  const DeviceMemory far(64);
  CHECK_CODE(reduce(far, b, 64), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}
