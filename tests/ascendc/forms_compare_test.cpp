// SPDX-License-Identifier: Apache-2.0
// Comparisons and selections: each type of the rows in each mode and form, against a plain loop.
#include <cmath>

#include "tests/ascendc/forms.h"

namespace formscompare {
namespace {

using namespace forms;

constexpr CMPMODE kModes[] = {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ,
                              CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};

template <class N>
bool holds(CMPMODE mode, N a, N b) {
  switch (mode) {
    case CMPMODE::LT:
      return a < b;
    case CMPMODE::GT:
      return a > b;
    case CMPMODE::EQ:
      return a == b;
    case CMPMODE::LE:
      return a <= b;
    case CMPMODE::GE:
      return a >= b;
    default:
      return a != b;
  }
}
bool holds(CMPMODE mode, const Type& t, const Value& a, const Value& b) {
  return t.real() ? holds(mode, a.real, b.real) : holds(mode, a.whole, b.whole);
}
void set_bit(Bytes& bytes, std::size_t bit, bool value) {
  bytes.at(bit / 8) = static_cast<std::uint8_t>((bytes.at(bit / 8) & ~(1U << bit % 8)) |
                                                unsigned{value} << bit % 8);
}
bool bit_at(const Bytes& bytes, std::size_t bit) {
  return (bytes.at(bit / 8) >> bit % 8 & 1U) != 0;
}

/// Masks do not matter where bits go to a tensor, but for none at all; counts are of whole repeats.
std::vector<Lanes> compared_lanes(unsigned n) {
  std::vector<Lanes> all = all_lanes(n);
  std::erase_if(all, [n](const Lanes& each) {
    if (each.form == Form::counter) return true;
    return each.form == Form::count ? each.count % n != 0 : (each.mask[0] | each.mask[1]) == 0;
  });
  all.push_back({Form::count, 3 * n, {}, 0, false});
  return all;
}
Lanes whole(const Lanes& lanes, unsigned n) {
  if (lanes.form == Form::count) return lanes;
  return {Form::mask_n, 0, {n, 0}, lanes.repeats, lanes.apart};
}

/// Bit i belongs to lane i of all repeats.
template <class T>
void check_bits(const char* name, bool two, const Value& scalar, CMPMODE mode,
                const std::function<void(const Lanes&)>& call) {
  const Type &t = type<T>(), &byte = type<std::uint8_t>();
  constexpr unsigned n = per_repeat_of<T>();
  const Operands given = filled({&byte, &t, &t}, Numbers::edges);
  const std::vector<Lanes> all = compared_lanes(n);
  const std::vector<Operands> left =
      run_steps(given, all.size(), [&](std::uint32_t step) { call(all[step]); });
  for (std::size_t step = 0; step < all.size(); ++step) {
    Operands wanted = given;
    each_lane(whole(all[step], n), n, [&](unsigned repeat, unsigned lane) {
      const Value a = load(given[1], place_of(all[step], 1, n, t, repeat, lane), t);
      const Value b = two ? load(given[2], place_of(all[step], 2, n, t, repeat, lane), t) : scalar;
      set_bit(wanted[0], repeat * n + lane, holds(mode, t, a, b));
    });
    INFO(name << " " << t.name << ", mode " << static_cast<int>(mode) << ", step " << step);
    REQUIRE((left[step] == wanted));
  }
}
/// On 2201 integers are only compared for being equal.
template <class T>
bool has_mode(CMPMODE mode) {
  return __NPU_ARCH__ == 3510 || type<T>().real() || mode == CMPMODE::EQ;
}
template <class T>
T element_of(const Value& value) {
  return aclsim_vector::from_bits<T>(vectortest::encode(value, type<T>()));
}

}  // namespace

TEST_CASE("Compare gives a bit for each lane, which NaN has only for being different", "[forms]") {
  each_type<FORMS_TYPES(F16_S32_F32, ALL)>([](auto value) {
    using T = decltype(value);
    for (const CMPMODE mode : kModes) {
      if (!has_mode<T>(mode)) continue;
      check_bits<T>("Compare", true, {}, mode, [mode](const Lanes& lanes) {
        FORMS_CALL(Compare, (Compare<T, std::uint8_t, false>), T, lanes,
                   (binary_params<T, T, T>(lanes)), at<std::uint8_t>(0), at<T>(1), at<T>(2), mode);
      });
    }
  });
}

TEST_CASE("Compares and CompareScalar compare each element with one value", "[forms]") {
  each_type<FORMS_TYPES(F16_S32_F32, ALL)>([](auto value) {
    using T = decltype(value);
    for (const Value& scalar : {real_value(0.25), real_value(std::nan("")), real_value(HUGE_VAL)}) {
      Value s = scalar;
      s.whole = std::isnan(s.real) ? 1 : std::isinf(s.real) ? 0 : 3;
      const T one = element_of<T>(s);
      for (const CMPMODE mode : kModes) {
        if (!has_mode<T>(mode)) continue;
        check_bits<T>("Compares", false, s, mode, [&](const Lanes& lanes) {
          FORMS_CALL(Compares, (Compares<T, std::uint8_t, false>), T, lanes,
                     (unary_params<T, T>(lanes)), at<std::uint8_t>(0), at<T>(1), one, mode);
        });
        check_bits<T>("CompareScalar", false, s, mode, [&](const Lanes& lanes) {
          FORMS_CALL(CompareScalar, (CompareScalar<T, std::uint8_t, false>), T, lanes,
                     (unary_params<T, T>(lanes)), at<std::uint8_t>(0), at<T>(1), one, mode);
        });
      }
    }
  });
}

#if __NPU_ARCH__ == 3510
TEST_CASE("Compares has the value on either side, also as an element of a tensor", "[forms]") {
  constexpr static BinaryConfig kLeft = {0};
  constexpr CMPMODE kTurned[] = {CMPMODE::GT, CMPMODE::LT, CMPMODE::EQ,
                                 CMPMODE::GE, CMPMODE::LE, CMPMODE::NE};
  using D = BinaryDefaultType;
  using T = std::int16_t;
  for (unsigned i = 0; i < 6; ++i) {
    const Value s = whole_value(3);
    const auto tensor = [] {
      const LocalTensor<T> one(TPosition::VECCALC, kOperands * kBytes, 16);
      Duplicate(one, T{3}, 16);
      return one;
    };
    check_bits<T>("Compares", false, s, kTurned[i], [&](const Lanes& lanes) {
      FORMS_CALL(Compares, (Compares<D, D, false>), T, lanes, (unary_params<T, T>(lanes)),
                 at<std::uint8_t>(0), T{3}, at<T>(1), kModes[i]);
    });
    check_bits<T>("CompareScalar", false, s, kModes[i], [&](const Lanes& lanes) {
      FORMS_CALL(CompareScalar, (CompareScalar<D, D, false>), T, lanes, (unary_params<T, T>(lanes)),
                 at<std::uint8_t>(0), at<T>(1), tensor(), kModes[i]);
    });
    check_bits<T>("Compares", false, s, kTurned[i], [&](const Lanes& lanes) {
      FORMS_CALL((Compares<D, D, true, kLeft>), (Compares<D, D, false, kLeft>), T, lanes,
                 (unary_params<T, T>(lanes)), at<std::uint8_t>(0), tensor(), at<T>(1), kModes[i]);
    });
  }
}
#endif

TEST_CASE("the register of comparisons takes the lanes that are on, is set and is read",
          "[forms]") {
  each_type<FORMS_TYPES(F16_F32, F16_F32)>([](auto value) {
    using T = decltype(value);
    constexpr unsigned n = per_repeat_of<T>();
    const Type &t = type<T>(), &byte = type<std::uint8_t>();
    const Operands given = filled({&byte, &t, &t, &byte}, Numbers::edges);
    std::vector<Lanes> all = all_lanes(n);
    std::erase_if(all, [](const Lanes& each) { return is_counted(each); });
    for (const CMPMODE mode : kModes) {
      const std::vector<Operands> left = run_steps(given, all.size(), [&](std::uint32_t step) {
        const Lanes& lanes = all[step];
        const BinaryRepeatParams params = binary_params<T, T, T>(lanes);
        const std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};
        SetCmpMask(at<std::uint8_t>(3));
        if (lanes.form == Form::mask_n) Compare(at<T>(1), at<T>(2), mode, lanes.mask[0], params);
        if (lanes.form == Form::mask_bits) Compare(at<T>(1), at<T>(2), mode, bits, params);
        if (lanes.form == Form::kept || lanes.form == Form::kept_bits) {
          set_lanes<T>(lanes);
          Compare<T, false>(at<T>(1), at<T>(2), mode, MASK_PLACEHOLDER, params);
        }
        GetCmpMask(at<std::uint8_t>(0));
      });
      for (std::size_t step = 0; step < all.size(); ++step) {
        Lanes lanes = all[step];
        lanes.repeats = 1;
        Operands wanted = given;
        std::copy(given[3].begin(), given[3].begin() + 16, wanted[0].begin());
        each_lane(lanes, n, [&](unsigned, unsigned lane) {
          const Value a = load(given[1], place_of(lanes, 1, n, t, 0, lane), t);
          const Value b = load(given[2], place_of(lanes, 2, n, t, 0, lane), t);
          set_bit(wanted[0], lane, holds(mode, t, a, b));
        });
        INFO(t.name << ", mode " << static_cast<int>(mode) << ", step " << step);
        REQUIRE((left[step] == wanted));
      }
    }
  });
}

