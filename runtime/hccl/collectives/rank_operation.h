// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_sim/base/spin_lock.h"
#include "runtime/hccl/collectives/awaited.h"
#include "runtime/hccl/collectives/stream_queues.h"
#include "runtime/hccl/comm/communicator.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

namespace embedded = acl::embedding;

/// A buffer of the program, at an address that other ranks can reach: the program's memory itself,
/// or a copy in device memory.
class Buffer {
 public:
  Buffer() = default;
  /// Raises HCCL_E_PARA for memory that no device can access.
  Buffer(const Communicator& communicator, embedded::Caller caller, const void* address,
         std::uint64_t bytes, const char* argument, bool written);
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  /// The memory that this rank and the others use while the operation runs.
  std::byte* engine() const noexcept { return staged_ ? staged_ : user_; }
  /// The memory of the program.
  std::byte* program() const noexcept { return user_; }
  const BufferRef& ref() const noexcept { return ref_; }
  const void* address() const noexcept { return address_; }
  std::uint64_t bytes() const noexcept { return bytes_; }
  void stage() const noexcept;    // copies the program's bytes to where others read them
  void unstage() const noexcept;  // copies the bytes that others wrote to the program

 private:
  void swap(Buffer& other) noexcept;

  const void* address_ = nullptr;
  std::uint64_t bytes_ = 0;
  std::byte* user_ = nullptr;
  std::byte* staged_ = nullptr;
  void* owned_ = nullptr;
  int physical_device_ = -1;
  BufferRef ref_{};
};

/// The common part of all operations between ranks. A run advances while the other ranks have done
/// what it needs, and sleeps otherwise. It fails if a rank publishes a failure, is lost or does not
/// arrive in time. Then it fails on all ranks, and the communicator can no longer be used.
class RankOperation : public embedded::Operation {
 public:
  RankOperation(const Communicator& communicator, embedded::Caller caller)
      : RankOperation(communicator, caller, communicator.exec_limit_ns(), true) {}
  /// With a time limit of its own; 0: none. It takes no part in the detection of deadlocks.
  RankOperation(const Communicator& communicator, embedded::Caller caller, std::uint64_t limit_ns)
      : RankOperation(communicator, caller, limit_ns, false) {}

  std::uint64_t enqueued() final;
  std::vector<embedded::Rendezvous> rendezvous(std::uint64_t run) final;
  embedded::FlagUse flag(std::uint64_t run) final;
  std::string waits_for(std::uint64_t run) final;
  embedded::Next step(std::uint64_t run) final;
  embedded::Error expired(std::uint64_t run, const std::vector<std::uint64_t>& waiting) final;
  void dropped(std::uint64_t run, const embedded::Error& why) noexcept final;
  /// The devices of all ranks of the host; operations with one peer override it.
  std::vector<int> peers() const override;
  std::vector<embedded::Step> take_steps() final { return std::exchange(steps_, {}); }

 protected:
  /// Reports the lifetime of this object as a step of the run, if an observer is registered.
  class StepScope {
   public:
    StepScope(RankOperation& operation, const char* name, std::uint64_t bytes, int rank = -1);
    ~StepScope();
    StepScope(const StepScope&) = delete;
    StepScope& operator=(const StepScope&) = delete;

   private:
    RankOperation& operation_;
    embedded::Step step_;
  };
  // The names that profiles of the hardware use.
  static constexpr const char* kWaits = "Notify_Wait";
  static constexpr const char* kCopies = "Memcpy";
  static constexpr const char* kReduces = "Reduce_Inline";
  static constexpr const char* kSends = "RDMASend";

  static constexpr std::uint64_t kFirstSearch = 100'000'000;  // ns
  static constexpr std::uint64_t kMostBetweenSearches = 2'000'000'000;

