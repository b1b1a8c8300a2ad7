// SPDX-License-Identifier: Apache-2.0
// The order rules without threads: a driver that only takes notes, and words for programs.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "device_sim/streams/host_lane.h"
#include "tests/sim/machine.h"

namespace simtest {

using sim::Failure;
using sim::Ref;
using sim::Signal;
using sim::Stream;
using State = sim::Stream::State;
using Step = sim::Stream::Step;

/// Writes down what became ready and which limits are armed. Moves nothing by itself.
class ManualDriver final : public sim::Driver {
 public:
  using Driver::Driver;

  struct Limit {
    Ref<Stream> stream;
    Ref<sim::WaitPoint> point;
    std::uint64_t serial;
    sim::Nanoseconds timeout_ns;
  };
  std::vector<Ref<Stream>> ready;
  std::vector<Limit> limits;
  std::function<void()> before_forget;

  void on_ready(Stream& stream) override { ready.push_back(Ref<Stream>::share(&stream)); }
  void arm_timeout(Ref<Stream> stream, Ref<sim::WaitPoint> point, std::uint64_t serial,
                   sim::WaitLimit limit) override {
    limits.push_back({stream, point, serial, limit.ns});
  }
  void disarm_timeout(Stream& stream, std::uint64_t serial) override {
    std::erase_if(limits, [&](const Limit& limit) {
      return limit.stream.get() == &stream && limit.serial <= serial;
    });
  }
  void host_call_returned(Stream& stream, Failure failure, Server) override {
    if (stream.host_call_returned(failure) == Step::moved) stream.let_go();
  }
  void forget(Stream& stream) override {
    if (before_forget) before_forget();
    take(stream);
  }
  WaitResult wait(Stream& stream, std::uint64_t target, const sim::Deadline&, bool) override {
    return stream.retired() >= target ? WaitResult::reached : WaitResult::timed_out;
  }

  void take(Stream& stream) {
    std::erase_if(ready, [&](const Ref<Stream>& at) { return at.get() == &stream; });
  }
  /// Makes all limits pass, including the limits of waits that are over.
  void pass_limits() {
    for (const Limit& limit : std::exchange(limits, {})) {
      if (!limit.point->unpark(*limit.stream, limit.serial)) continue;
      const Step step = limit.stream->fail_wait({sim::Error::wait_timeout, 0});
      if (step == Step::moved) limit.stream->let_go();
    }
  }
};

/// A machine that the test moves. `log` contains the names of the ops that ran.
class World {
 public:
  World() : memory_(small_machine()), driver(memory_, clock) {}
  ~World() { abandon_all(); }

  Stream& stream(int device = 0, Ref<sim::FailureDomain> domain = {}) {
    streams_.push_back(sim::make_ref<Stream>(
        driver, Stream::Config{static_cast<std::uint32_t>(streams_.size() + 1), device, 0,
                               std::move(domain)}));
    return *streams_.back();
  }
  Ref<Signal> signal(Stream* producer = nullptr) { return sim::make_ref<Signal>(producer); }

  // --- a program ---

  void kernel(Stream& s, const std::string& name, Body body = {}) {
    bodies_.push_back([this, name, body = std::move(body)] {
      log += name;
      return body ? body() : 0;
    });
    s.submit(make_body_kernel(bodies_.back()));
  }
  void copy(Stream& s, void* dst, const void* src, std::size_t size) {
    s.submit(sim::make_copy(dst, 0, src, 0, size));
  }
  void fill(Stream& s, void* dst, std::uint8_t value, std::size_t size) {
    s.submit(sim::make_fill(dst, 0, value, size));
  }
  /// A new signal that becomes done here.
  Ref<Signal> record(Stream& s, bool timed = false) {
    Ref<Signal> made = signal(&s);
    s.submit(sim::make_record(*made, timed));
    return made;
  }
  void record(Stream& s, Signal& onto) { s.submit(sim::make_record(onto, false)); }
  void wait(Stream& s, Signal& on, sim::Nanoseconds timeout_ns = 0) {
    s.submit(sim::make_wait(on, nullptr, timeout_ns));
  }
  void wait(Stream& s, const Ref<Signal>& on) { wait(s, *on); }
  void reset(Stream& s, Signal& signal) { s.submit(sim::make_reset(signal)); }
  void host_call(Stream& s, sim::HostLane& lane, const std::string& name, bool blocking,
                 std::function<void()> body = {}) {
    calls_.push_back([this, name, body = std::move(body)] {
      log += name;
      if (body) body();
    });
    s.submit(sim::make_host_call(
        lane, [](void* call) { (*static_cast<std::function<void()>*>(call))(); }, &calls_.back(),
        blocking));
  }

  // --- moving it ---

  /// Moves a ready stream by one op.
  Step step(Stream& s) {
    const Ref<Stream> keep = Ref<Stream>::share(&s);
    driver.take(s);
    if (!s.try_own()) return Step::idle;
    Step step = s.step();
    if (step == Step::kernel) step = s.run_kernel();
    if (step == Step::moved) s.let_go();
    return step;
  }
  /// Moves one stream until it is idle or parked.
  void run(Stream& s) {
    while (s.state() == State::ready) step(s);
  }
  /// Moves all streams, always the one that became ready first.
  void run_all() {
    while (!driver.ready.empty()) step(*driver.ready.front());
  }
  /// Moves all streams in an order that the generator chooses.
  void run_all(std::mt19937_64& random) {
    while (!driver.ready.empty()) step(*driver.ready[random() % driver.ready.size()]);
  }
  static sim::HostLane::Served serve(sim::HostLane& lane) {
    return lane.serve(sim::Deadline::in(std::chrono::nanoseconds(0)));
  }
  /// Which stream has to move before this one can: follows the waits to their end.
  static Stream* held_up_by(Stream& s) {
    const Ref<sim::WaitPoint> signal = s.parked_on();
    return signal ? signal->producer().get() : nullptr;
  }
  void abandon_all() {
    for (const Ref<Stream>& s : streams_) s->abandon();
    run_all();
  }
  /// Only this world holds its streams, and no limit is armed.
  bool all_given_back() {
    run_all();
    return driver.limits.empty() &&
           std::all_of(streams_.begin(), streams_.end(), [](const auto& s) { return s->unique(); });
  }

  std::string log;

 private:
  sim::Memory memory_;
  std::deque<Body> bodies_;
  std::deque<std::function<void()>> calls_;
  std::vector<Ref<Stream>> streams_;

 public:
  sim::VirtualClock clock;
  ManualDriver driver;
};

}  // namespace simtest
