// SPDX-License-Identifier: Apache-2.0
// Copies of one piece of memory.
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/transfer.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

extern "C" {

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_copy_arguments(dst, destMax, src, count, kind);
    if (watch::listener()) [[unlikely]] {
      report_direction(kind, find_place(runtime, dst), find_place(runtime, src));
    }
    require_immediate_work(runtime);
    copy_now(runtime, dst, src, count);
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_copy_arguments(dst, destMax, src, count, kind);
    Stream* const found = own_stream(runtime, stream);
    copy_async(runtime, dst, src, count, kind, *found);
  });
}

aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t destMax, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (count == 0) return;
    check_copy_arguments(dst, destMax, src, count, kind);
    Stream* const found = own_stream(runtime, stream);
    copy_async(runtime, dst, src, count, kind, *found);
  });
}

}  // extern "C"
