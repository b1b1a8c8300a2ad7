// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/host_access.h"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>

#include "device_sim/base/mutex.h"
#include "device_sim/base/spin_lock.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/thread_state.h"

namespace acl {
namespace {

struct sigaction first_handler;      // from before our handler
struct sigaction second_handler;     // set later by the program; ours was then installed again
std::atomic<bool> overtaken{false};  // there is a second one
Runtime* guarded_runtime = nullptr;

sim::SpinLock opened_lock;
std::size_t running_kernels GUARDED_BY(opened_lock) = 0;
// The allocations that kernels have opened. A fault handler may not allocate memory: if the table
// is full, `opened_more` means "all".
std::array<sim::Allocation, 256> opened GUARDED_BY(opened_lock);
std::size_t opened_count GUARDED_BY(opened_lock) = 0;
bool opened_more GUARDED_BY(opened_lock) = false;

void write_text(const char* text, int length) {
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, text, static_cast<std::size_t>(length));
}

const char* object_name(const void* address, std::uintptr_t& offset) {
  Dl_info info{};
  if (!address || dladdr(address, &info) == 0 || !info.dli_fname) return "an unknown place";
  offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  return info.dli_fname;
}

std::optional<sim::Allocation> try_find(const void* address, const sim::AddressSpace* space) {
  return space ? space->try_find(address) : guarded_runtime->memory().mappings().try_find(address);
}

// `space` is null for mapped memory.
void diagnose(const void* address, const sim::AddressSpace* space) {
  char text[1024];
  int length = 0;
  const bool in_kernel = thread_state().kernel_depth != 0;
  if (const auto allocation = try_find(address, space)) {
    std::uintptr_t offset = 0;
    const char* const object = object_name(allocation->caller, offset);
    length = std::snprintf(
        text, sizeof text,
        "aclsim: %s touched device memory at %p: byte %zu of %s of %zu bytes on "
        "device %d (allocation %llu, made from %s+0x%zx). %s\n",
        in_kernel ? "a kernel" : "the host", address,
        static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address) - allocation->begin),
        space ? "an allocation" : "a mapping", allocation->size,
        guarded_runtime->logical(allocation->device),
        static_cast<unsigned long long>(allocation->serial), object,
        static_cast<std::size_t>(offset),
        in_kernel ? "Give a device access with aclrtMemSetAccess first."
                  : "Copy it with aclrtMemcpy first.");
  } else if (space) {
    length = std::snprintf(text, sizeof text,
                           "aclsim: the host touched device memory at %p on device %d, where no "
                           "allocation is live.\n",
                           address, guarded_runtime->logical(space->device()));
  } else {
    length = std::snprintf(text, sizeof text,
                           "aclsim: %p was touched, among the addresses for virtual memory, where "
                           "nothing is mapped.\n",
                           address);
  }
  write_text(text, std::min<int>(length, sizeof text - 1));
}

/// True when the fault was a kernel's and its pages are open now.
bool open_for_kernel(const void* address, const sim::AddressSpace* space) {
  if (thread_state().kernel_depth == 0) return false;
  const sim::Memory& memory = guarded_runtime->memory();
  const auto allocation = space ? space->find_held(address) : memory.mappings().find(address);
  if (!allocation) return false;
  const sim::LockGuard guard(opened_lock);
  if (!memory.open_pages(*allocation)) return false;
  if (opened_count < opened.size()) {
    opened[opened_count++] = *allocation;
  } else {
    opened_more = true;
  }
  return true;
}

void on_fault(int signal, siginfo_t* info, void* context);

void ask(const struct sigaction& handler, int signal, siginfo_t* info, void* context) {
  if (handler.sa_flags & SA_SIGINFO) {
    handler.sa_sigaction(signal, info, context);
  } else if (handler.sa_handler == SIG_DFL || handler.sa_handler == SIG_IGN) {
    // The instruction faults again, now without us.
    ::signal(signal, SIG_DFL);
  } else {
    handler.sa_handler(signal);
  }
}

bool installed(void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction now {};
  return sigaction(SIGSEGV, nullptr, &now) == 0 && now.sa_sigaction == handler;
}

void install(struct sigaction* before) {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, before);
}

// A handler that was set after ours may put back what it found then, which is ours, and fault or
// raise again: that is not for it any more.
void call_previous(int signal, siginfo_t* info, void* context) {
  if (!overtaken.exchange(false)) return ask(first_handler, signal, info, context);
  const struct sigaction second = second_handler;
  sigaction(signal, &second, nullptr);
  ask(second, signal, info, context);
  if (!installed(second.sa_sigaction)) return;
  overtaken = true;
  install(nullptr);
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const sim::Memory& memory = guarded_runtime->memory();
  const sim::AddressSpace* const space = memory.space_of(info->si_addr);
  const bool of_device = space && space->device() != sim::kHostDevice;
  if (of_device || memory.mappings().holds(info->si_addr)) {
    if (open_for_kernel(info->si_addr, space)) return;
    diagnose(info->si_addr, space);
  }
  call_previous(signal, info, context);
}

// A program may have set a handler of its own.
void stand_in_front() noexcept {
  if (installed(on_fault)) return;
  install(&second_handler);
  overtaken = true;
}

}  // namespace

void guard_device_memory(Runtime& runtime) {
  guarded_runtime = &runtime;
  install(&first_handler);
}

void kernel_enters() noexcept {
  const sim::LockGuard guard(opened_lock);
  stand_in_front();
  ++running_kernels;
}

void kernel_leaves(const sim::Memory& memory) noexcept {
  const sim::LockGuard guard(opened_lock);
  if (--running_kernels != 0) return;
  for (std::size_t i = 0; i < opened_count; ++i) memory.close_pages(opened[i]);
  opened_count = 0;
  if (!opened_more) return;
  opened_more = false;
  for (const sim::Allocation& mapping : memory.mappings().live()) memory.close_pages(mapping);
  for (int d = 0; d < memory.device_count(); ++d) {
    for (const sim::Allocation& allocation : memory.device(d).live()) {
      memory.close_pages(allocation);
    }
  }
}

}  // namespace acl
