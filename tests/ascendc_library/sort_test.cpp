// SPDX-License-Identifier: Apache-2.0
// Sorts of the library against std::stable_sort and plain selections on the host.
#include <algorithm>
#include <numeric>

#include "tests/ascendc_library/bench.h"
#include "tiling/tiling_api.h"

namespace library_test {
namespace {

using AscendC::SortConfig;
using AscendC::SortType;
using AscendC::TopKMode;

/// The places of the elements of one row in order; equal ones keep their order.
template <typename T>
std::vector<std::uint32_t> order_of(const std::vector<T>& row, bool descending) {
  std::vector<std::uint32_t> places(row.size());
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) {
    return descending ? number(row[a]) > number(row[b]) : number(row[a]) < number(row[b]);
  });
  return places;
}

template <typename T>
std::vector<T> with_equals(std::size_t count, double least, double most) {
  std::vector<T> values = random<T>(count, least, most);
  for (std::size_t i = 0; i + 3 < count; i += 4) values[i + 3] = values[i / 2];
  return values;
}

#if __NPU_ARCH__ == 3510
constexpr SortConfig kUp = {SortType::RADIX_SORT, false}, kDown = {SortType::RADIX_SORT, true},
                     kMergeUp = {SortType::MERGE_SORT, false},
                     kMergeDown = {SortType::MERGE_SORT, true};

template <typename T, typename U, const SortConfig& config>
void check_sort(double least, double most, std::uint32_t count) {
  CAPTURE(sizeof(T), sizeof(U), config.isDescend, static_cast<int>(config.type), count);
  const std::vector<T> from = with_equals<T>(count, least, most);
  std::vector<U> names(count);
  for (std::uint32_t i = 0; i < count; ++i) names[i] = U(1000 - i);
  const std::vector<std::uint32_t> order = order_of(from, config.isDescend);
  const bool merges = config.type == SortType::MERGE_SORT;
  const std::uint64_t bytes = aclsim_library::sort_temporary(count, sizeof(T), 8, merges, false);
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const auto src_index = memory.take(names);
    const auto tmp = memory.take<std::uint8_t>(bytes);
    const std::uint64_t room = merges ? count * 8 / sizeof(T) : count;
    std::vector<LocalTensor<T>> dst;
    for (int i = 0; i < 6; ++i) dst.push_back(memory.take<T>(room));
    const Result<std::uint32_t> made(memory, count), made_own(memory, count);
    const Result<U> given(memory, count), given_own(memory, count);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Sort<T, false, config>(dst[0], src, tmp, count);
    AscendC::Sort<T, false, config>(dst[1], src, count);
    AscendC::Sort<T, false, config>(dst[2], made.tensor(), src, tmp, count);
    AscendC::Sort<T, false, config>(dst[3], made_own.tensor(), src, count);
    AscendC::Sort<T, U, false, config>(dst[4], given.tensor(), src, src_index, tmp, count);
    AscendC::Sort<T, U, false, config>(dst[5], given_own.tensor(), src, src_index, count);
    AscendC::PipeBarrier<PIPE_ALL>();
    for (const auto& sorted : dst) {
      for (std::uint32_t i = 0; i < count; ++i) {
        CHECK(number(sorted.GetValue(i)) == number(from[order[i]]));
      }
    }
    CHECK(made.values() == order);
    CHECK(made_own.values() == order);
    check_each(given.values(), [&](std::size_t i) { return number(names[order[i]]); });
    check_each(given_own.values(), [&](std::size_t i) { return number(names[order[i]]); });
  });
  CHECK(text == "");
}

template <typename T>
void check_radix(double least, double most) {
  for (const std::uint32_t count : {1U, 7U, 100U}) {
    check_sort<T, std::uint32_t, kUp>(least, most, count);
    check_sort<T, std::int64_t, kDown>(least, most, count);
  }
}

TEST_CASE("a radix sort is stable for all types, upwards and downwards", "[sort]") {
  check_radix<std::uint8_t>(0, 255);
  check_radix<std::int8_t>(-128, 127);
  check_radix<std::uint16_t>(0, 6e4);
  check_radix<std::int16_t>(-3e4, 3e4);
  check_radix<std::uint32_t>(0, 4e9);
  check_radix<std::int32_t>(-2e9, 2e9);
  check_radix<std::uint64_t>(0, 4e15);
  check_radix<std::int64_t>(-4e15, 4e15);
  check_radix<half>(-100, 100);
  check_radix<bfloat16_t>(-100, 100);
  check_radix<float>(-100, 100);
}

