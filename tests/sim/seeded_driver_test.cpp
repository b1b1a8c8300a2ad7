// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/seeded_driver.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <set>
#include <string>
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
  // If the host delays a kernel for 50 ms, the seed no longer decides the order; the run is
  // ignored.
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

TEST_CASE("kernels that follow each other share a thread of their own", "[seeded]") {
  SeededMachine m(3, 3);
  std::set<std::thread::id> threads;  // guarded by the machine: one step at a time
  const Body body = [&] {
    threads.insert(std::this_thread::get_id());
    return 0;
  };
  char byte = 0;
  for (int i = 0; i < 30; ++i) {
    Stream& s = *m.streams[static_cast<std::size_t>(i) % 3];
    s.submit(i % 4 == 0 ? sim::make_fill(&byte, 0, 1, 1) : make_body_kernel(body));
  }
  for (const auto& s : m.streams) CHECK(m.wait(*s) == WaitResult::reached);
  CHECK(threads.size() == 1);
  CHECK(threads.count(std::this_thread::get_id()) == 0);
  CHECK_FALSE(m.driver->diverged());
}

TEST_CASE("a kernel that lingers in a row of others is left alone, and the row goes on",
          "[seeded]") {
  SeededMachine m(3, 2);
  Gate gate;
  const Body held = gate.body();
  std::atomic<int> ran{0};
  const Body quick = [&] { return ++ran, 0; };
  for (int i = 0; i < 10; ++i) {
    m.streams[0]->submit(make_body_kernel(i == 5 ? held : quick));
    m.streams[1]->submit(make_body_kernel(quick));
  }
  CHECK(m.wait(*m.streams[1]) == WaitResult::reached);
  CHECK(m.wait(*m.streams[0], Deadline::in(std::chrono::milliseconds(70))) ==
        WaitResult::timed_out);
  CHECK(ran == 15);
  gate.open();
  CHECK(m.wait(*m.streams[0]) == WaitResult::reached);
  CHECK(ran == 19);
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
  CHECK(eventually([&] { return never->unique(); }));  // the timer lets go of it a moment later
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
  if (GENERATE(false, true)) lane->give_up();  // its calls are not waited for, where they return
  int count = 0;                               // guarded by the order of the stream
  const Body kernel = [&] { return ++count % 2 == 1 ? 0 : 1; };
  for (int i = 0; i < 150; ++i) {
    s.submit(make_body_kernel(kernel));
    s.submit(sim::make_host_call(
        *lane, [](void* n) { ++*static_cast<int*>(n); }, &count, true));
  }
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(count == 300);
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

TEST_CASE("a stream goes on when a kernel ends its thread, whether in time or late", "[seeded]") {
  const bool late = GENERATE(false, true);
  SeededMachine m;
  Stream& s = m.stream();
  Gate gate;
  const Body ends = [&] {
    if (late) gate.pass();
    return pthread_exit(nullptr), 0;
  };
  char byte = 0;
  for (int i = 0; i < 3; ++i) {
    s.submit(make_body_kernel(ends));
    s.submit(sim::make_fill(&byte, 0, static_cast<std::uint8_t>(i + 1), 1));
    if (late) m.wait(s, Deadline::in(std::chrono::milliseconds(60)));
    gate.open();
    CHECK(m.wait(s) == WaitResult::reached);
    CHECK(byte == i + 1);
    CHECK(s.take_failure() == sim::Failure{sim::Error::kernel_failed, -1});
  }
}

// ---- host functions
// --------------------------------------------------------------------------------

namespace {

class SeededCrew final : public sim::HostLane::Crew {
 public:
  ~SeededCrew() override {
    lane->close();
    for (std::thread& thread : threads_) thread.join();
  }
  bool add_thread() override {
    const std::lock_guard guard(mutex_);
    threads_.emplace_back([lane = lane] {
      while (lane->serve(Deadline::never()) != sim::HostLane::Served::closed) {
      }
    });
    return true;
  }
  const Ref<sim::HostLane> lane = sim::make_ref<sim::HostLane>(*this);

 private:
  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

/// A thread of the program that serves a lane in rounds.
class Reporter {
 public:
  Reporter() {
    lane->set_server(static_cast<std::uint64_t>(thread_.native_handle()));
    started_ = true;
  }
  ~Reporter() {
    lane->close();
    thread_.join();
  }
  const Ref<sim::HostLane> lane = sim::make_ref<sim::HostLane>();

 private:
  std::atomic<bool> started_{false};
  std::thread thread_{[this] {
    eventually([this] { return started_.load(); });
    while (lane->serve(Deadline::in(std::chrono::milliseconds(1))) !=
           sim::HostLane::Served::closed) {
    }
  }};
};

/// Writes down who ran, in which order.
class CallLog {
 public:
  void add(char what) {
    const std::lock_guard guard(mutex_);
    text_ += what;
  }
  std::string text() const { return text_; }

  struct Note {
    CallLog* notes;
    char what;
    bool fails;
  };
  void* note(char what, bool fails = false) { return &made_.emplace_back(Note{this, what, fails}); }
  static void write(void* data) {
    auto& note = *static_cast<Note*>(data);
    note.notes->add(note.what);
    if (note.fails) throw 1;
  }

 private:
  std::mutex mutex_;
  std::string text_;
  std::deque<Note> made_;
};

/// Streams with kernels, blocking and other host functions of two lanes, some of which fail, and a
/// third lane to which failures are reported.
std::string order_with_host_functions(std::uint64_t seed, bool* diverged) {
  SeededCrew crew;
  SeededCrew teller;
  Reporter reporter;
  CallLog notes;
  SeededMachine m(seed);
  struct Self {
    CallLog* notes;
    sim::HostLane* lane;
  } self{&notes, teller.lane.get()};
  sim::DriverHooks hooks;
  hooks.self = &self;
  hooks.op_failed = [](void* me, Stream& s, const sim::Op&, sim::Failure, sim::HostLane*& lane,
                       sim::HostLane::Item& item) {
    lane = static_cast<Self*>(me)->lane;
    item.function = CallLog::write;
    item.argument = static_cast<Self*>(me)->notes->note(static_cast<char>('0' + s.id()));
    return true;
  };
  m.driver->set_hooks(hooks);
  std::deque<Body> bodies;
  for (int i = 0; i < 4; ++i) m.stream();
  for (int i = 0; i < 60; ++i) {
    m.driver->yield_point();
    const auto which = static_cast<std::size_t>(i) % 4;
    Stream& s = *m.streams[which];
    const char name = static_cast<char>('a' + which);
    const char upper = static_cast<char>('A' + which);
    switch (i % 5) {
      case 0:
        s.submit(sim::make_host_call(*crew.lane, CallLog::write, notes.note(upper), true));
        break;
      case 1:
        s.submit(sim::make_host_call(*reporter.lane, CallLog::write, notes.note(upper, i % 3 == 0),
                                     i % 2 == 0));
        break;
      default:
        bodies.emplace_back([&notes, name, i] { return notes.add(name), i % 7 == 0 ? 1 : 0; });
        s.submit(make_body_kernel(bodies.back()));
    }
  }
  for (const auto& s : m.streams) CHECK(m.wait(*s) == WaitResult::reached);
  *diverged = m.driver->diverged();
  CHECK(eventually([&] { return reporter.lane->queued() == 0; }));
  return notes.text();
}

}  // namespace

TEST_CASE("host functions, callbacks and reports of failures run in an order that the seed decides",
          "[seeded]") {
  std::set<std::string> orders;
  int decided = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    bool first_diverged = false;
    bool second_diverged = false;
    const std::string first = order_with_host_functions(seed, &first_diverged);
    const std::string second = order_with_host_functions(seed, &second_diverged);
    // If the host delays a thread for 50 ms, the seed no longer decides the order; the run is
    // ignored.
    if (first_diverged || second_diverged) continue;
    ++decided;
    CHECK(first == second);
    orders.insert(first);
  }
  CHECK(decided > 0);
  CHECK((decided < 3 || orders.size() > 1));
}

TEST_CASE(
    "a host function that does not return is left alone, and tells that the seed no longer decides",
    "[seeded]") {
  SeededCrew crew;
  SeededMachine m;
  static std::string reason;
  reason.clear();
  sim::DriverHooks hooks;
  hooks.diverged = [](void*, const char* why) { reason += why; };
  m.driver->set_hooks(hooks);
  Stream& s = m.stream();
  Stream& t = m.stream();
  Gate gate;
  s.submit(sim::make_host_call(
      *crew.lane, [](void* g) { static_cast<Gate*>(g)->pass(); }, &gate, true));
  char byte = 0;
  t.submit(sim::make_fill(&byte, 0, 1, 1));
  CHECK(m.wait(t) == WaitResult::reached);
  CHECK(m.wait(s, Deadline::in(std::chrono::milliseconds(70))) == WaitResult::timed_out);
  CHECK(m.driver->diverged());
  CHECK_THAT(reason, catch_compat::ContainsSubstring("host function"));
  gate.open();
  CHECK(m.wait(s) == WaitResult::reached);
}

TEST_CASE("a thread that serves its own callbacks needs no patience and keeps the seed's order",
          "[seeded]") {
  SeededMachine m;
  Stream& s = m.stream();
  const auto lane = sim::make_ref<sim::HostLane>();
  lane->set_server(static_cast<std::uint64_t>(pthread_self()));
  int calls = 0;
  for (int i = 0; i < 20; ++i) {
    s.submit(sim::make_host_call(
        *lane, [](void* n) { ++*static_cast<int*>(n); }, &calls, true));
    m.driver->yield_point();
    m.driver->before_waiting(lane.get());
    CHECK(lane->serve(Deadline::in(std::chrono::nanoseconds(0))) == sim::HostLane::Served::some);
    m.driver->yield_point();
    CHECK(m.wait(s) == WaitResult::reached);
  }
  CHECK(calls == 20);
  CHECK_FALSE(m.driver->diverged());
}

TEST_CASE("host threads that were started together take turns", "[seeded]") {
  SeededMachine m(1, 3);
  std::string order;  // written by the holder of the turn token
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 10; ++round) {
        m.driver->yield_point();
        order += static_cast<char>('a' + i);
      }
    });
  }
  m.driver->yield_point();  // this thread has the turn token, and goes to sleep outside
  for (std::thread& thread : threads) thread.join();
  for (const char name : {'a', 'b', 'c'}) CHECK(std::count(order.begin(), order.end(), name) == 10);
}
