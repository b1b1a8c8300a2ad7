// SPDX-License-Identifier: Apache-2.0
// Networks with dimensions, and the costs of collectives on them; every number is computed by hand.
#include <numeric>
#include <vector>

#include "tests/replay/story.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tools/replay/topology/collective_cost.h"

namespace {

using catch_compat::ContainsSubstring;
using replay::Algorithm;
using replay::Dimension;
using replay::Nanoseconds;
using replay::parse_network;
using replay::Shape;
using replay::Topology;
using trace::Collective;

constexpr const char* kNetwork = R"(# two levels
topology: [ Ring, FullyConnected, Switch ]   # innermost first
npus_count: [ 4, 2, 8 ]
bandwidth: [ 100, 50, 25 ]  # GB/s
latency: [ 500, 700, 1000 ]  # ns
)";

Topology net_of(std::vector<Dimension> dimensions) {
  Topology made;
  made.devices = 1;
  for (const Dimension& one : dimensions) made.devices *= one.count;
  made.dimensions = std::move(dimensions);
  return made;
}
Dimension dim(Shape shape, std::uint32_t count, Nanoseconds lat, double bw) {
  Dimension made{shape, count, {lat, bw}, {}};
  return made;
}
std::vector<std::int32_t> first_ranks(std::int32_t count) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}
Nanoseconds priced(const Topology& topology, Collective kind, std::uint64_t bytes) {
  return replay::collective_ns(topology, kind,
                               first_ranks(static_cast<std::int32_t>(topology.devices)), bytes);
}

}  // namespace

TEST_CASE("a network is read in the form of ASTRA-sim") {
  const Topology read = parse_network(kNetwork, "n.yml");
  REQUIRE(read.dimensions.size() == 3);
  CHECK(read.devices == 64);
  CHECK(read.dimensions[0].shape == Shape::ring);
  CHECK(read.dimensions[1].shape == Shape::full);
  CHECK(read.dimensions[2].shape == Shape::switched);
  CHECK(read.dimensions[1].count == 2);
  CHECK(read.dimensions[2].link == replay::LinkCost{1000, 25e9});
  const Topology block = parse_network(
      "topology:\n  - Ring\nnpus_count:\n- 8\nbandwidth: 50.5\n"
      "latency: [ 500.0 ]\nextra: [ 1 ]\n",
      "n.yml");
  CHECK(block.dimensions[0].count == 8);
  CHECK(block.dimensions[0].link == replay::LinkCost{500, 50.5e9});
  REQUIRE(block.remarks.size() == 1);
  CHECK_THAT(block.remarks[0], ContainsSubstring("n.yml:7: `extra` is not used"));
}

TEST_CASE("a wrong network names the line, the key and what was expected") {
  const auto says = [](const std::string& text, const char* part) {
    CHECK_THROWS_WITH(parse_network(text, "n.yml"), ContainsSubstring(part));
  };
  const std::string rest = "bandwidth: [ 1 ]\nlatency: [ 1 ]\n";
  says("topology: [ Torus ]\nnpus_count: [ 4 ]\n" + rest,
       "n.yml:1: topology: 'Torus'; expected Ring, FullyConnected or Switch");
  says("topology: [ Ring, Ring ]\nnpus_count: [ 4 ]\n" + rest,
       "n.yml:2: npus_count: 1 entries; expected 2");
  says("topology: [ Ring ]\nnpus_count: [ 0 ]\n" + rest,
       "n.yml:2: npus_count: '0'; expected a whole number");
  says("topology: [ Ring ]\nnpus_count: [ 4 ]\nlatency: [ 1 ]\n", "n.yml: lacks `bandwidth`");
  says("topology: [ Ring ]\nnpus_count: [ 4 ]\nbandwidth: [ -1 ]\nlatency: [ 1 ]\n",
       "n.yml:3: bandwidth: '-1'");
  says("topology: [ Ring\nnpus_count: [ 4 ]\n", "expected");
  says("what is this\n", "n.yml:1: 'what is this'; expected KEY");
}

TEST_CASE("a message takes the hops of each dimension, the shorter way round a ring") {
  const Topology net = parse_network(kNetwork, "n.yml");
  CHECK(net.cost(0, 1) == replay::LinkCost{500, 100e9});
  CHECK(net.cost(0, 3) == replay::LinkCost{500, 100e9});   // round the other way
  CHECK(net.cost(0, 2) == replay::LinkCost{1000, 100e9});  // two hops
  CHECK(net.cost(0, 4) == replay::LinkCost{700, 50e9});    // the second dimension
  CHECK(net.cost(0, 8) == replay::LinkCost{1000, 25e9});   // the switch
  CHECK(net.cost(1, 8 + 4 + 2) == replay::LinkCost{500 + 700 + 1000, 25e9});
  CHECK(std::string(net.link_word(0, 4)) == "full mesh");
  CHECK(std::string(net.link_word(0, 5)) == "network");
}

