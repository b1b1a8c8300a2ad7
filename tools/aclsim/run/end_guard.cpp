// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/end_guard.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

constexpr int kMostRounds = 1'000;  // each finds processes that started during the previous round
constexpr std::chrono::milliseconds kPause{5};
constexpr int kPatience = 400;  // looks, with a pause between them, at a guard that is to end

/// The content of a file of /proc, whose size is not known in advance.
std::string content(const std::string& path) {
  std::string bytes;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return bytes;
  char piece[4096];
  for (ssize_t got; (got = ::read(fd, piece, sizeof piece)) > 0;) {
    bytes.append(piece, static_cast<std::size_t>(got));
  }
  ::close(fd);
  return bytes;
}

/// The environment of a process; nullopt while the process is in exec, when it has a program but no
/// arguments and no environment yet. (Kernel threads and ended processes have no program.)
std::optional<std::string> environment_of(pid_t process) {
  const std::string folder = fmt::format("/proc/{}", process);
  std::string environment = content(folder + "/environ");
  char program = 0;
  if (!environment.empty() || ::readlink((folder + "/exe").c_str(), &program, 1) <= 0)
    return environment;
  if (content(folder + "/cmdline").empty()) return std::nullopt;
  return content(folder + "/environ");  // the exec may have ended in between
}

/// Kills all processes whose environment contains `entry`. Returns false if there was no such
/// process and no process whose environment is not known yet.
bool kill_marked(const std::string& entry) {
  DIR* const processes = ::opendir("/proc");
  if (!processes) return false;
  bool found = false;
  while (const dirent* const one = ::readdir(processes)) {
    const pid_t process = std::atoi(one->d_name);
    if (process <= 0 || process == ::getpid()) continue;
    const std::optional<std::string> environment = environment_of(process);
    if (!environment) {
      found = true;
    } else if (('\0' + *environment).find(entry) != std::string::npos) {
      found |= ::kill(process, SIGKILL) == 0;
    }
  }
  ::closedir(processes);
  return found;
}

/// Closes all files but `fd`: other processes may wait for the end of pipes that this process has
/// inherited.
void keep_only(int fd) {
  ::dup2(fd, 0);
  const int from = 1;
#ifdef SYS_close_range
  if (::syscall(SYS_close_range, from, ~0U, 0) == 0) return;
#endif
  for (int other = from; other < static_cast<int>(::sysconf(_SC_OPEN_MAX)); ++other) ::close(other);
}

[[noreturn]] void stand_by(int alive, const char* variable, const std::string& mark) {
  sigset_t all;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);  // a terminal sends its signals to this one too
  keep_only(alive);
  if (::chdir("/") != 0) ::_exit(1);
  char word = 0;
  ssize_t got = 0;
  do {
    got = ::read(0, &word, 1);
  } while (got < 0 && errno == EINTR);
  if (got != 0) ::_exit(0);
  const std::string entry = '\0' + (std::string(variable) + "=" + mark) + '\0';
  for (int round = 0; round < kMostRounds && kill_marked(entry); ++round) {
    std::this_thread::sleep_for(kPause);
  }
  ::_exit(0);
}

}  // namespace

std::string EndGuard::any_mark() {
  std::uint64_t random = 0;
  [[maybe_unused]] const ssize_t size = ::getrandom(&random, sizeof random, 0);
  return fmt::format("{}-{:016x}", ::getpid(), random);
}

EndGuard::EndGuard(const char* variable, const std::string& mark) {
  int ends[2];
  ::setenv(variable, mark.c_str(), 1);
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  process_ = ::fork();
  if (process_ == 0) {
    ::close(ends[1]);
    stand_by(ends[0], variable, mark);
  }
  ::close(ends[0]);
  alive_ = ends[1];
  of_run_ = this;
}

EndGuard* EndGuard::of_run_ = nullptr;

void EndGuard::child_changed() {
  if (of_run_) of_run_->look();
}

bool EndGuard::look() {
  if (process_ <= 0) return false;
  int status = 0;
  pid_t changed = 0;
  while ((changed = ::waitpid(process_, &status, WNOHANG | WUNTRACED)) < 0 && errno == EINTR) {
  }
  if (changed == 0) return true;
  if (changed > 0 && WIFSTOPPED(status)) {
    complain(fmt::format("run: the guard process {} was stopped by signal {}; it is continued",
                         process_, WSTOPSIG(status)));
    ::kill(process_, SIGCONT);
    return true;
  }
  if (changed > 0 && WIFSIGNALED(status)) {
    complain(
        fmt::format("run: signal {} has ended the guard process {}: if aclsim is killed, the "
                    "program goes on",
                    WTERMSIG(status), process_));
  }
  process_ = -1;
  return false;
}

EndGuard::~EndGuard() {
  of_run_ = before_;
  const pid_t process = process_;
  if (process > 0) {
    const char word = 'e';
    [[maybe_unused]] const ssize_t written = ::write(alive_, &word, 1);
    for (int round = 0; look(); ++round) {
      if (round == kPatience) {
        complain(fmt::format("run: the guard process {} does not end; it is killed", process));
        ::kill(process, SIGKILL);
      }
      if (round > 2 * kPatience) break;  // the system does not end it: it is left alone
      std::this_thread::sleep_for(kPause);
    }
  }
  if (alive_ >= 0) ::close(alive_);
}

}  // namespace aclsim
