// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <unordered_map>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The program's configurations of streams to be created. The program may read them, so they are
/// real structures. The pointers that it passes are looked up before use.
class StreamConfigs final : public Section {
 public:
  explicit StreamConfigs(Runtime&) {}

  aclrtStreamConfigHandle* create();
  /// These raise ACL_ERROR_RT_INVALID_HANDLE if the handle is not a live configuration.
  void destroy(const aclrtStreamConfigHandle* handle);
  void set(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attribute, const void* value,
           std::size_t value_size);
  aclrtStreamConfigHandle read(const aclrtStreamConfigHandle* handle) const;

  void reset() override;
  std::size_t live_handles() const override;

 private:
  using Owned = std::unordered_map<const void*, std::unique_ptr<aclrtStreamConfigHandle>>;
  Owned::const_iterator find(const aclrtStreamConfigHandle* handle) const REQUIRES(mutex_);

  mutable sim::Mutex mutex_;
  Owned configs_ GUARDED_BY(mutex_);
};

}  // namespace acl
