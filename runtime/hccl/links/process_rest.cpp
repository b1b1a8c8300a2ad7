// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/links/process_rest.h"

#include <algorithm>
#include <iterator>

#include "runtime/hccl/board/deadlock.h"

namespace hccl {
namespace {

constexpr const char* kText = "ranks wait for each other: ";

bool failed_by_deadlock(const Links& links) {
  const auto trouble = links.trouble();
  return trouble && trouble->text.find(kText) != std::string::npos;
}

}  // namespace

// The ranks of this process, with the operations that they wait in, and the other processes.
std::vector<WaitingRank> ProcessRest::named_ranks(const std::vector<Wait>& waits,
                                                  const std::vector<WaitingRank>& ranks,
                                                  int named) {
  std::vector<WaitingRank> all;
  for (const Wait& wait : waits) {
    if (wait.wait.awaited.empty()) continue;
    WaitState state;
    state.at = wait.wait.at;
    state.awaited[0] = wait.wait.awaited.front();
    all.push_back({wait.of->me(), state});
  }
  std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(all),
               [named](const WaitingRank& one) { return one.rank != named; });
  std::stable_sort(all.begin(), all.end(),
                   [](const WaitingRank& a, const WaitingRank& b) { return a.rank < b.rank; });
  return all;
}

ProcessRest& ProcessRest::mine() {
  static auto* const rest = new ProcessRest;  // used until the process exits
  return *rest;
}

// Returns whether the process is at rest, as far as its own threads and streams are concerned.
bool ProcessRest::collect(const All& all, std::vector<Wait>& waits) const {
  bool rests = true;
  std::vector<std::uint64_t> threads;
  for (const auto& links : all) {
    WaitTracker& tracker = links->wait_tracker();
    rests = rests && tracker.all_wait();
    for (LongWait& wait : tracker.waits()) waits.push_back({links.get(), std::move(wait)});
    const auto own = tracker.host_threads();
    threads.insert(threads.end(), own.begin(), own.end());
  }
  const auto waits_somewhere = [&](std::uint64_t thread) {
    return std::any_of(waits.begin(), waits.end(), [&](const Wait& one) {
      const auto& behind = one.wait.host_threads;
      return std::find(behind.begin(), behind.end(), thread) != behind.end();
    });
  };
  return rests && !waits.empty() && std::all_of(threads.begin(), threads.end(), waits_somewhere);
}

/// Another process of the deadlock has found it, and has failed one of the communicators of both.
/// It could do so only while this process was at rest.
std::optional<Links::Deadlock> ProcessRest::found_by_other(const All& all) const {
  for (const auto& links : all) {
    if (failed_by_deadlock(*links) && !failed_before_.contains(links->communicator())) {
      return Links::Deadlock{links->trouble()->text, false};
    }
  }
  return std::nullopt;
}

/// `goes_on`: a wait of the last epoch has not ended.
void ProcessRest::begin_epoch(const All& all, Seen seen, bool goes_on) {
  epoch_ = ++epochs_;
  seen_ = std::move(seen);
  if (goes_on) return;
  failed_before_.clear();
  for (const auto& links : all) {
    if (failed_by_deadlock(*links)) failed_before_.insert(links->communicator());
  }
}

// Nothing if the communicator does not have all processes that this one waits for.
std::optional<WaitState> ProcessRest::state_for(const Links& links,
                                                const std::vector<Wait>& waits) const {
  WaitState state;
  state.epoch = epoch_;
  const auto own =
      std::find_if(waits.begin(), waits.end(), [&](const Wait& one) { return one.of == &links; });
  state.at = (own != waits.end() ? *own : waits.front()).wait.at;
  const auto add = [&](const Wait& one) {
    for (const ProcessEpoch& process : one.wait.processes) {
      const int rank = links.rank_of(process.process);
      if (rank < 0 || state.count == WaitState::kMost) return false;
      state.awaited[state.count++] = {rank, process.epoch};
    }
    return true;
  };
  if (own != waits.end() && !add(*own)) return std::nullopt;
  for (auto at = waits.begin(); at != waits.end(); ++at) {
    if (at != own && !add(*at)) return std::nullopt;
  }
  return state;
}

// A thread that enqueues increases a counter first, and then looks whether the process is at rest.
std::optional<Links::Deadlock> ProcessRest::look() {
  const All all = Links::of_this_process();
  const bool one = std::all_of(all.begin(), all.end(),
                               [&](const auto& links) { return links->id() == all.front()->id(); });
  if (one) return std::nullopt;
  const auto moves = [](const auto& links) { return links->wait_tracker().any_moves(); };
  const sim::LockGuard guard(mutex_);
  if (std::any_of(all.begin(), all.end(), moves)) return std::nullopt;
  at_rest_ = true;
  std::vector<Wait> waits;
  if (!collect(all, waits)) {
    epoch_ = 0;
    seen_.clear();
    at_rest_ = false;
    for (const auto& links : all) links->show_process_state(std::nullopt);
    return std::nullopt;
  }
  Seen seen;
  for (const Wait& wait : waits) seen.emplace_back(wait.wait.run, wait.wait.progress);
  const bool goes_on =
      std::any_of(seen.begin(), seen.end(), [this](const auto& run) REQUIRES(mutex_) {
        return std::find(seen_.begin(), seen_.end(), run) != seen_.end();
      });
  if (goes_on) {
    if (auto found = found_by_other(all)) return found;
  }
  if (epoch_ == 0 || seen != seen_) begin_epoch(all, std::move(seen), goes_on);
  for (const auto& links : all) links->show_process_state(state_for(*links, waits));
  for (const auto& links : all) {
    const int named = links->rank_of(links->own_process());
    if (links->me() != named) continue;
    const auto ranks = find_deadlock(links->boards(), named, &Board::process_state);
    const auto lower = [named](const WaitingRank& rank) { return rank.rank < named; };
    if (!ranks || std::any_of(ranks->begin(), ranks->end(), lower)) continue;
    return Links::Deadlock{text_of_deadlock(named_ranks(waits, *ranks, named))};
  }
  return std::nullopt;
}

void ProcessRest::withdraw() {
  const All all = Links::of_this_process();
  const sim::LockGuard guard(mutex_);
  epoch_ = 0;
  seen_.clear();
  at_rest_ = false;
  for (const auto& links : all) links->show_process_state(std::nullopt);
}

}  // namespace hccl
