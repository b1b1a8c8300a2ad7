// SPDX-License-Identifier: Apache-2.0
// The vector functions of the C interface: each row by a count, by repeats, and with a barrier,
// against a plain loop. A row without a loop here does not compile.
#include <cmath>
#include <cstring>
#include <vector>

#include "ascendc/c_api/asc_simd.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"

namespace c_vectors_test {
namespace {

/// a, b: the sources, of which b is the value too; d: what the destination had.
double plain_add(double a, double b, double) { return a + b; }
double plain_sub(double a, double b, double) { return a - b; }
double plain_mul(double a, double b, double) { return a * b; }
double plain_div(double a, double b, double) { return a / b; }
double plain_max(double a, double b, double) { return a > b ? a : b; }
double plain_min(double a, double b, double) { return a < b ? a : b; }
double plain_add_relu(double a, double b, double) { return a + b > 0 ? a + b : 0; }
double plain_sub_relu(double a, double b, double) { return a - b > 0 ? a - b : 0; }
double plain_mul_add(double a, double b, double d) { return a * d + b; }
double plain_mul_add_relu(double a, double b, double d) { return a * d + b > 0 ? a * d + b : 0; }
double plain_abs(double a, double, double) { return std::fabs(a); }
double plain_exp(double a, double, double) { return std::exp(a); }
double plain_log(double a, double, double) { return std::log(a); }
double plain_relu(double a, double, double) { return a > 0 ? a : 0; }
double plain_rsqrt(double a, double, double) { return 1 / std::sqrt(a); }
double plain_sqrt(double a, double, double) { return std::sqrt(a); }
double plain_rcp(double a, double, double) { return 1 / a; }
double plain_add_scalar(double a, double b, double) { return a + b; }
double plain_mul_scalar(double a, double b, double) { return a * b; }
double plain_max_scalar(double a, double b, double) { return a > b ? a : b; }
double plain_min_scalar(double a, double b, double) { return a < b ? a : b; }
double plain_leakyrelu(double a, double b, double) { return a > 0 ? a : a * b; }
double plain_and(double a, double b, double) { return static_cast<int>(a) & static_cast<int>(b); }
double plain_or(double a, double b, double) { return static_cast<int>(a) | static_cast<int>(b); }
double plain_not(double a, double, double) { return ~static_cast<int>(a); }

constexpr std::size_t kCount = 128;
constexpr double kValue = 3;  // the value, and the second source of each lane

template <class T>
using Call = void (*)(T* dst, T* src0, T* src1);
template <class T>
Call<T> call_of_kernel = nullptr;
template <class T>
void kernel(GM_ADDR x) {
  auto* const global = reinterpret_cast<T*>(x);
  auto* const local = static_cast<T*>(aclsimLocalAddress(
      static_cast<std::uint32_t>(AscendC::TPosition::VECCALC), 0, 3 * kCount * sizeof(T), nullptr));
  asc_init();
  asc_copy_gm2ub(local, global, 3 * kCount * sizeof(T));
  asc_sync_notify(PIPE_MTE2, PIPE_V, EVENT_ID0);
  asc_sync_wait(PIPE_MTE2, PIPE_V, EVENT_ID0);
  asc_set_vector_mask(~0ULL, ~0ULL);
  call_of_kernel<T>(local, local + kCount, local + 2 * kCount);
  asc_sync_notify(PIPE_V, PIPE_MTE3, EVENT_ID0);
  asc_sync_wait(PIPE_V, PIPE_MTE3, EVENT_ID0);
  asc_copy_ub2gm(global, local, 3 * kCount * sizeof(T));
}

template <class T>
void check(const char* name, bool positive, double (*plain)(double, double, double), Call<T> call) {
  std::vector<T> given(3 * kCount);
  for (std::size_t i = 0; i < kCount; ++i) {
    given[i] = static_cast<T>(static_cast<int>(i % 5));
    given[kCount + i] = static_cast<T>(static_cast<int>(i % 17) - (positive ? -1 : 8));
    given[2 * kCount + i] = static_cast<T>(kValue);
  }
  Device device;
  const auto memory = device.memory(given);
  call_of_kernel<T> = call;
  Said said;
  REQUIRE(launch("c_vectors", kernel<T>, 1, reinterpret_cast<GM_ADDR>(memory.data())) == 0);
  REQUIRE(device.synchronize() == 0);
  CAPTURE(name, said.text());
  REQUIRE(said.text().empty());
  const std::vector<T> found = memory.host();
  for (std::size_t i = 0; i < kCount; ++i) {
    const double wanted =
        plain(static_cast<double>(given[kCount + i]), kValue, static_cast<double>(given[i]));
    CAPTURE(i);
    REQUIRE(static_cast<double>(found[i]) == Approx(wanted).epsilon(1e-3));
  }
}

template <class T>
constexpr std::uint8_t kRepeats = kCount * sizeof(T) / 256;
#define CALLS_TWO(T, name, positive)                                                              \
  check<T>(#name, positive, plain_##name, [](T* d, T* a, T* b) { asc_##name(d, a, b, kCount); }); \
  check<T>(#name "_sync", positive, plain_##name,                                                 \
           [](T* d, T* a, T* b) { asc_##name##_sync(d, a, b, kCount); });                         \
  check<T>(#name " repeats", positive, plain_##name,                                              \
           [](T* d, T* a, T* b) { asc_##name(d, a, b, kRepeats<T>, 1, 1, 1, 8, 8, 8); })
#define CALLS_ONE(T, name, positive)                                                         \
  check<T>(#name, positive, plain_##name, [](T* d, T* a, T*) { asc_##name(d, a, kCount); }); \
  check<T>(#name "_sync", positive, plain_##name,                                            \
           [](T* d, T* a, T*) { asc_##name##_sync(d, a, kCount); });                         \
  check<T>(#name " repeats", positive, plain_##name,                                         \
           [](T* d, T* a, T*) { asc_##name(d, a, kRepeats<T>, 1, 1, 8, 8); })
#define CALLS_SCALAR(T, name, positive)                                                      \
  check<T>(#name, positive, plain_##name,                                                    \
           [](T* d, T* a, T*) { asc_##name(d, a, static_cast<T>(kValue), kCount); });        \
  check<T>(#name "_sync", positive, plain_##name,                                            \
           [](T* d, T* a, T*) { asc_##name##_sync(d, a, static_cast<T>(kValue), kCount); }); \
  check<T>(#name " repeats", positive, plain_##name, [](T* d, T* a, T*) {                    \
    asc_##name(d, a, static_cast<T>(kValue), kRepeats<T>, 1, 1, 8, 8);                       \
  })

/// Bits have their own type; roots and logarithms need positive numbers.
#define ROW(name, shape, what)                                                \
  TEST_CASE("c vectors: asc_" #name " computes every lane", "[c][vectors]") { \
    using T = std::conditional_t<is_of_bits(#name), std::int16_t, float>;     \
    CALLS_##shape(T, name, needs_positive(#name));                            \
  }
constexpr bool same(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}
constexpr bool is_of_bits(const char* name) {
  return same(name, "and") || same(name, "or") || same(name, "not");
}
constexpr bool needs_positive(const char* name) {
  return same(name, "log") || same(name, "sqrt") || same(name, "rsqrt") || same(name, "rcp");
}
ACLSIM_C_VECTOR_ROWS(ROW)

}  // namespace
}  // namespace c_vectors_test
