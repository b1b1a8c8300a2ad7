// SPDX-License-Identifier: Apache-2.0
// Reductions by all of their names: of blocks, pairs, repeats and tensors, in each form, against
// plain loops. The numbers are such that the order of a sum does not matter.
#include <cmath>
#include <optional>

#include "tests/ascendc/forms.h"

namespace formsreduce {
namespace {

using namespace forms;

/// The values of the lanes of one group, each with its lane.
struct Group {
  std::vector<Value> values;
  std::vector<unsigned> lanes;
};
Value sum(const Group& group) {
  Value all;
  for (const Value& value : group.values) {
    all.real += value.real;
    all.whole += value.whole;
  }
  return all;
}
/// The first of equal values.
std::size_t extreme(const Group& group, bool most) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < group.values.size(); ++i) {
    const Value &a = group.values[i], &b = group.values[best];
    const bool better =
        most ? a.real > b.real || a.whole > b.whole : a.real < b.real || a.whole < b.whole;
    if (better) best = i;
  }
  return best;
}

constexpr int kRepeatStride = 2;  // of the destination, in results of a repeat

/// `size` lanes of a repeat make one result, where one of them is on.
template <class T>
void groups_of(const Lanes& lanes, const Operands& given, unsigned size,
               const std::function<void(unsigned repeat, unsigned group, const Group&)>& f) {
  constexpr unsigned n = per_repeat_of<T>();
  for (unsigned repeat = 0; repeat < lanes.repeats; ++repeat) {
    for (unsigned first = 0; first < n; first += size) {
      Group group;
      for (unsigned lane = first; lane < first + size; ++lane) {
        if (!is_on(lanes, lane)) continue;
        group.values.push_back(
            load(given[1], place_of(lanes, 1, n, type<T>(), repeat, lane), type<T>()));
        group.lanes.push_back(lane);
      }
      if (!group.values.empty()) f(repeat, first / size, group);
    }
  }
}

std::vector<Lanes> masked_lanes(unsigned n) {
  std::vector<Lanes> all = all_lanes(n);
  std::erase_if(all, [](const Lanes& each) { return is_counted(each); });
  return all;
}

using Wanted = std::function<void(const Lanes&, const Operands& given, Bytes& dst)>;

template <class T>
void check_all(const char* name, const std::function<void(const Lanes&)>& call,
               const Wanted& wanted_of) {
  const Type& t = type<T>();
  const Operands given = filled({&t, &t, &t, &t}, Numbers::tame);
  const std::vector<Lanes> all = masked_lanes(per_repeat_of<T>());
  const std::vector<Operands> left =
      run_steps(given, all.size(), [&](std::uint32_t step) { call(all[step]); });
  for (std::size_t step = 0; step < all.size(); ++step) {
    Bytes wanted = given[0];
    wanted_of(all[step], given, wanted);
    INFO(name << " " << t.name << ", form " << static_cast<int>(all[step].form) << ", step "
              << step);
    check_operand(left[step][0], wanted, t);
    REQUIRE(left[step][1] == given[1]);
  }
}

/// Name<first, T, ...>(dst, src, mask, repeats, strides): what the newer names have in common.
#define REDUCE_CALL(Name, KEPT, ...)                                                   \
  [](const Lanes& lanes) {                                                             \
    const BlockStride s = stride_of(lanes, 1, per_repeat_of<T>(), type<T>());          \
    const std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};                      \
    const auto first = static_cast<std::int32_t>(lanes.mask[0]);                       \
    if (lanes.form == Form::mask_n) {                                                  \
      Name(at<T>(0), at<T>(1), first, lanes.repeats, kRepeatStride, s.block,           \
           s.repeat __VA_OPT__(, ) __VA_ARGS__);                                       \
    } else if (lanes.form == Form::mask_bits) {                                        \
      Name(at<T>(0), at<T>(1), bits, lanes.repeats, kRepeatStride, s.block,            \
           s.repeat __VA_OPT__(, ) __VA_ARGS__);                                       \
    } else {                                                                           \
      set_lanes<T>(lanes);                                                             \
      KEPT(at<T>(0), at<T>(1), std::int32_t{0}, lanes.repeats, kRepeatStride, s.block, \
           s.repeat __VA_OPT__(, ) __VA_ARGS__);                                       \
    }                                                                                  \
  }
