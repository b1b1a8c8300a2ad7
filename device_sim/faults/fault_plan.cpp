// SPDX-License-Identifier: Apache-2.0
#include "device_sim/faults/fault_plan.h"

#include <algorithm>
#include <utility>

#include "device_sim/base/split_mix.h"

namespace sim {
namespace {

using Point = FaultSite::Point;

/// Chance depends on the seed and the number of the match alone.
double chance(std::uint64_t seed, std::uint64_t match) noexcept {
  return static_cast<double>(split_mix(split_mix(seed) ^ match) >> 11) * 0x1p-53;
}

Point point_of(const FaultRule& rule) noexcept {
  switch (rule.kind) {
    case FaultKind::call:
      return Point::call;
    case FaultKind::alloc:
      return Point::memory;
    case FaultKind::no_event:
      return Point::event;
    case FaultKind::no_stream:
      return Point::stream;
    case FaultKind::no_notify:
      return Point::notify;
    case FaultKind::device_lost:
    case FaultKind::process_dies:
      return rule.call.empty() ? Point::task : Point::call;
    default:
      return Point::task;
  }
}

bool matches_task(const FaultRule& rule, const FaultSite& site) noexcept {
  const bool in_call = site.stream < 0;
  switch (rule.kind) {
    case FaultKind::link_down:
    case FaultKind::link_slow:
      return struck_link(rule, site).has_value();
    case FaultKind::stuck:
      return !in_call;  // nothing could release the thread
    case FaultKind::ecc:
      return site.op == "copy" || site.op == "fill" || site.op == "kernel" || site.op == "other";
    default:
      return true;
  }
}

bool matches(const FaultRule& rule, const FaultSite& site) noexcept {
  if (point_of(rule) != site.point) return false;
  if (!rule.call.empty() && !glob_matches(rule.call, site.call)) return false;
  if (rule.stream && static_cast<std::int64_t>(*rule.stream) != site.stream) return false;
  if (!rule.op.empty() && rule.op != site.op) return false;
  if (!rule.name.empty() && !glob_matches(rule.name, site.name)) return false;
  if (!concerns_link(rule.kind) && rule.device && *rule.device != site.device) return false;
  return site.point != Point::task || matches_task(rule, site);
}

}  // namespace

bool concerns_link(FaultKind kind) noexcept {
  return kind == FaultKind::link_down || kind == FaultKind::link_slow;
}

std::optional<std::size_t> struck_link(const FaultRule& rule, const FaultSite& site) {
  const auto is = [](const std::optional<int>& wanted, int device) {
    return !wanted || *wanted == device;
  };
  for (std::size_t i = 0; i < site.links.size(); ++i) {
    const auto [a, b] = site.links[i];
    if ((is(rule.device, a) && is(rule.peer, b)) || (is(rule.device, b) && is(rule.peer, a))) {
      return i;
    }
  }
  return std::nullopt;
}

// Goes back to the last * that could take more.
bool glob_matches(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

FaultPlan::FaultPlan(std::vector<FaultRule> rules, std::uint64_t seed)
    : rules_(std::move(rules)), tallies_(rules_.size()), seed_(seed) {}

bool FaultPlan::due(std::size_t index, std::uint64_t match) const {
  const FaultRule& rule = rules_[index];
  if (tallies_[index].fired >= rule.times || match < rule.first) return false;
  if ((match - rule.first) % rule.every != 0) return false;
  return rule.probability >= 1 ||
         chance(rule.seed.value_or(seed_) + index, match) < rule.probability;
}

FaultPlan::Fired FaultPlan::decide(const FaultSite& site) {
  Fired fired;
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    if (!matches(rules_[i], site)) continue;
    const std::uint64_t match = ++tallies_[i].matches;
    if (fired.rule || !due(i, match)) continue;
    ++tallies_[i].fired;
    fired = {&rules_[i], static_cast<std::uint16_t>(i + 1)};
  }
  return fired;
}

std::uint64_t FaultPlan::fired() const noexcept {
  std::uint64_t sum = 0;
  for (const Tally& tally : tallies_) sum += tally.fired;
  return sum;
}

void FaultPlan::restart() { std::fill(tallies_.begin(), tallies_.end(), Tally{}); }

}  // namespace sim
