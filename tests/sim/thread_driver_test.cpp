// SPDX-License-Identifier: Apache-2.0
// The driver with threads: the order of streams, and work that starts by itself.
#include "device_sim/drivers/thread_driver.h"

#include "tests/sim/program.h"
#include "tests/sim/thread_machine.h"

using namespace simtest;
using sim::Deadline;
using sim::Ref;
using sim::Signal;
using sim::Stream;

TEST_CASE("threads keep the order of a stream", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  int count = 0;  // no atomic: the stream alone orders the kernels
  const Body body = [&] { return ++count, 0; };
  for (int i = 0; i < 3000; ++i) s.submit(make_body_kernel(body));
  CHECK(m.wait(s, GENERATE(true, false)) == WaitResult::reached);
  CHECK(count == 3000);
}

TEST_CASE("random programs keep to their order on many threads", "[threads]") {
  const int workers = any_worker_count();
  for (const std::uint64_t seed : seeds(6)) {
    INFO("ACLSIM_TEST_SEED=" << seed << " workers " << workers);
    ThreadMachine m(workers);
    constexpr int kHosts = 3;
    std::atomic<int> bad{0};
    std::vector<Program> programs;
    std::vector<std::vector<Ref<Stream>>> streams(kHosts);
    std::mt19937_64 random(seed);
    for (int h = 0; h < kHosts; ++h) {
      programs.push_back(Program::random(random, 2 + static_cast<int>(random() % 5), 4, 300));
      for (int i = 0; i < programs.back().streams; ++i) {
        streams[static_cast<std::size_t>(h)].push_back(Ref<Stream>::share(&m.stream(i % 2)));
      }
    }
    in_threads(kHosts, [&](int h) {
      const auto& mine = streams[static_cast<std::size_t>(h)];
      std::mt19937_64 choices(seed + static_cast<std::uint64_t>(h));
      Execution execution(programs[static_cast<std::size_t>(h)], mine);
      while (!execution.submitted()) {
        execution.submit_next();
        if (choices() % 32 == 0) {
          Stream& s = *mine[choices() % mine.size()];
          if (m.wait_untimed(s, choices() % 2 == 0) != WaitResult::reached) ++bad;
        }
      }
      for (const auto& s : mine) {
        if (m.wait_untimed(*s, choices() % 2 == 0) != WaitResult::reached) ++bad;
      }
      if (!execution.drained() || execution.violations() != 0) ++bad;
    });
    CHECK(bad == 0);
  }
}

TEST_CASE("many host threads may submit to one stream", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  std::atomic<int> count{0};
  in_threads(4, [&](int) {
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t sequence = s.submit(make_count(count));
      if (i % 50 == 0) m.system.driver().wait(s, sequence, Deadline::never(), true);
    }
  });
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(count == 4000);
}

TEST_CASE("work starts without any wait", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  std::atomic<int> count{0};
  for (int i = 1; i <= 20; ++i) {
    s.submit(make_count(count));
    CHECK(eventually([&] { return count == i; }));
  }
}

TEST_CASE("work starts also when the pool has gone to sleep", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  std::atomic<int> count{0};
  for (int i = 1; i <= 10; ++i) {
    // Not to synchronise: from nothing to well past the time after which the pool sleeps.
    let_time_pass(std::chrono::microseconds(300 * i));
    s.submit(make_count(count));
    CHECK(eventually([&] { return count == i; }));
  }
}

TEST_CASE("several streams submitted at once all start without any wait", "[threads]") {
  Gate gate;
  const Body held = gate.body();
  std::atomic<int> count{0};
  ThreadMachine m(any_worker_count());
  // Kernels that hold their workers: each stream needs a thread of its own.
  for (int i = 0; i < 3; ++i) m.stream(i % 2).submit(make_body_kernel(held));
  CHECK(eventually([&] { return gate.arrived() == 3; }));
  CHECK(gate.passed() == 0);
  Stream& s = m.stream();
  s.submit(make_count(count));
  CHECK(eventually([&] { return count == 1; }));
  CHECK(gate.passed() == 0);
  gate.open();
}

