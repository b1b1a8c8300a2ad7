// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "tests/sim/program.h"
#include "tests/sim/world.h"
#include "tests/support/catch.h"

using namespace simtest;

TEST_CASE("ops of one stream run in the order of submission", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  for (const char* name : {"a", "b", "c", "d"}) w.kernel(s, name);
  w.run_all();
  CHECK(w.log == "abcd");
  CHECK(s.state() == State::idle);
}

TEST_CASE("a stream becomes ready with its first op, once", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  CHECK(s.state() == State::idle);
  w.kernel(s, "a");
  w.kernel(s, "b");
  CHECK(s.state() == State::ready);
  CHECK(w.driver.ready.size() == 1);
}

TEST_CASE("streams have no order between them", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  w.kernel(s, "a");
  w.kernel(s, "b");
  w.kernel(t, "x");
  w.kernel(t, "y");
  SECTION("the later stream may run first") {
    w.run(t);
    w.run(s);
    CHECK(w.log == "xyab");
  }
  SECTION("they may take turns") {
    w.step(s);
    w.step(t);
    w.step(t);
    w.step(s);
    CHECK(w.log == "axyb");
  }
}

TEST_CASE("a copy and a fill change memory when their turn comes", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  char from[8] = "1234567";
  char to[8] = "abcdefg";
  w.fill(s, to, 'x', 3);
  w.copy(s, to + 3, from + 3, 2);
  CHECK(std::string(to) == "abcdefg");
  w.step(s);
  CHECK(std::string(to) == "xxxdefg");
  w.step(s);
  CHECK(std::string(to) == "xxx45fg");
}

TEST_CASE("ranges of one copy may overlap", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  char bytes[] = "abcdef";
  w.copy(s, bytes + 2, bytes, 4);
  w.run_all();
  CHECK(std::string(bytes) == "ababcd");
}

TEST_CASE("a kernel sees its arguments, its place and its task", "[scheduler]") {
  World w;
  Stream& s = w.stream(1);
  static sim::KernelRun seen;
  static std::vector<unsigned char> args_seen;
  std::vector<unsigned char> args(
      GENERATE(std::size_t{0}, std::size_t{16}, std::size_t{17}, std::size_t{500}));
  std::iota(args.begin(), args.end(), static_cast<unsigned char>(1));
  const sim::MemoryRange ranges[2] = {{&w, 1, true}, {&s, 2, false}};
  const std::size_t range_count = GENERATE(0u, 2u);
  w.kernel(s, "-");
  s.submit(sim::make_kernel(
      [](const sim::KernelRun& run) -> std::int32_t {
        seen = run;
        const auto* bytes = static_cast<const unsigned char*>(run.args);
        args_seen.assign(bytes, bytes + run.args_size);
        return 0;
      },
      &seen, "k", 12, args.data(), args.size(), ranges, range_count));
  w.run_all();
  CHECK(args_seen == args);
  CHECK(seen.function == &seen);
  CHECK(seen.blocks == 12);
  CHECK(seen.device == 1);
  CHECK(seen.stream_id == s.id());
  CHECK(seen.task_id == 2);
}

TEST_CASE("sequence numbers count from one and retired follows", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  char byte = 0;
  CHECK(s.submit(sim::make_fill(&byte, 0, 1, 1)) == 1);
  CHECK(s.submit(sim::make_fill(&byte, 0, 2, 1)) == 2);
  CHECK(s.submitted() == 2);
  CHECK(s.retired() == 0);
  CHECK_FALSE(s.drained());
  w.step(s);
  CHECK(s.retired() == 1);
  w.step(s);
  CHECK(s.retired() == 2);
  CHECK(s.drained());
}

TEST_CASE("a waiting stream starts only after the event it waits for", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  w.kernel(s, "a");
  const auto event = w.record(s);
  w.wait(t, event);
  w.kernel(t, "b");

  w.run(t);
  CHECK(t.state() == State::parked);
  CHECK(w.log.empty());
  CHECK(World::held_up_by(t) == &s);

  w.step(s);
  CHECK(t.state() == State::parked);
  w.step(s);
  CHECK(event->done());
  CHECK(t.state() == State::ready);
  CHECK_FALSE(t.parked_on());
  w.run(t);
  CHECK(w.log == "ab");
}

TEST_CASE("a wait for what is done already does not hold the stream", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  const auto event = w.record(s);
  w.run(s);
  w.wait(t, event);
  CHECK(w.step(t) == Step::moved);
  CHECK(t.state() == State::idle);
}

