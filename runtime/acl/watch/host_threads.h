// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

namespace acl::watch {

/// The calling thread has made its first call, or ends. For callers in `core`.
void thread_has_called();
void calling_thread_ends();

/// The threads that could still make a call, and so end what others wait for: those that have made
/// one, and those that the program has started since this object was made. A thread from before
/// that has made no call is taken for one of a library.
class HostThreads {
 public:
  HostThreads();
  /// Their numbers in the system, in ascending order. Takes some 10 us.
  std::vector<pid_t> live() const;

 private:
  const std::vector<pid_t> before_;
};

/// The rule of `live`, but for threads that are about to end. All lists in ascending order: the
/// threads of the process, those of the emulator, those that were there before, those that have
/// made a call.
std::vector<pid_t> host_threads_among(const std::vector<pid_t>& all, const std::vector<pid_t>& own,
                                      const std::vector<pid_t>& before,
                                      const std::vector<pid_t>& callers);

}  // namespace acl::watch
