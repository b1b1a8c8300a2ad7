// SPDX-License-Identifier: Apache-2.0
// Transfers that use the same hop at the same time; every number is computed by hand. Links move a
// byte per ns and have no latency unless a test sets them.
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/replay/story.h"
#include "tests/support/catch.h"
#include "tools/replay/topology/hops.h"

namespace {

using replay::Contention;
using replay::CostSource;
using replay::Dimension;
using replay::Execution;
using replay::Load;
using replay::Nanoseconds;
using replay::Options;
using replay::Shape;
using replay::Topology;
using story::plain;
using story::Story;
using trace::Collective;
using trace::OpIndex;
using trace::Trace;
using trace::TrackIndex;

Topology net(std::vector<Dimension> dimensions) {
  Topology made = plain();
  made.dimensions = std::move(dimensions);
  made.devices = 1;
  for (const Dimension& one : made.dimensions) made.devices *= one.count;
  return made;
}
Dimension dim(Shape shape, std::uint32_t count, double bw = 1e9) {
  return {shape, count, {0, bw}, {}};
}

/// A job of ranks with a device each.
class Cluster {
 public:
  explicit Cluster(int ranks) : ranks_(ranks) {
    for (int rank = 0; rank < ranks; ++rank) tracks_.push_back(s_.track(rank, 1, rank));
  }
  OpIndex copy(int from, int to, std::uint64_t bytes, int stream = 1) {
    return s_.copy(s_.track(from, stream, from), bytes, from, to);
  }
  /// Adds a collective of these ranks, each on that stream of its device; returns the op of the
  /// first.
  OpIndex collective(const std::vector<int>& ranks, std::string_view name, Collective kind,
                     std::uint64_t bytes, int stream = 1, Nanoseconds recorded = trace::kNoTime) {
    OpIndex first = trace::kNone;
    const std::uint32_t group = s_.b.group(name);
    for (const int rank : ranks) {
      trace::CommUse use;
      use.group = group;
      use.kind = kind;
      use.bytes = bytes;
      const TrackIndex track = s_.track(rank, stream, rank);
      const OpIndex op = s_.b.add(s_.op(trace::OpKind::collective, track, recorded), use);
      if (first == trace::kNone) first = op;
    }
    s_.b.group_at(group).ranks.assign(ranks.begin(), ranks.end());
    return first;
  }
  OpIndex collective(std::string_view name, Collective kind, std::uint64_t bytes, int stream) {
    std::vector<int> all(static_cast<std::size_t>(ranks_));
    std::iota(all.begin(), all.end(), 0);
    return collective(all, name, kind, bytes, stream);
  }
  Trace finish() { return s_.b.finish(); }

 private:
  Story s_;
  int ranks_;
  std::vector<TrackIndex> tracks_;
};

Execution run(const Trace& trace, const Topology& topology, Contention contention,
              CostSource cost = CostSource::mixed) {
  Options options;
  options.contention = contention;
  options.cost = cost;
  return replay::run_virtual(trace, topology, options);
}

/// Ends of the ops, by rank, then stream.
std::vector<Nanoseconds> ends(const Trace& trace, const Topology& topology, Contention contention) {
  const Execution done = run(trace, topology, contention);
  REQUIRE(done.complete());
  std::map<std::pair<std::uint32_t, std::uint64_t>, Nanoseconds> found;
  for (const trace::Track& track : trace.tracks()) {
    if (track.size() != 0) found[{track.rank, track.id}] = done.end(track.end - 1);
  }
  std::vector<Nanoseconds> all;
  for (const auto& [place, end] : found) all.push_back(end);
  return all;
}
using Times = std::vector<Nanoseconds>;

Nanoseconds bytes_on(const std::vector<Load>& loads, std::uint64_t key, double of) {
  for (const Load& load : loads) {
    if (load.hop.key == key) return static_cast<Nanoseconds>(load.bytes * of + 0.5);
  }
  return 0;
}

}  // namespace

TEST_CASE("messages round a ring share the hops that both pass") {
  Cluster job(8);
  job.copy(0, 2, 1000);  // past 1
  job.copy(1, 2, 1000);
  job.copy(2, 1, 1000);  // the other direction is a link of its own
  job.copy(4, 5, 1000);
  const Trace trace = job.finish();
  const Topology ring = net({dim(Shape::ring, 8)});
  CHECK(ends(trace, ring, Contention::fifo) == Times{1000, 2000, 1000, 1000});
  CHECK(ends(trace, ring, Contention::share) == Times{2000, 2000, 1000, 1000});
  CHECK(ends(trace, ring, Contention::off) == Times{1000, 1000, 1000, 1000});
}

