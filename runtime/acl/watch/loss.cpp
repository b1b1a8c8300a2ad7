// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/loss.h"

#include <algorithm>
#include <iterator>

#include "acl/acl_base.h"

namespace acl {
namespace {

// A program polls with waits that end with these codes.
constexpr std::int32_t kLimits[] = {ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                                    ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, ACL_ERROR_RT_REPORT_TIMEOUT};

struct CodeRule {
  std::int32_t code;
  order::Rule rule;
};
constexpr CodeRule kCodeRules[] = {
    {ACL_ERROR_RT_INVALID_HANDLE, order::Rule::dead_handle},
    {ACL_ERROR_RT_NO_STREAM_RESOURCE, order::Rule::exhausted},
    {ACL_ERROR_RT_NO_EVENT_RESOURCE, order::Rule::exhausted},
    {ACL_ERROR_RT_NO_NOTIFY_RESOURCE, order::Rule::exhausted},
    {ACL_ERROR_RT_STREAM_UNJOINED, order::Rule::capture_broken},
    {ACL_ERROR_RT_STREAM_CAPTURED, order::Rule::capture_broken},
    {ACL_ERROR_RT_EVENT_CAPTURED, order::Rule::capture_broken},
    {ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, order::Rule::capture_broken},
    {ACL_ERROR_STREAM_CAPTURE_CONFLICT, order::Rule::capture_broken},
    {ACL_ERROR_RT_CAPTURE_DEPENDENCY, order::Rule::capture_broken},
    {ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT, order::Rule::capture_broken},
    {ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC, order::Rule::capture_broken},
};

}  // namespace

// An operator of the program's own is in no table. It has the loss of other operators.
order::Loss loss_of(std::string_view call, std::int32_t code) noexcept {
  if (std::find(std::begin(kLimits), std::end(kLimits), code) != std::end(kLimits)) {
    return order::Loss::nothing;
  }
  if (const auto loss = order::loss_of(call)) return *loss;
  return call.starts_with("aclnn") ? order::Loss::work : order::Loss::little;
}

std::optional<order::Rule> rule_of_code(std::int32_t code) noexcept {
  const auto* const row = std::find_if(std::begin(kCodeRules), std::end(kCodeRules),
                                       [code](const CodeRule& r) { return r.code == code; });
  return row == std::end(kCodeRules) ? std::nullopt : std::optional(row->rule);
}

order::Rule rule_of(watch::Misuse misuse) noexcept {
  switch (misuse) {
    case watch::Misuse::out_of_bounds:
      return order::Rule::out_of_bounds;
    case watch::Misuse::no_peer_access:
      return order::Rule::no_peer_access;
    case watch::Misuse::wrong_direction:
      return order::Rule::wrong_direction;
    case watch::Misuse::collective_mismatch:
      return order::Rule::collective_order;
    case watch::Misuse::hidden_synchronize:
      return order::Rule::hidden_synchronize;
  }
  return order::Rule::failed_call;
}

}  // namespace acl