TEST_CASE("one record releases every stream that waits, in the order they came", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  const auto event = w.record(s);
  std::vector<Stream*> waiting;
  for (const char* name : {"a", "b", "c", "d"}) {
    waiting.push_back(&w.stream());
    w.wait(*waiting.back(), event);
    w.kernel(*waiting.back(), name);
  }
  for (Stream* t : waiting) w.run(*t);
  for (Stream* t : waiting) CHECK(t->state() == State::parked);
  w.run(s);
  for (Stream* t : waiting) CHECK(t->state() == State::ready);
  w.run_all();
  CHECK(w.log == "abcd");
}

TEST_CASE("a wait is bound to the record that was there when it was submitted", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& first = w.stream();
  Stream& second = w.stream();
  const auto early = w.record(s);
  w.wait(first, early);
  w.kernel(first, "1");
  w.kernel(s, "between");
  const auto late = w.record(s);
  w.wait(second, late);
  w.kernel(second, "2");
  w.run(first);
  w.run(second);

  w.step(s);
  CHECK(first.state() == State::ready);
  CHECK(second.state() == State::parked);
  w.run(s);
  CHECK(second.state() == State::ready);
}

TEST_CASE("a stream that waits for its own earlier record goes on", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  w.wait(s, w.record(s));
  w.kernel(s, "a");
  w.run_all();
  CHECK(w.log == "a");
}

TEST_CASE("a flag can be recorded, reset and recorded again", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  const auto flag = w.signal();
  w.record(s, *flag);
  w.reset(s, *flag);
  w.record(s, *flag);

  w.step(s);
  CHECK(flag->done());
  w.step(s);
  CHECK_FALSE(flag->done());
  w.wait(t, flag);
  w.run(t);
  CHECK(t.state() == State::parked);
  w.step(s);
  CHECK(flag->done());
  w.run(t);
  CHECK(t.state() == State::idle);
}

TEST_CASE("a stream that was set free stays free when the flag is reset before it runs",
          "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  const auto flag = w.signal();
  w.wait(t, flag);
  w.kernel(t, "a");
  w.wait(t, flag);  // a second wait is not free
  w.kernel(t, "b");
  w.run(t);
  w.record(s, *flag);
  w.reset(s, *flag);
  w.run(s);
  CHECK_FALSE(flag->done());
  w.run(t);
  CHECK(w.log == "a");
  CHECK(t.state() == State::parked);
}

TEST_CASE("streams that wait for each other stay parked and show why", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  Stream& u = w.stream();
  const auto from_s = w.signal(&s);
  const auto from_t = w.signal(&t);
  w.wait(s, from_t);
  w.record(s, *from_s);
  w.wait(t, from_s);
  w.record(t, *from_t);
  w.wait(u, from_s);
  w.run_all();
  CHECK(s.state() == State::parked);
  CHECK(t.state() == State::parked);
  CHECK(World::held_up_by(u) == &s);
  CHECK(World::held_up_by(s) == &t);
  CHECK(World::held_up_by(t) == &s);
}

TEST_CASE("a wait whose limit passes fails and the stream goes on", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  const auto never = w.signal();
  w.wait(s, *never, 5000);
  w.kernel(s, "a");
  w.run(s);
  REQUIRE(w.driver.limits.size() == 1);
  CHECK(w.driver.limits[0].timeout_ns == 5000);
  w.driver.pass_limits();
  CHECK(s.state() == State::ready);
  w.run(s);
  CHECK(w.log == "a");
  CHECK(s.take_failure() == Failure{sim::Error::wait_timeout, 0});
  CHECK_FALSE(s.take_failure());

  SECTION("and is no longer in the list of the signal") {
    w.record(t, *never);
    w.run_all();
    CHECK(s.state() == State::idle);
  }
}

TEST_CASE("a limit is taken back when its wait ends in time", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  const auto flag = w.signal();
  w.wait(s, *flag, 5000);
  w.wait(s, *flag, 7000);
  w.run(s);
  w.record(t, *flag);
  w.reset(t, *flag);
  w.run(t);
  CHECK(w.driver.limits.empty());
  w.run(s);  // parks on the second wait
  REQUIRE(w.driver.limits.size() == 1);
  CHECK(w.driver.limits[0].timeout_ns == 7000);
}

namespace {
/// Releases the wait in the moment before its limit is armed, as another thread may.
class LateArming final : public sim::Driver {
 public:
  using Driver::Driver;
  int armed = 0;
  bool clear_again = false;

  void on_ready(Stream&) override {}
  void arm_timeout(Ref<Stream>, Ref<sim::WaitPoint> point, std::uint64_t, sim::WaitLimit) override {
    auto* const signal = dynamic_cast<Signal*>(point.get());
    signal->complete({}, 0);
    if (clear_again) signal->clear();
    ++armed;
  }
  void disarm_timeout(Stream&, std::uint64_t) override {
    if (armed > 0) --armed;
  }
  void host_call_returned(Stream&, Failure, Server) override {}
  void forget(Stream&) override {}
  WaitResult wait(Stream&, std::uint64_t, const sim::Deadline&, bool) override {
    return WaitResult::reached;
  }
};
}  // namespace

