// SPDX-License-Identifier: Apache-2.0
// The register functions of the C interface: each row with each of its types, against a plain loop.
// A row without a loop here does not compile.
#include <cmath>

#include "ascendc/c_api/asc_simd.h"
#include "tests/ascendc_registers/bench.h"
#include "tests/ascendc_registers/types.h"

namespace registers_test::c_tests {
namespace {

using vectortest::rounded;
using vectortest::wrapped;

double greater(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
double lesser(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nan("");
  if (a == b) return std::signbit(a) ? a : b;
  return a < b ? a : b;
}
Wide product(Wide a, Wide b, const Type& t) {
  using Bits = vectortest::UnsignedWide;
  return wrapped(static_cast<Wide>(static_cast<Bits>(a) * static_cast<Bits>(b)), t);
}
Wide quotient(Wide a, Wide b, const Type& t) { return b == 0 ? wrapped(-1, t) : wrapped(a / b, t); }
Wide shifted_left(Wide a, Wide by, const Type& t) {
  if (by < 0 || by >= static_cast<Wide>(t.bits)) return 0;
  const Wide sign = t.is_signed ? Wide{1} << (t.bits - 1) : 0;
  const Wide span = Wide{1} << t.bits;
  const Wide low = (a % span + span) % span;
  const Wide moved = (low << static_cast<int>(by)) % span;
  return wrapped(t.is_signed ? (low & sign) | (moved & (sign - 1)) : moved, t);
}
Wide shifted_right(Wide a, Wide by, const Type& t) {
  if (by < 0 || by >= static_cast<Wide>(t.bits)) return a < 0 ? -1 : 0;
  const Wide step = Wide{1} << static_cast<int>(by);
  return a >= 0 ? a / step : -((-a + step - 1) / step);
}
double whole(double x, int mode) { return std::isfinite(x) ? vectortest::to_integral(x, mode) : x; }

/// a, b: the sources; d: what the destination had.
#define LOOP(Name, REAL, WHOLE)                                                                    \
  struct Loop_##Name {                                                                             \
    static double real([[maybe_unused]] double a, [[maybe_unused]] double b,                       \
                       [[maybe_unused]] double d, [[maybe_unused]] const Type& t) {                \
      return rounded(REAL, t);                                                                     \
    }                                                                                              \
    static Wide integer([[maybe_unused]] Wide a, [[maybe_unused]] Wide b, [[maybe_unused]] Wide d, \
                        [[maybe_unused]] const Type& t) {                                          \
      return wrapped(WHOLE, t);                                                                    \
    }                                                                                              \
  };
#define BOTH(Name, EXPRESSION) LOOP(Name, EXPRESSION, EXPRESSION)
BOTH(add, a + b)
BOTH(sub, a - b)
LOOP(mul, a* b, product(a, b, t))
LOOP(div, a / b, quotient(a, b, t))
LOOP(max, greater(a, b), a > b ? a : b)
LOOP(min, lesser(a, b), a < b ? a : b)
LOOP(prelu, a > 0 ? a : a * b, 0)
LOOP(abs_sub, std::fabs(rounded(a - b, t)), 0)
LOOP(madd, d* a + b, 0)
LOOP(xor, 0, a ^ b)
LOOP(shiftleft, 0, shifted_left(a, b, t))
LOOP(shiftright, 0, shifted_right(a, b, t))
LOOP(shiftleft_scalar, 0, shifted_left(a, 3, t))
LOOP(shiftright_scalar, 0, shifted_right(a, 3, t))
LOOP(abs, std::fabs(a), a < 0 ? -a : a)
LOOP(neg, -a, -a)
LOOP(relu, a > 0 || std::isnan(a) ? a : 0, a > 0 ? a : 0)
LOOP(exp, std::exp(a), 0)
LOOP(sqrt, std::sqrt(a), 0)
LOOP(ln, std::log(a), 0)
LOOP(rint, whole(a, 1), 0)
LOOP(floor, whole(a, 2), 0)
LOOP(ceil, whole(a, 3), 0)
LOOP(round, whole(a, 4), 0)
LOOP(trunc, whole(a, 5), 0)
BOTH(add_scalar, a + b)
LOOP(mul_scalar, a* b, product(a, b, t))
LOOP(max_scalar, greater(a, b), a > b ? a : b)
LOOP(min_scalar, lesser(a, b), a < b ? a : b)
LOOP(leakyrelu, a > 0 ? a : a * b, 0)
LOOP(axpy, a* b + d, 0)
#undef BOTH
/// Bits: of real types too.
#define BITS(Name, EXPRESSION)                                                     \
  struct Loop_##Name {                                                             \
    static std::uint64_t bits(std::uint64_t a, [[maybe_unused]] std::uint64_t b) { \
      return EXPRESSION;                                                           \
    }                                                                              \
  };
BITS(and, a& b)
BITS(or, a | b)
BITS(not, ~a)
/// Comparisons.
#define TRUTH(Name, OPERATION)    \
  struct Loop_##Name {            \
    template <class N>            \
    static bool holds(N a, N b) { \
      return a OPERATION b;       \
    }                             \
  };                              \
  using Loop_##Name##_scalar = Loop_##Name;
