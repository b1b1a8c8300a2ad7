// SPDX-License-Identifier: Apache-2.0
// The same cases through OpenCL. A tiny op is a native kernel (a host function, as in the
// emulator); a hop is a marker that waits for the marker of the other queue.
#include <CL/cl.h>

#include <vector>

#include "bench/support.h"

namespace bench {
namespace {

void ok(cl_int code, const char* call) {
  if (code == CL_SUCCESS) [[likely]]
    return;
  throw std::runtime_error(std::string(call) + " returned " + std::to_string(code));
}
#define CL_OK(call) ok((call), #call)

struct Machine {
  std::vector<cl_device_id> devices;
  cl_context context = nullptr;

  static const Machine& get() {
    static const Machine machine;
    return machine;
  }

 private:
  Machine() {
    cl_platform_id platform = nullptr;
    cl_uint count = 0;
    CL_OK(clGetPlatformIDs(1, &platform, nullptr));
    CL_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 0, nullptr, &count));
    devices.resize(count);
    CL_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, count, devices.data(), nullptr));
    cl_int code = CL_SUCCESS;
    context = clCreateContext(nullptr, count, devices.data(), nullptr, nullptr, &code);
    ok(code, "clCreateContext");
  }
};

class Queue {
 public:
  explicit Queue(std::size_t device = 0) {
    const Machine& machine = Machine::get();
    cl_int code = CL_SUCCESS;
    handle_ = clCreateCommandQueue(machine.context, machine.devices.at(device), 0, &code);
    ok(code, "clCreateCommandQueue");
  }
  ~Queue() {
    if (handle_) clReleaseCommandQueue(handle_);
  }
  Queue(Queue&& other) noexcept : handle_(other.handle_) { other.handle_ = nullptr; }
  Queue& operator=(Queue&&) = delete;
  operator cl_command_queue() const { return handle_; }
  void finish() const { CL_OK(clFinish(handle_)); }
  void flush() const { CL_OK(clFlush(handle_)); }

  /// Enqueues a host function with one pointer as its argument.
  void native(void (*function)(void*), void* argument = nullptr, cl_event* event = nullptr) const {
    CL_OK(clEnqueueNativeKernel(handle_, function, argument ? &argument : nullptr,
                                argument ? sizeof argument : 0, 0, nullptr, nullptr, 0, nullptr,
                                event));
  }

  /// Enqueues a marker that waits for `wait`, and releases `wait`.
  cl_event marker(cl_event wait = nullptr) const {
    cl_event event = nullptr;
    CL_OK(clEnqueueMarkerWithWaitList(handle_, wait ? 1 : 0, wait ? &wait : nullptr, &event));
    if (wait) CL_OK(clReleaseEvent(wait));
    return event;
  }

 private:
  cl_command_queue handle_ = nullptr;
};

class UserEvent {
 public:
  UserEvent() {
    cl_int code = CL_SUCCESS;
    handle_ = clCreateUserEvent(Machine::get().context, &code);
    ok(code, "clCreateUserEvent");
  }
  ~UserEvent() { clReleaseEvent(handle_); }
  UserEvent(const UserEvent&) = delete;
  UserEvent& operator=(const UserEvent&) = delete;
  operator cl_event() const { return handle_; }
  /// Adds a reference, which Queue::marker releases.
  cl_event retained() const {
    CL_OK(clRetainEvent(handle_));
    return handle_;
  }
  void complete() { CL_OK(clSetUserEventStatus(handle_, CL_COMPLETE)); }

 private:
  cl_event handle_ = nullptr;
};

void nothing(void*) {}

template <class T>
T& argument(void* args) {
  return **static_cast<T**>(args);
}

void count_one(void* args) { ++argument<std::uint64_t>(args); }

// ---- (a), (b) ----

