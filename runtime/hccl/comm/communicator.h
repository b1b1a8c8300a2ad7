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
#include "runtime/fabric/store/hosted_store.h"
#include "runtime/hccl/base/settings.h"
#include "runtime/hccl/links/links.h"

namespace hccl {

/// The settings of one communicator. Members that the program does not set have the values of the
/// environment.
struct CommOptions {
  std::string name{};  // empty: derived from the identity
  std::uint32_t buffer_mb = 0;
  std::uint32_t deterministic = 0;
  std::int32_t exec_timeout_s = 0;
  std::string algorithm{};

  static CommOptions defaults(const Settings& settings);
  /// Reads the members that exist in the caller's version. Raises HCCL_E_PARA.
  static CommOptions from(const HcclCommConfig& config, const Settings& settings);
};

/// The data of a rank that all other ranks receive.
struct RankCard {
  std::int32_t physical_device = 0;

  fabric::Bytes pack() const;
  static RankCard unpack(const fabric::Bytes& bytes);
};

/// One rank of a communicator.
class Communicator {
 public:
  /// Collective: the ranks exchange which of them share a host, until `end`.
  Communicator(std::shared_ptr<fabric::Group> group, CommOptions options, int device,
               std::shared_ptr<fabric::HostedStore> hosted, fabric::Moment end);

  const std::string& name() const noexcept { return options_.name; }
  const CommOptions& options() const noexcept { return options_; }
  std::uint32_t rank() const noexcept { return static_cast<std::uint32_t>(group_->rank()); }
  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(group_->size()); }
  int device() const noexcept { return device_; }
  int physical_device() const noexcept { return physical_device_; }
  /// The time limit of operations; 0: no limit.
  std::uint64_t exec_limit_ns() const noexcept {
    return static_cast<std::uint64_t>(options_.exec_timeout_s) * 1'000'000'000;
  }
  /// The connections to the other ranks.
  const std::shared_ptr<Links>& links() const noexcept { return links_; }
  fabric::Group& group() const noexcept { return *group_; }
  /// The card of a rank of this communicator.
  RankCard card_of(std::uint32_t rank) const;
  /// Whether two ranks are on one server.
  bool same_server(std::uint32_t a, std::uint32_t b) const;
  /// The server number of each rank. Servers are numbered in the order of their first ranks.
  const std::vector<std::uint32_t>& servers() const noexcept { return servers_; }

  /// 0; 21 after a loss; 1 after operations that do not match.
  HcclResult async_error() const;
  /// This rank leaves in order; the others continue.
  void leave() { group_->leave(); }

  /// Marks a call that waits for other ranks: while it lives the communicator cannot be destroyed.
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

  /// Counts the sub-communicators with this description that this rank has made.
  std::uint64_t count_sub(const std::string& description);
  /// An object that lives as long as the communicator. The first call makes it.
  template <class T, class Make>
  std::shared_ptr<T> resource(Make make) {
    const sim::LockGuard guard(mutex_);
    if (!resource_) resource_ = make();
    return std::static_pointer_cast<T>(resource_);
  }
  /// An object that operations of the communicator share; it lives as long as one of them holds it.
  template <class T, class Make>
  std::shared_ptr<T> shared(Make make) {
    const sim::LockGuard guard(mutex_);
    auto held = std::static_pointer_cast<T>(shared_.lock());
    if (!held) shared_ = held = make();
    return held;
  }
  /// Arrays that functions of the rank graph have returned. They live as long as the communicator.
  template <class T>
  T* keep(std::vector<T> values) {
    auto kept = std::make_shared<std::vector<T>>(std::move(values));
    const sim::LockGuard guard(mutex_);
    kept_.push_back(kept);
    return kept->data();
  }

 private:
  void find_servers(fabric::Moment end);

  const std::shared_ptr<fabric::HostedStore> hosted_;  // set if this process holds the store
  const std::shared_ptr<fabric::Group> group_;
  const CommOptions options_;
  const int device_;
  const int physical_device_;
  std::shared_ptr<Links> links_;
  std::vector<std::uint32_t> servers_;
  sim::Mutex mutex_;
  std::map<std::string, std::uint64_t> subs_ GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<void>> kept_ GUARDED_BY(mutex_);
  std::shared_ptr<void> resource_ GUARDED_BY(mutex_);
  std::weak_ptr<void> shared_ GUARDED_BY(mutex_);
  std::atomic<int> waiting_{0};
};

}  // namespace hccl
