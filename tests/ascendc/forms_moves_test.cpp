// SPDX-License-Identifier: Apache-2.0
// Functions that fill tensors and move elements to other places, in each form, against plain loops.
#include <algorithm>

#include "tests/ascendc/forms.h"

namespace formsmoves {
namespace {

using namespace forms;

template <class T>
T element_of(const Value& value) {
  return aclsim_vector::from_bits<T>(vectortest::encode(value, type<T>()));
}
Value number(double x) {
  Value value = real_value(x);
  value.whole = static_cast<Wide>(x);
  return value;
}
std::vector<Lanes> unkept_lanes(unsigned n) {
  std::vector<Lanes> all = all_lanes(n);
  std::erase_if(all, [](const Lanes& each) {
    return each.form != Form::count && each.form != Form::mask_n && each.form != Form::mask_bits;
  });
  return all;
}

template <class T>
void duplicate(const Lanes& lanes, T value) {
  const BlockStride d = stride_of(lanes, 0, per_repeat_of<T>(), type<T>());
  std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};
  if (lanes.form == Form::count)
    return Duplicate(at<T>(0), value, static_cast<std::int32_t>(lanes.count));
  if (lanes.form == Form::mask_n)
    return Duplicate(at<T>(0), value, bits[0], lanes.repeats, d.block, d.repeat);
  if (lanes.form == Form::mask_bits)
    return Duplicate(at<T>(0), value, bits, lanes.repeats, d.block, d.repeat);
  set_lanes<T>(lanes);
  if (lanes.form == Form::kept_bits) {
    return Duplicate<T, false>(at<T>(0), value, bits, lanes.repeats, d.block, d.repeat);
  }
  Duplicate<T, false>(at<T>(0), value, MASK_PLACEHOLDER, lanes.repeats, d.block, d.repeat);
}
template <class T>
void create_index(const Lanes& lanes, T first) {
  const BlockStride d = stride_of(lanes, 0, per_repeat_of<T>(), type<T>());
  std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};
  LocalTensor<T> to = at<T>(0);
  if (lanes.form == Form::count) return CreateVecIndex(to, first, lanes.count);
  if (lanes.form == Form::mask_n)
    return CreateVecIndex(to, first, bits[0], lanes.repeats, d.block, d.repeat);
  CreateVecIndex(to, first, bits, lanes.repeats, d.block, d.repeat);
}
template <class T>
CopyRepeatParams copy_params(const Lanes& lanes) {
  const UnaryRepeatParams p = unary_params<T, T>(lanes);
  return {p.dstBlkStride, p.srcBlkStride, p.dstRepStride, p.srcRepStride};
}

}  // namespace

TEST_CASE("Duplicate writes a value into the lanes that are on", "[forms]") {
  each_type<FORMS_TYPES(B16_B32, ALL)>([](auto value) {
    using T = decltype(value);
    const Type& t = type<T>();
    const T seven = element_of<T>(number(7));
    const auto wanted = [](const Lane&) { return number(7); };
    check_lanes(
        "Duplicate", {&t, &t}, Numbers::edges, all_lanes(per_repeat_of<T>()),
        [&](const Lanes& lanes) { duplicate(lanes, seven); }, wanted);
#if __NPU_ARCH__ == 3510
    check_lanes(
        "Duplicate of a tensor", {&t, &t}, Numbers::edges, only(Form::count, per_repeat_of<T>()),
        [&](const Lanes& lanes) {
          const LocalTensor<T> one(TPosition::VECCALC, kOperands * kBytes, 32 / sizeof(T));
          Duplicate(one, seven, static_cast<std::int32_t>(32 / sizeof(T)));
          Duplicate(at<T>(0), one, static_cast<std::int32_t>(lanes.count));
        },
        wanted);
#endif
  });
}

