// SPDX-License-Identifier: Apache-2.0
// Functions of the library on one vector core: tensors with values, and results with guards behind
// them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"

namespace library_test {

using AscendC::LocalTensor;

inline std::function<void()> body_of_kernel;  // one kernel at a time
inline void run_body(GM_ADDR) { body_of_kernel(); }

/// Runs the body as a kernel on one vector core and returns its messages; "" if there are none.
/// `code`: not 0 if the synchronise call after the kernel must fail. `cores`: an aclsimCoreKind.
inline std::string run(std::function<void()> body, int code = 0,
                       std::uint32_t cores = ACLSIM_CORES_INFERRED) {
  Device device;
  body_of_kernel = std::move(body);
  Said said;
  // Catch takes assertions of one thread at a time: until the kernel has ended, of the kernel.
  const int enqueued = KernelOf<&run_body>::enqueue("kernel", cores, 1, nullptr, nullptr);
  const int got = device.synchronize();
  CHECK(enqueued == 0);
  std::string text = said.text();
  CHECK((got != 0) == (code != 0));
  return text;
}
/// The messages of a body that ends the kernel.
inline std::string refused(std::function<void()> body) { return run(std::move(body), 1); }

/// Cuts tensors out of the unified buffer.
class Memory {
 public:
  template <typename T>
  LocalTensor<T> take(std::uint64_t count) {
    const std::uint64_t bytes = (count * sizeof(T) + 31) / 32 * 32;
    LocalTensor<T> tensor(AscendC::TPosition::VECCALC, static_cast<std::uint32_t>(next_),
                          static_cast<std::uint32_t>(bytes / sizeof(T)));
    next_ += bytes;
    return tensor;
  }
  template <typename T>
  LocalTensor<T> take(const std::vector<T>& values) {
    auto tensor = take<T>(values.size());
    for (std::uint32_t i = 0; i < tensor.GetSize(); ++i)
      tensor.SetValue(i, i < values.size() ? values[i] : T(0));
    return tensor;
  }

 private:
  std::uint64_t next_ = 0;
};

/// A destination of `count` elements; what is behind them must stay.
template <typename T>
class Result {
 public:
  Result(Memory& memory, std::uint64_t count)
      : count_(count), tensor_(memory.take<T>(count)), behind_(memory.take<T>(32 / sizeof(T))) {
    fill(tensor_);
    fill(behind_);
  }
  const LocalTensor<T>& tensor() const { return tensor_; }
  operator const LocalTensor<T>&() const { return tensor_; }
  /// The elements, behind a barrier. Fails if the guards have changed.
  std::vector<T> values() const {
    AscendC::PipeBarrier<PIPE_ALL>();
    std::vector<T> values(count_);
    for (std::uint32_t i = 0; i < tensor_.GetSize(); ++i) {
      const T value = tensor_.GetValue(i);
      if (i < count_) {
        values[i] = value;
      } else {
        CHECK(same(value, guard()));
      }
    }
    for (std::uint32_t i = 0; i < behind_.GetSize(); ++i) CHECK(same(behind_.GetValue(i), guard()));
    return values;
  }

 private:
  static T guard() { return T(77); }
  static bool same(T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }
  static void fill(const LocalTensor<T>& tensor) {
    for (std::uint32_t i = 0; i < tensor.GetSize(); ++i) tensor.SetValue(i, guard());
  }
  std::uint64_t count_;
  LocalTensor<T> tensor_, behind_;
};

template <typename T>
double number(T value) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<double>(static_cast<float>(value));
  }
}

/// One unit in the last place of a floating type, relative.
template <typename T>
constexpr double kUnit = std::is_same_v<T, float>  ? 0x1p-23
                         : std::is_same_v<T, half> ? 0x1p-10
                                                   : 0x1p-7;
template <typename T>
constexpr double kGreatest = std::is_same_v<T, half> ? 65504.0 : 3.3895313892515355e38;

/// Whether a result is the value in f64 up to `units` last places. half and bfloat16_t saturate, as
/// they do at the start of a kernel.
template <typename T>
bool is_near(T got, double expected, double units = 1) {
  const double value = number(got);
  if constexpr (std::is_integral_v<T>) {
    return value == expected;
  } else {
    if constexpr (!std::is_same_v<T, float>) {
      if (std::isnan(expected)) return value == 0;
      if (std::abs(expected) > kGreatest<T>) expected = std::copysign(kGreatest<T>, expected);
    } else {
      expected = std::isnan(expected) || std::abs(expected) < 3.5e38
                     ? expected
                     : std::copysign(std::numeric_limits<double>::infinity(), expected);
    }
    if (std::isnan(expected)) return std::isnan(value);
    if (value == expected) return true;
    const double least = std::is_same_v<T, half> ? 0x1p-24 : 1e-44;
    return std::abs(value - expected) <= units * kUnit<T> * std::abs(expected) + least;
  }
}

/// Compares all elements; prints the first that differs.
template <typename T, typename F>
void check_each(const std::vector<T>& got, F&& expected, double units = 1) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double value = expected(i);
    if (is_near(got[i], value, units)) continue;
    if (wrong++ == 0) {
      INFO("element " << i << ": " << number(got[i]) << ", expected " << value);
      CHECK(wrong == 0);
    }
  }
}

/// Reproducible values of a type between two numbers.
template <typename T>
std::vector<T> random(std::size_t count, double least, double most, unsigned seed = 1) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> numbers(least, most);
  std::vector<T> values(count);
  for (T& value : values) {
    if constexpr (std::is_integral_v<T>) {
      value = static_cast<T>(std::floor(numbers(generator)));
    } else {
      value = T(static_cast<float>(numbers(generator)));
    }
  }
  return values;
}

}  // namespace library_test
