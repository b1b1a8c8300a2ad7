// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/task.h"
#include "tests/sim/world.h"
#include "tests/support/catch.h"

using namespace simtest;

namespace {
const Failure kFailed{sim::Error::kernel_failed, 7};
const Body kFails = [] { return 7; };
}  // namespace

TEST_CASE("a stream goes on behind a failed kernel and keeps the first failure", "[failure]") {
  World w;
  Stream& s = w.stream();
  w.kernel(s, "a", kFails);
  w.kernel(s, "b", [] { return 8; });
  w.kernel(s, "c");
  w.run_all();
  CHECK(w.log == "abc");
  CHECK(s.failure() == kFailed);
  CHECK(s.take_failure() == kFailed);
  CHECK_FALSE(s.take_failure());
}

TEST_CASE("a kernel that throws has failed", "[failure]") {
  World w;
  Stream& s = w.stream();
  w.kernel(s, "a", []() -> std::int32_t { throw 1; });
  w.kernel(s, "b");
  w.run_all();
  CHECK(w.log == "ab");
  CHECK(s.take_failure() == Failure{sim::Error::kernel_failed, -1});
}

TEST_CASE("a record behind a failure carries it", "[failure]") {
  World w;
  Stream& s = w.stream();
  const auto good = w.record(s);
  w.kernel(s, "a", kFails);
  const auto bad = w.record(s);
  w.run_all();
  CHECK_FALSE(good->failure());
  CHECK(bad->failure() == kFailed);
}

TEST_CASE("a stream that stops on failure drops what is behind", "[failure]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  s.stop_on_failure();
  char byte = 'a';
  w.kernel(s, "a", kFails);
  w.kernel(s, "b");
  w.fill(s, &byte, 'x', 1);
  const auto event = w.record(s);
  const auto never = w.signal();
  w.wait(s, never);
  w.kernel(s, "c");
  w.wait(t, event);
  w.kernel(t, "t");
  w.run_all();
  CHECK(w.log == "at");
  CHECK(byte == 'a');
  CHECK(s.drained());
  CHECK(s.retired() == 6);
  CHECK(event->failure() == Failure{sim::Error::aborted, 0});
  CHECK(never->unique());
  CHECK(s.take_failure() == kFailed);
}

TEST_CASE("a domain fails with the first of its streams that stops on failure", "[failure]") {
  World w;
  const auto domain = sim::make_ref<sim::FailureDomain>();
  Stream& goes_on = w.stream(0, domain);
  Stream& stops = w.stream(0, domain);
  Stream& stops_too = w.stream(0, domain);
  stops.stop_on_failure();
  stops_too.stop_on_failure();
  w.kernel(goes_on, "a", [] { return 1; });
  w.run_all();
  CHECK_FALSE(domain->failure());
  w.kernel(stops, "b", kFails);
  w.run_all();
  CHECK(domain->failure() == kFailed);
  w.kernel(stops_too, "c", [] { return 2; });
  w.run_all();
  CHECK(domain->failure() == kFailed);
}

TEST_CASE("a failed host call fails its stream", "[failure]") {
  World w;
  Stream& s = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  const bool blocking = GENERATE(true, false);
  w.host_call(s, *lane, "h", blocking, [] { throw 1; });
  w.kernel(s, "a");
  w.run_all();
  World::serve(*lane);
  w.run_all();
  CHECK(w.log == (blocking ? "ha" : "ah"));
  CHECK(s.take_failure() == Failure{sim::Error::host_call_failed, 0});
}

namespace {
/// Acts as an interface above the machine, which reports a failure in a host thread.
struct Teller {
  Ref<sim::HostLane> lane = sim::make_ref<sim::HostLane>();
  World* world = nullptr;
  bool wants = true;
  int asked = 0;

  void plug_into(World& w) {
    world = &w;
    sim::DriverHooks hooks;
    hooks.self = this;
    hooks.op_failed = [](void* self, Stream&, const sim::Op& op, Failure failure,
                         sim::HostLane*& to, sim::HostLane::Item& item) {
      auto& teller = *static_cast<Teller*>(self);
      teller.asked += op.kind == sim::OpKind::kernel && failure == kFailed;
      to = teller.lane.get();
      item.function = [](void* me) { static_cast<Teller*>(me)->world->log += "told "; };
      item.argument = self;
      return teller.wants;
    };
    w.driver.set_hooks(hooks);
  }
};
}  // namespace

TEST_CASE("a failed op leaves its stream only after the failure was told", "[failure]") {
  World w;
  Teller teller;
  teller.plug_into(w);
  Stream& s = w.stream();
  w.kernel(s, "a ", kFails);
  w.kernel(s, "b ");
  SECTION("somebody wants to know") {
    w.run_all();
    CHECK(teller.asked == 1);
    CHECK(s.state() == State::parked);
    CHECK(s.retired() == 0);
    CHECK(s.failure() == kFailed);
    World::serve(*teller.lane);
    CHECK(s.retired() == 1);
    w.run_all();
    CHECK(w.log == "a told b ");
  }
  SECTION("nobody does") {
    teller.wants = false;
    w.run_all();
    CHECK(teller.asked == 1);
    CHECK(w.log == "a b ");
  }
  SECTION("the stream stops on failure") {
    s.stop_on_failure();
    w.run_all();
    World::serve(*teller.lane);
    w.run_all();
    CHECK(w.log == "a told ");
    CHECK(s.drained());
  }
  SECTION("the stream is given up meanwhile") {
    w.run_all();
    s.abandon();
    World::serve(*teller.lane);
    w.run_all();
    CHECK(w.log == "a told ");
    CHECK(s.drained());
  }
}