TEST_CASE("CreateVecIndex counts lanes through the repeats, masked ones too", "[forms]") {
  each_type<FORMS_TYPES(S16_F16_S32_F32, INDEX)>([](auto value) {
    using T = decltype(value);
    const Type& t = type<T>();
    check_lanes(
        "CreateVecIndex", {&t, &t}, Numbers::edges, unkept_lanes(per_repeat_of<T>()),
        [](const Lanes& lanes) { create_index(lanes, element_of<T>(number(-9))); },
        [&](const Lane& lane) {
          Value index = number(static_cast<int>(lane.repeat * per_repeat_of<T>() + lane.lane) - 9);
          index.whole = vectortest::wrapped(index.whole, t);
          return index;
        });
  });
}

TEST_CASE("Copy moves the lanes that are on", "[forms]") {
  each_type<FORMS_TYPES(B16_B32, ALL)>([](auto value) {
    using T = decltype(value);
    const Type& t = type<T>();
    std::vector<Lanes> all = all_lanes(per_repeat_of<T>());
    // In counter mode it has a layout of its own (legal_test.cpp).
    std::erase_if(all, [](const Lanes& each) {
      return each.form == Form::counter || (each.form == Form::count && __NPU_ARCH__ != 3510);
    });
    check_lanes(
        "Copy", {&t, &t}, Numbers::edges, all,
        [](const Lanes& lanes) {
#if __NPU_ARCH__ == 3510
          FORMS_CALL(Copy, (Copy<T, false>), T, lanes, copy_params<T>(lanes), at<T>(0), at<T>(1));
#else
          std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};
          const CopyRepeatParams params = copy_params<T>(lanes);
          if (lanes.form == Form::mask_n)
            return Copy(at<T>(0), at<T>(1), bits[0], lanes.repeats, params);
          if (lanes.form == Form::mask_bits)
            return Copy(at<T>(0), at<T>(1), bits, lanes.repeats, params);
          set_lanes<T>(lanes);
          if (lanes.form == Form::kept_bits)
            return Copy<T, false>(at<T>(0), at<T>(1), bits, lanes.repeats, params);
          Copy<T, false>(at<T>(0), at<T>(1), MASK_PLACEHOLDER, lanes.repeats, params);
#endif
        },
        [](const Lane& lane) { return lane.in[0]; });
  });
}

TEST_CASE("Brcb and Gatherb fill blocks from elements and from blocks", "[forms]") {
  const auto blocks = [](std::uint8_t repeats, unsigned block, unsigned repeat, const auto& f) {
    for (unsigned r = 0; r < repeats; ++r) {
      for (unsigned k = 0; k < 8; ++k)
        f(std::size_t{r * 8 + k}, (std::size_t{r} * repeat + std::size_t{k} * block) * 32);
    }
  };
  each_type<FORMS_TYPES(B16_B32, ALL)>([&](auto value) {
    using T = decltype(value);
    const Type& t = type<T>();
    Operands given = filled({&t, &t, &type<std::uint32_t>()}, Numbers::edges);
    for (std::uint32_t i = 0; i < kBytes / 4; ++i) {
      store(given[2], i * 4, type<std::uint32_t>(), whole_value(i * 37 % (kBytes / 32) * 32));
    }
    for (const std::uint8_t repeats : {0, 1, 3}) {
      for (const auto& [block, repeat] : {std::pair{1, 8}, std::pair{2, 17}, std::pair{1, 9}}) {
        CAPTURE(t.name, int{repeats}, block, repeat);
        const auto b = static_cast<std::uint8_t>(block), r = static_cast<std::uint8_t>(repeat);
        Operands wanted = given;
        blocks(repeats, b, r, [&](std::size_t i, std::size_t to) {
          for (unsigned byte = 0; byte < 32; ++byte)
            wanted[0][to + byte] = given[1][i * sizeof(T) + byte % sizeof(T)];
        });
        REQUIRE((run_steps(given, 1, [=](std::uint32_t) {
                   Brcb(at<T>(0), at<T>(1), repeats, BrcbRepeatParams(b, r));
                 })[0] == wanted));
        if constexpr (aclsim_vector::among<T>(FORMS_TYPES(U16_U32, ALL))) {
          wanted = given;
          blocks(repeats, b, r, [&](std::size_t i, std::size_t to) {
            const auto from =
                static_cast<std::size_t>(load(given[2], i * 4, type<std::uint32_t>()).whole);
            for (unsigned byte = 0; byte < 32; ++byte) wanted[0][to + byte] = given[1][from + byte];
          });
          REQUIRE((run_steps(given, 1, [=](std::uint32_t) {
                     Gatherb(at<T>(0), at<T>(1), at<std::uint32_t>(2), repeats,
                             GatherRepeatParams(b, r));
                   })[0] == wanted));
        }
      }
    }
  });
}

