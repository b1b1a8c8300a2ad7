// SPDX-License-Identifier: Apache-2.0
// Deadlock detection: what a rank that waits for long publishes, and the search for ranks that wait
// for each other.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/hccl/board/deadlock.h"
#include "runtime/hccl/links/links.h"
#include "runtime/hccl/links/process_rest.h"

namespace hccl {

std::vector<WaitState::Awaited> Links::epochs_of(const std::vector<int>& ranks) const {
  std::vector<WaitState::Awaited> all;
  for (const int rank : ranks) {
    const auto wait_state = boards_[static_cast<std::size_t>(rank)].wait_state().read(0);
    all.push_back({rank, wait_state ? wait_state->epoch : 0});
  }
  return all;
}

std::vector<ProcessEpoch> Links::process_epochs_of(const std::vector<int>& ranks) const {
  std::vector<ProcessEpoch> all;
  for (const int rank : ranks) {
    const auto state = boards_[static_cast<std::size_t>(rank)].process_state().read(0);
    all.push_back({group_->peer(rank).process.id, state ? state->epoch : 0});
  }
  return all;
}

void Links::show_process_state(const std::optional<WaitState>& state) {
  const sim::LockGuard guard(publishing_);
  auto& shown = mine().process_state();
  if (!state) {
    if (shown.state.load() == 0) return;
    shown.clear();
    for (const int rank : remote_ranks_) set_shown(rank, &shown.state, 8, 0);
    return;
  }
  const auto before = shown.read(0);
  if (before && std::memcmp(&*before, &*state, sizeof *state) == 0) return;
  shown.write(0, *state);
  for (const int rank : remote_ranks_) send_published(rank, shown);
}

// A thread that drives several ranks may wait in another one of them. Returns nothing if a host
// thread may enqueue more.
std::optional<std::vector<WaitState::Awaited>> Links::host_thread_waits() const {
  std::vector<WaitState::Awaited> all;
  if (is_closed()) return all;
  for (const std::uint64_t host_thread : wait_tracker_->free_host_threads()) {
    WaitState::Awaited held;
    for (int rank = 0; rank < ranks() && held.epoch == 0; ++rank) {
      const auto other = peers_[static_cast<std::size_t>(rank)].thread.lock();
      if (other && rank != me_) held = {rank, other->wait_tracker_->epoch_of_waiting(host_thread)};
    }
    if (held.epoch == 0) return std::nullopt;
    all.push_back(held);
  }
  return all;
}

// Returns true if the state differs from the published one.
bool Links::publish_wait_state() {
  const auto hosts = host_thread_waits();
  const sim::LockGuard guard(publishing_);
  const auto wait_state = wait_tracker_->conclude(hosts);
  auto& shown = mine().wait_state();
  const auto before = shown.read(0);
  if (!wait_state || (before && std::memcmp(&*before, &*wait_state, sizeof *wait_state) == 0))
    return false;
  shown.write(0, *wait_state);
  for (const int rank : remote_ranks_) send_published(rank, shown);
  return true;
}

// Names each rank and the first rank that it waits for.
std::string text_of_deadlock(const std::vector<WaitingRank>& ranks) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(ranks.size(), kMost); ++i) {
    const auto& [rank, wait_state] = ranks[i];
    text +=
        fmt::format("{}rank {} called {} and waits for rank {}", i == 0 ? "" : ", but ", rank,
                    text_of(wait_state.at.call, wait_state.at.site), wait_state.awaited[0].rank);
  }
  if (ranks.size() > kMost) text += fmt::format(", and so on with {} more", ranks.size() - kMost);
  return "ranks wait for each other: " + text;
}

std::optional<Links::Deadlock> Links::record_wait(LongWait wait) {
  wait_tracker_->put(std::move(wait));
  if (publish_wait_state()) wake_others();
  if (const auto ranks = find_deadlock(boards_, me_)) {
    const auto lower = [this](const WaitingRank& one) { return one.rank < me_; };
    if (std::any_of(ranks->begin(), ranks->end(), lower)) return std::nullopt;
    return Deadlock{text_of_deadlock(*ranks)};
  }
  const auto found = ProcessRest::mine().look();
  if (!found) return std::nullopt;
  for (const auto& other : of_this_process()) {
    if (other.get() == this) continue;
    other->fail(ACL_ERROR_RT_INTERNAL_ERROR, found->text);
  }
  return found;
}

void Links::withdraw_wait_state() {
  const sim::LockGuard guard(publishing_);
  wait_tracker_->disturb();
  auto& shown = mine().wait_state();
  if (shown.state.load() == 0) return;
  shown.clear();
  for (const int rank : remote_ranks_) set_shown(rank, &shown.state, 8, 0);
}

void Links::wait_ended(const void* run) {
  if (wait_tracker_->remove(run)) withdraw_wait_state();
  ProcessRest::mine().disturb();
}

void Links::disturb() {
  ProcessRest::mine().disturb();
  if (wait_tracker_->at_rest()) withdraw_wait_state();
}

std::string Links::text_of_wait(int rank) const {
  const auto wait_state = boards_[static_cast<std::size_t>(rank)].wait_state().read(0);
  if (!wait_state) return {};
  return fmt::format("rank {} waits in {}", rank,
                     text_of(wait_state->at.call, wait_state->at.site));
}

}  // namespace hccl
