// SPDX-License-Identifier: Apache-2.0
// The driver with threads: kernels that spin, submit, wait, end their thread or become slow.
#include "device_sim/drivers/thread_driver.h"

#include <pthread.h>

#include "device_sim/streams/task.h"
#include "tests/sim/thread_machine.h"

using namespace simtest;
using sim::Deadline;
using sim::Ref;
using sim::Signal;
using sim::Stream;

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
    let_time_pass(8ms);  // the pool sleeps
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

TEST_CASE("a waiting thread runs kernels that have been quick, and not those that became slow",
          "[threads]") {
  ThreadMachine m(2);
  Stream& s = m.stream();
  std::thread::id ran_in;
  std::chrono::milliseconds duration{0};
  const Body body = [&] {
    ran_in = std::this_thread::get_id();
    let_time_pass(duration);
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

TEST_CASE("of kernels in a row only those that have a completion id are told, each in its place",
          "[threads]") {
  struct Told {
    int runs = 0;
    std::vector<int> at;  // the runs when an op was reported
  } told;
  ThreadMachine m(2);
  sim::DriverHooks hooks;
  hooks.self = &told;
  hooks.completed = [](void* self, Stream&, const sim::Op& op, sim::Failure) {
    Told& to = *static_cast<Told*>(self);
    CHECK(op.completion_id == static_cast<std::uint32_t>(to.runs));
    to.at.push_back(to.runs);
  };
  m.system.driver().set_hooks(hooks);
  Stream& s = m.stream();
  const Body counts = [&] { return ++told.runs, 0; };
  std::vector<int> expected;
  for (int i = 1; i <= 3000; ++i) {
    sim::Op op = make_body_kernel(counts);
    if (i % 7 == 0) {
      op.completion_id = static_cast<std::uint32_t>(i);
      expected.push_back(i);
    }
    s.submit(op);
    if (i % 100 == 0) CHECK(m.wait_untimed(s) == WaitResult::reached);
  }
  CHECK(told.runs == 3000);
  CHECK(told.at == expected);
}

TEST_CASE("a task that sets others free is told before it runs, any other one after it",
          "[threads]") {
  struct Told {
    bool ran = false;
    std::vector<bool> after;  // whether an op had run when it was reported
  } told;
  struct Runs final : sim::Task {
    Runs(bool frees, bool& flag) : sets_others_free(frees), ran(flag) {}
    const char* name() const noexcept override { return "RUNS"; }
    bool sets_free() const noexcept override { return sets_others_free; }
    sim::Failure run(Stream&) const override { return ran = true, sim::Failure{}; }
    const bool sets_others_free;
    bool& ran;
  };
  ThreadMachine m(1);
  sim::DriverHooks hooks;
  hooks.self = &told;
  hooks.completed = [](void* self, Stream&, const sim::Op&, sim::Failure) {
    Told& to = *static_cast<Told*>(self);
    to.after.push_back(to.ran);
  };
  m.system.driver().set_hooks(hooks);
  Stream& s = m.stream();
  for (const bool frees : {true, false}) {
    told.ran = false;
    sim::Op op = sim::make_task(sim::Ref<const sim::Task>::adopt(new Runs(frees, told.ran)));
    op.completion_id = 1;
    s.submit(op);
    CHECK(m.wait_untimed(s) == WaitResult::reached);
  }
  CHECK(told.after == std::vector<bool>{false, true});
}
