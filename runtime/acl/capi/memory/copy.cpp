// SPDX-License-Identifier: Apache-2.0
// Copies of one piece of memory.
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/capi/core/quick.h"
#include "runtime/acl/capi/memory/quick_memory.h"
#include "runtime/acl/memory/transfer.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

namespace {

constexpr bool is_kind(aclrtMemcpyKind kind) noexcept {
  return kind >= ACL_MEMCPY_HOST_TO_HOST && kind <= ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE;
}

/// Within a device, and between devices and pinned memory.
inline aclError copy_quickly(const char* function, void* dst, std::size_t dest_max, const void* src,
                             std::size_t count, aclrtMemcpyKind kind, aclrtStream stream) {
  if (!nobody_attends()) return kLongWay;
  const QuickStream to = quick_stream(stream);
  if (!to || count == 0 || count > dest_max || dst == src || !is_kind(kind)) return kLongWay;
  const sim::Allocation* const target = quick_memory(to, dst, count);
  if (!target) return kLongWay;
  const sim::Allocation* const source = quick_memory(to, src, count);
  if (!source) return kLongWay;
  const bool to_host = target->device == sim::kHostDevice;
  const bool from_host = source->device == sim::kHostDevice;
  if (target->device == source->device ? to_host : !to_host && !from_host) return kLongWay;
  return submit_quickly(function, to, {sim::OpKind::copy, count}, [&] {
    return sim::make_copy(dst, target->device, src, source->device, count);
  });
}

[[gnu::noinline]] aclError copy_in_order(Caller caller, void* dst, std::size_t dest_max,
                                         const void* src, std::size_t count, aclrtMemcpyKind kind,
                                         aclrtStream stream) {
  return guarded(caller, [&](Runtime& runtime) {
    if (count == 0) return;
    check_copy_arguments(dst, dest_max, src, count, kind);
    Stream* const found = own_stream(runtime, stream);
    copy_async(runtime, dst, src, count, kind, *found);
  });
}

}  // namespace

extern "C" {

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_copy_arguments(dst, destMax, src, count, kind);
    if (watch::listener()) [[unlikely]] {
      report_direction(kind, find_location(runtime, dst), find_location(runtime, src));
    }
    require_immediate_work(runtime);
    copy_now(runtime, dst, src, count);
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  const aclError done = copy_quickly(__func__, dst, destMax, src, count, kind, stream);
  return done != kLongWay ? done : copy_in_order(__func__, dst, destMax, src, count, kind, stream);
}

aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  return copy_in_order(__func__, dst, destMax, src, count, kind, stream);
}

}  // extern "C"