namespace {

/// Operand 3 has the bits; in mode 0 each repeat begins with the first of them.
template <class T>
void check_selected(const char* name, bool two, bool first_bits, const Value& scalar,
                    const std::function<void(const Lanes&)>& call) {
  const Type& t = type<T>();
  constexpr unsigned n = per_repeat_of<T>();
  const std::vector<const Type*> types = {&t, &t, &t};
  const Operands given = filled(types, Numbers::edges);
  check_lanes(name, types, Numbers::edges, all_lanes(n), call, [&](const Lane& lane) {
    const bool first = bit_at(given[3], (first_bits ? 0 : lane.repeat * n) + lane.lane);
    return first ? lane.in[0] : two ? lane.in[1] : scalar;
  });
}
#define CALL_SELECT(T, ...)                                                                       \
  FORMS_CALL(Select, (Select<T, std::uint8_t, false>), T, lanes, (binary_params<T, T, T>(lanes)), \
             __VA_ARGS__)

}  // namespace

TEST_CASE("Select takes the first source where a bit is set, else the second or the value",
          "[forms]") {
  each_type<FORMS_TYPES(F16_F32, ALL)>([](auto value) {
    using T = decltype(value);
    check_selected<T>("Select, mode 0", true, true, {}, [](const Lanes& lanes) {
      CALL_SELECT(T, at<T>(0), at<std::uint8_t>(3), at<T>(1), at<T>(2), SELMODE::VSEL_CMPMASK_SPR);
    });
    check_selected<T>("Select, mode 2", true, false, {}, [](const Lanes& lanes) {
      CALL_SELECT(T, at<T>(0), at<std::uint8_t>(3), at<T>(1), at<T>(2),
                  SELMODE::VSEL_TENSOR_TENSOR_MODE);
    });
    Value seven = real_value(7);
    seven.whole = 7;
    check_selected<T>("Select, mode 1", false, false, seven, [&](const Lanes& lanes) {
      CALL_SELECT(T, at<T>(0), at<std::uint8_t>(3), at<T>(1), element_of<T>(seven),
                  SELMODE::VSEL_TENSOR_SCALAR_MODE);
    });
  });
}

