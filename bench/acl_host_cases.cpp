// SPDX-License-Identifier: Apache-2.0
// (e) Host functions that follow an empty op.
#include <pthread.h>

#include <vector>

#include "bench/acl_world.h"

namespace bench {
namespace {

/// The times at which an op ended and the function after it began.
struct Moments {
  std::int64_t op_end = 0;
  std::atomic<std::int64_t> called{0};
};

std::int32_t stamp_op(const aclsimKernelContext*, const void* args) {
  argument<Moments>(args).op_end = now_ns();
  return 0;
}

void stamp_call(void* moments) {
  static_cast<Moments*>(moments)->called.store(now_ns(), std::memory_order_release);
}

void count_call(void* count) {
  static_cast<std::atomic<std::uint64_t>*>(count)->fetch_add(1, std::memory_order_release);
}

/// Serves one stream's callbacks while it lives.
class ReportThread {
 public:
  explicit ReportThread(const Stream& stream) : stream_(stream), thread_([this] { serve(); }) {
    spin_until([&] { return id_.load(std::memory_order_acquire) != 0; });
    ACL_OK(aclrtSubscribeReport(id_, stream_));
    subscribed_.store(true, std::memory_order_release);
  }
  ~ReportThread() {
    stop_ = true;
    thread_.join();
    if (subscribed_) aclrtUnSubscribeReport(id_, stream_);
  }
  ReportThread(const ReportThread&) = delete;
  ReportThread& operator=(const ReportThread&) = delete;

 private:
  void serve() {
    id_.store(static_cast<std::uint64_t>(pthread_self()), std::memory_order_release);
    while (!stop_ && !subscribed_) std::this_thread::yield();
    while (!stop_) aclrtProcessReport(100);
  }
  const Stream& stream_;
  std::atomic<std::uint64_t> id_{0};
  std::atomic<bool> subscribed_{false};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// A thread of the runtime runs the functions.
struct HostFunction {
  const Stream& stream;
  void enqueue(aclrtHostFunc function, void* data) const {
    ACL_OK(aclrtLaunchHostFunc(stream, function, data));
  }
};

/// A thread of the program runs the functions.
template <aclrtCallbackBlockType kType>
struct Callback {
  const Stream& stream;
  ReportThread thread{stream};
  void enqueue(aclrtCallback function, void* data) const {
    ACL_OK(aclrtLaunchCallback(function, data, kType, stream));
  }
};

/// Nanoseconds from the end of an op to the begin of the function after it.
template <class Way>
double one_call_ns(const Stream& stream, const Way& way) {
  Moments moments;
  const Launch op(&stamp_op, &moments);
  op.on(stream);
  way.enqueue(&stamp_call, &moments);
  stream.synchronize();
  yield_until([&] { return moments.called.load(std::memory_order_acquire) != 0; });
  require(moments.called >= moments.op_end, "the function ran before the op");
  return static_cast<double>(moments.called - moments.op_end);
}

template <class Way>
void latency(benchmark::State& state) {
  use_device(0);
  const Stream stream;
  const Way way{stream};
  const Samples took = measure(state, [&] {
    Samples calls;
    for (int i = 0; i < kRoundTrips; ++i) calls.add(one_call_ns(stream, way));
    return calls.median() * 1e-9;
  });
  state.counters["us"] = took.median() * 1e6;
}

/// The serving thread sleeps before each call. A bare thread sleeps too: measured alternately.
template <class Way>
void latency_asleep(benchmark::State& state) {
  use_device(0);
  const Stream stream;
  const Way way{stream};
  FutexSleeper sleeper;
  Samples bare;
  const Samples took = measure(state, [&] {
    std::this_thread::sleep_for(kUntilAsleep);
    bare.add(sleeper.wake_ns());
    std::this_thread::sleep_for(kUntilAsleep);
    return one_call_ns(stream, way) * 1e-9;
  });
  state.counters["us"] = took.median() * 1e6;
  state.counters["futex_us"] = bare.median() * 1e-3;
  state.counters["wakes"] = took.median() * 1e9 / bare.median();
}

template <class Way>
void rate(benchmark::State& state) {
  use_device(0);
  const Stream stream;
  const Way way{stream};
  const Launch tiny(&nothing);
  std::atomic<std::uint64_t> count{0};
  const Samples took = measure(state, [&] {
    count = 0;
    return seconds([&] {
      for (int i = 0; i < kCallbacks; ++i) {
        tiny.on(stream);
        way.enqueue(&count_call, &count);
      }
      stream.synchronize();
      yield_until([&] { return count.load(std::memory_order_acquire) >= kCallbacks; });
    });
  });
  require(count == kCallbacks, "a function ran twice");
  state.counters["Mps"] = kCallbacks / took.median() * 1e-6;
}

const bool registered = [] {
  using Blocking = Callback<ACL_CALLBACK_BLOCK>;
  using Passing = Callback<ACL_CALLBACK_NO_BLOCK>;
  add_case("e/host_function_latency", latency<HostFunction>);
  add_case("e/host_function_asleep", latency_asleep<HostFunction>, 51);
  add_case("e/host_function_rate", rate<HostFunction>);
  add_case("e/callback_latency", latency<Passing>);
  add_case("e/callback_asleep", latency_asleep<Passing>, 51);
  add_case("e/callback_rate", rate<Passing>);
  add_case("e/callback_blocking_rate", rate<Blocking>);
  return true;
}();

}  // namespace
}  // namespace bench