/// The older ones have the repeats first.
#define REDUCE_CALL_OLD(Name)                                                                    \
  [](const Lanes& lanes) {                                                                       \
    const BlockStride s = stride_of(lanes, 1, per_repeat_of<T>(), type<T>());                    \
    const std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};                                \
    const auto first = static_cast<std::int32_t>(lanes.mask[0]);                                 \
    if (lanes.form == Form::mask_n) {                                                            \
      Name(at<T>(0), at<T>(1), lanes.repeats, first, kRepeatStride, s.block, s.repeat);          \
    } else if (lanes.form == Form::mask_bits) {                                                  \
      Name(at<T>(0), at<T>(1), lanes.repeats, bits, kRepeatStride, s.block, s.repeat);           \
    } else {                                                                                     \
      set_lanes<T>(lanes);                                                                       \
      Name<T, false>(at<T>(0), at<T>(1), lanes.repeats, std::int32_t{0}, kRepeatStride, s.block, \
                     s.repeat);                                                                  \
    }                                                                                            \
  }

enum class Kind { sum, most, least };
Value reduced(const Group& group, Kind kind) {
  return kind == Kind::sum ? sum(group) : group.values[extreme(group, kind == Kind::most)];
}

/// One result per `size` lanes; the results of a repeat are contiguous.
template <class T>
Wanted of_groups(unsigned size, Kind kind) {
  return [=](const Lanes& lanes, const Operands& given, Bytes& dst) {
    groups_of<T>(lanes, given, size, [&](unsigned repeat, unsigned group, const Group& values) {
      const unsigned i = repeat * kRepeatStride * (per_repeat_of<T>() / size) + group;
      store(dst, std::size_t{i} * sizeof(T), type<T>(), reduced(values, kind));
    });
  };
}

}  // namespace

TEST_CASE("ReduceDataBlock and its older names give one result per block", "[forms]") {
  each_type<FORMS_TYPES(F16_F32, F16_F32)>([](auto value) {
    using T = decltype(value);
    constexpr unsigned kBlock = 32 / sizeof(T);
    const Wanted sums = of_groups<T>(kBlock, Kind::sum), most = of_groups<T>(kBlock, Kind::most),
                 least = of_groups<T>(kBlock, Kind::least);
    check_all<T>("ReduceDataBlock SUM",
                 REDUCE_CALL((ReduceDataBlock<ReduceType::SUM, T, T>),
                             (ReduceDataBlock<ReduceType::SUM, T, T, false>)),
                 sums);
    check_all<T>("ReduceDataBlock MAX",
                 REDUCE_CALL((ReduceDataBlock<ReduceType::MAX, T, T>),
                             (ReduceDataBlock<ReduceType::MAX, T, T, false>)),
                 most);
    check_all<T>("ReduceDataBlock MIN",
                 REDUCE_CALL((ReduceDataBlock<ReduceType::MIN, T, T>),
                             (ReduceDataBlock<ReduceType::MIN, T, T, false>)),
                 least);
    check_all<T>("BlockReduceSum", REDUCE_CALL_OLD(BlockReduceSum), sums);
    check_all<T>("BlockReduceMax", REDUCE_CALL_OLD(BlockReduceMax), most);
    check_all<T>("BlockReduceMin", REDUCE_CALL_OLD(BlockReduceMin), least);
  });
}

TEST_CASE("ReducePairElem and PairReduceSum add neighbours, of which one may be masked",
          "[forms]") {
  each_type<FORMS_TYPES(F16_F32, F16_F32)>([](auto value) {
    using T = decltype(value);
    check_all<T>("ReducePairElem",
                 REDUCE_CALL((ReducePairElem<ReduceType::SUM, T, T>),
                             (ReducePairElem<ReduceType::SUM, T, T, false>)),
                 of_groups<T>(2, Kind::sum));
    check_all<T>("PairReduceSum", REDUCE_CALL_OLD(PairReduceSum), of_groups<T>(2, Kind::sum));
  });
}

