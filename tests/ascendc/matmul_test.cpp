// SPDX-License-Identifier: Apache-2.0
// The Matmul object against a plain loop, over random shapes. The numbers are small and whole, so
// that each sum is exact in every type and order.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "ascendc/lib/matmul_intf.h"
#include "tests/ascendc/kernel.h"
#include "tests/ascendc/said.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"
#include "tiling/tiling_api.h"

namespace {

using namespace AscendC;

enum class How : int32_t {
  all,
  all_in_tiles,
  tiles_to_global,
  tiles_to_local,
  all_to_local,
  ahead,
  count
};

struct Task {
  TCubeTiling tiling;
  int32_t transpose_a;
  int32_t transpose_b;
  int32_t bias;
  int32_t add;  // 1: onto what C has
  How how;
};

/// C by way of local memory: all of it at once, or tile by tile.
template <class Product, class Out>
void through_local(TPipe& pipe, Product& product, GlobalTensor<Out>& to, const Task& task) {
  const uint32_t tile = static_cast<uint32_t>(task.tiling.baseM * task.tiling.baseN);
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 128 * 1024);
  uint32_t number = 0;
  const auto copy_out = [&](uint32_t rows, uint32_t cols) {
    LocalTensor<Out> filled = queue.DeQue<Out>();
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    const uint32_t stride = (cols * sizeof(Out) + 31) / 32 * 32 / sizeof(Out);
    for (uint32_t row = 0; row < rows; ++row) {
      DataCopyPad(to[number * tile + row * cols], filled[row * stride],
                  DataCopyExtParams(1, cols * static_cast<uint32_t>(sizeof(Out)), 0, 0, 0));
    }
    PipeBarrier<PIPE_ALL>();
    queue.FreeTensor(filled);
    ++number;
  };
  if (task.how == How::all_to_local) {
    LocalTensor<Out> tensor = queue.AllocTensor<Out>();
    product.IterateAll(tensor);
    queue.EnQue(tensor);
    copy_out(static_cast<uint32_t>(task.tiling.singleCoreM),
             static_cast<uint32_t>(task.tiling.singleCoreN));
  } else {
    while (product.Iterate()) {
      LocalTensor<Out> tensor = queue.AllocTensor<Out>();
      product.GetTensorC(tensor, false, true);
      queue.EnQue(tensor);
      const MatrixOffset at = product.GetOffsetC();
      copy_out(static_cast<uint32_t>(at.height), static_cast<uint32_t>(at.width));
    }
  }
}

template <class A, class B, class C>
void run_product(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, GM_ADDR workspace, Task task) {
  using Out = typename C::T;
  TPipe pipe;
  SetSysWorkspace(workspace);
  using BiasType = MatmulType<TPosition::GM, CubeFormat::ND, Out>;
  Matmul<A, B, C, BiasType> product;
  const TCubeTiling* __restrict tiling = &task.tiling;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, tiling);
  if (GetBlockIdx() != 0) return;
  GlobalTensor<typename A::T> from_a;
  GlobalTensor<typename B::T> from_b;
  GlobalTensor<Out> from_bias;
  GlobalTensor<Out> to;
  from_a.SetGlobalBuffer(reinterpret_cast<typename A::T*>(a));
  from_b.SetGlobalBuffer(reinterpret_cast<typename B::T*>(b));
  from_bias.SetGlobalBuffer(reinterpret_cast<Out*>(bias));
  to.SetGlobalBuffer(reinterpret_cast<Out*>(c));
  product.SetTensorA(from_a, task.transpose_a != 0);
  product.SetTensorB(from_b, task.transpose_b != 0);
  if (task.bias) product.SetBias(from_bias);
  const uint8_t atomic = task.add ? 1 : 0;
  if (task.how == How::all) product.IterateAll(to, atomic);
  if (task.how == How::all_in_tiles) product.IterateAll(to, atomic, true);
  if (task.how == How::tiles_to_global) {
    while (product.Iterate()) product.GetTensorC(to, atomic);
  }
  if (task.how == How::ahead) {
    product.template Iterate<false>();
    const int32_t tiles = (task.tiling.singleCoreM + task.tiling.baseM - 1) / task.tiling.baseM *
                          ((task.tiling.singleCoreN + task.tiling.baseN - 1) / task.tiling.baseN);
    for (int32_t i = 0; i < tiles; ++i) product.template GetTensorC<false>(to, atomic);
  }
  if (task.how == How::tiles_to_local || task.how == How::all_to_local) {
    through_local(pipe, product, to, task);
  }
  product.End();
}

