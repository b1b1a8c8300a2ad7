// SPDX-License-Identifier: Apache-2.0
#include "tests/replay/story.h"
#include "tests/support/catch.h"
#include "tools/replay/engine/deadlock.h"

namespace {

using catch_compat::ContainsSubstring;
using replay::Contention;
using replay::Execution;
using replay::Options;
using replay::Topology;
using story::plain;
using story::Story;
using trace::kNone;
using trace::OpIndex;
using trace::Trace;

Execution run(const Trace& trace, const Topology& topology = plain(), const Options& options = {}) {
  return replay::run_virtual(trace, topology, options);
}

Options with(Contention contention) {
  Options options;
  options.contention = contention;
  return options;
}

}  // namespace

TEST_CASE("a stream runs one op after the other") {
  Story s;
  const auto track = s.track(0, 1);
  s.kernel(track, 100);
  s.kernel(track, 50);
  const Trace trace = s.b.finish();
  const Execution done = run(trace);
  CHECK(done.start(1) == 100);
  CHECK(done.end(1) == 150);
  CHECK(done.cause(1) == 0);
  CHECK(done.makespan_ns == 150);
}

TEST_CASE("a waiting stream goes on when the record has ended, and the news has come through") {
  Story s;
  const auto a = s.track(0, 1);
  const auto b = s.track(0, 2);
  s.kernel(a, 1000);
  const OpIndex record = s.record(a, 7);
  s.wait(b, 7, record);
  s.kernel(b, 10);
  const Trace trace = s.b.finish();
  Topology topology = plain();
  topology.record_ns = 20;
  topology.wake_ns = 440;
  const Execution done = run(trace, topology);
  CHECK(done.end(1) == 1020);
  CHECK(done.start(2) == 0);
  CHECK(done.end(2) == 1460);
  CHECK(done.cause(2) == 1);
  CHECK(done.start(3) == 1460);
}

TEST_CASE("a wait is bound to the generation that it names, whatever is recorded later") {
  Story s;
  const auto a = s.track(0, 1);
  const auto b = s.track(0, 2);
  const OpIndex first = s.record(a, 7, 1);
  s.kernel(a, 1000);
  s.record(a, 7, 2);
  s.wait(b, 7, first, 1);
  s.kernel(b, 10);
  const Execution done = run(s.b.finish());
  CHECK(done.start(4) == 0);
}

TEST_CASE("a wait on an event that was never recorded orders nothing") {
  Story s;
  s.wait(s.track(0, 1), 7, kNone, 0);
  const Execution done = run(s.b.finish());
  CHECK(done.complete());
}

TEST_CASE("a wait whose record is missing stands, and the report names the event") {
  Story s;
  s.wait(s.track(0, 1), 7, kNone, 3);
  const Trace trace = s.b.finish();
  const Execution done = run(trace);
  REQUIRE(done.blocked.size() == 1);
  const auto why = replay::explain(done, trace.tracks().size());
  CHECK(why.cycle.empty());
  CHECK_THAT(replay::to_text(why, done, trace),
             catch_compat::ContainsSubstring("record of event 7 that the trace does not hold"));
}

TEST_CASE("the shortest cycle is told, not the lanes that only hang on it") {
  Story s;
  const auto a = s.track(0, 1);
  const auto b = s.track(0, 2);
  const auto c = s.track(0, 3);
  // a waits for b, b for a, c for a; each record comes after the wait.
  const OpIndex wait_a = s.wait(a, 1, kNone);
  const OpIndex record_a = s.record(a, 2);
  s.wait(b, 2, record_a);
  const OpIndex record_b = s.record(b, 1);
  s.wait(c, 2, record_a);
  s.b.pending().sync(wait_a).partner = record_b;
  const Trace trace = s.b.finish();
  const Execution done = run(trace);
  CHECK(done.blocked.size() == 3);
  const auto why = replay::explain(done, trace.tracks().size());
  REQUIRE(why.cycle.size() == 2);
  CHECK(done.blocked[why.cycle[0]].track + done.blocked[why.cycle[1]].track == a + b);
}

TEST_CASE("a counting wait passes when the notifies add up, and resets them") {
  Story s;
  const auto a = s.track(0, 1);
  const auto b = s.track(0, 2);
  const auto c = s.track(0, 3);
  s.kernel(a, 100);
  s.notify(a, 5, 2);
  s.kernel(b, 300);
  s.notify(b, 5, 1);
  s.notify_wait(c, 5, kNone, 3);
  s.kernel(c, 1);
  const Trace trace = s.b.finish();
  const Execution done = run(trace);
  CHECK(done.start(5) == 300);

  s.notify(s.track(0, 1), 5, 2);
  s.notify_wait(s.track(0, 3), 5, kNone, 3);
  CHECK_FALSE(run(s.b.finish()).complete());
}

