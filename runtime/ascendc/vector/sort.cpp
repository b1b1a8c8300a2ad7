// SPDX-License-Identifier: Apache-2.0
// Sorting by descending score. A record has 8 bytes: the score (padded to 4 bytes), then a
// uint32_t. Equal scores keep their order; NaN comes after all numbers.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "ascendc/impl/half.h"
#include "runtime/ascendc/vector/kind.h"

namespace ascendc::vector {
namespace {

constexpr unsigned kGroup = 32;  // records that Sort32 sorts at a time

struct Record {
  std::uint32_t score;  // bits
  std::uint32_t index;
};
static_assert(sizeof(Record) == 8);

float value_of(std::uint32_t score, std::uint8_t element) {
  if (element == ACLSIM_HALF) return aclsim_half::half_value(static_cast<std::uint16_t>(score));
  return aclsim_half::bits_float(score);
}

/// Whether `a` comes before `b`.
bool before(const Record& a, const Record& b, std::uint8_t element) {
  const float left = value_of(a.score, element);
  const float right = value_of(b.score, element);
  if (std::isnan(right)) return !std::isnan(left);
  return left > right;
}

std::vector<Record> records_at(const std::uint8_t* at, std::uint64_t number) {
  std::vector<Record> records(number);
  if (number != 0) std::memcpy(records.data(), at, number * sizeof(Record));
  return records;
}

void sort_records(std::vector<Record>& records, std::uint64_t group, std::uint8_t element) {
  for (std::uint64_t from = 0; from < records.size(); from += group) {
    const auto first = records.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = records.begin() + static_cast<std::ptrdiff_t>(
                                            std::min<std::uint64_t>(from + group, records.size()));
    std::stable_sort(first, last,
                     [element](const Record& a, const Record& b) { return before(a, b, element); });
  }
}

/// Scores at operand 1, indices at operand 2, sorted in groups, to operand 0.
void sort_groups(const aclsimInstruction& instruction, std::uint64_t number, std::uint64_t group) {
  const std::uint8_t element = instruction.operand[0].element;
  const unsigned bytes = bytes_of(instruction, 1);
  std::vector<Record> records(number);
  for (std::uint64_t i = 0; i < number; ++i) {
    records[i].score =
        static_cast<std::uint32_t>(element_at(address_of(instruction, 1) + i * bytes, bytes));
    records[i].index =
        static_cast<std::uint32_t>(element_at(address_of(instruction, 2) + i * 4, 4));
  }
  if (number == 0) return;
  sort_records(records, group, element);
  std::memcpy(address_of(instruction, 0), records.data(), number * sizeof(Record));
}

void sort_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                bool) {
  const std::uint64_t number = std::uint64_t{kGroup} * instruction.repeat;
  touch_bytes(instruction, 0, ACLSIM_WRITES, 0, number * sizeof(Record), touches);
  touch_bytes(instruction, 1, ACLSIM_READS, 0, number * bytes_of(instruction, 1), touches);
  touch_bytes(instruction, 2, ACLSIM_READS, 0, number * 4, touches);
  // Sort merges by way of a second place as large as the result.
  if (instruction.operands > 3) {
    touch_bytes(instruction, 3, ACLSIM_WRITES, 0, number * sizeof(Record), touches);
  }
}

void sort32_compute(const aclsimInstruction& instruction, State&) {
  sort_groups(instruction, std::uint64_t{kGroup} * instruction.repeat, kGroup);
}
void sort_compute(const aclsimInstruction& instruction, State&) {
  const std::uint64_t number = std::uint64_t{kGroup} * instruction.repeat;
  sort_groups(instruction, number,
              instruction.mode != 0 ? std::max<std::uint64_t>(number, 1) : kGroup);
}

// ---- MrgSort
// -------------------------------------------------------------------------------------

// scalar[0]: records in each list, 16 bits each; scalar[1]: validBit; mode 1: stop when a list is
// empty. With more than one repeat, each repeat's four lists follow the lists of the repeat before.
std::uint64_t length_of(const aclsimInstruction& instruction, unsigned list) {
  return (instruction.scalar[1] >> list & 1U) != 0 ? instruction.scalar[0] >> (16 * list) & 0xffffU
                                                   : 0;
}
std::uint64_t all_lengths(const aclsimInstruction& instruction) {
  std::uint64_t sum = 0;
  for (unsigned list = 0; list < 4; ++list) sum += length_of(instruction, list);
  return sum;
}

std::optional<Violation> merge_limits(const aclsimInstruction& instruction, const State&) {
  const std::uint64_t valid = instruction.scalar[1];
  if (valid != 3 && valid != 7 && valid != 15) {
    return out_of_range(instruction, "validBit " + std::to_string(valid) + ", expected 3, 7 or 15");
  }
  for (unsigned list = 0; list < 4; ++list) {
    if (length_of(instruction, list) > 4095) {
      return out_of_range(instruction, "list " + std::to_string(list + 1) + " of " +
                                           std::to_string(length_of(instruction, list)) +
                                           " records, expected at most 4095");
    }
  }
  if (instruction.repeat < 2) return std::nullopt;
  bool even = valid == 15 && instruction.mode == 0;
  for (unsigned list = 1; list < 4; ++list) {
    const std::uint64_t bytes = length_of(instruction, 0) * list * sizeof(Record);
    even = even && length_of(instruction, list) == length_of(instruction, 0) &&
           address_of(instruction, list + 1) == address_of(instruction, 1) + bytes;
  }
  if (even) return std::nullopt;
  return out_of_range(
      instruction,
      "repeatTimes " + std::to_string(instruction.repeat) +
          ", which takes four lists of one length behind each other and no suspension");
}

void merge_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                 bool) {
  const std::uint64_t all = all_lengths(instruction) * sizeof(Record);
  if (instruction.repeat > 1) {
    touch_bytes(instruction, 0, ACLSIM_WRITES, 0, all * instruction.repeat, touches);
    touch_bytes(instruction, 1, ACLSIM_READS, 0, all * instruction.repeat, touches);
    return;
  }
  if (instruction.repeat == 0) return;
  touch_bytes(instruction, 0, ACLSIM_WRITES, 0, all, touches);
  for (unsigned list = 0; list < 4; ++list) {
    touch_bytes(instruction, list + 1, ACLSIM_READS, 0,
                length_of(instruction, list) * sizeof(Record), touches);
  }
}

