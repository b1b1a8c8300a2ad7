// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/pairing/pairing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace trace {
namespace {

struct Use {
  OpIndex op;
  TrackIndex track;
};

/// Sorts the uses of one id in the order in which they happened, as far as it is known: uses of one
/// track in its order; uses of several tracks by time if all have one, else track by track.
void sort_uses(const Trace& trace, std::vector<Use>& uses) {
  const bool timed = std::all_of(uses.begin(), uses.end(),
                                 [&](const Use& use) { return trace.start(use.op) != kNoTime; });
  const auto ranks = [&](const Use& use) { return trace.tracks()[use.track].rank; };
  std::stable_sort(uses.begin(), uses.end(), [&](const Use& a, const Use& b) {
    if (ranks(a) != ranks(b)) return ranks(a) < ranks(b);
    if (a.track == b.track) return a.op < b.op;
    const auto key = [&](const Use& use) {
      return timed ? trace.start(use.op) : Nanoseconds{trace.line(use.op)};
    };
    return std::tuple(key(a), a.track) < std::tuple(key(b), b.track);
  });
}

struct Sides {
  std::vector<Use> givers;
  std::vector<Use> takers;
};

template <class KeyOf>
auto collect(const Trace& trace, OpKind giver, OpKind taker, KeyOf key_of) {
  std::map<decltype(key_of(OpIndex{}, TrackIndex{})), Sides> sides;
  for (TrackIndex track = 0; track < trace.tracks().size(); ++track) {
    for (OpIndex op = trace.tracks()[track].begin; op < trace.tracks()[track].end; ++op) {
      const OpKind kind = trace[op].kind;
      if ((kind != giver && kind != taker) || trace[op].use == kNone) continue;
      Sides& side = sides[key_of(op, track)];
      (kind == giver ? side.givers : side.takers).push_back({op, track});
    }
  }
  return sides;
}

}  // namespace

std::uint32_t pair_notifies(Trace& trace) {
  std::uint32_t pairs = 0;
  auto sides = collect(trace, OpKind::notify, OpKind::notify_wait,
                       [&](OpIndex op, TrackIndex) { return trace.sync(op).object; });
  for (auto& [object, side] : sides) {
    sort_uses(trace, side.givers);
    sort_uses(trace, side.takers);
    std::size_t next = 0;  // among the givers; a counted wait takes several
    for (const Use& taker : side.takers) {
      SyncUse& wait = trace.sync(taker.op);
      std::uint64_t missing = std::max(wait.generation, 1U);
      OpIndex last = kNone;
      while (missing != 0 && next < side.givers.size()) {
        last = side.givers[next++].op;
        missing -= std::min<std::uint64_t>(missing, std::max(trace.sync(last).generation, 1U));
      }
      if (missing != 0) break;
      wait.partner = last;
      trace.sync(last).partner = taker.op;
      wait.how = trace.sync(last).how = Provenance::order;
      wait.candidates = 1;
      ++pairs;
    }
  }
  return pairs;
}

std::uint32_t pair_sends(Trace& trace) {
  std::uint32_t pairs = 0;
  const auto key = [&](OpIndex op, TrackIndex track) {
    const CommUse& use = trace.comm(op);
    const std::uint32_t own = trace.tracks()[track].rank;
    const bool send = trace[op].kind == OpKind::send;
    return std::tuple(send ? own : use.peer, send ? use.peer : own, use.group, use.tag);
  };
  auto sides = collect(trace, OpKind::send, OpKind::recv, key);
  for (auto& [id, side] : sides) {
    sort_uses(trace, side.givers);
    sort_uses(trace, side.takers);
    const std::size_t count = std::min(side.givers.size(), side.takers.size());
    for (std::size_t k = 0; k < count; ++k) {
      CommUse& send = trace.comm(side.givers[k].op);
      CommUse& recv = trace.comm(side.takers[k].op);
      send.partner = side.takers[k].op;
      recv.partner = side.givers[k].op;
      send.how = recv.how = Provenance::order;
      ++pairs;
    }
  }
  return pairs;
}

// ---- clocks ----

namespace {

/// The known bounds of the clocks of two ranks.
struct Delay {
  Nanoseconds smallest = INT64_MAX;  // from the start of a notify to the end of its wait
  std::uint32_t pairs = 0;
};
using Delays = std::map<std::pair<std::uint32_t, std::uint32_t>, Delay>;

Delays measure(const Trace& trace) {
  Delays delays;
  for (const Track& track : trace.tracks()) {
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace[op].kind != OpKind::notify_wait || trace[op].use == kNone) continue;
      const OpIndex from = trace.sync(op).partner;
      if (from == kNone || trace.start(op) == kNoTime || trace.start(from) == kNoTime) continue;
      const std::uint32_t rank = trace.tracks()[trace.track_of(from)].rank;
      if (rank == track.rank) continue;
      Delay& delay = delays[{rank, track.rank}];
      const Nanoseconds took = trace.start(op) - trace.start(from) + trace.duration(op);
      delay.smallest = std::min(delay.smallest, took);
      ++delay.pairs;
    }
  }
  return delays;
}

}  // namespace

void align_clocks(Trace& trace) {
  const Delays delays = measure(trace);
  std::vector<bool> done(trace.ranks().size());
  for (std::uint32_t first = 0; first < done.size(); ++first) {
    if (done[first]) continue;
    done[first] = true;
    std::vector<std::uint32_t> reached{first};
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const std::uint32_t from = reached[i];
      for (auto there = delays.lower_bound({from, 0});
           there != delays.end() && there->first.first == from; ++there) {
        const std::uint32_t to = there->first.second;
        const auto back = delays.find({to, from});
        if (done[to] || back == delays.end()) continue;
        const Nanoseconds ahead = (there->second.smallest - back->second.smallest) / 2;
        const Nanoseconds bound = (there->second.smallest + back->second.smallest) / 2;
        trace.shift_clock(to, trace.ranks()[from].clock_offset_ns - ahead,
                          trace.ranks()[from].clock_bound_ns + bound,
                          there->second.pairs + back->second.pairs);
        done[to] = true;
        reached.push_back(to);
      }
    }
  }
}

}  // namespace trace
