// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/system_parameters.h"

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"

namespace acl {
namespace {

constexpr aclSysParamOpt kLastOfContext = ACL_OPT_STRONG_CONSISTENCY;
constexpr aclSysParamOpt kLastOfProcess = ACL_OPT_ENABLE_KERNEL_EARLY_START;

void check(aclSysParamOpt option, aclSysParamOpt last) {
  if (option < ACL_OPT_DETERMINISTIC || option > last) {
    fail(ACL_ERROR_INVALID_PARAM, "opt is {}; expected 0 to {}", static_cast<int>(option),
         static_cast<int>(last));
  }
}

std::int64_t value_in(const std::map<aclSysParamOpt, std::int64_t>* values, aclSysParamOpt option) {
  if (values) {
    if (const auto it = values->find(option); it != values->end()) return it->second;
  }
  fail(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, "option {} was not set", static_cast<int>(option));
}

}  // namespace

void SystemParameters::set(aclSysParamOpt option, std::int64_t value) {
  check(option, kLastOfProcess);
  const sim::LockGuard guard(mutex_);
  process_[option] = value;
}

void SystemParameters::set(const Context& context, aclSysParamOpt option, std::int64_t value) {
  check(option, kLastOfContext);
  const sim::LockGuard guard(mutex_);
  contexts_[&context][option] = value;
}

std::int64_t SystemParameters::get(aclSysParamOpt option) const {
  check(option, kLastOfProcess);
  const sim::LockGuard guard(mutex_);
  return value_in(&process_, option);
}

std::int64_t SystemParameters::get(const Context& context, aclSysParamOpt option) const {
  check(option, kLastOfContext);
  const sim::LockGuard guard(mutex_);
  const auto it = contexts_.find(&context);
  return value_in(it == contexts_.end() ? nullptr : &it->second, option);
}

void SystemParameters::reset() {
  const sim::LockGuard guard(mutex_);
  process_.clear();
  contexts_.clear();
}

void SystemParameters::context_ends(const Context& context) {
  const sim::LockGuard guard(mutex_);
  contexts_.erase(&context);
}

}  // namespace acl
