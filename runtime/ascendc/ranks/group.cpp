// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/ranks/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "device_sim/base/mutex.h"

namespace ascendc::ranks {

std::shared_ptr<Group> Group::of(std::uint64_t number, const std::string& name,
                                 std::uint32_t ranks) {
  struct All {
    sim::Mutex mutex;
    std::map<std::uint64_t, std::shared_ptr<Group>> groups GUARDED_BY(mutex);
  };
  static auto& all = *new All;
  const sim::LockGuard guard(all.mutex);
  std::shared_ptr<Group>& found = all.groups[number];
  if (!found) found = std::make_shared<Group>(name, ranks);
  return found;
}

bool Group::enter(std::uint32_t rank, const std::string& kernel) {
  const sim::LockGuard guard(mutex_);
  Rank& own = ranks_[rank];
  if (own.inside) return false;
  own.inside = true;
  own.kernel = kernel;
  return true;
}

void Group::leave(std::uint32_t rank, const std::string& why) {
  const sim::LockGuard guard(mutex_);
  Rank& own = ranks_[rank];
  own.inside = false;
  if (!why.empty()) fail_with(fmt::format("rank {}: kernel {} {}", rank, own.kernel, why));
}

std::uint64_t Group::commit(std::uint32_t rank, Turn turn) {
  const sim::LockGuard guard(mutex_);
  Rank& own = ranks_[rank];
  own.turns.push_back(std::move(turn));
  const std::uint64_t number = own.committed++;
  const auto has_turn = [](const Rank& each) { return !each.turns.empty(); };
  while (failure_.empty() && std::all_of(ranks_.begin(), ranks_.end(), has_turn)) carry_out_next();
  return number;
}

void Group::carry_out_next() {
  std::vector<Turn> turns;
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const Turn& turn = ranks_[rank].turns.front();
    for (std::uint32_t other = 0; other < rank; ++other) {
      const std::string why = mismatch(turns[other], other, turn, rank);
      if (!why.empty()) return fail_with(why);
    }
    turns.push_back(turn);
  }
  carry_out(turns);
  for (Rank& rank : ranks_) rank.turns.pop_front();
  ++over_;
  changed_.notify_all();
}

Group::State Group::state_of(std::uint64_t turn) const {
  if (turn < over_) return State::over;
  return failure_.empty() ? State::waits : State::failed;
}

Group::State Group::state(std::uint64_t turn) const {
  const sim::LockGuard guard(mutex_);
  return state_of(turn);
}

Group::State Group::wait(std::uint64_t turn, std::chrono::microseconds most) {
  sim::UniqueLock lock(mutex_);
  const auto end = std::chrono::steady_clock::now() + most;
  while (state_of(turn) == State::waits &&
         changed_.wait_until(lock, end) == std::cv_status::no_timeout) {
  }
  return state_of(turn);
}

std::string Group::waits_for(std::uint32_t rank, std::uint64_t turn) const {
  const sim::LockGuard guard(mutex_);
  const std::uint64_t index = turn - over_;
  const Rank& own = ranks_[rank];
  if (turn < over_ || index >= own.turns.size()) return {};
  const Turn& what = own.turns[index];
  std::string all = fmt::format("rank {} of communicator '{}' waits in {} ({}) for", rank, name_,
                                what.text(), what.place);
  bool first = true;
  for (std::uint32_t other = 0; other < ranks_.size(); ++other) {
    const Rank& each = ranks_[other];
    if (each.committed > turn) continue;
    all += fmt::format("{} rank {}, ", first ? "" : " and", other);
    all += each.inside ? fmt::format("whose kernel {} has committed {} operations", each.kernel,
                                     each.committed)
                       : std::string("where no kernel runs that calls it");
    first = false;
  }
  return all;
}

void Group::fail(const std::string& why) {
  const sim::LockGuard guard(mutex_);
  fail_with(why);
}

void Group::fail_with(const std::string& why) {
  if (!failure_.empty()) return;
  failure_ = why;
  changed_.notify_all();
}

std::string Group::failure() const {
  const sim::LockGuard guard(mutex_);
  return failure_;
}

}  // namespace ascendc::ranks
