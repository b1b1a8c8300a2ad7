// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/collectives/stream_queues.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"

namespace hccl {
namespace {

/// Identifies a collective: communicator and number.
using Key = std::pair<std::uint64_t, std::uint64_t>;
Key key_of(const QueuedCollective& at) { return {at.links->id(), at.number}; }

struct Queues {
  sim::Mutex mutex;
  std::map<aclrtStream, std::list<QueuedCollective>> by_stream GUARDED_BY(mutex);
  // Pairs that wait for each other and were reported.
  std::set<std::pair<Key, Key>> reported GUARDED_BY(mutex);

  static Queues& get() {
    static auto* const all = new Queues;  // used until the process exits
    return *all;
  }
};

/// A message to the ranks of `behind`: this rank does not start it before `ahead` has ended.
struct ToShow {
  std::shared_ptr<Links> links;
  std::uint64_t number;
  Held held;
};

void show_all(const std::vector<ToShow>& all) {
  for (const ToShow& show : all) show.links->show_held(show.number, show.held);
}

ToShow shown(const QueuedCollective& ahead, const QueuedCollective& behind) {
  return {
      behind.links,
      behind.number,
      {ahead.links->id(), ahead.number, {ahead.call, *ahead.site}, {behind.call, *behind.site}}};
}

bool of_others(const QueuedCollective& one, const QueuedCollective& other) {
  return one.links->id() != other.links->id();
}

std::string in_order(const CalledAt& first, const CalledAt& then) {
  return fmt::format("{} before {}", text_of(first.call, first.site),
                     text_of(then.call, then.site));
}

std::string text_of_cycle(const QueuedCollective& mine, const QueuedCollective& behind, int awaited,
                          const Held& theirs) {
  return fmt::format(
      "operation {} of communicator '{}' and operation {} of '{}' wait for each other: rank {} "
      "called {} "
      "on one stream, but rank {} called {}; operations of communicators that share a stream come "
      "in the "
      "same order on all ranks (EI0005)",
      mine.number + 1, mine.links->communicator(), behind.number + 1, behind.links->communicator(),
      mine.links->me(), in_order({mine.call, *mine.site}, {behind.call, *behind.site}), awaited,
      in_order(theirs.ahead, theirs.behind));
}

}  // namespace

// Only the first queued collective of each communicator gets the message: the rank starts it before
// the others of that communicator.
QueuePlace::QueuePlace(aclrtStream stream, QueuedCollective collective) : stream_(stream) {
  std::vector<ToShow> all;
  {
    const sim::LockGuard guard(Queues::get().mutex);
    Queue& queue = Queues::get().by_stream[stream_];
    for (const QueuedCollective& ahead : queue) {
      if (!of_others(ahead, collective)) {
        all.clear();
      } else if (ahead.sleeps) {
        all.push_back(shown(ahead, collective));
      }
    }
    place_ = queue.insert(queue.end(), std::move(collective));
  }
  show_all(all);
}

QueuePlace::~QueuePlace() {
  Queue gone;  // it may hold the last reference to the communicator's links
  Queues& queues = Queues::get();
  const sim::LockGuard guard(queues.mutex);
  const auto queue = queues.by_stream.find(stream_);
  gone.splice(gone.end(), queue->second, place_);
  if (queue->second.empty()) queues.by_stream.erase(queue);
}

void QueuePlace::sleep() {
  std::vector<ToShow> all;
  {
    const sim::LockGuard guard(Queues::get().mutex);
    // later collectives were informed when they were enqueued
    if (std::exchange(place_->sleeps, true)) return;
    std::set<std::uint64_t> seen{place_->links->id()};
    const Queue& queue = Queues::get().by_stream[stream_];
    for (auto behind = std::next(place_); behind != queue.end(); ++behind) {
      if (seen.insert(behind->links->id()).second) all.push_back(shown(*place_, *behind));
    }
  }
  show_all(all);
}

std::optional<QueuePlace::Cycle> QueuePlace::cycle(int awaited) const {
  const auto theirs = place_->links->held(awaited, place_->number);
  if (!theirs) return std::nullopt;
  Queues& queues = Queues::get();
  const sim::LockGuard guard(queues.mutex);
  const Queue& queue = queues.by_stream[stream_];
  for (auto behind = std::next(place_); behind != queue.end(); ++behind) {
    if (behind->links->id() != theirs->by || behind->number != theirs->by_number) continue;
    const std::pair<Key, Key> pair = std::minmax({key_of(*place_), key_of(*behind)});
    const bool first = queues.reported.insert(pair).second;
    return Cycle{behind->links, text_of_cycle(*place_, *behind, awaited, *theirs), !first};
  }
  return std::nullopt;
}

}  // namespace hccl
