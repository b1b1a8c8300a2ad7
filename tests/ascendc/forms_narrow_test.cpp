// SPDX-License-Identifier: Apache-2.0
// Tensors of numbers of 8 and 4 bits in kernels.
#include <cstring>

#include "tests/ascendc/forms_nibbles.h"
#include "tests/ascendc/narrow_reference.h"

namespace formsnarrow {
namespace {

using namespace forms;

constexpr std::uint32_t kMemory = 128;  // bytes

/// Bytes 32 to 91 of x. Byte 3 of the copy becomes byte 2 by way of a scalar.
template <class T, std::uint32_t per_byte>
__global__ __aicore__ void copied(GM_ADDR x, GM_ADDR y) {
  GlobalTensor<T> in, out;
  in.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x), kMemory * per_byte);
  out.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y), kMemory * per_byte);
  LocalTensor<T> tensor(TPosition::VECCALC, 0, 64 * per_byte);
  DataCopy(tensor, in[32 * per_byte], 64 * per_byte);
  SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
  tensor.SetValue(3 * per_byte, tensor.GetValue(2 * per_byte));
  SetFlag<HardEvent::S_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::S_MTE3>(EVENT_ID0);
  DataCopyPad(out, tensor, DataCopyExtParams(1, 60, 0, 0, 0));
  const bool sized = tensor.GetSize() == 64 * per_byte && tensor.GetLength() == 64 &&
                     tensor.template ReinterpretCast<std::uint8_t>().GetSize() == 64;
  if (!sized) trap();
}

template <class T, std::uint32_t per_byte>
void check_copied() {
  Device device;
  Bytes wanted(kMemory, 0xff), given(kMemory);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = static_cast<std::uint8_t>(i * 37 + 5);
  std::copy_n(given.begin() + 32, 60, wanted.begin());
  wanted[3] = wanted[2];
  const auto x = device.memory(given);
  const auto y = device.memory(Bytes(kMemory, 0xff));
  Said said;
  CHECK(launch("copied", (copied<T, per_byte>), 1, static_cast<GM_ADDR>(x.data()),
               static_cast<GM_ADDR>(y.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
  CHECK(y.host() == wanted);
}

/// Tensors of numbers of 4 bits from buffers of 64 bytes.
template <class T>
__global__ __aicore__ void cut(GM_ADDR x) {
  GlobalTensor<std::uint8_t> bytes;
  bytes.SetGlobalBuffer(x, kMemory);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 64);
  if (bytes.ReinterpretCast<T>().GetSize() != 2 * kMemory) trap();
  if (buffer.Get<T>().GetSize() != 128 || buffer.Get<T>(128).GetLength() != 64) trap();
  if (buffer.GetWithOffset<T>(64, 32).GetLength() != 32) trap();
  if (LocalTensor<T>(0).GetSize() != 2 * LocalTensor<std::uint8_t>(0).GetSize()) trap();
}

template <class T>
void check_cut() {
  Device device;
  const auto x = device.memory(Bytes(kMemory));
  Said said;
  CHECK(launch("cut", cut<T>, 1, static_cast<GM_ADDR>(x.data())) == 0);
  CHECK(device.synchronize() == 0);
  CHECK(said.text() == "");
}

template <class T>
__global__ __aicore__ void shown(GM_ADDR x) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(x), kMemory);
  DumpTensor(tensor, 7, 3);
  AscendC::printf("first %f\n", tensor.GetValue(0));
}

/// `values`: what the codes 0x08, 0x2e and 0xff are.
template <class T>
void check_shown(const char* name, const char* values, const char* first) {
  Device device;
  const auto x = device.memory(Bytes{0x08, 0x2e, 0xff});
  Said said(STDOUT_FILENO);
  CHECK(launch("shown", shown<T>, 1, static_cast<GM_ADDR>(x.data())) == 0);
  CHECK(device.synchronize() == 0);
  const std::string text = said.text();
  CAPTURE(text);
  CHECK(contains(
      text, std::string("data_type=") + name + ", position=GM, dump_size=3\n[" + values + "]\n"));
  CHECK(contains(text, std::string("first ") + first + "\n"));
}

}  // namespace

TEST_CASE("DumpTensor and printf show numbers of 8 bits", "[forms]") {
  check_shown<fp8_e4m3fn_t>("fp8_e4m3fn", "0.015625, 0.4375, nan", "0.015625");
  check_shown<fp8_e5m2_t>("fp8_e5m2", "0.00012207, 0.09375, nan", "0.000122");
  check_shown<fp8_e8m0_t>("fp8_e8m0", "1.50463e-36, 4.1359e-25, nan", "0.000000");
  check_shown<hifloat8_t>("hifloat8", "1, 14, -4.57764e-05", "1.000000");
}

