// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "device_sim/base/mutex.h"
#include "runtime/acl/watch/listener.h"
#include "runtime/acl/watch/place_texts.h"

namespace acl {

/// The source locations of the calls that enqueued the pending ops, for the record of the decisions
/// of a seeded schedule. Registered as ordered.
class DecisionPlaces final : public watch::Listener {
 public:
  void enqueueing(Stream& stream, const sim::Op& op, const TaskFacts& facts) override;
  /// "app.cpp:90" for op `number` (from 0) of the stream; "" if its location is not known.
  std::string of(std::uint32_t stream, std::uint64_t number);

 private:
  struct Sites {
    std::uint64_t first = 0;  // number of the first of them
    std::deque<std::uint64_t> sites;
  };

  sim::Mutex mutex_;
  std::unordered_map<std::uint32_t, Sites> streams_ GUARDED_BY(mutex_);
  PlaceTexts places_ GUARDED_BY(mutex_){true};
};

/// The object of this process; null while no decisions are recorded.
DecisionPlaces* decision_places() noexcept;
/// Makes the object, which is never destroyed.
DecisionPlaces& keep_decision_places();

}  // namespace acl
