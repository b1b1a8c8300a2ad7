// SPDX-License-Identifier: Apache-2.0
// Functions with a special case for elements of a byte or half a byte, and transpositions. In each
// form, against plain loops.
#include <algorithm>
#include <cmath>

#include "tests/ascendc/forms_nibbles.h"

namespace formsbytes {
namespace {

using namespace forms;

// ---- int4b_t: two in a byte, the first in the low bits ----

int nearest_nibble(const Value& value, const Type& from, int mode) {
  if (!from.real()) return static_cast<int>(std::clamp<Wide>(value.whole, -8, 7));
  if (std::isnan(value.real)) return 0;
  const double whole =
      std::isinf(value.real) ? value.real : vectortest::to_integral(value.real, mode);
  return static_cast<int>(std::clamp(whole, -8.0, 7.0));
}

template <class D, class S>
void call_cast(const Lanes& lanes, RoundMode mode) {
  constexpr bool kToNibbles = std::is_same_v<D, int4b_t>;
  using Wider = std::conditional_t<kToNibbles, S, D>;
  FORMS_CALL(Cast, (Cast<D, S, false>), Wider, lanes, nibble_params<kToNibbles>(lanes), at<D>(0),
             at<S>(1), mode);
}

template <class S>
void check_to_nibbles(std::uint32_t modes) {
  const std::vector<Lanes> all = lanes_of_pairs();
  const Operands given = filled({&type<std::uint8_t>(), &type<S>()}, Numbers::edges);
  for (int mode = 0; mode <= static_cast<int>(RoundMode::CAST_ODD); ++mode) {
    if ((modes >> mode & 1U) == 0) continue;
    const std::vector<Operands> left = run_steps(given, all.size(), [&](std::uint32_t step) {
      call_cast<int4b_t, S>(all[step], static_cast<RoundMode>(mode));
    });
    for (std::size_t step = 0; step < all.size(); ++step) {
      Operands wanted = given;
      each_lane(all[step], kPerRepeat, [&](unsigned repeat, unsigned lane) {
        const std::size_t from = place_of(all[step], 1, kPerRepeat, type<S>(), repeat, lane);
        put_nibble(wanted[0], nibble_of(all[step], 0, repeat, lane),
                   nearest_nibble(load(given[1], from, type<S>()), type<S>(), mode));
      });
      INFO(type<S>().name << ", mode " << mode << ", form " << static_cast<int>(all[step].form)
                          << ", step " << step);
      REQUIRE((left[step] == wanted));
    }
  }
}

template <class D>
void check_from_nibbles(std::uint32_t modes) {
  REQUIRE(modes == ACLSIM_EXACT);
  const std::vector<Lanes> all = lanes_of_pairs();
  const Operands given = filled({&type<D>(), &type<std::uint8_t>()}, Numbers::edges);
  const std::vector<Operands> left = run_steps(given, all.size(), [&](std::uint32_t step) {
    call_cast<D, int4b_t>(all[step], RoundMode::CAST_NONE);
  });
  for (std::size_t step = 0; step < all.size(); ++step) {
    Operands wanted = given;
    each_lane(all[step], kPerRepeat, [&](unsigned repeat, unsigned lane) {
      const int number = nibble_at(given[1], nibble_of(all[step], 1, repeat, lane));
      Value value = real_value(number);
      value.whole = number;
      store(wanted[0], place_of(all[step], 0, kPerRepeat, type<D>(), repeat, lane), type<D>(),
            value);
    });
    INFO(type<D>().name << ", form " << static_cast<int>(all[step].form) << ", step " << step);
    REQUIRE((left[step] == wanted));
  }
}

}  // namespace

TEST_CASE("Cast makes int4b_t the nearest of -8 to 7, and numbers of them, in each form",
          "[forms]") {
  unsigned pairs = 0;
  each_type<~0U>([&](auto value) {
    using T = decltype(value);
    constexpr std::uint32_t kTo = aclsim_vector::pair_modes(ACLSIM_OP_Cast, ACLSIM_INT4,
                                                            aclsim_element::of<T>),
                            kFrom = aclsim_vector::pair_modes(ACLSIM_OP_Cast, aclsim_element::of<T>,
                                                              ACLSIM_INT4);
    if constexpr (kTo != 0) check_to_nibbles<T>(kTo);
    if constexpr (kFrom != 0) check_from_nibbles<T>(kFrom);
    pairs += (kTo != 0 ? 1U : 0U) + (kFrom != 0 ? 1U : 0U);
  });
  CHECK(pairs == (__NPU_ARCH__ == 3510 ? 5 : 2));
}

namespace {

// ---- TransDataTo5HD: of bytes half a block takes part, on either side ----

template <class T>
void check_half_blocks(bool high_to, bool high_from, std::uint8_t repeats) {
  const Operands given = filled({&type<T>(), &type<T>()}, Numbers::edges);
  constexpr std::size_t kBlock = 32, kHalf = 16;
  Operands wanted = given;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t k = 0; k < 16; ++k) {
        const std::size_t from = (repeat * 16 + i * 7 % 16) * kBlock + (high_from ? kHalf : 0) + k;
        const std::size_t to = (repeat * 16 + k) * kBlock + (high_to ? kHalf : 0) + i;
        wanted[0].at(to) = given[1].at(from);
      }
    }
  }
  const std::uint16_t stride = repeats == 1 ? 0 : 16;
  const TransDataTo5HDParams params(high_to, high_from, repeats, stride, stride);
  const std::vector<Operands> left = run_steps(given, 2, [&](std::uint32_t step) {
    LocalTensor<T> to[16], from[16];
    std::uint64_t to_address[16], from_address[16];
    for (std::uint32_t i = 0; i < 16; ++i) {
      to[i] = at<T>(0)[i * kBlock];
      from[i] = at<T>(1)[i * 7 % 16 * kBlock];
      to_address[i] = static_cast<std::uint64_t>(to[i].GetPhyAddr());
      from_address[i] = static_cast<std::uint64_t>(from[i].GetPhyAddr());
    }
    if (step == 0)
      TransDataTo5HD(to, from, params);
    else
      TransDataTo5HD<T>(to_address, from_address, params);
  });
  CAPTURE(type<T>().name, high_to, high_from, int{repeats});
  CHECK((left[0] == wanted));
  CHECK((left[1] == wanted));
}

}  // namespace

