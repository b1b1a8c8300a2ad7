// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The configurations of streams to come that the program holds. It may look into them, so they are
/// real structures; those that it names are looked up, not trusted.
class StreamConfigs final : public Section {
 public:
  explicit StreamConfigs(Runtime&) {}

  aclrtStreamConfigHandle* create();
  /// These raise ACL_ERROR_RT_INVALID_HANDLE for what is not a live configuration.
  void destroy(const aclrtStreamConfigHandle* handle);
  void set(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attribute, const void* value,
           std::size_t value_size);
  aclrtStreamConfigHandle read(const aclrtStreamConfigHandle* handle) const;

  void reset() override;
  std::size_t live_handles() const override;

 private:
  using Owned = std::unordered_map<const void*, std::unique_ptr<aclrtStreamConfigHandle>>;
  Owned::const_iterator find(const aclrtStreamConfigHandle* handle) const;  // with the mutex

  mutable sim::Mutex mutex_;
  Owned configs_;
};

}  // namespace acl
