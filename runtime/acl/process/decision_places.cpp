// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/process/decision_places.h"

#include "device_sim/base/mutex.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/core/thread_state.h"

namespace acl {
namespace {

DecisionPlaces* the_places = nullptr;

}  // namespace

DecisionPlaces* decision_places() noexcept { return the_places; }

DecisionPlaces& keep_decision_places() {
  the_places = new DecisionPlaces;
  return *the_places;
}

// Ops that were enqueued without a call of the program leave a gap.
void DecisionPlaces::enqueueing(Stream& stream, const sim::Op&, const TaskFacts&) {
  const sim::Stream& core = stream.core();
  const std::uint64_t number = core.submitted();
  const std::uint64_t over = core.retired();
  const sim::LockGuard guard(mutex_);
  Sites& at = streams_[core.id()];
  while (!at.sites.empty() && at.first < over) {
    at.sites.pop_front();
    ++at.first;
  }
  if (at.sites.empty()) at.first = number;
  at.sites.resize(number - at.first);
  at.sites.push_back(call_site_of(thread_state()));
}

std::string DecisionPlaces::of(std::uint32_t stream, std::uint64_t number) {
  const sim::LockGuard guard(mutex_);
  const auto found = streams_.find(stream);
  if (found == streams_.end() || number < found->second.first) return {};
  const Sites& at = found->second;
  if (number - at.first >= at.sites.size()) return {};
  return places_.of(at.sites[number - at.first]);
}

}  // namespace acl
