// SPDX-License-Identifier: Apache-2.0
// Properties of every trace, tested on many random traces.
#include <algorithm>
#include <random>
#include <vector>

#include "tests/replay/story.h"
#include "tests/support/catch.h"
#include "tools/replay/pictures/chrome_timeline.h"
#include "tools/replay/results/critical_path.h"
#include "tools/replay/results/summary.h"

namespace {

using replay::Contention;
using replay::Execution;
using replay::Nanoseconds;
using replay::Options;
using replay::Topology;
using story::plain;
using story::Story;
using trace::kNone;
using trace::OpIndex;
using trace::OpKind;
using trace::Trace;

/// Streams of two devices with kernels, copies and events; waits only for records that were issued
/// before, so there is an order. `shift`: added to the duration of the `longer`-th kernel.
Trace random_trace(unsigned seed, unsigned longer = 0, Nanoseconds shift = 0) {
  std::mt19937 random(seed);
  Story s;
  std::vector<trace::TrackIndex> tracks;
  for (int i = 0; i < 6; ++i) tracks.push_back(s.track(i % 2, i));
  std::vector<std::pair<std::uint64_t, OpIndex>> records;
  unsigned kernels = 0;
  for (int i = 0; i < 400; ++i) {
    const auto track = tracks[random() % tracks.size()];
    const unsigned what = random() % 10;
    const unsigned number = random();
    if (what < 4) {
      s.kernel(track, 10 + number % 1000 + (++kernels == longer ? shift : 0));
    } else if (what < 6) {
      s.copy(track, 1 + number % 2000, static_cast<int>(number % 2),
             1 - static_cast<int>(number % 2));
    } else if (what < 8) {
      records.emplace_back(i, s.record(track, static_cast<std::uint64_t>(i)));
    } else if (!records.empty()) {
      const auto& [event, record] = records[number % records.size()];
      s.wait(track, event, record);
    }
  }
  return s.b.finish();
}

Execution run(const Trace& trace, Contention contention, double jitter = 0,
              std::uint64_t seed = 0) {
  Options options;
  options.contention = contention;
  options.jitter = jitter;
  options.seed = seed;
  Topology topology = plain();
  topology.wake_ns = 7;
  topology.record_ns = 3;
  return replay::run_virtual(trace, topology, options);
}

/// The longest way through the trace, by looking at its ops again and again until nothing moves.
Nanoseconds longest_path(const Trace& trace) {
  std::vector<Nanoseconds> end(trace.size(), -1);
  for (bool moved = true; moved;) {
    moved = false;
    for (const trace::Track& track : trace.tracks()) {
      for (OpIndex op = track.begin; op < track.end; ++op) {
        if (end[op] >= 0) continue;
        const Nanoseconds before = op == track.begin ? 0 : end[op - 1];
        const trace::Op& it = trace[op];
        const OpIndex partner = it.kind == OpKind::wait ? trace.sync(op).partner : kNone;
        if (before < 0 || (partner != kNone && end[partner] < 0)) break;
        const Nanoseconds cost = it.kind == OpKind::kernel   ? trace.duration(op)
                                 : it.kind == OpKind::copy   ? Nanoseconds(trace.copy(op).bytes)
                                 : it.kind == OpKind::record ? 3
                                                             : 0;
        end[op] = std::max(before + cost, partner == kNone ? 0 : end[partner] + 7);
        moved = true;
      }
    }
  }
  return *std::max_element(end.begin(), end.end());
}

std::string timeline(const Trace& trace, const Execution& run) {
  const Options options;
  const Topology topology = plain();
  std::string text;
  replay::write_chrome(trace, run, replay::Cost(trace, topology, options),
                       [&](std::string_view part) { text += part; });
  return text;
}

}  // namespace

TEST_CASE("the makespan is the longest path, and more only where transfers meet") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    const Trace trace = random_trace(seed);
    const Nanoseconds path = longest_path(trace);
    const Execution off = run(trace, Contention::off);
    REQUIRE(off.complete());
    CHECK(off.makespan_ns == path);
    CHECK(run(trace, Contention::fifo).makespan_ns >= path);
    CHECK(run(trace, Contention::share).makespan_ns >= path);
  }
}

TEST_CASE("the critical path fills the makespan without a hole") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Trace trace = random_trace(seed);
    for (const Contention contention : {Contention::off, Contention::fifo, Contention::share}) {
      const Execution done = run(trace, contention);
      const replay::CriticalPath path = replay::critical_path(trace, done);
      Nanoseconds at = 0;
      Nanoseconds sum = 0;
      for (const auto& step : path.steps) {
        CHECK(step.from == at);
        at = step.to;
      }
      for (const Nanoseconds share : path.shares) sum += share;
      CHECK(at == done.makespan_ns);
      CHECK(sum == done.makespan_ns);
    }
  }
}

