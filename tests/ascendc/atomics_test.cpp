// SPDX-License-Identifier: Apache-2.0
// Copies that add, keep the greater or keep the less, for each type of the rows, against plain
// loops.
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/ascendc/vector_reference.h"
#include "tests/support/catch.h"

namespace atomics {
namespace {

using namespace AscendC;

enum class How { add, max, min };
constexpr std::uint32_t kValues = 96;

How chosen_how;
bool through_type;

template <class T>
void choose() {
  if (through_type) {  // SetAtomicType sets the type of the operation
    if (chosen_how == How::add) SetAtomicAdd<float>();
    if (chosen_how == How::max) SetAtomicMax<float>();
    if (chosen_how == How::min) SetAtomicMin<float>();
    return SetAtomicType<T>();
  }
  if (chosen_how == How::add) SetAtomicAdd<T>();
  if (chosen_how == How::max) SetAtomicMax<T>();
  if (chosen_how == How::min) SetAtomicMin<T>();
}

template <class T>
void combines(GM_ADDR x) {
  GlobalTensor<T> old, given;
  old.SetGlobalBuffer(reinterpret_cast<T*>(x), kValues);
  given.SetGlobalBuffer(reinterpret_cast<T*>(x) + kValues, kValues);
  LocalTensor<T> t(TPosition::VECCALC, 0, kValues);
  DataCopy(t, given, kValues);
  PipeBarrier<PIPE_ALL>();
  choose<T>();
  DataCopy(old, t, kValues);
  DisableDmaAtomic();
}

template <class T>
std::vector<T> combined(const std::vector<T>& values) {
  Device device;
  const auto memory = device.memory(values);
  Said said;
  REQUIRE(launch("combines", combines<T>, 1, reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  REQUIRE(device.synchronize() == 0);
  CHECK(said.text() == "");
  return memory.host();
}

template <class T>
constexpr bool kWhole = std::is_integral_v<T>;

/// Numbers at the edges of the type, beside random ones.
template <class T>
std::vector<T> numbers() {
  std::mt19937 random(3);
  std::vector<T> values;
  for (std::uint32_t i = 0; i < 2 * kValues; ++i) {
    if constexpr (kWhole<T>) {
      values.push_back(static_cast<T>(random()));
    } else {
      values.push_back(T((static_cast<float>(random() % 4096) - 2048.0F) / 16.0F));
    }
  }
  if constexpr (kWhole<T>) {
    values[0] = values[kValues] = std::numeric_limits<T>::max();
    values[1] = values[kValues + 1] = std::numeric_limits<T>::min();
  } else {
    values[0] = values[kValues] = NumericLimits<T>::Max();
    values[1] = NumericLimits<T>::Infinity();
    values[2] = T(2048.0F);  // a tie of half
    values[kValues + 2] = T(1.0F);
    values[3] = T(256.0F);  // a tie of bfloat16
    values[kValues + 3] = T(1.0F);
    values[4] = T(-0.0F);
    values[kValues + 4] = T(0.0F);
  }
  return values;
}

/// Computed in double, then rounded to nearest even by code that is independent of the emulator.
template <class T>
double wanted_number(T a, T b, How how) {
  const double x = static_cast<double>(static_cast<float>(a)),
               y = static_cast<double>(static_cast<float>(b));
  return how == How::add ? x + y : how == How::max ? std::fmax(x, y) : std::fmin(x, y);
}

template <class T>
void check_type(const char* name) {
  const std::vector<T> values = numbers<T>();
  for (const How how : {How::add, How::max, How::min}) {
    for (const bool by_type : {false, true}) {
      chosen_how = how;
      through_type = by_type;
      const std::vector<T> got = combined(values);
      for (std::uint32_t i = 0; i < kValues; ++i) {
        const T a = values[i], b = values[kValues + i];
        CAPTURE(name, static_cast<int>(how), by_type, i);
        if constexpr (kWhole<T>) {
          const std::int64_t x = a, y = b;
          const std::int64_t wide = how == How::add   ? x + y
                                    : how == How::max ? (x > y ? x : y)
                                                      : (x < y ? x : y);
          std::uint64_t low = static_cast<std::uint64_t>(wide);  // the low bits are kept
          T wanted;
          std::memcpy(&wanted, &low, sizeof wanted);
          REQUIRE(got[i] == wanted);
        } else {
          const double wanted = vectortest::rounded(wanted_number(a, b, how),
                                                    vectortest::type_of(aclsim_element::of<T>));
          REQUIRE(static_cast<double>(static_cast<float>(got[i])) == wanted);
        }
      }
    }
  }
}

}  // namespace

#define CHECK_ATOMIC(T) \
  if constexpr (aclsim_vector::among<T>(ACLSIM_SET_OF(ATOMIC))) check_type<T>(#T)

TEST_CASE("copies combine each type of the row as a loop does", "[atomics]") {
  CHECK_ATOMIC(int8_t);
  CHECK_ATOMIC(int16_t);
  CHECK_ATOMIC(int32_t);
  CHECK_ATOMIC(half);
  CHECK_ATOMIC(bfloat16_t);
  CHECK_ATOMIC(float);
}

TEST_CASE("what copies add is not a number where one of both is none", "[atomics]") {
  std::vector<float> values(2 * kValues, 1.0F);
  values[0] = std::nanf("");
  values[kValues + 1] = std::nanf("");
  values[2] = std::numeric_limits<float>::infinity();
  values[kValues + 2] = -std::numeric_limits<float>::infinity();
  chosen_how = How::add;
  through_type = false;
  const std::vector<float> got = combined(values);
  for (std::uint32_t i = 0; i < kValues; ++i) CHECK(std::isnan(got[i]) == (i < 3));
}

#if ACLSIM_NPU_ARCH == 3510
// ---- of the scalar unit

template <class T>
void counts(GM_ADDR x) {
  auto* const at = reinterpret_cast<T*>(x);
  for (int i = 0; i < 100; ++i) {
    AtomicAdd(at, 1);
    AtomicMax(at + 1, static_cast<T>(GetBlockIdx() * 100 + i));
    AtomicMin(at + 2, static_cast<T>(GetBlockIdx() * 100 + i));
  }
}
template <class T>
void check_counts() {
  Device device;
  const auto memory = device.memory(std::vector<T>{1, 7, 1000});
  Said said;
  REQUIRE(launch("counts", counts<T>, 4, reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  CHECK(memory.host() == std::vector<T>{401, 399, 0});
}
TEST_CASE("atomic operations of the scalar unit lose no update of another block", "[atomics]") {
  check_counts<int32_t>();
  check_counts<uint32_t>();
  check_counts<int64_t>();
  check_counts<uint64_t>();
  check_counts<float>();
}

template <class T>
void exchanges(GM_ADDR x) {
  auto* const at = reinterpret_cast<T*>(x);
  at[1] = AtomicExch(at, 8);
  at[2] = AtomicCas(at, 7, 9);
  at[3] = at[0];
  at[4] = AtomicCas(at, 8, 9);
  at[5] = AtomicAdd(at, 2);
}
TEST_CASE("atomic operations of the scalar unit return the old value", "[atomics]") {
  const auto exchanged = [](auto type, auto kernel) {
    using T = decltype(type);
    Device device;
    const auto memory = device.memory(std::vector<T>{5, 0, 0, 0, 0, 0});
    REQUIRE(kernel(reinterpret_cast<GM_ADDR>(memory.data())) == 0);
    CHECK(device.synchronize() == 0);
    CHECK(memory.host() == std::vector<T>{11, 5, 8, 8, 8, 9});
  };
  exchanged(uint32_t{}, [](GM_ADDR x) { return launch("exchanges", exchanges<uint32_t>, 1, x); });
  exchanged(uint64_t{}, [](GM_ADDR x) { return launch("exchanges", exchanges<uint64_t>, 1, x); });
}
#endif

}  // namespace atomics