TEST_CASE("whatever fails is told of before its op leaves the stream", "[failure]") {
  World w;
  std::vector<std::pair<sim::OpKind, Failure>> told;
  const auto lane = sim::make_ref<sim::HostLane>();
  struct Self {
    decltype(told)* list;
    sim::HostLane* lane;
  } self{&told, lane.get()};
  sim::DriverHooks hooks;
  hooks.self = &self;
  hooks.op_failed = [](void* me, Stream&, const sim::Op& op, Failure failure, sim::HostLane*& to,
                       sim::HostLane::Item& item) {
    static_cast<Self*>(me)->list->emplace_back(op.kind, failure);
    to = static_cast<Self*>(me)->lane;
    item.function = [](void*) {};
    return true;
  };
  w.driver.set_hooks(hooks);
  Stream& s = w.stream();
  const auto served = sim::make_ref<sim::HostLane>();
  const auto never = w.signal();
  Failure expected{sim::Error::host_call_failed, 0};
  sim::OpKind kind = sim::OpKind::host_call;
  SECTION("a host function") {
    w.host_call(s, *served, "", true, [] { throw 1; });
    w.run_all();
    World::serve(*served);
  }
  SECTION("a host function that nobody will run") {
    expected = {sim::Error::host_call_dropped, 0};
    w.host_call(s, *served, "", true);
    served->close();
    w.run_all();
  }
  SECTION("a wait that reached its limit") {
    expected = {sim::Error::wait_timeout, 0};
    kind = sim::OpKind::wait;
    w.wait(s, *never, 5);
    w.run_all();
    w.driver.pass_limits();
  }
  SECTION("a task") {
    expected = {sim::Error::invalid_argument, 0};
    kind = sim::OpKind::task;
    s.submit(sim::make_task(sim::make_simple_task("T", 0, {}, [](Stream&) {
      return Failure{sim::Error::invalid_argument, 0};
    })));
    w.run_all();
  }
  w.kernel(s, "after");
  w.run_all();
  CHECK(told == decltype(told){{kind, expected}});
  CHECK(s.state() == State::parked);
  CHECK(s.retired() == 0);
  World::serve(*lane);
  w.run_all();
  CHECK(w.log == "after");
  CHECK(s.take_failure() == expected);
  w.driver.set_hooks({});
}

TEST_CASE("the failure of a callback that nobody waits for is told too", "[failure]") {
  World w;
  std::vector<std::uint32_t> tasks;
  sim::DriverHooks hooks;
  hooks.self = &tasks;
  hooks.op_failed = [](void* me, Stream&, const sim::Op& op, Failure, sim::HostLane*&,
                       sim::HostLane::Item&) {
    static_cast<decltype(tasks)*>(me)->push_back(op.task_id);
    return false;
  };
  w.driver.set_hooks(hooks);
  Stream& s = w.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  struct Ids final : sim::Observer {
    std::uint32_t id = 0;
    void finished(const Stream&, const sim::Op& op, Failure, sim::Nanoseconds,
                  sim::Nanoseconds) override {
      if (op.kind == sim::OpKind::host_call) id = op.task_id;
    }
  } ids;
  w.driver.set_observer(&ids);
  w.kernel(s, "a");
  w.host_call(s, *lane, "", false, [] { throw 1; });
  w.run_all();
  w.driver.set_observer(nullptr);
  World::serve(*lane);
  CHECK(tasks == std::vector<std::uint32_t>{ids.id});
  CHECK(s.take_failure() == Failure{sim::Error::host_call_failed, 0});
  w.driver.set_hooks({});
}

TEST_CASE("hooks stand around every kernel", "[failure]") {
  World w;
  sim::DriverHooks hooks;
  hooks.self = &w;
  hooks.enter_kernel = [](void* self, const sim::KernelRun&) {
    static_cast<World*>(self)->log += "<";
    return self;
  };
  hooks.leave_kernel = [](void* self, void* entered) {
    CHECK(entered == self);
    static_cast<World*>(self)->log += ">";
  };
  w.driver.set_hooks(hooks);
  Stream& s = w.stream();
  w.kernel(s, "a");
  w.kernel(s, "b", []() -> std::int32_t { throw 1; });
  w.run_all();
  CHECK(w.log == "<a><b>");
}

TEST_CASE("a failure fits into one word", "[failure]") {
  for (const Failure failure : {Failure{}, kFailed, Failure{sim::Error::kernel_failed, -1},
                                Failure{sim::Error::aborted, 0x7fffffff}}) {
    CHECK(Failure::unpack(failure.pack()) == failure);
  }
}

TEST_CASE("every error has a text", "[failure]") {
  for (int i = 0; i <= static_cast<int>(sim::Error::not_found); ++i) {
    CHECK(std::string(describe(static_cast<sim::Error>(i))) != "unknown error");
  }
}
