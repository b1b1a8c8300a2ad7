// SPDX-License-Identifier: Apache-2.0
// Sort32 and MrgSort in each form, against plain loops.
#include <algorithm>
#include <cstring>

#include "tests/ascendc/forms.h"

namespace formssort {

using namespace forms;

namespace {

struct Record {
  double score;
  std::uint32_t index;
};
void put_record(Bytes& bytes, std::size_t i, const Type& t, const Record& record) {
  std::memset(&bytes.at(i * 8), 0, 4);
  store(bytes, i * 8, t, real_value(record.score));
  std::memcpy(&bytes.at(i * 8 + 4), &record.index, 4);
}
Record record_at(const Bytes& bytes, std::size_t i, const Type& t) {
  Record record{load(bytes, i * 8, t).real, 0};
  std::memcpy(&record.index, &bytes.at(i * 8 + 4), 4);
  return record;
}
void descend(std::vector<Record>& records) {
  std::stable_sort(records.begin(), records.end(),
                   [](const Record& a, const Record& b) { return a.score > b.score; });
}
void check_records(const Bytes& got, const std::vector<Record>& wanted, const Type& t) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    CAPTURE(t.name, i);
    const Record record = record_at(got, i, t);
    REQUIRE(record.score == wanted[i].score);
    REQUIRE(record.index == wanted[i].index);
  }
}

template <class T>
void check_sort32(std::int32_t repeats) {
  const Type& t = type<T>();
  Operands given = filled({&t, &t, &type<std::uint32_t>()}, Numbers::tame);
  std::vector<Record> wanted;
  for (std::int32_t repeat = 0; repeat < repeats; ++repeat) {
    std::vector<Record> group;
    for (std::size_t i = static_cast<std::size_t>(repeat) * 32; group.size() < 32; ++i) {
      group.push_back(
          {load(given[1], i * sizeof(T), t).real,
           static_cast<std::uint32_t>(load_bits(given[2], i * 4, type<std::uint32_t>()))});
    }
    descend(group);
    wanted.insert(wanted.end(), group.begin(), group.end());
  }
  const Operands left = run_steps(given, 1, [=](std::uint32_t) {
    Sort32(at<T>(0), at<T>(1), at<std::uint32_t>(2), repeats);
  })[0];
  check_records(left[0], wanted, t);
  REQUIRE(
      std::equal(left[0].begin() + repeats * 256, left[0].end(), given[0].begin() + repeats * 256));
}

/// Four descending lists, one after the other in operand 1; some scores occur in several lists.
struct Lists {
  std::uint16_t lengths[4];
  std::uint16_t valid;
  unsigned count() const { return valid == 3 ? 2 : valid == 7 ? 3 : 4; }
};
template <class T>
MrgSortSrcList<T> sources() {
  constexpr std::uint32_t kApart = 256 / sizeof(T);  // 32 records
  const auto all = at<T>(1);
  return {all, all[kApart], all[2 * kApart], all[3 * kApart]};
}
std::vector<std::vector<Record>> lists_of(const Lists& lists) {
  std::vector<std::vector<Record>> all(lists.count());
  for (unsigned list = 0; list < all.size(); ++list) {
    for (std::uint32_t i = 0; i < lists.lengths[list]; ++i) {
      all[list].push_back({20.0 - static_cast<double>(i * (list + 1) / 2), list * 100 + i});
    }
  }
  return all;
}

template <class T>
void check_merge(const Lists& lists, bool suspends) {
  const Type& t = type<T>();
  Operands given = filled({&t, &t}, Numbers::tame);
  const auto all = lists_of(lists);
  std::vector<Record> wanted;
  for (unsigned list = 0; list < all.size(); ++list) {
    for (std::size_t i = 0; i < all[list].size(); ++i)
      put_record(given[1], list * 32 + i, t, all[list][i]);
  }
  std::size_t taken[4] = {};
  for (bool goes_on = true; goes_on;) {
    int best = -1;
    for (unsigned list = 0; list < all.size(); ++list) {
      if (taken[list] == all[list].size()) continue;
      if (best < 0 ||
          all[list][taken[list]].score > all[static_cast<unsigned>(best)][taken[best]].score)
        best = static_cast<int>(list);
    }
    if (best < 0) break;
    wanted.push_back(all[static_cast<unsigned>(best)][taken[best]++]);
    goes_on = !suspends || taken[best] < all[static_cast<unsigned>(best)].size();
  }
  for (const bool by_lengths : {false, true}) {
    const Operands left = run_steps(given, 1, [&](std::uint32_t) {
      std::uint16_t sorted[4] = {};
      std::uint32_t told[4] = {};
      if (by_lengths && suspends) {
        MrgSort<T, true>(at<T>(0), sources<T>(), lists.lengths, told, lists.valid, 1);
      } else if (by_lengths) {
        MrgSort<T>(at<T>(0), sources<T>(), lists.lengths, told, lists.valid, 1);
      } else {
        MrgSort(at<T>(0), sources<T>(), MrgSort4Info(lists.lengths, suspends, lists.valid, 1));
      }
      GetMrgSortResult(sorted[0], sorted[1], sorted[2], sorted[3]);
      for (std::uint32_t i = 0; i < 4; ++i) {
        at<std::uint32_t>(3).SetValue(i, sorted[i]);
        at<std::uint32_t>(3).SetValue(4 + i, told[i]);
      }
    })[0];
    CAPTURE(by_lengths, suspends, lists.valid);
    check_records(left[0], wanted, t);
    for (std::size_t i = 0; suspends && i < all.size(); ++i) {
      REQUIRE(load_bits(left[3], i * 4, type<std::uint32_t>()) == taken[i]);
      if (by_lengths) REQUIRE(load_bits(left[3], 16 + i * 4, type<std::uint32_t>()) == taken[i]);
    }
  }
}

}  // namespace

TEST_CASE("Sort32 sorts groups of 32 scores with their indices, equal ones in their order",
          "[forms]") {
  for (const std::int32_t repeats : {0, 1, 3}) {
    check_sort32<half>(repeats);
    check_sort32<float>(repeats);
  }
}

TEST_CASE("MrgSort merges two to four lists, or until one of them is empty", "[forms]") {
  for (const bool suspends : {false, true}) {
    for (const Lists& lists :
         {Lists{{1, 1, 0, 0}, 3}, Lists{{7, 30, 0, 0}, 3}, Lists{{5, 9, 32, 0}, 7},
          Lists{{32, 3, 17, 11}, 15}, Lists{{8, 8, 8, 8}, 15}}) {
      check_merge<half>(lists, suspends);
      check_merge<float>(lists, suspends);
    }
  }
}

}  // namespace formssort