void merge_once(const aclsimInstruction& instruction, State& state, std::uint64_t offset) {
  const std::uint8_t element = instruction.operand[0].element;
  std::vector<Record> lists[4];
  for (unsigned list = 0; list < 4; ++list) {
    const std::uint64_t length = length_of(instruction, list);
    if (length != 0) lists[list] = records_at(address_of(instruction, list + 1) + offset, length);
  }
  std::vector<Record> merged;
  std::size_t taken[4] = {};
  while (true) {
    int best = -1;
    bool one_is_empty = false;
    for (int list = 0; list < 4; ++list) {
      const bool valid = (instruction.scalar[1] >> list & 1U) != 0;
      if (taken[list] == lists[list].size()) {
        one_is_empty = one_is_empty || valid;
      } else if (best < 0 || before(lists[list][taken[list]], lists[best][taken[best]], element)) {
        best = list;
      }
    }
    if (best < 0 || (instruction.mode != 0 && one_is_empty)) break;
    merged.push_back(lists[best][taken[best]++]);
  }
  for (unsigned list = 0; list < 4; ++list) {
    state.merged[list] = static_cast<std::uint16_t>(taken[list]);
  }
  if (merged.empty()) return;
  std::memcpy(address_of(instruction, 0) + offset, merged.data(), merged.size() * sizeof(Record));
}

void merge_compute(const aclsimInstruction& instruction, State& state) {
  const std::uint64_t all = all_lengths(instruction) * sizeof(Record);
  for (unsigned repeat = 0; repeat < instruction.repeat; ++repeat) {
    merge_once(instruction, state, repeat * all);
  }
}

// ---- Extract
// -------------------------------------------------------------------------------------

void extract_reach(const aclsimInstruction& instruction, const State&, std::vector<Touch>& touches,
                   bool) {
  const std::uint64_t number = std::uint64_t{kGroup} * instruction.repeat;
  touch_bytes(instruction, 0, ACLSIM_WRITES, 0, number * bytes_of(instruction, 0), touches);
  touch_bytes(instruction, 1, ACLSIM_WRITES, 0, number * 4, touches);
  touch_bytes(instruction, 2, ACLSIM_READS, 0, number * sizeof(Record), touches);
}

void extract_compute(const aclsimInstruction& instruction, State&) {
  const std::uint64_t number = std::uint64_t{kGroup} * instruction.repeat;
  const unsigned bytes = bytes_of(instruction, 0);
  const std::vector<Record> records = records_at(address_of(instruction, 2), number);
  for (std::uint64_t i = 0; i < number; ++i) {
    std::memcpy(address_of(instruction, 0) + i * bytes, &records[i].score, bytes);
    std::memcpy(address_of(instruction, 1) + i * 4, &records[i].index, 4);
  }
}

}  // namespace

const Kind kSort32Kind = {nullptr, sort_reach, sort32_compute, nullptr, false};
const Kind kSortKind = {nullptr, sort_reach, sort_compute, nullptr, true};
const Kind kMrgSortKind = {merge_limits, merge_reach, merge_compute, nullptr, false};
const Kind kExtractKind = {nullptr, extract_reach, extract_compute, nullptr, false};

}  // namespace ascendc::vector
