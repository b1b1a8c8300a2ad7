// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <thread>
#include <utility>
#include <vector>

namespace sim {
namespace detail {

/// Marks the calling thread for a scope as the emulator's own. `make_own_thread` has counted
/// it.
class OwnThread {
 public:
  OwnThread() noexcept;
  ~OwnThread();
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;
};
void own_thread_starts(int count) noexcept;

}  // namespace detail

/// Starts a thread that is the emulator's own, not the program's. Takes no lock: a process may fork
/// at any time.
template <class Body>
std::thread make_own_thread(Body body) {
  detail::own_thread_starts(1);
  try {
    return std::thread([body = std::move(body)]() mutable {
      const detail::OwnThread own;
      body();
    });
  } catch (...) {
    detail::own_thread_starts(-1);
    throw;
  }
}

/// Whether the calling thread is one of these.
bool is_own_thread() noexcept;

/// The system's numbers of these threads. Waits briefly for threads that are being started. If more
/// than 2048 threads exist, the later ones are missing.
std::vector<pid_t> own_threads();

}  // namespace sim