void tiny_ops(benchmark::State& state) {
  const Queue queue;
  std::uint64_t count = 0;
  for (int i = 0; i < kTinyOps / 10; ++i) queue.native(&count_one, &count);
  queue.finish();
  require(count == kTinyOps / 10, "not every op ran");
  Samples enqueue;
  const Samples total = measure(state, [&] {
    const std::int64_t begin = now_ns();
    for (int i = 0; i < kTinyOps; ++i) queue.native(&nothing);
    enqueue.add(static_cast<double>(now_ns() - begin));
    queue.finish();
    return static_cast<double>(now_ns() - begin) * 1e-9;
  });
  state.counters["Mops"] = kTinyOps / total.median() * 1e-6;
  state.counters["enqueue_ns"] = enqueue.median() / kTinyOps;
}

void round_trip(benchmark::State& state, std::chrono::milliseconds idle, int count) {
  const Queue queue;
  const Samples took = measure(state, [&] {
    if (idle.count() != 0) std::this_thread::sleep_for(idle);
    return seconds([&] {
      for (int i = 0; i < count; ++i) {
        queue.native(&nothing);
        queue.finish();
      }
    });
  });
  std::uint64_t ran = 0;
  queue.native(&count_one, &ran);
  queue.finish();
  require(ran == 1, "finished before the op had run");
  state.counters["us"] = took.median() * 1e6 / count;
}

void synchronize_idle(benchmark::State& state) {
  const Queue queue;
  constexpr int kCalls = 100'000;
  const Samples took = measure(state, [&] {
    return seconds([&] {
      for (int i = 0; i < kCalls; ++i) queue.finish();
    });
  });
  state.counters["ns"] = took.median() * 1e9 / kCalls;
}

// ---- (c) ----

/// Returns the event of the last hop.
cl_event hop(const Queue& first, const Queue& second, int count, cl_event start = nullptr) {
  cl_event event = first.marker(start);
  for (int i = 0; i < count; ++i) event = (i % 2 == 0 ? second : first).marker(event);
  return event;
}

void expect_complete(cl_event event) {
  cl_int status = -1;
  CL_OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr));
  require(status == CL_COMPLETE, "the last hop did not run");
  CL_OK(clReleaseEvent(event));
}

void hops(benchmark::State& state, std::size_t other_device) {
  require(other_device < Machine::get().devices.size(), "needs two devices in POCL_DEVICES");
  const Queue first;
  const Queue second(other_device);
  const Samples took = measure(state, [&] {
    cl_event last = nullptr;
    const double spent = seconds([&] {
      last = hop(first, second, kHops);
      first.flush();
      second.flush();
      first.finish();
      second.finish();
    });
    expect_complete(last);
    return spent;
  });
  state.counters["us"] = took.median() * 1e6 / kHops;
}

void hops_queued(benchmark::State& state, std::size_t other_device) {
  require(other_device < Machine::get().devices.size(), "needs two devices in POCL_DEVICES");
  const Queue first;
  const Queue second(other_device);
  const Samples took = measure(state, [&] {
    UserEvent gate;
    cl_event last = hop(first, second, kHops, gate.retained());
    first.flush();
    second.flush();
    const double spent = seconds([&] {
      gate.complete();
      first.finish();
      second.finish();
    });
    expect_complete(last);
    return spent;
  });
  state.counters["us"] = took.median() * 1e6 / kHops;
}

// ---- (d) ----

/// Enqueues one marker that waits for `event` on each waiting queue.
void wait_on_all(const std::vector<Queue>& waiting, cl_event event, std::vector<cl_event>& ends) {
  ends.clear();
  for (const Queue& queue : waiting) {
    CL_OK(clRetainEvent(event));
    ends.push_back(queue.marker(event));
  }
}

void finish_all(const std::vector<Queue>& waiting) {
  for (const Queue& queue : waiting) queue.finish();
}

std::vector<Queue> many_queues(int count) {
  std::vector<Queue> queues;
  queues.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) queues.emplace_back();
  return queues;
}

void fan_out(benchmark::State& state) {
  const Queue source;
  const std::vector<Queue> waiting = many_queues(kFanOut);
  std::vector<cl_event> ends;
  ends.reserve(kFanOut);
  const Samples took = measure(state, [&] {
    cl_event record = nullptr;
    const double spent = seconds([&] {
      record = source.marker();
      source.flush();
      wait_on_all(waiting, record, ends);
      finish_all(waiting);
    });
    for (cl_event event : ends) expect_complete(event);
    CL_OK(clReleaseEvent(record));
    return spent;
  });
  state.counters["us"] = took.median() * 1e6;
}

