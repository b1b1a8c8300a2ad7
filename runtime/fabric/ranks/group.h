// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/ranks/presence.h"
#include "runtime/fabric/ranks/process.h"
#include "runtime/fabric/store/store.h"

namespace fabric {

/// The location of another rank relative to this one.
enum class Locality : std::uint8_t {
  self,
  thread,  // in the same process
  host,    // in another process of this host, which can share memory
  remote,
};

const char* name(Locality locality) noexcept;

/// The data with which a rank joins a group.
struct GroupSpec {
  int rank = 0;
  int size = 1;
  /// From a rank table: the server of each rank. Empty: the ranks find out which of them share a
  /// host.
  std::vector<std::string> servers{};
  /// A text that must be equal on all ranks, for example "AllReduce over 4 ranks".
  std::string agreed{};
  /// Data of this rank that all other ranks receive.
  Bytes about{};
};

struct Peer {
  int rank = 0;
  Locality locality = Locality::remote;
  ProcessCard process{};
  PresenceCard presence{};
  std::shared_ptr<PeerProcess> reached{};  // only for Locality::host
  Bytes about{};
};

/// A rank that has become unusable. kStoreHolder: the process that holds the store.
struct Loss {
  int rank = kStoreHolder;
  std::string text;
};

/// The ranks of one communicator, as seen by one of them. Any thread may call.
class Group : public std::enable_shared_from_this<Group> {
 public:
  /// Collective: returns when all ranks have called it. Throws FabricError: timed_out, lost, or
  /// invalid if the ranks do not agree. If one rank throws, all other ranks throw too.
  static std::shared_ptr<Group> form(std::unique_ptr<Store> store, const GroupSpec& spec,
                                     Moment end);
  /// A rank whose group is destroyed without `leave` has given up.
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return static_cast<int>(peers_.size()); }
  const Peer& peer(int rank) const { return peers_.at(static_cast<std::size_t>(rank)); }
  /// The ranks that can share memory with this one, ascending, this one included.
  std::vector<int> ranks_of_host() const;

  Store& store() noexcept { return *store_; }
  StoreCollectives collectives(const std::string& name) { return {*store_, name, rank_, size()}; }
  const std::shared_ptr<Process>& process() const noexcept { return process_; }

  /// Reads one atomic word.
  bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  /// Describes the first loss.
  std::optional<Loss> loss() const;
  /// `tell` is called once, by any thread: at the first loss, or immediately if a rank was lost
  /// before. It may not block, nor call this group. Null unregisters it; `on_loss` returns only
  /// when `tell` is not running.
  void on_loss(std::function<void(const Loss&)> tell);

  /// The connection to this rank has failed. The call has no effect for a rank that has left in
  /// order.
  void report_lost(int rank, const std::string& text);

  /// This rank leaves in order.
  void leave();
  /// This rank cannot continue. The others fail with this reason.
  void give_up(const std::string& why);

 private:
  class Watch;
  Group(std::unique_ptr<Store> store, const GroupSpec& spec);
  void meet(const GroupSpec& spec, Moment end);
  void find_hosts(const GroupSpec& spec, StoreCollectives& collectives, Moment end);
  void watch_peers();
  void departed(const Departure& departure);
  void process_ended(int rank);
  void lose(Loss loss);

  const int rank_;
  const std::shared_ptr<Process> process_;
  const std::unique_ptr<Store> store_;
  Presence presence_;
  std::vector<Peer> peers_;
  std::vector<std::shared_ptr<Watch>> watches_;
  std::atomic<bool> lost_{false};
  std::atomic<bool> gone_{false};
  mutable sim::Mutex mutex_;
  std::optional<Loss> loss_ GUARDED_BY(mutex_);
  std::set<int> left_ GUARDED_BY(mutex_);
  std::set<int> holders_ GUARDED_BY(mutex_);  // ranks of the process that holds the store
  sim::Mutex telling_;
  std::function<void(const Loss&)> tell_ GUARDED_BY(telling_);
};

}  // namespace fabric
