// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device_sim/base/spin_lock.h"
#include "runtime/hccl/collectives/stream_queues.h"
#include "runtime/hccl/comm/communicator.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

namespace embedded = acl::embedding;

/// A buffer of the program, and where the others find it: in place, or, where they do not reach it,
/// as a copy in the device's memory.
class Buffer {
 public:
  Buffer() = default;
  /// Raises HCCL_E_PARA for memory that no device reaches.
  Buffer(const Communicator& communicator, embedded::Caller caller, const void* address,
         std::uint64_t bytes, const char* argument, bool written);
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  /// What others and this rank read and write while the operation runs.
  std::byte* engine() const noexcept { return staged_ ? staged_ : user_; }
  /// The program's own bytes.
  std::byte* program() const noexcept { return user_; }
  const BufferRef& ref() const noexcept { return ref_; }
  const void* address() const noexcept { return address_; }
  std::uint64_t bytes() const noexcept { return bytes_; }
  void stage() const noexcept;    // the program's bytes are what others read
  void unstage() const noexcept;  // what others wrote is the program's

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

/// One operation between ranks: what all of them have in common. A run goes on while the others
/// have done what it needs, and sleeps otherwise. It fails when any of them shows a failure, was
/// lost, or does not come in time; then all fail, and nothing else is done with the communicator.
class RankOperation : public embedded::Operation {
 public:
  RankOperation(const Communicator& communicator, embedded::Caller caller)
      : RankOperation(communicator, caller, communicator.exec_limit_ns(), true) {}
  /// With a limit of its own; 0: none. It never looks why it waits.
  RankOperation(const Communicator& communicator, embedded::Caller caller, std::uint64_t limit_ns)
      : RankOperation(communicator, caller, limit_ns, false) {}

  std::uint64_t enqueued() final;
  std::vector<embedded::Rendezvous> rendezvous(std::uint64_t run) final;
  embedded::FlagUse flag(std::uint64_t run) final;
  embedded::Next step(std::uint64_t run) final;
  embedded::Error expired(std::uint64_t run, const std::vector<std::uint64_t>& waiting) final;
  void dropped(std::uint64_t run, const embedded::Error& why) noexcept final;
  /// All ranks of the host; an operation with one of them names that.
  std::vector<int> peers() const override;
  std::vector<embedded::Step> take_steps() final { return std::exchange(steps_, {}); }

 protected:
  /// What this object's life takes is a step of the run, where somebody observes.
  class Doing {
   public:
    Doing(RankOperation& operation, const char* name, std::uint64_t bytes, int rank = -1);
    ~Doing();
    Doing(const Doing&) = delete;
    Doing& operator=(const Doing&) = delete;

   private:
    RankOperation& operation_;
    embedded::Step step_;
  };
  // As profiles of the hardware call them.
  static constexpr const char* kWaits = "Notify_Wait";
  static constexpr const char* kCopies = "Memcpy";
  static constexpr const char* kReduces = "Reduce_Inline";
  static constexpr const char* kSends = "RDMASend";

  static constexpr std::uint64_t kFirstLook = 100'000'000;  // ns
  static constexpr std::uint64_t kMostBetweenLooks = 2'000'000'000;