void fan_out_queued(benchmark::State& state) {
  const std::vector<Queue> waiting = many_queues(kFanOut);
  std::vector<cl_event> ends;
  ends.reserve(kFanOut);
  const Samples took = measure(state, [&] {
    UserEvent gate;
    wait_on_all(waiting, gate, ends);
    for (const Queue& queue : waiting) queue.flush();
    const double spent = seconds([&] {
      gate.complete();
      finish_all(waiting);
    });
    for (cl_event event : ends) expect_complete(event);
    return spent;
  });
  state.counters["us"] = took.median() * 1e6;
}

// ---- (e) a callback at the completion of a native kernel ----

struct Moments {
  std::int64_t op_end = 0;
  std::atomic<std::int64_t> called{0};
};

void stamp_op(void* args) { argument<Moments>(args).op_end = now_ns(); }

void CL_CALLBACK stamp_call(cl_event, cl_int, void* moments) {
  static_cast<Moments*>(moments)->called.store(now_ns(), std::memory_order_release);
}

void CL_CALLBACK count_call(cl_event, cl_int, void* count) {
  static_cast<std::atomic<std::uint64_t>*>(count)->fetch_add(1, std::memory_order_release);
}

template <class Callback>
void op_with_callback(const Queue& queue, void (*op)(void*), void* op_argument, Callback callback,
                      void* data) {
  cl_event event = nullptr;
  queue.native(op, op_argument, &event);
  CL_OK(clSetEventCallback(event, CL_COMPLETE, callback, data));
  CL_OK(clReleaseEvent(event));
}

double one_call_ns(const Queue& queue) {
  Moments moments;
  op_with_callback(queue, &stamp_op, &moments, &stamp_call, &moments);
  queue.finish();
  yield_until([&] { return moments.called.load(std::memory_order_acquire) != 0; });
  return static_cast<double>(moments.called - moments.op_end);
}

void callback_latency(benchmark::State& state) {
  const Queue queue;
  const Samples took = measure(state, [&] {
    Samples calls;
    for (int i = 0; i < kRoundTrips; ++i) calls.add(one_call_ns(queue));
    return calls.median() * 1e-9;
  });
  state.counters["us"] = took.median() * 1e6;
}

void callback_rate(benchmark::State& state) {
  const Queue queue;
  std::atomic<std::uint64_t> count{0};
  const Samples took = measure(state, [&] {
    count = 0;
    return seconds([&] {
      for (int i = 0; i < kCallbacks; ++i) {
        op_with_callback(queue, &nothing, nullptr, &count_call, &count);
      }
      queue.finish();
      yield_until([&] { return count.load(std::memory_order_acquire) >= kCallbacks; });
    });
  });
  state.counters["Mps"] = kCallbacks / took.median() * 1e-6;
}

// ---- (f) ----

