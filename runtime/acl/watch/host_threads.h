// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace acl::watch {

/// The calling thread has made its first call, or ends. For callers in `core`.
void thread_has_called();
void calling_thread_ends();
/// How many threads have made a call so far.
std::uint64_t threads_that_called() noexcept;

/// The threads that could still make a call, and so end the waits of other threads: threads that
/// have made a call, and threads that the program has started since this object was made. An
/// earlier thread that has made no call is assumed to belong to a library.
class HostThreads {
 public:
  HostThreads();
  /// Their numbers in the system, in ascending order. Takes some 10 us.
  std::vector<pid_t> live() const;
  /// Threads from before this object was made that have made no call, and are no threads of the
  /// emulator: mostly of libraries.
  std::vector<pid_t> earlier() const;

 private:
  const std::vector<pid_t> before_;
};

/// All threads of the process that are no threads of the emulator, in ascending order.
std::vector<pid_t> program_threads();

/// The rule of `live`, except for threads that are about to end. All lists are in ascending order:
/// the threads of the process, the threads of the emulator, the threads that existed before, and
/// the threads that have made a call.
std::vector<pid_t> host_threads_among(const std::vector<pid_t>& all, const std::vector<pid_t>& own,
                                      const std::vector<pid_t>& before,
                                      const std::vector<pid_t>& callers);

}  // namespace acl::watch