TEST_CASE("a value wait passes when the word compares as it asks") {
  Story s;
  const auto a = s.track(0, 1);
  const auto b = s.track(0, 2);
  const std::uint32_t word = s.b.object(trace::ObjectKind::address, 0, 0x1000);
  s.kernel(a, 100);
  s.b.add(s.op(trace::OpKind::value_write, a), trace::ValueUse{1, word});
  s.kernel(a, 100);
  s.b.add(s.op(trace::OpKind::value_write, a), trace::ValueUse{5, word});
  trace::ValueUse use{4, word};
  use.compare = trace::Compare::greater_equal;
  s.b.add(s.op(trace::OpKind::value_wait, b), use);
  s.kernel(b, 1);
  CHECK(run(s.b.finish()).start(5) == 200);
}

TEST_CASE("eager sends end by themselves, rendezvous sends with their receive") {
  Story s;
  const auto a = s.track(0, 1, 0);
  const auto b = s.track(1, 1, 1);
  const OpIndex send = s.message(a, b, 100, 1);
  const Trace trace = s.b.finish();
  CHECK(send == 0);
  CHECK(run(trace).end(0) == 100);

  Story late;
  const auto c = late.track(0, 1, 0);
  const auto d = late.track(1, 1, 1);
  late.kernel(d, 1000);
  late.message(c, d, 100, 1);
  const Trace slow = late.b.finish();
  Options options;
  CHECK(run(slow, plain(), options).end(0) == 100);
  options.sends = replay::Sends::rendezvous;
  const Execution met = run(slow, plain(), options);
  CHECK(met.end(0) == 1100);
  CHECK(met.end(2) == 1100);
}

TEST_CASE("a ring of rendezvous sends stands, and of eager ones runs") {
  Story s;
  constexpr int kRanks = 8;
  for (int r = 0; r < kRanks; ++r) s.track(r, 1, r);
  for (int r = 0; r < kRanks; ++r) {
    const auto to = static_cast<std::uint32_t>((r + 1) % kRanks);
    trace::CommUse use;
    use.bytes = 8;
    use.peer = to;
    s.b.add(s.op(trace::OpKind::send, s.track(r, 1, r)), use);
  }
  for (OpIndex r = 0; r < kRanks; ++r) {
    trace::CommUse use;
    use.bytes = 8;
    use.peer = (r + kRanks - 1) % kRanks;
    use.partner = (r + kRanks - 1) % kRanks;
    const int rank = static_cast<int>(r);
    s.b.pending().comm(use.partner).partner =
        s.b.add(s.op(trace::OpKind::recv, s.track(rank, 1, rank)), use);
  }
  const Trace trace = s.b.finish();
  CHECK(run(trace).complete());
  Options options;
  options.sends = replay::Sends::rendezvous;
  const Execution stuck = run(trace, plain(), options);
  CHECK(stuck.done_ops == 0);
  CHECK(replay::explain(stuck, trace.tracks().size()).cycle.size() == kRanks);
}

TEST_CASE("members of a collective end together, its cost behind the last who comes") {
  Story s;
  const auto a = s.track(0, 1, 0);
  const auto b = s.track(1, 1, 1);
  s.kernel(a, 100);
  s.collective(a, "world", 0, 500);
  s.kernel(b, 300);
  s.collective(b, "world", 0, 400);  // the last member decides the cost
  const Execution done = run(s.b.finish());
  CHECK(done.start(1) == 100);
  CHECK(done.end(1) == 700);
  CHECK(done.end(3) == 700);
  CHECK(done.cause(1) == 2);
}

