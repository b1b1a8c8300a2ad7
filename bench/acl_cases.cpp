// SPDX-License-Identifier: Apache-2.0
// Streams, events and handles through the public C functions.
#include <barrier>
#include <vector>

#include "bench/acl_world.h"

namespace bench {
namespace {

// ---- (a) tiny ops on one stream ----

void check_every_op_runs(const Stream& stream, int ops) {
  std::uint64_t count = 0;
  const Launch counting(&count_one, &count);
  for (int i = 0; i < ops; ++i) counting.on(stream);
  stream.synchronize();
  require(count == static_cast<std::uint64_t>(ops), "not every op ran");
}

/// Seconds for the calls alone, and with the synchronise.
struct TinyOps {
  double enqueue;
  double total;
};

TinyOps run_tiny_ops(const Stream& stream, int ops) {
  const Launch tiny(&nothing);
  const std::int64_t begin = now_ns();
  for (int i = 0; i < ops; ++i) tiny.on(stream);
  const std::int64_t enqueued = now_ns();
  stream.synchronize();
  return {static_cast<double>(enqueued - begin) * 1e-9,
          static_cast<double>(now_ns() - begin) * 1e-9};
}

void tiny_ops_on_current_device(benchmark::State& state) {
  const Stream stream;
  check_every_op_runs(stream, kTinyOps);
  const std::uint32_t before = tasks_of(stream);
  Samples enqueue;
  const Samples total = measure(state, [&] {
    const TinyOps took = run_tiny_ops(stream, kTinyOps);
    enqueue.add(took.enqueue);
    return took.total;
  });
  require(tasks_of(stream) - before >= kTinyOps * state.iterations(),
          "ops never entered the stream");
  state.counters["Mops"] = kTinyOps / total.median() * 1e-6;
  state.counters["enqueue_ns"] = enqueue.median() * 1e9 / kTinyOps;
}

void tiny_ops(benchmark::State& state) {
  use_device(0);
  tiny_ops_on_current_device(state);
}

/// Host threads with a stream each, distributed over all devices.
template <int kThreads>
void tiny_ops_threads(benchmark::State& state) {
  const int devices = device_count();
  constexpr int kOps = kTinyOps / 2;
  const Samples took = measure(state, [&] {
    std::vector<std::uint64_t> counts(kThreads, 0);
    std::vector<std::string> errors(kThreads);
    std::barrier line(kThreads + 1);
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        const auto index = static_cast<std::size_t>(t);
        bool waited = false;
        try {
          use_device(t % devices);
          const Stream stream;
          line.arrive_and_wait();
          waited = true;
          run_tiny_ops(stream, kOps);
          const Launch last(&count_one, &counts[index]);
          last.on(stream);
          stream.synchronize();
        } catch (const std::exception& error) {
          errors[index] = error.what();
          if (!waited) line.arrive_and_drop();
        }
      });
    }
    line.arrive_and_wait();
    const double spent = seconds([&] {
      for (std::thread& thread : threads) thread.join();
    });
    for (int t = 0; t < kThreads; ++t) {
      require(errors[static_cast<std::size_t>(t)].empty(), errors[static_cast<std::size_t>(t)]);
      require(counts[static_cast<std::size_t>(t)] == 1, "a thread's last op did not run");
    }
    return spent;
  });
  state.counters["Mops"] = static_cast<double>(kOps) * kThreads / took.median() * 1e-6;
}

/// A graph of 1,000 tiny ops, compared with 1,000 calls that enqueue them; both include the wait.
void graph_replay(benchmark::State& state) {
  use_device(0);
  constexpr int kOps = 1000;
  constexpr int kRounds = 200;
  const Stream stream;
  const Launch tiny(&nothing);
  require(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED) == ACL_SUCCESS,
          "no capture");
  for (int i = 0; i < kOps; ++i) tiny.on(stream);
  aclmdlRI graph = nullptr;
  require(aclmdlRICaptureEnd(stream, &graph) == ACL_SUCCESS, "no graph");
  Samples calls;
  const Samples replay = measure(state, [&] {
    calls.add(seconds([&] {
      for (int round = 0; round < kRounds; ++round) {
        for (int i = 0; i < kOps; ++i) tiny.on(stream);
        stream.synchronize();
      }
    }));
    return seconds([&] {
      for (int round = 0; round < kRounds; ++round) {
        require(aclmdlRIExecuteAsync(graph, stream) == ACL_SUCCESS, "a launch failed");
        stream.synchronize();
      }
    });
  });
  require(aclmdlRIDestroy(graph) == ACL_SUCCESS, "the graph is busy");
  state.counters["op_ns"] = replay.median() * 1e9 / kOps / kRounds;
  state.counters["of_calls"] = replay.median() / calls.median();
}