TEST_CASE("collectives of one dimension cost what their shape's algorithm does") {
  // 1 byte per ns, 8000 bytes, 8 ranks, hops of 10 ns
  const Topology ring = net_of({dim(Shape::ring, 8, 10, 1e9)});
  CHECK(priced(ring, Collective::all_reduce, 8000) == 2 * 7 * (1000 + 10));
  CHECK(priced(ring, Collective::all_gather, 8000) == 7 * (1000 + 10));
  CHECK(priced(ring, Collective::reduce_scatter, 8000) == 7 * (1000 + 10));
  // Half of the ring sends to the other half: 8 * 8 / 4 / 2 parts over the busiest link, 4 hops.
  CHECK(priced(ring, Collective::all_to_all, 8000) == 8 * 1000 + 4 * 10);
  const Topology full = net_of({dim(Shape::full, 8, 10, 1e9)});
  CHECK(priced(full, Collective::all_reduce, 8000) == 2 * (1000 + 10));
  CHECK(priced(full, Collective::all_to_all, 8000) == 1000 + 10);
  const Topology hub = net_of({dim(Shape::switched, 8, 10, 1e9)});
  CHECK(priced(hub, Collective::all_reduce, 8000) == 2 * (4000 + 2000 + 1000 + 3 * 10));
  CHECK(priced(hub, Collective::all_to_all, 8000) == 7 * 1000 + 10);
  const Topology six = net_of({dim(Shape::switched, 6, 10, 1e9)});  // no power of two: a ring
  CHECK(priced(six, Collective::all_reduce, 6000) == 2 * 5 * (1000 + 10));
}

TEST_CASE(
    "a hierarchy scatters inwards and gathers outwards, each phase what the one before left") {
  const Topology two = net_of({dim(Shape::full, 4, 10, 4e9), dim(Shape::ring, 2, 100, 1e9)});
  // 8000 bytes: full mesh of 4 with 2000 bytes to each at 4 bytes per ns, then a ring of 2 with
  // 2000
  const Nanoseconds inner = 2000 / 4 + 10;
  const Nanoseconds outer = 1 * (1000 + 100);
  CHECK(priced(two, Collective::all_reduce, 8000) == 2 * (inner + outer));
  CHECK(priced(two, Collective::reduce_scatter, 8000) == inner + outer);
  // The cost of a group within one dimension does not depend on the other.
  const std::vector<std::int32_t> across{0, 4};
  CHECK(replay::collective_ns(two, Collective::all_gather, across, 8000) == 4000 + 100);
  // One that fills no block is a ring over the slowest way.
  const std::vector<std::int32_t> corner{0, 1, 4};
  CHECK(replay::collective_ns(two, Collective::all_gather, corner, 3000) == 2 * (1000 + 110));
}

TEST_CASE("algorithms can be named, in TOML and in the JSON of a system") {
  const support::TempDir dir;
  Topology net = replay::parse_topology(R"(
[[dimension]]
shape = "full"
ranks = 8
latency_ns = 10
bandwidth = 1e9
collectives = "ring"
)",
                                        "t.toml");
  CHECK(net.devices == 8);
  CHECK(priced(net, Collective::all_reduce, 8000) == 2 * 7 * 1010);
  replay::read_system(dir.write("s.json", R"({"all-reduce-implementation": ["halvingDoubling"],
      "all-gather-implementation": ["direct"], "peak-perf": 900})"),
                      net);
  CHECK(priced(net, Collective::all_reduce, 8000) == 2 * (7000 + 30));
  CHECK(priced(net, Collective::all_gather, 8000) == 1010);
  REQUIRE(net.remarks.size() == 1);
  CHECK_THAT(net.remarks[0], ContainsSubstring("not used: peak-perf"));
  CHECK_THROWS_WITH(
      replay::read_system(dir.write("w.json", R"({"all-reduce-implementation": ["best"]})"), net),
      ContainsSubstring("all-reduce-implementation: 'best'; expected ring, direct"));
  CHECK(to_toml(replay::parse_topology(to_toml(net), "again")) == to_toml(net));
}

TEST_CASE("devices with links of their own exchange directly, over a PCIe root in a ring") {
  Topology flat;  // HCCS between any two
  flat.kinds[static_cast<std::size_t>(replay::LinkKind::hccs)] = {10, 1e9};
  CHECK(priced(flat, Collective::all_reduce, 8000) == 2 * (1000 + 10));
  flat.port_out = 2e9;  // 7 parts of 1000 bytes through a port of 2 bytes per ns
  CHECK(priced(flat, Collective::all_reduce, 8000) == 2 * (3500 + 10));
  flat.port_out = 0;
  flat.collectives = Algorithm::ring;
  CHECK(priced(flat, Collective::all_reduce, 8000) == 2 * 7 * (1000 + 10));
  Topology root;
  root.between = replay::LinkKind::sys;
  root.kinds[static_cast<std::size_t>(replay::LinkKind::sys)] = {10, 1e9};
  CHECK(priced(root, Collective::all_reduce, 8000) == 2 * 7 * (1000 + 10));
}
