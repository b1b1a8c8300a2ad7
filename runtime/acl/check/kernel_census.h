// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "runtime/order/report/report.h"

namespace acl {

/// The kernels that a program launches, and which of them declare their accesses. Not thread-safe.
class KernelCensus {
 public:
  /// A launch, at that place. True for the first one of this kernel that declares nothing.
  bool launched(const char* name, std::uint64_t site, bool declares) {
    Recent& recent = recent_[(reinterpret_cast<std::uintptr_t>(name) >> 3) % recent_.size()];
    if (name != recent.name) [[unlikely]]
      recent = {name, &kernels_[name]};
    Kernel& kernel = *recent.kernel;
    kernel.site = site;
    if (declares || kernel.undeclared) return false;
    kernel.undeclared = true;
    ++undeclared_;
    return true;
  }
  /// The site of the last launch of the kernel; 0: not known.
  std::uint64_t site_of(const char* name) const {
    const auto at = kernels_.find(name);
    return at == kernels_.end() ? 0 : at->second.site;
  }
  order::KernelCounts counts() const noexcept { return {kernels_.size(), undeclared_}; }
  void clear() { *this = {}; }

 private:
  struct Kernel {
    std::uint64_t site = 0;
    bool undeclared = false;  // some launch declares nothing
  };
  std::map<std::string, Kernel, std::less<>> kernels_;  // by name
  std::uint64_t undeclared_ = 0;
  struct Recent {
    const char* name = nullptr;
    Kernel* kernel = nullptr;
  };
  std::array<Recent, 16> recent_;  // found by the address of the name
};

}  // namespace acl
