// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/kernel/kernel_image.h"

namespace acl {

/// The host functions that the program registered as kernels, by binary ("" for every binary) and
/// name.
class HostKernelRegistry {
 public:
  void add(const std::string& binary, const std::string& name, KernelCode code);
  /// False when there is no such registration.
  bool remove(const std::string& binary, const std::string& name);
  void clear();

  std::optional<KernelCode> find(const std::string& binary, const std::string& name) const;
  std::vector<std::string> functions(const std::string& binary) const;
  bool knows(const std::string& binary) const { return !functions(binary).empty(); }

  struct Named {
    std::string name;
    KernelCode code;
  };
  /// The registration of this function under any name.
  std::optional<Named> find(const void* function) const;

 private:
  mutable sim::Mutex mutex_;
  std::map<std::pair<std::string, std::string>, KernelCode> kernels_ GUARDED_BY(mutex_);
};

}  // namespace acl