TEST_CASE("tensors of 8 and 4 bits are copied, cut and reinterpreted by the size of their numbers",
          "[forms]") {
  check_copied<fp8_e4m3fn_t, 1>();
  check_copied<fp8_e5m2_t, 1>();
  check_copied<fp8_e8m0_t, 1>();
  check_copied<hifloat8_t, 1>();
  check_copied<fp4x2_e1m2_t, 2>();
  check_copied<fp4x2_e2m1_t, 2>();
  check_copied<int4x2_t, 2>();
}

TEST_CASE("buffers and casts of tensors have two numbers of 4 bits in a byte", "[forms]") {
  check_cut<int4b_t>();
  check_cut<fp4x2_e1m2_t>();
  check_cut<int4x2_t>();
}

TEST_CASE("the element types of kernels that are built keep their numbers", "[forms]") {
  CHECK(ACLSIM_OTHER_ELEMENT == 17);
  CHECK(ACLSIM_FP8_E4M3FN == 18);
  CHECK(ACLSIM_INT4X2 == 24);
  struct Other {};
  CHECK(aclsim_element::of<Other> == ACLSIM_OTHER_ELEMENT);
  CHECK(aclsim_element::of<const hifloat8_t> == ACLSIM_HIFLOAT8);
}

#if __NPU_ARCH__ == 3510

namespace {

using namespace narrowtest;

/// The place of an element: the bit number of its first bit.
template <class T, class Wide>
std::size_t bit_of(const Lanes& lanes, unsigned operand, unsigned repeat, unsigned lane) {
  if constexpr (aclsim_element::per_byte<T> == 2) {
    return nibble_of(lanes, operand, repeat, lane) * 4;
  } else {
    constexpr std::uint8_t kSized[] = {0, ACLSIM_UINT8, ACLSIM_UINT16, 0, ACLSIM_UINT32};
    return place_of(lanes, operand, 256 / sizeof(Wide), type_of(kSized[sizeof(T)]), repeat, lane) *
           8;
  }
}
template <class T>
constexpr unsigned kBits = sizeof(T) * 8 / aclsim_element::per_byte<T>;

std::uint64_t get(const Bytes& bytes, std::size_t bit, unsigned bits) {
  std::uint64_t value = 0;
  std::memcpy(&value, &bytes.at(bit / 8), (bits + 7) / 8);
  return value >> bit % 8 & ((1ULL << bits) - 1);
}
void put(Bytes& bytes, std::size_t bit, unsigned bits, std::uint64_t value) {
  if (bits == 4) return put_nibble(bytes, bit / 4, static_cast<int>(value));
  std::memcpy(&bytes.at(bit / 8), &value, bits / 8);
}

template <class D, class S>
void call(const Lanes& lanes, RoundMode mode) {
  using Wide = std::conditional_t<(sizeof(D) > sizeof(S)), D, S>;
  if constexpr (aclsim_element::per_byte<D> * aclsim_element::per_byte<S> == 2) {
    constexpr bool kTo = aclsim_element::per_byte<D> == 2;
    FORMS_CALL(Cast, (Cast<D, S, false>), Wide, lanes, nibble_params<kTo>(lanes), at<D>(0),
               at<S>(1), mode);
  } else {
    constexpr unsigned n = 256 / sizeof(Wide);
    constexpr std::uint8_t kSized[] = {0, ACLSIM_UINT8, ACLSIM_UINT16, 0, ACLSIM_UINT32};
    const BlockStride d = stride_of(lanes, 0, n, type_of(kSized[sizeof(D)])),
                      s = stride_of(lanes, 1, n, type_of(kSized[sizeof(S)]));
    FORMS_CALL(Cast, (Cast<D, S, false>), Wide, lanes,
               (UnaryRepeatParams{d.block, s.block, d.repeat, s.repeat}), at<D>(0), at<S>(1), mode);
  }
}

/// All forms in each mode of the pair; `value` gives the value of a result for the comparison.
template <class D, class S>
void check(std::uint32_t modes, const std::function<double(std::uint64_t)>& value,
           const std::function<double(std::uint64_t, int)>& wanted_value) {
  using Wide = std::conditional_t<(sizeof(D) > sizeof(S)), D, S>;
  constexpr bool kPairs = aclsim_element::per_byte<D> * aclsim_element::per_byte<S> == 2;
  const std::vector<Lanes> all = kPairs ? lanes_of_pairs() : all_lanes(256 / sizeof(Wide));
  REQUIRE(aclsim_vector::pair_modes(ACLSIM_OP_Cast, aclsim_element::of<D>, aclsim_element::of<S>) ==
          modes);
  const bool reals = sizeof(S) > 1;
  const Operands given = filled(
      {&type_of(ACLSIM_UINT8), &(reals ? type<S>() : type_of(ACLSIM_UINT8))}, Numbers::edges);
  for (int mode = 0; mode <= static_cast<int>(RoundMode::CAST_HYBRID); ++mode) {
    if ((modes >> mode & 1U) == 0) continue;
    const std::vector<Operands> left = run_steps(given, all.size(), [&](std::uint32_t step) {
      call<D, S>(all[step], static_cast<RoundMode>(mode));
    });
    for (std::size_t step = 0; step < all.size(); ++step) {
      INFO("mode " << mode << ", form " << static_cast<int>(all[step].form) << ", step " << step);
      Operands got = left[step];
      each_lane(all[step], 256 / sizeof(Wide), [&](unsigned repeat, unsigned lane) {
        const std::size_t from = bit_of<S, Wide>(all[step], 1, repeat, lane);
        const std::size_t to = bit_of<D, Wide>(all[step], 0, repeat, lane);
        REQUIRE(same(value(get(got[0], to, kBits<D>)),
                     wanted_value(get(given[1], from, kBits<S>), mode)));
      });
      each_lane(all[step], 256 / sizeof(Wide), [&](unsigned repeat, unsigned lane) {
        const std::size_t to = bit_of<D, Wide>(all[step], 0, repeat, lane);
        put(got[0], to, kBits<D>, get(given[0], to, kBits<D>));
      });
      REQUIRE((got == given));  // nothing else is written
    }
  }
}

double float_of(std::uint64_t bits) {
  return aclsim_half::bits_float(static_cast<std::uint32_t>(bits));
}
double half_of(std::uint64_t bits) {
  return half::aclsim_from_bits(static_cast<std::uint16_t>(bits));
}
double bfloat16_of(std::uint64_t bits) {
  return aclsim_half::bfloat16_value(static_cast<std::uint16_t>(bits));
}
double hifloat8_at(std::uint64_t code) { return hifloat8_of(static_cast<unsigned>(code)); }

/// A format with fields of fixed width, from and to a wider type.
template <class D, class S>
void check_fixed(const Small& small, std::uint32_t modes, double (*wide)(std::uint64_t)) {
  const auto value = [&](std::uint64_t code) {
    return value_of(small, static_cast<unsigned>(code));
  };
  check<D, S>(modes, value, [&](std::uint64_t bits, int mode) {
    return converted(small, static_cast<float>(wide(bits)), mode, false);
  });
  check<S, D>(ACLSIM_EXACT, wide, [&](std::uint64_t code, int) { return value(code); });
}

}  // namespace

