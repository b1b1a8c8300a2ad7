// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "device_sim/base/clock.h"
#include "runtime/acl/watch/registry.h"

namespace acl::watch {

/// The scope of a call that waits for the device. If `reached` is not called, the wait ended in
/// vain.
class HostWait {
 public:
  /// `what`: one of the first three. `core`, `target`: see Wait.
  HostWait(Wait::For what, Stream& stream, bool untimed, sim::Stream& core, std::uint64_t target)
      : listener_(listener()) {
    if (listener_) [[unlikely]] {
      begin({.what = what, .untimed = untimed, .stream = &stream, .core = &core, .target = target});
    }
  }
  /// `record` outlives this.
  HostWait(const EventRecord& record, bool untimed, sim::Stream* core = nullptr,
           std::uint64_t target = 0)
      : listener_(listener()) {
    if (listener_) [[unlikely]] {
      begin({.what = Wait::For::event,
             .untimed = untimed,
             .record = &record,
             .core = core,
             .target = target});
    }
  }
  /// A wait for a call that records an event again; `record` is the one that was reset.
  HostWait(Wait::For what, const EventRecord& record, bool untimed) : listener_(listener()) {
    if (listener_) [[unlikely]]
      begin({.what = what, .untimed = untimed, .record = &record});
  }
  explicit HostWait(int device) : listener_(listener()) {
    if (listener_) [[unlikely]]
      begin({.what = Wait::For::device, .device = device});
  }
  /// A wait for callbacks. Waits with a time limit are not reported.
  explicit HostWait(const sim::Deadline& deadline)
      : listener_(deadline.is_never() ? listener() : nullptr) {
    if (listener_) [[unlikely]]
      begin({.what = Wait::For::callbacks});
  }
  ~HostWait() {
    if (listener_) [[unlikely]]
      end(false);
  }
  HostWait(const HostWait&) = delete;
  HostWait& operator=(const HostWait&) = delete;
  /// The object that the call waits for is complete.
  void reached() {
    if (listener_) [[unlikely]]
      end(true);
  }

 private:
  void begin(const Wait& wait) {
    wait_ = wait;
    if (!listener_->wait_begins(wait_, state_)) listener_ = nullptr;
  }
  void end(bool reached) { std::exchange(listener_, nullptr)->wait_ended(wait_, state_, reached); }

  Listener* listener_;
  Wait wait_;  // this, too, only while there is a listener
  WaitState state_;
};

}  // namespace acl::watch
