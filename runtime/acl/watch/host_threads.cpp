// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/host_threads.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>

#include "device_sim/base/mutex.h"
#include "device_sim/base/own_thread.h"
#include "device_sim/base/sanitizer.h"

namespace acl::watch {
namespace {

std::atomic<std::uint64_t> caller_count{0};

struct Callers {
  sim::Mutex mutex;
  std::vector<pid_t> ids GUARDED_BY(mutex);
};

// Threads may end after static destructors have run.
Callers& callers() {
  static auto* const all = new Callers;
  return *all;
}

pid_t this_thread() { return static_cast<pid_t>(syscall(SYS_gettid)); }

std::vector<pid_t> in_order(std::vector<pid_t> ids) {
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<pid_t> calling_threads() {
  const sim::LockGuard guard(callers().mutex);
  return in_order(callers().ids);
}

/// A thread that was joined may be listed for a moment longer.
bool is_about_to_end(pid_t thread) {
  constexpr unsigned long kExiting = 4;  // PF_EXITING
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string line;
  std::getline(file, line,
               '\0');  // the name may hold anything; a read fails where the thread ends meanwhile
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return true;  // the thread has ended
  std::istringstream words(line.substr(name_end + 1));
  char state = 0;
  long parent = 0, group = 0, session = 0, terminal = 0, foreground = 0;
  unsigned long flags = 0;
  words >> state >> parent >> group >> session >> terminal >> foreground >> flags;
  return state == 'X' || state == 'Z' || (flags & kExiting) != 0;
}

/// Empty if the system does not report the threads.
std::vector<pid_t> threads_of_the_process() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/task"), closedir);
  std::vector<pid_t> ids;
  while (const dirent* const entry = folder ? readdir(folder.get()) : nullptr) {
    const auto id = static_cast<pid_t>(std::atoi(entry->d_name));
    if (id != 0) ids.push_back(id);
  }
  return in_order(std::move(ids));
}

/// ThreadSanitizer starts a thread of its own together with the first one, and does not list it.
std::vector<pid_t> threads_before_the_program() {
#if defined(SIM_THREAD_SANITIZER)
  try {
    std::thread([] {}).join();
  } catch (
      const std::system_error&) {  // the system refuses a thread, so that one will not start either
  }
#endif
  return threads_of_the_process();
}

}  // namespace

std::uint64_t threads_that_called() noexcept {
  return caller_count.load(std::memory_order_relaxed);
}

void thread_has_called() {
  caller_count.fetch_add(1, std::memory_order_relaxed);
  const sim::LockGuard guard(callers().mutex);
  callers().ids.push_back(this_thread());
}

void calling_thread_ends() {
  const sim::LockGuard guard(callers().mutex);
  std::erase(callers().ids, this_thread());
}

HostThreads::HostThreads() : before_(threads_before_the_program()) {}

std::vector<pid_t> HostThreads::live() const {
  const std::vector<pid_t> called = calling_threads();
  const std::vector<pid_t> all = threads_of_the_process();
  if (all.empty()) return called;
  std::vector<pid_t> threads =
      host_threads_among(all, in_order(sim::own_threads()), before_, called);
  std::erase_if(threads, [&](pid_t thread) {
    return !std::binary_search(called.begin(), called.end(), thread) && is_about_to_end(thread);
  });
  return threads;
}

std::vector<pid_t> program_threads() {
  const std::vector<pid_t> own = in_order(sim::own_threads());
  std::vector<pid_t> threads = threads_of_the_process();
  std::erase_if(threads, [&](pid_t thread) {
    return std::binary_search(own.begin(), own.end(), thread) || is_about_to_end(thread);
  });
  return threads;
}

std::vector<pid_t> HostThreads::earlier() const {
  const std::vector<pid_t> called = calling_threads();
  std::vector<pid_t> threads = program_threads();
  std::erase_if(threads, [&](pid_t thread) {
    return !std::binary_search(before_.begin(), before_.end(), thread) ||
           std::binary_search(called.begin(), called.end(), thread);
  });
  return threads;
}

std::vector<pid_t> host_threads_among(const std::vector<pid_t>& all, const std::vector<pid_t>& own,
                                      const std::vector<pid_t>& before,
                                      const std::vector<pid_t>& callers) {
  std::vector<pid_t> threads;
  for (const pid_t thread : all) {
    const auto is_in = [thread](const std::vector<pid_t>& list) {
      return std::binary_search(list.begin(), list.end(), thread);
    };
    if (!is_in(own) && (is_in(callers) || !is_in(before))) threads.push_back(thread);
  }
  return threads;
}

}  // namespace acl::watch