namespace {

/// The offset of element i of a gather, in bytes; no offset occurs twice.
template <class T>
Operands with_offsets(std::size_t base) {
  Operands given = filled({&type<T>(), &type<T>(), &type<std::uint32_t>()}, Numbers::edges);
  const std::uint32_t places = static_cast<std::uint32_t>((kBytes - base) / sizeof(T));
  for (std::uint32_t i = 0; i < kBytes / 4; ++i) {
    store(given[2], i * 4, type<std::uint32_t>(), whole_value(i * 397 % places * sizeof(T)));
  }
  return given;
}
/// Only one side has a stride, and only between repeats.
BlockStride between_repeats(const Lanes& lanes) {
  return {1, static_cast<std::uint8_t>(lanes.apart ? 11 : 8)};
}
std::size_t place_between(const Lanes& lanes, unsigned n, unsigned repeat, unsigned lane) {
  const unsigned size = 256 / n;
  if (lanes.form == Form::count) return (std::size_t{repeat} * n + lane) * size;
  return std::size_t{repeat} * between_repeats(lanes).repeat * 32 + std::size_t{lane} * size;
}

template <class T, class F>
void call_offsets(const Lanes& lanes, F f) {
  std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};
  if (lanes.form == Form::count)
    f(lanes.count);
  else if (lanes.form == Form::mask_n)
    f(bits[0], lanes.repeats, between_repeats(lanes).repeat);
  else
    f(bits, lanes.repeats, between_repeats(lanes).repeat);
}

/// gathers: dst[i] = src[offset i]; else dst[offset i] = src[i].
template <class T>
void check_offsets(bool gathers, const std::function<void(const Lanes&)>& call, std::size_t base) {
  constexpr unsigned n = per_repeat_of<T>();
  const Operands given = with_offsets<T>(base);
  const std::vector<Lanes> all = unkept_lanes(n);
  const std::vector<Operands> left =
      run_steps(given, all.size(), [&](std::uint32_t step) { call(all[step]); });
  for (std::size_t step = 0; step < all.size(); ++step) {
    Operands wanted = given;
    each_lane(all[step], n, [&](unsigned repeat, unsigned lane) {
      const std::size_t i = std::size_t{repeat} * n + lane;
      const std::size_t place = place_between(all[step], n, repeat, lane);
      const std::size_t far =
          base + static_cast<std::size_t>(load(given[2], i * 4, type<std::uint32_t>()).whole);
      store(wanted[0], gathers ? place : far, type<T>(),
            load(given[1], gathers ? far : place, type<T>()));
    });
    INFO(type<T>().name << ", form " << static_cast<int>(all[step].form) << ", step " << step);
    REQUIRE((left[step] == wanted));
  }
}

}  // namespace

TEST_CASE("Gather takes the elements at offsets in bytes, behind a base", "[forms]") {
  each_type<FORMS_TYPES(B16_B32, ALL)>([](auto value) {
    using T = decltype(value);
    if constexpr (sizeof(T) > 1) {  // bytes: forms_bytes_test.cpp
      const std::uint32_t base = 2 * sizeof(T);
      check_offsets<T>(
          true,
          [=](const Lanes& lanes) {
            call_offsets<T>(lanes, [=](auto... how) {
              Gather(at<T>(0), at<T>(1), at<std::uint32_t>(2), base, how...);
            });
          },
          base);
    }
  });
}