TEST_CASE("messages through a switch share the way up to it and the way down from it") {
  Cluster job(5);
  job.copy(0, 1, 1000, 1);
  job.copy(0, 2, 1000, 2);
  job.copy(0, 3, 1000, 3);
  job.copy(4, 1, 1000);
  const Trace trace = job.finish();
  const Topology hub = net({dim(Shape::switched, 5)});
  // Each gets a third of the way up; the last gets the rest of the way down to 1.
  CHECK(ends(trace, hub, Contention::share) == Times{3000, 3000, 3000, 1500});
  CHECK(ends(trace, hub, Contention::fifo) == Times{1000, 2000, 3000, 2000});
  const Topology mesh = net({dim(Shape::full, 5)});
  CHECK(ends(trace, mesh, Contention::share) == Times{1000, 1000, 1000, 1000});
}

TEST_CASE("messages share a hop of one dimension and not those of another") {
  Cluster job(8);
  job.copy(0, 5, 1000, 1);  // along the ring to 1, then through the switch
  job.copy(0, 4, 1000, 2);  // from 0 through the switch
  job.copy(1, 5, 1000, 1);  // from 1 through the switch
  const Trace trace = job.finish();
  const Topology two = net({dim(Shape::ring, 4, 4e9), dim(Shape::switched, 2)});
  CHECK(ends(trace, two, Contention::share) == Times{2000, 1000, 2000});
  CHECK(ends(trace, two, Contention::fifo) == Times{1000, 1000, 2000});
}

TEST_CASE("collectives on the same hops share them, on others they do not") {
  const Topology ring = net({dim(Shape::ring, 4)});
  Cluster job(4);
  job.collective("a", Collective::all_reduce, 4000, 1);
  job.collective("b", Collective::all_reduce, 4000, 2);
  const Trace trace = job.finish();
  const Nanoseconds alone = 2 * 3 * 1000;
  const Times shared(8, 2 * alone);
  CHECK(ends(trace, ring, Contention::share) == shared);
  Times turns;
  for (int rank = 0; rank < 4; ++rank) turns.insert(turns.end(), {alone, 2 * alone});
  CHECK(ends(trace, ring, Contention::fifo) == turns);
  CHECK(ends(trace, ring, Contention::off) == Times(8, alone));
}

TEST_CASE("groups along different dimensions do not slow each other") {
  Cluster job(4);
  job.collective({0, 1}, "rows 0", Collective::all_gather, 1000, 1);
  job.collective({2, 3}, "rows 1", Collective::all_gather, 1000, 1);
  job.collective({0, 2}, "columns 0", Collective::all_gather, 3000, 2);
  job.collective({1, 3}, "columns 1", Collective::all_gather, 3000, 2);
  const Trace trace = job.finish();
  const Topology two = net({dim(Shape::switched, 2), dim(Shape::switched, 2)});
  for (const Contention contention : {Contention::fifo, Contention::share}) {
    CHECK(ends(trace, two, contention) == Times{500, 1500, 500, 1500, 500, 1500, 500, 1500});
  }
}

TEST_CASE("a collective and a message share the hop that both pass") {
  Cluster job(4);
  job.copy(0, 1, 1000, 2);
  job.copy(1, 0, 1000, 2);
  job.collective("a", Collective::all_reduce, 4000, 1);
  const Trace trace = job.finish();
  // All-reduce: 6000 bytes on each link from one to the next. Half of it until the message is over.
  const Topology ring = net({dim(Shape::ring, 4)});
  CHECK(ends(trace, ring, Contention::share) == Times{7000, 2000, 7000, 1000, 7000, 7000});
  CHECK(ends(trace, ring, Contention::fifo) == Times{6000, 7000, 6000, 1000, 6000, 6000});
  // Each device has a link to each: 2000 bytes on each of them, in both directions.
  const Topology pairs = plain();
  CHECK(ends(trace, pairs, Contention::share) == Times{3000, 2000, 3000, 2000, 3000, 3000});
}

