// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tools/aclsim/commands.h"

namespace aclsim {
namespace {

constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

volatile sig_atomic_t child = 0;

/// A terminal sends its signals to the whole group: the program has them already.
void forward(int signal, siginfo_t* info, void*) {
  const int saved = errno;
  if (info->si_code != SI_KERNEL && child > 0) ::kill(static_cast<pid_t>(child), signal);
  errno = saved;
}

/// Holds the forwarded signals back until the child is known, then passes them on.
class Forwarding {
 public:
  Forwarding() {
    sigset_t held;
    ::sigemptyset(&held);
    for (const int signal : kForwarded) ::sigaddset(&held, signal);
    ::sigprocmask(SIG_BLOCK, &held, &old_mask_);
  }
  Forwarding(const Forwarding&) = delete;
  Forwarding& operator=(const Forwarding&) = delete;

  void to(pid_t pid) {
    child = pid;
    struct sigaction action {};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (const int signal : kForwarded) {
      struct sigaction old {};
      ::sigaction(signal, nullptr, &old);
      if (old.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);  // nohup stays nohup
    }
    restore_mask();
  }
  void restore_mask() { ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr); }

 private:
  sigset_t old_mask_;
};

[[noreturn]] void become(const std::vector<std::string>& command, int report) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  const ssize_t ignored = ::write(report, &error, sizeof error);
  (void)ignored;
  ::_exit(kCannotStart);
}

/// The error of exec, or 0. Reads until exec has closed the other end.
int exec_error(int report) {
  int error = 0;
  ssize_t size = 0;
  do {
    size = ::read(report, &error, sizeof error);
  } while (size < 0 && errno == EINTR);
  return size == static_cast<ssize_t>(sizeof error) ? error : 0;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return kFailed;
  }
  child = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int cannot_start(const std::string& program, int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  complain(fmt::format("run: cannot start {}: {}", program,
                       missing ? "no such program" : std::strerror(error)));
  return missing ? kCannotStart : kCannotExecute;
}

}  // namespace

int run_program(const std::vector<std::string>& command) {
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return cannot_start(command[0], errno);
  Forwarding forwarding;
  const pid_t pid = ::fork();
  if (pid < 0) {
    forwarding.restore_mask();
    return cannot_start(command[0], errno);
  }
  if (pid == 0) {
    forwarding.restore_mask();
    become(command, report[1]);
  }
  forwarding.to(pid);
  ::close(report[1]);
  const int error = exec_error(report[0]);
  ::close(report[0]);
  const int code = wait_for(pid);
  return error != 0 ? cannot_start(command[0], error) : code;
}

}  // namespace aclsim
