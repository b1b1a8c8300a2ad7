// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tools/aclsim/run/end_guard.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// While it exists, the forwarded signals and SIGCHLD are blocked. They are fetched one by one, so
/// that no handler runs.
class HeldSignals {
 public:
  HeldSignals() {
    ::sigemptyset(&set_);
    ::sigaddset(&set_, SIGCHLD);
    for (const int signal : kForwarded) {
      struct sigaction action {};
      ::sigaction(signal, nullptr, &action);
      if (action.sa_handler != SIG_IGN) ::sigaddset(&set_, signal);  // nohup stays nohup
    }
    struct sigaction by_default {};
    by_default.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &by_default, &old_child_);  // exit codes are lost if SIGCHLD is ignored
    ::sigprocmask(SIG_BLOCK, &set_, &old_mask_);
  }
  ~HeldSignals() { restore(); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// From now on, only SIGKILL ends this process; pending signals have no effect either.
  void ignore_endings() const {
    for (const int signal : kForwarded) {
      if (::sigismember(&set_, signal) == 1) ::signal(signal, SIG_IGN);
    }
  }
  /// Waits for the next signal. Returns false if the wait failed.
  bool next(siginfo_t& info) const { return ::sigwaitinfo(&set_, &info) > 0; }
  void restore() const {
    ::sigaction(SIGCHLD, &old_child_, nullptr);
    ::sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
  }

 private:
  sigset_t set_;
  sigset_t old_mask_;
  struct sigaction old_child_ {};
};

/// Makes the program end with this tool, even if the tool is killed.
void end_with(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kFailed);  // it has been killed already
}

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

/// Returns the error of exec, or 0. Reads until exec has closed the other end.
int exec_error(int report) {
  int error = 0;
  ssize_t size = 0;
  do {
    size = ::read(report, &error, sizeof error);
  } while (size < 0 && errno == EINTR);
  return size == static_cast<ssize_t>(sizeof error) ? error : 0;
}

/// Waits for the child's end; passes on signals that arrive before it.
int wait_for(pid_t pid, const HeldSignals& signals) {
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (ended < 0 && errno != EINTR) return kFailed;
    siginfo_t info{};
    if (!signals.next(info)) continue;
    if (info.si_signo == SIGCHLD) {
      EndGuard::child_changed();
      continue;
    }
    // A terminal sends its signals to the whole group: the program has them already.
    if (info.si_code != SI_KERNEL) ::kill(pid, info.si_signo);
  }
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
  const HeldSignals signals;
  const pid_t self = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return cannot_start(command[0], errno);
  if (pid == 0) {
    end_with(self);
    signals.restore();
    become(command, report[1]);
  }
  ::close(report[1]);
  const int error = exec_error(report[0]);
  ::close(report[0]);
  const int code = wait_for(pid, signals);
  signals.ignore_endings();  // the program's files still have to be completed
  return error != 0 ? cannot_start(command[0], error) : code;
}

}  // namespace aclsim