TEST_CASE("Select by the register of comparisons takes its bits, or its first element as the value",
          "[forms]") {
  each_type<FORMS_TYPES(F16_F32, F16_F32)>([](auto value) {
    using T = decltype(value);
    constexpr unsigned n = per_repeat_of<T>();
    const Type& t = type<T>();
    const std::vector<const Type*> types = {&t, &t, &t};
    const Operands given = filled(types, Numbers::edges);
    std::vector<Lanes> all = all_lanes(n);
    std::erase_if(all, [](const Lanes& each) { return each.form != Form::kept; });
    check_lanes(
        "Select, register", types, Numbers::edges, all,
        [](const Lanes& lanes) {
          SetCmpMask(at<std::uint8_t>(3));
          set_lanes<T>(lanes);
          Select<T, SELMODE::VSEL_CMPMASK_SPR>(at<T>(0), at<T>(1), at<T>(2), lanes.repeats,
                                               binary_params<T, T, T>(lanes));
        },
        [&](const Lane& lane) { return bit_at(given[3], lane.lane) ? lane.in[0] : lane.in[1]; });
    check_lanes(
        "Select, value of the register", types, Numbers::edges, all,
        [](const Lanes& lanes) {
          const LocalTensor<T> tensor(TPosition::VECCALC, kOperands * kBytes, 32 / sizeof(T));
          Duplicate(tensor, T(5.0F), static_cast<std::int32_t>(32 / sizeof(T)));
          SetCmpMask(tensor);
          set_lanes<T>(lanes);
          Select(at<T>(0), at<std::uint8_t>(3), at<T>(1), lanes.repeats,
                 binary_params<T, T, T>(lanes));
        },
        [&](const Lane& lane) {
          return bit_at(given[3], lane.repeat * n + lane.lane) ? lane.in[0] : real_value(5);
        });
  });
}

}  // namespace formscompare
