// SPDX-License-Identifier: Apache-2.0
// Conversions: every number of 16 bits and edges of the wider types, in every mode.
#include <random>
#include <vector>

#include "ascendc/impl/vector_rows.h"
#include "runtime/ascendc/vector/loops.h"
#include "runtime/ascendc/vector/rows.h"
#include "tests/ascendc/vector_reference.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"

namespace {

using namespace vectortest;
namespace unit = ascendc::vector;

/// All patterns of 8 and 16 bits; of the others powers of two with their neighbours, halves of
/// them, and random bits.
std::vector<std::uint64_t> samples(const Type& type) {
  std::vector<std::uint64_t> all;
  if (type.bits <= 16) {
    for (std::uint64_t bits = 0; bits < 1ULL << type.bits; ++bits) all.push_back(bits);
    return all;
  }
  const std::uint64_t keep = type.bits == 64 ? ~0ULL : 0xffffffffULL;
  for (unsigned bit = 0; bit < type.bits; ++bit) {
    for (int by = -3; by <= 3; ++by) {
      all.push_back(((1ULL << bit) + static_cast<std::uint64_t>(by)) & keep);
      all.push_back((3 * (1ULL << bit) / 2 + static_cast<std::uint64_t>(by)) & keep);
      all.push_back((0 - (1ULL << bit) + static_cast<std::uint64_t>(by)) & keep);
    }
  }
  for (unsigned half = 0; half < 1U << 16; half += 7) {  // ties of float to half
    if (type.element != ACLSIM_FLOAT) break;
    const double number = decode(half, type_of(ACLSIM_HALF)).real;
    if (std::isnan(number) || std::isinf(number)) continue;
    const double next = decode(half + 1, type_of(ACLSIM_HALF)).real;
    Value value;
    value.real = rounded((number + next) / 2, type);
    all.push_back(encode(value, type));
  }
  std::mt19937_64 random(support::first_seed());
  for (unsigned i = 0; i < 4000; ++i) all.push_back(random() & keep);
  for (unsigned i = 0; i < 4000 && type.real(); ++i) {
    Value value;
    value.real = rounded((static_cast<double>(random() % 2000001) - 1000000) / 8, type);
    all.push_back(encode(value, type));
  }
  return all;
}

Wide round_whole(double x, int mode, const Type& type) {
  return nearest(std::isnan(x) || std::isinf(x) ? x : to_integral(x, mode), type);
}

/// A wide integer to fewer digits: exact in two parts, for doubles have 53.
double to_real(Wide whole, const Type& type, int mode) {
  const auto sized = static_cast<long double>(whole);
  if (sized == 0) return 0;
  const int scale = std::ilogb(sized) - type.digits + 1;
  if (scale <= 0) return static_cast<double>(sized);
  const long double scaled = std::ldexp(sized, -scale);  // 64 bits are all there
  const long double down = std::floor(scaled);
  const long double rest = scaled - down;
  const bool odd = std::fmod(down, 2.0L) != 0;
  bool up = false;
  switch (mode) {
    case kFloor:
      break;
    case kCeil:
      up = rest > 0;
      break;
    case kTrunc:
      up = rest > 0 && whole < 0;
      break;
    case kRound:
      up = rest > 0.5L || (rest == 0.5L && whole > 0);
      break;
    default:
      up = rest > 0.5L || (rest == 0.5L && odd);
  }
  return rounded(static_cast<double>(std::ldexp(down + (up ? 1 : 0), scale)), type, mode);
}

std::uint64_t expected(std::uint64_t bits, const Type& from, const Type& to, int mode) {
  const Value value = decode(bits, from);
  Value result;
  if (from.real() && to.real()) {
    result.real = from.element == to.element
                      ? (std::isnan(value.real) || std::isinf(value.real)
                             ? value.real
                             : std::copysign(to_integral(value.real, mode), value.real))
                      : rounded(value.real, to, mode);
  } else if (from.real()) {
    result.whole = round_whole(value.real, mode, to);
  } else if (to.real()) {
    result.real = to_real(value.whole, to, mode);
  } else if (from.element == ACLSIM_INT16 && to.element == ACLSIM_UINT8) {
    result.whole = wrapped(value.whole, to);
  } else {
    result.whole = nearest(value.whole, to);
  }
  return encode(result, to);
}

void convert(const unit::Pair& pair, const Type& from, const Type& to, int mode) {
  const std::vector<std::uint64_t> all = samples(from);
  std::vector<std::uint8_t> source(all.size() * from.bytes());
  std::vector<std::uint8_t> result(all.size() * to.bytes());
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::memcpy(source.data() + i * from.bytes(), &all[i], from.bytes());
  }
  unit::Setting setting;
  setting.mode = mode;
  for (const auto find : {unit::find_loop, unit::plain::find}) {
    std::uint8_t* const at[] = {result.data(), source.data()};
    const unit::Loop loop = find(ACLSIM_OP_Cast, pair.dst, pair.src);
    REQUIRE(loop != nullptr);
    loop(at, all.size(), setting);
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::uint64_t got = 0;
      std::memcpy(&got, result.data() + i * to.bytes(), to.bytes());
      const std::uint64_t wanted = expected(all[i], from, to, mode);
      if (got == wanted || (is_nan(got, to) && is_nan(wanted, to))) continue;
      FAIL("mode " << mode << ": " << std::hex << all[i] << " gives " << got << ", expected "
                   << wanted);
    }
  }
}

