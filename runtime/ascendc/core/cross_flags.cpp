// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/core/cross_flags.h"

#include <algorithm>

#include "ascendc/impl/limit_rows.h"

namespace ascendc {
namespace {
enum Mode : std::uint32_t {
  all_of_kind = 0,
  vectors_of_group = 1,
  other_kind = 2,
  one_of_other_kind = 4
};
constexpr std::uint32_t kSecond =
    16;  // from here on flags mean the second vector core, on the cube core
}  // namespace

bool CrossFlags::can_set(bool cube, std::uint32_t mode) const noexcept {
  if (mode == all_of_kind) return true;
  return mode == vectors_of_group ? !cube : cores_.per_group > 1;
}

void CrossFlags::add_vectors(std::uint32_t group, std::vector<std::uint32_t>& units) const {
  const std::uint32_t first = cores_.per_group > 1 ? 1 : 0;
  for (std::uint32_t i = first; i < cores_.per_group; ++i)
    units.push_back(group * cores_.per_group + i);
}

CrossFlags::Rendezvous CrossFlags::rendezvous_of(const Set& set) const {
  Rendezvous rendezvous;
  const std::uint32_t group = set.unit / cores_.per_group;
  const std::uint32_t cube_unit = group * cores_.per_group;
  rendezvous.received = set.flag;
  if (set.mode == all_of_kind) {
    for (std::uint32_t i = 0; i < cores_.groups; ++i) {
      const std::uint32_t each = cores_.order.empty() ? i : cores_.order[i];
      if (set.cube)
        rendezvous.members.push_back(each * cores_.per_group);
      else
        add_vectors(each, rendezvous.members);
    }
    rendezvous.receivers = rendezvous.members;
  } else if (set.mode == vectors_of_group) {
    add_vectors(group, rendezvous.members);
    rendezvous.receivers = rendezvous.members;
  } else if (set.mode == one_of_other_kind) {
    rendezvous.members = {set.unit};
    rendezvous.receivers = {set.cube ? cube_unit + (set.flag >= kSecond ? 2 : 1) : cube_unit};
    rendezvous.received =
        set.cube ? set.flag % kSecond : set.flag + kSecond * (set.unit - cube_unit - 1);
  } else if (set.cube) {
    rendezvous.members = {set.unit};
    add_vectors(group, rendezvous.receivers);
  } else {
    add_vectors(group, rendezvous.members);
    rendezvous.receivers = {cube_unit};
  }
  return rendezvous;
}

CrossFlags::Rendezvous& CrossFlags::rendezvous_at(const Set& set) {
  const std::uint32_t where = set.mode == all_of_kind         ? ~0U
                              : set.mode == one_of_other_kind ? set.unit
                                                              : set.unit / cores_.per_group;
  const auto [at, made] = rendezvous_.try_emplace({set.mode, set.flag, where, set.cube});
  if (made) at->second = rendezvous_of(set);
  return at->second;
}

std::vector<std::uint32_t> CrossFlags::set(const Set& set, const Seen& told, bool& full) {
  Rendezvous& rendezvous = rendezvous_at(set);
  rendezvous.sets[set.unit].push_back(told);
  rendezvous.site = set.site;
  return deliver(set, full);
}

std::vector<std::uint32_t> CrossFlags::deliver(const Set& set, bool& full) {
  Rendezvous& rendezvous = rendezvous_at(set);
  full = false;
  for (const std::uint32_t member : rendezvous.members) {
    if (rendezvous.sets[member].empty()) return {};
  }
  for (const std::uint32_t unit : rendezvous.receivers) {
    full |= counts_[{unit, rendezvous.received}].sets.size() == ACLSIM_MOST_CROSS_PENDING;
  }
  if (full) return {};
  Seen all;
  for (const std::uint32_t member : rendezvous.members) {
    join(all, rendezvous.sets[member].front());
    rendezvous.sets[member].pop_front();
  }
  for (const std::uint32_t unit : rendezvous.receivers) {
    Count& count = counts_[{unit, rendezvous.received}];
    count.sets.push_back(all);
    count.site = set.site;
  }
  return rendezvous.receivers;
}

bool CrossFlags::take(std::uint32_t unit, std::uint32_t flag, Seen& told) {
  const auto at = counts_.find({unit, flag});
  if (at == counts_.end() || at->second.sets.empty()) return false;
  told = std::move(at->second.sets.front());
  at->second.sets.pop_front();
  return true;
}

std::vector<CrossFlags::Left> CrossFlags::left() const {
  std::vector<Left> all;
  for (const auto& [place, count] : counts_) {
    const auto sets = static_cast<std::uint32_t>(count.sets.size());
    if (sets != 0) all.push_back({count.site, place.first, place.second, sets, 0, 0});
  }
  for (const auto& [key, rendezvous] : rendezvous_) {
    const auto has_set = [&sets = rendezvous.sets](std::uint32_t unit) {
      const auto at = sets.find(unit);
      return at != sets.end() && !at->second.empty();
    };
    const auto who = std::find_if(rendezvous.members.begin(), rendezvous.members.end(), has_set);
    if (who == rendezvous.members.end()) continue;
    const auto missing =
        std::find_if_not(rendezvous.members.begin(), rendezvous.members.end(), has_set);
    if (missing == rendezvous.members.end()) continue;  // it was full
    all.push_back({rendezvous.site, *who, std::get<1>(key), 0, std::get<0>(key), *missing});
  }
  return all;
}

}  // namespace ascendc
