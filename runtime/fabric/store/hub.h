// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/store/key_table.h"

namespace fabric {

/// Used instead of a rank when the process that holds the store departs.
inline constexpr int kStoreHolder = -1;

/// The place of a rank in its group.
struct RankPlace {
  RankPlace(int rank_number, int group_size = 0) : rank(rank_number), ranks(group_size) {}
  int rank;
  int ranks;  // the size of the group; 0: not known
};

/// A rank has left in order, or was lost.
struct Departure {
  int rank;
  bool orderly;
  std::string text;  // names the rank, and gives the reason if the departure is not orderly
};

/// A key table and the ranks that use it. Any thread may call. Answers and departures are called by
/// the thread that causes them, without a lock held.
class Hub {
 public:
  using OnAnswer = std::function<void(KeyTable::Values)>;
  using OnDeparture = std::function<void(const Departure&)>;
  using Member = std::uint64_t;

  /// `description`: used in messages, for example "process 4711 on 10.0.0.2". Losses before the
  /// call are reported immediately. Throws FabricError: refused if the rank has joined already, or
  /// is outside of the group (the first member that knows the size gives it); closed if the rank
  /// has left in order, because it then needs the next store of this identity.
  Member join(const RankPlace& place, const std::string& description, OnDeparture on_departure);
  /// The other members are notified. No effect if the member has left before.
  void leave(Member member);
  void lose(Member member, const std::string& why);

  void set(const std::string& key, Bytes value);
  std::int64_t add(const std::string& key, std::int64_t amount);
  bool remove(const std::string& key);
  /// Calls `on_answer` once all keys exist. If they all exist already, calls it at once and returns
  /// 0.
  KeyTable::Ticket get(std::vector<std::string> keys, OnAnswer on_answer);
  /// As KeyTable::cancel: if keys are returned, `on_answer` will not be called.
  std::vector<std::string> cancel(KeyTable::Ticket ticket);

  std::size_t members() const;
  /// Some rank has joined, even if it has left since.
  bool was_joined() const;

  /// `flush` is registered by the object that sends departures and answers to other processes. It
  /// returns when they have been sent, so a process that ends after `leave` has still notified the
  /// others.
  void set_flush(std::function<void()> flush);
  void flush() const;

 private:
  struct Present {
    int rank;
    std::string description;
    OnDeparture on_departure;
  };
  using Calls = std::vector<std::pair<OnAnswer, KeyTable::Values>>;
  Calls calls_for(std::vector<KeyTable::Answer> answers) REQUIRES(mutex_);
  void depart(Member member, bool orderly, const std::string& why);

  mutable sim::Mutex mutex_;
  KeyTable table_ GUARDED_BY(mutex_);
  std::map<KeyTable::Ticket, OnAnswer> waiting_ GUARDED_BY(mutex_);
  std::map<Member, Present> members_ GUARDED_BY(mutex_);
  std::vector<Departure> losses_ GUARDED_BY(mutex_);
  std::set<int> left_ GUARDED_BY(mutex_);  // in order
  int ranks_ GUARDED_BY(mutex_) = 0;       // the size of the group; 0: not known
  void require_inside(const RankPlace& place, const std::string& description) REQUIRES(mutex_);
  Member last_member_ GUARDED_BY(mutex_) = 0;
  std::function<void()> flush_ GUARDED_BY(mutex_);
};

}  // namespace fabric
