// SPDX-License-Identifier: Apache-2.0
// Copies into the memories of the cube unit in the C interface: each form, against the bytes or the
// product that it must leave.
#include <cstring>
#include <string>

#include "tests/ascendc_c_api/cube.h"

namespace c_cube_test::loads {
namespace {

#if ACLSIM_NPU_ARCH != 3510
// ---- bytes through L1

constexpr uint32_t kBlock = 32;  // bytes

void through_l1(GM_ADDR from, GM_ADDR, GM_ADDR to, int form) {
  asc_init();
  uint8_t* const l1 = local<uint8_t>(TPosition::A1, 0);
  const bool sync = form == 1;
  if (form < 2) {
    CALL(sync, asc_copy_gm2l1, l1, from, 6 * kBlock);
  } else {  // blocks of two units, with a gap of one unit in global memory, and of two in L1
    asc_copy_gm2l1(static_cast<void*>(l1), static_cast<void*>(from), uint16_t{3}, uint16_t{2},
                   uint16_t{1}, uint16_t{2});
  }
  order(PIPE_MTE2, PIPE_MTE3);
  const uint16_t gap = form < 2 ? 0 : 2;
  CALL(sync, asc_copy_l12gm, to + kBlock, l1, 3, 2, gap, 1);
  asc_sync();
}

TEST_CASE("c cube: asc_copy_gm2l1 and asc_copy_l12gm copy blocks with gaps", "[c][cube]") {
  std::vector<int8_t> given(9 * kBlock);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = static_cast<int8_t>(i * 7);
  const Device device;
  for (const int form : {0, 1, 2}) {
    CAPTURE(form);
    std::vector<int8_t> wanted(11 * kBlock, static_cast<int8_t>(kSentinel));
    for (uint32_t i = 0; i < 6 * kBlock; ++i) {
      const uint32_t block = i / (2 * kBlock), from = block * (form < 2 ? 2 : 3);
      wanted[(1 + block * 3) * kBlock + i % (2 * kBlock)] = given[from * kBlock + i % (2 * kBlock)];
    }
    CHECK((results<&through_l1, int8_t>(device, given, given, wanted.size(), form) == wanted));
  }
}

// ---- fractals from global memory

enum Way { kThroughL1, kInto };

template <class T, class Sum>
void fractals(GM_ADDR a, GM_ADDR b, GM_ADDR c, int way, bool sync) {
  Product<T, Sum> p(a, b, c, kSide);
  const uint32_t count = p.bytes() / 512;
  if (way == kThroughL1) {  // every other fractal, and then those between
    CALL(sync, asc_copy_gm2l1, p.a1, p.a_gm, 0, count / 2, 2, 1);
    CALL(sync, asc_copy_gm2l1, p.a1 + 512 / sizeof(T), p.a_gm, 1, count / 2, 2, 1);
    copy_in(p.b1, p.b_gm, p.bytes());
    order(PIPE_MTE2, PIPE_MTE1);
    p.load();
  } else {
    CALL(sync, asc_copy_gm2l0a, p.a2, p.a_gm, 0, count, 1, 0);
    CALL(sync, asc_copy_gm2l0b, p.b2, p.b_gm, 0, count, 1, 0);
    order(PIPE_MTE2, PIPE_M);
  }
  p.multiply();
  p.store_rows();
}

template <class T, class Sum>
void check_fractals() {
  std::mt19937 random(47);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  const auto wanted = framed<Sum>(product(a, b));
  const Device device;
  for (const int way : {kThroughL1, kInto}) {
    for (const bool sync : {false, true}) {
      CAPTURE(way, sync);
      CHECK((results<&fractals<T, Sum>, Sum>(device, for_l0a<T>(a), for_l0b<T>(b), wanted.size(),
                                             way, sync) == wanted));
    }
  }
}

TEST_CASE("c cube: fractals come from global memory into L1, L0A and L0B", "[c][cube]") {
  check_fractals<half, float>();
  check_fractals<float, float>();
  check_fractals<int8_t, int32_t>();
}
#else
// ---- columns of global memory

void columns(GM_ADDR a, GM_ADDR b, GM_ADDR c, bool sync) {
  Product<half, float> p(a, b, c, kSide);
  asc_set_gm2l1_nz_para(uint64_t{kSide} << 32 | 1ULL << 16 | 1);
  CALL(sync, asc_copy_gm2l1_dn2nz, p.a1, p.a_gm, kSide * sizeof(half), 0, kSide, kSide, 0, false);
  // Two matrices of 16 columns each, which are one column of fractals.
  asc_set_gm2l1_nz_para(uint64_t{kSide} << 48 | uint64_t{kSide} << 32 | 1ULL << 16 | 2);
  CALL(sync, asc_copy_gm2l1_dn2nz, p.b1, p.b_gm, kSide * sizeof(half), 0, kSide, 16,
       16 * kSide * sizeof(half), false);
  order(PIPE_MTE2, PIPE_MTE1);
  p.load();
  p.multiply();
  p.store_rows();
}

TEST_CASE("c cube: asc_copy_gm2l1_dn2nz makes fractals of columns", "[c][cube]") {
  std::mt19937 random(53);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  const auto wanted = framed<float>(product(a, b));
  const Device device;
  for (const bool sync : {false, true}) {
    CAPTURE(sync);
    CHECK((results<&columns, float>(device, stored<half>(transposed(a)), stored<half>(b),
                                    wanted.size(), sync) == wanted));
  }
}
#endif

// ---- feature maps

enum Map { kLeft, kRight, kIntoL0b };

/// A map of 2 x 16 positions and 16 channels, and windows of 1 x 3 with one position beside it.
void windows(GM_ADDR a, GM_ADDR b, GM_ADDR c, int form, bool sync) {
  constexpr uint32_t kDepth = 48;
  Product<half, float> p(a, b, c, form == kIntoL0b ? kSide : kDepth);
  copy_in(p.a1, p.a_gm, form == kIntoL0b ? kSide * kSide * 2 : kSide * 16 * 2);
  copy_in(p.b1, p.b_gm, form == kIntoL0b ? kSide * 16 * 2 : kSide * kDepth * 2);
  order(PIPE_MTE2, PIPE_MTE1);
  asc_l13d_fmatrix_config map;
  map.l1_height = 2;
  map.l1_width = 16;
  map.padding_left_size = map.padding_right_size = 1;
  asc_l13d_fmatrix_config other;
  other.l1_height = other.l1_width = 1;
  asc_set_l13d_fmatrix(form == kRight ? other : map);
  asc_set_l13d_fmatrix_b(form == kRight ? map : other);
  asc_load3d_v2_config repeat;
  asc_set_l13d_rpt(repeat);
#if ACLSIM_NPU_ARCH != 3510
  asc_set_l13d_size(0);
#endif
  const half two(2);
  uint16_t bits = 0;
  std::memcpy(&bits, &two, sizeof bits);
  if (form == kLeft && !sync) asc_set_l13d_padding(two);
  if (form == kLeft && sync) asc_set_l13d_padding(bits);
  if (form == kRight) asc_set_l13d_padding(uint64_t{bits});
  if (form == kIntoL0b) asc_set_l13d_padding(static_cast<int16_t>(bits));
  if (form == kIntoL0b) {
    load_a(p.a2, p.a1, kSide * kSide * 2);
    CALL(sync, asc_copy_l12l0b, p.b2, p.b1, kSide, kSide, 0, 0, 1, 1, 3, 1, 1, 1, false, false,
         false, false, 16);
  } else {
    CALL(sync, asc_copy_l12l0a, p.a2, p.a1, kDepth, kSide, 0, 0, 1, 1, 3, 1, 1, 1, false, false,
         false, form == kRight, 16);
    load_b(p.b2, p.b1, kSide * kDepth * 2);
  }
  p.multiply();
  p.store_rows();
}

/// The windows of a map that has a row for each position.
Matrix windows_of(const Matrix& map, uint32_t cols) {
  Matrix made(kSide, cols);
  for (uint32_t row = 0; row < kSide; ++row) {
    for (uint32_t col = 0; col < cols; ++col) {
      const int at = static_cast<int>(row % 16 + col / 16) - 1;
      made.at(row, col) =
          at < 0 || at >= 16 ? 2 : map.at(row / 16 * 16 + static_cast<uint32_t>(at), col % 16);
    }
  }
  return made;
}

TEST_CASE("c cube: windows of a feature map come into L0A and L0B", "[c][cube]") {
  std::mt19937 random(59);
  const Matrix map = random_matrix(kSide, 16, random), b = random_matrix(48, kSide, random);
  const Matrix a = random_matrix(kSide, kSide, random);
  const auto left = framed<float>(product(windows_of(map, 48), b));
  const auto right = framed<float>(product(a, windows_of(map, kSide)));
  const Device device;
  for (const bool sync : {false, true}) {
    CAPTURE(sync);
    for (const int form : {kLeft, kRight}) {
      CAPTURE(form);
      CHECK((results<&windows, float>(device, stored<half>(map), for_l0b<half>(b), left.size(),
                                      form, sync) == left));
    }
    CHECK((results<&windows, float>(device, for_l0a<half>(a), stored<half>(map), right.size(),
                                    static_cast<int>(kIntoL0b), sync) == right));
  }
}

// ---- one value

enum Fill { kL1, kL1Bits, kL0a, kL0b, kLowLevel };

template <class T>
uint32_t bits_of(T value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// A or B is 3 everywhere.
template <class T>
void fills(GM_ADDR a, GM_ADDR b, GM_ADDR c, int form, bool sync) {
  Product<T, float> p(a, b, c, kSide);
  p.copy();
  const T three(3);
  asc_fill_value_config config;
  config.repeat = kSide / 2;
  config.blk_num = kSide * sizeof(T) / 32;
  config.dst_gap = config.blk_num;
  T* const between = p.a1 + kSide;  // two calls, and each leaves the gaps of the other
  if (form == kL1) {
    if constexpr (sizeof(T) == 2) {
      CALL(sync, asc_fill_l1, p.a1, three, config);
      CALL(sync, asc_fill_l1, between, three, config);
    }
  } else if (form == kL1Bits) {
    CALL(sync, asc_fill_l1, p.a1, bits_of(three), config);
    CALL(sync, asc_fill_l1, between, bits_of(three), config);
  } else if (form == kLowLevel) {
    if constexpr (std::is_same_v<T, half>) {
      const uint64_t blocks = config.blk_num;
      const auto word = static_cast<int64_t>(blocks << 32 | blocks << 16 | config.repeat);
      create_cbuf_matrix(p.a1, word, bits_of(three));
      create_cbuf_matrix(between, word, bits_of(three));
    }
  }
  order(PIPE_MTE2, PIPE_MTE1);
  p.load();
#if ACLSIM_NPU_ARCH != 3510
  asc_sync_pipe(PIPE_MTE1);
  config.repeat = 1;
  config.blk_num = p.bytes() / 512;
  config.dst_gap = 0;
  if (form == kL0a) CALL(sync, asc_fill_l0a, p.a2, bits_of(three), config);
  if (form == kL0b) CALL(sync, asc_fill_l0b, p.b2, bits_of(three), config);
  if constexpr (sizeof(T) == 2) {
    if (form == kL0a) CALL(sync, asc_fill_l0a, p.a2, three, config);
    if (form == kL0b) CALL(sync, asc_fill_l0b, p.b2, three, config);
  }
#endif
  p.multiply();
  p.store_rows();
}

template <class T>
void check_fill(const std::vector<int>& forms) {
  std::mt19937 random(61);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  Matrix threes(kSide, kSide);
  for (int& value : threes.values) value = 3;
  const Device device;
  for (const int form : forms) {
    for (const bool sync : {false, true}) {
      CAPTURE(form, sync);
      const auto wanted = framed<float>(form == kL0b ? product(a, threes) : product(threes, b));
      CHECK((results<&fills<T>, float>(device, for_l0a<T>(a), for_l0b<T>(b), wanted.size(), form,
                                       sync) == wanted));
    }
  }
}

TEST_CASE("c cube: asc_fill_l1 fills blocks, and asc_fill_l0a and asc_fill_l0b fractals",
          "[c][cube]") {
  check_fill<half>({kL1, kL1Bits, kLowLevel});
  check_fill<bfloat16_t>({kL1, kL1Bits});
  check_fill<float>({kL1Bits});
#if ACLSIM_NPU_ARCH != 3510
  check_fill<half>({kL0a, kL0b});
  check_fill<bfloat16_t>({kL0a, kL0b});
  check_fill<float>({kL0a, kL0b});
#endif
}

// ---- how far pointers reach

enum Reach { kInside, kBehindL1, kBehindL0a, kBehindL0c, kWideValue, kPadded };

void reaches(GM_ADDR a, GM_ADDR b, GM_ADDR c, int form) {
  Product<half, float> p(a, b, c, kSide);
  const auto end = [](TPosition position) {
    return static_cast<uint32_t>(aclsimLocalSize(static_cast<uint32_t>(position)));
  };
  // The last bytes of each memory are as good as the first.
  half* const a1 = local<half>(TPosition::A1, end(TPosition::A1) - p.bytes());
  half* const a2 = local<half>(TPosition::A2, end(TPosition::A2) - p.bytes());
  float* const sums = local<float>(TPosition::CO1, end(TPosition::CO1) - kSide * kSide * 4);
  copy_in(form == kBehindL1 ? a1 + 16 : a1, p.a_gm, p.bytes());
  copy_in(p.b1, p.b_gm, p.bytes());
  asc_fill_value_config config;
  config.repeat = config.blk_num = 1;
  if (form == kWideValue) asc_fill_l1(p.b1, 0x10000U, config);
#if ACLSIM_NPU_ARCH == 3510
  if (form == kPadded) asc_copy_gm2l1(p.b1, p.b_gm, 1, 1, 1, 0, 0);
#else
  if (form == kPadded) {
    asc_mmad(sums, a2, p.b2, kSide, kSide, kSide, 0, 1, 0, false, false, false, true);
  }
#endif
  order(PIPE_MTE2, PIPE_MTE1);
  load_a(form == kBehindL0a ? a2 + 256 : a2, a1, p.bytes());
  load_b(p.b2, p.b1, p.bytes());
  order(PIPE_MTE1, PIPE_M);
  asc_mmad(form == kBehindL0c ? sums + 256 : sums, a2, p.b2, kSide, kSide, kSide, 0,
           ACLSIM_NPU_ARCH == 3510, false, true);
  order(PIPE_M, PIPE_FIX);
  set_matrices(1, 0, 0);
  store(p.c_gm, sums, kSide, kSide, kPitch);
  asc_sync();
}

TEST_CASE("c cube: an address reaches to the end of its memory, and no further", "[c][cube]") {
  std::mt19937 random(67);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  const auto wanted = framed<float>(product(a, b));
  const struct {
    int form;
    const char* rule;
    const char* part;
  } kRows[] = {
      {kBehindL1, "[local-exceeded]", "DataCopy: "},
      {kBehindL0a, "[local-exceeded]", "LoadData: "},
      {kBehindL0c, "[local-exceeded]", "Mmad: "},
      {kWideValue, "[argument]", "the value of a fill has more bits than an element"},
      {kPadded, "[argument]", "not emulated"},
  };
  {
    const Device device;
    CHECK((results<&reaches, float>(device, for_l0a<half>(a), for_l0b<half>(b), wanted.size(),
                                    static_cast<int>(kInside)) == wanted));
  }
  for (const auto& row : kRows) {
    CAPTURE(row.form);
    const Device device;
    const auto a_bytes = device.memory(for_l0a<half>(a)), b_bytes = device.memory(for_l0b<half>(b));
    const auto c_bytes = device.memory(wanted);
    Said said;
    REQUIRE(KernelOf<&reaches>::enqueue("c_cube", ACLSIM_CORES_CUBE, 1, nullptr,
                                        reinterpret_cast<GM_ADDR>(a_bytes.data()),
                                        reinterpret_cast<GM_ADDR>(b_bytes.data()),
                                        reinterpret_cast<GM_ADDR>(c_bytes.data()), row.form) == 0);
    CHECK(device.synchronize() != 0);
    const std::string text = said.text();
    INFO(text);
    CHECK(contains(text, row.rule));
    CHECK(contains(text, row.part));
    CHECK(contains(text, "tests/ascendc_c_api/cube"));
  }
}

}  // namespace
}  // namespace c_cube_test::loads
