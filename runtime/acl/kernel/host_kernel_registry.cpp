// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/host_kernel_registry.h"

#include "device_sim/base/mutex.h"

namespace acl {

void HostKernelRegistry::add(const std::string& binary, const std::string& name, KernelCode code) {
  const sim::LockGuard guard(mutex_);
  kernels_[{binary, name}] = std::move(code);
}

bool HostKernelRegistry::remove(const std::string& binary, const std::string& name) {
  const sim::LockGuard guard(mutex_);
  return kernels_.erase({binary, name}) != 0;
}

void HostKernelRegistry::clear() {
  const sim::LockGuard guard(mutex_);
  kernels_.clear();
}

std::optional<KernelCode> HostKernelRegistry::find(const std::string& binary,
                                                   const std::string& name) const {
  const sim::LockGuard guard(mutex_);
  const auto found = kernels_.find({binary, name});
  if (found == kernels_.end()) return {};
  return found->second;
}

std::vector<std::string> HostKernelRegistry::functions(const std::string& binary) const {
  const sim::LockGuard guard(mutex_);
  std::vector<std::string> names;
  for (auto at = kernels_.lower_bound({binary, {}});
       at != kernels_.end() && at->first.first == binary; ++at) {
    names.push_back(at->first.second);
  }
  return names;
}

std::optional<HostKernelRegistry::Named> HostKernelRegistry::find(const void* function) const {
  const sim::LockGuard guard(mutex_);
  for (const auto& [names, code] : kernels_) {
    if (reinterpret_cast<const void*>(code.function) == function) return Named{names.second, code};
  }
  return {};
}

}  // namespace acl
