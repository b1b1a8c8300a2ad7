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

/// A code location: a module of the process, and an offset in it. Processes of one program have
/// equal sites.
struct Site {
  char module[128] = {};
  std::uint64_t offset = 0;

  /// Converts a code address. Repeated calls for one address are fast. The result lives as long as
  /// the process.
  static const Site& of(const void* address);
  static const Site& look_up(const void* address);
  /// The same location in this process; null if the process does not have the module.
  const void* here() const;
  /// "train+0x1234".
  std::string text() const;
};

/// The parameters of one rank's call that have to be equal, or to fit, on all ranks. Plain data in
/// memory that processes share.
struct Call {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  Kind kind = Kind::barrier;
  std::uint32_t type = kNone;  // HcclDataType
  std::uint32_t op = kNone;    // HcclReduceOp
  std::uint32_t root = kNone;
  std::uint64_t count = 0;
  // Counts that have to be equal on all ranks: their number, the first of them for texts, and a
  // digest of all (0: the call has none).
  std::uint64_t counts = 0;
  std::array<std::uint64_t, 4> first{};
  std::uint64_t digest = 0;

  /// "HcclAllReduce(count 4, fp32, sum)".
  std::string text() const;
  /// Stores the number, first values and digest of these counts.
  void set_counts(const std::uint64_t* values, std::size_t size) noexcept;
  /// Whether the two calls match. For kinds with a count for each pair of ranks, the counts are
  /// compared elsewhere.
  bool fits(const Call& other) const noexcept;
  /// Everything that `fits` compares, packed into one word; 0 if it does not fit into a word.
  std::uint64_t code() const noexcept;
};

struct CalledAt {
  Call call{};
  Site site{};
};

}  // namespace hccl
