// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "hccl/hccl_comm.h"
#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/store/rendezvous.h"
#include "runtime/hccl/base/settings.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

/// What a program may set for one communicator, with the environment's values where it does not.
struct CommOptions {
  std::string name{};  // empty: from the identity
  std::uint32_t buffer_mb = 0;
  std::uint32_t deterministic = 0;
  std::int32_t exec_timeout_s = 0;
  std::string algorithm{};

  static CommOptions defaults(const Settings& settings);
  /// Reads the members that the caller's version has. Raises HCCL_E_PARA.
  static CommOptions from(const HcclCommConfig& config, const Settings& settings);
};

/// What a rank tells the others about itself.
struct RankCard {
  std::int32_t physical_device = 0;

  fabric::Bytes pack() const;
  static RankCard unpack(const fabric::Bytes& bytes);
};

/// One rank's part in a communicator.
class Communicator {
 public:
  /// All ranks make theirs; they tell each other what they share a host with, until `end`.
  Communicator(std::shared_ptr<fabric::Group> group, CommOptions options, int device,
               std::shared_ptr<fabric::Rendezvous> rendezvous, fabric::Moment end);

  const std::string& name() const noexcept { return options_.name; }
  const CommOptions& options() const noexcept { return options_; }
  std::uint32_t rank() const noexcept { return static_cast<std::uint32_t>(group_->rank()); }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(group_->size()); }
  int device() const noexcept { return device_; }
  int physical_device() const noexcept { return physical_device_; }
  /// How long an operation may take; 0: no limit.
  std::uint64_t exec_limit_ns() const noexcept {
    return static_cast<std::uint64_t>(options_.exec_timeout_s) * 1'000'000'000;
  }
  /// The way to the other ranks.
  const std::shared_ptr<Links>& links() const noexcept { return links_; }
  fabric::Group& group() const noexcept { return *group_; }
  /// For another rank of this communicator.
  RankCard card_of(std::uint32_t rank) const;
  /// Whether two ranks are of one server.
  bool same_server(std::uint32_t a, std::uint32_t b) const;
  /// By rank, numbers of servers in the order in which they come first.
  const std::vector<std::uint32_t>& servers() const noexcept { return servers_; }

  /// 0, 21 after a loss, or 1 after operations that do not belong together.
  HcclResult async_error() const;
  /// The others go on without this rank.
  void leave() { group_->leave(); }

  /// A call waits for other ranks for as long as this lives: the communicator cannot be destroyed.
  class Waiting {
   public:
    explicit Waiting(Communicator& communicator) noexcept : count_(communicator.waiting_) {
      ++count_;
    }
    ~Waiting() { --count_; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    std::atomic<int>& count_;
  };
  bool is_waited_in() const noexcept { return waiting_ != 0; }

  /// The number of this sub-communicator among those of this description, for this rank.
  std::uint64_t count_sub(const std::string& description);
  /// Something that hangs at the communicator and goes with it; made by the first call.
  template <class T, class Make>
  std::shared_ptr<T> resource(Make make) {
    const sim::LockGuard guard(mutex_);
    if (!resource_) resource_ = make();
    return std::static_pointer_cast<T>(resource_);
  }
  /// Something that operations of the communicator hold together; made by the first that wants it.
  template <class T, class Make>
  std::shared_ptr<T> shared(Make make) {
    const sim::LockGuard guard(mutex_);
    auto held = std::static_pointer_cast<T>(shared_.lock());
    if (!held) shared_ = held = make();
    return held;
  }
  /// Arrays that functions of the rank graph have given away; they live as long as this.
  template <class T>
  T* keep(std::vector<T> values) {
    auto kept = std::make_shared<std::vector<T>>(std::move(values));
    const sim::LockGuard guard(mutex_);
    kept_.push_back(kept);
    return kept->data();
  }

 private:
  void find_servers(fabric::Moment end);

  const std::shared_ptr<fabric::Rendezvous> rendezvous_;  // where this process holds the store
  const std::shared_ptr<fabric::Group> group_;
  const CommOptions options_;
  const int device_;
  const int physical_device_;
  std::shared_ptr<Links> links_;
  std::vector<std::uint32_t> servers_;
  sim::Mutex mutex_;
  std::map<std::string, std::uint64_t> subs_;
  std::vector<std::shared_ptr<void>> kept_;
  std::shared_ptr<void> resource_;
  std::weak_ptr<void> shared_;
  std::atomic<int> waiting_{0};
};

}  // namespace hccl