void get_device(benchmark::State& state) {
  use_device(0);
  constexpr int kCalls = 1'000'000;
  const Samples took = measure(state, [] {
    std::int32_t device = -1;
    const double spent = seconds([&] {
      for (int i = 0; i < kCalls; ++i) {
        aclrtGetDevice(&device);
        benchmark::DoNotOptimize(device);
      }
    });
    require(device == 0, "another device");
    return spent;
  });
  state.counters["ns"] = took.median() * 1e9 / kCalls;
}

// ---- (b) one op and a synchronise ----

double round_trips(const Stream& stream, int count) {
  const Launch tiny(&nothing);
  return seconds([&] {
    for (int i = 0; i < count; ++i) {
      tiny.on(stream);
      stream.synchronize();
    }
  });
}

void check_synchronise_waits(const Stream& stream) {
  std::uint64_t count = 0;
  const Launch counting(&count_one, &count);
  for (std::uint64_t i = 1; i <= kRoundTrips; ++i) {
    counting.on(stream);
    stream.synchronize();
    require(count == i, "synchronised before the op had run");
  }
}

/// `count` round trips after an idle time in which workers fall asleep.
void round_trip(benchmark::State& state, std::chrono::milliseconds idle, int count) {
  use_device(0);
  const Stream stream;
  check_synchronise_waits(stream);
  const Samples took = measure(state, [&] {
    if (idle.count() != 0) std::this_thread::sleep_for(idle);
    return round_trips(stream, count);
  });
  state.counters["us"] = took.median() * 1e6 / count;
}

void synchronize_idle(benchmark::State& state) {
  use_device(0);
  const Stream stream;
  constexpr int kCalls = 100'000;
  const Samples took = measure(state, [&] {
    return seconds([&] {
      for (int i = 0; i < kCalls; ++i) stream.synchronize();
    });
  });
  state.counters["ns"] = took.median() * 1e9 / kCalls;
}

// ---- (c) hops between two streams ----

struct TwoStreams {
  Stream first;
  Stream second;
  Event recorded_first;
  Event recorded_second;

  TwoStreams(int device, int other) : first(on(device)), second(on(other)) {
    switches_ = first.context() != second.context();
    first.make_current();
  }

  static Stream on(int device) {
    use_device(device);
    return Stream();
  }

  /// Records on one stream and lets the other wait, alternately. `each(i, stream)` follows hop i.
  template <class Each>
  void hop(int count, Each each) const {
    for (int i = 0; i < count; ++i) {
      const bool there = i % 2 == 0;
      const Stream& from = there ? first : second;
      const Stream& to = there ? second : first;
      const Event& event = there ? recorded_first : recorded_second;
      ACL_OK(aclrtRecordEvent(event, from));
      if (switches_) to.make_current();
      ACL_OK(aclrtStreamWaitEvent(to, event));
      each(i, to);
    }
  }
  void hop(int count) const {
    hop(count, [](int, const Stream&) {});
  }
  void synchronize() const {
    first.synchronize();
    second.synchronize();
  }

 private:
  bool switches_ = false;
};

/// One kernel per hop, each of which must find the number of hops before it.
void check_hops_are_ordered(const TwoStreams& streams) {
  struct Step {
    std::uint64_t* count;
    std::uint64_t expected;
  };
  constexpr int kSteps = 1'000;
  std::uint64_t count = 0;
  std::vector<Step> steps;
  for (std::uint64_t i = 0; i < kSteps; ++i) steps.push_back({&count, i});
  streams.hop(kSteps, [&](int i, const Stream& stream) {
    const Launch step(
        [](const aclsimKernelContext*, const void* args) {
          const Step& mine = argument<Step>(args);
          if (*mine.count != mine.expected) return std::int32_t{507015};
          ++*mine.count;
          return std::int32_t{0};
        },
        &steps[static_cast<std::size_t>(i)]);
    step.on(stream);
  });
  streams.synchronize();
  require(count == kSteps, "hops out of order");
}

