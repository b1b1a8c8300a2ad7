// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/order/engine/node.h"
#include "runtime/order/engine/snapshot.h"
#include "runtime/order/engine/sync_marks.h"
#include "runtime/order/engine/vector_clock.h"

namespace order {

/// Most items need only the first two lines of the cache.
struct alignas(128) ActorClock {
  VectorClock clock;
  bool host = false;
  bool crew = false;               // a host that runs functions of any stream
  bool blocked = false;            // at a wait or call that is not complete; see set_blocked()
  std::uint32_t issued = 0;        // the number of the last item
  std::uint32_t version = 1;       // hosts: counts the joins of other clocks
  std::uint32_t moment = 1;        // hosts: counts these joins and the host's own steps
  Actor seen_host = 0;             // streams: the host whose clock was joined last
  std::uint32_t seen_version = 0;  // streams: its `version` and `moment` then
  std::uint32_t seen_moment = 0;
  // Streams: while the clock's news() is `covered_news`, the clock of this host covers it, but
  // for the stream's own steps and for the record with the number `record` (0: none).
  Actor covered_by = 0;
  std::uint32_t covered_news = 0;
  std::uint64_t record = 0;  // hosts: the last such record that was joined
  SyncMarks marks;           // streams
  Snapshot snapshot;         // hosts: of the clock; null: it has advanced since
  Snapshot joined;           // streams: the last snapshot that was joined

  bool is_covered_by(Actor by) const { return covered_by == by && covered_news == clock.news(); }
};

/// The clocks of all actors, and the steps of streams. `HostThreads` has the steps of hosts.
class Clocks {
 public:
  ActorClock& operator[](Actor actor) { return actors_[actor]; }
  const ActorClock& operator[](Actor actor) const { return actors_[actor]; }
  std::size_t size() const noexcept { return actors_.size(); }

  Actor add_host();
  Actor add_stream();
  /// `creator` is ordered before all items of the stream.
  Actor add_stream(Actor creator);
  /// The next stream with this number continues its count and starts with an empty clock.
  void end_stream(Actor stream);
  /// The stream counts as having passed all of its items.
  void pass_all(Actor stream);

  void set_blocked(ActorClock& stream, bool blocked) noexcept {
    if (stream.blocked == blocked) return;
    stream.blocked = blocked;
    blocked ? ++blocked_ : --blocked_;
  }
  bool any_blocked() const noexcept { return blocked_ != 0; }
  /// No stream but this one is blocked.
  bool all_blocked_are(Actor stream) const noexcept {
    return blocked_ == 0 || (blocked_ == 1 && actors_[stream].blocked);
  }

  /// The next item of a stream that is not blocked.
  void start(ActorClock& stream, Actor number, Actor host) {
    ++stream.issued;
    begin(stream, number);
    if (stream.seen_host == host && stream.seen_moment == actors_[host].moment) return;
    join_host(stream, host);
  }
  /// The stream begins its next item.
  static void begin(ActorClock& stream, Actor number) {
    if (stream.clock.of(number) == stream.marks.next()) [[unlikely]]
      stream.marks.pass(stream.clock);
    stream.clock.advance(number);
  }
  static void join(ActorClock& stream, const Snapshot& host_clock) {
    if (host_clock == stream.joined) return;
    stream.joined = host_clock;
    stream.clock.join(host_clock->clock);
  }
  /// The stream passes `ops` items without accesses.
  static void pass(ActorClock& stream, Actor number, std::uint32_t ops);
  /// A wait for a record that is ordered after all that `host` joined, if the record is ordered
  /// before neither the stream nor the host. The clock of the record then covers the joined part of
  /// the host's clock, so one join suffices. False: nothing was done.
  bool wait_at_once(Actor stream, Actor host, Node& node);
  /// A step of the run of a graph, which no mark counts.
  void step(Actor stream) { actors_[stream].clock.advance(stream); }

  /// The actor's current epoch.
  Epoch now(Actor actor) const { return {actor, actors_[actor].clock.of(actor)}; }
  bool covers(Actor actor, Epoch epoch) const { return actors_[actor].clock.covers(epoch); }
  /// True when the actor is ordered after all that was issued to the stream.
  bool covers_all_of(Actor actor, Actor stream) const {
    return actors_[actor].clock.of(stream) >= actors_[stream].issued;
  }
  /// A copy of the host's clock.
  Snapshot snapshot_of(Actor host);

 private:
  void join_host(ActorClock& stream, Actor host);
  static void refresh_host(ActorClock& stream, const ActorClock& by, Actor host);
  Actor add();

  std::vector<ActorClock> actors_;
  std::vector<Actor> unused_;  // numbers of streams that have ended
  std::size_t blocked_ = 0;    // the number of streams that are blocked
};

}  // namespace order
