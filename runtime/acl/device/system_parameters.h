// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "acl/acl_base_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// Options of the process and of each context, for operators that ask for them.
class SystemParameters final : public Section {
 public:
  explicit SystemParameters(Runtime&) {}

  void set(aclSysParamOpt option, std::int64_t value);
  void set(const Context& context, aclSysParamOpt option, std::int64_t value);
  /// These raise ACL_ERROR_RT_SYSPARAMOPT_NOT_SET for an option that was not set. A context does
  /// not inherit the options of the process.
  std::int64_t get(aclSysParamOpt option) const;
  std::int64_t get(const Context& context, aclSysParamOpt option) const;

  void reset() override;
  void context_ends(const Context& context) override;

 private:
  using Values = std::map<aclSysParamOpt, std::int64_t>;

  mutable sim::Mutex mutex_;
  Values process_ GUARDED_BY(mutex_);
  std::unordered_map<const Context*, Values> contexts_ GUARDED_BY(mutex_);
};

}  // namespace acl