void hops(benchmark::State& state, int other_device) {
  const TwoStreams streams(0, other_device);
  check_hops_are_ordered(streams);
  const std::uint32_t before = tasks_of(streams.first);
  const Samples took = measure(state, [&] {
    return seconds([&] {
      streams.hop(kHops);
      streams.synchronize();
    });
  });
  streams.first.make_current();
  require(tasks_of(streams.first) - before >= kHops / 2 * state.iterations(),
          "records never entered the stream");
  state.counters["us"] = took.median() * 1e6 / kHops;
}

/// A kernel holds the stream until all hops are queued; then it ends.
void hops_queued(benchmark::State& state, int other_device) {
  const TwoStreams streams(0, other_device);
  check_hops_are_ordered(streams);
  Gate gate;
  const Samples took = measure(state, [&] {
    streams.first.make_current();
    gate.close(streams.first);
    streams.hop(kHops);
    return seconds([&] {
      gate.open();
      streams.synchronize();
    });
  });
  state.counters["us"] = took.median() * 1e6 / kHops;
}

// ---- (d) one record releases many streams ----

struct FanOut {
  Stream source;
  std::vector<Stream> waiting{kFanOut};
  Event event;

  void enqueue() const {
    ACL_OK(aclrtRecordEvent(event, source));
    for (const Stream& stream : waiting) ACL_OK(aclrtStreamWaitEvent(stream, event));
  }
  void synchronize() const {
    for (const Stream& stream : waiting) stream.synchronize();
  }

  /// No op after a wait runs before the record; all of them run after it.
  void check() const {
    std::atomic<int> count{0};
    const Launch counting(
        [](const aclsimKernelContext*, const void* args) {
          ++argument<std::atomic<int>>(args);
          return std::int32_t{0};
        },
        &count);
    Gate gate;
    gate.close(source);
    enqueue();
    for (const Stream& stream : waiting) counting.on(stream);
    std::this_thread::sleep_for(kNap);
    const int early = count;
    gate.open();
    synchronize();
    require(early == 0, "a stream did not wait for the record");
    require(count == kFanOut, "not every stream was released");
  }
};

void fan_out(benchmark::State& state) {
  use_device(0);
  const FanOut streams;
  streams.check();
  const Samples took = measure(state, [&] {
    return seconds([&] {
      streams.enqueue();
      streams.synchronize();
    });
  });
  state.counters["us"] = took.median() * 1e6;
}

void fan_out_queued(benchmark::State& state) {
  use_device(0);
  const FanOut streams;
  streams.check();
  Gate gate;
  const Samples took = measure(state, [&] {
    gate.close(streams.source);
    streams.enqueue();
    return seconds([&] {
      gate.open();
      streams.synchronize();
    });
  });
  state.counters["us"] = took.median() * 1e6;
}

// ---- (g) create and destroy ----

template <class Create, class Destroy>
void create_destroy(benchmark::State& state, std::uint64_t aclsimStats::*alive, Create create,
                    Destroy destroy) {
  use_device(0);
  const auto count = [&] {
    aclsimStats stats{};
    stats.size = sizeof stats;
    ACL_OK(aclsimGetStats(&stats));
    return stats.*alive;
  };
  const std::uint64_t before = count();
  std::vector<void*> handles(kHandles);
  for (void*& handle : handles) ACL_OK(create(&handle));
  require(count() == before + kHandles, "not every handle is alive");
  for (void* handle : handles) ACL_OK(destroy(handle));
  const Samples took = measure(state, [&] {
    return seconds([&] {
      for (void*& handle : handles) ACL_OK(create(&handle));
      for (void* handle : handles) ACL_OK(destroy(handle));
    });
  });
  require(count() == before, "handles are left");
  state.counters["ms"] = took.median() * 1e3;
}

// ---- (h) the cost of idle streams; needs a process of its own ----

