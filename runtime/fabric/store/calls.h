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

/// What came back for a call.
struct Reply {
  enum class Kind : std::uint8_t { values, number, missing, refused } kind = Kind::values;
  KeyTable::Values values{};
  std::int64_t number = 0;
  std::vector<std::string> missing{};
  std::string text{};
};

/// The calls of one store's threads that wait for an answer, which another thread delivers; and
/// what becomes of them when a rank is lost.
class Calls {
 public:
  explicit Calls(Timekeeper& timekeeper) : timekeeper_(timekeeper) {}

  std::uint64_t begin();
  /// The answer; nothing when it does not come until `end`. The call goes on then: await it again,
  /// or drop it. Throws what `fail` was given.
  std::optional<Reply> await(std::uint64_t call, Moment end);
  void drop(std::uint64_t call);
  /// Throws what `fail` was given.
  void check() const;

  // --- by other threads ---
  void deliver(std::uint64_t call, Reply reply);
  /// All calls, now and later; the first reason counts.
  void fail(const FabricError& why);
  /// Tells who listens; an unorderly departure fails all calls.
  void departed(const Departure& departure);
  void on_departure(Hub::OnDeparture tell);

  Timekeeper& timekeeper() const noexcept { return timekeeper_; }

 private:
  void throw_failure() const;  // with mutex_, where there is one
  Timekeeper& timekeeper_;
  mutable sim::Mutex mutex_;
  sim::CondVar changed_;
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, std::optional<Reply>> calls_;
  // As text: a copy of an exception shares its text with the original, unseen by ThreadSanitizer.
  struct Reason {
    Status status;
    std::string text;
  };
  std::optional<Reason> failure_;

  sim::Mutex telling_;  // held while `tell_` runs
  Hub::OnDeparture tell_;
  std::optional<Departure> loss_;
};

}  // namespace fabric