#if __NPU_ARCH__ == 3510
TEST_CASE("Scatter writes to offsets in bytes, behind a base", "[forms]") {
  each_type<FORMS_TYPES(B16_B32, ALL)>([](auto value) {
    using T = decltype(value);
    if constexpr (sizeof(T) > 1) {  // bytes: forms_bytes_test.cpp
      const std::uint32_t base = 2 * sizeof(T);
      check_offsets<T>(
          false,
          [=](const Lanes& lanes) {
            call_offsets<T>(lanes, [=](auto... how) {
              Scatter(at<T>(0), at<T>(1), at<std::uint32_t>(2), base, how...);
            });
          },
          base);
    }
  });
}

TEST_CASE("Interleave and DeInterleave mix two tensors and part them again", "[forms]") {
  each_type<FORMS_TYPES(B16_B32, ALL)>([](auto value) {
    using T = decltype(value);
    const Type& t = type<T>();
    constexpr std::size_t kSize = sizeof(T);
    const Operands given = filled({&t, &t, &t, &t}, Numbers::edges);
    const auto copy = [](Bytes& to, std::size_t i, const Bytes& from, std::size_t k) {
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(k * kSize), kSize,
                  to.begin() + static_cast<std::ptrdiff_t>(i * kSize));
    };
    for (const std::int32_t count : {0, 2, 64, 130}) {
      CAPTURE(t.name, count);
      const auto n = static_cast<std::size_t>(count);
      Operands mixed = given, parted = given, halves = given;
      for (std::size_t i = 0; i < 2 * n; ++i) {
        copy(mixed[i < n ? 0 : 1], i % n, given[i % 2 == 0 ? 2 : 3], i / 2);
        copy(parted[i % 2], i / 2, given[i < n ? 2 : 3], i % n);
        if (i < n) copy(halves[i % 2], i / 2, given[2], i);
      }
      REQUIRE((run_steps(given, 1, [=](std::uint32_t) {
                 Interleave(at<T>(0), at<T>(1), at<T>(2), at<T>(3), count);
               })[0] == mixed));
      REQUIRE((run_steps(given, 1, [=](std::uint32_t) {
                 DeInterleave(at<T>(0), at<T>(1), at<T>(2), at<T>(3), count);
               })[0] == parted));
      REQUIRE((run_steps(given, 1, [=](std::uint32_t) {
                 DeInterleave(at<T>(0), at<T>(1), at<T>(2), count);
               })[0] == halves));
    }
  });
}
#endif

namespace {

struct Squeeze {
  std::uint8_t pattern;  // 0: the bits of operand 2
  bool by_count;
  std::uint32_t count;  // elements of a repeat in the forms with a count
  std::uint8_t block, pattern_stride;
  std::uint16_t repeats, repeat;
};

bool is_kept(const Squeeze& how, const Bytes& bits, std::size_t repeat, std::size_t i) {
  switch (how.pattern) {
    case 0: {
      const std::size_t bit = repeat * how.pattern_stride * 256 + i;
      return (bits.at(bit / 8) >> bit % 8 & 1U) != 0;
    }
    case 1:
      return i % 2 == 0;
    case 2:
      return i % 2 == 1;
    case 7:
      return true;
    default:
      return i % 4 == std::size_t{how.pattern} - 3;
  }
}

template <class T>
void check_squeeze(const Squeeze& how) {
  using U = std::conditional_t<sizeof(T) == 1, std::uint8_t,
                               std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>>;
  const Type& t = type<T>();
  const Operands given = filled({&t, &t, &type<std::uint8_t>()}, Numbers::edges);
  Operands wanted = given;
  std::uint32_t kept = 0;
  for (std::size_t repeat = 0; repeat < how.repeats; ++repeat) {
    for (std::size_t i = 0; i < (how.by_count ? how.count : 256 / sizeof(T)); ++i) {
      if (!is_kept(how, given[2], repeat, i)) continue;
      const std::size_t in_block = 32 / sizeof(T);
      const std::size_t from =
          (repeat * how.repeat + i / in_block * how.block) * 32 + i % in_block * sizeof(T);
      store(wanted[0], kept++ * sizeof(T), t, load(given[1], from, t));
    }
  }
  Operands left = run_steps(given, 1, [&](std::uint32_t) {
    const GatherMaskParams params(how.block, how.repeats, how.repeat, how.pattern_stride);
    std::uint64_t count = 0;
    if (how.pattern == 0) {
      GatherMask(at<T>(0), at<T>(1), at<U>(2), how.by_count, how.count, params, count);
    } else {
      GatherMask(at<T>(0), at<T>(1), how.pattern, how.by_count, how.count, params, count);
    }
    at<std::uint32_t>(3).SetValue(0, static_cast<std::uint32_t>(count));
    at<std::uint32_t>(3).SetValue(1, static_cast<std::uint32_t>(GetGatherMaskRemainCount()));
  })[0];
  CAPTURE(t.name, int{how.pattern}, how.by_count, how.count, int{how.block}, how.repeats);
  REQUIRE((left[0] == wanted[0]));
  REQUIRE(load_bits(left[3], 0, type<std::uint32_t>()) == kept);
  REQUIRE(load_bits(left[3], 4, type<std::uint32_t>()) == kept);
}

}  // namespace

