// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/host_access.h"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "device_sim/spin_lock.h"
#include "runtime/acl/runtime.h"
#include "runtime/acl/thread_state.h"

namespace acl {
namespace {

struct sigaction previous_handler;
Runtime* guarded_runtime = nullptr;

sim::SpinLock opened_lock;
std::size_t running_kernels = 0;
// What kernels have opened. A fault handler may not allocate: when the table is full the rest is
// remembered as "all".
std::array<sim::Allocation, 256> opened;
std::size_t opened_count = 0;
bool opened_more = false;

void write_text(const char* text, int length) {
  [[maybe_unused]] const ssize_t written =
      write(STDERR_FILENO, text, static_cast<std::size_t>(length));
}

const char* object_name(const void* address, std::uintptr_t& offset) {
  Dl_info info{};
  if (!address || dladdr(address, &info) == 0 || !info.dli_fname) return "an unknown place";
  offset = reinterpret_cast<std::uintptr_t>(address) -
           reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  return info.dli_fname;
}

void diagnose(const void* address, const sim::AddressSpace& space) {
  char text[1024];
  const int device = guarded_runtime->logical(space.device());
  int length = 0;
  if (const auto allocation = space.try_find(address)) {
    std::uintptr_t offset = 0;
    const char* const object = object_name(allocation->caller, offset);
    length = std::snprintf(
        text, sizeof text,
        "aclsim: the host touched device memory at %p: byte %zu of an allocation of %zu bytes on "
        "device %d (allocation %llu, made from %s+0x%zx). Copy it with aclrtMemcpy first.\n",
        address, static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address) - allocation->begin),
        allocation->size, device, static_cast<unsigned long long>(allocation->serial), object,
        static_cast<std::size_t>(offset));
  } else {
    length = std::snprintf(text, sizeof text,
                           "aclsim: the host touched device memory at %p on device %d, where no "
                           "allocation is live.\n",
                           address, device);
  }
  write_text(text, std::min<int>(length, sizeof text - 1));
}

/// True when the fault was a kernel's and its pages are open now.
bool open_for_kernel(const void* address, const sim::AddressSpace& space) {
  if (thread_state().kernel_depth == 0) return false;
  const auto allocation = space.find_held(address);
  if (!allocation) return false;
  const std::lock_guard guard(opened_lock);
  guarded_runtime->memory().open_pages(*allocation);
  if (opened_count < opened.size()) {
    opened[opened_count++] = *allocation;
  } else {
    opened_more = true;
  }
  return true;
}

void call_previous(int signal, siginfo_t* info, void* context) {
  if (previous_handler.sa_flags & SA_SIGINFO) {
    previous_handler.sa_sigaction(signal, info, context);
  } else if (previous_handler.sa_handler == SIG_DFL || previous_handler.sa_handler == SIG_IGN) {
    // The instruction faults again, now without us.
    ::signal(signal, SIG_DFL);
  } else {
    previous_handler.sa_handler(signal);
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const sim::AddressSpace* const space = guarded_runtime->memory().space_of(info->si_addr);
  if (space && space->device() != sim::kHostDevice) {
    if (open_for_kernel(info->si_addr, *space)) return;
    diagnose(info->si_addr, *space);
  }
  call_previous(signal, info, context);
}

}  // namespace

void guard_device_memory(Runtime& runtime) {
  guarded_runtime = &runtime;
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &previous_handler);
}

void kernel_enters() noexcept {
  const std::lock_guard guard(opened_lock);
  ++running_kernels;
}

void kernel_leaves(const sim::Memory& memory) noexcept {
  const std::lock_guard guard(opened_lock);
  if (--running_kernels != 0) return;
  for (std::size_t i = 0; i < opened_count; ++i) memory.close_pages(opened[i]);
  opened_count = 0;
  if (!opened_more) return;
  opened_more = false;
  for (int d = 0; d < memory.device_count(); ++d) {
    for (const sim::Allocation& allocation : memory.device(d).live()) {
      memory.close_pages(allocation);
    }
  }
}

}  // namespace acl