TEST_CASE("conversions give the number that the mode names, with either set of instructions",
          "[vector][cast]") {
  for (const unit::Pair& pair : unit::all_pairs()) {
    const bool scaled = pair.dst == ACLSIM_HALF && pair.src == ACLSIM_INT32;
    const bool narrow = pair.dst == ACLSIM_INT4 || pair.src == ACLSIM_INT4 ||
                        unit::narrow::find_cast(pair.dst, pair.src) != nullptr;
    if (pair.opcode != ACLSIM_OP_Cast || scaled || narrow) continue;
    if (!support::in_share(static_cast<std::uint64_t>(&pair - unit::all_pairs().begin()), 4))
      continue;
    const Type& from = type_of(pair.src);
    const Type& to = type_of(pair.dst);
    INFO("from " << from.name << " to " << to.name);
    for (int mode = kNone; mode <= kOdd; ++mode) {
      if (((pair.old_modes | pair.new_modes) >> mode & 1U) != 0) convert(pair, from, to, mode);
    }
  }
}

TEST_CASE("int32_t becomes half by the scale, without an overflow on the way", "[vector][cast]") {
  const std::int32_t source[] = {0, 1, -3, 1 << 20, 2147483647, -2147483647 - 1};
  std::uint16_t result[6];
  unit::Setting setting;
  setting.deq = 0x1p-17F;
  std::uint8_t* const at[] = {reinterpret_cast<std::uint8_t*>(result),
                              reinterpret_cast<std::uint8_t*>(const_cast<std::int32_t*>(source))};
  unit::find_loop(ACLSIM_OP_Cast, ACLSIM_HALF, ACLSIM_INT32)(at, 6, setting);
  const double wanted[] = {0, 0x1p-17, -3 * 0x1p-17, 8, 16384, -16384};
  for (int i = 0; i < 6; ++i) {
    CHECK(decode(result[i], type_of(ACLSIM_HALF)).real == rounded(wanted[i], type_of(ACLSIM_HALF)));
  }
}

TEST_CASE("int4b_t stand two in a byte, and take the nearest of -8 to 7", "[vector][cast]") {
  const std::uint16_t halves[] = {0x4900, 0xc900, 0x3c00,
                                  0xbc00, 0x4700, 0xc800};  // 10 -10 1 -1 7 -8
  std::uint8_t bytes[3] = {};
  unit::Setting setting;
  setting.mode = kRint;
  std::uint8_t* const to[] = {bytes,
                              reinterpret_cast<std::uint8_t*>(const_cast<std::uint16_t*>(halves))};
  unit::find_loop(ACLSIM_OP_Cast, ACLSIM_INT4, ACLSIM_HALF)(to, 6, setting);
  CHECK(int(bytes[0]) == 0x87);
  CHECK(int(bytes[1]) == 0xf1);
  CHECK(int(bytes[2]) == 0x87);
  std::uint16_t back[6];
  std::uint8_t* const from[] = {reinterpret_cast<std::uint8_t*>(back), bytes};
  unit::find_loop(ACLSIM_OP_Cast, ACLSIM_HALF, ACLSIM_INT4)(from, 6, setting);
  CHECK(back[0] == 0x4700);
  CHECK(back[1] == 0xc800);
  CHECK(back[3] == 0xbc00);
}

TEST_CASE("with saturation half and bfloat16 have neither infinities nor NaN", "[vector]") {
  unit::Setting setting;
  setting.saturate = true;
  std::uint16_t result[4];
  const std::uint16_t a[] = {0x7bff, 0xfbff, 0x7e00, 0x3c00};
  std::uint8_t* const at[] = {reinterpret_cast<std::uint8_t*>(result),
                              reinterpret_cast<std::uint8_t*>(const_cast<std::uint16_t*>(a)),
                              reinterpret_cast<std::uint8_t*>(const_cast<std::uint16_t*>(a))};
  unit::find_loop(ACLSIM_OP_Add, ACLSIM_HALF, ACLSIM_HALF)(at, 4, setting);
  CHECK(result[0] == 0x7bff);
  CHECK(result[1] == 0xfbff);
  CHECK(result[2] == 0);
  CHECK(result[3] == 0x4000);
}

TEST_CASE("e to the power of x is within one unit in the last place", "[vector]") {
  std::vector<float> source;
  for (float x = -104; x < 89; x += 0.0037F) source.push_back(x);
  std::vector<float> result(source.size());
  std::uint8_t* const at[] = {reinterpret_cast<std::uint8_t*>(result.data()),
                              reinterpret_cast<std::uint8_t*>(source.data())};
  unit::find_loop(ACLSIM_OP_Exp, ACLSIM_FLOAT, ACLSIM_FLOAT)(at, source.size(), {});
  double worst = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const double exact = std::exp(static_cast<double>(source[i]));
    const double unit_there = std::ldexp(1.0, std::max(std::ilogb(exact), -126) - 23);
    if (std::isinf(result[i])) {
      CHECK(exact > 3.4028235e38);
      continue;
    }
    worst = std::max(worst, std::fabs(result[i] - exact) / unit_there);
  }
  CHECK(worst <= 1.0);
}

}  // namespace