TEST_CASE("a merge sort is stable and sorts multiples of 32 elements", "[sort]") {
  for (const std::uint32_t count : {32U, 96U}) {
    check_sort<half, std::uint32_t, kMergeUp>(-9, 9, count);
    check_sort<float, std::uint32_t, kMergeDown>(-9, 9, count);
  }
  const std::string text = refused([] {
    Memory memory;
    const auto src = memory.take(random<float>(40, 0, 1));
    AscendC::Sort<float, false, kMergeUp>(memory.take<float>(80), src, 40U);
  });
  CHECK(contains(text, "Sort: calCount of MERGE_SORT is 40; expected a multiple of 32"));
}

TEST_CASE("the least memory of a sort is what the kernel needs", "[sort]") {
  SortConfig config;
  std::uint32_t most = 0, least = 0;
  AscendC::GetSortMaxMinTmpSize(AscendC::TensorShape({64}), ge::DT_FLOAT, ge::DT_UINT32, false,
                                config, most, least);
  const auto call = [&](std::uint32_t bytes) {
    Memory memory;
    const auto src = memory.take(random<float>(64, 0, 1));
    const auto dst = memory.take<float>(64);
    const auto tmp = memory.take<std::uint8_t>(bytes);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Sort<float>(dst, src, tmp, 64U);
  };
  CHECK(run([&] { call(least); }) == "");
  CHECK(contains(refused([&] { call(least - 32); }), "Sort: tensor tmp: 1536 bytes needed, 1504"));
}
#endif

struct Rows {
  std::int32_t outter, inner, n, k;
};

template <typename T>
constexpr ge::DataType kTypeOf = sizeof(T) == 1   ? ge::DT_INT8
                                 : sizeof(T) == 2 ? ge::DT_FLOAT16
                                 : sizeof(T) == 4 ? ge::DT_FLOAT
                                                  : ge::DT_INT64;

/// The places of the first k elements. Unsorted: in the order of the row, the equals of the last
/// one behind the others.
template <typename T>
std::vector<std::uint32_t> first_places(const std::vector<T>& row, bool largest, std::uint32_t k,
                                        bool sorted) {
  std::vector<std::uint32_t> order = order_of(row, largest);
  order.resize(k);
  if (sorted) return order;
  const double last = number(row[order[k - 1]]);
  std::sort(order.begin(), order.end());
  std::stable_partition(order.begin(), order.end(),
                        [&](std::uint32_t i) { return number(row[i]) != last; });
  return order;
}

template <typename T, bool has_index, bool has_finish, TopKMode mode,
          const AscendC::TopKConfig& config = AscendC::defaultTopKConfig>
