// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/ranks/turn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "ascendc/impl/half.h"
#include "ascendc/impl/hccl_names.h"

namespace ascendc::ranks {
namespace {

struct TypeRow {
  std::uint32_t type;
  const char* name;
  std::uint32_t bytes;
  bool reducible;
};
constexpr TypeRow kTypes[] = {
    {AscendC::HCCL_DATA_TYPE_INT8, "int8_t", 1, true},
    {AscendC::HCCL_DATA_TYPE_INT16, "int16_t", 2, true},
    {AscendC::HCCL_DATA_TYPE_INT32, "int32_t", 4, true},
    {AscendC::HCCL_DATA_TYPE_FP16, "half", 2, true},
    {AscendC::HCCL_DATA_TYPE_FP32, "float", 4, true},
    {AscendC::HCCL_DATA_TYPE_INT64, "int64_t", 8, false},
    {AscendC::HCCL_DATA_TYPE_UINT64, "uint64_t", 8, false},
    {AscendC::HCCL_DATA_TYPE_UINT8, "uint8_t", 1, false},
    {AscendC::HCCL_DATA_TYPE_UINT16, "uint16_t", 2, false},
    {AscendC::HCCL_DATA_TYPE_UINT32, "uint32_t", 4, false},
    {AscendC::HCCL_DATA_TYPE_FP64, "double", 8, false},
    {AscendC::HCCL_DATA_TYPE_BFP16, "bfloat16_t", 2, true},
    {AscendC::HCCL_DATA_TYPE_HIF8, "hifloat8_t", 1, false},
    {AscendC::HCCL_DATA_TYPE_FP8E4M3, "fp8_e4m3fn_t", 1, false},
    {AscendC::HCCL_DATA_TYPE_FP8E5M2, "fp8_e5m2_t", 1, false},
    {AscendC::HCCL_DATA_TYPE_FP8E8M0, "fp8_e8m0_t", 1, false},
};

const TypeRow* row_of(std::uint32_t type) noexcept {
  const auto* const row = std::find_if(std::begin(kTypes), std::end(kTypes),
                                       [&](const TypeRow& one) { return one.type == type; });
  return row == std::end(kTypes) ? nullptr : row;
}

const char* name_of(Reduction reduction) noexcept {
  return reduction == Reduction::sum ? "sum" : reduction == Reduction::max ? "maximum" : "minimum";
}

/// The wide type in which values are combined: unsigned for integers, whose sums wrap.
template <class T>
using Wide = std::conditional_t<std::is_integral_v<T>, std::int64_t, float>;

template <class T>
void combine(std::vector<Wide<T>>& into, const std::byte* from, Reduction how) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    T stored;
    std::memcpy(&stored, from + i * sizeof(T), sizeof stored);
    const auto value = static_cast<Wide<T>>(stored);
    Wide<T>& result = into[i];
    if (how == Reduction::sum) {
      result += value;
    } else if (how == Reduction::max ? value > result : value < result) {
      result = value;
    }
  }
}

/// The bytes of the result; operands in the order of the ranks. Rounded once.
template <class T>
std::vector<std::byte> reduce(const std::vector<const std::byte*>& operands, std::uint64_t count,
                              Reduction how) {
  std::vector<Wide<T>> sum(count);
  for (std::size_t i = 0; i < count; ++i) {
    T first;
    std::memcpy(&first, operands[0] + i * sizeof(T), sizeof first);
    sum[i] = static_cast<Wide<T>>(first);
  }
  for (std::size_t rank = 1; rank < operands.size(); ++rank) combine<T>(sum, operands[rank], how);
  std::vector<std::byte> bytes(count * sizeof(T));
  for (std::size_t i = 0; i < count; ++i) {
    const auto rounded = static_cast<T>(sum[i]);
    std::memcpy(bytes.data() + i * sizeof(T), &rounded, sizeof rounded);
  }
  return bytes;
}

std::vector<std::byte> reduce(std::uint32_t type, const std::vector<const std::byte*>& operands,
                              std::uint64_t count, Reduction how) {
  switch (type) {
    case AscendC::HCCL_DATA_TYPE_INT8:
      return reduce<std::int8_t>(operands, count, how);
    case AscendC::HCCL_DATA_TYPE_INT16:
      return reduce<std::int16_t>(operands, count, how);
    case AscendC::HCCL_DATA_TYPE_INT32:
      return reduce<std::int32_t>(operands, count, how);
    case AscendC::HCCL_DATA_TYPE_FP16:
      return reduce<half>(operands, count, how);
    case AscendC::HCCL_DATA_TYPE_BFP16:
      return reduce<bfloat16_t>(operands, count, how);
    default:
      return reduce<float>(operands, count, how);
  }
}

