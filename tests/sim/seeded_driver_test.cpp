// SPDX-License-Identifier: Apache-2.0
#include "device_sim/seeded_driver.h"

#include <set>
#include <thread>

#include "device_sim/host_lane.h"
#include "tests/sim/program.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::Deadline;
using sim::Ref;
using sim::Signal;
using sim::Stream;
using WaitResult = sim::Driver::WaitResult;

namespace {

struct SeededMachine {
  explicit SeededMachine(std::uint64_t seed = 1, int streams_wanted = 0) : memory(small_machine()) {
    sim::SystemConfig config = small_machine();
    config.seed = seed;
    driver = sim::make_seeded_driver(config, memory, clock);
    for (int i = 0; i < streams_wanted; ++i) stream();
  }
  ~SeededMachine() {
    for (const auto& s : streams) s->abandon();
  }
  Stream& stream() {
    streams.push_back(sim::make_ref<Stream>(
        *driver, Stream::Config{static_cast<std::uint32_t>(streams.size() + 1), 0, 0, {}}));
    return *streams.back();
  }
  WaitResult wait(Stream& s, const Deadline& deadline = soon()) {
    return driver->wait(s, s.submitted(), deadline, true);
  }

  sim::RealClock clock;
  sim::Memory memory;
  std::unique_ptr<sim::SeededDriver> driver;
  std::vector<Ref<Stream>> streams;
};

std::vector<std::size_t> run_program(const Program& program, std::uint64_t seed) {
  SeededMachine m(seed, program.streams);
  Execution execution(program, m.streams);
  while (!execution.submitted()) {
    m.driver->yield_point();
    execution.submit_next();
  }
  for (const auto& s : m.streams) CHECK(m.wait(*s) == WaitResult::reached);
  CHECK(execution.violations() == 0);
  // A kernel that the host held up for 50 ms ends what a seed decides; such a run says nothing.
  return m.driver->diverged() ? std::vector<std::size_t>{} : execution.order();
}

}  // namespace

TEST_CASE("the same seed gives the same order, every time", "[seeded]") {
  for (const std::uint64_t seed : seeds(10)) {
    INFO("ACLSIM_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    const Program program = Program::random(random, 4, 3, 60);
    const auto first = run_program(program, seed);
    const auto second = run_program(program, seed);
    if (!first.empty() && !second.empty()) CHECK(first == second);
  }
}

TEST_CASE("different seeds give different orders", "[seeded]") {
  std::mt19937_64 random(5);
  const Program program = Program::random(random, 4, 3, 60);
  std::set<std::vector<std::size_t>> orders;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) orders.insert(run_program(program, seed));
  CHECK(orders.size() > 3);
}

TEST_CASE("nothing moves between the calls of the program", "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  char byte = 0;
  s.submit(sim::make_fill(&byte, 0, 1, 1));
  CHECK(s.retired() == 0);
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(byte == 1);
}

TEST_CASE("the machine moves by itself when the program makes no calls", "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  char byte = 0;
  s.submit(sim::make_fill(&byte, 0, 1, 1));
  CHECK(eventually([&] { return s.drained(); }));
  CHECK(m.driver->diverged());
}

TEST_CASE("a kernel that does not return does not stop the others", "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  Stream& t = m.stream();
  Gate gate;
  const Body held = gate.body();
  std::atomic<bool> ran{false};
  const Body other = [&] {
    ran = true;
    return 0;
  };
  s.submit(make_body_kernel(held));
  t.submit(make_body_kernel(other));
  CHECK(m.wait(t) == WaitResult::reached);
  CHECK(ran);
  CHECK(m.wait(s, Deadline::in(std::chrono::milliseconds(70))) == WaitResult::timed_out);
  CHECK(gate.arrived() == 1);
  CHECK(gate.passed() == 0);
  gate.open();
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(m.driver->diverged());
}

TEST_CASE("kernels that wait for each other's memory finish", "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  Stream& t = m.stream();
  std::atomic<int> turn{0};
  const auto player = [&turn](int mine) {
    return [&turn, mine] {
      for (int i = mine; i < 20; i += 2) {
        if (!eventually([&] { return turn == i; })) return 1;
        ++turn;
      }
      return 0;
    };
  };
  const Body even = player(0);
  const Body odd = player(1);
  s.submit(make_body_kernel(even));
  t.submit(make_body_kernel(odd));
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(m.wait(t) == WaitResult::reached);
  CHECK_FALSE(s.failure());
  CHECK_FALSE(t.failure());
}

