// SPDX-License-Identifier: Apache-2.0
// The handling of ops that an injected fault affects.
#include <map>

#include "tests/sim/world.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::OpFault;

namespace {

constexpr Failure kBroken{sim::Error::kernel_failed, 42, 1};

/// Faults by the number of the op in its stream.
struct Faults {
  std::map<std::uint32_t, OpFault> due;
  int asked = 0;

  void strike(World& w) {
    sim::DriverHooks hooks;
    hooks.self = this;
    hooks.op_begins = [](void* self, Stream&, const sim::Op& op) {
      auto& faults = *static_cast<Faults*>(self);
      ++faults.asked;
      const auto found = faults.due.find(op.task_id);
      return found == faults.due.end() ? OpFault{} : found->second;
    };
    w.driver.set_hooks(hooks);
  }
};

}  // namespace

TEST_CASE("an op that a fault strikes fails and does not run, and those behind it do") {
  World w;
  Faults faults{{{2, {kBroken}}}};
  faults.strike(w);
  Stream& s = w.stream();
  for (const char* name : {"a", "b", "c"}) w.kernel(s, name);
  w.run(s);
  CHECK(w.log == "ac");
  CHECK(s.take_failure() == kBroken);
  CHECK(faults.asked == 3);
}

TEST_CASE("a copy, a wait and a host function can be struck too") {
  World w;
  Faults faults{{{1, {kBroken}}}};
  faults.strike(w);
  Stream& s = w.stream();
  int from = 1;
  int to = 0;
  sim::HostLane lane;
  SECTION("a copy") { w.copy(s, &to, &from, sizeof to); }
  SECTION("a wait") { w.wait(s, w.signal()); }
  SECTION("a host function") { w.host_call(s, lane, "h", true); }
  w.run(s);
  CHECK(s.state() == State::idle);
  CHECK(to == 0);
  CHECK(lane.queued() == 0);
  CHECK(s.take_failure() == kBroken);
}

TEST_CASE("a stream that stops on failure stops at an injected one") {
  World w;
  Faults faults{{{1, {kBroken}}}};
  faults.strike(w);
  const auto domain = sim::make_ref<sim::FailureDomain>();
  Stream& s = w.stream(0, domain);
  s.stop_on_failure();
  w.kernel(s, "a");
  w.kernel(s, "b");
  w.run(s);
  CHECK(w.log.empty());
  CHECK(domain->failure() == kBroken);
}

TEST_CASE("an op that is held runs when its time is over") {
  World w;
  Faults faults{{{1, {{}, true, 5}}}};
  faults.strike(w);
  Stream& s = w.stream();
  w.kernel(s, "a");
  w.run(s);
  CHECK(s.state() == State::parked);
  CHECK(w.log.empty());
  REQUIRE(w.driver.limits.size() == 1);
  CHECK(w.driver.limits[0].timeout_ns == 5);
  w.driver.pass_limits();
  w.run(s);
  CHECK(w.log == "a");
  CHECK_FALSE(s.take_failure());
  CHECK(faults.asked == 1);
  CHECK(w.all_given_back());
}

TEST_CASE("an op that is held may fail when its time is over") {
  World w;
  Faults faults{{{1, {kBroken, true, 5}}}};
  faults.strike(w);
  Stream& s = w.stream();
  w.kernel(s, "a");
  w.kernel(s, "b");
  w.run(s);
  w.driver.pass_limits();
  w.run(s);
  CHECK(w.log == "b");
  CHECK(s.take_failure() == kBroken);
}

TEST_CASE(
    "an op that is stuck goes with its stream, and sets free who waits for what is behind it") {
  World w;
  Faults faults{{{1, {{}, true, 0}}}};
  faults.strike(w);
  Stream& s = w.stream();
  Stream& other = w.stream();
  w.kernel(s, "a");
  const auto record = w.record(s);
  w.run(s);
  CHECK(s.state() == State::parked);
  CHECK(w.driver.limits.empty());
  w.kernel(other, "x");  // the first of its stream is stuck as well
  w.wait(other, record);
  other.abandon();
  s.abandon();
  CHECK(record->done());
  CHECK(record->failure().error == sim::Error::aborted);
  CHECK(s.state() == State::idle);
  CHECK(w.log.empty());
  CHECK(w.all_given_back());
}

TEST_CASE("a failure keeps the number of its fault through all hands") {
  const Failure failure{sim::Error::wait_timeout, -7, 65535};
  CHECK(Failure::unpack(failure.pack()) == failure);
  CHECK(Failure::unpack(kBroken.pack()) == kBroken);
}
