// SPDX-License-Identifier: Apache-2.0
// Deadlock detection: what a rank that waits for long publishes, and the search for ranks that wait
// for each other.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/board/standstill.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

std::vector<Standing::Awaited> Links::look_at(const std::vector<int>& ranks) const {
  std::vector<Standing::Awaited> all;
  for (const int rank : ranks) {
    const auto standing = boards_[static_cast<std::size_t>(rank)].standing().read(0);
    all.push_back({rank, standing ? standing->epoch : 0});
  }
  return all;
}

// A thread that drives several ranks may wait in another one of them. Returns nothing if a host
// thread may enqueue more.
std::optional<std::vector<Standing::Awaited>> Links::what_holds_host() const {
  std::vector<Standing::Awaited> all;
  if (is_closed()) return all;
  for (const std::uint64_t host_thread : standings_->free_host_threads()) {
    Standing::Awaited held;
    for (int rank = 0; rank < ranks() && held.epoch == 0; ++rank) {
      const auto other = peers_[static_cast<std::size_t>(rank)].thread.lock();
      if (other && rank != me_) held = {rank, other->standings_->epoch_of_waiting(host_thread)};
    }
    if (held.epoch == 0) return std::nullopt;
    all.push_back(held);
  }
  return all;
}

// Returns true if the state differs from the published one.
bool Links::show_standing() {
  const auto hosts = what_holds_host();
  const sim::LockGuard guard(standing_);
  const auto standing = standings_->conclude(hosts);
  auto& shown = mine().standing();
  const auto before = shown.read(0);
  if (!standing || (before && std::memcmp(&*before, &*standing, sizeof *standing) == 0))
    return false;
  shown.write(0, *standing);
  for (const int rank : remote_ranks_) send_published(rank, shown);
  return true;
}

// Names each rank and the first rank that it waits for.
static std::string text_of_standstill(const std::vector<StandingRank>& ranks) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(ranks.size(), kMost); ++i) {
    const auto& [rank, standing] = ranks[i];
    text += fmt::format("{}rank {} called {} and waits for rank {}", i == 0 ? "" : ", but ", rank,
                        text_of(standing.at.call, standing.at.site), standing.awaited[0].rank);
  }
  if (ranks.size() > kMost) text += fmt::format(", and so on with {} more", ranks.size() - kMost);
  return "ranks wait for each other: " + text;
}

std::optional<std::string> Links::stand(Stand stand) {
  standings_->put(std::move(stand));
  if (show_standing()) wake_others();
  const auto ranks = find_standstill(boards_, me_);
  const auto lower = [this](const StandingRank& one) { return one.rank < me_; };
  if (!ranks || std::any_of(ranks->begin(), ranks->end(), lower)) return std::nullopt;
  return text_of_standstill(*ranks);
}

void Links::withdraw_standing() {
  const sim::LockGuard guard(standing_);
  standings_->disturb();
  auto& shown = mine().standing();
  if (shown.state.load() == 0) return;
  shown.clear();
  for (const int rank : remote_ranks_) set_shown(rank, &shown.state, 8, 0);
}

void Links::stands_no_more(const void* run) {
  if (standings_->remove(run)) withdraw_standing();
}

void Links::disturb() {
  if (standings_->at_rest()) withdraw_standing();
}

std::string Links::text_of_standing(int rank) const {
  const auto standing = boards_[static_cast<std::size_t>(rank)].standing().read(0);
  if (!standing) return {};
  return fmt::format("rank {} waits in {}", rank, text_of(standing->at.call, standing->at.site));
}

}  // namespace hccl
