// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "acl/acl_sim.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/capi/guard.h"

namespace acl {

/// Data of the program that an op holds. When the op is over, the program's release function is
/// called.
class HeldData : public sim::Shared {
 public:
  HeldData(aclsimRelease told, void* data) : release_(told), data_(data) {}
  ~HeldData() override { release_(data_); }

 private:
  const aclsimRelease release_;
  void* const data_;
};

/// As `guarded`; `body` gets the data as an object, or null without a release. The data is released
/// exactly once, also if the call fails or does not reach the runtime.
template <class Body>
aclError guarded_with_release(Caller caller, aclsimRelease release, void* data, Body body) {
  bool held = release == nullptr;
  const aclError code = guarded(caller, [&](Runtime& runtime) {
    sim::Ref<const sim::Shared> owner;
    if (release) owner = sim::Ref<const sim::Shared>::adopt(new HeldData(release, data));
    held = true;
    body(runtime, std::move(owner));
  });
  if (!held) release(data);
  return code;
}

}  // namespace acl