TRUTH(eq, ==)
TRUTH(ne, !=)
TRUTH(lt, <)
TRUTH(le, <=)
TRUTH(gt, >)
TRUTH(ge, >=)

/// Registers of the call in the unified buffer: a, b, d, a result, a mask.
template <class T, class Call>
Bytes computed(const Bytes& given, const Lanes& lanes, const Call& call) {
  return run(
      given,
      [&](std::uint8_t* ub) {
        AscendC::Reg::RegTensor<T> a;
        AscendC::Reg::RegTensor<T> b;
        AscendC::Reg::RegTensor<T> d;
        T value;
        std::memcpy(&value, &given[kRegister], sizeof value);
        vector_bool result = asc_create_mask_b8(PAT_ALLF);
        asc_loadalign(a, reinterpret_cast<T*>(ub));
        asc_loadalign(b, reinterpret_cast<T*>(ub + kRegister));
        asc_loadalign(d, reinterpret_cast<T*>(ub + 2 * kRegister));
        call(d, result, a, b, value, lanes.mask);
        asc_storealign(reinterpret_cast<T*>(ub + 3 * kRegister), d, asc_create_mask_b8(PAT_ALL));
        asc_storealign(reinterpret_cast<std::uint32_t*>(ub + 4 * kRegister), result);
      },
      [] { SetCtrlSpr<48, 48>(1); });  // infinities and NaN stay what they are
}

enum class Shape { TWO, ONE, SCALAR, SHIFT, COUNT, BITS, BITS_ONE, WHOLE, COMPARE, COMPARE_SCALAR };

template <class T, class Loop, class Call>
void check(const char* name, Shape shape, std::uint64_t tolerance, const Call& call) {
  const Type& t = type<T>();
  const std::size_t count = kRegister / t.bytes();
  const bool scalar = shape == Shape::SCALAR || shape == Shape::COMPARE_SCALAR;
  Bytes second = numbers(t, kRegister, 12);
  for (std::size_t i = 0; shape == Shape::SHIFT && i < kRegister; ++i) {
    second[i] = i % t.bytes() == 0 ? static_cast<std::uint8_t>(i / t.bytes() % (t.bits + 2)) : 0;
  }
  const Bytes given =
      joined({numbers(t, kRegister, 11), second, numbers(t, kRegister, 13), Bytes(kRegister + 32)});
  for (const Lanes& lanes : some_lanes(count)) {
    CAPTURE(name, t.bits, t.real(), lanes.name);
    const Bytes all = computed<T>(given, lanes, call);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t from = i * t.bytes();
      const std::size_t other = kRegister + (scalar ? 0 : from);
      const Value a = value_at(given, from, t);
      const Value b = value_at(given, other, t);
      [[maybe_unused]] const Value d = value_at(given, 2 * kRegister + from, t);
      bool right = false;
      if constexpr (std::is_same_v<decltype(Loop{}), Loop_and> || std::is_same_v<Loop, Loop_or> ||
                    std::is_same_v<Loop, Loop_not>) {
        const std::uint64_t most = ~std::uint64_t{0} >> (64 - t.bits);
        const std::uint64_t wanted =
            Loop::bits(bits_at(given, from, t), bits_at(given, other, t)) & most;
        right = bits_at(all, 3 * kRegister + from, t) == (lanes.on[i] ? wanted : 0);
      } else if constexpr (std::is_same_v<Loop, Loop_eq> || std::is_same_v<Loop, Loop_ne> ||
                           std::is_same_v<Loop, Loop_lt> || std::is_same_v<Loop, Loop_le> ||
                           std::is_same_v<Loop, Loop_gt> || std::is_same_v<Loop, Loop_ge>) {
        const bool holds = t.real() ? Loop::holds(a.real, b.real) : Loop::holds(a.whole, b.whole);
        const std::uint8_t byte = all[4 * kRegister + from / 8];
        right = (byte >> from % 8 & 1) == (holds && lanes.on[i] ? 1 : 0);
      } else {
        Value expected;
        if (lanes.on[i] && t.real()) expected.real = Loop::real(a.real, b.real, d.real, t);
        if (lanes.on[i] && !t.real()) expected.whole = Loop::integer(a.whole, b.whole, d.whole, t);
        right = same(all, 3 * kRegister + from, t, expected, tolerance);
      }
      if (!right) {
        CAPTURE(i, a.real, b.real, static_cast<long long>(a.whole));
        FAIL_CHECK("the lane has another value");
        return;
      }
    }
  }
}

