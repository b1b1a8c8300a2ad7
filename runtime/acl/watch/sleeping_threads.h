// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace acl::watch {

/// Whether the thread of this process sleeps in the system until another thread of this process
/// wakes it: it waits for a lock, a condition or the end of a thread, without a time limit. False
/// if the system does not report it.
bool sleeps_until_woken(pid_t thread);

/// Whether a thread of this process but the calling one runs, or is about to: it has been woken.
bool another_thread_runs();

/// A sleep without a time limit on a word of memory, which other threads end.
struct FutexSleep {
  std::uintptr_t word = 0;
  bool shared = false;  // threads of other processes may end it if they have the memory
};
/// From a line of /proc/PID/task/TID/syscall. Nothing if the thread does something else.
std::optional<FutexSleep> futex_sleep_in(std::string_view line);
/// From the contents of /proc/PID/maps: no other process has the memory at the address.
bool is_private(std::string_view maps, std::uintptr_t address);

}  // namespace acl::watch
