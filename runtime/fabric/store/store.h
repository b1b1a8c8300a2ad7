// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/fabric/base/bytes.h"
#include "runtime/fabric/base/error.h"
#include "runtime/fabric/base/timekeeper.h"
#include "runtime/fabric/store/hub.h"

namespace fabric {

/// Not all keys came in time.
class StoreTimeout : public FabricError {
 public:
  StoreTimeout(std::vector<std::string> missing, const std::string& what)
      : FabricError(Status::timed_out, what), missing_(std::move(missing)) {}
  const std::vector<std::string>& missing() const noexcept { return missing_; }

 private:
  std::vector<std::string> missing_;
};

/// One rank's way to the values that all ranks of a communicator share: how they find each other
/// before anything else connects them.
///
/// Any thread may call. After a rank was lost every call throws FabricError(lost) with the text of
/// the departure, those that wait at that moment included.
class Store {
 public:
  virtual ~Store() = default;

  /// Throw FabricError(invalid) as KeyTable does.
  virtual void set(const std::string& key, Bytes value) = 0;
  virtual std::int64_t add(const std::string& key, std::int64_t amount) = 0;
  virtual bool remove(const std::string& key) = 0;
  /// Waits until all keys are there. Throws StoreTimeout.
  virtual KeyTable::Values get(const std::vector<std::string>& keys, Moment end) = 0;
  Bytes get(const std::string& key, Moment end) { return std::move(get(std::vector{key}, end)[0]); }
  /// Sets these, then waits for all keys, in one message: once they are seen, the store needs to
  /// hear nothing more of this rank to answer it.
  using Entries = std::vector<std::pair<std::string, Bytes>>;
  virtual KeyTable::Values exchange(Entries mine, const std::vector<std::string>& keys,
                                    Moment end) {
    for (auto& [key, value] : mine) set(key, std::move(value));
    return get(keys, end);
  }

  /// This rank goes in order: the others go on without it. No call after this.
  virtual void leave() = 0;
  /// This rank cannot go on: the others fail with this reason.
  virtual void give_up(const std::string& why) = 0;

  /// Called, in a thread of these rooms, for every departure that comes from now on, and for a loss
  /// that came before. May not call the store. One at most; null takes it away and returns when
  /// it is not being called any more.
  virtual void on_departure(Hub::OnDeparture tell) = 0;

  /// All calls, now and later, throw this.
  virtual void fail(const FabricError& why) = 0;
  /// Whether the store is held by this process.
  virtual bool is_local() const noexcept = 0;
  virtual Timekeeper& timekeeper() const noexcept = 0;
};

/// Where ranks 0 to size-1 meet again and again.
class Meeting {
 public:
  Meeting(Store& store, std::string name, int rank, int size)
      : store_(store), name_(std::move(name)), rank_(rank), size_(size) {}

  /// What each rank brought, by rank. Throws FabricError: timed_out names the ranks that did not
  /// come.
  std::vector<Bytes> allgather(Bytes mine, Moment end);
  void barrier(Moment end) { allgather({}, end); }

 private:
  std::string key(std::uint64_t round, int rank) const;

  Store& store_;
  const std::string name_;
  const int rank_;
  const int size_;
  std::uint64_t round_ = 0;
};

}  // namespace fabric