namespace {

/// Value and index of each repeat, or one of both; an index takes the bits of an element, alone it
/// takes 4 bytes.
template <class T>
Wanted of_repeats(bool most, ReduceOrder order) {
  return [=](const Lanes& lanes, const Operands& given, Bytes& dst) {
    groups_of<T>(
        lanes, given, per_repeat_of<T>(), [&](unsigned repeat, unsigned, const Group& values) {
          const std::size_t best = extreme(values, most);
          const std::uint32_t index = values.lanes[best];
          const std::size_t size = sizeof(T);
          const bool alone = order == ReduceOrder::ORDER_ONLY_VALUE;
          if (order == ReduceOrder::ORDER_ONLY_INDEX) {
            std::memcpy(&dst.at(std::size_t{repeat} * kRepeatStride * 4), &index, 4);
            return;
          }
          const std::size_t begin = std::size_t{repeat} * kRepeatStride * size * (alone ? 1 : 2);
          const bool value_first = order != ReduceOrder::ORDER_INDEX_VALUE;
          store(dst, begin + (value_first ? 0 : size), type<T>(), values.values[best]);
          if (!alone) std::memcpy(&dst.at(begin + (value_first ? size : 0)), &index, size);
        });
  };
}

template <class T, ReduceOrder order>
void check_order() {
  check_all<T>("ReduceRepeat MAX",
               REDUCE_CALL((ReduceRepeat<ReduceType::MAX, T, T>),
                           (ReduceRepeat<ReduceType::MAX, T, T, false>), order),
               of_repeats<T>(true, order));
  check_all<T>("ReduceRepeat MIN",
               REDUCE_CALL((ReduceRepeat<ReduceType::MIN, T, T>),
                           (ReduceRepeat<ReduceType::MIN, T, T, false>), order),
               of_repeats<T>(false, order));
  check_all<T>("WholeReduceMax", REDUCE_CALL(WholeReduceMax, (WholeReduceMax<T, false>), order),
               of_repeats<T>(true, order));
  check_all<T>("WholeReduceMin", REDUCE_CALL(WholeReduceMin, (WholeReduceMin<T, false>), order),
               of_repeats<T>(false, order));
}

}  // namespace

TEST_CASE("ReduceRepeat and its older names give the sum of each repeat", "[forms]") {
  each_type<FORMS_TYPES(F16_F32, B16_B32_NO_BF)>([](auto value) {
    using T = decltype(value);
    const Wanted sums = of_groups<T>(per_repeat_of<T>(), Kind::sum);
    check_all<T>("ReduceRepeat SUM",
                 REDUCE_CALL((ReduceRepeat<ReduceType::SUM, T, T>),
                             (ReduceRepeat<ReduceType::SUM, T, T, false>)),
                 sums);
    check_all<T>("WholeReduceSum", REDUCE_CALL(WholeReduceSum, (WholeReduceSum<T, false>)), sums);
    check_all<T>(
        "RepeatReduceSum",
        [](const Lanes& lanes) {
          const BlockStride s = stride_of(lanes, 1, per_repeat_of<T>(), type<T>());
          const auto first = static_cast<std::int32_t>(lanes.mask[0]);
          if (lanes.form == Form::mask_n) {
            RepeatReduceSum(at<T>(0), at<T>(1), lanes.repeats, first, 3, s.block, kRepeatStride,
                            s.repeat);
          } else {
            set_lanes<T>(lanes);
            RepeatReduceSum<T, false>(at<T>(0), at<T>(1), lanes.repeats, 0, 3, s.block,
                                      kRepeatStride, s.repeat);
          }
        },
        sums);
  });
}

TEST_CASE(
    "ReduceRepeat and its older names give the greatest and the least of each repeat in each order",
    "[forms]") {
  each_type<FORMS_TYPES(F16_F32, B16_B32_NO_BF)>([](auto value) {
    using T = decltype(value);
    check_order<T, ReduceOrder::ORDER_VALUE_INDEX>();
    check_order<T, ReduceOrder::ORDER_INDEX_VALUE>();
    check_order<T, ReduceOrder::ORDER_ONLY_VALUE>();
    check_order<T, ReduceOrder::ORDER_ONLY_INDEX>();
  });
}