TEST_CASE("Cast converts numbers of 8 and 4 bits in each form and mode", "[forms]") {
  check_fixed<fp8_e4m3fn_t, float>(kSmall[0], 1 << 1, float_of);
  check_fixed<fp8_e5m2_t, float>(kSmall[1], 1 << 1, float_of);
  check_fixed<fp4x2_e2m1_t, bfloat16_t>(kSmall[2], ACLSIM_LOSSY, bfloat16_of);
  check_fixed<fp4x2_e1m2_t, bfloat16_t>(kSmall[3], ACLSIM_LOSSY, bfloat16_of);
  const auto exact = [](std::uint64_t code, int) { return hifloat8_at(code); };
  check<float, hifloat8_t>(ACLSIM_EXACT, float_of, exact);
  check<half, hifloat8_t>(ACLSIM_EXACT, half_of, exact);
  check<hifloat8_t, float>(1 << 4 | 1 << 7, hifloat8_at, [](std::uint64_t bits, int mode) {
    return to_hifloat8(static_cast<float>(float_of(bits)), mode, false);
  });
  check<hifloat8_t, half>(1 << 4 | 1 << 7, hifloat8_at, [](std::uint64_t bits, int mode) {
    return half_to_hifloat8(static_cast<std::uint16_t>(bits), mode, false);
  });
}

TEST_CASE("with bit 50 of the control register NaN stays NaN in numbers of 8 bits that saturate",
          "[forms]") {
  Operands given = filled({}, Numbers::edges);
  const float sources[] = {NAN, INFINITY, -1e9F, 1.0F};
  std::memcpy(given[1].data(), sources, sizeof(sources));
  const std::vector<Operands> left = run_steps(given, 2, [](std::uint32_t step) {
    SetCtrlSpr<48, 48>(0);
    SetCtrlSpr<50, 50>(step);
    Cast(at<fp8_e4m3fn_t>(0), at<float>(1), RoundMode::CAST_RINT, 4);
    Cast(at<fp8_e5m2_t>(2), at<float>(1), RoundMode::CAST_RINT, 4);
    Cast(at<hifloat8_t>(3), at<float>(1), RoundMode::CAST_ROUND, 4);
    SetCtrlSpr<50, 50>(0);
  });
  for (unsigned step = 0; step < 2; ++step) {
    const std::uint8_t nan = step == 0 ? 0 : 0x7f;
    CHECK(Bytes(left[step][0].begin(), left[step][0].begin() + 4) == Bytes{nan, 0x7e, 0xfe, 0x38});
    CHECK(std::isnan(value_of(kSmall[1], left[step][2][0])) == (step == 1));
    CHECK(Bytes(left[step][2].begin() + 1, left[step][2].begin() + 4) == Bytes{0x7b, 0xfb, 0x3c});
    CHECK(Bytes(left[step][3].begin(), left[step][3].begin() + 4) == Bytes{0, 0x6e, 0xee, 0x08});
  }
}

