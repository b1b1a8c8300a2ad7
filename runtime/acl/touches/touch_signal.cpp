// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/touches/touch_signal.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <string_view>
#include <utility>

#include "runtime/acl/core/thread_state.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

GuardedReads* guarded = nullptr;
std::function<void(const HostTouch&)> report_touch;
struct sigaction before;        // the handler that was installed when ours was
struct sigaction before_first;  // the same for the first time
void (*place_source)() = nullptr;
thread_local bool passing_on = false;

/// The last address that the thread touched and that is not in a barred page. A second touch in a
/// row is a fault.
thread_local std::uintptr_t not_barred = 0;

void* instruction_of([[maybe_unused]] const ucontext_t& at) {
#if defined(__x86_64__)
  return reinterpret_cast<void*>(at.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void*>(at.uc_mcontext.pc);
#else
  return nullptr;
#endif
}

/// False also if the processor does not report it.
bool is_write([[maybe_unused]] const ucontext_t& at) {
#if defined(__x86_64__)
  return (at.uc_mcontext.gregs[REG_ERR] & 2) != 0;
#elif defined(__aarch64__)
  constexpr std::uint64_t kWrite = 1U << 6;  // of a data abort
  const auto* record = reinterpret_cast<const _aarch64_ctx*>(at.uc_mcontext.__reserved);
  while (record->magic != 0 && record->magic != ESR_MAGIC) {
    record =
        reinterpret_cast<const _aarch64_ctx*>(reinterpret_cast<const char*>(record) + record->size);
  }
  if (record->magic == 0) return false;
  return (reinterpret_cast<const esr_context*>(record)->esr & kWrite) != 0;
#else
  return false;
#endif
}

const void* object_of(const void* code, std::string_view& name) {
  Dl_info info{};
  if (dladdr(code, &info) == 0 || !info.dli_fname) return nullptr;
  name = info.dli_fname;
  name.remove_prefix(std::min(name.size(), name.rfind('/') + 1));
  return info.dli_fbase;
}

constexpr std::string_view kSystem[] = {"libc.so", "libc-",   "libstdc++", "libm.so", "libm-",
                                        "ld-",     "libasan", "libtsan",   "libubsan"};

bool is_system(std::string_view library) {
  return std::any_of(std::begin(kSystem), std::end(kSystem),
                     [&](std::string_view one) { return library.starts_with(one); });
}

/// The place at which the program touched the page, itself or by a function of the C library; 0:
/// this library touched it.
std::uint64_t place_in_program(const ucontext_t& context) {
  std::string_view name;
  static const void* const own = object_of(reinterpret_cast<void*>(&is_system), name);
  std::array<void*, 32> frames;
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  void* const instruction = instruction_of(context);
  const auto end = frames.begin() + count;
  auto at = std::find(frames.begin(), end, instruction);
  const auto site = [&](void* code) {
    return reinterpret_cast<std::uint64_t>(code) + (code == instruction ? 1 : 0);
  };
  if (at == end) return site(instruction);
  for (; at != end; ++at) {
    const void* const object = object_of(*at, name);
    if (object == own) return 0;
    if (object && !is_system(name)) return site(*at);
  }
  return site(instruction);
}

/// The line of the program that a language binding knows, else `code`.
std::uint64_t place_of(std::uint64_t code) {
  if (!place_source) return code;
  std::uint64_t& given = thread_state().given_site;
  const std::uint64_t of_call = std::exchange(given, 0);
  place_source();
  const std::uint64_t place = std::exchange(given, of_call);
  return place != 0 ? place : code;
}

// A handler that was installed between two installations of ours has ours as its previous one.
void pass_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction& next = passing_on ? before_first : before;
  if (next.sa_flags & SA_SIGINFO) {
    passing_on = true;
    next.sa_sigaction(signal, info, context);
    passing_on = false;
  } else if (next.sa_handler == SIG_DFL || next.sa_handler == SIG_IGN) {
    ::signal(signal, SIG_DFL);  // the instruction faults again, now without us
  } else {
    next.sa_handler(signal);
  }
}

/// Opens what forbids the access. If nothing does, another thread may have opened the page
/// meanwhile: the instruction is tried again, once.
bool opens_or_retries(std::uintptr_t address, bool write) {
  const bool opened = guarded->open_for_now(address, write);
  const bool again = std::exchange(not_barred, opened ? 0 : address) == address;
  return opened || !again;
}

void on_touch(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto& registers = *static_cast<const ucontext_t*>(context);
  const PageAccess access = guarded->access_at(at);
  const bool write = is_write(registers) || access == PageAccess::reads;
  const ThreadState* const thread = thread_state_if_any();
  const bool in_kernel = thread && thread->kernel_depth != 0;
  const bool listens = watch::listener() != nullptr;  // not in a forked child
  if (listens && !in_kernel && info->si_code > 0 && access != PageAccess::all) {
    const std::uint64_t site = place_in_program(registers);
    if (site != 0) report_touch({at, write, place_of(site)});
  }
  if (!opens_or_retries(at, write)) pass_on(signal, info, context);
  errno = error;
}

bool installed() {
  struct sigaction now {};
  return sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
         now.sa_sigaction == on_touch;
}

}  // namespace

void install_touch_handler() {
  if (!guarded || installed()) return;
  struct sigaction action {};
  action.sa_sigaction = on_touch;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &before);
  static bool first = true;
  if (std::exchange(first, false)) before_first = before;
}

bool watching_touches() noexcept { return guarded != nullptr; }

bool open_for_kernel(const void* address) noexcept {
  return guarded && opens_or_retries(reinterpret_cast<std::uintptr_t>(address), true);
}

void set_place_source(void (*source)()) { place_source = source; }

void watch_touches(GuardedReads& reads, std::function<void(const HostTouch&)> report) {
  guarded = &reads;
  report_touch = std::move(report);
  void* frame = nullptr;
  backtrace(&frame, 1);  // loads the unwinder: a handler may not
}

}  // namespace acl
