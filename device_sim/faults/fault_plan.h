// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "device_sim/faults/fault_rule.h"

namespace sim {

/// Two devices, the lower one first.
using DevicePair = std::pair<int, int>;

/// The event that is about to happen, with the properties that rules match.
struct FaultSite {
  enum class Point : std::uint8_t { call, memory, event, stream, notify, task };

  Point point = Point::call;
  std::string_view call{};  // the function that the program is calling; empty when it is unknown
  int device = -1;          // -1: none
  std::vector<DevicePair> links{};  // the devices between which it moves bytes
  std::int64_t stream = -1;         // its id; -1: none, the work is done in the call
  std::string_view op{};            // of a task: a word of fault_ops()
  std::string_view name{};          // of a task
};

/// The rule is about a link, whose ends are its device and peer.
bool concerns_link(FaultKind kind) noexcept;
/// Which of the site's links such a rule means, the first of several.
std::optional<std::size_t> struck_link(const FaultRule& rule, const FaultSite& site);

/// Which faults there are and how far they have counted. Neither threads nor clocks: the same
/// questions in the same order get the same answers.
class FaultPlan {
 public:
  /// `seed`: for rules that chance decides and that bring none of their own.
  FaultPlan(std::vector<FaultRule> rules, std::uint64_t seed);

  struct Fired {
    const FaultRule* rule = nullptr;  // null: nothing goes wrong
    std::uint16_t number = 0;         // of the rule, from 1
  };
  /// Every rule that matches the site counts it. If several rules are due, the first one fires.
  Fired decide(const FaultSite& site);

  struct Tally {
    std::uint64_t matches = 0;
    std::uint64_t fired = 0;
  };
  std::size_t size() const noexcept { return rules_.size(); }
  const FaultRule& rule(std::size_t index) const { return rules_[index]; }
  const Tally& tally(std::size_t index) const { return tallies_[index]; }
  std::uint64_t fired() const noexcept;
  /// Counts from the start again.
  void restart();

 private:
  bool due(std::size_t index, std::uint64_t match) const;

  const std::vector<FaultRule> rules_;
  std::vector<Tally> tallies_;
  const std::uint64_t seed_;
};

/// Whether `text` matches `pattern`, in which a * matches any characters.
bool glob_matches(std::string_view pattern, std::string_view text) noexcept;

}  // namespace sim