struct Shape {
  uint32_t m, n, k;
};

template <class T>
uint64_t stored(CubeFormat format, uint32_t rows, uint32_t cols, uint32_t row, uint32_t col,
                uint32_t width) {
  if (format == CubeFormat::ND) return uint64_t{row} * cols + col;
  return uint64_t{col / width} * ((rows + 15) / 16 * 16) * width + uint64_t{row} * width +
         col % width;
}
uint64_t elements(CubeFormat format, uint32_t rows, uint32_t cols, uint32_t width) {
  if (format == CubeFormat::ND) return uint64_t{rows} * cols;
  return uint64_t{(rows + 15) / 16 * 16} * ((cols + width - 1) / width * width);
}

class Trial {
 public:
  explicit Trial(uint64_t seed) : random_(seed) {
    shape_ = {pick(1, 150), pick(1, 150), pick(1, 300)};
    task_.tiling = {};
    TCubeTiling& t = task_.tiling;
    t.M = t.singleCoreM = static_cast<int32_t>(shape_.m);
    t.N = t.singleCoreN = static_cast<int32_t>(shape_.n);
    t.Ka = t.Kb = t.singleCoreK = static_cast<int32_t>(shape_.k);
    t.baseM = static_cast<int32_t>(pick(1, 6) * 16);
    t.baseN = static_cast<int32_t>(pick(1, 6) * 16);
    t.iterateOrder = static_cast<int32_t>(pick(0, 1));
    task_.transpose_a = static_cast<int32_t>(pick(0, 1));
    task_.transpose_b = static_cast<int32_t>(pick(0, 1));
    task_.bias = static_cast<int32_t>(pick(0, 1));
    task_.how = static_cast<How>(pick(0, static_cast<uint32_t>(How::count) - 1));
    task_.add = is_local() ? 0 : static_cast<int32_t>(pick(0, 1));
  }

  template <class A, class B, class C>
  void run(const char* called) {
    using In = typename A::T;
    using Out = typename C::T;
    if (task_.how == How::all_to_local) limit_whole(sizeof(Out));
    if (C::format == CubeFormat::NZ && (is_local() || task_.how == How::all_in_tiles))
      task_.how = How::all;
    INFO(called << " of " << shape_.m << " x " << shape_.n << " x " << shape_.k << ", base "
                << task_.tiling.baseM << " x " << task_.tiling.baseN << ", order "
                << task_.tiling.iterateOrder << ", A^T " << task_.transpose_a << ", B^T "
                << task_.transpose_b << ", bias " << task_.bias << ", add " << task_.add << ", how "
                << static_cast<int>(task_.how));
    const std::vector<int> a = numbers(shape_.m * shape_.k);
    const std::vector<int> b = numbers(shape_.k * shape_.n);
    const std::vector<int> bias = numbers(shape_.n);
    const auto x = device_.memory(packed<In>(a, A::format, shape_.m, shape_.k, task_.transpose_a));
    const auto y = device_.memory(packed<In>(b, B::format, shape_.k, shape_.n, task_.transpose_b));
    std::vector<Out> bias_values;
    for (const int value : bias) bias_values.push_back(Out(value));
    const auto z = device_.memory(bias_values);
    std::vector<Out> before(c_elements(C::format), Out(3));
    const auto c = device_.memory(before);
    const auto workspace = device_.memory<uint8_t>(64);
    Said said;
    REQUIRE(KernelOf<&run_product<A, B, C>>::enqueue(
                "product", ACLSIM_CORES_MIX_1_2, 1, nullptr, bytes(x), bytes(y), bytes(z), bytes(c),
                reinterpret_cast<GM_ADDR>(workspace.data()), task_) == 0);
    REQUIRE(device_.synchronize() == 0);
    CHECK(said.text() == "");
    compare<Out>(a, b, bias, c.host(), C::format);
  }

