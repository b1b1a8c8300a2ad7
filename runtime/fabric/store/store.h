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

/// Some keys did not appear in time.
class StoreTimeout : public FabricError {
 public:
  StoreTimeout(std::vector<std::string> missing, const std::string& what)
      : FabricError(Status::timed_out, what), missing_(std::move(missing)) {}
  const std::vector<std::string>& missing() const noexcept { return missing_; }

 private:
  std::vector<std::string> missing_;
};

/// The access of one rank to the values that all ranks of a communicator share. Ranks exchange
/// their first data through it, before other connections exist.
///
/// Any thread may call. After the loss of a rank every call, pending or later, throws
/// FabricError(lost) with the text of the departure.
class Store {
 public:
  virtual ~Store() = default;

  /// Throw FabricError(invalid) as KeyTable does.
  virtual void set(const std::string& key, Bytes value) = 0;
  virtual std::int64_t add(const std::string& key, std::int64_t amount) = 0;
  virtual bool remove(const std::string& key) = 0;
  /// Waits until all keys exist. Throws StoreTimeout.
  virtual KeyTable::Values get(const std::vector<std::string>& keys, Moment end) = 0;
  Bytes get(const std::string& key, Moment end) { return std::move(get(std::vector{key}, end)[0]); }
  /// Sets the entries, then waits for all keys, in one message. A rank that has seen the entries
  /// knows that the reply needs no further message of this rank.
  using Entries = std::vector<std::pair<std::string, Bytes>>;
  virtual KeyTable::Values exchange(Entries mine, const std::vector<std::string>& keys,
                                    Moment end) {
    for (auto& [key, value] : mine) set(key, std::move(value));
    return get(keys, end);
  }

  /// This rank leaves in order: the others continue without it. No call may follow.
  virtual void leave() = 0;
  /// This rank cannot continue: the others fail with this reason.
  virtual void give_up(const std::string& why) = 0;

  /// `tell` is called by a thread of the fabric for every later departure, and for a loss that came
  /// before. It may not call the store. There is one listener at most. Null unregisters it; the
  /// call returns only when `tell` is not running.
  virtual void on_departure(Hub::OnDeparture tell) = 0;

  /// Makes all pending and later calls throw this error.
  virtual void fail(const FabricError& why) = 0;
  /// Whether this process holds the store.
  virtual bool is_local() const noexcept = 0;
  virtual Timekeeper& timekeeper() const noexcept = 0;
};

/// Synchronises ranks 0 to size-1, any number of times.
class StoreCollectives {
 public:
  StoreCollectives(Store& store, std::string name, int rank, int size)
      : store_(store), name_(std::move(name)), rank_(rank), size_(size) {}

  /// Returns the data of each rank, by rank. Throws FabricError: timed_out names the ranks that did
  /// not arrive.
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
