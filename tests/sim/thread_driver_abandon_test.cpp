// SPDX-License-Identifier: Apache-2.0
// The driver with threads: streams that are abandoned at any moment.
#include "device_sim/drivers/thread_driver.h"

#include "tests/sim/thread_machine.h"

using namespace simtest;
using sim::Deadline;
using sim::Ref;
using sim::Signal;
using sim::Stream;

TEST_CASE("who waits for a running kernel is let go when its stream is abandoned", "[threads]") {
  Gate gate;
  const Body held = gate.body();
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  Stream& t = m.stream();
  std::atomic<int> dropped{0};
  const auto event = sim::make_ref<Signal>(&s);
  s.submit(make_body_kernel(held));
  s.submit(make_count(dropped));
  s.submit(sim::make_record(*event, false));
  t.submit(sim::make_wait(*event, nullptr, 0));
  CHECK(eventually([&] { return gate.arrived() == 1; }));
  std::atomic<bool> gone{false};
  std::thread waiter([&] { gone = m.wait(s) == WaitResult::abandoned; });
  s.abandon();
  waiter.join();
  CHECK(gone);
  CHECK_FALSE(event->done());
  gate.open();
  CHECK(m.wait(t) == WaitResult::reached);
  CHECK(event->failure().error == sim::Error::aborted);
  CHECK(dropped == 0);
}

TEST_CASE("streams may be abandoned at any moment", "[threads]") {
  ThreadMachine m(any_worker_count());
  const Deadline end = Deadline::in(200ms);
  int stuck = 0;
  std::mt19937_64 random(1);
  Server server;
  std::atomic<int> count{0};
  while (!end.passed()) {
    const auto s = make_stream(m.system.driver(), 0);
    const auto t = make_stream(m.system.driver(), 1);
    const auto never = sim::make_ref<Signal>();
    const auto event = sim::make_ref<Signal>(s.get());
    s->submit(make_count(count));
    switch (random() % 4) {
      case 0:
        s->submit(sim::make_wait(*never, nullptr, 0));
        break;
      case 1:
        s->submit(sim::make_wait(*never, nullptr, 50'000));
        break;
      case 2:
        s->submit(sim::make_host_call(
            *server.lane, [](void*) {}, nullptr, true));
        break;
      default:
        break;
    }
    s->submit(sim::make_record(*event, false));
    t->submit(sim::make_wait(*event, nullptr, 0));
    for (auto spin = random() % 2000; spin > 0; --spin) sim::cpu_relax();
    s->abandon();
    // Streams that depend on the abandoned one continue, whichever op it was running.
    if (m.wait(*t, random() % 2 == 0) != WaitResult::reached) ++stuck;
    if (!eventually([&] { return s->drained() && never->unique(); })) ++stuck;
    if (!eventually([&] { return s->unique(); })) ++stuck;
  }
  CHECK(stuck == 0);
}

TEST_CASE("a submit that meets the abandonment is dropped, not lost", "[threads]") {
  ThreadMachine m(any_worker_count());
  const Deadline end = Deadline::in(150ms);
  int lost = 0;
  while (!end.passed()) {
    const auto s = make_stream(m.system.driver());
    const auto event = sim::make_ref<Signal>(s.get());
    std::atomic<bool> go{false};
    std::thread submitter([&] {
      go = true;
      s->submit(sim::make_record(*event, false));
    });
    eventually([&] { return go.load(); });
    s->abandon();
    submitter.join();
    if (!eventually([&] { return event->done(); })) ++lost;
  }
  CHECK(lost == 0);
}

TEST_CASE("an abandoned stream lets go of the thread that waits, though its kernel runs on",
          "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  Stream& t = m.stream();
  Gate gate;
  const Body held = gate.body();
  const bool behind_another = GENERATE(false, true);
  s.submit(make_body_kernel(held));
  if (behind_another) {
    const auto event = sim::make_ref<Signal>(&s);
    s.submit(sim::make_record(*event, false));
    t.submit(sim::make_wait(*event, nullptr, 0));
  }
  Stream& waited = behind_another ? t : s;
  std::atomic<bool> abandoned{false};
  std::thread waiter([&] { abandoned = m.wait_untimed(waited) == WaitResult::abandoned; });
  REQUIRE(eventually([&] { return gate.arrived() == 1; }));
  waited.abandon();
  waiter.join();
  CHECK(abandoned);
  CHECK(gate.passed() == 0);
  gate.open();
}
