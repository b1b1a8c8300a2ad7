// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/faults.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <utility>

#include "device_sim/base/mutex.h"
#include "runtime/ascendc/launch/block.h"
#include "runtime/ascendc/launch/division.h"
#include "runtime/ascendc/launch/settings.h"

namespace ascendc {
namespace {

constexpr std::array kFaults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<struct sigaction, kFaults.size()> before_ours;
std::array<struct sigaction, kFaults.size()> before_first;
thread_local bool asking = false;  // a handler behind ours, which may raise again
int timeout_signal() { return SIGRTMAX - 3; }

void unblock(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

/// For a handler that does not return. Handlers before ours may block more than the signal itself.
void restore_mask(const void* context) {
  pthread_sigmask(SIG_SETMASK, &static_cast<const ucontext_t*>(context)->uc_sigmask, nullptr);
}

/// The address after the interrupted instruction, like a return address. For a call to an address
/// without code: the address after that call.
const void* site_of(const void* context, bool called) {
#if defined(__x86_64__)
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  if (called) return *reinterpret_cast<const void* const*>(registers[REG_RSP]);
  return reinterpret_cast<const void*>(registers[REG_RIP] + 1);
#elif defined(__aarch64__)
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return reinterpret_cast<const void*>(called ? registers.regs[30] : registers.pc + 4);
#else
  static_cast<void>(context), static_cast<void>(called);
  return nullptr;
#endif
}

const void* instruction_of(const void* context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
  static_cast<void>(context);
  return context;
#endif
}

void ask_previous(std::size_t index, int signal, siginfo_t* info, void* context) {
  const struct sigaction handler = asking ? before_first[index] : before_ours[index];
  asking = true;
  if (handler.sa_flags & SA_SIGINFO) {
    handler.sa_sigaction(signal, info, context);
  } else if (handler.sa_handler == SIG_DFL || handler.sa_handler == SIG_IGN) {
    ::signal(signal, SIG_DFL);  // it happens again, now without us
  } else {
    handler.sa_handler(signal);
  }
  asking = false;
}

bool is_division(const siginfo_t& info) {
  return info.si_code == FPE_INTDIV || info.si_code == FPE_INTOVF;
}

End end_of(int signal, const siginfo_t& info, const void* context, const Block& block) {
  if (signal == SIGFPE) return is_division(info) ? End::division : End::floating;
  if (signal == SIGILL) return End::trap;
  if (signal == SIGABRT) return End::assertion;  // assert of the C library
  if (signal == SIGSEGV && block.overflowed(info.si_addr)) return End::overflow;
  return info.si_addr == instruction_of(context) ? End::call : End::fault;
}

void on_kernel_fault(int signal, siginfo_t* info, void* context) {
  Block* const block = Block::current();
  if (block && signal == SIGSEGV && settings().guards_pages &&
      acl_runtime()->open_for_kernel(info->si_addr)) {
    return;
  }
  if (block && signal == SIGFPE && is_division(*info) && !block->inside) {
    const void* const site = site_of(context, false);
    if (pass_division(context)) {
      if (!block->divided_at) block->divided_at = site;
      return;
    }
  }
  const bool raised = info->si_code == SI_USER || info->si_code == SI_TKILL;
  if (block && (!raised || signal == SIGABRT)) {
    restore_mask(context);
    if (block->finds_frames()) block->leave();
    const End why = end_of(signal, *info, context, *block);
    block->faulted(why, info->si_addr,
                   why == End::assertion ? nullptr : site_of(context, why == End::call));
  }
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    if (kFaults[i] == signal) ask_previous(i, signal, info, context);
  }
}

void on_timeout(int, siginfo_t*, void* context) {
  Block* const block = Block::current();
  if (!block) return;
  if (block->inside) {
    block->late = true;  // it ends when it leaves the library
    return;
  }
  restore_mask(context);
  block->faulted(End::timeout, nullptr, site_of(context, false));
}

/// A stack for handlers: the fibre's own may be full.
class SignalStack {
 public:
  SignalStack() {
    stack_t now{};
    if (sigaltstack(nullptr, &now) == 0 && (now.ss_flags & SS_DISABLE) == 0) return;
    bytes_ = std::make_unique<std::byte[]>(kBytes);
    stack_t own{};
    own.ss_sp = bytes_.get();
    own.ss_size = kBytes;
    sigaltstack(&own, nullptr);
  }
  ~SignalStack() {
    if (!bytes_) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  static constexpr std::size_t kBytes = 64 * 1024;
  std::unique_ptr<std::byte[]> bytes_;
};

}  // namespace

// Programs may install handlers later; those run after ours. If host accesses are guarded, the
// guard's handler runs first: it opens pages for kernels.
void handle_faults(bool guarded) {
  static sim::Mutex mutex;
  static bool first = true;
  const sim::LockGuard guard(mutex);
  struct sigaction action {};
  action.sa_sigaction = on_kernel_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < kFaults.size(); ++i) {
    if (guarded && !first && kFaults[i] == SIGSEGV) continue;
    struct sigaction now {};
    sigaction(kFaults[i], nullptr, &now);
    if (now.sa_sigaction == on_kernel_fault) continue;
    before_ours[i] = now;
    if (first) before_first[i] = now;
    sigaction(kFaults[i], &action, nullptr);
  }
  if (!first) return;
  first = false;
  action.sa_sigaction = on_timeout;
  sigaction(timeout_signal(), &action, nullptr);
}

void prepare_thread_for_faults() {
  thread_local bool ready = false;
  if (std::exchange(ready, true)) return;
  thread_local SignalStack stack;
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kFaults) sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

Deadline::Deadline(std::uint64_t left_ns) {
  if (left_ns == 0) return;
  unblock(timeout_signal());
  struct sigevent event {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = timeout_signal();
  event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  timer_t timer{};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return;
  timer_ = timer;
  armed_ = true;
  struct itimerspec when {};
  when.it_value.tv_sec = static_cast<time_t>(left_ns / 1000000000);
  when.it_value.tv_nsec = static_cast<long>(left_ns % 1000000000);
  when.it_interval.tv_nsec = 50'000'000;  // for the kernels that this thread runs next
  timer_settime(timer, 0, &when, nullptr);
}

Deadline::~Deadline() {
  if (armed_) timer_delete(static_cast<timer_t>(timer_));
}

}  // namespace ascendc
