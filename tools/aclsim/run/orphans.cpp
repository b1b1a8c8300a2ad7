// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/orphans.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace aclsim {
namespace {

constexpr int kMostScans = 1'000;  // each may orphan the children of the processes that it ended

std::vector<pid_t> children() {
  std::ifstream file(fmt::format("/proc/self/task/{}/children", ::getpid()));
  return {std::istream_iterator<pid_t>(file), std::istream_iterator<pid_t>()};
}

/// The start time of the process in the kernel's ticks; 0 if the process has ended.
std::uint64_t start_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text;
  std::getline(file, text);
  std::istringstream fields(text.substr(std::min(text.rfind(')'), text.size() - 1) + 1));
  std::string field;
  for (int n = 3; n < 22; ++n) fields >> field;  // field 2 is the name and may contain anything
  std::uint64_t start = 0;
  fields >> start;
  return start;
}

bool has(const std::vector<pid_t>& list, pid_t process) {
  return std::find(list.begin(), list.end(), process) != list.end();
}

void kill_and_reap(pid_t process) {
  ::kill(process, SIGKILL);
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

Orphans::Orphans() {
  int before = 0;
  ::prctl(PR_GET_CHILD_SUBREAPER, &before);
  if (before != 0 || !children().empty()) return;
  active_ = ::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

Orphans::~Orphans() {
  if (active_) ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

void Orphans::end(const std::vector<pid_t>& running, const std::vector<pid_t>& mine) const {
  if (!active_) return;
  bool again = true;
  for (int round = 0; again && round < kMostScans; ++round) {
    again = false;
    std::uint64_t first_start = UINT64_MAX;
    for (const pid_t child : children()) {
      if (has(running, child) || has(mine, child)) continue;
      if (first_start == UINT64_MAX) {
        for (const pid_t run : running) first_start = std::min(first_start, start_of(run));
      }
      if (start_of(child) >= first_start) continue;
      kill_and_reap(child);
      again = true;
    }
  }
}

}  // namespace aclsim
