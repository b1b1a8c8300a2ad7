// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/watch/loss.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>

#include "acl/acl_base.h"

namespace acl {
namespace {

bool holds_any(std::string_view call, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [call](std::string_view word) {
    return call.find(word) != std::string_view::npos;
  });
}

// A program polls with these.
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

Loss loss_of(std::string_view call, std::int32_t code) noexcept {
  if (std::find(std::begin(kLimits), std::end(kLimits), code) != std::end(kLimits)) {
    return Loss::nothing;
  }
  // Both phases of an operator, and what moves or waits for bytes of other PEs.
  if (call.starts_with("aclnn")) return Loss::work;
  if (call.starts_with("aclshmem")) {
    const bool moves =
        holds_any(call, {"put", "get", "alloc", "barrier", "signal", "wait", "sync"});
    return moves ? Loss::work : Loss::little;
  }
  if (holds_any(call, {"Query", "Get", "CanAccess", "Check", "Capabilit", "Peek"})) {
    return Loss::nothing;
  }
  const bool works = holds_any(
      call, {"Memcpy",     "Memset",      "Malloc",     "MemAlloc",  "Launch",    "Record",
             "Wait",       "Synchronize", "Execute",    "Reduce",    "RandomNum", "ValueWrite",
             "PoolMalloc", "MapMem",      "ReserveMem", "AllGather", "AlltoAll",  "Broadcast",
             "Scatter",    "Send",        "Recv",       "Prefetch",  "Barrier"});
  return works ? Loss::work : Loss::little;
}

std::optional<order::Rule> rule_of_code(std::int32_t code) noexcept {
  const auto* const row = std::find_if(std::begin(kCodeRules), std::end(kCodeRules),
                                       [code](const CodeRule& r) { return r.code == code; });
  return row == std::end(kCodeRules) ? std::nullopt : std::optional(row->rule);
}

}  // namespace acl
