// SPDX-License-Identifier: Apache-2.0
#pragma once
#if ACLSIM_HAVE_UCX

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/ranks/process.h"
#include "runtime/fabric/transport/ucx_library.h"

namespace fabric {

/// The UCX objects of a process, which are made once and stay until it exits.
struct UcxCore {
  ucp_context_h context = nullptr;
  ucp_worker_h worker = nullptr;
  int event = -1;  // the worker's
  Bytes address{};
};

/// The UCX worker of this process, for connections to other hosts. All calls of UCX are made in
/// `with`, which holds a mutex. Calls of other code (listeners, callbacks of flushes) are put off
/// until the mutex is free.
///
/// Progress is made by the I/O thread, which waits for the worker's descriptor, and by threads that
/// poll while they wait. As long as a thread polls, the I/O thread stays away.
class UcxWorker : public std::enable_shared_from_this<UcxWorker> {
 public:
  /// Returns the worker of the calling process. It lives as long as a caller holds it. Throws
  /// FabricError(broken).
  static std::shared_ptr<UcxWorker> of_process(const std::shared_ptr<Process>& process);
  ~UcxWorker();
  UcxWorker(const UcxWorker&) = delete;
  UcxWorker& operator=(const UcxWorker&) = delete;

  const UcxCore& core() const noexcept { return core_; }

  /// Calls `work` with the mutex held, then makes the calls that were put off. Returns false
  /// without calling `work` if the process is exiting.
  template <class Work>
  bool with(Work&& work) {
    PutOff put_off;
    {
      const sim::LockGuard guard(mutex_);
      if (stopped()) return false;
      work();
      put_off = take_put_off();
    }
    make_up(put_off);
    return true;
  }
  /// Makes the progress that is possible now. Returns true if a message arrived.
  bool poll();
  void begin_polls() noexcept {
    pollers_.fetch_add(1);
    rows_.fetch_add(1);
  }
  void end_polls() noexcept { pollers_.fetch_sub(1); }

  // --- called within `with`, and by UCX's callbacks ---
  // An assertion for the analysis of locks, which cannot see that a function runs within `with`.
  void assert_within() const ASSERT_CAPABILITY(mutex_) {}
  /// Puts `call` off until the mutex is free.
  void later(std::function<void()> call) REQUIRES(mutex_) { later_.push_back(std::move(call)); }
  /// Asks the I/O thread to complete an operation.
  void kick() REQUIRES(mutex_);
  /// Memory by the key of its card, for requests of peers.
  void add_memory(std::uint64_t key, std::span<std::byte> memory) REQUIRES(mutex_) {
    memories_[key] = memory;
  }
  void remove_memory(std::uint64_t key) REQUIRES(mutex_) { memories_.erase(key); }
  /// Registers a callback for a reply of a peer. Returns the number of the reply.
  using Answered = std::function<void(std::uint64_t value)>;
  std::uint64_t expect(Answered answered) REQUIRES(mutex_);
  void forget(std::uint64_t number) REQUIRES(mutex_) { expected_.erase(number); }

 private:
  struct Event;  // belongs to the I/O thread
  /// The calls that have to wait until the mutex is free.
  struct PutOff {
    std::vector<std::function<void()>> calls{};
    bool rung = false;
  };
  UcxWorker(const std::shared_ptr<Process>& process, const UcxCore& core);
  void start();
  static bool stopped() noexcept;
  void drive();
  PutOff take_put_off() REQUIRES(mutex_);
  void make_up(const PutOff& put_off) EXCLUDES(mutex_);
  static ucs_status_t on_message(void* self, const void* header, std::size_t header_bytes,
                                 void* data, std::size_t bytes, const ucp_am_recv_param_t* about);
  static ucs_status_t on_answer(void* self, const void* header, std::size_t header_bytes,
                                void* data, std::size_t bytes, const ucp_am_recv_param_t* about);
  static ucs_status_t on_put(void* self, const void* header, std::size_t header_bytes, void* data,
                             std::size_t bytes, const ucp_am_recv_param_t* about);
  void execute_requests(std::span<const std::byte> requests, ucp_ep_h back) REQUIRES(mutex_);
  std::span<std::byte> memory_of(std::uint64_t key) const REQUIRES(mutex_);
  void answer(ucp_ep_h back, std::uint64_t number, std::uint64_t value) REQUIRES(mutex_);

  const std::weak_ptr<Process> process_;
  const std::shared_ptr<IoThread> io_;
  const UcxCore& core_;
  std::shared_ptr<Event> event_;
  sim::Mutex mutex_;
  std::atomic<int> pollers_{0};
  std::atomic<std::uint64_t> rows_{0};  // series of polls that have begun
  bool kicked_ GUARDED_BY(mutex_) = false;
  bool rung_ GUARDED_BY(mutex_) = false;
  std::vector<std::function<void()>> later_ GUARDED_BY(mutex_);
  std::map<std::uint64_t, std::span<std::byte>> memories_ GUARDED_BY(mutex_);
  std::uint64_t last_expected_ GUARDED_BY(mutex_) = 0;
  std::map<std::uint64_t, Answered> expected_ GUARDED_BY(mutex_);
};

/// Throws FabricError(broken) if `status` is an error.
void require_ucx(ucs_status_t status, const char* what);

/// Sends `message`, which is kept until UCX has sent it. Returns true if it was sent at once.
/// Called within `with`.
bool send_message(ucp_ep_h to, unsigned id, Bytes message, bool wants_answer);

}  // namespace fabric

#endif
