// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "hccl/hccl_types.h"

namespace hccl {

enum class Kind : std::uint32_t {
  all_reduce,
  broadcast,
  reduce_scatter,
  reduce_scatter_v,
  scatter,
  all_gather,
  all_gather_v,
  all_to_all,
  all_to_all_v,
  all_to_all_vc,
  reduce,
  barrier,
  send,
  receive,
};

/// "HcclAllReduce".
const char* name_of(Kind kind) noexcept;

/// Where a program called: a module of the process, and a place in it. Processes of one program
/// have the same.
struct Site {
  char module[128] = {};
  std::uint64_t offset = 0;

  /// Of a code address. Quick for an address that was asked before. Lives as long as the process.
  static const Site& of(const void* address);
  static const Site& look_up(const void* address);
  /// The same place in this process; null where it has no such module.
  const void* here() const;
  /// "train+0x1234".
  std::string text() const;
};

/// What one rank called: all that has to be the same, or to fit, on the others. Plain data, which
/// lies in memory that processes share.
struct Call {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  Kind kind = Kind::barrier;
  std::uint32_t type = kNone;  // HcclDataType
  std::uint32_t op = kNone;    // HcclReduceOp
  std::uint32_t root = kNone;
  std::uint64_t count = 0;
  // Counts that all ranks have to give alike: how many, the first of them for texts, and a digest
  // of all (0: there are none).
  std::uint64_t counts = 0;
  std::array<std::uint64_t, 4> first{};
  std::uint64_t digest = 0;

  /// "HcclAllReduce(count 4, fp32, sum)".
  std::string text() const;
  /// With these counts.
  void set_counts(const std::uint64_t* values, std::size_t size) noexcept;
  /// The calls may belong together. Counts of the kinds that have one for each pair are compared
  /// elsewhere.
  bool fits(const Call& other) const noexcept;
  /// All that `fits` compares, in one word; 0: it is too much for that.
  std::uint64_t code() const noexcept;
};

struct CalledAt {
  Call call{};
  Site site{};
};

}  // namespace hccl