TEST_CASE("no limit stays armed when the wait ends while it is being armed", "[scheduler]") {
  sim::Memory memory(small_machine());
  const sim::VirtualClock clock;
  LateArming driver(memory, clock);
  driver.clear_again = GENERATE(false, true);
  const auto s = make_stream(driver);
  const auto flag = sim::make_ref<Signal>();
  s->submit(sim::make_wait(*flag, nullptr, 1000));
  REQUIRE(s->try_own());
  CHECK(s->step() == Step::parked);
  CHECK(driver.armed == 0);
  CHECK(s->state() == State::ready);
}

TEST_CASE("ops give back what they hold when they leave the stream", "[scheduler]") {
  World w;
  Stream& s = w.stream();
  Stream& t = w.stream();
  auto lane = sim::make_ref<sim::HostLane>();
  auto flag = w.signal();
  auto tally = sim::make_ref<sim::WaitTally>();
  const auto event = w.record(s);
  w.reset(s, *flag);
  w.record(s, *flag);
  t.submit(sim::make_wait(*event, tally.get(), 0));
  t.submit(sim::make_wait(*flag, tally.get(), 0));
  w.host_call(t, *lane, "x", false);
  CHECK(tally->outstanding == 2);
  CHECK_FALSE(tally->unique());
  w.run(t);
  CHECK(tally->outstanding == 2);
  w.run_all();
  CHECK(tally->outstanding == 0);
  World::serve(*lane);
  CHECK(tally->unique());
  CHECK(event->unique());
  CHECK(flag->unique());
  CHECK(lane->unique());
  CHECK_FALSE(event->producer());
  CHECK(w.all_given_back());
}

TEST_CASE("a stream that is destroyed gives back what its queue holds", "[scheduler]") {
  sim::Memory memory(small_machine());
  const sim::VirtualClock clock;
  ManualDriver driver(memory, clock);
  auto signal = sim::make_ref<Signal>();
  const std::vector<char> args(1000);
  {
    const auto s = make_stream(driver);
    for (int i = 0; i < 200; ++i) {
      s->submit(sim::make_wait(*signal, nullptr, 0));
      s->submit(sim::make_kernel(nullptr, nullptr, "k", 1, args.data(), args.size()));
    }
    driver.ready.clear();
  }
  CHECK(signal->unique());
}

namespace {
class Notes final : public sim::Observer {
 public:
  std::string text;
  void submitted(const Stream&, const sim::Op& op) override { note("+", op); }
  void started(const Stream&, const sim::Op& op, sim::Nanoseconds now) override {
    note("(", op);
    start = now;
  }
  void finished(const Stream&, const sim::Op& op, Failure failure, sim::Nanoseconds began,
                sim::Nanoseconds) override {
    note(failure ? "!" : ")", op);
    same_start = same_start && began == start;
  }
  sim::Nanoseconds start = 0;
  bool same_start = true;

 private:
  void note(const char* what, const sim::Op& op) {
    text += what + std::string(name(op.kind)) + " ";
  }
};
}  // namespace

TEST_CASE("an observer is told of each op once, in order", "[scheduler]") {
  World w;
  Notes notes;
  w.driver.set_observer(&notes);
  Stream& s = w.stream();
  Stream& t = w.stream();
  const auto event = w.signal();
  w.wait(s, event);
  w.kernel(s, "a", [] { return 7; });
  w.run(s);
  w.clock.advance_to(50);
  event->complete({}, 0);
  w.run_all();
  CHECK(notes.text == "+wait +kernel (wait )wait (kernel !kernel ");
  CHECK(notes.same_start);
  w.driver.set_observer(nullptr);
  static_cast<void>(t);
}

TEST_CASE("random programs keep to their order whatever the interleaving", "[scheduler]") {
  for (const std::uint64_t seed : seeds(300)) {
    INFO("ACLSIM_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    const int stream_count = 2 + static_cast<int>(random() % 6);
    const Program program =
        Program::random(random, stream_count, 1 + static_cast<int>(random() % 5), 120);
    World w;
    std::vector<Ref<Stream>> streams;
    for (int i = 0; i < stream_count; ++i) {
      streams.push_back(Ref<Stream>::share(&w.stream()));
    }
    Execution execution(program, streams);
    while (!execution.submitted()) {
      execution.submit_next();
      for (auto steps = random() % 3; steps > 0 && !w.driver.ready.empty(); --steps) {
        w.step(*w.driver.ready[random() % w.driver.ready.size()]);
      }
    }
    w.run_all(random);
    CHECK(execution.drained());
    CHECK(execution.violations() == 0);
  }
}