  /// One run, from its being enqueued to its end.
  struct Run {
    virtual ~Run() = default;
    std::uint64_t number = 0;
    int awaits = -1;  // the rank that it sleeps for
    bool begun = false;
    bool closed = false;  // the communicator was destroyed before
    std::uint64_t began_ns = 0;
    bool looked = false;                 // since it is among the sleepers
    bool told = false;                   // other hosts what was called, which does not fit
    bool stands = false;                 // it has waited for long
    std::uint64_t look_ns = kFirstLook;  // so long after its first wait it looks why
    StreamLane* lane = nullptr;
    std::vector<std::uint64_t> host_threads{};  // that wait until it is over
    std::uint64_t took = 0;                     // of a wait for a flag: see embedded::FlagUse
    std::shared_ptr<Signal> signal{};           // made when it sleeps for the first time
    std::unique_ptr<QueuePlace> place{};        // of a collective, beside other communicators
  };
  static constexpr int kDone = -1;
  static constexpr int kArrival =
      -2;  // that what was sent arrives, whatever its receiver does then
  /// The run's numbers among those of the communicator.
  virtual std::unique_ptr<Run> make_run() = 0;
  /// Of those that the run meets, by the ranks of this process.
  virtual std::vector<embedded::Rendezvous> meet(const Run& run) const = 0;
  virtual embedded::FlagUse flag_of(const Run& /*run*/) const { return {}; }
  /// What names the arrival of a rank in all processes of the host. `channel`: 0 for collectives.
  std::uint64_t key_of(std::uint64_t channel, std::uint64_t number, int rank) const noexcept;
  /// What a run does before its first step. Nothing to tell: it has begun.
  std::optional<Links::Trouble> begin(Run& run);
  /// What the run fails with, which is shown to the others; where the text names no operation, this
  /// one.
  embedded::Next fail_by(const Links::Trouble& trouble, const Run& run) const;
  Run* find(std::uint64_t run);
  /// Does what can be done; the rank that it needs next, or kDone. Raises Mismatch.
  virtual int advance(Run& run) = 0;
  /// "HcclAllReduce(count 4, fp32, sum) at main.cpp:12".
  virtual std::string text(const Run& run) const = 0;
  /// What the run waits for, where that tells whether ranks wait for each other.
  struct Waits {
    std::vector<int> ranks{};    // it does nothing before each of them has
    std::uint64_t progress = 0;  // changes whenever it does something
    Call call{};
  };
  virtual std::optional<Waits> waits(const Run& /*run*/) const { return std::nullopt; }

  /// A call of another rank does not belong to this one's: the text says which.
  struct Mismatch {
    std::string text;
  };
  static std::string called(int rank, const Call& call, const Site& site);
  std::string called(const Call& call) const { return called(links_->me(), call, site_); }
  /// All have posted. The rank that has still to say what it called, which does not fit; kDone: all
  /// calls fit. Raises Mismatch.
  int require_fit(const Round& round, Run& run) const;

  // Of collectives: whom the run with that number meets, and what it is called in texts.
  std::vector<embedded::Rendezvous> meet_all(std::uint64_t number) const;
  std::string text_of(std::uint64_t number, const Call& call) const;
  /// The run with its number is enqueued on the stream of `submit`.
  void line_up(Run& run, const Call& call) const;

  const std::shared_ptr<Links> links_;
  const embedded::Caller caller_;
  const Site& site_;

 private:
  RankOperation(const Communicator& communicator, embedded::Caller caller, std::uint64_t limit_ns,
                bool looks);
  struct Enqueued {
    std::uint64_t id;
    std::unique_ptr<Run> run;
  };
  // One but in graphs, whose launches may be many. They end in their order.
  using Runs = boost::container::small_vector<Enqueued, 1>;
  Runs::iterator place_of(std::uint64_t run);
  void end(std::uint64_t run) noexcept;
  embedded::Next sleep(Run& run);
  embedded::Next go(Run& run);
  int look(Run& run);
  void begin_wait(int rank);
  void end_wait();
  int advance_with_patience(Run& run);
  int advance_with_polls(Run& run);
  void require_no_cycle(Run& run) const;
  struct Standstill {
    std::string text;
  };
  void stand(Run& run);
  std::string text_of_limit(const Run& run) const;
  std::string in_order(const std::string& what) const;
  embedded::Next misfit(const std::string& text, bool tells) const;

  const std::uint64_t limit_ns_;  // 0: none
  const bool looks_;
  sim::SpinLock lock_;  // runs
  Runs runs_;
  std::uint64_t last_run_ = 0;
  // Of the run that moves: one at a time does.
  bool observed_ = false;
  int waits_for_ = kDone;
  std::uint64_t waits_since_ = 0;
  std::vector<embedded::Step> steps_;
};

/// Appends the operation to the stream. Raises what the runtime refuses as HCCL_E_RUNTIME.
void submit(embedded::Caller caller, aclrtStream stream,
            std::shared_ptr<embedded::Operation> operation);

}  // namespace hccl