 private:
  uint32_t pick(uint32_t from, uint32_t to) {
    return std::uniform_int_distribution<uint32_t>(from, to)(random_);
  }
  bool is_local() const {
    return task_.how == How::tiles_to_local || task_.how == How::all_to_local;
  }
  void limit_whole(uint32_t bytes) {
    while (uint64_t{shape_.m} * ((shape_.n + 31) / 32 * 32) * bytes > 120 * 1024)
      shape_.m = shape_.m / 2 + 1;
    task_.tiling.M = task_.tiling.singleCoreM = static_cast<int32_t>(shape_.m);
  }
  std::vector<int> numbers(std::size_t count) {
    std::vector<int> values(count);
    for (int& value : values) value = static_cast<int>(pick(0, 4)) - 2;
    return values;
  }
  template <class T>
  static GM_ADDR bytes(const Buffer<T>& buffer) {
    return reinterpret_cast<GM_ADDR>(buffer.data());
  }
  template <class T>
  std::vector<T> packed(const std::vector<int>& values, CubeFormat format, uint32_t rows,
                        uint32_t cols, bool transposed) const {
    const uint32_t high = transposed ? cols : rows;
    const uint32_t wide = transposed ? rows : cols;
    const auto width = static_cast<uint32_t>(32 / sizeof(T));
    std::vector<T> result(elements(format, high, wide, width), T(7));
    for (uint32_t row = 0; row < rows; ++row) {
      for (uint32_t col = 0; col < cols; ++col) {
        const uint64_t at = transposed ? stored<T>(format, high, wide, col, row, width)
                                       : stored<T>(format, high, wide, row, col, width);
        result[at] = T(values[row * cols + col]);
      }
    }
    return result;
  }
  uint32_t down() const { return (shape_.m + base_m() - 1) / base_m(); }
  uint32_t across() const { return (shape_.n + base_n() - 1) / base_n(); }
  uint32_t base_m() const { return static_cast<uint32_t>(task_.tiling.baseM); }
  uint32_t base_n() const { return static_cast<uint32_t>(task_.tiling.baseN); }
  uint64_t c_elements(CubeFormat format) const {
    return std::max(elements(format, shape_.m, shape_.n, 16),
                    uint64_t{down()} * across() * base_m() * base_n());
  }
  /// The offset of (row, col) in C.
  uint64_t place(CubeFormat format, uint32_t row, uint32_t col) const {
    if (task_.how != How::all_in_tiles && task_.how != How::tiles_to_local) {
      return stored<int>(format, shape_.m, shape_.n, row, col, 16);
    }
    const uint32_t i = row / base_m();
    const uint32_t j = col / base_n();
    const uint32_t tile = task_.tiling.iterateOrder == 0 ? j * down() + i : i * across() + j;
    const uint32_t width =
        task_.how == How::all_in_tiles ? base_n() : std::min(base_n(), shape_.n - j * base_n());
    return uint64_t{tile} * base_m() * base_n() + row % base_m() * width + col % base_n();
  }
  template <class Out>
  void compare(const std::vector<int>& a, const std::vector<int>& b, const std::vector<int>& bias,
               const std::vector<Out>& c, CubeFormat format) const {
    for (uint32_t row = 0; row < shape_.m; ++row) {
      for (uint32_t col = 0; col < shape_.n; ++col) {
        int sum = (task_.bias ? bias[col] : 0) + (task_.add ? 3 : 0);
        for (uint32_t k = 0; k < shape_.k; ++k)
          sum += a[row * shape_.k + k] * b[k * shape_.n + col];
        INFO("row " << row << ", column " << col);
        REQUIRE(static_cast<float>(c[place(format, row, col)]) == static_cast<float>(sum));
      }
    }
  }

