// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tests/replay/story.h"
#include "tests/support/catch.h"
#include "tools/replay/topology/topology_fit.h"

namespace {

using catch_compat::ContainsSubstring;
using replay::LinkKind;
using replay::parse_topology;
using replay::Topology;

const replay::LinkCost& kind(const Topology& topology, LinkKind kind) {
  return topology.kinds[static_cast<std::size_t>(kind)];
}

}  // namespace

TEST_CASE("a topology file says what links there are and what they cost") {
  const Topology topology = parse_topology(R"(
devices = 4
between = "SYS"
[link.hccs]
latency_ns = 900
bandwidth = 14e9
[link.host]
bandwidth = 10e9
[host]
launch_ns = 4000
[sync]
wake_ns = 100
[[pair]]
a = 1
b = 0
topo = "HCCS"
[[pair]]
a = 2
b = 3
topo = "HCCS"
bandwidth = 1e9
)",
                                           "t.toml");
  CHECK(topology.devices == 4);
  CHECK(topology.kind(0, 1) == LinkKind::hccs);
  CHECK(topology.kind(1, 2) == LinkKind::sys);
  CHECK(topology.kind(2, 2) == LinkKind::on_chip);
  CHECK(topology.kind(-1, 2) == LinkKind::host);
  CHECK(topology.cost(1, 0) == replay::LinkCost{900, 14e9});
  CHECK(topology.cost(3, 2) == replay::LinkCost{900, 1e9});
  CHECK(topology.cost(-1, 2).bw == 10e9);
  CHECK(topology.pageable_launch_ns == 4000);
  CHECK(topology.wake_ns == 100);
  CHECK(topology.cost(0, 1).transfer_ns(14) == 901);
}

TEST_CASE("the kinds of links have the bits of the runtime") {
  CHECK(replay::topology_bit(LinkKind::hccs) == 0x01);
  CHECK(replay::topology_bit(LinkKind::pix) == 0x02);
  CHECK(replay::topology_bit(LinkKind::pib) == 0x04);
  CHECK(replay::topology_bit(LinkKind::phb) == 0x08);
  CHECK(replay::topology_bit(LinkKind::sys) == 0x10);
  CHECK(replay::topology_bit(LinkKind::sio) == 0x20);
  CHECK(replay::topology_bit(LinkKind::hccs_sw) == 0x40);
}

TEST_CASE("a topology that is written is read back the same") {
  Topology topology;
  topology.devices = 3;
  topology.port_out = 5e9;
  topology.pairs[{0, 2}] = {LinkKind::sio, replay::LinkCost{5, 3e9}};
  const Topology again = parse_topology(to_toml(topology), "again");
  CHECK(to_toml(again) == to_toml(topology));
  CHECK(again.pairs == topology.pairs);
  CHECK(again.kinds == topology.kinds);
}

TEST_CASE("a wrong topology names the line, the key and what was expected") {
  const auto says = [](const char* text, const char* part) {
    CHECK_THROWS_WITH(parse_topology(text, "t.toml"), ContainsSubstring(part));
  };
  says("devices = 0\n", "t.toml:1: devices: expected a whole number from 1");
  says("\n[link.hccs]\nspeed = 1\n", "t.toml:3: link.hccs.speed: no such key");
  says("[link.nvlink]\n", "link.nvlink: no such kind of link; expected one of: hccs");
  says("[link.hccs]\nbandwidth = 0\n", "expected bytes per second");
  says("[link.hccs]\nbandwidth = true\n", "expected bytes per second");
  says("[link.hccs]\nlatency_ns = 1.5\n", "expected a whole number of nanoseconds");
  says("[link]\nHCCS = 3\n", "HCCS: expected a table");
  says("[[pair]]\na = 0\nb = 0\n", "expected two devices");
  says("[[pair]]\na = 0\nb = 9\n", "t.toml:3: pair.b: expected a whole number from 0 to 7");
  says("[[pair]]\na = 0\n", "lacks a or b");
  says("[[pair]]\na = 0\nb = 1\n[[pair]]\na = 1\nb = 0\n", "0 and 1 stand here twice");
  says("[sync]\nwake_ns = \"long\"\n", "t.toml:2: sync.wake_ns");
  says("devices = \n", "t.toml:1:11: no valid TOML: expected a value, but the line ends");
  says("[lnk]\n", "t.toml:1: lnk: no such key; expected one of: devices");
  says("[lnk]\n", "; did you mean 'link'?");
  says("[link.hcsc]\n", "; did you mean 'hccs'?");
}

TEST_CASE("names of earlier versions are refused with the new name") {
  const auto says = [](const char* text, const char* part) {
    CHECK_THROWS_WITH(parse_topology(text, "t.toml"), ContainsSubstring(part));
  };
  says("[link.hccs]\nlat_ns = 1\n",
       "t.toml:2: link.hccs.lat_ns: has a new name; expected link.hccs.latency_ns");
  says("[[dimension]]\nbw = 1\n", "dimension.bw: has a new name; expected dimension.bandwidth");
  says("[host]\nbw = 1\n", "host.bw: has a new name; expected link.host.bandwidth");
  says("[port]\nout_bw = 1\n", "port.out_bw: has a new name; expected port.out_bandwidth");
  says("[link.onchip]\n", "; did you mean 'on_chip'?");
}

TEST_CASE("a configuration file of the emulator gives the costs of links to a replay") {
  const Topology topology = parse_topology(R"(
[machine]
devices = 4
memory = "8GiB"
[limits]
peers = 8
[link.hccs]
latency_ns = 900
bandwidth = 14.0e9
[link.on_chip]
bandwidth = 500e9
[[fault]]
kind = "kernel"
)",
                                           "machine.toml");
  CHECK(topology.devices == 4);
  CHECK(topology.cost(0, 1) == replay::LinkCost{900, 14e9});
  CHECK(topology.cost(1, 1) == replay::LinkCost{100, 500e9});
}

TEST_CASE("a fit finds the latency and bandwidth that made the durations") {
  story::Story s;
  for (int d = 0; d < 2; ++d) s.track(d, 1);
  const replay::LinkCost truth{1200, 8e9};
  for (const std::uint64_t bytes : {1000U, 50'000U, 1'000'000U, 20'000'000U}) {
    s.copy(s.track(0, 1), bytes, 0, 1, truth.transfer_ns(bytes));
  }
  s.copy(s.track(0, 1), 1'000'000, -1, 0, 102'000);  // one size only: the latency stays
  const trace::Trace trace = s.b.finish();
  const replay::Fit fit = replay::fit_topology(trace, Topology());
  CHECK(fit.topology.devices == 2);
  CHECK(std::abs(kind(fit.topology, LinkKind::hccs).lat_ns - 1200) <= 2);
  CHECK(kind(fit.topology, LinkKind::hccs).bw == catch_compat::Approx(8e9).epsilon(1e-3));
  CHECK(kind(fit.topology, LinkKind::host).lat_ns == 2000);
  CHECK(kind(fit.topology, LinkKind::host).bw == catch_compat::Approx(1e10).epsilon(1e-3));
  CHECK(kind(fit.topology, LinkKind::pix) == kind(Topology(), LinkKind::pix));
  REQUIRE(fit.lines.size() == 2);
  CHECK(fit.lines[0].off_percent < 0.1);
}
