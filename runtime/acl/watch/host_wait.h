// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "runtime/acl/watch/registry.h"

namespace acl::watch {

/// A call that waits for the device, from here to its end. It ended in vain unless reached() is
/// called.
class HostWait {
 public:
  explicit HostWait(const Wait& wait) : listener_(listener()) {
    if (listener_) [[unlikely]] begin(wait);
  }
  ~HostWait() {
    if (listener_) [[unlikely]] end(false);
  }
  HostWait(const HostWait&) = delete;
  HostWait& operator=(const HostWait&) = delete;
  /// What was waited for is complete.
  void reached() {
    if (listener_) [[unlikely]] end(true);
  }

 private:
  void begin(const Wait& wait) {
    wait_ = wait;
    listener_->wait_begins(wait_, state_);
  }
  void end(bool reached) { std::exchange(listener_, nullptr)->wait_ended(wait_, state_, reached); }

  Listener* listener_;
  Wait wait_;
  WaitState state_;
};

}  // namespace acl::watch