void check_topk(const Rows& rows, bool largest, double least, double most) {
  CAPTURE(sizeof(T), has_index, has_finish, rows.outter, rows.inner, rows.n, rows.k, largest);
  constexpr bool kSmall = mode == TopKMode::TOPK_NSMALL;
  const auto inner = static_cast<std::uint32_t>(rows.inner);
  const auto outter = static_cast<std::uint32_t>(rows.outter);
  const auto k = static_cast<std::uint32_t>(rows.k);
  std::vector<T> from = with_equals<T>(std::size_t{outter} * inner, least, most);
  for (std::uint32_t i = 0; i < from.size(); ++i) {
    if (i % inner >= static_cast<std::uint32_t>(rows.n)) from[i] = T(largest ? least : most);
  }
  std::vector<std::int32_t> names(kSmall ? from.size() : inner);
  for (std::uint32_t i = 0; i < names.size(); ++i) names[i] = static_cast<std::int32_t>(5 * i);
  std::vector<std::uint8_t> finish(outter);
  for (std::uint32_t i = 0; i < outter; ++i) finish[i] = i % 2;
  std::uint32_t most_bytes = 0, bytes = 0;
  CHECK(AscendC::GetTopKMaxMinTmpSize(rows.inner, rows.outter, rows.k, false, has_index, mode,
                                      largest, kTypeOf<T>, config, most_bytes, bytes));
  const std::uint32_t value_stride = kSmall ? k : (k * sizeof(T) + 31) / 32 * 32 / sizeof(T);
  const std::uint32_t index_stride = kSmall ? k : (k + 7) / 8 * 8;
  const std::string text = run([&] {
    Memory memory;
    const auto src = memory.take(from);
    const auto src_index = memory.take(names);
    const auto finished = memory.take(finish).template ReinterpretCast<bool>();
    const auto tmp = memory.take<std::uint8_t>(bytes);
    const Result<T> values(memory, outter * value_stride), own(memory, outter * value_stride);
    const Result<std::int32_t> indices(memory, outter * index_stride),
        own_indices(memory, outter * index_stride);
    AscendC::TopKInfo info;
    info.outter = rows.outter;
    info.inner = rows.inner;
    info.n = rows.n;
    const AscendC::TopkTiling tiling{};
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::TopK<T, has_index, has_finish, false, mode, config>(values.tensor(), indices.tensor(),
                                                                 src, src_index, finished, tmp,
                                                                 rows.k, tiling, info, largest);
    AscendC::TopK<T, has_index, has_finish, false, mode, config>(own.tensor(), own_indices.tensor(),
                                                                 src, src_index, finished, rows.k,
                                                                 tiling, info, largest);
    for (std::uint32_t row = 0; row < outter; ++row) {
      const std::vector<T> part(from.begin() + row * inner, from.begin() + (row + 1) * inner);
      const std::vector<std::uint32_t> order = first_places(part, largest, k, config.sorted);
      for (std::uint32_t i = 0; i < k; ++i) {
        const std::uint32_t place = order[i];
        std::int32_t name = static_cast<std::int32_t>(place);
        if (has_index) name = names[kSmall ? row * inner + place : place];
        if (has_finish && row % 2 == 1) name = rows.n;
        CHECK(number(values.values()[row * value_stride + i]) == number(part[place]));
        CHECK(number(own.values()[row * value_stride + i]) == number(part[place]));
        CHECK(indices.values()[row * index_stride + i] == name);
        CHECK(own_indices.values()[row * index_stride + i] == name);
      }
    }
  });
  CHECK(text == "");
}

TEST_CASE("TopK takes the greatest or least elements of each row", "[sort]") {
  for (const bool largest : {true, false}) {
    for (const Rows& rows : {Rows{1, 32, 32, 32}, Rows{3, 64, 50, 9}, Rows{2, 160, 160, 17}}) {
      check_topk<float, false, false, TopKMode::TOPK_NORMAL>(rows, largest, -9, 9);
      check_topk<half, true, false, TopKMode::TOPK_NORMAL>(rows, largest, -9, 9);
      check_topk<float, true, true, TopKMode::TOPK_NORMAL>(rows, largest, -9, 9);
    }
    for (const Rows& rows : {Rows{1, 32, 20, 5}, Rows{4, 32, 32, 7}}) {
      check_topk<float, true, false, TopKMode::TOPK_NSMALL>(rows, largest, -9, 9);
      check_topk<half, false, false, TopKMode::TOPK_NSMALL>(rows, largest, -9, 9);
    }
  }
}

#if __NPU_ARCH__ == 3510
constexpr AscendC::TopKConfig kRadix = {AscendC::TopKAlgo::RADIX_SELECT, AscendC::TopKOrder::UNSET,
                                        true},
                              kUnsorted = {AscendC::TopKAlgo::RADIX_SELECT,
                                           AscendC::TopKOrder::UNSET, false};

TEST_CASE("TopK by digits has all types, and keeps the order of the source if unsorted", "[sort]") {
  for (const bool largest : {true, false}) {
    const Rows rows{2, 64, 60, 11};
    check_topk<std::int8_t, true, false, TopKMode::TOPK_NORMAL, kRadix>(rows, largest, -90, 90);
    check_topk<std::int64_t, false, false, TopKMode::TOPK_NORMAL, kRadix>(rows, largest, -9e9, 9e9);
    check_topk<bfloat16_t, false, false, TopKMode::TOPK_NORMAL, kRadix>(rows, largest, -90, 90);
    check_topk<float, true, false, TopKMode::TOPK_NORMAL, kUnsorted>(rows, largest, -9, 9);
    check_topk<float, false, false, TopKMode::TOPK_NSMALL, kUnsorted>({3, 32, 32, 6}, largest, -9,
                                                                      9);
  }
}
#endif