  std::mt19937_64 random_;
  Device device_;
  Shape shape_{};
  Task task_{};
};

template <CubeFormat format, class T>
using In = MatmulType<TPosition::GM, format, T, true>;
template <CubeFormat format, class T>
using Out = MatmulType<TPosition::GM, format, T>;
constexpr CubeFormat kRows = CubeFormat::ND;
constexpr CubeFormat kFractals = CubeFormat::NZ;

template <class A, class C>
void rows_only(uint64_t seed, const char* called) {
  Trial(seed).run<In<kRows, A>, In<kRows, A>, Out<kRows, C>>(called);
}

}  // namespace

TEST_CASE("products through the Matmul object are those of a plain loop", "[matmul]") {
  const uint64_t first = support::first_seed();
  for (uint64_t i = 0; i < 40; ++i) {
    if (!support::in_share(i)) continue;
    const uint64_t seed = first * 1000 + i;
    INFO("seed " << seed);
    switch (i % 10) {
      case 0:
        rows_only<half, float>(seed, "half to float");
        break;
      case 1:
        rows_only<half, half>(seed, "half to half");
        break;
      case 2:
        rows_only<bfloat16_t, float>(seed, "bfloat16_t to float");
        break;
      case 3:
        rows_only<float, float>(seed, "float to float");
        break;
      case 4:
        rows_only<int8_t, int32_t>(seed, "int8_t to int32_t");
        break;
      case 5:
        rows_only<half, bfloat16_t>(seed, "half to bfloat16_t");
        break;
      case 6:
        Trial(seed).run<In<kFractals, half>, In<kRows, half>, Out<kRows, float>>("A in fractals");
        break;
      case 7:
        Trial(seed).run<In<kRows, half>, In<kFractals, half>, Out<kRows, float>>("B in fractals");
        break;
      case 8:
        Trial(seed).run<In<kRows, half>, In<kRows, half>, Out<kFractals, float>>("C in fractals");
        break;
      default:
        Trial(seed).run<In<kFractals, half>, In<kFractals, half>, Out<kFractals, half>>(
            "all in fractals");
    }
  }
}

namespace {

/// Each vector core takes its part, as kernels cut them by the tiling.
void parts(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace, TCubeTiling tiling) {
  TPipe pipe;
  SetSysWorkspace(workspace);
  using X = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  Matmul<X, X, MatmulType<TPosition::GM, CubeFormat::ND, float>> product;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product);
  product.Init(&tiling);
  const uint32_t down =
      static_cast<uint32_t>((tiling.M + tiling.singleCoreM - 1) / tiling.singleCoreM);
  const auto index = static_cast<uint32_t>(GetBlockIdx());
  if (index >= static_cast<uint32_t>(tiling.usedCoreNum)) return;
  const uint32_t row = index % down * static_cast<uint32_t>(tiling.singleCoreM);
  const uint32_t col = index / down * static_cast<uint32_t>(tiling.singleCoreN);
  GlobalTensor<half> from_a;
  GlobalTensor<half> from_b;
  GlobalTensor<float> to;
  from_a.SetGlobalBuffer(reinterpret_cast<half*>(a), static_cast<uint64_t>(tiling.M) * tiling.Ka);
  from_b.SetGlobalBuffer(reinterpret_cast<half*>(b), static_cast<uint64_t>(tiling.Kb) * tiling.N);
  to.SetGlobalBuffer(reinterpret_cast<float*>(c), static_cast<uint64_t>(tiling.M) * tiling.N);
  product.SetTail(std::min(tiling.singleCoreM, tiling.M - static_cast<int32_t>(row)),
                  std::min(tiling.singleCoreN, tiling.N - static_cast<int32_t>(col)));
  product.SetTensorA(from_a[static_cast<uint64_t>(row) * tiling.Ka]);
  product.SetTensorB(from_b[col]);
  product.IterateAll(to[static_cast<uint64_t>(row) * tiling.N + col]);
  product.End();
}

