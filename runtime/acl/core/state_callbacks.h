// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "acl/acl_rt.h"
#include "runtime/acl/base/named_callbacks.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The program's callbacks for the creation and destruction of streams, and for calls that set and
/// reset a device. They run in the thread of the call.
class StateCallbacks final : public Section {
 public:
  explicit StateCallbacks(Runtime&) {}

  NamedCallbacks<aclrtStreamStateCallback> streams;
  NamedCallbacks<aclrtDeviceStateCallback> devices;

  void tell(aclrtStream stream, aclrtStreamState state) const {
    streams.for_each([&](const auto& entry) { entry.function(stream, state, entry.args); });
  }
  void tell(int device_id, aclrtDeviceState state) const {
    devices.for_each([&](const auto& entry) { entry.function(device_id, state, entry.args); });
  }

  void reset() override {
    streams.clear();
    devices.clear();
  }
};

}  // namespace acl
