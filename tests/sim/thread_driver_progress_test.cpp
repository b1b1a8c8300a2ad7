// SPDX-License-Identifier: Apache-2.0
// The driver with threads: who moves a stream to which ops keep coming.
#include "device_sim/drivers/thread_driver.h"

#include "tests/sim/thread_machine.h"
#include "tests/support/waiting.h"

using namespace simtest;
using sim::Deadline;
using sim::Ref;
using sim::Signal;
using sim::Stream;

namespace {

sim::Op short_copy(const void* from, void* to) {
  return sim::make_copy(to, sim::kHostDevice, from, sim::kHostDevice, sizeof(int));
}

}  // namespace

TEST_CASE("a stream moves on while a thread keeps submitting to it", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  const int from = 7;
  int to = 0;
  const bool moved = support::eventually([&] {
    s.submit(short_copy(&from, &to));
    return s.retired() > 1000;
  });
  CHECK(moved);
  CHECK(m.wait(s) == WaitResult::reached);
  CHECK(to == from);
}

TEST_CASE("streams move on without a call while another thread keeps submitting", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& busy = m.stream();
  Stream& s = m.stream();
  const int from = 7;
  int to = 0;
  std::atomic<bool> stop{false};
  std::thread producer([&] {
    while (!stop) busy.submit(short_copy(&from, &to));
  });
  int done = 0;
  for (; done < 20; ++done) {
    std::atomic<int> count{0};
    s.submit(make_count(count));
    if (!support::eventually([&] { return s.drained(); })) break;
  }
  stop = true;
  producer.join();
  CHECK(done == 20);
  CHECK(m.wait(busy) == WaitResult::reached);
}

TEST_CASE("a chain of streams that release each other runs to its end by itself", "[threads]") {
  ThreadMachine m(any_worker_count());
  constexpr std::size_t kStreams = 100;  // more than a worker takes in a row without the lists
  std::vector<Stream*> chain;
  for (std::size_t i = 0; i < kStreams; ++i) chain.push_back(&m.stream(static_cast<int>(i % 2)));
  std::atomic<int> count{0};
  const auto start = sim::make_ref<Signal>();
  Ref<Signal> before = start;
  for (Stream* const stream : chain) {
    const auto after = sim::make_ref<Signal>(stream);
    stream->submit(sim::make_wait(*before, nullptr, 0));
    stream->submit(make_count(count));
    stream->submit(sim::make_record(*after, false));
    before = after;
  }
  start->complete({}, 0);
  CHECK(support::eventually([&] { return before->done(); }));
  CHECK(count == static_cast<int>(kStreams));
}

TEST_CASE("what runs at once has run when the call returns", "[threads]") {
  ThreadMachine m(any_worker_count());
  Stream& s = m.stream();
  for (int i = 0; i < 1000; ++i) {
    const auto signal = sim::make_ref<Signal>(&s);
    s.submit(sim::make_record(*signal, true));
    m.system.driver().run_now(s);
    // A worker may have taken the stream: then it is about to run the record.
    REQUIRE(support::eventually([&] { return signal->done(); }));
  }
  CHECK(m.wait(s) == WaitResult::reached);
}

TEST_CASE("memory of a stream that was given up is touched no longer", "[threads]") {
  ThreadMachine m(any_worker_count());
  std::vector<char> from(std::size_t{4} << 20, 1);
  std::vector<char> to(from.size());
  for (int round = 0; round < 20; ++round) {
    Stream& s = m.stream();
    s.submit(sim::make_copy(to.data(), sim::kHostDevice, from.data(), sim::kHostDevice, to.size()));
    support::eventually([&] { return s.state() != Stream::State::ready; }, 2ms);
    s.abandon();
    m.system.driver().let_short_op_end(s);
    std::fill(from.begin(), from.end(), static_cast<char>(round));  // ThreadSanitizer looks on
  }
}
