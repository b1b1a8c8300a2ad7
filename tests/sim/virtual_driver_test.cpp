// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/virtual_driver.h"

#include <deque>
#include <string>

#include "tests/sim/program.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::Nanoseconds;
using sim::Ref;
using sim::Signal;
using sim::Stream;

namespace {

struct VirtualMachine {
  explicit VirtualMachine(const sim::SystemConfig& machine = small_machine(4))
      : memory(machine), links(machine), driver(memory, clock, links, [this](const sim::Op& op) {
          return kernel_ns * op.kernel.blocks;
        }) {}
  ~VirtualMachine() {
    for (const auto& s : streams) s->abandon();
    driver.run();
  }

  Stream& stream(int device = 0) {
    streams.push_back(sim::make_ref<Stream>(
        driver, Stream::Config{static_cast<std::uint32_t>(streams.size() + 1), device, 0, {}}));
    return *streams.back();
  }
  Ref<Signal> stamp(Stream& s) {
    auto signal = sim::make_ref<Signal>(&s);
    s.submit(sim::make_record(*signal, true));
    return signal;
  }
  void kernel(Stream& s, std::uint32_t blocks, const std::string& name = "") {
    names.push_back({this, name});
    const Named* const named = &names.back();
    s.submit(sim::make_kernel(
        [](const sim::KernelRun& run) -> std::int32_t {
          const Named* const at = *static_cast<const Named* const*>(run.args);
          at->machine->log += at->name;
          return 0;
        },
        nullptr, "named", blocks, &named, sizeof named));
  }
  void wait(Stream& s, const Ref<Signal>& on, Nanoseconds limit = 0) {
    s.submit(sim::make_wait(*on, nullptr, limit));
  }

  struct Named {
    VirtualMachine* machine;
    std::string name;
  };
  sim::VirtualClock clock;
  sim::Memory memory;
  sim::Links links;
  Nanoseconds kernel_ns = 1000;
  sim::VirtualDriver driver;
  std::vector<Ref<Stream>> streams;
  std::deque<Named> names;
  std::string log;
};

}  // namespace

