// SPDX-License-Identifier: Apache-2.0
// Kernels that multiply with LoadData, Mmad and Fixpipe, over random shapes, against a plain loop.
// The numbers are small and whole, so that each sum is exact.
#include <string>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/ascendc_cube/matrices.h"
#include "tests/support/catch.h"

namespace cube_test {
namespace {

using namespace AscendC;

struct Task {
  uint32_t m, n, k;
  bool transposed_a, transposed_b, bias, twice, unit_flag;
};

template <class T>
Nd2NzParams to_fractals(uint32_t rows, uint32_t cols) {
  return Nd2NzParams(1, static_cast<uint16_t>(rows), static_cast<uint16_t>(cols), 0,
                     static_cast<uint16_t>(cols), static_cast<uint16_t>(up(rows, 16)), 1, 0);
}

/// A row of fractals of the destination at a time, as programs for 2201 do.
template <class T>
void load_rows(const LocalTensor<T>& to, const LocalTensor<T>& from, uint32_t rows, uint32_t cols) {
  constexpr uint32_t kWide = 32 / sizeof(T);
  const uint32_t across = up(cols, kWide) / kWide, down = up(rows, 16) / 16;
  for (uint32_t i = 0; i < down; ++i) {
    LoadData(to[i * across * 16 * kWide], from[i * 16 * kWide],
             LoadData2DParams(0, static_cast<uint8_t>(across), static_cast<uint16_t>(down), 0, 0,
                              false, 0));
  }
}
template <class T>
void load_columns(const LocalTensor<T>& to, const LocalTensor<T>& from, uint32_t rows,
                  uint32_t cols, bool transpose) {
  constexpr uint32_t kWide = 32 / sizeof(T);
  const auto down = static_cast<uint16_t>(up(rows, transpose && sizeof(T) == 1 ? 32 : 16) / 16);
  const auto across =
      static_cast<uint16_t>(up(cols, transpose && sizeof(T) == 4 ? 16 : kWide) / kWide);
  const auto stride = static_cast<uint16_t>(up(rows, 16) / 16);
  const auto to_stride = static_cast<uint16_t>(transpose ? up(cols, 16) / 16 : stride);
  LoadData(to, from, LoadData2DParamsV2(0, 0, down, across, stride, to_stride, transpose, 0));
}

/// A transposed matrix of K x M or K x N halves in L1, fractal by fractal.
template <class T>
void load_turned(const LocalTensor<T>& to, const LocalTensor<T>& from, uint32_t rows, uint32_t cols,
                 bool rows_outside) {
  const uint32_t down = up(rows, 16) / 16, across = up(cols, 16) / 16;
  for (uint32_t i = 0; i < down; ++i) {
    for (uint32_t j = 0; j < across; ++j) {
      const uint32_t at = rows_outside ? i * across + j : j * down + i;
      LoadData(to[at * 256], from[(j * down + i) * 256], LoadData2DParams(0, 1, 1, 0, 0, true, 0));
    }
  }
}

template <class T, class Sum>
void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, Task task) {
  if (g_coreType == AIV) return;
  GlobalTensor<T> a_gm, b_gm;
  GlobalTensor<Sum> bias_gm, c_gm;
  a_gm.SetGlobalBuffer(reinterpret_cast<T*>(a));
  b_gm.SetGlobalBuffer(reinterpret_cast<T*>(b));
  bias_gm.SetGlobalBuffer(reinterpret_cast<Sum*>(bias));
  c_gm.SetGlobalBuffer(reinterpret_cast<Sum*>(c));
  const LocalTensor<T> a1(TPosition::A1, 0, 32 * 1024 / sizeof(T));
  const LocalTensor<T> b1(TPosition::B1, 64 * 1024, 32 * 1024 / sizeof(T));
  const LocalTensor<Sum> c1(TPosition::C1, 128 * 1024, 256);
  const LocalTensor<Sum> c2(TPosition::C2, 0, 128);
  const LocalTensor<T> a2(TPosition::A2, 0, 32 * 1024 / sizeof(T));
  const LocalTensor<T> b2(TPosition::B2, 0, 32 * 1024 / sizeof(T));
  const LocalTensor<Sum> co1(TPosition::CO1, 0, 32 * 1024 / sizeof(Sum));

  const uint32_t a_rows = task.transposed_a ? task.k : task.m;
  const uint32_t b_rows = task.transposed_b ? task.n : task.k;
  DataCopy(a1, a_gm, to_fractals<T>(a_rows, task.m * task.k / a_rows));
  DataCopy(b1, b_gm, to_fractals<T>(b_rows, task.n * task.k / b_rows));
  if (task.bias) {
    DataCopyPad(c1, bias_gm, DataCopyExtParams(1, task.n * sizeof(Sum), 0, 0, 0),
                DataCopyPadExtParams<Sum>());
  }
  order<HardEvent::MTE2_MTE1>();
#if ACLSIM_NPU_ARCH == 3510
  load_columns(a2, a1, a_rows, task.m * task.k / a_rows, task.transposed_a);
  load_columns(b2, b1, b_rows, task.n * task.k / b_rows, !task.transposed_b);
#else
  if (task.transposed_a) {
    load_turned(a2, a1, task.k, task.m, false);
  } else {
    load_rows(a2, a1, task.m, task.k);
  }
  if (task.transposed_b) {  // L1 has the fractals of L0B already, column by column
    LoadData(b2, b1,
             LoadData2DParams(0,
                              static_cast<uint8_t>(up(task.n, 16) / 16 *
                                                   up(task.k, 32 / sizeof(T)) * sizeof(T) / 32),
                              1, 0, 0, false, 0));
  } else {
    load_turned(b2, b1, task.k, task.n, true);
  }
#endif
  if (task.bias) {
    DataCopy(c2, c1,
             DataCopyParams(1,
                            static_cast<uint16_t>(up(task.n * sizeof(Sum), 64) /
                                                  (ACLSIM_NPU_ARCH == 3510 ? 32 : 64)),
                            0, 0));
  }
  order<HardEvent::MTE1_M>();
  MmadParams params;
  params.m = static_cast<uint16_t>(task.m);
  params.n = static_cast<uint16_t>(task.n);
  params.k = static_cast<uint16_t>(task.k);
#if ACLSIM_NPU_ARCH == 3510
  params.disableGemv = true;
#endif
  params.unitFlag = task.unit_flag ? (task.twice ? 2 : 3) : 0;
  if (task.bias) {
    Mmad(co1, a2, b2, c2, params);
  } else {
    Mmad(co1, a2, b2, params);
  }
  if (task.twice) {
    params.cmatrixInitVal = false;
    params.unitFlag = task.unit_flag ? 3 : 0;
    Mmad(co1, a2, b2, params);
  }
  if (!task.unit_flag) order<HardEvent::M_FIX>();
  FixpipeParamsV220 out(static_cast<uint16_t>(task.n), static_cast<uint16_t>(task.m),
                        static_cast<uint16_t>(up(task.m, 16)), task.n, false);
  out.unitFlag = task.unit_flag ? 3 : 0;
  Fixpipe(c_gm, co1, out);
  PipeBarrier<PIPE_ALL>();
}

template <class T, class Sum>
void check_product(const Task& task, std::mt19937& random) {
  Device device;
  const Matrix a = random_matrix(task.m, task.k, random), b = random_matrix(task.k, task.n, random);
  const Matrix bias = random_matrix(1, task.n, random);
  Matrix expected = product(a, b);
  for (uint32_t row = 0; row < task.m; ++row) {
    for (uint32_t col = 0; col < task.n; ++col) {
      int& sum = expected.at(row, col);
      sum = sum * (task.twice ? 2 : 1) + (task.bias ? bias.at(0, col) : 0);
    }
  }
  const auto a_bytes = device.memory(stored<T>(task.transposed_a ? transposed(a) : a));
  const auto b_bytes = device.memory(stored<T>(task.transposed_b ? transposed(b) : b));
  const auto bias_bytes = device.memory(stored<Sum>(bias));
  const auto c_bytes = device.memory(std::vector<Sum>(std::size_t{task.m} * task.n + 8, Sum(-99)));
  Said said;
  REQUIRE(KernelOf<&multiply<T, Sum>>::enqueue(
              "multiply", ACLSIM_CORES_MIX_1_2, 1, nullptr,
              reinterpret_cast<GM_ADDR>(a_bytes.data()), reinterpret_cast<GM_ADDR>(b_bytes.data()),
              reinterpret_cast<GM_ADDR>(bias_bytes.data()),
              reinterpret_cast<GM_ADDR>(c_bytes.data()), task) == 0);
  const int code = device.synchronize();
  const std::string text = said.text();
  INFO(text);
  INFO(task.m << " x " << task.n << " x " << task.k << ", A " << task.transposed_a << ", B "
              << task.transposed_b << ", bias " << task.bias);
  REQUIRE(code == 0);
  CHECK(text.empty());
  auto wanted = stored<Sum>(expected);
  wanted.resize(wanted.size() + 8, Sum(-99));
  CHECK(c_bytes.host() == wanted);
}

Task random_task(std::mt19937& random) {
  const auto below = [&](uint32_t most) { return static_cast<uint32_t>(random() % most); };
  return {1 + below(70), 1 + below(70), 1 + below(90), below(2) == 0,
          below(2) == 0, below(3) == 0, below(3) == 0, below(2) == 0};
}

TEST_CASE("products of random shapes are those of a plain loop for 16-bit sources") {
  std::mt19937 random(20261129);
  for (int i = 0; i < 16; ++i) {
    Task task = random_task(random);
    if (task.m == 1 && ACLSIM_NPU_ARCH != 3510) task.m = 2;
    check_product<half, float>(task, random);
    check_product<bfloat16_t, float>(task, random);
  }
}

TEST_CASE("products of random shapes are those of a plain loop for 8-bit and 32-bit sources") {
  std::mt19937 random(7);
  for (int i = 0; i < 12; ++i) {
    Task task = random_task(random);
    if (task.m == 1) task.m = 2;
#if ACLSIM_NPU_ARCH != 3510
    task.transposed_a = false;  // LoadData transposes 16-bit elements alone
    task.transposed_b = true;
#endif
    check_product<int8_t, int32_t>(task, random);
    check_product<float, float>(task, random);
  }
}

/// m of 1: A is a vector without fractals.
void multiply_vector(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t n, uint32_t k) {
  if (g_coreType == AIV) return;
  GlobalTensor<half> a_gm, b_gm;
  GlobalTensor<float> c_gm;
  a_gm.SetGlobalBuffer(reinterpret_cast<half*>(a));
  b_gm.SetGlobalBuffer(reinterpret_cast<half*>(b));
  c_gm.SetGlobalBuffer(reinterpret_cast<float*>(c));
  const LocalTensor<half> a1(TPosition::A1, 0, 4096), b1(TPosition::B1, 16384, 16384);
  const LocalTensor<half> a2(TPosition::A2, 0, 4096), b2(TPosition::B2, 0, 16384);
  const LocalTensor<float> co1(TPosition::CO1, 0, 4096);
  DataCopy(a1, a_gm, k);
  DataCopy(b1, b_gm, to_fractals<half>(n, k));
  order<HardEvent::MTE2_MTE1>();
  LoadData(a2, a1, LoadData2DParams(0, static_cast<uint8_t>(up(k, 256) / 256), 1, 0, 0, false, 0));
  LoadData(b2, b1,
           LoadData2DParams(0, static_cast<uint8_t>(up(n, 16) * k / 256), 1, 0, 0, false, 0));
  order<HardEvent::MTE1_M>();
  MmadParams params;
  params.m = 1;
  params.n = static_cast<uint16_t>(n);
  params.k = static_cast<uint16_t>(k);
  Mmad(co1, a2, b2, params);
  order<HardEvent::M_FIX>();
  Fixpipe(c_gm, co1, FixpipeParamsV220(static_cast<uint16_t>(n), 1, 16, n, false));
  PipeBarrier<PIPE_ALL>();
}

TEST_CASE("with an m of 1 the source A of Mmad is a vector without fractals") {
  std::mt19937 random(11);
  Device device;
  const uint32_t n = 40, k = 320;
  const Matrix a = random_matrix(1, k, random), b = random_matrix(k, n, random);
  const auto a_bytes = device.memory(stored<half>(a)),
             b_bytes = device.memory(stored<half>(transposed(b)));
  const auto c_bytes = device.memory<float>(n);
  REQUIRE(KernelOf<&multiply_vector>::enqueue(
              "multiply_vector", ACLSIM_CORES_MIX_1_2, 1, nullptr,
              reinterpret_cast<GM_ADDR>(a_bytes.data()), reinterpret_cast<GM_ADDR>(b_bytes.data()),
              reinterpret_cast<GM_ADDR>(c_bytes.data()), n, k) == 0);
  REQUIRE(device.synchronize() == 0);
  CHECK(c_bytes.host() == stored<float>(product(a, b)));
}

}  // namespace
}  // namespace cube_test
