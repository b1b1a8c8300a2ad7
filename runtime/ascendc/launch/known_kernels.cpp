// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/known_kernels.h"

namespace ascendc {

KnownKernels& KnownKernels::of_process() {
  static KnownKernels* const kernels = new KnownKernels;
  return *kernels;
}

void KnownKernels::know(const void* address, const aclsimKernelCode& code) {
  const sim::LockGuard guard(mutex_);
  codes_[address] = &code;
}

void KnownKernels::forget(const void* address, const aclsimKernelCode& code) {
  const sim::LockGuard guard(mutex_);
  const auto it = codes_.find(address);
  if (it != codes_.end() && it->second == &code) codes_.erase(it);
}

const aclsimKernelCode* KnownKernels::find(const void* address) const {
  const sim::LockGuard guard(mutex_);
  const auto it = codes_.find(address);
  return it == codes_.end() ? nullptr : it->second;
}

}  // namespace ascendc