TEST_CASE("TopK puts NaN first in both directions", "[sort]") {
  std::vector<float> from = random<float>(32, -9, 9);
  from[7] = std::nanf("");
  for (const bool largest : {true, false}) {
    CHECK(run([&] {
            Memory memory;
            const auto src = memory.take(from);
            const Result<float> value(memory, 8);
            const Result<std::int32_t> index(memory, 8);
            AscendC::PipeBarrier<PIPE_ALL>();
            AscendC::TopK<float>(value.tensor(), index.tensor(), src, LocalTensor<std::int32_t>(),
                                 LocalTensor<bool>(), 2, AscendC::TopkTiling{},
                                 AscendC::TopKInfo{1, 32, 32}, largest);
            CHECK(std::isnan(value.values()[0]));
            CHECK(index.values()[0] == 7);
          }) == "");
  }
}

TEST_CASE("the tiling of TopK describes the shape, and wrong shapes are refused", "[sort]") {
  const platform_ascendc::PlatformAscendC platform;
  AscendC::tiling::TopkTiling tiling;
  optiling::TopkTiling of_operator;
  CHECK(AscendC::TopKTilingFunc(platform, 64, 3, 9, 4, false, TopKMode::TOPK_NORMAL, true, tiling));
  CHECK(tiling.allDataSize == 192);
  CHECK(tiling.innerDataSize == 64);
  CHECK(tiling.kAlignFourBytes == 16);
  CHECK(AscendC::TopKTilingFunc(platform, 64, 3, 9, 4, false, TopKMode::TOPK_NORMAL, true,
                                of_operator));
  CHECK(of_operator.get_allDataSize() == 192);
  CHECK(of_operator.get_kAlignTwoBytes() == 16);
  CHECK(
      !AscendC::TopKTilingFunc(platform, 33, 3, 9, 4, false, TopKMode::TOPK_NORMAL, true, tiling));
  CHECK(AscendC::GetSortTmpSize(platform, 128, 4) == 1024);
  // One place in the code for each call: a place reports once.
  const std::string text = refused([&] {
    Memory memory;
    const auto src = memory.take(random<float>(32, -1, 1));
    const auto value = memory.take<float>(8);
    const auto index = memory.take<std::int32_t>(8);
    const auto finish = memory.take<std::uint8_t>(32).ReinterpretCast<bool>();
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::TopK<float, false, true, false, TopKMode::TOPK_NSMALL>(
        value, index, src, LocalTensor<std::int32_t>(), finish, 1, AscendC::TopkTiling{},
        AscendC::TopKInfo{1, 32, 32});
  });
  CHECK(contains(text, "TopK: isHasfinish is true; expected false"));
#define CHECK_REFUSED(outter, inner, n, k, bytes, sentence)                                 \
  CHECK(contains(refused([&] {                                                              \
                   Memory memory;                                                           \
                   const auto src = memory.take(random<float>(64, -1, 1));                  \
                   const auto value = memory.take<float>(16);                               \
                   const auto index = memory.take<std::int32_t>(16);                        \
                   const auto tmp = memory.take<std::uint8_t>(bytes);                       \
                   AscendC::PipeBarrier<PIPE_ALL>();                                        \
                   AscendC::TopK<float>(value, index, src, LocalTensor<std::int32_t>(),     \
                                        LocalTensor<bool>(), tmp, k, AscendC::TopkTiling{}, \
                                        AscendC::TopKInfo{outter, inner, n});               \
                 }),                                                                        \
                 sentence));
  CHECK_REFUSED(1, 33, 33, 1, 4096, "TopK: topKInfo.inner is 33; expected a multiple of 32")
  CHECK_REFUSED(1, 32, 33, 1, 4096, "TopK: topKInfo.n is 33; expected 1 to 32")
  CHECK_REFUSED(1, 32, 30, 31, 4096, "TopK: k is 31; expected 1 to 30")
  CHECK_REFUSED(1, 32, 32, 4, 608, "TopK: tensor tmp: 640 bytes needed, 608 there")
  CHECK_REFUSED(3, 32, 32, 4, 640, "TopK: tensor src: 384 bytes needed, 256 there")
  CHECK_REFUSED(2, 32, 32, 9, 640, "TopK: tensor dstValue: 128 bytes needed, 64 there")
}

}  // namespace
}  // namespace library_test
