// SPDX-License-Identifier: Apache-2.0
// Copies out of L0C in the C interface: each layout and each destination, against a plain loop.
#include <cmath>
#include <cstring>
#include <string>

#include "tests/ascendc_c_api/cube.h"

namespace c_cube_test::out {
namespace {

uint64_t parameter_of(float factor, bool is_signed = false) {
  uint64_t bits = 0;
  std::memcpy(&bits, &factor, sizeof factor);
  return bits | (is_signed ? uint64_t{1} << 46 : 0);
}

// ---- quantisation

enum Form { kOne, kEach, kEachSize, kEachSizeSync, kOneFractals };

template <class Out>
constexpr uint64_t kQuant = std::is_same_v<Out, half> ? QuantMode_t::DEQF16 : QuantMode_t::REQ8;
template <class Out>
constexpr uint64_t kQuantEach =
    std::is_same_v<Out, half> ? QuantMode_t::VDEQF16 : QuantMode_t::VREQ8;

template <class Out>
void quantised(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR factors, int form, bool relu, bool sync) {
  Product<int8_t, int32_t> p(a, b, c, kSide);
  Out* const to = reinterpret_cast<Out*>(c) + kFirst;
  constexpr uint32_t kBytes = kSide * sizeof(uint64_t);
  uint64_t* const in_l1 = local<uint64_t>(TPosition::A1, 16384);
  uint64_t* const in_buffer = local<uint64_t>(TPosition::C2PIPE2GM, 0);
  copy_in(in_l1, factors, kBytes);
  p.copy();
  p.load();
  p.multiply();
  order(PIPE_MTE2, PIPE_FIX);
  if (form == kEach) {
    constexpr uint16_t kUnit = ACLSIM_NPU_ARCH == 3510 ? 64 : 32;
    asc_copy_l12fb(static_cast<void*>(in_buffer), static_cast<void*>(in_l1), 2, kBytes / 2 / kUnit,
                   0, 0);
  }
  if (form == kEachSize) asc_copy_l12fb(in_buffer, in_l1, kBytes);
  if (form == kEachSizeSync) asc_copy_l12fb_sync(in_buffer, in_l1, kBytes);
  asc_sync_pipe(PIPE_FIX);
  asc_set_l0c_copy_prequant(parameter_of(0.5F, true));
  // The address as a kernel divides it, or the offset.
  const uint64_t number = form == kEach ? reinterpret_cast<uint64_t>(in_buffer) / 128 : uint64_t{0};
  asc_set_l0c2gm_config(0, number, form == kEach);
#if ACLSIM_NPU_ARCH != 3510
  if (asc_get_l0c2gm_prequant() != number || asc_get_l0c2gm_relu() != 0 ||
      asc_get_l0c2gm_unitflag() != (form == kEach ? 1 : 0)) {
    return;
  }
#endif
  set_matrices(1, 0, 0);
  const bool each = form != kOne && form != kOneFractals;
  const bool rows = form != kOneFractals;
  store(to, p.sums, kSide, kSide, rows ? kPitch : kSide * 32 / sizeof(Out), sync,
        each ? kQuantEach<Out> : kQuant<Out>, rows, relu ? 1 : 0);
  asc_sync();
}

template <class Out>
void check_quantised() {
  std::mt19937 random(71);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random, 2);
  const Matrix c = product(a, b);
  std::vector<uint64_t> factors;
  for (uint32_t col = 0; col < kSide; ++col) {
    factors.push_back(parameter_of(col % 2 == 0 ? 1.0F : 0.5F, true));
  }
  const Device device;
  const auto memory = device.memory(factors);
  for (const int form : {kOne, kEach, kEachSize, kEachSizeSync, kOneFractals}) {
    for (const bool relu : {false, true}) {
      CAPTURE(form, relu);
      const bool each = form != kOne && form != kOneFractals;
      const std::size_t count = framed<float>(c).size() + 64;
      const auto made =
          results<&quantised<Out>, Out>(device, for_l0a<int8_t>(a), for_l0b<int8_t>(b), count,
                                        reinterpret_cast<GM_ADDR>(memory.data()), form, relu, relu);
      std::vector<Out> wanted(count, static_cast<Out>(kSentinel));
      for (uint32_t i = 0; i < kSide * kSide; ++i) {
        const uint32_t row = i / kSide, col = i % kSide;
        const float sum = static_cast<float>(relu && c.values[i] < 0 ? 0 : c.values[i]);
        const float scaled = sum * (each && col % 2 == 0 ? 1.0F : 0.5F);
        const std::size_t at = form == kOneFractals
                                   ? cube_test::nz(row, col, kSide, 32 / sizeof(Out))
                                   : row * kPitch + col;
        // Halves of whole numbers are exact as half; bytes round to nearest, and ties to even.
        wanted[kFirst + at] = std::is_same_v<Out, half> ? static_cast<Out>(scaled)
                                                        : static_cast<Out>(std::nearbyint(scaled));
      }
      for (std::size_t i = 0; i < count; ++i) {
        if (static_cast<float>(made[i]) != static_cast<float>(wanted[i])) {
          FAIL("element " << i << ": " << static_cast<float>(made[i]) << ", expected "
                          << static_cast<float>(wanted[i]));
        }
      }
    }
  }
}

TEST_CASE("c cube: asc_copy_l0c2gm scales by one factor and by one of each column", "[c][cube]") {
  check_quantised<half>();
  check_quantised<int8_t>();
}

// ---- layouts

enum Layout { kFractals, kSplit, kTwo, kColumns, kUnitFlag, kVoid };

void layouts(GM_ADDR a, GM_ADDR b, GM_ADDR c, int layout) {
  Product<half, float> p(a, b, c, kSide);
  p.copy();
  p.load();
  if (layout == kUnitFlag) {
    order(PIPE_MTE1, PIPE_M);
    asc_mmad(p.sums, p.a2, p.b2, kSide, kSide, kSide, 3, ACLSIM_NPU_ARCH == 3510, false, true);
    set_matrices(1, 0, 0);
    store(p.c_gm, p.sums, kSide, kSide, kPitch, false, QuantMode_t::NoQuant, true, 0, false, 3);
    return asc_sync();
  }
  p.multiply();
  const auto plain = QuantMode_t::NoQuant;
  if (layout == kFractals) {
    store(p.c_gm, p.sums, kSide, kSide, kSide * 16 + 64, false, plain, false);
  } else if (layout == kSplit) {
    store(p.c_gm, p.sums, kSide, kSide, kSide * 8, true, plain, false, 0, true);
  } else if (layout == kTwo) {  // the two columns of fractals are matrices of their own
    set_matrices(2, ACLSIM_NPU_ARCH == 3510 ? kSide : kSide / 16, kSide * 24);
    store(p.c_gm, p.sums, kSide, 16, 24, false, plain, true);
  } else if (layout == kVoid) {
#if ACLSIM_NPU_ARCH == 3510
    set_matrices(1, 0, 0);
    store(static_cast<void*>(p.c_gm), p.sums, kSide, kSide, kPitch);
#endif
  } else {
#if ACLSIM_NPU_ARCH == 3510
    set_matrices(1, 0, 0);
    asc_set_l0c2gm_channel_para(1ULL << 48);
    asc_copy_l0c2gm(p.c_gm, p.sums, kSide, kSide, kPitch, kSide, 0, 0, 0, plain, 0, false, false,
                    QuantMode_post::NoConv, 0, false, 0, false, false, false, true);
#endif
  }
  asc_sync();
}

std::size_t place(int layout, uint32_t row, uint32_t col) {
  switch (layout) {
    case kFractals:
      return col / 16 * (kSide * 16 + 64) + row * 16 + col % 16;
    case kSplit:
      return col / 8 * kSide * 8 + row * 8 + col % 8;
    case kTwo:
      return col / 16 * kSide * 24 + row * 24 + col % 16;
    case kColumns:
      return col * kPitch + row;
    default:
      return row * kPitch + col;
  }
}

TEST_CASE("c cube: asc_copy_l0c2gm stores rows, columns, fractals and several matrices",
          "[c][cube]") {
  std::mt19937 random(73);
  const Matrix a = random_matrix(kSide, kSide, random), b = random_matrix(kSide, kSide, random);
  const Matrix c = product(a, b);
  const Device device;
  for (const int layout : {kFractals, kSplit, kTwo, kColumns, kUnitFlag, kVoid}) {
    if ((layout == kColumns || layout == kVoid) && ACLSIM_NPU_ARCH != 3510) continue;
    CAPTURE(layout);
    std::vector<float> wanted(2048, static_cast<float>(kSentinel));
    for (uint32_t i = 0; i < kSide * kSide; ++i) {
      wanted[kFirst + place(layout, i / kSide, i % kSide)] = static_cast<float>(c.values[i]);
    }
    CHECK((results<&layouts, float>(device, for_l0a<half>(a), for_l0b<half>(b), wanted.size(),
                                    layout) == wanted));
  }
}

// ---- results in L1

#if ACLSIM_NPU_ARCH == 3510
enum Into { kShort, kLong, kLongSync, kLongVoid, kIntos };
#else
enum Into { kShort, kLong, kLongSync, kIntos };
#endif

/// The results are halves in L1, and A of another product.
void twice(GM_ADDR a, GM_ADDR b, GM_ADDR c, int form) {
  Product<half, float> p(a, b, c, kSide);
  half* const back = local<half>(TPosition::A1, 32768);
  p.copy();
  p.load();
  p.multiply();
  const auto to_half = QuantMode_t::F322F16;
#if ACLSIM_NPU_ARCH == 3510
  const auto last = QuantMode_post::NoConv;
  if (form == kShort) {
    asc_copy_l0c2l1(back, p.sums, kSide, kSide, kSide * 16, kSide, 0, 0, to_half, 0, false, false,
                    last, 0, false, 0, 0, false);
  } else if (form == kLongVoid) {
    asc_copy_l0c2l1(static_cast<void*>(back), p.sums, kSide, kSide, kSide * 16, kSide, 0, 0, 0,
                    to_half, 0, false, false, last, 0, false, 0, false, false, false, false);
  } else {
    CALL(form == kLongSync, asc_copy_l0c2l1, back, p.sums, kSide, kSide, kSide * 16, kSide, 0, 0, 0,
         to_half, 0, false, false, last, 0, false, 0, false, false, false, false);
  }
#else
  if (form == kShort) {
    asc_copy_l0c2l1(static_cast<void*>(back), p.sums, kSide, kSide, kSide * 16, kSide, 0, to_half,
                    0, false, false);
  } else {
    CALL(form == kLongSync, asc_copy_l0c2l1, back, p.sums, kSide, kSide, kSide * 16, kSide, 0,
         to_half, 0, false, false);
  }
#endif
  order(PIPE_FIX, PIPE_MTE1);
  order(PIPE_M, PIPE_MTE1);
#if ACLSIM_NPU_ARCH == 3510
  load_a(p.a2, back, p.bytes());
#else
  for (uint32_t i = 0; i < 2; ++i) asc_copy_l12l0a(p.a2 + i * 512, back, i, 2, 2, 0);
#endif
  p.multiply();
  p.store_rows();
}

TEST_CASE("c cube: asc_copy_l0c2l1 leaves results in L1 for another product", "[c][cube]") {
  std::mt19937 random(79);
  const Matrix a = random_matrix(kSide, kSide, random, 2),
               b = random_matrix(kSide, kSide, random, 2);
  const auto wanted = framed<float>(product(product(a, b), b));
  const Device device;
  for (int form = 0; form < kIntos; ++form) {
    CAPTURE(form);
    CHECK((results<&twice, float>(device, for_l0a<half>(a), for_l0b<half>(b), wanted.size(),
                                  form) == wanted));
  }
}

// ---- what is not emulated

#if ACLSIM_NPU_ARCH == 3510
void asks(GM_ADDR a, GM_ADDR b, GM_ADDR c, int what) {
  Product<half, float> p(a, b, c, kSide);
  p.copy();
  p.load();
  p.multiply();
  set_matrices(1, 0, 0);
  // A line of its own for each, because a line reports a rule once.
#define ASKS(number, clip, relu, post, relu_post, clip_post, op, pad, broadcast)                   \
  if (what == (number)) {                                                                          \
    asc_copy_l0c2gm(p.c_gm, p.sums, kSide, kSide, kPitch, kSide, 0, clip, 0, QuantMode_t::NoQuant, \
                    relu, false, true, post, relu_post, clip_post, op, false, pad, broadcast,      \
                    false);                                                                        \
  }
  ASKS(0, 1, 0, 0, 0, false, 0, false, false)
  ASKS(1, 0, 2, 0, 0, false, 0, false, false)
  ASKS(2, 0, 0, QuantMode_post::QF162B8_POST, 0, false, 0, false, false)
  ASKS(3, 0, 0, 0, 1, false, 0, false, false)
  ASKS(4, 0, 0, 0, 0, true, 0, false, false)
  ASKS(5, 0, 0, 0, 0, false, 1, false, false)
  ASKS(6, 0, 0, 0, 0, false, 0, true, false)
  ASKS(7, 0, 0, 0, 0, false, 0, false, true)
#undef ASKS
  asc_sync();
}
#else
void asks(GM_ADDR a, GM_ADDR b, GM_ADDR c, int) {
  Product<half, float> p(a, b, c, kSide);
  p.copy();
  p.load();
  p.multiply();
  store(p.c_gm, p.sums, kSide, kSide, kPitch, false, QuantMode_t::NoQuant, true, 2);
}
#endif

TEST_CASE("c cube: what a copy out of L0C cannot do ends the kernel", "[c][cube]") {
  const std::vector<std::string> names =
      ACLSIM_NPU_ARCH == 3510
          ? std::vector<std::string>{"clip_relu_pre",  "relu_pre",   "quant_post", "relu_post",
                                     "clip_relu_post", "eltwise_op", "c0_pad_en",  "broadcast_en"}
          : std::vector<std::string>{"relu_pre"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    CAPTURE(names[i]);
    const Device device;
    const auto memory = device.memory(std::vector<float>(4096));
    const auto x = reinterpret_cast<GM_ADDR>(memory.data());
    Said said;
    REQUIRE(KernelOf<&asks>::enqueue("c_cube", ACLSIM_CORES_CUBE, 1, nullptr, x, x + 4096, x + 8192,
                                     static_cast<int>(i)) == 0);
    CHECK(device.synchronize() != 0);
    const std::string text = said.text();
    INFO(text);
    CHECK(contains(text, "not emulated; " + names[i] + ": "));
  }
}

}  // namespace
}  // namespace c_cube_test::out
