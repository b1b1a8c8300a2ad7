// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/parker.h"
#include "tests/sim/world.h"
#include "tests/support/catch.h"

using namespace simtest;

namespace {
const Failure kAborted{sim::Error::aborted, 0};

/// Queues what an abandoned stream must drop: a kernel, and a record that others wait for.
Ref<Signal> queue_rest(World& w, Stream& s) {
  w.kernel(s, "dropped");
  return w.record(s);
}

/// `submitted` runs in the caller, `started` in the owner: just before the op parks the stream.
struct Abandoner final : sim::Observer {
  void started(const Stream& stream, const sim::Op&, sim::Nanoseconds) override {
    const_cast<Stream&>(stream).abandon();
  }
};
}  // namespace

TEST_CASE("an idle stream is abandoned at once", "[abandon]") {
  World w;
  Stream& s = w.stream();
  s.abandon();
  CHECK(s.abandoned());
  CHECK(s.state() == State::idle);
  s.abandon();
  CHECK(s.state() == State::idle);
}

TEST_CASE("a ready stream that is abandoned drops its queue", "[abandon]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  const auto event = queue_rest(w, s);
  w.wait(t, event);
  w.kernel(t, "t");
  w.run(t);
  s.abandon();
  CHECK(s.state() == State::idle);
  CHECK(s.drained());
  CHECK(event->failure() == kAborted);
  w.run_all();
  CHECK(w.log == "t");
  CHECK(w.all_given_back());
}

TEST_CASE("a stream parked on a signal is abandoned out of its wait", "[abandon]") {
  World w;
  Stream& s = w.stream();
  Stream& other = w.stream();
  auto never = w.signal();
  w.wait(other, never);
  w.run(other);
  w.wait(s, *never, GENERATE(sim::Nanoseconds{0}, sim::Nanoseconds{1000}));
  const auto event = queue_rest(w, s);
  w.run(s);
  s.abandon();
  CHECK(s.drained());
  CHECK(event->failure() == kAborted);
  CHECK_FALSE(s.parked_on());
  CHECK(w.driver.limits.empty());
  CHECK(w.log.empty());
  never->complete({}, 0);
  w.run_all();
  CHECK(other.drained());
  CHECK(never->unique());
  CHECK(w.all_given_back());
}

TEST_CASE("a stream parked on a host call drops the rest when the call returns", "[abandon]") {
  World w;
  Stream& s = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  w.host_call(s, *lane, "h", true);
  const auto event = queue_rest(w, s);
  w.run(s);
  s.abandon();
  CHECK(s.state() == State::parked);
  CHECK_FALSE(event->done());
  World::serve(*lane);
  w.run_all();
  CHECK(s.drained());
  CHECK(event->failure() == kAborted);
  CHECK(w.log == "h");
}

TEST_CASE("what an abandoned stream sent to a lane is dropped unless it has begun", "[abandon]") {
  World w;
  Stream& s = w.stream();
  Stream& other = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  SECTION("it has not") {
    w.host_call(s, *lane, "n", false);
    w.host_call(other, *lane, "o", true);
    w.host_call(s, *lane, "h", true);
    const auto event = queue_rest(w, s);
    w.run_all();
    s.abandon();
    REQUIRE(s.state() == State::parked);
    s.withdraw(*lane);
    CHECK(s.state() == State::idle);
    CHECK(event->failure() == kAborted);
    CHECK(lane->queued() == 1);
    s.withdraw(*lane);
    World::serve(*lane);
    CHECK(w.log == "o");
  }
  SECTION("it has") {
    w.host_call(s, *lane, "h", true, [&] {
      s.abandon();
      s.withdraw(*lane);
      CHECK(s.state() == State::parked);
    });
    queue_rest(w, s);
    w.run_all();
    World::serve(*lane);
    CHECK(w.log == "h");
  }
  w.run_all();
  CHECK(s.drained());
  CHECK(other.drained());
  CHECK(w.all_given_back());
}

TEST_CASE("what was taken together with a running function is dropped too", "[abandon]") {
  World w;
  Stream& s = w.stream();
  Stream& other = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  w.host_call(s, *lane, "1", false, [&] {
    CHECK(lane->queued() == 3);
    s.abandon();
    s.withdraw(*lane);
    CHECK(lane->queued() == 1);
  });
  w.host_call(s, *lane, "2", false);
  w.host_call(s, *lane, "3", false);
  w.host_call(other, *lane, "o", false);
  w.run(s);
  w.run(other);
  World::serve(*lane);
  CHECK(w.log == "1o");
  CHECK(w.all_given_back());
}

TEST_CASE("a host call that is sent out while its stream is being abandoned is dropped",
          "[abandon]") {
  World w;
  Stream& s = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  const bool blocking = GENERATE(true, false);
  w.host_call(s, *lane, "h", blocking);
  queue_rest(w, s);
  Abandoner abandoner;  // after the owner's last look at the mark
  w.driver.set_observer(&abandoner);
  w.run_all();
  w.driver.set_observer(nullptr);
  CHECK(s.abandoned());
  CHECK(s.state() == State::idle);
  CHECK(lane->queued() == 0);
  CHECK(w.log.empty());
  CHECK(w.all_given_back());
}

TEST_CASE("a running kernel is left alone when its stream is abandoned", "[abandon]") {
  World w;
  Stream& s = w.stream();
  w.kernel(s, "a", [&s] {
    s.abandon();
    return 9;
  });
  const auto event = queue_rest(w, s);
  w.run_all();
  CHECK(w.log == "a");
  CHECK(s.drained());
  CHECK_FALSE(s.failure());  // failures of an abandoned stream are not reported
  CHECK(event->failure() == kAborted);
}

TEST_CASE("a stream abandoned between its last look and its park is not parked", "[abandon]") {
  World w;
  Stream& s = w.stream();
  Abandoner abandoner;
  const auto never = w.signal();
  w.wait(s, *never, GENERATE(sim::Nanoseconds{0}, sim::Nanoseconds{1000}));
  const auto event = queue_rest(w, s);
  w.driver.set_observer(&abandoner);
  w.run_all();
  w.driver.set_observer(nullptr);
  CHECK(s.drained());
  CHECK(never->unique());
  CHECK(event->failure() == kAborted);
}

TEST_CASE("a submit that comes after the abandonment is dropped too", "[abandon]") {
  World w;
  Stream& s = w.stream();
  s.abandon();
  const auto event = queue_rest(w, s);
  w.run_all();
  CHECK(w.log.empty());
  CHECK(event->failure() == kAborted);
}

TEST_CASE("a submit in the middle of the abandonment is not lost", "[abandon]") {
  World w;
  Stream& s = w.stream();
  const auto event = queue_rest(w, s);
  const auto late = w.signal();
  w.driver.before_forget = [&] { w.record(s, *late); };
  s.abandon();
  w.driver.before_forget = {};
  w.run_all();
  CHECK(event->failure() == kAborted);
  CHECK(late->failure() == kAborted);
  CHECK(s.drained());
}

TEST_CASE("host threads that wait for an abandoned stream are let go", "[abandon]") {
  World w;
  Stream& s = w.stream();
  const auto never = w.signal();
  w.wait(s, never);
  w.run_all();
  sim::Parker& parker = sim::Parker::mine();
  sim::HostWaiter waiter;
  waiter.parker = &parker;
  waiter.target = 1;
  REQUIRE(s.add_waiter(waiter));
  s.abandon();
  CHECK(waiter.released);
  CHECK(parker.park(soon()));
  CHECK_FALSE(s.add_waiter(waiter));
}
