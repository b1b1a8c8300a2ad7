// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/links.h"

#include "tests/sim/machine.h"
#include "tests/support/catch.h"

using sim::kHostDevice;
using sim::LinkKind;
using sim::Links;
using EnableResult = sim::Links::EnableResult;

namespace {
sim::SystemConfig machine(sim::Topology topology, int peer_limit = 0) {
  sim::SystemConfig config = simtest::small_machine(8);
  config.topology = topology;
  config.peer_limit = peer_limit;
  config.hccs = {700, 16e9};
  config.pix = {1500, 20e9};
  config.on_chip = {100, 500e9};
  config.host = {2000, 22e9};
  return config;
}
}  // namespace

TEST_CASE("one switch joins every device with every other", "[links]") {
  const Links links(machine(sim::Topology::all_to_all));
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      CHECK(links.kind(a, b) == (a == b ? LinkKind::none : LinkKind::hccs));
      CHECK(links.reachable(a, b) == (a != b));
    }
  }
}

TEST_CASE("two groups of four have no path between them", "[links]") {
  Links links(machine(sim::Topology::two_groups));
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      const bool same = a / 4 == b / 4;
      CHECK(links.reachable(a, b) == (same && a != b));
      if (a != b && same) CHECK(links.kind(a, b) == LinkKind::pix);
    }
  }
  CHECK(links.enable(3, 4) == EnableResult::unreachable);
  CHECK(links.enable(3, 3) == EnableResult::unreachable);
  CHECK(links.enable(3, 0) == EnableResult::ok);
}

TEST_CASE("the host reaches every device, always", "[links]") {
  const auto topology = GENERATE(sim::Topology::all_to_all, sim::Topology::two_groups);
  Links links(machine(topology));
  for (int d = 0; d < 8; ++d) {
    CHECK(links.reachable(kHostDevice, d));
    CHECK(links.reachable(d, kHostDevice));
    CHECK(links.open_both_ways(kHostDevice, d));
    CHECK(links.enable(d, kHostDevice) == EnableResult::ok);
  }
  CHECK(links.open_both_ways(kHostDevice, kHostDevice));
  CHECK(links.open_both_ways(3, 3));
}

TEST_CASE("the open directions between two devices are counted", "[links]") {
  Links links(machine(sim::Topology::all_to_all));
  CHECK(links.open_ways(0, 1) == 0);
  links.enable(0, 1);
  CHECK(links.open_ways(0, 1) == 1);
  CHECK(links.open_ways(1, 0) == 1);
  links.enable(1, 0);
  CHECK(links.open_ways(0, 1) == 2);
  CHECK(links.open_ways(0, kHostDevice) == 2);
}

TEST_CASE("the way is open when both directions are", "[links]") {
  Links links(machine(sim::Topology::all_to_all));
  CHECK_FALSE(links.open_both_ways(0, 1));
  links.enable(0, 1);
  CHECK_FALSE(links.open_both_ways(0, 1));
  links.enable(1, 0);
  CHECK(links.open_both_ways(0, 1));
  CHECK(links.open_both_ways(1, 0));
  links.disable(0, 1);
  CHECK_FALSE(links.open_both_ways(1, 0));
}

TEST_CASE("n enables need n disables", "[links]") {
  Links links(machine(sim::Topology::all_to_all));
  CHECK_FALSE(links.disable(0, 1));
  links.enable(1, 0);
  for (int i = 0; i < 3; ++i) CHECK(links.enable(0, 1) == EnableResult::ok);
  for (int i = 0; i < 3; ++i) {
    CHECK(links.open_both_ways(0, 1));
    CHECK(links.disable(0, 1));
  }
  CHECK_FALSE(links.open_both_ways(0, 1));
  CHECK_FALSE(links.disable(0, 1));
}

TEST_CASE("a device has at most so many peers", "[links]") {
  Links links(machine(sim::Topology::all_to_all, 2));
  CHECK(links.enable(0, 1) == EnableResult::ok);
  CHECK(links.enable(0, 2) == EnableResult::ok);
  CHECK(links.enable(0, 1) == EnableResult::ok);  // a peer already
  CHECK(links.enable(0, 3) == EnableResult::too_many_peers);
  CHECK(links.enable(3, 0) == EnableResult::ok);  // counted for the other side
  links.disable(0, 2);
  CHECK(links.enable(0, 3) == EnableResult::ok);
}

TEST_CASE("disable_all closes every way from a device, however often it was opened", "[links]") {
  Links links(machine(sim::Topology::all_to_all));
  links.enable(0, 1);
  links.enable(0, 1);
  links.enable(1, 0);
  links.enable(1, 2);
  links.disable_all(0);
  CHECK_FALSE(links.disable(0, 1));
  CHECK_FALSE(links.open_both_ways(0, 1));
  CHECK(links.disable(1, 0));  // opened by the other: that one's to close
  CHECK(links.disable(1, 2));
}

TEST_CASE("a transfer takes exactly latency plus bytes over bandwidth", "[links]") {
  const Links links(machine(sim::Topology::all_to_all));
  CHECK(links.transfer_ns(0, 1, 0) == 700);
  CHECK(links.transfer_ns(0, 1, 16) == 701);
  CHECK(links.transfer_ns(0, 1, 17) == 702);
  CHECK(links.transfer_ns(0, 1, 16'000) == 1'700);
  CHECK(links.transfer_ns(0, 0, 500'000) == 1'100);
  CHECK(links.transfer_ns(kHostDevice, 3, 22'000) == 3'000);
  CHECK(links.transfer_ns(3, kHostDevice, 22'000) == 3'000);
  const Links groups(machine(sim::Topology::two_groups));
  CHECK(groups.transfer_ns(0, 1, 20'000) == 2'500);
}

TEST_CASE("whole nanoseconds stay whole at every size", "[links]") {
  sim::SystemConfig config = machine(sim::Topology::all_to_all);
  config.hccs = {0, 16.5e9};  // 33 bytes take 2 ns
  const Links links(config);
  for (std::size_t k = 1; k < (std::size_t{1} << 35); k = k * 3 + 1) {
    CHECK(links.transfer_ns(0, 1, 33 * k) == 2 * k);
    CHECK(links.transfer_ns(0, 1, 33 * k + 1) == 2 * k + 1);
  }
}

TEST_CASE("a link without a bandwidth costs its latency", "[links]") {
  sim::SystemConfig config = machine(sim::Topology::all_to_all);
  config.hccs = {123, 0};
  CHECK(Links(config).transfer_ns(0, 1, 1 << 20) == 123);
}