/// A result that is not written yet.
struct Result {
  std::byte* to;
  std::vector<std::byte> bytes;
};

void add_reduced(const std::vector<Turn>& turns, std::vector<Result>& results) {
  std::vector<const std::byte*> operands(turns.size());
  for (std::size_t to = 0; to < turns.size(); ++to) {
    const Turn& turn = turns[to];
    if (to != 0 && turn.kind == Kind::all_reduce) {  // all get the same
      results.push_back({turn.receive, results.front().bytes});
      continue;
    }
    for (std::size_t from = 0; from < turns.size(); ++from)
      operands[from] = turns[from].send + turns[from].sent[to].begin;
    results.push_back({turn.receive, reduce(turn.type, operands, turn.count, turn.reduction)});
  }
}

void add_copied(const std::vector<Turn>& turns, std::vector<Result>& results) {
  for (std::size_t to = 0; to < turns.size(); ++to) {
    const Turn& turn = turns[to];
    for (std::size_t from = 0; from < turns.size(); ++from) {
      if (turn.received[from].bytes == 0) continue;
      const std::byte* const begin = turns[from].send + turns[from].sent[to].begin;
      results.push_back(
          {turn.receive + turn.received[from].begin, {begin, begin + turn.received[from].bytes}});
    }
  }
}

}  // namespace

const char* name_of(std::uint32_t kind) noexcept {
  switch (static_cast<Kind>(kind)) {
    case Kind::all_reduce:
      return "AllReduce";
    case Kind::all_gather:
      return "AllGather";
    case Kind::reduce_scatter:
      return "ReduceScatter";
    case Kind::all_to_all_v:
      return "AlltoAllV";
    case Kind::all_to_all:
      return "AlltoAll";
  }
  return nullptr;
}

std::uint32_t bytes_of(std::uint32_t type) noexcept {
  const TypeRow* const row = row_of(type);
  return row ? row->bytes : 0;
}

const char* name_of_type(std::uint32_t type) noexcept {
  const TypeRow* const row = row_of(type);
  return row ? row->name : "?";
}

bool is_reducible(std::uint32_t type) noexcept {
  const TypeRow* const row = row_of(type);
  return row && row->reducible;
}

std::string Turn::text() const {
  const char* const called = ranks::name_of(static_cast<std::uint32_t>(kind));
  if (kind == Kind::all_to_all_v) return fmt::format("{} of {}", called, name_of_type(type));
  std::string all = fmt::format("{} of {} elements of {}", called, count, name_of_type(type));
  if (reduces()) all += fmt::format(" ({})", name_of(reduction));
  return all;
}

std::string mismatch(const Turn& one, std::uint32_t a, const Turn& other, std::uint32_t b) {
  const bool same = one.kind == other.kind && one.type == other.type && one.count == other.count &&
                    (!one.reduces() || one.reduction == other.reduction);
  if (!same) {
    return fmt::format("rank {} calls {} ({}), and rank {} calls {} ({})", a, one.text(), one.place,
                       b, other.text(), other.place);
  }
  if (one.kind != Kind::all_to_all_v) return {};
  const auto differ = [](const Turn& from, std::uint32_t from_rank, const Turn& to,
                         std::uint32_t to_rank) -> std::string {
    const std::uint64_t sent = from.sent[to_rank].bytes, received = to.received[from_rank].bytes;
    if (sent == received) return {};
    const std::uint64_t size = bytes_of(from.type);
    return fmt::format(
        "AlltoAllV: rank {} sends {} elements to rank {} ({}), which expects {} ({})", from_rank,
        sent / size, to_rank, from.place, received / size, to.place);
  };
  const std::string there = differ(one, a, other, b);
  return there.empty() ? differ(other, b, one, a) : there;
}

void carry_out(const std::vector<Turn>& turns) {
  std::vector<Result> results;
  if (turns.front().reduces()) {
    add_reduced(turns, results);
  } else {
    add_copied(turns, results);
  }
  for (const Result& result : results) {
    if (!result.bytes.empty()) std::memcpy(result.to, result.bytes.data(), result.bytes.size());
  }
}

}  // namespace ascendc::ranks
