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

/// Where another rank is, seen from this one.
enum class Locality : std::uint8_t {
  self,
  thread,  // of the same process
  host,    // another process that memory can be shared with
  remote,
};

const char* name(Locality locality) noexcept;

/// What a rank brings to a group.
struct GroupSpec {
  int rank = 0;
  int size = 1;
  /// By a rank table: the server of each rank. Empty: ranks find out which of them share a host.
  std::vector<std::string> servers{};
  /// What must be the same for all ranks, in words: "AllReduce over 4 ranks". Compared.
  std::string agreed{};
  /// What this rank tells the others about itself.
  Bytes about{};
};

struct Peer {
  int rank = 0;
  Locality locality = Locality::remote;
  ProcessCard process{};
  PresenceCard presence{};
  std::shared_ptr<PeerProcess> reached{};  // of `host` ones
  Bytes about{};
};

/// A rank that cannot be worked with any more; kStoreHolder where it is none.
struct Loss {
  int rank = kStoreHolder;
  std::string text;
};

/// The ranks of one communicator, as one of them sees it. Any thread may call.
class Group : public std::enable_shared_from_this<Group> {
 public:
  /// All ranks call this; it returns when all have come. Throws FabricError: timed_out, lost, and
  /// invalid when the ranks do not agree. When it throws the others learn it too.
  static std::shared_ptr<Group> form(std::unique_ptr<Store> store, const GroupSpec& spec,
                                     Moment end);
  /// A rank that goes without `leave` has given up.
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return static_cast<int>(peers_.size()); }
  const Peer& peer(int rank) const { return peers_.at(static_cast<std::size_t>(rank)); }
  /// The ranks that memory can be shared with, this one included, ascending.
  std::vector<int> ranks_of_host() const;

  Store& store() noexcept { return *store_; }
  Meeting meeting(const std::string& name) { return {*store_, name, rank_, size()}; }
  const std::shared_ptr<Process>& process() const noexcept { return process_; }

  /// One look at a word.
  bool lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  /// The first loss.
  std::optional<Loss> loss() const;
  /// `tell` is called once, at the first loss or now if there was one, in any thread; it may not
  /// block, nor call this group. Null takes it away and returns when it is not being called.
  void on_loss(std::function<void(const Loss&)> tell);

  /// The way to this rank has failed. Of one that has left in order nothing more is expected.
  void report_lost(int rank, const std::string& text);

  /// This rank goes in order.
  void leave();
  /// This rank cannot go on, and tells the others why.
  void give_up(const std::string& why);

 private:
  class Watch;
  Group(std::unique_ptr<Store> store, const GroupSpec& spec);
  void meet(const GroupSpec& spec, Moment end);
  void find_hosts(const GroupSpec& spec, Meeting& meeting, Moment end);
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
  mutable sim::Mutex mutex_;  // losses
  std::optional<Loss> loss_;
  std::set<int> left_;
  std::set<int> holders_;  // ranks of the process that holds the store
  sim::Mutex telling_;
  std::function<void(const Loss&)> tell_;
};

}  // namespace fabric