TEST_CASE("what the host waited for before it called for anything does not move the work behind") {
  Story s;
  const auto track = s.track(0, 1);
  const std::uint16_t thread = s.b.host(0, 1);
  const auto on_host = [&](trace::OpKind kind, trace::Nanoseconds start, trace::Nanoseconds ns) {
    trace::NewOp op = s.op(kind, s.b.host_track(thread), ns);
    op.host = thread;
    op.start = op.issue = start;
    if (kind == trace::OpKind::copy) op.flags = trace::kBlocks;
    return op;
  };
  for (const trace::Nanoseconds at : {1'000, 50'000, 90'000}) {  // blocking copies of the set-up
    s.b.add(on_host(trace::OpKind::copy, at, 500), trace::CopyUse{64, trace::kHostMemory, 0});
  }
  s.b.add(on_host(trace::OpKind::sync, 95'000, 100),
          trace::HostUse{trace::Target::stream, 0, track, 0, trace::kNone});
  trace::NewOp kernel = s.op(trace::OpKind::kernel, track, 2'000);
  kernel.host = thread;
  kernel.issue = 100'000;
  kernel.start = 100'300;
  s.b.add(kernel);
  const Trace trace = s.b.finish();
  const Execution done = run(trace);
  CHECK(done.start(trace.tracks()[track].begin) == 300);
  CHECK(done.makespan_ns == 2'300);
}

TEST_CASE("a collective that a rank of its group never issues stands") {
  Story s;
  const auto a = s.track(0, 1, 0);
  s.kernel(s.track(1, 1, 1), 10);
  s.collective(a, "world", 0);
  s.b.group_at(s.b.group("world")).ranks = {0, 1};
  const Trace trace = s.b.finish();
  const Execution done = run(trace);
  REQUIRE_FALSE(done.complete());
  CHECK_THAT(replay::to_text(replay::explain(done, trace.tracks().size()), done, trace),
             catch_compat::ContainsSubstring("rank 1, which never comes"));
}

TEST_CASE("transfers on one link queue, share it, or do not see each other") {
  Story s;
  const auto a = s.track(0, 1);
  const auto b = s.track(0, 2);
  s.track(1, 1);
  s.copy(a, 1000, 0, 1);
  s.copy(b, 1000, 0, 1);
  s.copy(s.track(1, 1), 1000, 1, 0);  // the other direction
  const Trace trace = s.b.finish();
  const Execution fifo = run(trace, plain(), with(Contention::fifo));
  CHECK(fifo.end(0) == 1000);
  CHECK(fifo.start(1) == 1000);
  CHECK(fifo.end(1) == 2000);
  CHECK(fifo.cause(1) == 0);
  CHECK(fifo.end(2) == 1000);
  CHECK(fifo.queued);
  const Execution share = run(trace, plain(), with(Contention::share));
  CHECK(share.end(0) == 2000);
  CHECK(share.end(1) == 2000);
  CHECK(share.end(2) == 1000);
  const Execution off = run(trace, plain(), with(Contention::off));
  CHECK(off.end(1) == 1000);
  CHECK_FALSE(off.queued);
}

TEST_CASE("fair shares: who is held back by a port leaves the rest of a link to others") {
  Story s;
  for (int d = 0; d < 3; ++d) s.track(d, 1);
  s.copy(s.track(0, 1), 1000, 0, 2);
  s.copy(s.track(1, 1), 500, 1, 2);
  const Trace trace = s.b.finish();
  Topology topology = plain();
  topology.port_in = 1e9;  // both end at device 2
  const Execution done = run(trace, topology, with(Contention::share));
  CHECK(done.end(1) == 1000);  // half of the port each
  CHECK(done.end(0) == 1500);  // then all of it
}

TEST_CASE("recorded durations do not queue: they hold what they met") {
  Story s;
  s.copy(s.track(0, 1), 1000, 0, 1, 700);
  s.copy(s.track(0, 2), 1000, 0, 1, 700);
  s.track(1, 1);
  const Trace trace = s.b.finish();
  CHECK(run(trace).end(1) == 700);
  Options options;
  options.cost = replay::CostSource::model;
  CHECK(run(trace, plain(), options).end(1) == 2000);
}

TEST_CASE("an op begins no earlier than its host issued it, and a late sync moves what follows") {
  Story s;
  const std::uint16_t host = s.b.host(0, 1);
  s.b.rank(0);
  const auto track = s.track(0, 1);
  trace::NewOp first = s.op(trace::OpKind::kernel, track, 100);
  first.host = host;
  first.issue = 1000;
  first.start = 1010;
  const OpIndex kernel = s.b.add(first);
  trace::NewOp sync = s.op(trace::OpKind::sync, s.b.host_track(host), 90);
  sync.host = host;
  sync.start = 1030;
  s.b.add(sync, trace::HostUse{trace::Target::stream, 0, track, 0, kernel});
  trace::NewOp second = s.op(trace::OpKind::kernel, track, 10);
  second.host = host;
  second.issue = 1150;
  second.start = 1160;
  s.b.add(second);
  const Trace trace = s.b.finish();
  const OpIndex later = trace.tracks()[track].begin + 1;
  Options options;
  const Execution same = run(trace, plain(), options);
  CHECK(same.start(later) == 160);  // as recorded, from the first issue on
  options.scale = 3;                // 200 ns more until the sync ends
  CHECK(run(trace, plain(), options).start(later) == 360);
}

TEST_CASE("what waited for another stream in the recording does not wait for it twice") {
  Story s;
  const auto a = s.track(0, 1);
  const auto b = s.track(0, 2);
  const auto timed = [&](trace::TrackIndex track, trace::Nanoseconds start, trace::Nanoseconds ns) {
    trace::NewOp op = s.op(trace::OpKind::kernel, track, ns);
    op.start = start;
    s.b.add(op);
  };
  timed(a, 0, 1000);
  const OpIndex record = s.record(a, 7);  // without times, as profiles of PyTorch have them
  timed(b, 10, 50);
  s.wait(b, 7, record);
  timed(b, 1500, 10);
  const Trace trace = s.b.finish();
  Topology topology = plain();
  topology.record_ns = 20;
  topology.wake_ns = 440;
  CHECK(run(trace, topology).start(trace.size() - 1) == 1500);
}

TEST_CASE("a launched graph runs its lanes, and the stream goes on when all have ended") {
  Story s;
  const auto track = s.track(0, 1);
  const auto inner = s.track(0, 20);
  const auto other = s.track(0, 21);
  const std::uint32_t graph = s.b.graph(3);
  for (const auto l : {inner, other}) {
    s.b.track(l).graph = graph;
    const_cast<trace::Graph&>(s.b.pending().graphs()[graph]).tracks.push_back(l);
  }
  s.kernel(inner, 100);
  const OpIndex record = s.record(inner, 1);
  s.wait(other, 1, record);
  s.kernel(other, 50);
  s.kernel(track, 10);
  s.b.add(s.op(trace::OpKind::launch, track), trace::LaunchUse{graph});
  s.b.add(s.op(trace::OpKind::launch, track), trace::LaunchUse{graph});
  s.kernel(track, 1);
  const Trace trace = s.b.finish();
  const Execution done = run(trace);
  REQUIRE(done.complete());
  CHECK(done.end(trace.tracks()[track].begin + 1) == 160);
  CHECK(done.end(trace.tracks()[track].begin + 2) == 310);
  CHECK(done.makespan_ns == 311);
}

TEST_CASE("a stream that waits for the graph that it launches later stands in a cycle with it") {
  Story s;
  const auto track = s.track(0, 1);
  const auto inner = s.track(0, 20);
  const std::uint32_t graph = s.b.graph(3);
  s.b.track(inner).graph = graph;
  const_cast<trace::Graph&>(s.b.pending().graphs()[graph]).tracks.push_back(inner);
  s.wait(track, 1, s.record(inner, 1));
  s.b.add(s.op(trace::OpKind::launch, track), trace::LaunchUse{graph});
  const Trace trace = s.b.finish();
  const Execution done = run(trace);
  const replay::Deadlock why = replay::explain(done, trace.tracks().size());
  CHECK(why.cycle.size() == 2);
  CHECK(why.orphans.empty());
  CHECK_THAT(replay::to_text(why, done, trace), ContainsSubstring("runs only when launched by"));
}

TEST_CASE("an arrival from outside comes when it came") {
  Story s;
  const auto track = s.track(0, 1);
  trace::NewOp wait = s.op(trace::OpKind::notify_wait, track, 500);
  wait.start = 100;
  s.b.add(wait, trace::SyncUse{s.b.object(trace::ObjectKind::notify, kNone, 9), 1});
  trace::NewOp kernel = s.op(trace::OpKind::kernel, track, 10);
  kernel.start = 600;
  s.b.add(kernel);
  const Execution done = run(s.b.finish());
  CHECK(done.start(1) == 500);  // 600 recorded, 100 is 0 here
}

TEST_CASE("a duration beyond four seconds stays what it is") {
  Story s;
  s.kernel(s.track(0, 1), 10'000'000'000);
  const Execution done = run(s.b.finish());
  CHECK(done.length(0) == 10'000'000'000);
  CHECK(done.start(0) == 0);
}

TEST_CASE("a run that is asked to stop says so and keeps what it has") {
  Story s;
  for (int i = 0; i < 200'000; ++i) s.kernel(s.track(0, 1), 1);
  Options options;
  options.stop = [](std::uint64_t done, trace::Nanoseconds) { return done > 100'000; };
  const Execution done = run(s.b.finish(), plain(), options);
  CHECK(done.interrupted);
  CHECK(done.done(100'000));
  CHECK_FALSE(done.done(199'999));
  CHECK(done.blocked.empty());
}
