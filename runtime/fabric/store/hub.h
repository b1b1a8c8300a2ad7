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

/// Instead of a rank: the process that holds the store, where its departure is reported.
inline constexpr int kStoreHolder = -1;

/// A rank has gone: in order, or not.
struct Departure {
  int rank;
  bool orderly;
  std::string text;  // who, and why when it is not orderly
};

/// A key table and the ranks that use it. Any thread may call; answers and departures are called
/// from the thread that causes them, without a lock.
class Hub {
 public:
  using OnAnswer = std::function<void(KeyTable::Values)>;
  using OnDeparture = std::function<void(const Departure&)>;
  using Member = std::uint64_t;

  /// `description`: for messages, "process 4711 on 10.0.0.2". Ranks that were lost before are
  /// reported at once. Throws FabricError: refused for a rank that is there already; closed for one
  /// that has left in order, as what it looks for is the next store of this identity.
  Member join(int rank, const std::string& description, OnDeparture on_departure);
  /// The others are told. Nothing happens when the member has left before.
  void leave(Member member);
  void lose(Member member, const std::string& why);

  void set(const std::string& key, Bytes value);
  std::int64_t add(const std::string& key, std::int64_t amount);
  bool remove(const std::string& key);
  /// Calls `on_answer` once all keys are there, perhaps at once: then the result is 0.
  KeyTable::Ticket get(std::vector<std::string> keys, OnAnswer on_answer);
  /// As KeyTable::cancel: `on_answer` will not be called where keys are returned.
  std::vector<std::string> cancel(KeyTable::Ticket ticket);

  std::size_t members() const;

  /// Who carries departures and answers to other processes, and waits here until they are on their
  /// way: a process that ends behind a call of `leave` still tells the others.
  void set_flush(std::function<void()> flush);
  void flush() const;

 private:
  struct Present {
    int rank;
    std::string description;
    OnDeparture on_departure;
  };
  using Calls = std::vector<std::pair<OnAnswer, KeyTable::Values>>;
  Calls calls_for(std::vector<KeyTable::Answer> answers);  // with mutex_
  void depart(Member member, bool orderly, const std::string& why);

  mutable sim::Mutex mutex_;
  KeyTable table_;
  std::map<KeyTable::Ticket, OnAnswer> waiting_;
  std::map<Member, Present> members_;
  std::vector<Departure> losses_;
  std::set<int> left_;  // in order
  Member last_member_ = 0;
  std::function<void()> flush_;
};

}  // namespace fabric
