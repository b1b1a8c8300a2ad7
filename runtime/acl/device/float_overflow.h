// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

class Context;

/// The overflow status: 64 bytes of device memory for each context, zero until a kernel that asked
/// for the address writes there; and the overflow mode of each device. Kernels are host functions,
/// which overflow as the host does in each mode.
class FloatOverflow final : public Section {
 public:
  static constexpr std::size_t kStatusSize = 64;

  explicit FloatOverflow(Runtime& runtime) : runtime_(runtime) {}

  /// The address of the context's status, which is allocated on first use.
  void* status(const Context& context);

  void set_mode(int device, aclrtFloatOverflowMode mode);
  aclrtFloatOverflowMode mode(int device) const;

  void reset() override;
  void context_ends(const Context& context) override;
  void device_ends(int device) override;

 private:
  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  std::unordered_map<const Context*, void*> status_ GUARDED_BY(mutex_);
  std::unordered_map<int, aclrtFloatOverflowMode> modes_ GUARDED_BY(mutex_);
};

}  // namespace acl
