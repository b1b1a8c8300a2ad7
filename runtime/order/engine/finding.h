// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/rules.h"

namespace order {

/// The allocation that bytes belong to.
struct MemoryBlock {
  std::uintptr_t begin = 0;
  std::size_t size = 0;      // 0: not known
  std::uint64_t site = 0;    // of the call that allocated it
  std::int32_t device = -1;  // -1: host memory
};

/// Why a finding about kernels that declare no ranges may be wrong.
enum class Guess : std::uint8_t {
  none,        // nothing is guessed
  one_side,    // one of the two operations
  must_write,  // both, and one of them must write the bytes if it touches them
  only_they,   // both, and no other known operation has written the bytes
  may_read,    // both, and they may only read what another operation has written
};

/// A finding whose sites are still numbers. `text` is a sentence without a full stop; a report
/// replaces these words in it, so that a place can be looked up later than the finding is made:
///   {it}     `op_info`, e.g. "the copy on stream 2"
///   {other}  `other` with its place, e.g. "the copy on stream 1 (main.cpp:12)"
///   {bytes}  how much of which memory, e.g. "1 MiB of device memory"
///   {waits}  `other` and `behind` with their places, in the order of the cycle
struct Finding {
  Rule rule;
  Level level;
  OpInfo op_info;               // the operation at which it was found
  std::optional<OpInfo> other;  // the conflicting operation, mostly an earlier one
  std::vector<OpInfo> behind;   // of a deadlock: further waits, each blocks the one before
  // Of the graph, of the kernel, or of the function of a stream, that contains `op_info`.
  std::optional<OpInfo> launch;
  std::optional<OpInfo> other_launch;  // the same with `other`
  std::optional<OpInfo> failed;        // an operation whose failure may have taken the order away
  std::string text;
  std::string_view title;   // a literal; empty: the title of the rule
  std::string repair;       // with the words above; empty: the usual one of the rule
  Access where;             // the bytes; size 0: none
  MemoryBlock memory;       // that they belong to
  std::uint64_t times = 1;  // in how many executions of the operation the finding was made
  Guess guess = Guess::none;
  bool other_waited = false;  // `other` took place after `op_info`, though it was called before
  bool without_race = false;  // a note, of the rule's level once an operation after it races
  // The finding was made several times: also with the two operations exchanged; with the operation,
  // or the other one, in several streams.
  bool both_ways = false;
  bool streams_vary = false;
  bool other_streams_vary = false;
  std::uint32_t counted = 0;  // OpInfo::called of the execution that was counted last
  std::uint64_t last = 0;     // the same for the last time that the two places were found
  std::uint64_t when = 0;     // a number that grows from finding to finding; 0: not known yet

  explicit Finding(Rule r) : rule(r), level(info(r).level) {}
};

/// The guess about two operations, without the other accesses to the bytes.
inline Guess guess_between(const OpInfo& a, const OpInfo& b) {
  if (a.declared && b.declared) return Guess::none;
  if (a.declared || b.declared) return Guess::one_side;
  return a.sole || b.sole ? Guess::must_write : Guess::may_read;
}

/// The level of a finding, of which its rule says `level`.
inline Level level_of_guess(Guess guess, Level level) {
  if (guess == Guess::none) return level;
  return guess == Guess::may_read ? std::min(level, Level::note) : std::min(level, Level::warning);
}

/// Sets both in a finding about two operations.
inline void set_guess(Finding& finding, Guess guess) {
  finding.guess = guess;
  finding.level = level_of_guess(guess, finding.level);
}

/// Whether accesses conflict because of a release of the memory, and which one releases.
enum class Release : std::uint8_t { none, by_it, by_other };
/// The text of a finding about two unordered accesses: `finding.where`, and `other` to the same
/// bytes.
std::string conflict_text(const Finding& finding, Release release, const Access& other,
                          bool across_processes = false);

}  // namespace order
