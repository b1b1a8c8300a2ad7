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

/// What of UCX is made once and stays until the process exits.
struct UcxCore {
  ucp_context_h context = nullptr;
  ucp_worker_h worker = nullptr;
  int event = -1;  // the worker's
  Bytes address{};
};

/// The way of this process to other hosts. Whoever calls UCX does it in `with`, where a mutex is
/// held; what has to call others (listeners, who waits for a flush) is kept until it is free.
///
/// Progress is made by the I/O thread, which waits for the worker's descriptor, and by whoever
/// polls while he waits: as long as somebody does, the I/O thread stays away.
class UcxWorker : public std::enable_shared_from_this<UcxWorker> {
 public:
  /// The one of this process, which lives while somebody holds it. Throws FabricError(broken).
  static std::shared_ptr<UcxWorker> of_process(const std::shared_ptr<Process>& process);
  ~UcxWorker();
  UcxWorker(const UcxWorker&) = delete;
  UcxWorker& operator=(const UcxWorker&) = delete;

  const UcxCore& core() const noexcept { return core_; }

  /// Calls `work` with the mutex held, then makes up for what it has put off. False when the
  /// process is exiting: nothing was called.
  template <class Work>
  bool with(Work&& work) {
    sim::UniqueLock guard(mutex_);
    if (stopped()) return false;
    work();
    make_up(guard);
    return true;
  }
  /// Makes the progress that can be made now; true: something came.
  bool poll();
  void begin_polls() noexcept {
    pollers_.fetch_add(1);
    rows_.fetch_add(1);
  }
  void end_polls() noexcept { pollers_.fetch_sub(1); }

  // --- within `with`, and in what UCX calls back ---
  /// To be called once the mutex is free.
  void later(std::function<void()> call) { later_.push_back(std::move(call)); }
  /// Something was begun that the I/O thread has to end.
  void kick();
  /// Memory by the key of its card, for what peers ask.
  void add_memory(std::uint64_t key, std::span<std::byte> memory) { memories_[key] = memory; }
  void remove_memory(std::uint64_t key) { memories_.erase(key); }
  /// The number under which the peer's answer is expected.
  using Answered = std::function<void(std::uint64_t value)>;
  std::uint64_t expect(Answered answered);
  void forget(std::uint64_t number) { expected_.erase(number); }

 private:
  struct Event;  // of the I/O thread
  UcxWorker(const std::shared_ptr<Process>& process, const UcxCore& core);
  void start();
  static bool stopped() noexcept;
  void drive();
  void make_up(sim::UniqueLock<sim::Mutex>& guard);
  static ucs_status_t on_message(void* self, const void* header, std::size_t header_bytes,
                                 void* data, std::size_t bytes, const ucp_am_recv_param_t* about);
  static ucs_status_t on_answer(void* self, const void* header, std::size_t header_bytes,
                                void* data, std::size_t bytes, const ucp_am_recv_param_t* about);
  static ucs_status_t on_put(void* self, const void* header, std::size_t header_bytes, void* data,
                             std::size_t bytes, const ucp_am_recv_param_t* about);
  void obey_orders(std::span<const std::byte> orders, ucp_ep_h back);
  std::span<std::byte> memory_of(std::uint64_t key) const;
  void answer(ucp_ep_h back, std::uint64_t number, std::uint64_t value);

  const std::weak_ptr<Process> process_;
  const std::shared_ptr<IoThread> io_;
  const UcxCore& core_;
  std::shared_ptr<Event> event_;
  sim::Mutex mutex_;
  std::atomic<int> pollers_{0};
  std::atomic<std::uint64_t> rows_{0};  // of polls, begun
  bool kicked_ = false;
  bool rung_ = false;
  std::vector<std::function<void()>> later_;
  std::map<std::uint64_t, std::span<std::byte>> memories_;
  std::uint64_t last_expected_ = 0;
  std::map<std::uint64_t, Answered> expected_;
};

/// Throws FabricError(broken) unless it went well.
void require_ucx(ucs_status_t status, const char* what);

/// Sends `message`, which is kept until it has gone. True: it has. Within `with`.
bool send_message(ucp_ep_h to, unsigned id, Bytes message, bool wants_answer);

}  // namespace fabric

#endif