TEST_CASE(
    "TransDataTo5HD transposes the half of 16 blocks of bytes that it is told, into the half that "
    "it is told",
    "[forms]") {
  for (const bool high_to : {false, true}) {
    for (const bool high_from : {false, true}) {
      for (const std::uint8_t repeats : {1, 3}) {
        check_half_blocks<std::int8_t>(high_to, high_from, repeats);
        check_half_blocks<std::uint8_t>(high_to, high_from, repeats);
      }
    }
  }
}

namespace {

template <class T>
void check_tile() {
  const Operands given = filled({&type<T>(), &type<T>()}, Numbers::edges);
  Operands wanted = given;
  for (std::size_t row = 0; row < 16; ++row) {
    for (std::size_t column = 0; column < 32; ++column) {  // in bytes
      wanted[0].at((column / 2 * 16 + row) * 2 + column % 2) = given[1].at(row * 32 + column);
    }
  }
  CAPTURE(type<T>().name);
  CHECK((run_steps(given, 1, [](std::uint32_t) {
           Transpose(at<T>(0), at<T>(1), at<std::uint8_t>(2),
                     TransposeParamsExt(1, 16, 16, 1, TransposeType::TRANSPOSE_ND2ND_B16));
         })[0] == wanted));
}

}  // namespace

TEST_CASE("Transpose of the type ND2ND_B16 turns 16 rows of 16 elements of two bytes", "[forms]") {
  check_tile<std::int16_t>();
  check_tile<std::uint16_t>();
  check_tile<half>();
}

#if __NPU_ARCH__ == 3510
namespace {

constexpr std::uint32_t kOffsets =
    kBytes / 4;  // as many as there are, and as many elements are moved at most

std::vector<Lanes> lanes_of_bytes() {
  std::vector<Lanes> all = all_lanes(256);
  std::erase_if(all, [](const Lanes& each) {
    return (each.form != Form::count && each.form != Form::mask_n &&
            each.form != Form::mask_bits) ||
           each.count > kOffsets;
  });
  for (Lanes& lanes : all) lanes.repeats = std::min<std::uint8_t>(lanes.repeats, 2);
  return all;
}

/// The side that has no offsets goes on by `apart` blocks with each repeat.
template <class T>
void check_bytes_at_offsets(bool gathers, std::uint32_t base) {
  Operands given = filled({&type<T>(), &type<T>(), &type<std::uint32_t>()}, Numbers::edges);
  for (std::uint32_t i = 0; i < kOffsets; ++i) {
    const std::uint32_t offset = i * 397 % (kBytes - base);  // odd ones, too; none twice
    std::memcpy(&given[2].at(std::size_t{i} * 4), &offset, 4);
  }
  const std::vector<Lanes> all = lanes_of_bytes();
  const auto stride = [](const Lanes& lanes) {
    return static_cast<std::uint8_t>(lanes.apart ? 11 : 8);
  };
  const std::vector<Operands> left = run_steps(given, all.size(), [&](std::uint32_t step) {
    const Lanes& lanes = all[step];
    std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};
    const auto call = [&](auto... how) {
      if (gathers)
        Gather(at<T>(0), at<T>(1), at<std::uint32_t>(2), base, how...);
      else
        Scatter(at<T>(0), at<T>(1), at<std::uint32_t>(2), base, how...);
    };
    if (lanes.form == Form::count)
      call(lanes.count);
    else if (lanes.form == Form::mask_n)
      call(bits[0], lanes.repeats, stride(lanes));
    else
      call(bits, lanes.repeats, stride(lanes));
  });
  for (std::size_t step = 0; step < all.size(); ++step) {
    Operands wanted = given;
    each_lane(all[step], 256, [&](unsigned repeat, unsigned lane) {
      const std::size_t i = std::size_t{repeat} * 256 + lane;
      const std::size_t near =
          all[step].form == Form::count ? i : std::size_t{repeat} * stride(all[step]) * 32 + lane;
      const std::size_t far = base + i * 397 % (kBytes - base);
      wanted[0].at(gathers ? near : far) = given[1].at(gathers ? far : near);
    });
    INFO(type<T>().name << ", gathers " << gathers << ", form " << static_cast<int>(all[step].form)
                        << ", step " << step);
    REQUIRE((left[step] == wanted));
  }
}

}  // namespace

TEST_CASE("Gather and Scatter move single bytes, from and to odd offsets, too", "[forms]") {
  for (const std::uint32_t base : {0U, 3U}) {
    for (const bool gathers : {true, false}) {
      check_bytes_at_offsets<std::int8_t>(gathers, base);
      check_bytes_at_offsets<std::uint8_t>(gathers, base);
    }
  }
}
#endif

}  // namespace formsbytes
