// SPDX-License-Identifier: Apache-2.0
// Which threads of the process may still make a call.
#include "runtime/acl/watch/host_threads.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "device_sim/base/own_thread.h"
#include "tests/support/catch.h"
#include "tests/support/waiting.h"

using acl::watch::host_threads_among;
using acl::watch::HostThreads;

namespace {

using Threads = std::vector<pid_t>;

/// A thread of the test, or one as the emulator starts them, for a scope.
class Runner {
 public:
  explicit Runner(bool own) {
    const auto body = [this] {
      id_ = support::this_thread_number();
      support::eventually([this] { return done_.load(); });
    };
    thread_ = own ? sim::make_own_thread(body) : std::thread(body);
    support::eventually([this] { return id_ != 0; });
  }
  ~Runner() { end(); }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  void end() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
  }
  pid_t id() const { return id_; }

 private:
  std::atomic<pid_t> id_{0};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

bool has(const Threads& threads, pid_t thread) {
  return std::binary_search(threads.begin(), threads.end(), thread);
}

}  // namespace

TEST_CASE("threads that have called count, and new ones, but not the emulator's own") {
  CHECK(host_threads_among({1, 2, 3, 4}, {2}, {1, 3}, {1}) == Threads{1, 4});
  CHECK(host_threads_among({1, 2, 3}, {2, 3}, {1}, {1, 2}) == Threads{1});
  CHECK(host_threads_among({5}, {}, {5}, {}).empty());
  CHECK(host_threads_among({5}, {}, {}, {}) == Threads{5});
}

TEST_CASE("a thread counts from its start to its end") {
  const HostThreads threads;
  Runner made_by_the_program(false);
  Runner own(true);
  const Threads live = threads.live();
  CHECK(has(live, made_by_the_program.id()));
  CHECK_FALSE(has(live, own.id()));
  made_by_the_program.end();
  own.end();
  CHECK_FALSE(has(threads.live(), made_by_the_program.id()));
  CHECK_FALSE(has(threads.live(), own.id()));
}

TEST_CASE("a thread from before counts when it has called") {
  std::atomic<bool> call{false}, called{false}, done{false};
  std::atomic<pid_t> id{0};
  std::thread thread([&] {
    id = support::this_thread_number();
    support::eventually([&] { return call.load(); });
    acl::watch::thread_has_called();
    called = true;
    support::eventually([&] { return done.load(); });
    acl::watch::calling_thread_ends();
  });
  support::eventually([&] { return id != 0; });
  const HostThreads threads;
  CHECK_FALSE(has(threads.live(), id));
  call = true;
  support::eventually([&] { return called.load(); });
  CHECK(has(threads.live(), id));
  done = true;
  thread.join();
  CHECK_FALSE(has(threads.live(), id));
}

TEST_CASE("a thread that is being started is the emulator's own at once") {
  const HostThreads threads;
  for (int i = 0; i < 50; ++i) {
    std::atomic<bool> done{false};
    std::thread own =
        sim::make_own_thread([&] { support::eventually([&] { return done.load(); }); });
    const Threads live = threads.live();
    done = true;
    CHECK(live.empty());
    own.join();
  }
}

TEST_CASE("threads that end while somebody looks at them disturb nothing") {
  const HostThreads threads;
  std::atomic<bool> done{false};
  std::thread maker([&] {
    for (int i = 0; i < 4000; ++i) std::thread([] {}).join();
    done = true;
  });
  int looks = 0;
  while (!done) {
    CHECK_NOTHROW(threads.live());
    ++looks;
  }
  maker.join();
  CHECK(looks > 0);
}
