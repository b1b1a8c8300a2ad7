// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/fabric/base/error.h"
#include "runtime/fabric/base/timekeeper.h"
#include "runtime/fabric/store/hub.h"

namespace fabric {

/// The reply to a call.
struct Reply {
  enum class Kind : std::uint8_t { values, number, missing, refused } kind = Kind::values;
  KeyTable::Values values{};
  std::int64_t number = 0;
  std::vector<std::string> missing{};
  std::string text{};
};

/// The pending calls of one store. A calling thread waits for its reply, which another thread
/// delivers. All calls fail when a rank is lost.
class Calls {
 public:
  explicit Calls(Timekeeper& timekeeper) : timekeeper_(timekeeper) {}

  std::uint64_t begin();
  /// Returns the reply, or nothing if it does not arrive until `end`. The call is then still
  /// pending: await it again, or drop it. Throws the failure that was passed to `fail`.
  std::optional<Reply> await(std::uint64_t call, Moment end);
  void drop(std::uint64_t call);
  /// Throws the failure that was passed to `fail`.
  void check() const;

  // --- called by other threads ---
  void deliver(std::uint64_t call, Reply reply);
  /// Fails all pending and later calls. The first failure is kept.
  void fail(const FabricError& why);
  /// Calls the listener. A departure that is not orderly fails all calls.
  void departed(const Departure& departure);
  void on_departure(Hub::OnDeparture tell);

  Timekeeper& timekeeper() const noexcept { return timekeeper_; }

 private:
  /// Does nothing before `fail` is called.
  void throw_failure() const REQUIRES(mutex_);
  Timekeeper& timekeeper_;
  mutable sim::Mutex mutex_;
  sim::CondVar changed_;
  std::uint64_t last_ GUARDED_BY(mutex_) = 0;
  std::map<std::uint64_t, std::optional<Reply>> calls_ GUARDED_BY(mutex_);
  // Kept as text: a copy of an exception shares its text with the original, and ThreadSanitizer
  // does not see how the two are synchronised.
  struct Reason {
    Status status;
    std::string text;
  };
  std::optional<Reason> failure_ GUARDED_BY(mutex_);

  sim::Mutex telling_;  // held while `tell_` is called
  Hub::OnDeparture tell_ GUARDED_BY(telling_);
  std::optional<Departure> loss_ GUARDED_BY(telling_);
};

}  // namespace fabric
