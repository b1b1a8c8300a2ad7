// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace order {

enum class Level : std::uint8_t { note, warning, error };

std::string_view name(Level level) noexcept;
/// Null for a word that is none of note, warning, error.
std::optional<Level> level_of(std::string_view word) noexcept;

/// What the checker reports. The identifiers are stable: files of suppressions and SARIF name them.
enum class Rule : std::uint8_t {
  wait_never_recorded,
  wait_before_record,
  deadlock,
  notify_unpaired,
  record_moves_event,
  freed_in_use,
  race,
  host_buffer,
  collective_order,
  redundant_wait,
  no_peer_access,
  clock_skew,
  unsynchronized_end,
  no_producer,
  import_fault,
  overlap,
  blocking_call,
  ambiguous_edge,
  host_threads_only,
  dead_handle,
  unwritten_read,
  out_of_bounds,
  wrong_direction,
  hidden_synchronize,
  wait_timed_out,
  callback_blocks,
  callback_unserved,
  capture_broken,
  exhausted,
  flag_not_reset,
  import_refused,
  undeclared_kernel,
  failed_call,
  crash,
  kernel_race,
  kernel_rule,
  count,
};

/// A row of the one table of rules.
struct RuleInfo {
  Rule rule;
  std::string_view id;       // "ACL007"
  Level level;               // unless a finding says less
  std::string_view title;    // "data race"
  std::string_view meaning;  // "two accesses to the same bytes, ..."
  std::string_view repair;   // the usual one, without names
};

std::span<const RuleInfo> rules() noexcept;
const RuleInfo& info(Rule rule) noexcept;
/// By identifier; null for an unknown one.
const RuleInfo* find_rule(std::string_view id) noexcept;

}  // namespace order