namespace {

/// All lanes that are on, numbered through the repeats. The source has a stride between repeats
/// alone.
template <class T>
Group all_of(const Lanes& lanes, const Operands& given) {
  constexpr unsigned n = per_repeat_of<T>();
  Group group;
  each_lane(lanes, n, [&](unsigned repeat, unsigned lane) {
    const unsigned stride =
        lanes.form == Form::count ? 8U : stride_of(lanes, 1, n, type<T>()).repeat;
    group.values.push_back(load(given[1], repeat * stride * 32 + lane * sizeof(T), type<T>()));
    group.lanes.push_back(repeat * n + lane);
  });
  return group;
}

std::vector<Lanes> whole_lanes(unsigned n) {
  std::vector<Lanes> all = all_lanes(n);
  std::erase_if(all, [](const Lanes& each) {
    return each.form != Form::count && each.form != Form::mask_n && each.form != Form::mask_bits;
  });
  return all;
}

template <class T>
void check_whole(const char* name, Kind kind, bool index,
                 const std::function<void(const Lanes&)>& call) {
  const Type& t = type<T>();
  Operands given = filled({&t, &t, &t, &t}, Numbers::tame);
  const std::vector<Lanes> all = whole_lanes(per_repeat_of<T>());
  const std::vector<Operands> left =
      run_steps(given, all.size(), [&](std::uint32_t step) { call(all[step]); });
  for (std::size_t step = 0; step < all.size(); ++step) {
    const Group group = all_of<T>(all[step], given);
    Bytes wanted = given[0];
    if (!group.values.empty()) {
      store(wanted, 0, t, reduced(group, kind));
      if (index) {
        const std::uint64_t place = group.lanes[extreme(group, kind == Kind::most)];
        std::memcpy(&wanted[sizeof(T)], &place, sizeof(T));
      }
    }
    INFO(name << " " << t.name << ", form " << static_cast<int>(all[step].form) << ", step "
              << step);
    check_operand(left[step][0], wanted, t);
  }
}
#define REDUCE_WHOLE(Name, ...)                                                                    \
  [](const Lanes& lanes) {                                                                         \
    const std::int32_t stride = stride_of(lanes, 1, per_repeat_of<T>(), type<T>()).repeat;         \
    const std::uint64_t bits[2] = {lanes.mask[0], lanes.mask[1]};                                  \
    const auto first = static_cast<std::int32_t>(lanes.mask[0]);                                   \
    if (lanes.form == Form::count) {                                                               \
      Name(at<T>(0), at<T>(1), at<T>(2),                                                           \
           static_cast<std::int32_t>(lanes.count) __VA_OPT__(, ) __VA_ARGS__);                     \
    } else if (lanes.form == Form::mask_n) {                                                       \
      Name(at<T>(0), at<T>(1), at<T>(2), first, lanes.repeats, stride __VA_OPT__(, ) __VA_ARGS__); \
    } else {                                                                                       \
      Name(at<T>(0), at<T>(1), at<T>(2), bits, lanes.repeats, stride __VA_OPT__(, ) __VA_ARGS__);  \
    }                                                                                              \
  }

}  // namespace

TEST_CASE(
    "ReduceSum, ReduceMax and ReduceMin make one value of a tensor, with its place where it is "
    "asked",
    "[forms]") {
  each_type<FORMS_TYPES(F16_F32, SUMS)>([](auto value) {
    using T = decltype(value);
    check_whole<T>("ReduceSum", Kind::sum, false, REDUCE_WHOLE(ReduceSum));
  });
  each_type<FORMS_TYPES(F16_F32, B16_B64_NO_BF)>([](auto value) {
    using T = decltype(value);
    check_whole<T>("ReduceMax", Kind::most, false, REDUCE_WHOLE(ReduceMax));
    check_whole<T>("ReduceMin", Kind::least, false, REDUCE_WHOLE(ReduceMin));
    check_whole<T>("ReduceMax with its place", Kind::most, true, REDUCE_WHOLE(ReduceMax, true));
    check_whole<T>("ReduceMin with its place", Kind::least, true, REDUCE_WHOLE(ReduceMin, true));
  });
}

TEST_CASE(
    "the registers of reductions have the last value, its place and the last sum, by either name",
    "[forms]") {
  const Type& t = type<half>();
  Operands given = filled({&t, &t}, Numbers::tame);
  for (std::size_t i = 0; i < 128; ++i)
    store(given[1], i * 2, t, real_value(static_cast<double>(i % 50)));
  store(given[1], 90 * 2, t, real_value(99));
  const Operands left = run_steps(given, 1, [](std::uint32_t) {
    half most = 0, place = 0, value = 0;
    WholeReduceMax(at<half>(0), at<half>(1), 128, 1, 1, 1, 8);
    GetReduceRepeatMaxMinSpr<half>(most, place);
    GetReduceRepeatMaxMinSpr<half>(value);
    at<half>(2).SetValue(0, most);
    at<half>(2).SetValue(1, place);
    at<half>(2).SetValue(2, value);
    GetReduceMaxMinCount<half>(most, place);
    GetReduceMaxMinCount<half>(value);
    at<half>(2).SetValue(3, most);
    at<half>(2).SetValue(4, place);
    at<half>(2).SetValue(5, value);
    PipeBarrier<PIPE_ALL>();
    ReduceSum<half>(at<half>(0), at<half>(1), at<half>(3), 5);
    at<half>(2).SetValue(6, GetReduceRepeatSumSpr<half>());
    at<half>(2).SetValue(7, GetAccVal<half>());
  })[0];
  const auto got = [&](std::size_t i) { return load(left[2], i * 2, t).real; };
  for (const std::size_t i : {0U, 2U, 3U, 5U}) CHECK(got(i) == 99);
  CHECK(load_bits(left[2], 2, t) == 90);
  CHECK(load_bits(left[2], 8, t) == 90);
  CHECK(got(6) == 10);
  CHECK(got(7) == 10);
}

}  // namespace formsreduce
