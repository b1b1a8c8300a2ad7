// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/thread_driver.h"

#include <pthread.h>

#include <thread>

#include "device_sim/streams/host_lane.h"
#include "tests/sim/program.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::Deadline;
using sim::Ref;
using sim::Signal;
using sim::Stream;
using WaitResult = sim::Driver::WaitResult;
using namespace std::chrono_literals;

namespace {

sim::SystemConfig machine_with(int workers) {
  sim::SystemConfig config = small_machine();
  config.pool_threads = workers;
  config.workers_per_device = workers;
  return config;
}

struct ThreadMachine {
  explicit ThreadMachine(int workers) : system(machine_with(workers)) {}
  ~ThreadMachine() {
    for (const auto& s : streams) s->abandon();
  }
  Stream& stream(int device = 0) {
    streams.push_back(make_stream(system.driver(), device));
    return *streams.back();
  }
  WaitResult wait(Stream& s, bool may_help = true, const Deadline& deadline = soon()) {
    return system.driver().wait(s, s.submitted(), deadline, may_help);
  }
  /// Waits as a synchronise without a limit does.
  WaitResult wait_untimed(Stream& s, bool may_help = true) {
    return wait(s, may_help, Deadline::never());
  }

  sim::System system;
  std::vector<Ref<Stream>> streams;
};

int any_worker_count() { return GENERATE(1, 2, 4, 8); }

sim::Op make_count(std::atomic<int>& counter) {
  std::atomic<int>* const pointer = &counter;
  return sim::make_kernel(
      [](const sim::KernelRun& run) -> std::int32_t {
        ++**static_cast<std::atomic<int>* const*>(run.args);
        return 0;
      },
      nullptr, "count", 1, &pointer, sizeof pointer);
}

/// A server thread for a lane.
struct Server {
  Ref<sim::HostLane> lane = sim::make_ref<sim::HostLane>();
  std::thread thread{[this] {
    while (lane->serve(Deadline::never()) != sim::HostLane::Served::closed) {
    }
  }};
  ~Server() {
    lane->close();
    thread.join();
  }
};

template <class Work>
void in_threads(int count, Work work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

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
    std::this_thread::sleep_for(std::chrono::microseconds(300 * i));
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
    if (i % 10 == 0) std::this_thread::sleep_for(3ms);  // the pool sleeps
  }
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

TEST_CASE("kernels that spin on memory another stream writes make progress", "[threads]") {
  const int workers = any_worker_count();
  std::atomic<unsigned char> flag{0};
  std::atomic<int> finished{0};
  const Body spin = [&] {
    if (eventually([&] { return flag != 0; })) ++finished;
    return 0;
  };
  const Body write = [&] {
    flag = 1;
    return 0;
  };
  ThreadMachine m(workers);
  const int spinners = workers + 2;
  for (int i = 0; i < spinners; ++i) m.stream().submit(make_body_kernel(spin));
  Stream& writer = m.stream();
  writer.submit(make_body_kernel(write));
  SECTION("while the host waits for the writer") { CHECK(m.wait(writer) == WaitResult::reached); }
  SECTION("while the host waits for a spinner, helping") {
    CHECK(m.wait_untimed(*m.streams[0]) == WaitResult::reached);
  }
  SECTION("while nobody waits") {}
  CHECK(eventually([&] { return finished == spinners; }));
}

TEST_CASE("what a kernel submits runs while the kernel is still running", "[threads]") {
  std::atomic<int> ran{0};
  Stream* other = nullptr;
  int seen = 0;
  const Body submits = [&] {
    const Deadline pool_asleep = Deadline::in(8ms);
    eventually([&] { return pool_asleep.passed(); });
    other->submit(make_count(ran));
    if (eventually([&] { return ran > seen; })) ++seen;
    return 0;
  };
  ThreadMachine m(any_worker_count());
  const bool helped = GENERATE(true, false);
  Stream& s = m.stream();
  other = &m.stream();
  for (int i = 1; i <= 5; ++i) {
    s.submit(make_body_kernel(submits));
    CHECK(m.wait_untimed(s, helped) == WaitResult::reached);
    CHECK(seen == i);
  }
  CHECK(m.wait(*other) == WaitResult::reached);
}

TEST_CASE("a kernel may wait for another stream", "[threads]") {
  std::atomic<int> ran{0};
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  Stream& other = m.stream();
  const Body waits = [&] {
    other.submit(make_count(ran));
    return m.wait_untimed(other) == WaitResult::reached ? 0 : 1;
  };
  for (int i = 1; i <= 20; ++i) {
    s.submit(make_body_kernel(waits));
    CHECK(m.wait_untimed(s, i % 2 == 0) == WaitResult::reached);
    CHECK(ran == i);
  }
  CHECK_FALSE(s.failure());
}

TEST_CASE("a device whose workers all spin is helped although another device moves", "[threads]") {
  Gate gate;
  const Body held = gate.body();
  std::atomic<int> wrote{0};
  std::atomic<bool> stop{false};
  std::vector<Ref<Stream>> busy;
  std::size_t turn = 0;  // guarded by the chain of kernels
  Body feed;             // two streams that submit to each other: steady work for the workers
  feed = [&] {
    if (!stop) busy[++turn % 2]->submit(make_body_kernel(feed));
    return 0;
  };
  sim::SystemConfig config = small_machine();
  config.pool_threads = 4;
  config.workers_per_device = 2;
  sim::System system(config);
  std::vector<Ref<Stream>> spinners;
  for (int i = 0; i < 2; ++i) {
    spinners.push_back(make_stream(system.driver(), 0));
    spinners.back()->submit(make_body_kernel(held));
  }
  CHECK(eventually([&] { return gate.arrived() == 2; }));
  for (int i = 0; i < 2; ++i) busy.push_back(make_stream(system.driver(), 1));
  busy[0]->submit(make_body_kernel(feed));
  const auto writer = make_stream(system.driver(), 0);
  writer->submit(make_count(wrote));
  CHECK(eventually([&] { return wrote == 1; }));
  CHECK(gate.passed() == 0);  // else the spinners gave up
  gate.open();
  stop = true;
  for (const auto& s : spinners) {
    CHECK(system.driver().wait(*s, 1, soon(), false) == WaitResult::reached);
  }
  for (const auto& s : busy) CHECK(eventually([&] { return s->drained(); }));
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
    // Whatever the stream did when it was abandoned: who depends on it goes on.
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

TEST_CASE("a stream goes on when a kernel ends the worker that runs it", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  const Body ends = [] { return pthread_exit(nullptr), 0; };
  for (int i = 0; i < 10; ++i) {
    s.submit(make_body_kernel(ends));
    CHECK(m.wait(s, false) == WaitResult::reached);
    CHECK(s.take_failure() == sim::Failure{sim::Error::kernel_failed, -1});
  }
  std::atomic<int> count{0};
  for (int i = 0; i < 100; ++i) s.submit(make_count(count));
  CHECK(m.wait(s, false) == WaitResult::reached);
  CHECK(count == 100);
}

TEST_CASE("a stream goes on when a kernel ends the host thread that helps", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  const Body ends = [] { return pthread_exit(nullptr), 0; };
  std::atomic<int> count{0};
  s.submit(make_body_kernel(ends));
  for (int i = 0; i < 100; ++i) s.submit(make_count(count));
  pthread_t helper{};
  const auto help = [](void* stream) -> void* {
    auto& waited = *static_cast<Stream*>(stream);
    waited.driver().wait(waited, waited.submitted(), Deadline::never(), true);
    return nullptr;
  };
  REQUIRE(pthread_create(&helper, nullptr, help, &s) == 0);
  pthread_join(helper, nullptr);
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(count == 100);
  CHECK(s.take_failure() == sim::Failure{sim::Error::kernel_failed, -1});
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

TEST_CASE("a waiting thread runs kernels that have been quick, and not those that became slow",
          "[threads]") {
  ThreadMachine m(2);
  Stream& s = m.stream();
  std::thread::id ran_in;
  std::chrono::milliseconds duration{0};
  const Body body = [&] {
    ran_in = std::this_thread::get_id();
    std::this_thread::sleep_for(duration);
    return 0;
  };
  const auto runs_here = [&] {
    s.submit(make_body_kernel(body));
    REQUIRE(m.wait_untimed(s) == WaitResult::reached);
    return ran_in == std::this_thread::get_id();
  };
  CHECK_FALSE(runs_here());
  CHECK(eventually(runs_here));
  duration = 2ms;
  // Few runs of a trusted kernel are measured, and a worker may be quicker than this thread at any
  // of them: so many in a row elsewhere mean that it is no longer trusted.
  CHECK(eventually([&] {
    for (int run = 0; run < 64; ++run) {
      if (runs_here()) return false;
    }
    return true;
  }));
  CHECK_FALSE(runs_here());
  duration = 0ms;
  CHECK(eventually(runs_here));
}
