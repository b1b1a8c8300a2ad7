// SPDX-License-Identifier: Apache-2.0
// Order that functions of streams, and several host threads, give.
#include <atomic>
#include <cstdlib>
#include <functional>
#include <future>
#include <thread>

#include "tests/check/cases.h"
#include "tests/support/bugs_may_run.h"
#include "tests/support/waiting.h"

using namespace world;

namespace check {
namespace {

void count(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

void call(aclrtStream stream, std::atomic<int>& served,
          aclrtCallbackBlockType block = ACL_CALLBACK_NO_BLOCK) {
  REQUIRE_ACL(aclrtLaunchCallback(count, &served, block, stream));
}

/// A thread that serves the callbacks of a stream, once `begin` lets it.
class Server {
 public:
  explicit Server(aclrtStream stream, std::function<void()> first = {})
      : thread_([this, first = std::move(first), context = this_context()] {
          // REQUIRE would race with the other thread.
          if (aclrtSetCurrentContext(context) != ACL_SUCCESS) std::abort();
          go_.get_future().wait();
          if (first) first();
          while (!ended_) aclrtProcessReport(10);
        }),
        stream_(stream),
        id_(static_cast<std::uint64_t>(thread_.native_handle())) {
    REQUIRE_ACL(aclrtSubscribeReport(id_, stream));
  }
  ~Server() {
    begin();
    ended_ = true;
    thread_.join();
    aclrtUnSubscribeReport(id_, stream_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  void begin() {
    if (!std::exchange(begun_, true)) go_.set_value();
  }

 private:
  std::promise<void> go_;
  bool begun_ = false;
  std::atomic<bool> ended_{false};
  std::thread thread_;
  aclrtStream stream_;
  std::uint64_t id_;
};

// The thread that serves the callback is ordered after the copy.
void slot_is_written_before_its_callback(bool repaired) {
  const Desk desk;
  std::atomic<int> served{0};
  REQUIRE_ACL(aclrtSubscribeReport(this_thread_id(), desk.b));
  fill(desk.b, desk.x);
  copy(desk.b, desk.y, desk.x);
  call(desk.b, served);
  if (repaired) REQUIRE_ACL(aclrtProcessReport(10'000));
  fill(desk.a, desk.x);
  if (!repaired) REQUIRE_ACL(aclrtProcessReport(10'000));
  CHECK(served == 1);
  join(desk.b);
  join(desk.a);
  REQUIRE_ACL(aclrtUnSubscribeReport(this_thread_id(), desk.b));
}

// Another thread serves it, and orders the two by means that no checker sees.
void slot_is_released_by_another_thread(bool repaired) {
  const Desk desk;
  std::atomic<int> served{0};
  Server server(desk.b);
  fill(desk.b, desk.x);
  copy(desk.b, desk.y, desk.x);
  call(desk.b, served);
  if (repaired) server.begin();
  while (repaired && served == 0) std::this_thread::yield();
  fill(desk.a, desk.x);
  server.begin();
  while (served == 0) std::this_thread::yield();
  join(desk.b);
  join(desk.a);
}

// The stream goes on behind the callback, whose thread has waited for the other stream before.
void stream_goes_on_behind_a_function(bool repaired) {
  const Desk desk;
  std::atomic<int> served{0};
  Server server(desk.b, [&] {
    if (repaired) join(desk.a);
  });
  fill(desk.a, desk.x);
  call(desk.b, served, ACL_CALLBACK_BLOCK);
  copy(desk.b, desk.y, desk.x);
  server.begin();
  join(desk.b);
  join(desk.a);
}

// As `slot_is_released_by_another_thread`, with a thread that synchronises.
void another_thread_synchronizes(bool repaired) {
  const Desk desk;
  std::promise<void> over;
  fill(desk.b, desk.x);
  std::thread waits([&, context = this_context()] {
    REQUIRE_ACL(aclrtSetCurrentContext(context));
    if (repaired) join(desk.b);
    over.set_value();
  });
  over.get_future().wait();
  fill(desk.a, desk.x);
  waits.join();
  join(desk.a);
  join(desk.b);
}

void two_threads_write(bool repaired) {
  const Desk desk;
  std::promise<void> over;
  std::thread writes([&, context = this_context()] {
    REQUIRE_ACL(aclrtSetCurrentContext(context));
    fill(desk.b, desk.x);
    if (repaired) join(desk.b);
    if (repaired) REQUIRE_ACL(aclsimCheckRelease(&over));
    over.set_value();
  });
  over.get_future().wait();
  REQUIRE_ACL(aclsimCheckAcquire(&over));
  fill(desk.a, desk.x);
  writes.join();
  join(desk.a);
  join(desk.b);
}

/// Lets its threads go on once all have come, so that they begin at the same time.
class Start {
 public:
  explicit Start(int threads) : missing_(threads) {}
  void come() {
    --missing_;
    while (missing_ > 0) std::this_thread::yield();
  }

 private:
  std::atomic<int> missing_;
};

// Each round has places of its own, so that each is tried out.
template <int kRound>
void fill_from_two_threads(const Desk& desk, bool repaired) {
  Start start(2);
  std::promise<void> over;
  const auto fills = [&, context = this_context()](bool first) {
    if (aclrtSetCurrentContext(context) != ACL_SUCCESS) std::abort();
    start.come();
    if (repaired && !first) over.get_future().wait();
    if (aclrtMemsetAsync(desk.x, kSize, kRound, kSize, desk.a) != ACL_SUCCESS) std::abort();
    if (first) over.set_value();
  };
  std::thread one(fills, true), other(fills, false);
  one.join();
  other.join();
}

void two_threads_fill_on_one_stream(bool repaired) {
  const Desk desk;
  fill_from_two_threads<1>(desk, repaired);
  fill_from_two_threads<2>(desk, repaired);
  fill_from_two_threads<3>(desk, repaired);
  fill_from_two_threads<4>(desk, repaired);
  join(desk.a);
}

struct TwoCallers {
  std::atomic<pid_t> waiting[2] = {0, 0};
  bool both = true;
  static void wait(void* callers) {
    const auto& self = *static_cast<TwoCallers*>(callers);
    support::eventually_blocked(self.waiting[0]);
    if (self.both) support::eventually_blocked(self.waiting[1]);
  }
};

// A function holds a stream until the threads are in their calls.
void two_threads_wait_for_the_device(bool repaired) {
  const Desk desk;
  TwoCallers callers;
  callers.both = !repaired;
  std::atomic<bool> first_is_back{false};
  REQUIRE_ACL(aclrtLaunchHostFunc(desk.a, TwoCallers::wait, &callers));
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i, context = this_context()] {
      if (aclrtSetCurrentContext(context) != ACL_SUCCESS) std::abort();
      if (i == 1 && repaired) support::eventually([&] { return first_is_back.load(); });
      callers.waiting[i] = support::this_thread_number();
      if (aclrtSynchronizeDevice() != ACL_SUCCESS) std::abort();
      if (i == 0) first_is_back = true;
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

const std::vector<Case>& thread_cases() {
  static const std::vector<Case> rows = [] {
    std::vector<Case> all{
        {"function a", "a slot is written before its callback has come", "ACL007",
         slot_is_written_before_its_callback},
        {"function b", "a slot is written before another thread gives it free", "ACL007",
         slot_is_released_by_another_thread},
        {"function c", "a stream goes on behind a function of a thread that has not waited",
         "ACL007", stream_goes_on_behind_a_function},
        {"threads a", "no thread waits for the stream before its buffer is written", "ACL007",
         another_thread_synchronizes},
        {"threads b", "two threads write a buffer on two streams", "ACL007", two_threads_write},
        {"threads c", "two threads fill a buffer on one stream", "ACL037",
         two_threads_fill_on_one_stream},
    };
    // Under a seed one of the threads runs the tasks, so the threads do not wait at the same time.
    if (!support::is_seeded()) {
      all.push_back({"threads d", "two threads wait for the device at the same time", "ACL038",
                     two_threads_wait_for_the_device});
    }
    return all;
  }();
  return rows;
}

}  // namespace check