class Buffer {
 public:
  explicit Buffer(std::size_t size) {
    cl_int code = CL_SUCCESS;
    handle_ = clCreateBuffer(Machine::get().context, CL_MEM_READ_WRITE, size, nullptr, &code);
    ok(code, "clCreateBuffer");
  }
  ~Buffer() { clReleaseMemObject(handle_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  operator cl_mem() const { return handle_; }
  void write(const Queue& queue, const void* src, std::size_t size) const {
    CL_OK(clEnqueueWriteBuffer(queue, handle_, CL_FALSE, 0, size, src, 0, nullptr, nullptr));
  }
  void check_pattern(const Queue& queue, std::size_t size) const {
    std::vector<unsigned char> bytes(size);
    CL_OK(clEnqueueReadBuffer(queue, handle_, CL_TRUE, 0, size, bytes.data(), 0, nullptr, nullptr));
    require(has_pattern(bytes.data(), size), "the copy left other bytes");
  }

 private:
  cl_mem handle_ = nullptr;
};

void device_to_device(benchmark::State& state, std::size_t size, int count) {
  const Queue queue;
  const HostMemory pattern = host_memory(size);
  const Buffer src(size);
  const Buffer dst(size);
  src.write(queue, pattern.get(), size);
  queue.finish();
  compare_copies(state, size, count, [&] {
    for (int i = 0; i < count; ++i) {
      CL_OK(clEnqueueCopyBuffer(queue, src, dst, 0, 0, size, 0, nullptr, nullptr));
    }
    queue.finish();
  });
  dst.check_pattern(queue, size);
}

void host_to_device(benchmark::State& state, std::size_t size, int count) {
  const Queue queue;
  const HostMemory src = host_memory(size);
  const Buffer dst(size);
  compare_copies(state, size, count, [&] {
    for (int i = 0; i < count; ++i) dst.write(queue, src.get(), size);
    queue.finish();
  });
  dst.check_pattern(queue, size);
}

// ---- (g), (h) ----

void create_queues(benchmark::State& state) {
  const Samples took = measure(state, [] { return seconds([] { many_queues(kHandles); }); });
  state.counters["ms"] = took.median() * 1e3;
}

void create_events(benchmark::State& state) {
  const Samples took =
      measure(state, [] { return seconds([] { const std::vector<UserEvent> events(kHandles); }); });
  state.counters["ms"] = took.median() * 1e3;
}

void idle_queues(benchmark::State& state) {
  const Queue warm_up;
  warm_up.native(&nothing);
  warm_up.finish();
  std::this_thread::sleep_for(kUntilAsleep);
  for (auto _ : state) {
    const double before = resident_kib();
    std::vector<Queue> queues;
    state.SetIterationTime(seconds([&] { queues = many_queues(kHandles); }));
    state.counters["growth_KiB"] = resident_kib() - before;
    state.counters["process_threads"] = thread_count();
    state.counters["idle_cpu_ms"] = idle_cpu_ms();
    std::uint64_t count = 0;
    for (const Queue& queue : queues) {
      queue.native(&count_one, &count);
      queue.finish();
    }
    require(count == kHandles, "a queue did not run its op");
    state.counters["used_growth_KiB"] = resident_kib() - before;
    state.counters["used_idle_cpu_ms"] = idle_cpu_ms();
  }
}

const bool registered = [] {
  add_case("a/tiny_ops", tiny_ops, 3);
  add_case(
      "b/round_trip", [](auto& state) { round_trip(state, {}, kRoundTrips); }, 5);
  add_case(
      "b/round_trip_after_sleep", [](auto& state) { round_trip(state, kUntilAsleep, kRoundTrips); },
      5);
  add_case(
      "b/first_after_sleep", [](auto& state) { round_trip(state, kUntilAsleep, 1); }, 25);
  add_case("b/synchronize_idle", synchronize_idle);
  add_case("c/hops", [](auto& state) { hops(state, 0); });
  add_case("c/hops_two_devices", [](auto& state) { hops(state, 1); });
  add_case("c/hops_queued", [](auto& state) { hops_queued(state, 0); });
  add_case("c/hops_queued_two_devices", [](auto& state) { hops_queued(state, 1); });
  add_case("d/fan_out", fan_out, 101);
  add_case("d/fan_out_queued", fan_out_queued, 31);
  add_case("e/callback_latency", callback_latency);
  add_case("e/callback_rate", callback_rate, 3);
  add_case(
      "f/device_4KiB", [](auto& s) { device_to_device(s, 4 * kKiB, kSmallBatch); }, 51);
  add_case(
      "f/device_1MiB", [](auto& s) { device_to_device(s, kMiB, 1); }, 201);
  add_case(
      "f/device_256MiB", [](auto& s) { device_to_device(s, 256 * kMiB, 1); }, 5);
  add_case(
      "f/pinned_4KiB", [](auto& s) { host_to_device(s, 4 * kKiB, kSmallBatch); }, 51);
  add_case(
      "f/pinned_1MiB", [](auto& s) { host_to_device(s, kMiB, 1); }, 201);
  add_case(
      "f/pinned_256MiB", [](auto& s) { host_to_device(s, 256 * kMiB, 1); }, 5);
  add_case("g/streams", create_queues, 21);
  add_case("g/events", create_events, 21);
  add_case("h/idle_streams", idle_queues, 1);
  return true;
}();

}  // namespace
}  // namespace bench