void idle_streams(benchmark::State& state) {
  use_device(0);
  const Stream warm_up;
  check_every_op_runs(warm_up,
                      1);  // starts the threads and uses freed memory that could hide growth
  std::this_thread::sleep_for(kUntilAsleep);
  std::vector<Stream> streams;
  streams.reserve(kHandles);
  for (auto _ : state) {
    const double before = resident_kib();
    state.SetIterationTime(seconds([&] {
      for (int i = 0; i < kHandles; ++i) streams.emplace_back();
    }));
    state.counters["growth_KiB"] = resident_kib() - before;
    state.counters["process_threads"] = thread_count();
    state.counters["idle_cpu_ms"] = idle_cpu_ms();
    std::uint64_t count = 0;
    const Launch counting(&count_one, &count);
    for (const Stream& stream : streams) {
      counting.on(stream);
      stream.synchronize();
    }
    require(count == kHandles, "a stream did not run its op");
    state.counters["used_growth_KiB"] = resident_kib() - before;
    state.counters["used_idle_cpu_ms"] = idle_cpu_ms();
  }
}

// ---- the same with 10,000 live streams on 64 devices ----

constexpr int kManyDevices = 64;
constexpr int kManyStreams = 10'000;

/// Keeps the streams alive until the process ends. Device 0 is current afterwards.
void fill_machine() {
  static const bool filled = [] {
    require(device_count() >= kManyDevices, "needs ACLSIM_DEVICES=64");
    auto* streams = new std::vector<Stream>;
    std::uint64_t count = 0;
    const Launch counting(&count_one, &count);
    for (int i = 0; i < kManyStreams; ++i) {
      if (i % (kManyStreams / kManyDevices + 1) == 0) {
        use_device(i / (kManyStreams / kManyDevices + 1));
      }
      streams->emplace_back();
      counting.on(streams->back());
      streams->back().synchronize();
    }
    require(count == kManyStreams, "a stream did not run its op");
    return true;
  }();
  require(filled, "the machine could not be filled");
  use_device(0);
}

const bool registered = [] {
  const char* devices = std::getenv("ACLSIM_DEVICES");
  if (devices && std::atoi(devices) >= kManyDevices) {
    add_case("scale/tiny_ops", [](auto& state) {
      fill_machine();
      tiny_ops(state);
    });
    add_case("scale/hops", [](auto& state) {
      fill_machine();
      hops(state, 0);
    });
    add_case("scale/hops_two_devices", [](auto& state) {
      fill_machine();
      hops(state, 63);
    });
    return true;
  }
  add_case("a/tiny_ops", tiny_ops);
  add_case("a/two_threads", tiny_ops_threads<2>);
  add_case("a/four_threads", tiny_ops_threads<4>);
  add_case("a/eight_threads", tiny_ops_threads<8>);
  add_case("a/get_device", get_device);
  add_case("a/graph_replay", graph_replay);
  add_case(
      "b/round_trip", [](auto& state) { round_trip(state, {}, kRoundTrips); }, 9);
  add_case(
      "b/round_trip_after_sleep", [](auto& state) { round_trip(state, kUntilAsleep, kRoundTrips); },
      9);
  add_case(
      "b/first_after_sleep", [](auto& state) { round_trip(state, kUntilAsleep, 1); }, 25);
  add_case("b/synchronize_idle", synchronize_idle);
  add_case("c/hops", [](auto& state) { hops(state, 0); });
  add_case("c/hops_two_devices", [](auto& state) { hops(state, 1); });
  add_case("c/hops_queued", [](auto& state) { hops_queued(state, 0); });
  add_case("c/hops_queued_two_devices", [](auto& state) { hops_queued(state, 1); });
  add_case("d/fan_out", fan_out, 101);
  add_case("d/fan_out_queued", fan_out_queued, 31);
  add_case(
      "g/streams",
      [](auto& state) {
        create_destroy(state, &aclsimStats::streams, aclrtCreateStream, aclrtDestroyStream);
      },
      21);
  add_case(
      "g/events",
      [](auto& state) {
        create_destroy(state, &aclsimStats::events, aclrtCreateEvent, aclrtDestroyEvent);
      },
      21);
  add_case("h/idle_streams", idle_streams, 1);
  return true;
}();

}  // namespace
}  // namespace bench
