// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/load_aware_deadline.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "device_sim/base/owned_fd.h"
#include "device_sim/base/uncancelled.h"

namespace sim {
namespace {

std::chrono::nanoseconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// Reads the state letter, which follows the name of the thread. The name is in parentheses and may
// contain any character.
bool could_run(int tasks, const char* thread) {
  char path[272];
  std::snprintf(path, sizeof path, "%s/stat", thread);
  const OwnedFd file(openat(tasks, path, O_RDONLY | O_CLOEXEC));
  char text[256];
  const ssize_t size = file ? ::read(file.get(), text, sizeof text) : 0;
  if (size <= 0) return false;  // it has ended
  const std::string_view line(text, static_cast<std::size_t>(size));
  const std::size_t name_end = line.rfind(')');
  if (name_end == line.npos || name_end + 2 >= line.size()) return false;
  const char state = line[name_end + 2];
  return state == 'R' || state == 'D';
}

bool another_could_run() {
  struct Close {
    void operator()(DIR* folder) const { closedir(folder); }
  };
  const std::unique_ptr<DIR, Close> tasks(opendir("/proc/self/task"));
  if (!tasks) return false;
  const long self = syscall(SYS_gettid);
  while (const dirent* entry = readdir(tasks.get())) {
    const long thread = std::strtol(entry->d_name, nullptr, 10);
    if (thread != 0 && thread != self && could_run(dirfd(tasks.get()), entry->d_name)) return true;
  }
  return false;
}

}  // namespace

bool LoadAwareDeadline::more() {
  const Uncancelled whole;
  const std::chrono::nanoseconds now = processor_time();
  if (end_.count() == 0) {
    end_ = now + most_;
    latest_ = Deadline::in(10 * most_);
  }
  return now < end_ && !latest_.passed() && another_could_run();
}

}  // namespace sim
