// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <cstdint>

#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr auto kBits = ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK;
constexpr auto kUniform = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
constexpr auto kNormal = ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS;
constexpr auto kTruncated = ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS;

template <class T>
aclrtRandomParaInfo given(T value) {
  aclrtRandomParaInfo info{};
  info.size = sizeof value;
  std::memcpy(info.valueOrAddr, &value, sizeof value);
  return info;
}

aclrtRandomParaInfo found_at(const void* address, std::uint8_t size) {
  aclrtRandomParaInfo info = given(reinterpret_cast<std::uintptr_t>(address));
  info.isAddr = 1;
  info.size = size;
  return info;
}

/// A request for `count` numbers; b is not used by bitmasks.
template <class T>
aclrtRandomNumTaskInfo request(aclDataType type, aclrtRandomNumFuncType function, T a, T b,
                               std::uint64_t count, void* result, std::uint64_t seed = 1,
                               void* counter = nullptr) {
  aclrtRandomNumTaskInfo info{};
  info.dataType = type;
  info.randomNumFuncParaInfo.funcType = function;
  auto& parameters = info.randomNumFuncParaInfo.paramInfo;
  if (function == kBits) {
    parameters.dropoutBitmaskInfo.dropoutRation = given(a);
  } else if (function == kUniform) {
    parameters.uniformDisInfo = {given(a), given(b)};
  } else {
    parameters.normalDisInfo = {given(a), given(b)};
  }
  info.randomResultAddr = result;
  info.randomCounterAddr = counter;
  info.randomSeed = given(seed);
  info.randomNum = given(count);
  return info;
}

template <class T>
std::vector<T> read_back(const void* device, std::size_t count) {
  std::vector<T> values(count);
  REQUIRE_ACL(aclrtMemcpy(values.data(), count * sizeof(T), device, count * sizeof(T),
                          ACL_MEMCPY_DEVICE_TO_HOST));
  return values;
}

