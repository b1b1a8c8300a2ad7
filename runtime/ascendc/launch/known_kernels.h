// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "ascendc/impl/launch.h"
#include "device_sim/base/mutex.h"

namespace ascendc {

/// The kernels of loaded code by their addresses, for launches through a pointer.
class KnownKernels {
 public:
  /// The kernels of this process. It lives as long as the process, as code is unloaded late.
  static KnownKernels& of_process();

  void know(const void* address, const aclsimKernelCode& code) EXCLUDES(mutex_);
  /// Does nothing if `code` is not what is known of the address.
  void forget(const void* address, const aclsimKernelCode& code) EXCLUDES(mutex_);
  /// Null: not known.
  const aclsimKernelCode* find(const void* address) const EXCLUDES(mutex_);

 private:
  mutable sim::Mutex mutex_;
  std::unordered_map<const void*, const aclsimKernelCode*> codes_ GUARDED_BY(mutex_);
};

}  // namespace ascendc