TEST_CASE("GatherMask keeps the elements of a pattern one behind the other, and tells how many",
          "[forms]") {
  each_type<FORMS_TYPES(B16_B32, B8_B16_B32)>([](auto value) {
    using T = decltype(value);
    constexpr std::uint32_t n = per_repeat_of<T>();
    for (std::uint8_t pattern = 0; pattern < 8; ++pattern) {
      check_squeeze<T>({pattern, false, 0, 1, 1, 1, 8});
      check_squeeze<T>({pattern, false, 0, 2, 2, 3, 17});
      check_squeeze<T>({pattern, true, n - 5, 1, 1, 3, 9});
      check_squeeze<T>({pattern, true, 3, 1, 0, 2, 4});
    }
  });
}

namespace {

template <class T>
void check_transpose() {
  const Type& t = type<T>();
  const Operands given = filled({&t, &t}, Numbers::edges);
  Operands wanted = given;
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t k = 0; k < 16; ++k)
      store(wanted[0], (k * 16 + i) * 2, t, load(given[1], (i * 16 + k) * 2, t));
  }
  CHECK((run_steps(given, 1, [](std::uint32_t) { Transpose(at<T>(0), at<T>(1)); })[0][0] ==
         wanted[0]));
}

/// N, C, H, W to N, H, W, C and back.
template <class T>
void check_layouts(std::uint16_t n, std::uint16_t c, std::uint16_t h, std::uint16_t w) {
  const Type& t = type<T>();
  const Operands given = filled({&t, &t}, Numbers::edges);
  Operands last = given, second = given;
  for (std::size_t in = 0; in < n; ++in) {
    for (std::size_t ic = 0; ic < c; ++ic) {
      for (std::size_t hw = 0; hw < std::size_t{h} * w; ++hw) {
        const std::size_t channels_second = ((in * c + ic) * h * w + hw) * sizeof(T);
        const std::size_t channels_last = ((in * h * w + hw) * c + ic) * sizeof(T);
        std::copy_n(given[1].begin() + static_cast<std::ptrdiff_t>(channels_second), sizeof(T),
                    last[0].begin() + static_cast<std::ptrdiff_t>(channels_last));
        std::copy_n(given[1].begin() + static_cast<std::ptrdiff_t>(channels_last), sizeof(T),
                    second[0].begin() + static_cast<std::ptrdiff_t>(channels_second));
      }
    }
  }
  CAPTURE(t.name, n, c, h, w);
  const auto run_one = [&](TransposeType how) {
    return run_steps(given, 1, [=](std::uint32_t) {
      Transpose(at<T>(0), at<T>(1), at<std::uint8_t>(2), TransposeParamsExt(n, c, h, w, how));
    })[0][0];
  };
  CHECK((run_one(TransposeType::TRANSPOSE_NCHW2NHWC) == last[0]));
  CHECK((run_one(TransposeType::TRANSPOSE_NHWC2NCHW) == second[0]));
}