TEST_CASE("ops of a stream never overlap") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Trace trace = random_trace(seed);
    for (const Contention contention : {Contention::off, Contention::fifo, Contention::share}) {
      const Execution done = run(trace, contention);
      for (const trace::Track& track : trace.tracks()) {
        for (OpIndex op = track.begin + 1; op < track.end; ++op) {
          CHECK(done.start(op) >= done.end(op - 1));
        }
      }
    }
  }
}

TEST_CASE("no link carries two transfers at a time under fifo, nor more than its bandwidth") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Trace trace = random_trace(seed);
    const Options options;
    const Topology topology = plain();
    const replay::Cost cost(trace, topology, options);
    for (const Contention contention : {Contention::fifo, Contention::share}) {
      const Execution done = run(trace, contention);
      for (const auto& link : replay::summarise(trace, done, cost).links) {
        if (contention == Contention::fifo) CHECK(link.peak_transfers == 1);
        CHECK(done.makespan_ns >= Nanoseconds(link.bytes));
        CHECK(link.busy_ns >= Nanoseconds(link.bytes));
      }
    }
  }
}

TEST_CASE("no op begins earlier when a kernel takes longer, without contention") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const Trace before = random_trace(seed);
    const Trace after = random_trace(seed, 1 + seed, 5000);
    const Execution a = run(before, Contention::off);
    const Execution b = run(after, Contention::off);
    for (OpIndex op = 0; op < before.size(); ++op) CHECK(b.start(op) >= a.start(op));
  }
}

TEST_CASE("a wait that is taken out delays nobody, without contention") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Trace all = random_trace(seed);
    Trace fewer = random_trace(seed);
    for (OpIndex op = 0; op < fewer.size(); ++op) {
      if (fewer[op].kind != OpKind::wait || op % 3 != 0) continue;
      fewer.sync(op).partner = kNone;
      fewer.sync(op).generation = 0;
    }
    const Execution a = run(all, Contention::off);
    const Execution b = run(fewer, Contention::off);
    for (OpIndex op = 0; op < all.size(); ++op) CHECK(b.start(op) <= a.start(op));
  }
}

TEST_CASE("one seed gives the same bytes, another one other times") {
  for (const Contention contention : {Contention::fifo, Contention::share}) {
    const Trace trace = random_trace(3);
    const std::string first = timeline(trace, run(trace, contention, 0.2, 5));
    CHECK(first == timeline(trace, run(trace, contention, 0.2, 5)));
    CHECK(first != timeline(trace, run(trace, contention, 0.2, 6)));
  }
}

TEST_CASE("recorded costs without gaps never make an op later than it was recorded") {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Trace base = random_trace(seed);
    const Execution truth = run(base, Contention::fifo, 0.3, seed);
    // The same job with the times of that run as its recording.
    Story s;
    for (int i = 0; i < 6; ++i) s.track(i % 2, i);
    std::vector<OpIndex> copy_of(base.size());
    for (trace::TrackIndex l = 0; l < base.tracks().size(); ++l) {
      for (OpIndex op = base.tracks()[l].begin; op < base.tracks()[l].end; ++op) {
        trace::NewOp made = s.op(base[op].kind, l, truth.length(op));
        made.start = truth.start(op);
        const bool sync = base[op].kind == OpKind::wait || base[op].kind == OpKind::record;
        copy_of[op] = sync                            ? s.b.add(made, base.sync(op))
                      : base[op].kind == OpKind::copy ? s.b.add(made, base.copy(op))
                                                      : s.b.add(made);
      }
    }
    for (OpIndex op = 0; op < base.size(); ++op) {
      if (base[op].kind == OpKind::wait) {
        s.b.pending().sync(copy_of[op]).partner = copy_of[base.sync(op).partner];
      }
    }
    const Trace recorded = s.b.finish();
    Options options;
    options.gaps = false;
    const Execution none = replay::run_virtual(recorded, plain(), options);
    options.gaps = true;
    const Execution with = replay::run_virtual(recorded, plain(), options);
    for (OpIndex op = 0; op < recorded.size(); ++op) {
      CHECK(none.start(op) <= recorded.start(op) - none.origin_ns);
      CHECK(with.start(op) <= recorded.start(op) - with.origin_ns);
    }
  }
}
