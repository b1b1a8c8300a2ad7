// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/begun_calls.h"

namespace acl {

constinit std::atomic<BegunCallSlot::Place*> BegunCallSlot::places_{nullptr};

BegunCallSlot::BegunCallSlot() : place_(take_place()) {}

BegunCallSlot::~BegunCallSlot() {
  set({});
  place_.owned.store(false, std::memory_order_release);
}

BegunCallSlot::Place& BegunCallSlot::take_place() {
  for (Place* place = places_.load(std::memory_order_acquire); place; place = place->next) {
    if (!place->owned.exchange(true, std::memory_order_acquire)) return *place;
  }
  auto* const place = new Place;
  place->next = places_.load(std::memory_order_relaxed);
  while (!places_.compare_exchange_weak(place->next, place, std::memory_order_release,
                                        std::memory_order_relaxed)) {
  }
  return *place;
}

std::vector<BegunCall> BegunCallSlot::all() {
  std::vector<BegunCall> calls;
  for (const Place* place = places_.load(std::memory_order_acquire); place; place = place->next) {
    const BegunCall call = unpack(place->packed.load(std::memory_order_acquire));
    if (call.completion_id != 0) calls.push_back(call);
  }
  return calls;
}

}  // namespace acl