using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Float = MatmulType<TPosition::GM, CubeFormat::ND, float>;

TCubeTiling tiling_of(int32_t m, int32_t n, int32_t k, int32_t cores = 1) {
  matmul_tiling::MultiCoreMatmulTiling maker;
  maker.SetDim(cores);
  maker.SetShape(m, n, k);
  maker.SetOrgShape(m, n, k);
  TCubeTiling tiling;
  REQUIRE(maker.GetTiling(tiling) == 0);
  return tiling;
}

template <void (*kernel)(GM_ADDR, TCubeTiling)>
std::string said_of(const char* name, uint32_t cores, int code, TCubeTiling tiling) {
  Device device;
  const auto memory = device.memory(std::vector<half>(4096, half(1)));
  Said said;
  CHECK(KernelOf<kernel>::enqueue(name, cores, 1, nullptr, reinterpret_cast<GM_ADDR>(memory.data()),
                                  tiling) == 0);
  CHECK(device.synchronize() == code);
  return said.text();
}

template <bool workspace>
void multiplies(GM_ADDR x, TCubeTiling tiling) {
  TPipe pipe;
  SetSysWorkspace(workspace ? x : nullptr);
  Matmul<Half, Half, Float> product;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
  GlobalTensor<half> from;
  GlobalTensor<float> to;
  from.SetGlobalBuffer(reinterpret_cast<half*>(x), 1024);
  to.SetGlobalBuffer(reinterpret_cast<float*>(x) + 1024, 256);
  product.SetTensorA(from);
  product.SetTensorB(from);
  product.IterateAll(to);
}
void transposes(GM_ADDR x, TCubeTiling tiling) {
  TPipe pipe;
  SetSysWorkspace(x);
  Matmul<Half, Half, Float> product;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
  GlobalTensor<half> from;
  from.SetGlobalBuffer(reinterpret_cast<half*>(x));
  product.SetTensorA(from, true);
}
void sums_partly(GM_ADDR x, TCubeTiling tiling) {
  TPipe pipe;
  SetSysWorkspace(x);
  Matmul<Half, Half, Float> product;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, &tiling);
  product.Iterate(true);
}

}  // namespace

TEST_CASE("the parts of a product that the tiling gives the cores make the product", "[matmul]") {
  std::mt19937_64 random(support::first_seed());
  for (int trial = 0; trial < 12; ++trial) {
    const auto pick = [&](int from, int to) {
      return std::uniform_int_distribution<int>(from, to)(random);
    };
    const int m = pick(1, 400);
    const int n = pick(1, 400);
    const int k = pick(1, 100);
    const TCubeTiling tiling = tiling_of(m, n, k, pick(1, 40));
    INFO(m << " x " << n << " x " << k << " on " << tiling.usedCoreNum);
    Device device;
    std::vector<half> a(static_cast<std::size_t>(m * k));
    std::vector<half> b(static_cast<std::size_t>(k * n));
    for (half& value : a) value = half(pick(-3, 3));
    for (half& value : b) value = half(pick(-3, 3));
    const auto x = device.memory(a);
    const auto y = device.memory(b);
    const auto z = device.memory<float>(static_cast<std::size_t>(m * n));
    const auto workspace = device.memory<uint8_t>(64);
    Said said;
    REQUIRE(KernelOf<&parts>::enqueue(
                "parts", ACLSIM_CORES_MIX_1_2, static_cast<uint32_t>(tiling.usedCoreNum + 1) / 2,
                nullptr, reinterpret_cast<GM_ADDR>(x.data()), reinterpret_cast<GM_ADDR>(y.data()),
                reinterpret_cast<GM_ADDR>(z.data()), reinterpret_cast<GM_ADDR>(workspace.data()),
                tiling) == 0);
    REQUIRE(device.synchronize() == 0);
    CHECK(said.text() == "");
    const std::vector<float> c = z.host();
    for (int row = 0; row < m; ++row) {
      for (int col = 0; col < n; ++col) {
        float sum = 0;
        for (int i = 0; i < k; ++i) {
          sum += static_cast<float>(a[static_cast<std::size_t>(row * k + i)]) *
                 static_cast<float>(b[static_cast<std::size_t>(i * n + col)]);
        }
        REQUIRE(c[static_cast<std::size_t>(row * n + col)] == sum);
      }
    }
  }
}