template <class T>
using Signed = AscendC::Reg::RegTensor<std::make_signed_t<T>>;

#define CALL_OF                                                            \
  [](auto& d, [[maybe_unused]] auto& r, auto& a, [[maybe_unused]] auto& b, \
     [[maybe_unused]] auto value, auto mask)
#define CALL_TWO(name) \
  CALL_OF { asc_##name(d, a, b, mask); }
#define CALL_BITS(name) CALL_TWO(name)
#define CALL_ONE(name) \
  CALL_OF { asc_##name(d, a, mask); }
#define CALL_BITS_ONE(name) CALL_ONE(name)
#define CALL_WHOLE(name) CALL_ONE(name)
#define CALL_SCALAR(name) \
  CALL_OF { asc_##name(d, a, value, mask); }
#define CALL_COUNT(name) \
  CALL_OF { asc_##name(d, a, 3, mask); }
#define CALL_SHIFT(name) \
  CALL_OF { asc_##name(d, a, Signed<decltype(value)>(b), mask); }
#define CALL_COMPARE(name)     \
  CALL_OF {                    \
    (void)d;                   \
    asc_##name(r, a, b, mask); \
  }
#define CALL_COMPARE_SCALAR(name)  \
  CALL_OF {                        \
    (void)d;                       \
    asc_##name(r, a, value, mask); \
  }

template <class Loop>
constexpr std::uint64_t tolerance_of() {
  if (std::is_same_v<Loop, Loop_exp>) return 2;
  return std::is_same_v<Loop, Loop_ln> || std::is_same_v<Loop, Loop_madd> ||
                 std::is_same_v<Loop, Loop_axpy> || std::is_same_v<Loop, Loop_abs_sub>
             ? 1
             : 0;
}

/// The types of each row, except for types that only bits have.
#define TYPE_E4M3 std::uint8_t
#define TYPE_E5M2 std::uint8_t
#define TYPE_E8M0 std::uint8_t
#define TYPE_HIF8 std::uint8_t
#define CHECK_TYPE(x) one(TYPE_##x{});
#define LANES(name, shape, types)                                                           \
  TEST_CASE("c registers: asc_" #name " computes every lane of every type", "[c][lanes]") { \
    const auto one = [](auto kind) {                                                        \
      check<decltype(kind), Loop_##name>(#name, Shape::shape, tolerance_of<Loop_##name>(),  \
                                         CALL_##shape(name));                               \
    };                                                                                      \
    ACLSIM_APPLY_IN(types, CHECK_TYPE, CHECK_TYPE)                                          \
  }
#define ROW_TWO(name, types) LANES(name, TWO, types)
#define ROW_ONE(name, types) LANES(name, ONE, types)
#define ROW_SCALAR(name, types) LANES(name, SCALAR, types)
#define ROW_SHIFT(name, types) LANES(name, SHIFT, types)
#define ROW_COUNT(name, types) LANES(name, COUNT, types)
#define ROW_BITS(name, types) LANES(name, BITS, types)
#define ROW_BITS_ONE(name, types) LANES(name, BITS_ONE, types)
#define ROW_WHOLE(name, types) LANES(name, WHOLE, types)
#define ROW_COMPARE(name, types) LANES(name, COMPARE, types)
#define ROW_COMPARE_SCALAR(name, types) LANES(name, COMPARE_SCALAR, types)
#define ROW_REDUCE(name, types)
#define ROW_PAIR(name, types)
#define CHECK_ROW(name, shape, what, types) ROW_##shape(name, types)
ACLSIM_C_REG_ROWS(CHECK_ROW)

// --- conversions ---

/// Every lane of the source, at the place that the layout gives it; other lanes are 0.
template <class To, class From, class Call>
void check_cast(const char* name, int mode, std::size_t layout, const Call& call) {
  const Type& to = type<To>();
  const Type& from = type<From>();
  Bytes given(2 * kRegister);
  std::vector<Value> sources(kRegister / from.bytes());
  const bool positive = !to.is_signed || !from.is_signed;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const int small = static_cast<int>(i * 37 % 200) - (positive ? 0 : 100);
    sources[i].real = small / 4.0;
    sources[i].whole = positive ? small / 2 : small;
    const std::uint64_t bits = vectortest::encode(sources[i], from);
    std::memcpy(&given[i * from.bytes()], &bits, from.bytes());
  }
  const Bytes all = run(given, [&](std::uint8_t* ub) {
    AscendC::Reg::RegTensor<To> result;
    AscendC::Reg::RegTensor<From> source;
    asc_loadalign(source, reinterpret_cast<From*>(ub));
    call(result, source, asc_create_mask_b8(PAT_ALL));
    asc_storealign(reinterpret_cast<std::uint8_t*>(ub + kRegister), vector_uint8_t(result),
                   asc_create_mask_b8(PAT_ALL));
  });
  CAPTURE(name);
  for (std::size_t i = 0; i < kRegister / to.bytes(); ++i) {
    Value expected;
    std::size_t at = i;
    bool has = true;
    if (to.bytes() > from.bytes()) {
      at = to.bytes() / from.bytes() * i + layout;
    } else if (to.bytes() < from.bytes()) {
      at = i / (from.bytes() / to.bytes());
      has = i % (from.bytes() / to.bytes()) == layout;
    }
    if (has) {
      const Value& x = sources.at(at);
      const double real = from.real() ? x.real : static_cast<double>(x.whole);
      expected.real = rounded(real, to, mode);
      expected.whole =
          from.real() ? static_cast<Wide>(vectortest::to_integral(x.real, mode)) : x.whole;
    }
    if (!same(all, kRegister + i * to.bytes(), to, expected)) {
      CAPTURE(i, expected.real, static_cast<long long>(expected.whole));
      FAIL_CHECK("the lane has another value");
      return;
    }
  }
}
constexpr int mode_of(AscendC::RoundMode mode) {
  return mode == AscendC::RoundMode::CAST_NONE ? vectortest::kRint : static_cast<int>(mode);
}
#define CHECK_CAST(name, to, from, rounding, saturation, layout)                                \
  check_cast<TYPE_##to, TYPE_##from>(#name, mode_of(AscendC::RoundMode::rounding),              \
                                     static_cast<std::size_t>(AscendC::Reg::RegLayout::layout), \
                                     [](auto& d, auto& s, auto mask) { name(d, s, mask); });
#define CHECK_CASTS(name, ...)                                                   \
  TEST_CASE("c registers: asc_" #name " rounds and places lanes", "[c][cast]") { \
    ACLSIM_C_CASTS_OF(CHECK_CAST, name, __VA_ARGS__)                             \
  }
ACLSIM_C_CAST_ROWS(CHECK_CASTS)

// --- loads and stores ---

using Element = std::function<std::size_t(std::size_t lane)>;
constexpr std::size_t kNone = ~std::size_t{0};

/// The element of the source in each lane, or none: 0.
template <class T, class Call>
void check_load(const char* name, const Element& element, const Call& call) {
  const Type& t = type<T>();
  const Bytes given = joined({numbers(t, 4 * kRegister, 3), Bytes(kRegister)});
  const Bytes all = run(given, [&](std::uint8_t* ub) {
    AscendC::Reg::RegTensor<T> r;
    call(r, reinterpret_cast<T*>(ub));
    asc_storealign(reinterpret_cast<T*>(ub + 4 * kRegister), r, asc_create_mask_b8(PAT_ALL));
  });
  for (std::size_t i = 0; i < kRegister / t.bytes(); ++i) {
    CAPTURE(name, t.bits, i);
    const std::size_t from = element(i);
    const std::uint64_t wanted = from == kNone ? 0 : bits_at(given, from * t.bytes(), t);
    REQUIRE(bits_at(all, 4 * kRegister + i * t.bytes(), t) == wanted);
  }
}
#define LOAD(name) [](auto& r, auto* from) { name(r, from); }
#define LOAD_AT(name) [](auto& r, auto* from) { name(r, from, 64); }
#define LOAD_AFTER(name)          \
  [](auto& r, auto* from) {       \
    auto* at = from;              \
    name##_postupdate(r, at, 64); \
    CHECK(at == from + 64);       \
  }
#define CHECK_LOAD(T, name, element)                                                  \
  check_load<T>(                                                                      \
      #name, [](std::size_t i) -> std::size_t { return element; }, LOAD(name));       \
  check_load<T>(                                                                      \
      #name, [](std::size_t i) -> std::size_t { return element; }, LOAD_AFTER(name)); \
  check_load<T>(                                                                      \
      #name,                                                                          \
      [](std::size_t i) -> std::size_t {                                              \
        const std::size_t at = element;                                               \
        return at == kNone ? at : at + 64;                                            \
      },                                                                              \
      LOAD_AT(name))
TEST_CASE("c registers: loads put the elements that their form says", "[c][moves]") {
  CHECK_LOAD(std::uint8_t, asc_loadalign, i);
  CHECK_LOAD(float, asc_loadalign, i);
  CHECK_LOAD(std::uint8_t, asc_loadalign_brc, i * 0);
  CHECK_LOAD(half, asc_loadalign_brc_elem, i * 0);
  CHECK_LOAD(float, asc_loadalign_brc_elem, i * 0);
  CHECK_LOAD(std::uint8_t, asc_loadalign_brc_datablock, i % 32);
  CHECK_LOAD(float, asc_loadalign_brc_datablock, i % 8);
  CHECK_LOAD(half, asc_loadalign_brc_elem2datablock, i / 16);
  CHECK_LOAD(float, asc_loadalign_brc_elem2datablock, i / 8);
  CHECK_LOAD(std::uint8_t, asc_loadalign_upsample, i / 2);
  CHECK_LOAD(half, asc_loadalign_upsample, i / 2);
  CHECK_LOAD(std::uint8_t, asc_loadalign_downsample, i * 2);
  CHECK_LOAD(half, asc_loadalign_downsample, i * 2);
  CHECK_LOAD(std::uint8_t, asc_loadalign_unpack, i % 2 == 0 ? i / 2 : kNone);
  CHECK_LOAD(half, asc_loadalign_unpack, i % 2 == 0 ? i / 2 : kNone);
  CHECK_LOAD(float, asc_loadalign_unpack, i % 2 == 0 ? i / 2 : kNone);
  CHECK_LOAD(std::uint8_t, asc_loadalign_unpack4, i % 4 == 0 ? i / 4 : kNone);
}

/// The lane in each element of memory, or none: as before.
template <class T, class Call>
void check_store(const char* name, const Element& lane, const Call& call) {
  const Type& t = type<T>();
  const Bytes given = joined({numbers(t, kRegister, 3), numbers(t, 2 * kRegister, 4)});
  const Bytes all = run(given, [&](std::uint8_t* ub) {
    AscendC::Reg::RegTensor<T> r;
    asc_loadalign(r, reinterpret_cast<T*>(ub));
    call(reinterpret_cast<T*>(ub + kRegister), r);
  });
  for (std::size_t i = 0; i < 2 * kRegister / t.bytes(); ++i) {
    CAPTURE(name, t.bits, i);
    const std::size_t at = kRegister + i * t.bytes();
    const std::size_t from = lane(i);
    REQUIRE(bits_at(all, at, t) == bits_at(given, from == kNone ? at : from * t.bytes(), t));
  }
}
TEST_CASE("c registers: stores put the lanes that their form says", "[c][moves]") {
  check_store<float>(
      "asc_storealign", [](std::size_t i) { return i < 64 ? i : kNone; },
      [](float* to, auto& r) {
        const float* const first = to;
        asc_storealign_postupdate(to, r, 64, asc_create_mask_b32(PAT_ALL));
        CHECK(to == first + 64);
      });
  check_store<float>(
      "asc_storealign with an offset",
      [](std::size_t i) { return i >= 64 && i < 66 ? i - 64 : kNone; },
      [](float* to, auto& r) { asc_storealign(to, r, 64, asc_create_mask_b32(PAT_VL2)); });
  check_store<half>(
      "asc_storealign_1st", [](std::size_t i) { return i == 0 ? 0 : kNone; },
      [](half* to, auto& r) { asc_storealign_1st(to, r); });
  check_store<std::uint16_t>(
      "asc_storealign_intlv", [](std::size_t i) { return i / 2; },
      [](auto* to, auto& r) { asc_storealign_intlv(to, r, r); });
  check_store<float>(
      "asc_store", [](std::size_t i) { return i < 10 ? i : kNone; },
      [](float* to, auto& r) { asc_store(to, r, 10); });
  check_store<float>(
      "asc_storeunalign", [](std::size_t i) { return i >= 3 && i < 67 ? i - 3 : kNone; },
      [](float* to, auto& r) {
        vector_store_unalign kept;
        to += 3;
        asc_storeunalign_postupdate(to, kept, r, 64);
        asc_storeunalign_post_postupdate(to, kept, 0);
      });
}

TEST_CASE("c registers: an address register counts the iterations of its line", "[c][moves]") {
  check_store<float>(
      "addr_reg", [](std::size_t i) { return i < 128 ? i % 64 : kNone; },
      [](float* to, auto& r) {
        for (int i = 0; i < 2; ++i) {
          const addr_reg offset = asc_update_addr_reg_b32(64);
          asc_storealign(to, r, offset, asc_create_mask_b32(PAT_ALL));
        }
      });
}

TEST_CASE("c registers: order and reduction", "[c][order]") {
  check_store<float>(
      "asc_intlv", [](std::size_t i) { return i < 64 ? i / 2 : kNone; },
      [](float* to, auto& r) {
        vector_float low;
        vector_float high;
        asc_intlv(low, high, r, r);
        asc_storealign(to, low, asc_create_mask_b32(PAT_ALL));
      });
  check_store<float>(
      "asc_deintlv", [](std::size_t i) { return i < 64 ? i % 32 * 2 + 1 : kNone; },
      [](float* to, auto& r) {
        vector_float even;
        vector_float odd;
        asc_deintlv(even, odd, r, r);
        asc_storealign(to, odd, asc_create_mask_b32(PAT_ALL));
      });
  check_store<float>(
      "asc_squeeze", [](std::size_t i) { return i < 16 ? i * 4 : kNone; },
      [](float* to, auto& r) {
        vector_float squeezed;
        asc_squeeze(squeezed, r, asc_create_mask_b32(PAT_M4));
        asc_storealign(to, squeezed, asc_create_mask_b32(PAT_VL16));
      });
  const Bytes given = joined({numbers(type<std::int32_t>(), kRegister, 3), Bytes(3 * kRegister)});
  const Bytes all = run(given, [&](std::uint8_t* ub) {
    vector_int32_t ramp;
    vector_int32_t sum;
    const vector_bool mask = asc_create_mask_b32(PAT_ALL);
    asc_arange(ramp, 5);
    asc_reduce_sum(sum, ramp, mask);
    asc_storealign(reinterpret_cast<std::int32_t*>(ub), sum, mask);
    asc_reduce_max(sum, ramp, mask);
    asc_storealign(reinterpret_cast<std::int32_t*>(ub + kRegister), sum, mask);
    asc_reduce_sum_datablock(sum, ramp, mask);
    asc_storealign(reinterpret_cast<std::int32_t*>(ub + 2 * kRegister), sum, mask);
    asc_reduce_min_datablock(sum, ramp, mask);
    asc_storealign(reinterpret_cast<std::int32_t*>(ub + 3 * kRegister), sum, mask);
  });
  const auto at = [&](std::size_t row, std::size_t lane) {
    return bits_at(all, row * kRegister + lane * 4, type<std::int32_t>());
  };
  CHECK(at(0, 0) == 64 * 5 + 63 * 32);
  CHECK(at(1, 0) == 5 + 63);
  CHECK(at(1, 1) == 63);
  CHECK(at(2, 1) == 8 * (5 + 8) + 28);
  CHECK(at(3, 7) == 5 + 56);
}

}  // namespace
}  // namespace registers_test::c_tests