template <class T>
std::vector<T> made(aclDataType type, aclrtRandomNumFuncType function, T a, T b, std::size_t count,
                    std::uint64_t seed = 1, void* counter = nullptr) {
  const DeviceMemory result(count * sizeof(T));
  const auto info = request<T>(type, function, a, b, count, result, seed, counter);
  REQUIRE_ACL(aclrtRandomNumAsync(&info, nullptr, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  return read_back<T>(result, count);
}

struct Moments {
  double mean = 0;
  double variance = 0;
  double fourth = 0;  // central, over the variance squared
  double least = 0;
  double most = 0;
};

template <class T>
Moments moments(const std::vector<T>& values) {
  Moments m;
  const auto n = static_cast<double>(values.size());
  m.least = m.most = static_cast<double>(values.front());
  for (const T value : values) {
    m.mean += static_cast<double>(value) / n;
    m.least = std::min(m.least, static_cast<double>(value));
    m.most = std::max(m.most, static_cast<double>(value));
  }
  for (const T value : values) {
    const double d = static_cast<double>(value) - m.mean;
    m.variance += d * d / n;
    m.fourth += d * d * d * d / n;
  }
  m.fourth /= m.variance * m.variance;
  return m;
}

bool near(double value, double expected, double tolerance) {
  return std::fabs(value - expected) <= tolerance;
}

constexpr std::size_t kMany = 100'000;

struct DeviceCounter {
  DeviceMemory memory{16};
  DeviceCounter() { set(0, 0); }
  void set(std::uint64_t low, std::uint64_t high) {
    store(memory, low);
    store(memory.as() + 8, high);
  }
  std::uint64_t low() const { return fetch<std::uint64_t>(memory); }
  std::uint64_t high() const { return fetch<std::uint64_t>(memory.as() + 8); }
};

}  // namespace

TEST_CASE("the generator is Philox4x32-10") {
  const Device device;
  // From its authors' list of known answers. A number below 2^64 - 1 is two words less one.
  const auto words = [](const std::vector<std::uint64_t>& values, std::size_t i) {
    return values[i] + 1;
  };
  const auto zero = made<std::uint64_t>(ACL_UINT64, kUniform, 0, UINT64_MAX, 2, 0);
  CHECK(words(zero, 0) == 0xe169c58d6627e8d5);
  CHECK(words(zero, 1) == 0x9b00dbd8bc57ac4c);
  DeviceCounter counter;
  counter.set(UINT64_MAX, UINT64_MAX);
  const auto ones =
      made<std::uint64_t>(ACL_UINT64, kUniform, 0, UINT64_MAX, 2, UINT64_MAX, counter.memory);
  CHECK(words(ones, 0) == 0x41c83b0e408f276d);
  CHECK(words(ones, 1) == 0x6d5451fda20bc7c6);
  CHECK(counter.low() == 0);
  CHECK(counter.high() == 0);
}

TEST_CASE("uniform numbers fill their interval evenly") {
  const Device device;
  const auto values = made<float>(ACL_FLOAT, kUniform, -1.0f, 3.0f, kMany);
  const Moments m = moments(values);
  CHECK(near(m.mean, 1.0, 0.02));
  CHECK(near(m.variance, 16.0 / 12.0, 0.02));
  CHECK(m.least >= -1.0);
  CHECK(m.most <= 3.0);
  std::array<double, 16> bins{};
  for (const float value : values) ++bins[static_cast<std::size_t>((value + 1.0f) * 3.9999f)];
  double chi_square = 0;
  for (const double bin : bins)
    chi_square += (bin - kMany / 16.0) * (bin - kMany / 16.0) / (kMany / 16.0);
  CHECK(chi_square < 45);  // 15 degrees of freedom: one in 10^4
}

TEST_CASE("uniform integers reach their minimum and stay below their maximum") {
  const Device device;
  const auto small = made<std::int32_t>(ACL_INT32, kUniform, -3, 4, kMany);
  const Moments m = moments(small);
  CHECK(m.least == -3);
  CHECK(m.most == 3);
  CHECK(near(m.mean, 0, 0.03));
  CHECK(near(m.variance, 4, 0.05));
  const auto wide = made<std::int64_t>(ACL_INT64, kUniform, INT64_MIN, INT64_MAX, kMany);
  CHECK(near(moments(wide).mean / 0x1p63, 0, 0.01));
  CHECK(made<std::uint32_t>(ACL_UINT32, kUniform, 7, 7, 3) == std::vector<std::uint32_t>(3, 7));
}

TEST_CASE("normal numbers have their mean, deviation and shape") {
  const Device device;
  const Moments m = moments(made<float>(ACL_FLOAT, kNormal, 5.0f, 2.0f, kMany));
  CHECK(near(m.mean, 5, 0.03));
  CHECK(near(m.variance, 4, 0.08));
  CHECK(near(m.fourth, 3, 0.1));
  CHECK(m.most > 5 + 3 * 2);
  CHECK(made<float>(ACL_FLOAT, kNormal, 5.0f, 0.0f, 3) == std::vector<float>(3, 5.0f));
}

TEST_CASE("truncated normal numbers stay within two deviations") {
  const Device device;
  const Moments m = moments(made<float>(ACL_FLOAT, kTruncated, 1.0f, 0.5f, kMany));
  CHECK(m.least >= 0.0);
  CHECK(m.most <= 2.0);
  CHECK(m.least < 0.01);
  CHECK(m.most > 1.99);
  CHECK(near(m.mean, 1, 0.01));
  CHECK(near(m.variance, 0.25 * 0.7737, 0.005));
}

TEST_CASE("a dropout bitmask keeps the rest of the ratio") {
  const Device device;
  const auto kept = [](float ratio) {
    const DeviceMemory result(kMany / 8);
    const auto info = request<float>(ACL_FLOAT, kBits, ratio, 0.0f, kMany, result);
    REQUIRE_ACL(aclrtRandomNumAsync(&info, nullptr, nullptr));
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
    std::size_t bits = 0;
    for (const std::uint8_t byte : read_back<std::uint8_t>(result, kMany / 8)) {
      bits += static_cast<std::size_t>(std::popcount(byte));
    }
    return static_cast<double>(bits) / kMany;
  };
  CHECK(kept(0.0f) == 1.0);
  CHECK(kept(1.0f) == 0.0);
  CHECK(near(kept(0.3f), 0.7, 0.01));
}

TEST_CASE("a bitmask of some bits leaves the rest of its last byte zero and no more") {
  const Device device;
  const DeviceMemory result(4);
  store(result, 0xffffffffU);
  const auto info = request<float>(ACL_FLOAT, kBits, 0.0f, 0.0f, 11, result);
  REQUIRE_ACL(aclrtRandomNumAsync(&info, nullptr, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(fetch<std::uint32_t>(result) == 0xffff07ff);
}

TEST_CASE("half precision numbers are made too") {
  const Device device;
  const std::uint16_t one = 0x3c00;  // half
  const std::uint16_t one_bf16 = 0x3f80;
  double mean = 0;
  for (const std::uint16_t bits : made<std::uint16_t>(ACL_FLOAT16, kUniform, 0, one, kMany)) {
    CHECK_FALSE(bits > one);
    mean +=
        std::ldexp((bits & 0x3ff) + ((bits >> 10) != 0 ? 1024 : 0), std::max(1, bits >> 10) - 25) /
        kMany;
  }
  CHECK(near(mean, 0.5, 0.01));
  std::size_t beyond = 0;
  for (const std::uint16_t bits : made<std::uint16_t>(ACL_BF16, kTruncated, 0, one_bf16, 1000)) {
    beyond += (bits & 0x7fff) > 0x4000;
  }
  CHECK(beyond == 0);
}

TEST_CASE("the same seed and counter make the same numbers") {
  const Device device;
  for (const auto function : {kUniform, kNormal, kTruncated}) {
    const auto make = [&](std::uint64_t seed) {
      return made<float>(ACL_FLOAT, function, 0.0f, 1.0f, 101, seed);
    };
    CHECK(make(42) == make(42));
    CHECK(make(42) != make(43));
  }
}

TEST_CASE("the counter moves on by what was used") {
  const Device device;
  DeviceCounter counter;
  const auto whole = made<float>(ACL_FLOAT, kUniform, 0.0f, 1.0f, 24, 9, counter.memory);
  CHECK(counter.low() == 6);
  counter.set(0, 0);
  auto parts = made<float>(ACL_FLOAT, kUniform, 0.0f, 1.0f, 8, 9, counter.memory);
  CHECK(counter.low() == 2);
  const auto rest = made<float>(ACL_FLOAT, kUniform, 0.0f, 1.0f, 16, 9, counter.memory);
  parts.insert(parts.end(), rest.begin(), rest.end());
  CHECK(parts == whole);
  counter.set(UINT64_MAX, 4);
  made<float>(ACL_FLOAT, kUniform, 0.0f, 1.0f, 1, 9, counter.memory);
  CHECK(counter.low() == 0);
  CHECK(counter.high() == 5);
  counter.set(0, 0);
  made<float>(ACL_FLOAT, kTruncated, 0.0f, 1.0f, 5, 9, counter.memory);
  CHECK(counter.low() == 5);
}

TEST_CASE("parameters in memory are read when the task runs") {
  const Device device;
  const Stream stream;
  const DeviceMemory parameters(32);
  const DeviceMemory result(64);
  auto info = request<float>(ACL_FLOAT, kNormal, 0.0f, 0.0f, 4, result);
  info.randomNumFuncParaInfo.paramInfo.normalDisInfo = {found_at(parameters, 4),
                                                        found_at(parameters.as() + 4, 4)};
  info.randomSeed = found_at(parameters.as() + 8, 8);
  info.randomNum = found_at(parameters.as() + 16, 8);
  store(result, 1.0f);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtRandomNumAsync(&info, stream, nullptr));
  info = {};  // was copied
  store(parameters, 8.0f);
  store(parameters.as() + 4, 0.0f);
  store<std::uint64_t>(parameters.as() + 8, 3);
  store<std::uint64_t>(parameters.as() + 16, 2);
  store(result.as() + 8, 1.0f);
  CHECK(fetch<float>(result) == 1.0f);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<float>(result) == 8.0f);
  CHECK(fetch<float>(result.as() + 4) == 8.0f);
  CHECK(fetch<float>(result.as() + 8) == 1.0f);
}

TEST_CASE("parameters that turn out wrong fail the stream") {
  const Device device;
  const Stream stream;
  const DeviceMemory parameters(32);
  const DeviceMemory result(64);
  auto info = request<float>(ACL_FLOAT, kUniform, 0.0f, 1.0f, 4, result);
  info.randomNum = found_at(parameters, 8);
  for (const std::uint64_t count : {std::uint64_t{17}, std::uint64_t{0}, UINT64_MAX}) {
    store(parameters, count);
    REQUIRE_ACL(aclrtRandomNumAsync(&info, stream, nullptr));
    CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
  }
  store<std::uint64_t>(parameters, 16);
  info.randomNumFuncParaInfo.paramInfo.uniformDisInfo.min = found_at(parameters.as() + 8, 4);
  store(parameters.as() + 8, 2.0f);
  REQUIRE_ACL(aclrtRandomNumAsync(&info, stream, nullptr));
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a request for random numbers is checked") {
  const Device device;
  const Event not_a_stream;
  const DeviceMemory result(64);
  const DeviceMemory counter(8);
  int pageable[16] = {};
  const auto good = request<float>(ACL_FLOAT, kUniform, 0.0f, 1.0f, 16, result);
  const auto refused = [&](auto change, aclError code) {
    aclrtRandomNumTaskInfo info = good;
    change(info);
    CHECK_CODE(aclrtRandomNumAsync(&info, nullptr, nullptr), code);
  };
  using Info = aclrtRandomNumTaskInfo&;
  REQUIRE_ACL(aclrtRandomNumAsync(&good, nullptr, nullptr));
  CHECK_CODE(aclrtRandomNumAsync(nullptr, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRandomNumAsync(&good, nullptr, result), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRandomNumAsync(&good, not_a_stream, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  for (const int type : {int{ACL_INT8}, int{ACL_DOUBLE}, int{ACL_DT_UNDEFINED}, 1000}) {
    refused([&](Info i) { i.dataType = static_cast<aclDataType>(type); }, ACL_ERROR_INVALID_PARAM);
  }
  for (const int function : {4, -1}) {
    refused(
        [&](Info i) {
          i.randomNumFuncParaInfo.funcType = static_cast<aclrtRandomNumFuncType>(function);
        },
        ACL_ERROR_INVALID_PARAM);
  }
  refused(
      [&](Info i) {
        i.dataType = ACL_INT32;
        i.randomNumFuncParaInfo.funcType = kNormal;
      },
      ACL_ERROR_INVALID_PARAM);
  refused([&](Info i) { i.randomNumFuncParaInfo.paramInfo.uniformDisInfo.min.size = 8; },
          ACL_ERROR_INVALID_PARAM);
  refused([&](Info i) { i.randomNumFuncParaInfo.paramInfo.uniformDisInfo.max = given(-1.0f); },
          ACL_ERROR_RT_PARAM_INVALID);
  refused([&](Info i) { i.randomNumFuncParaInfo.paramInfo.uniformDisInfo.max = given(NAN); },
          ACL_ERROR_RT_PARAM_INVALID);
  refused([&](Info i) { i.randomSeed.size = 0; }, ACL_ERROR_INVALID_PARAM);
  refused([&](Info i) { i.randomNum.size = 9; }, ACL_ERROR_INVALID_PARAM);
  refused([&](Info i) { i.randomNum = given<std::uint64_t>(0); }, ACL_ERROR_RT_PARAM_INVALID);
  refused([&](Info i) { i.randomNum = given<std::uint64_t>(17); }, ACL_ERROR_RT_PARAM_INVALID);
  refused([&](Info i) { i.randomNum = given(UINT64_MAX); }, ACL_ERROR_RT_PARAM_INVALID);
  refused([&](Info i) { i.randomResultAddr = nullptr; }, ACL_ERROR_INVALID_PARAM);
  refused([&](Info i) { i.randomResultAddr = pageable; }, ACL_ERROR_RT_PARAM_INVALID);
  refused([&](Info i) { i.randomCounterAddr = counter; }, ACL_ERROR_RT_PARAM_INVALID);
  refused([&](Info i) { i.randomSeed = found_at(nullptr, 8); }, ACL_ERROR_INVALID_PARAM);
  refused([&](Info i) { i.randomSeed = found_at(pageable, 8); }, ACL_ERROR_RT_PARAM_INVALID);
  refused([&](Info i) { i.randomSeed = found_at(counter.as() + 4, 8); },
          ACL_ERROR_RT_PARAM_INVALID);
  const DeviceMemory bits(2);
  const auto ratio = request<float>(ACL_FLOAT, kBits, 1.5f, 0.0f, 16, bits);
  CHECK_CODE(aclrtRandomNumAsync(&ratio, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  const auto deviation = request<float>(ACL_FLOAT, kNormal, 0.0f, -1.0f, 16, result);
  CHECK_CODE(aclrtRandomNumAsync(&deviation, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}