enum class By { tensors, addresses, addresses_in_memory };
template <class T>
void trans_data(By by, const TransDataTo5HDParams& params) {
  constexpr std::uint32_t kPer = 32 / sizeof(T);
  LocalTensor<T> to[16], from[16];
  std::uint64_t to_address[16], from_address[16];
  const LocalTensor<std::uint64_t> to_list(TPosition::VECCALC, kOperands * kBytes, 16),
      from_list(TPosition::VECCALC, kOperands * kBytes + 128, 16);
  for (std::uint32_t i = 0; i < 16; ++i) {
    to[i] = at<T>(0)[i * kPer];
    from[i] = at<T>(1)[(i * 5 % 16) * kPer];
    to_address[i] = static_cast<std::uint64_t>(to[i].GetPhyAddr());
    from_address[i] = static_cast<std::uint64_t>(from[i].GetPhyAddr());
    to_list.SetValue(i, to_address[i]);
    from_list.SetValue(i, from_address[i]);
  }
  if (by == By::tensors) TransDataTo5HD(to, from, params);
  if (by == By::addresses) TransDataTo5HD<T>(to_address, from_address, params);
  if (by == By::addresses_in_memory) TransDataTo5HD<T>(to_list, from_list, params);
}
/// Elements of 16 bits: block k takes element k of each; of 32 bits: blocks 2k and 2k + 1 do, with
/// eight each.
template <class T>
void check_trans_data(std::uint8_t repeats) {
  const Type& t = type<T>();
  const Operands given = filled({&t, &t}, Numbers::edges);
  Operands wanted = given;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
    for (std::size_t i = 0; i < 16; ++i) {
      for (std::size_t k = 0; k < 32 / sizeof(T); ++k) {
        const std::size_t from = (i * 5 % 16 + repeat * 16) * 32 + k * sizeof(T);
        const std::size_t to = sizeof(T) == 2 ? k * 32 + i * 2 : (2 * k + i / 8) * 32 + i % 8 * 4;
        store(wanted[0], to + repeat * 16 * 32, t, load(given[1], from, t));
      }
    }
  }
  const std::uint16_t stride = repeats == 1 ? 0 : 16;
  for (const By by : {By::tensors, By::addresses, By::addresses_in_memory}) {
    CAPTURE(t.name, int{repeats}, static_cast<int>(by));
    CHECK((run_steps(given, 1, [=](std::uint32_t) {
             trans_data<T>(by, TransDataTo5HDParams(false, false, repeats, stride, stride));
           })[0][0] == wanted[0]));
  }
}

}  // namespace

TEST_CASE("Transpose turns 16 rows of 16, and moves channels to the end and back", "[forms]") {
  check_transpose<std::int16_t>();
  check_transpose<std::uint16_t>();
  check_transpose<half>();
  check_layouts<half>(1, 2, 3, 4);
  check_layouts<float>(2, 3, 4, 5);
  check_layouts<std::int8_t>(1, 16, 4, 8);
}

TEST_CASE(
    "TransDataTo5HD transposes 16 blocks, named by tensors, by addresses and by addresses in "
    "memory",
    "[forms]") {
  for (const std::uint8_t repeats : {1, 3}) {
    each_type<FORMS_TYPES(B8_B16_B32_NO_BF, B8_B16_B32)>([repeats](auto value) {
      if constexpr (sizeof(value) > 1)
        check_trans_data<decltype(value)>(repeats);  // bytes: forms_bytes_test.cpp
    });
  }
}

TEST_CASE("SetVectorMask of a number of lanes lets the first of them be written", "[forms]") {
  for (const std::int32_t number_of_lanes : {0, 1, 63, 64, 65, 128, 200}) {
    check_lanes(
        "Adds", {&type<half>(), &type<half>()}, Numbers::tame,
        {{Form::mask_n,
          0,
          {static_cast<std::uint64_t>(std::min(number_of_lanes, 128)), 0},
          2,
          false}},
        [=](const Lanes& lanes) {
          SetVectorMask<half>(number_of_lanes);
          Adds<half, false>(at<half>(0), at<half>(1), half(1.0F), MASK_PLACEHOLDER, lanes.repeats,
                            unary_params<half, half>(lanes));
        },
        [](const Lane& lane) { return real_value(lane.in[0].real + 1); });
  }
}

}  // namespace formsmoves
