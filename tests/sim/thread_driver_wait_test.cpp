// SPDX-License-Identifier: Apache-2.0
// The driver with threads: waits of host threads, and waits of streams that have a limit.
#include "device_sim/drivers/thread_driver.h"

#include "tests/sim/thread_machine.h"

using namespace simtest;
using sim::Deadline;
using sim::Ref;
using sim::Signal;
using sim::Stream;

TEST_CASE("no wake-up is lost between submit and wait", "[threads]") {
  ThreadMachine m(any_worker_count());
  const bool may_help = GENERATE(true, false);
  const bool timed = GENERATE(true, false);
  std::atomic<int> bad{0};
  std::vector<Stream*> mine;
  for (int i = 0; i < 3; ++i) mine.push_back(&m.stream(i % 2));
  const Deadline end = Deadline::in(120ms);
  in_threads(3, [&](int i) {
    Stream& s = *mine[static_cast<std::size_t>(i)];
    std::atomic<int> count{0};
    for (int round = 1; !end.passed(); ++round) {
      s.submit(make_count(count));
      if (m.wait(s, may_help, timed ? soon() : Deadline::never()) != WaitResult::reached) ++bad;
      if (count != round) ++bad;
    }
  });
  CHECK(bad == 0);
}

TEST_CASE("no wake-up is lost between streams that release each other", "[threads]") {
  ThreadMachine m(any_worker_count());
  const bool may_help = GENERATE(true, false);
  Stream& s = m.stream(0);
  Stream& t = m.stream(1);
  const Deadline end = Deadline::in(120ms);
  int bad = 0;
  while (!end.passed()) {
    const auto there = sim::make_ref<Signal>(&s);
    const auto back = sim::make_ref<Signal>(&t);
    s.submit(sim::make_record(*there, false));
    t.submit(sim::make_wait(*there, nullptr, 0));
    t.submit(sim::make_record(*back, false));
    s.submit(sim::make_wait(*back, nullptr, 0));
    if (m.wait(s, may_help) != WaitResult::reached) ++bad;
  }
  CHECK(bad == 0);
}

TEST_CASE("several host threads may wait for one stream", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  const Deadline end = Deadline::in(120ms);
  std::atomic<int> bad{0};
  std::atomic<int> count{0};
  in_threads(4, [&](int i) {
    while (!end.passed()) {
      const std::uint64_t sequence = s.submit(make_count(count));
      const bool may_help = i % 2 == 0;
      if (m.system.driver().wait(s, sequence, Deadline::never(), may_help) != WaitResult::reached) {
        ++bad;
      }
    }
  });
  CHECK(bad == 0);
  CHECK(static_cast<std::uint64_t>(count) == s.retired());
}

TEST_CASE("a timed wait sees the work done that only a worker may do", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream(0);
  Stream& t = m.stream(1);
  std::atomic<int> count{0};
  for (int i = 1; i <= 100; ++i) {
    const auto event = sim::make_ref<Signal>(&t);
    t.submit(make_count(count));
    t.submit(sim::make_record(*event, false));
    s.submit(sim::make_wait(*event, nullptr, 0));
    s.submit(make_count(count));
    CHECK(m.wait(s, false) == WaitResult::reached);
    CHECK(count == 2 * i);
    if (i % 10 == 0) let_time_pass(3ms);  // the pool sleeps
  }
}

TEST_CASE("a timed wait returns while a kernel is held, and runs none itself", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  Gate gate;
  std::thread::id ran;
  const Body body = [&] {
    ran = std::this_thread::get_id();
    gate.pass();
    return 0;
  };
  s.submit(make_body_kernel(body));
  CHECK(m.wait(s, false, Deadline::in(5ms)) == WaitResult::timed_out);
  CHECK(m.wait(s, false, Deadline::in(0ms)) == WaitResult::timed_out);
  gate.open();
  CHECK(m.wait(s, false) == WaitResult::reached);
  CHECK(ran != std::this_thread::get_id());
}

TEST_CASE("a wait that may not help never runs a kernel in its thread", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  Stream& t = m.stream();
  const std::thread::id me = std::this_thread::get_id();
  std::atomic<int> mine{0};
  const Body body = [&] {
    if (std::this_thread::get_id() == me) ++mine;
    return 0;
  };
  for (int i = 0; i < 200; ++i) {
    const auto event = sim::make_ref<Signal>(&t);
    t.submit(make_body_kernel(body));
    t.submit(sim::make_record(*event, false));
    s.submit(sim::make_wait(*event, nullptr, 0));
    s.submit(make_body_kernel(body));
    CHECK(m.wait(s, false) == WaitResult::reached);
  }
  CHECK(mine == 0);
}

TEST_CASE("a timed wait ends on time although it could help for long", "[threads]") {
  std::vector<char> from(1 << 20);
  std::vector<char> to(1 << 20);
  ThreadMachine m(1);
  Stream& s = m.stream();
  const auto flag = sim::make_ref<Signal>();
  s.submit(sim::make_wait(*flag, nullptr, 0));
  for (int i = 0; i < 20'000; ++i) {
    s.submit(sim::make_copy(to.data(), 0, from.data(), 0, from.size()));
  }
  flag->complete({}, 0);
  CHECK(m.wait(s, false, Deadline::in(5ms)) == WaitResult::timed_out);
  CHECK_FALSE(s.drained());
}

TEST_CASE("a wait whose limit passes fails on the device's own time", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  const auto never = sim::make_ref<Signal>();
  for (int i = 0; i < 3; ++i) {
    s.submit(sim::make_wait(*never, nullptr, 2'000'000));
    CHECK(m.wait(s, i % 2 == 0) == WaitResult::reached);
    CHECK(s.take_failure().error == sim::Error::wait_timeout);
  }
  CHECK(eventually([&] { return never->unique(); }));
}

TEST_CASE("limits and records may meet at any moment", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream(0);
  Stream& t = m.stream(1);
  const auto flag = sim::make_ref<Signal>();
  const Deadline end = Deadline::in(150ms);
  std::mt19937_64 random(1);
  int bad = 0;
  while (!end.passed()) {
    // A flag that is set and taken back: a limit that is armed late must not end a later wait.
    for (int i = 0; i < 4; ++i) s.submit(sim::make_wait(*flag, nullptr, 1 + random() % 100'000));
    for (int i = 0; i < 4; ++i) {
      t.submit(sim::make_record(*flag, false));
      t.submit(sim::make_reset(*flag));
    }
    if (m.wait(s, random() % 2 == 0) != WaitResult::reached) ++bad;
    if (m.wait(t, random() % 2 == 0) != WaitResult::reached) ++bad;
  }
  CHECK(bad == 0);
  CHECK(eventually([&] { return flag->unique(); }));  // no limit is left behind
}

TEST_CASE("a stream is idle when the wait for all of it returns", "[threads]") {
  // The pool is held, so that the waiting thread itself moves the stream.
  Gate gate;
  const Body held = gate.body();
  ThreadMachine m(1);
  m.stream().submit(make_body_kernel(held));
  CHECK(eventually([&] { return gate.arrived() == 1; }));
  Stream& s = m.stream();
  char byte = 0;
  s.submit(sim::make_fill(&byte, 0, 1, 1));
  CHECK(m.wait_untimed(s) == WaitResult::reached);
  CHECK(eventually([&] { return s.state() == Stream::State::idle; }));
  gate.open();
}