TEST_CASE("a tiling fits the memories of a core, and host and kernel class agree field by field",
          "[matmul][tiling]") {
  std::mt19937_64 random(support::first_seed());
  for (int trial = 0; trial < 200; ++trial) {
    const auto pick = [&](int from, int to) {
      return std::uniform_int_distribution<int>(from, to)(random);
    };
    const int m = pick(1, 5000);
    const int n = pick(1, 5000);
    const int k = pick(1, 5000);
    const int cores = pick(1, 48);
    matmul_tiling::MultiCoreMatmulTiling maker;
    const auto types = {matmul_tiling::DataType::DT_FLOAT16, matmul_tiling::DataType::DT_FLOAT,
                        matmul_tiling::DataType::DT_INT8};
    const auto type = *(types.begin() + pick(0, 2));
    maker.SetAType(matmul_tiling::TPosition::GM, matmul_tiling::CubeFormat::ND, type);
    maker.SetDim(cores);
    maker.SetShape(m, n, k);
    optiling::TCubeTiling host;
    REQUIRE(maker.GetTiling(host) == 0);
    TCubeTiling t;
    REQUIRE(host.GetDataSize() == sizeof t);
    host.SaveToBuffer(&t, sizeof t);
    INFO(m << " x " << n << " x " << k << " on " << cores);
    CHECK(t.baseN == host.get_baseN());
    CHECK(t.mxTypePara == host.get_mxTypePara());
    CHECK(t.usedCoreNum <= cores);
    CHECK((m + t.singleCoreM - 1) / t.singleCoreM * ((n + t.singleCoreN - 1) / t.singleCoreN) ==
          t.usedCoreNum);
    const int bytes = type == matmul_tiling::DataType::DT_FLOAT  ? 4
                      : type == matmul_tiling::DataType::DT_INT8 ? 1
                                                                 : 2;
    CHECK(t.baseM % 16 == 0);
    CHECK(t.baseN % 16 == 0);
    CHECK(t.baseK * bytes % 32 == 0);
    CHECK(t.baseM * t.baseN * 4 <= 128 * 1024);
    CHECK(t.baseM * t.baseK * bytes <= 64 * 1024);
    CHECK(t.baseN * t.baseK * bytes <= 64 * 1024);
  }
  matmul_tiling::MatmulApiTiling without_shape;
  TCubeTiling none;
  CHECK(without_shape.GetTiling(none) == -1);
}

TEST_CASE("a Matmul object that is used wrongly is named", "[matmul]") {
  const TCubeTiling tiling = tiling_of(16, 16, 32);
  TCubeTiling large = tiling_of(64, 16, 32);
  const auto cubes = ACLSIM_CORES_MIX_1_1;
  CHECK(said_of<&multiplies<true>>("right", cubes, 0, tiling).empty());
  CHECK(contains(said_of<&multiplies<true>>("no_cubes", ACLSIM_CORES_VECTOR, 507035, tiling),
                 "Matmul needs cube cores"));
  CHECK(contains(said_of<&multiplies<false>>("no_workspace", cubes, 507035, tiling),
                 "the workspace is null"));
  CHECK(contains(said_of<&transposes>("transposes", cubes, 0, tiling), "isTransposeA"));
  CHECK(contains(said_of<&sums_partly>("sums_partly", cubes, 507035, tiling), "enPartialSum"));
  CHECK(contains(said_of<&multiplies<true>>("too_large", cubes, 0, large), "tensor-exceeded"));
}