TEST_CASE("kernels never run in the thread that waits", "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  std::thread::id ran;
  const Body body = [&] {
    ran = std::this_thread::get_id();
    return 0;
  };
  s.submit(make_body_kernel(body));
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(ran != std::this_thread::get_id());
}

TEST_CASE("a wait whose limit passes fails", "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  for (int i = 0; i < 5; ++i) {
    s.submit(sim::make_wait(*sim::make_ref<Signal>(), nullptr, 2'000'000));
    CHECK(m.wait(s) == WaitResult::reached);
    CHECK(s.take_failure().error == sim::Error::wait_timeout);
  }
}

TEST_CASE("a limit ends a wait also when the program makes no calls", "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  const auto never = sim::make_ref<Signal>();
  s.submit(sim::make_wait(*never, nullptr, 1'000'000));
  CHECK(eventually([&] { return s.drained(); }));
  CHECK(never->unique());
}

TEST_CASE("a host thread waits no longer than it said", "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  const auto event = sim::make_ref<Signal>();
  s.submit(sim::make_wait(*event, nullptr, 0));
  CHECK(m.wait(s, Deadline::in(std::chrono::milliseconds(5))) == WaitResult::timed_out);
  event->complete({}, 0);
  CHECK(m.wait(s) == WaitResult::reached);
}

TEST_CASE("a host thread that sleeps is let go when its stream is abandoned", "[seeded]") {
  const auto lane = sim::make_ref<sim::HostLane>();
  SeededMachine m;
  for (int round = 0; round < 40; ++round) {
    // Parked on a host call: no signal and no ready stream will ever wake the sleeper.
    Stream& s = m.stream();
    s.submit(sim::make_host_call(
        *lane, [](void*) {}, nullptr, true));
    std::atomic<bool> gone{false};
    std::thread sleeper([&] { gone = m.wait(s) == WaitResult::abandoned; });
    REQUIRE(eventually([&] { return lane->queued() == 1; }));
    for (int spin = round * 500; spin > 0; --spin) sim::cpu_relax();  // awake, or asleep by now
    s.abandon();
    sleeper.join();
    REQUIRE(gone);
    lane->serve(Deadline::in(std::chrono::nanoseconds(0)));
  }
}

TEST_CASE("a blocking host call holds its stream", "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  std::thread server([&] {
    while (lane->serve(Deadline::never()) != sim::HostLane::Served::closed) {
    }
  });
  int count = 0;  // guarded by the order of the stream
  const Body kernel = [&] { return ++count % 2 == 1 ? 0 : 1; };
  for (int i = 0; i < 100; ++i) {
    s.submit(make_body_kernel(kernel));
    s.submit(sim::make_host_call(
        *lane, [](void* n) { ++*static_cast<int*>(n); }, &count, true));
  }
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(count == 200);
  CHECK_FALSE(s.failure());
  lane->close();
  server.join();
}

TEST_CASE("several host threads may drive one seeded machine", "[seeded]") {
  SeededMachine m(3, 4);
  std::vector<std::thread> threads;
  std::atomic<int> bad{0};
  for (std::size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      Stream& mine = *m.streams[i];
      Stream& next = *m.streams[(i + 1) % 4];
      for (int round = 0; round < 100; ++round) {
        const auto event = sim::make_ref<Signal>(&mine);
        mine.submit(sim::make_record(*event, false));
        next.submit(sim::make_wait(*event, nullptr, 0));
        m.driver->yield_point();
        if (m.wait(mine) != WaitResult::reached) ++bad;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(bad == 0);
}

TEST_CASE("a machine may go while a kernel is still running", "[seeded]") {
  Gate gate;
  const Body held = gate.body();
  std::thread opener;
  {
    SeededMachine m;
    Stream& s = m.stream();
    s.submit(make_body_kernel(held));
    char byte = 0;
    s.submit(sim::make_fill(&byte, 0, 1, 1));
    m.wait(s, Deadline::in(std::chrono::milliseconds(60)));
    opener = std::thread([&] {
      eventually([&] { return gate.arrived() == 1; });
      gate.open();
    });
  }
  opener.join();
  CHECK(gate.passed() == 1);
}