TEST_CASE("a stream that is submitted to without end holds up no other", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& fed = m.stream();
  std::atomic<int> fed_count{0};
  std::atomic<bool> stop{false};
  std::thread feeder([&] {
    while (!stop) {
      if (fed.submitted() - fed.retired() < 100) fed.submit(make_count(fed_count));
    }
  });
  const auto less_urgent = make_stream(m.system.driver(), 0, 7);
  std::atomic<int> count{0};
  for (int i = 1; i <= 20; ++i) {
    less_urgent->submit(make_count(count));
    CHECK(eventually([&] { return count == i; }));
  }
  stop = true;
  feeder.join();
  CHECK(m.wait(fed) == WaitResult::reached);
}

TEST_CASE("a released stream runs although it was submitted to just before", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  std::atomic<int> count{0};
  int expected = 0;
  for (int i = 0; i < 300; ++i) {
    // A helper takes the stream while it still stands among the fresh ones, parks it and goes.
    const auto flag = sim::make_ref<Signal>();
    s.submit(make_count(count));
    const std::uint64_t before = s.submitted();
    s.submit(sim::make_wait(*flag, nullptr, 0));
    s.submit(make_count(count));
    expected += 2;
    CHECK(m.system.driver().wait(s, before, Deadline::never(), true) == WaitResult::reached);
    if (i % 2 == 0) {
      CHECK(m.system.driver().wait(s, before + 1, Deadline::in(0ms), true) ==
            WaitResult::timed_out);
    }
    flag->complete({}, 0);
    CHECK(eventually([&] { return count == expected; }));
  }
}

TEST_CASE("a released stream runs although nobody calls", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  std::atomic<int> count{0};
  for (int i = 1; i <= 50; ++i) {
    const auto flag = sim::make_ref<Signal>();
    s.submit(sim::make_wait(*flag, nullptr, 0));
    s.submit(make_count(count));
    if (i % 2 == 0) eventually([&] { return s.state() == Stream::State::parked; });
    flag->complete({}, 0);
    CHECK(eventually([&] { return count == i; }));
  }
}

TEST_CASE("a host function and its stream take turns", "[threads]") {
  ThreadMachine m(any_worker_count());
  Server server;
  Stream& s = m.stream();
  int count = 0;  // guarded by the order of the stream
  const Body kernel = [&] { return count++ % 2 == 0 ? 0 : 1; };
  for (int i = 0; i < 1000; ++i) {
    s.submit(make_body_kernel(kernel));
    s.submit(sim::make_host_call(
        *server.lane, [](void* n) { ++*static_cast<int*>(n); }, &count, true));
  }
  CHECK(m.wait(s, GENERATE(true, false)) == WaitResult::reached);
  CHECK(count == 2000);
  CHECK_FALSE(s.failure());
}

TEST_CASE("a thread that serves a lane runs no kernels", "[threads]") {
  ThreadMachine m(any_worker_count());
  Server server;
  const std::thread::id serving = server.thread.get_id();
  Stream& s = m.stream();
  std::atomic<int> wrong{0};
  const Body kernel = [&] {
    if (std::this_thread::get_id() == serving) ++wrong;
    return 0;
  };
  for (int i = 0; i < 200; ++i) {
    s.submit(sim::make_host_call(
        *server.lane, [](void*) {}, nullptr, true));
    s.submit(make_body_kernel(kernel));
  }
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(wrong == 0);
}

TEST_CASE("ops run although nobody holds their stream any more", "[threads]") {
  ThreadMachine m(any_worker_count());
  std::atomic<int> count{0};
  for (int i = 0; i < 200; ++i) {
    const auto s = make_stream(m.system.driver());
    for (int k = 0; k < 3; ++k) s->submit(make_count(count));
  }
  CHECK(eventually([&] { return count == 600; }));
}

TEST_CASE("a machine may go with streams ready, parked and under a limit", "[threads]") {
  std::atomic<int> count{0};
  for (int i = 0; i < 30; ++i) {
    const auto never = sim::make_ref<Signal>();
    std::vector<Ref<Stream>> streams;
    {
      sim::System system(machine_with(2));
      for (int k = 0; k < 4; ++k) streams.push_back(make_stream(system.driver(), k % 2));
      streams[0]->submit(make_count(count));
      streams[1]->submit(sim::make_wait(*never, nullptr, 1'000'000'000));
      streams[2]->submit(sim::make_wait(*never, nullptr, 1000));
      streams[3]->submit(sim::make_record(*sim::make_ref<Signal>(), false));
      streams[1]->abandon();
      streams[2]->abandon();
    }
    streams.clear();
    CHECK(never->unique());
  }
}
