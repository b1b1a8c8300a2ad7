// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/host_wait_slots.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace acl {

constinit std::atomic<HostWaitSlot::Slot*> HostWaitSlot::slots_{nullptr};

HostWaitSlot::Slot& HostWaitSlot::take_slot() {
  for (Slot* at = slots_.load(std::memory_order_acquire); at; at = at->next) {
    bool owned = false;
    if (at->owned.compare_exchange_strong(owned, true)) return *at;
  }
  auto* const made = new Slot;
  made->next = slots_.load(std::memory_order_relaxed);
  while (!slots_.compare_exchange_weak(made->next, made, std::memory_order_release)) {
  }
  return *made;
}

HostWaitSlot::HostWaitSlot() : slot_(take_slot()) {
  slot_.thread.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_relaxed);
}

HostWaitSlot::~HostWaitSlot() {
  const std::uint64_t serial = begin_change();
  slot_.depth.store(0, std::memory_order_release);
  slot_.functions.store(0, std::memory_order_release);
  end_change(serial);
  slot_.owned.store(false, std::memory_order_release);
}

std::optional<HostWaitView> HostWaitSlot::Slot::read() const {
  HostWaitView view;
  view.serial = serial.load(std::memory_order_acquire);
  view.thread = thread.load(std::memory_order_acquire);
  const std::size_t count = depth.load(std::memory_order_acquire);
  if (count != 0) {
    const Entry& entry = waits[std::min(count, kMost) - 1];
    const std::uint64_t facts = entry.bits.load(std::memory_order_acquire);
    const std::uint64_t ids = entry.streams.load(std::memory_order_acquire);
    view.what = static_cast<watch::Wait::For>(facts >> 2);
    view.untimed = (facts & 2) != 0;
    view.in_function = (facts & 1) != 0;
    view.stream = static_cast<std::uint32_t>(ids);
    view.serves = static_cast<std::uint32_t>(ids >> 32);
    view.core = entry.core.load(std::memory_order_acquire);
    view.target = entry.target.load(std::memory_order_acquire);
    view.call.what = entry.call.load(std::memory_order_acquire);
    view.call.site = entry.site.load(std::memory_order_acquire);
    view.call.thread = static_cast<std::uint32_t>(view.thread);
  }
  const bool whole = view.serial % 2 == 0 && serial.load(std::memory_order_relaxed) == view.serial;
  return whole ? std::optional(view) : std::nullopt;
}

HostWaitSlot::State HostWaitSlot::all() {
  State state;
  for (const Slot* at = slots_.load(std::memory_order_acquire); at; at = at->next) {
    const auto view = at->read();
    state.events += at->serial.load(std::memory_order_relaxed);
    const bool waits = view && *view->call.what != '\0';
    const bool runs = at->functions.load(std::memory_order_relaxed) != 0;
    if (runs && !(waits && view->in_function)) {
      state.busy.push_back(at->thread.load(std::memory_order_relaxed));
    }
    if (waits) state.waits.push_back(*view);
  }
  return state;
}

}  // namespace acl
