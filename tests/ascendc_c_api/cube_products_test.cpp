// SPDX-License-Identifier: Apache-2.0
// Products in the C interface, over random shapes and each way into L0A and L0B, against a plain
// loop. The numbers are small and whole, so that each sum is exact.
#include <cmath>

#include "tests/ascendc_c_api/cube.h"

namespace c_cube_test::multiplied {
namespace {

/// How B comes into L0B: as it is, transposed in one call, or in squares.
enum Turn : uint32_t { kNot, kWhole, kSquares };

struct Task {
  uint32_t m, n, k;
  bool turned_a;
  Turn turn_b;
  bool sync;
};

/// Rows become fractals. A transposition needs as many rows of bytes as a square has.
template <class T>
void to_fractals(T* dst, T* src, uint32_t rows, uint32_t cols, bool turned, bool sync) {
  const uint32_t high = up(rows, turned && sizeof(T) == 1 ? 32 : 16);
#if ACLSIM_NPU_ARCH == 3510
  asc_set_gm2l1_nz_para(uint64_t{high} << 32 | 1ULL << 16 | 1);
  CALL(sync, asc_copy_gm2l1_nd2nz, dst, src, cols * sizeof(T), 0, rows, cols, 0, false);
#else
  CALL(sync, asc_copy_gm2l1_nd2nz, dst, src, 1, rows, cols, 0, cols, high, 1, 0);
#endif
}

template <class T>
void into_l0a(T* dst, T* src, const Task& task) {
  constexpr uint32_t kWide = 32 / sizeof(T);
#if ACLSIM_NPU_ARCH == 3510
  const uint32_t wide = up(task.m, task.turned_a ? kWide : 16) / 16;
  if (task.turned_a) {
    const uint32_t down = up(task.k, sizeof(T) == 1 ? 32 : 16) / 16;
    CALL(task.sync, asc_copy_l12l0a_transpose, dst, src, 0, 0, down, up(task.m, kWide) / kWide,
         down, wide);
  } else {
    CALL(task.sync, asc_copy_l12l0a, dst, src, 0, 0, wide, up(task.k, kWide) / kWide, wide, wide);
  }
#else
  const uint32_t across = up(task.k, kWide) / kWide, down = up(task.m, 16) / 16;
  if (task.turned_a) {  // squares of kWide rows and columns
    for (uint32_t j = 0; j < up(task.m, kWide) / kWide; ++j) {
      const uint32_t at = j * across * kWide * kWide;
      CALL(task.sync, asc_copy_l12l0a_trans, dst + at, src + at, 0, across, 1, 0, false,
           across - 1);
    }
    return;
  }
  for (uint32_t i = 0; i < down; ++i) {
    CALL(task.sync, asc_copy_l12l0a, dst + i * across * 16 * kWide, src, i, across, down, 0);
  }
#endif
}

template <class T>
void into_l0b(T* dst, T* src, const Task& task) {
  constexpr uint32_t kWide = 32 / sizeof(T);
  if (task.turn_b == kNot) {
    const uint32_t down = up(task.n, 16) / 16, across = up(task.k, kWide) / kWide;
#if ACLSIM_NPU_ARCH == 3510
    CALL(task.sync, asc_copy_l12l0b, dst, src, 0, 0, down, across, down, down);
#else
    CALL(task.sync, asc_copy_l12l0b, dst, src, 0, down * across, 1, 0);
#endif
    return;
  }
  constexpr uint32_t kSquare = kWide > 16 ? kWide : 16;
  const uint32_t down = up(task.k, kSquare) / kSquare, across = up(task.n, kSquare) / kSquare;
#if ACLSIM_NPU_ARCH == 3510
  if (task.turn_b == kWhole) {
    CALL(task.sync, asc_copy_l12l0b_transpose, dst, src, 0, 0, down * kSquare / 16,
         up(task.n, kSquare) / kWide, down * kSquare / 16, up(task.n, kSquare) / 16);
    return;
  }
#endif
  constexpr uint32_t kFractals = kSquare / 16;
  for (uint32_t i = 0; i < down; ++i) {
    T* const to = dst + i * across * kSquare * kSquare;
#if ACLSIM_NPU_ARCH == 3510
    CALL(task.sync, asc_copy_l12l0b_trans, to, src, i * kFractals, across, down * kFractals,
         kFractals - 1, 0, 0);
#else
    CALL(task.sync, asc_copy_l12l0b_trans, to, src, i, across, down, kFractals - 1, false, 0);
#endif
  }
}

template <class T, class Sum>
void multiply(GM_ADDR a, GM_ADDR b, GM_ADDR c, Task task) {
  asc_init();
  T *const a1 = local<T>(TPosition::A1, 0), *const b1 = local<T>(TPosition::A1, 65536);
  T *const a2 = local<T>(TPosition::A2, 0), *const b2 = local<T>(TPosition::B2, 0);
  Sum* const sums = local<Sum>(TPosition::CO1, 0);
  const bool sync = task.sync;
  to_fractals(a1, reinterpret_cast<T*>(a), task.turned_a ? task.k : task.m,
              task.turned_a ? task.m : task.k, task.turned_a, sync);
  to_fractals(b1, reinterpret_cast<T*>(b), task.turn_b != kNot ? task.k : task.n,
              task.turn_b != kNot ? task.n : task.k, task.turn_b != kNot, sync);
  if (!sync) order(PIPE_MTE2, PIPE_MTE1);
  into_l0a(a2, a1, task);
  into_l0b(b2, b1, task);
  if (!sync) order(PIPE_MTE1, PIPE_M);
  const uint32_t cols = up(task.n, task.turn_b != kNot && sizeof(T) == 1 ? 32 : 1);
  CALL(sync, asc_mmad, sums, a2, b2, task.m, task.k, cols, 0, ACLSIM_NPU_ARCH == 3510, false, true);
#if ACLSIM_NPU_ARCH != 3510
  CALL(sync, asc_mmad, sums, a2, b2, task.m, task.k, cols, 0, 0, 0, false, false, false, true);
#endif
  if (!sync) order(PIPE_M, PIPE_FIX);
  set_matrices(1, 0, 0);
  store(reinterpret_cast<Sum*>(c) + kFirst, sums, task.m, task.n, task.n + 8, sync);
  if (!sync) asc_sync();
}

template <class T, class Sum>
void check(const Task& task, std::mt19937& random) {
  const Matrix a = random_matrix(task.m, task.k, random), b = random_matrix(task.k, task.n, random);
  const auto wanted = framed<Sum>(stored<Sum>(product(a, b)), task.m, task.n, task.n + 8);
  const Device device;
  INFO(task.m << " x " << task.n << " x " << task.k << ", A " << task.turned_a << ", B "
              << task.turn_b << ", sync " << task.sync);
  CHECK((results<&multiply<T, Sum>, Sum>(device, stored<T>(task.turned_a ? transposed(a) : a),
                                         stored<T>(task.turn_b != kNot ? b : transposed(b)),
                                         wanted.size(), task) == wanted));
}

TEST_CASE("c cube: asc_mmad multiplies random shapes as a plain loop does", "[c][cube]") {
  std::mt19937 random(31);
  for (uint32_t i = 0; i < 12; ++i) {
    const auto below = [&](uint32_t most) { return static_cast<uint32_t>(random() % most); };
    Task task{2 + below(50), 1 + below(60), 1 + below(70), i % 2 == 1, static_cast<Turn>(i % 3),
              i % 4 >= 2};
    check<half, float>(task, random);
    check<bfloat16_t, float>(task, random);
    if ((task.m - 1) / 16 % 2 == 0) task.m += 16;  // whole squares of bytes
    check<int8_t, int32_t>(task, random);
    task.turned_a = false;
    task.turn_b = kNot;
    check<float, float>(task, random);
#if ACLSIM_NPU_ARCH == 3510
    asc_enable_fp8();
    check<fp8_e4m3fn_t, float>(task, random);
    check<fp8_e5m2_t, float>(task, random);
    check<hifloat8_t, float>(task, random);
#endif
  }
}

// ---- the bias table, and sums that go on

enum Bias { kSize, kSizeSync, kBlocks, kConverted };

template <class T, class Sum, class Given>
void biased(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR bias, int form) {
  Product<T, Sum> p(a, b, c, kSide);
  Given* const bias1 = local<Given>(TPosition::A1, 16384);
  copy_in(bias1, bias, kSide * sizeof(Given));
  p.copy();
  p.load();
  if (form == kSize) asc_copy_l12bt(0, bias1, kSide * sizeof(Given));
  if (form == kSizeSync) asc_copy_l12bt_sync(0, bias1, kSide * sizeof(Given));
  if (form == kBlocks) asc_copy_l12bt(0, bias1, 0, 2, kSide * sizeof(Given) / 64, 0, 0);
  // The address of an array, as a kernel divides it.
  const auto number = reinterpret_cast<uint64_t>(local<float>(TPosition::C2, 0)) / 16;
  if (form == kConverted) asc_copy_l12bt(number, bias1, 1, 1, kSide * sizeof(Given) / 32, 0, 0);
  p.multiply(true, false);
  asc_sync_pipe(PIPE_M);
  asc_mmad(p.sums, p.a2, p.b2, kSide, kSide, kSide, 0, ACLSIM_NPU_ARCH == 3510, false, false);
  order(PIPE_M, PIPE_FIX);
  p.store_rows();
}

template <class T, class Sum, class Given>
void check_bias(const std::vector<int>& forms) {
  std::mt19937 random(37);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  const Matrix bias = random_matrix(1, kSide, random);
  Matrix wanted = product(a, b);
  for (uint32_t i = 0; i < kSide * kSide; ++i) {
    wanted.values[i] = 2 * wanted.values[i] + bias.values[i % kSide];
  }
  const Device device;
  const auto memory = device.memory(stored<Given>(bias));
  for (const int form : forms) {
    CAPTURE(form);
    CHECK((results<&biased<T, Sum, Given>, Sum>(
               device, for_l0a<T>(a), for_l0b<T>(b), framed<Sum>(wanted).size(),
               reinterpret_cast<GM_ADDR>(memory.data()), form) == framed<Sum>(wanted)));
  }
}

TEST_CASE("c cube: asc_copy_l12bt gives asc_mmad the sums to start from", "[c][cube]") {
  check_bias<half, float, float>({kSize, kSizeSync, kBlocks});
  check_bias<int8_t, int32_t, int32_t>({kSize, kSizeSync, kBlocks});
#if ACLSIM_NPU_ARCH == 3510
  check_bias<half, float, half>({kConverted});
  check_bias<bfloat16_t, float, bfloat16_t>({kConverted});
#endif
}

// ---- settings

void hf32(GM_ADDR a, GM_ADDR b, GM_ADDR c, bool on, bool to_zero) {
  Product<float, float> p(a, b, c, kSide);
  p.copy();
  p.load();
  if (on) {
    asc_enable_hf32();
  } else {
    asc_set_fp32_mode();
  }
  asc_enable_hf32_trans(to_zero ? 1 : 0);
  asc_set_mmad_direction_m();
  asc_set_mmad_direction_n();
  p.multiply();
  p.store_rows();
  asc_set_fp32_mode();
}

TEST_CASE("c cube: asc_enable_hf32 rounds floats, and asc_enable_hf32_trans decides ties",
          "[c][cube]") {
  Matrix a(kSide, kSide), b(kSide, kSide);
  for (uint32_t i = 0; i < kSide; ++i) a.at(i, 0) = b.at(0, i) = 1;
  auto a_stored = for_l0a<float>(a);
  const Device device;
  const float step = std::ldexp(1.0F, ACLSIM_NPU_ARCH == 3510 ? -10 : -11);
  for (float& value : a_stored) value *= 1 + 1.5F * step;
  const auto first = [&](bool on, bool to_zero) {
    return results<&hf32, float>(device, a_stored, for_l0b<float>(b), framed<float>(b).size(), on,
                                 to_zero)[kFirst];
  };
  CHECK(first(false, false) == 1 + 1.5F * step);
  CHECK(first(true, false) == 1 + 2 * step);
  CHECK(first(true, true) == 1 + step);
}

#if ACLSIM_NPU_ARCH != 3510
// ---- numbers of 4 bits, and a sparse matrix

void nibbles(GM_ADDR a, GM_ADDR b, GM_ADDR c, int form) {
  Product<int4b_t, int32_t> p(a, b, c, 64);
  p.copy();
  p.load();
  order(PIPE_MTE1, PIPE_M);
  if (form == 0) asc_mmad_s4(p.sums, p.a2, p.b2, kSide, 64, kSide, 0, false, false, true);
  if (form == 1) asc_mmad_s4_sync(p.sums, p.a2, p.b2, kSide, 64, kSide, 0, false, false, true);
  if (form == 2) {
    asc_mmad_s4(p.sums, p.a2, p.b2, kSide, 64, kSide, 0, 0, 0, false, false, false, true);
  }
  if (form == 3) {
    asc_mmad_s4_sync(p.sums, p.a2, p.b2, kSide, 64, kSide, 0, 0, 0, false, false, false, true);
  }
  order(PIPE_M, PIPE_FIX);
  p.store_rows();
}

/// Rows of 64 numbers of 4 bits, in fractals of 16 rows.
std::vector<uint8_t> packed(const Matrix& from) {
  std::vector<uint8_t> made(from.values.size() / 2);
  for (std::size_t i = 0; i < from.values.size(); ++i) {
    made[i / 2] |= static_cast<uint8_t>((from.values[i] & 0xF) << (i % 2 * 4));
  }
  return made;
}

TEST_CASE("c cube: asc_mmad_s4 multiplies numbers of 4 bits", "[c][cube]") {
  std::mt19937 random(41);
  const Matrix a = random_matrix(kSide, 64, random), b = random_matrix(64, kSide, random);
  const auto wanted = framed<int32_t>(product(a, b));
  const Device device;
  for (const int form : {0, 1, 2, 3}) {
    CAPTURE(form);
    CHECK((results<&nibbles, int32_t>(device, packed(a), packed(transposed(b)), wanted.size(),
                                      form) == wanted));
  }
}

void sparse(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR index, bool sync) {
  Product<int8_t, int32_t> p(a, b, c, 2 * kSide);  // B has half of the depth
  int8_t* const index1 = local<int8_t>(TPosition::A1, 16384);
  copy_in(index1, index, kSide * kSide / 4);
  copy_in(p.a1, p.a_gm, 2 * kSide * kSide);
  copy_in(p.b1, p.b_gm, kSide * kSide);
  order(PIPE_MTE2, PIPE_MTE1);
  load_a(p.a2, p.a1, 2 * kSide * kSide);
  CALL(sync, asc_copy_l12l0b_sparse, p.b2, p.b1, index1, 0, 2);
  order(PIPE_MTE1, PIPE_M);
  CALL(sync, asc_mmad_sparse, p.sums, p.a2, p.b2, kSide, 2 * kSide, kSide, 0, false, true);
  order(PIPE_M, PIPE_FIX);
  p.store_rows();
}

TEST_CASE("c cube: asc_mmad_sparse multiplies with a matrix of which it has 2 of 4 numbers",
          "[c][cube]") {
  std::mt19937 random(43);
  const Matrix a = random_matrix(kSide, 2 * kSide, random);
  Matrix b(2 * kSide, kSide), kept(kSide, kSide);
  std::vector<uint8_t> index(kSide * kSide / 4);
  // Fractals of 16 columns with 32 numbers of each, and 2 bits for each number.
  for (uint32_t col = 0; col < kSide; ++col) {
    for (uint32_t four = 0; four < kSide / 2; ++four) {
      const auto first = static_cast<uint32_t>(random() % 3);
      const auto second = first + 1 + static_cast<uint32_t>(random() % (3 - first));
      const uint32_t places[] = {first, second}, bits[] = {first, second - 1};
      for (const uint32_t i : {0U, 1U}) {
        const uint32_t number = four * 2 + i;
        kept.at(number, col) = b.at(four * 4 + places[i], col) = static_cast<int>(random() % 9) - 4;
        index[col / 16 * 128 + col % 16 * 8 + number / 4] |=
            static_cast<uint8_t>(bits[i] << (number % 4 * 2));
      }
    }
  }
  const Device device;
  const auto memory = device.memory(index);
  const auto wanted = framed<int32_t>(product(a, b));
  for (const bool sync : {false, true}) {
    CHECK(
        (results<&sparse, int32_t>(device, for_l0a<int8_t>(a), for_l0b<int8_t>(kept), wanted.size(),
                                   reinterpret_cast<GM_ADDR>(memory.data()), sync) == wanted));
  }
}
#endif

}  // namespace
}  // namespace c_cube_test::multiplied
