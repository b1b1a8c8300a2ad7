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

/// Where the program asked for the ops that have not run yet, for the record of the decisions of a
/// seeded schedule. Registered as ordered.
class DecisionPlaces final : public watch::Listener {
 public:
  void enqueueing(Stream& stream, const sim::Op& op, const TaskFacts& facts) override;
  /// "app.cpp:90" of the `number`-th op of the stream, from 0; "" where that is not known.
  std::string of(std::uint32_t stream, std::uint64_t number);

 private:
  struct Sites {
    std::uint64_t first = 0;  // number of the first of them
    std::deque<std::uint64_t> sites;
  };

  sim::Mutex mutex_;
  std::unordered_map<std::uint32_t, Sites> streams_;
  PlaceTexts places_{true};
};

/// The one of this process; null while no decisions are recorded.
DecisionPlaces* decision_places() noexcept;
/// Makes it, never to be destroyed.
DecisionPlaces& keep_decision_places();

}  // namespace acl
