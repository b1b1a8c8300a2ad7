// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/crash_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <iterator>
#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/base/thread.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int kPatience_ms = 5'000;

// The state that a signal handler uses: it may neither allocate nor take a lock.
std::array<struct sigaction, std::size(kSignals)> before;
int to_reporter[2] = {-1, -1};
int to_handler[2] = {-1, -1};
std::atomic<bool> reported{false};
Crash crash;

std::uint64_t instruction_of(const void* context) {
  [[maybe_unused]] const auto* const at = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
  return static_cast<std::uint64_t>(at->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return at->uc_mcontext.pc;
#else
  return 0;
#endif
}

void wait_for_report() {
  const char go = 0;
  if (write(to_reporter[1], &go, 1) != 1) return;
  pollfd done{to_handler[0], POLLIN, 0};
  while (poll(&done, 1, kPatience_ms) < 0 && errno == EINTR) {
  }
}

// After a fault the instruction runs again, now without this handler. abort() raises its signal
// again.
void on_signal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    if (kSignals[i] == signal) sigaction(signal, &before[i], nullptr);
  }
  if (watch::listener() && !reported.exchange(true)) {  // not in a forked child
    crash.signal = signal;
    crash.instruction = instruction_of(context);
    crash.thread = thread_state_if_any();
    crash.checked = sim::per_thread_if_made<CheckThread>();
    wait_for_report();
  }
  errno = error;
  if (info->si_code <= 0 && signal != SIGABRT)
    raise(signal);  // a process sent the signal: raise it again
}

void report_when_asked(const std::function<void(const Crash&)>& report) {
  char go = 0;
  while (read(to_reporter[0], &go, 1) < 0 && errno == EINTR) {
  }
  report(crash);
  [[maybe_unused]] const ssize_t done = write(to_handler[1], &go, 1);
}

}  // namespace

void watch_crashes(std::function<void(const Crash&)> report) {
  if (to_reporter[0] >= 0 || pipe2(to_reporter, O_CLOEXEC) != 0 ||
      pipe2(to_handler, O_CLOEXEC) != 0)
    return;
  try {
    sim::start_thread(sim::Signals::blocked, [report = std::move(report)] {
      report_when_asked(report);
    }).detach();
  } catch (const sim::MachineError&) {
    return;  // the system refuses a thread: such a signal is not reported
  }
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    if (before[i].sa_handler == SIG_DFL) sigaction(kSignals[i], &action, &before[i]);
  }
}

}  // namespace acl