TEST_CASE("a collective of several phases keeps a hop busy for its part of the time") {
  Cluster job(4);
  job.copy(0, 1, 1000, 2);
  job.collective("a", Collective::all_reduce, 1000, 1);
  const Trace trace = job.finish();
  const Topology two = net({dim(Shape::full, 2), dim(Shape::switched, 2)});
  // Alone 1000 in the mesh and 500 through the switch: two thirds of 1500 on the link from 0 to 1,
  // of which it has a half.
  CHECK(ends(trace, two, Contention::off) == Times{1500, 1000, 1500, 1500, 1500});
  CHECK(ends(trace, two, Contention::share) == Times{2000, 2000, 2000, 2000, 2000});
}

TEST_CASE("the latency of a collective is no time on its hops") {
  Topology ring = net({dim(Shape::ring, 4)});
  ring.dimensions[0].link.lat_ns = 10;
  Cluster job(4);
  job.collective("a", Collective::all_gather, 4000, 1);
  job.collective("b", Collective::all_gather, 4000, 2);
  const Trace trace = job.finish();
  CHECK(ends(trace, ring, Contention::off) == Times(8, 3 * (1000 + 10)));
  CHECK(ends(trace, ring, Contention::share) == Times(8, 2 * 3000 + 3 * 10));
}

TEST_CASE("a collective with a recorded duration waits for nobody's bytes") {
  Cluster job(2);
  job.collective({0, 1}, "a", Collective::all_reduce, 4000, 1, 500);
  job.collective({0, 1}, "b", Collective::all_reduce, 4000, 2, 500);
  const Trace trace = job.finish();
  const Topology ring = net({dim(Shape::ring, 2)});
  CHECK(ends(trace, ring, Contention::fifo) == Times(4, 500));
  const Execution modelled = run(trace, ring, Contention::fifo, CostSource::model);
  CHECK(modelled.makespan_ns == 8000);
  CHECK(modelled.queued);
}

TEST_CASE("a collective shares links with ranks that are not in the trace") {
  Story s;
  const std::uint32_t group = s.b.group("job");
  s.b.group_at(group).size = 64;
  trace::CommUse use;
  use.group = group;
  use.kind = Collective::all_gather;
  use.bytes = 64000;
  for (const int stream : {1, 2}) {
    s.b.add(s.op(trace::OpKind::collective, s.track(0, stream)), use);
    ++use.tag;
  }
  const Trace trace = s.b.finish();
  CHECK(ends(trace, plain(), Contention::fifo) == Times{1000, 2000});
  CHECK(ends(trace, plain(), Contention::share) == Times{2000, 2000});
}

TEST_CASE("each algorithm loads the links that it uses") {
  std::vector<std::int32_t> all(8);
  std::iota(all.begin(), all.end(), 0);
  const auto key = [](const Topology& topology, int from, int to, std::size_t hop) {
    return hops_between(topology, from, to).at(hop).key;
  };
  const Topology ring = net({dim(Shape::ring, 8)});
  const auto around = loads_of(ring, Collective::all_gather, all);
  CHECK(around.size() == 8);  // one direction
  CHECK(bytes_on(around, key(ring, 7, 0, 0), 8000) == 7000);
  // Ways of one to three hops pass a link 1 + 2 + 3 times, half of the ways of four hops 4 times.
  const auto across = loads_of(ring, Collective::all_to_all, all);
  CHECK(across.size() == 16);
  CHECK(bytes_on(across, key(ring, 3, 4, 0), 8000) == (1 + 2 + 3 + 2) * 1000);
  CHECK(bytes_on(across, key(ring, 4, 3, 0), 8000) == (1 + 2 + 3 + 2) * 1000);
  const Topology hub = net({dim(Shape::switched, 8)});
  const auto halved = loads_of(hub, Collective::reduce_scatter, all);
  CHECK(bytes_on(halved, key(hub, 0, 1, 0), 8000) == 4000 + 2000 + 1000);
  CHECK(bytes_on(halved, key(hub, 0, 1, 1), 8000) == 4000 + 2000 + 1000);
  const Topology mesh = net({dim(Shape::full, 8)});
  const auto direct = loads_of(mesh, Collective::all_reduce, all);
  CHECK(direct.size() == 56);
  CHECK(bytes_on(direct, key(mesh, 5, 2, 0), 8000) == 2000);
  CHECK(bytes_on(loads_of(mesh, Collective::broadcast, all), key(mesh, 0, 1, 0), 8000) == 8000);
  CHECK(loads_of(mesh, Collective::barrier, all).empty());
  std::vector<std::int32_t> many(300);
  std::iota(many.begin(), many.end(), 0);
  CHECK(loads_of(net({dim(Shape::full, 300)}), Collective::all_gather, many).empty());  // too many
}
