// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/begun_calls.h"

namespace acl {

constinit std::atomic<BegunCallSlot::Slot*> BegunCallSlot::slots_{nullptr};

BegunCallSlot::BegunCallSlot() : slot_(take_slot()) {}

BegunCallSlot::~BegunCallSlot() {
  set({});
  slot_.owned.store(false, std::memory_order_release);
}

BegunCallSlot::Slot& BegunCallSlot::take_slot() {
  for (Slot* slot = slots_.load(std::memory_order_acquire); slot; slot = slot->next) {
    if (!slot->owned.exchange(true, std::memory_order_acquire)) return *slot;
  }
  auto* const slot = new Slot;
  slot->next = slots_.load(std::memory_order_relaxed);
  while (!slots_.compare_exchange_weak(slot->next, slot, std::memory_order_release,
                                       std::memory_order_relaxed)) {
  }
  return *slot;
}

std::vector<BegunCall> BegunCallSlot::all() {
  std::vector<BegunCall> calls;
  for (const Slot* slot = slots_.load(std::memory_order_acquire); slot; slot = slot->next) {
    const BegunCall call = unpack(slot->packed.load(std::memory_order_acquire));
    if (call.completion_id != 0) calls.push_back(call);
  }
  return calls;
}

}  // namespace acl