TEST_CASE("a copy between two devices takes exactly latency plus bytes over bandwidth",
          "[virtual]") {
  sim::SystemConfig machine = small_machine(2);
  machine.hccs = {700, 16e9};
  machine.on_chip = {100, 500e9};
  machine.host = {2000, 20e9};
  VirtualMachine v(machine);
  Stream& s = v.stream();
  auto* const a = static_cast<char*>(v.memory.device(0).allocate(1 << 20, 64));
  auto* const b = static_cast<char*>(v.memory.device(1).allocate(1 << 20, 64));
  const auto start = v.stamp(s);
  s.submit(sim::make_copy(b, 1, a, 0, 160'000));
  const auto copied = v.stamp(s);
  s.submit(sim::make_copy(a, 0, a + 500'000, 0, 500'000));
  const auto moved = v.stamp(s);
  s.submit(sim::make_copy(a, 0, b, sim::kHostDevice, 20'000));
  const auto uploaded = v.stamp(s);
  s.submit(sim::make_fill(a, 0, 1, 50'000));
  const auto filled = v.stamp(s);
  v.driver.run();
  CHECK(start->time_ns() == 0);
  CHECK(copied->time_ns() - start->time_ns() == 700 + 10'000);
  CHECK(moved->time_ns() - copied->time_ns() == 100 + 1000);
  CHECK(uploaded->time_ns() - moved->time_ns() == 2000 + 1000);
  CHECK(filled->time_ns() - uploaded->time_ns() == 100 + 100);
  CHECK(v.clock.now_ns() == filled->time_ns());
}

TEST_CASE("kernels cost what the model says, side by side on different streams", "[virtual]") {
  VirtualMachine v;
  Stream& s = v.stream(0);
  Stream& t = v.stream(1);
  v.kernel(s, 3);
  v.kernel(s, 4);
  v.kernel(t, 5);
  const auto end_s = v.stamp(s);
  const auto end_t = v.stamp(t);
  v.driver.run();
  CHECK(end_s->time_ns() == 7000);
  CHECK(end_t->time_ns() == 5000);
  CHECK(v.clock.now_ns() == 7000);
}

TEST_CASE("a stream that waits goes on at the time of the record", "[virtual]") {
  VirtualMachine v;
  Stream& s = v.stream();
  Stream& t = v.stream();
  const auto event = sim::make_ref<Signal>(&s);
  v.wait(t, event);
  v.kernel(t, 1, "t");
  const auto end = v.stamp(t);
  v.kernel(s, 5, "s");
  s.submit(sim::make_record(*event, true));
  v.driver.run();
  CHECK(event->time_ns() == 5000);
  CHECK(end->time_ns() == 6000);
  CHECK(v.log == "st");
}

TEST_CASE("an op has its effect when it ends", "[virtual]") {
  VirtualMachine v;
  Stream& s = v.stream();
  Stream& t = v.stream();
  v.kernel(s, 10, "long ");
  v.kernel(t, 1, "short ");
  v.kernel(t, 20, "longer ");
  v.driver.run();
  CHECK(v.log == "short long longer ");
}

TEST_CASE("a wait fails when its limit passes in virtual time", "[virtual]") {
  VirtualMachine v;
  Stream& s = v.stream();
  Stream& t = v.stream();
  const auto event = sim::make_ref<Signal>(&s);
  v.wait(t, event, 3000);
  const auto end = v.stamp(t);
  v.kernel(s, GENERATE(2u, 5u));
  s.submit(sim::make_record(*event, true));
  v.driver.run();
  if (event->time_ns() == 5000) {
    CHECK(t.take_failure().error == sim::Error::wait_timeout);
    CHECK(end->time_ns() == 3000);
  } else {
    CHECK_FALSE(t.take_failure());
    CHECK(end->time_ns() == 2000);
    CHECK(v.clock.now_ns() == 2000);  // a limit that was not reached moves no time
  }
}

TEST_CASE("a stream that waits for ever is still parked when the time has run out", "[virtual]") {
  VirtualMachine v;
  Stream& s = v.stream();
  v.wait(s, sim::make_ref<Signal>());
  CHECK(v.driver.wait(s, s.submitted(), sim::Deadline::never(), false) ==
        sim::Driver::WaitResult::timed_out);
  CHECK(s.state() == Stream::State::parked);
}

TEST_CASE("what came to pass at one time is in the order of device, stream, submission",
          "[virtual]") {
  VirtualMachine v;
  Stream& far = v.stream(1);
  Stream& first = v.stream(0);
  Stream& second = v.stream(0);
  v.kernel(far, 1, "3");
  v.kernel(second, 1, "2");
  v.kernel(first, 1, "1");
  v.driver.run();
  CHECK(v.log == "123");
}

TEST_CASE("an observer sees how long an op took", "[virtual]") {
  struct Spans final : sim::Observer {
    std::vector<std::pair<Nanoseconds, Nanoseconds>> spans;
    std::vector<Nanoseconds> starts;
    void started(const Stream&, const sim::Op&, Nanoseconds now) override { starts.push_back(now); }
    void finished(const Stream&, const sim::Op&, sim::Failure, Nanoseconds start,
                  Nanoseconds end) override {
      spans.emplace_back(start, end);
    }
  } observer;
  VirtualMachine v;
  v.driver.set_observer(&observer);
  Stream& s = v.stream();
  v.kernel(s, 2);
  v.kernel(s, 3);
  v.driver.run();
  v.driver.set_observer(nullptr);
  using Span = std::pair<Nanoseconds, Nanoseconds>;
  CHECK(observer.starts == std::vector<Nanoseconds>{0, 2000});
  CHECK(observer.spans == std::vector<Span>{{0, 2000}, {2000, 5000}});
}

TEST_CASE("what is dropped costs no time", "[virtual]") {
  VirtualMachine v;
  Stream& s = v.stream();
  s.stop_on_failure();
  s.submit(sim::make_kernel([](const sim::KernelRun&) -> std::int32_t { return 1; }, nullptr, "k",
                            1, nullptr, 0));
  v.kernel(s, 100, "dropped");
  const auto end = v.stamp(s);
  v.driver.run();
  CHECK(v.log.empty());
  CHECK(end->time_ns() == 1000);
}

TEST_CASE("a stream is abandoned while an op is under way", "[virtual]") {
  VirtualMachine v;
  Stream& s = v.stream();
  Stream& t = v.stream();
  const auto event = sim::make_ref<Signal>(&t);
  v.kernel(t, 1);
  v.wait(s, event);
  v.kernel(s, 5, "s");
  v.driver.run();
  const auto end = v.stamp(s);
  s.abandon();
  v.driver.run();
  CHECK(s.drained());
  CHECK(end->done());
}

TEST_CASE("a program takes the same time and course every time", "[virtual]") {
  for (const std::uint64_t seed : seeds(30)) {
    INFO("ACLSIM_TEST_SEED=" << seed);
    std::mt19937_64 random(seed);
    const Program program = Program::random(random, 5, 3, 100);
    std::vector<std::vector<std::size_t>> courses;
    std::vector<Nanoseconds> times;
    for (int run = 0; run < 2; ++run) {
      VirtualMachine v;
      for (int i = 0; i < program.streams; ++i) v.stream(i % 2);
      Execution execution(program, v.streams);
      while (!execution.submitted()) execution.submit_next();
      v.driver.run();
      CHECK(execution.drained());
      CHECK(execution.violations() == 0);
      courses.push_back(execution.order());
      times.push_back(v.clock.now_ns());
    }
    CHECK(courses[0] == courses[1]);
    CHECK(times[0] == times[1]);
  }
}
