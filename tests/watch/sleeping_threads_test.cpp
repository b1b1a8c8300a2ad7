// SPDX-License-Identifier: Apache-2.0
// Threads that sleep until another thread wakes them, from the files of the system.
#include "runtime/acl/watch/sleeping_threads.h"

#include <sys/syscall.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "tests/support/catch.h"
#include "tests/support/waiting.h"

using acl::watch::futex_sleep_in;
using acl::watch::is_private;
using acl::watch::sleeps_until_woken;

namespace {

const std::string kFutex = std::to_string(SYS_futex) + " ";
constexpr const char* kRest = " 0x0 0xffffffff 0x7ff942b64950 0x7ff94384ef16\n";

}  // namespace

// 0x80: private; 0x100: by the real-time clock; 0 and 9: waits, 1: wakes, 6: takes a lock.
TEST_CASE("a sleep on a futex without a time limit is told from all other system calls",
          "[watch]") {
  const auto sleep = futex_sleep_in(kFutex + "0x7ff93c000ba0 0x189 0x0 0x0" + kRest);
  REQUIRE(sleep);
  CHECK(sleep->word == 0x7ff93c000ba0);
  CHECK_FALSE(sleep->shared);
  const auto join = futex_sleep_in(kFutex + "0x7ff93c000910 0x109 0x5ea9 0x0" + kRest);
  REQUIRE(join);
  CHECK(join->shared);
  CHECK(futex_sleep_in(kFutex + "0x1000 0x80 0x2 0x0" + kRest));
  CHECK(futex_sleep_in(kFutex + "0x1000 0x86 0x0 0x0" + kRest));
  CHECK_FALSE(futex_sleep_in(kFutex + "0x1000 0x89 0x0 0x7ff9423639f0" + kRest));  // with a limit
  CHECK_FALSE(futex_sleep_in(kFutex + "0x1000 0x81 0x1 0x0" + kRest));
  CHECK_FALSE(futex_sleep_in("0 0x0 0x5636b2001b60 0x2000 0x0 0x0 0x0 0x7ffc 0x7ff9\n"));
  CHECK_FALSE(futex_sleep_in("running\n"));
  CHECK_FALSE(futex_sleep_in(""));
  CHECK_FALSE(futex_sleep_in(kFutex + "0x1000 0x80"));
}

TEST_CASE("memory that no other process has is told by the map of the process", "[watch]") {
  const std::string maps =
      "00001000-00003000 r-xp 00000000 08:01 12 /bin/x\n"
      "00005000-00006000 rw-p 00000000 00:00 0 \n"
      "00006000-00007000 rw-s 00000000 00:01 7 /memfd:x (deleted)\n";
  CHECK(is_private(maps, 0x1000));
  CHECK(is_private(maps, 0x5fff));
  CHECK_FALSE(is_private(maps, 0x6000));
  CHECK_FALSE(is_private(maps, 0x4000));
  CHECK_FALSE(is_private("", 0x1000));
}

TEST_CASE("a thread that waits for a condition, a lock or a thread sleeps until it is woken",
          "[watch]") {
  std::mutex mutex;
  std::condition_variable changed;
  bool go = false;
  std::atomic<pid_t> waits{0}, joins{0}, limited{0};
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    waits = support::this_thread_number();
    changed.wait(lock, [&] { return go; });
  });
  std::thread joiner([&] {
    joins = support::this_thread_number();
    waiter.join();
  });
  std::thread with_limit([&] {
    std::unique_lock lock(mutex);
    limited = support::this_thread_number();
    changed.wait_for(lock, support::kDeadline, [&] { return go; });
  });
  CHECK(support::eventually([&] { return waits != 0 && sleeps_until_woken(waits); }));
  CHECK(support::eventually([&] { return joins != 0 && sleeps_until_woken(joins); }));
  REQUIRE(support::eventually_blocked(limited));
  CHECK_FALSE(sleeps_until_woken(limited));
  CHECK_FALSE(sleeps_until_woken(support::this_thread_number()));
  {
    const std::lock_guard lock(mutex);
    go = true;
  }
  changed.notify_all();
  joiner.join();
  with_limit.join();
}