  /// One run, from enqueueing to its end.
  struct Run {
    virtual ~Run() = default;
    std::uint64_t number = 0;
    Awaited awaits = Awaited::nothing();  // the reason of its sleep
    bool begun = false;
    bool closed = false;  // the communicator was destroyed before
    std::uint64_t began_ns = 0;
    bool rechecked = false;  // whether it has advanced since it was added to the sleepers
    bool entry_sent =
        false;  // whether it has sent its complete entry to other hosts after a mismatch
    bool waits_long = false;          // whether it has waited for long
    std::atomic<int> sleeps_for{-1};  // the rank that it sleeps for; -1: none
    // time of the next deadlock search, counted from the first wait
    std::uint64_t search_ns = kFirstSearch;
    StreamCounters* counters = nullptr;
    std::vector<std::uint64_t> host_threads{};  // host threads that wait until it is over
    std::uint64_t took = 0;            // result of a wait for a flag: see embedded::FlagUse
    std::shared_ptr<Signal> signal{};  // made when it sleeps for the first time
    // only for collectives, if the process has several communicators
    std::unique_ptr<QueuePlace> place{};
  };
  /// Makes a run, with its numbers within the communicator.
  virtual std::unique_ptr<Run> make_run() = 0;
  /// The ranks of this process that the run waits for, for the checker.
  virtual std::vector<embedded::Rendezvous> rendezvous_of(const Run& run) const = 0;
  virtual embedded::FlagUse flag_of(const Run& /*run*/) const { return {}; }
  /// The key of a rank's arrival, unique in all processes of the host. `channel`: 0 for
  /// collectives.
  std::uint64_t key_of(std::uint64_t channel, std::uint64_t number, int rank) const noexcept;
  /// Checks the communicator before the first step. Returns nothing if the run has begun.
  std::optional<Links::Trouble> begin(Run& run);
  /// Fails the run and publishes the reason to the other ranks. If the reason's text names no
  /// operation, it names this one.
  embedded::Next fail_by(const Links::Trouble& trouble, const Run& run) const;
  Run* find(std::uint64_t run);
  /// Advances as far as possible. Returns what the run waits for. Raises Mismatch.
  virtual Awaited advance(Run& run) = 0;
  /// "HcclAllReduce(count 4, fp32, sum) at main.cpp:12".
  virtual std::string text(const Run& run) const = 0;
  /// The state that deadlock detection needs.
  struct Waits {
    std::vector<int> ranks{};    // it makes no progress before each of these has
    std::uint64_t progress = 0;  // changes with every progress
    Call call{};
  };
  virtual std::optional<Waits> waits(const Run& /*run*/) const { return std::nullopt; }

  /// Raised if the call of another rank does not match this rank's call; the text names both.
  struct Mismatch {
    std::string text;
  };
  static std::string called(int rank, const Call& call, const Site& site);
  std::string called(const Call& call) const { return called(links_->me(), call, site_); }
  /// Called when all have posted. Returns nothing if all calls match, or the rank whose
  /// complete entry is still missing after a mismatch. Raises Mismatch.
  Awaited require_fit(const Round& round, Run& run) const;

  // For collectives: the ranks that the run with that number waits for, and its text in messages.
  std::vector<embedded::Rendezvous> rendezvous_of_all(std::uint64_t number) const;
  std::string text_of(std::uint64_t number, const Call& call) const;
  /// Puts the run into the queue of the stream that `submit` was called with.
  void line_up(Run& run, const Call& call) const;

  const std::shared_ptr<Links> links_;
  const embedded::Caller caller_;
  const Site& site_;

 private:
  RankOperation(const Communicator& communicator, embedded::Caller caller, std::uint64_t limit_ns,
                bool searches);
  struct Enqueued {
    std::uint64_t id;
    std::unique_ptr<Run> run;
  };
  // There is one run, except in graphs, whose launches may be many. Runs end in their order.
  using Runs = boost::container::small_vector<Enqueued, 1>;
  Runs::iterator place_of(std::uint64_t run) REQUIRES(lock_);
  void end(std::uint64_t run) noexcept;
  embedded::Next sleep(Run& run);
  embedded::Next go(Run& run);
  Awaited try_advance(Run& run);
  void begin_wait(Awaited awaited);
  void end_wait();
  Awaited advance_polling(Run& run);
  Awaited advance_polling_network(Run& run);
  void require_no_cycle(Run& run) const;
  void search_deadlock(Run& run);
  std::string text_of_limit(const Run& run) const;
  std::string in_order(const std::string& what) const;
  embedded::Next misfit(const std::string& text, bool tells) const;

  const std::uint64_t limit_ns_;  // 0: none
  const bool searches_;
  sim::SpinLock lock_;
  Runs runs_ GUARDED_BY(lock_);
  std::uint64_t last_run_ GUARDED_BY(lock_) = 0;
  // Belong to the run that advances; runs advance one at a time.
  bool observed_ = false;
  Awaited waits_for_ = Awaited::nothing();
  std::uint64_t waits_since_ = 0;
  std::vector<embedded::Step> steps_;
};

/// Appends the operation to the stream. An error of the runtime is raised as HCCL_E_RUNTIME.
void submit(embedded::Caller caller, aclrtStream stream,
            std::shared_ptr<embedded::Operation> operation);

}  // namespace hccl