namespace {

/// Fills and copies `count` numbers; bytes of operand 0 and 1.
template <class T>
void check_filled_and_copied(std::uint32_t count, bool masked) {
  const Operands given = filled({}, Numbers::edges);
  const T value = T::aclsim_from_bits(0xa7);
  const std::uint32_t bytes = count / aclsim_element::per_byte<T>;
  const std::vector<Operands> left = run_steps(given, 1, [&](std::uint32_t) {
    Duplicate(at<T>(0), value, static_cast<std::int32_t>(count));
    Duplicate(at<T>(3), at<T>(1), static_cast<std::int32_t>(count));
    if constexpr (aclsim_element::per_byte<T> == 1) {
      if (masked) return Copy(at<T>(2), at<T>(1), 128, 1, CopyRepeatParams{1, 1, 8, 8});
    }
    Copy(at<T>(2), at<T>(1), count);
  });
  Operands wanted = given;
  std::fill_n(wanted[0].begin(), bytes, std::uint8_t{0xa7});
  std::fill_n(wanted[3].begin(), bytes, given[1][0]);
  std::copy_n(given[1].begin(), masked ? 128 : bytes, wanted[2].begin());
  CHECK((left[0] == wanted));
}

}  // namespace

TEST_CASE("Duplicate and Copy take numbers of 8 and 4 bits", "[forms]") {
  check_filled_and_copied<fp8_e4m3fn_t>(300, true);
  check_filled_and_copied<fp8_e5m2_t>(77, false);
  check_filled_and_copied<fp8_e8m0_t>(256, true);
  check_filled_and_copied<hifloat8_t>(300, false);
  check_filled_and_copied<fp4x2_e1m2_t>(300, false);
  check_filled_and_copied<fp4x2_e2m1_t>(64, false);
}

TEST_CASE("Transpose exchanges channels and pixels of numbers of 8 bits", "[forms]") {
  constexpr std::uint16_t kChannels = 32, kPixels = 16;
  const Operands given = filled({}, Numbers::edges);
  const std::vector<Operands> left = run_steps(given, 1, [](std::uint32_t) {
    Transpose(at<hifloat8_t>(0), at<hifloat8_t>(1), at<std::uint8_t>(2),
              TransposeParamsExt(1, kChannels, 4, 4, TransposeType::TRANSPOSE_NCHW2NHWC));
  });
  Bytes wanted = given[0];
  for (std::size_t i = 0; i < kChannels * kPixels; ++i) {
    wanted[i % kPixels * kChannels + i / kPixels] = given[1][i];
  }
  CHECK((left[0][0] == wanted));
}

TEST_CASE("the scalar Cast makes a float of a number of 8 bits, or of the low 4 bits", "[forms]") {
  CHECK(Cast(hifloat8_t::aclsim_from_bits(0x2e)) == 14);
  CHECK(Cast(fp8_e4m3fn_t::aclsim_from_bits(0xfe)) == -448);
  CHECK(Cast(fp8_e5m2_t::aclsim_from_bits(0x3e)) == 1.5F);
  CHECK(Cast(fp4x2_e2m1_t::aclsim_from_bits(0x17)) == 6);
  CHECK(Cast(fp4x2_e1m2_t::aclsim_from_bits(0x1e)) == -1.5F);
}

#else

TEST_CASE("Cast has no numbers of 8 and 4 bits but integers on 2201", "[forms]") {
  for (unsigned narrow = ACLSIM_FP8_E4M3FN; narrow <= ACLSIM_INT4X2; ++narrow) {
    for (unsigned other = 0; other < 32; ++other) {
      const auto a = static_cast<std::uint8_t>(narrow), b = static_cast<std::uint8_t>(other);
      CHECK(aclsim_vector::pair_modes(ACLSIM_OP_Cast, a, b) == 0);
      CHECK(aclsim_vector::pair_modes(ACLSIM_OP_Cast, b, a) == 0);
    }
  }
}

#endif

}  // namespace formsnarrow
