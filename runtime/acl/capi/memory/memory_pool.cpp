// SPDX-License-Identifier: Apache-2.0
// Stream-ordered memory pools.
#include "runtime/acl/memory/memory_pool.h"

#include <algorithm>
#include <cstring>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

namespace {

MemoryPools& pools(Runtime& runtime) { return runtime.section<MemoryPools>(); }

MemoryPoolTable::Pin find_pool(Runtime& runtime, aclrtMemPool handle) {
  require_input(handle, "memPool");
  MemoryPoolTable::Pin pin = pools(runtime).table().find(handle);
  if (!pin) {
    fail_for_handle(
        handle, ACL_ERROR_RT_INVALID_HANDLE,
        "memPool is {}, which is not a live pool (destroyed, or another kind of handle)", handle);
  }
  return pin;
}

/// The device of the machine.
int check_props(Runtime& runtime, const aclrtMemPoolProps& props) {
  if (props.allocType != ACL_MEM_ALLOCATION_TYPE_PINNED ||
      props.location.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
    fail(ACL_ERROR_INVALID_PARAM,
         "poolProps has allocType {} and location type {}; expected pinned memory of a device",
         static_cast<int>(props.allocType), static_cast<int>(props.location.type));
  }
  if (!std::all_of(std::begin(props.reserved), std::end(props.reserved),
                   [](unsigned char byte) { return byte == 0; })) {
    fail(ACL_ERROR_INVALID_PARAM, "poolProps->reserved is not all 0; expected zeros");
  }
  if (props.handleType != ACL_MEM_HANDLE_TYPE_NONE) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "poolProps->handleType is {}: pools are not shared between processes",
         static_cast<int>(props.handleType));
  }
  return runtime.physical(static_cast<int>(props.location.id), "poolProps->location.id");
}

/// Graphs run again and again, and a block is handed out once: pools take no part in them.
Stream* pool_stream(Runtime& runtime, aclrtStream handle) {
  Stream* const stream = own_stream(runtime, require_input(handle, "stream"));
  if (stream->redirected()) {
    fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
         "stream {} is being captured or bound to a model: blocks of memory pools are taken and "
         "given back outside of graphs",
         stream->id());
  }
  return stream;
}

// The reuse attributes are int32_t, sizes are uint64_t.
std::size_t value_size(aclrtMemPoolAttr attribute) {
  if (attribute < ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES ||
      attribute > ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "attr is {}; expected 1 to 8", static_cast<int>(attribute));
  }
  return attribute <= ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES ? sizeof(std::int32_t)
                                                                        : sizeof(std::uint64_t);
}

}  // namespace

extern "C" {

aclError aclrtMemPoolCreate(aclrtMemPool* memPool, const aclrtMemPoolProps* poolProps) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtMemPool& out = require_out(memPool, "memPool");
    out = nullptr;
    const int device = check_props(runtime, *require_input(poolProps, "poolProps"));
    current_context(runtime);
    out = pools(runtime).create(device, poolProps->maxSize);
  });
}

aclError aclrtMemPoolDestroy(const aclrtMemPool memPool) {
  return guarded(__func__,
                 [&](Runtime& runtime) { pools(runtime).destroy(find_pool(runtime, memPool)); });
}

aclError aclrtMemPoolSetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto pool = find_pool(runtime, memPool);
    require_input(value, "value");
    std::uint64_t number = 0;
    std::memcpy(&number, value, value_size(attr));
    pools(runtime).set(*pool, attr, number);
  });
}

aclError aclrtMemPoolGetAttr(aclrtMemPool memPool, aclrtMemPoolAttr attr, void* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto pool = find_pool(runtime, memPool);
    require_input(value, "value");
    const std::uint64_t number = pools(runtime).get(*pool, attr);
    std::memcpy(value, &number, value_size(attr));
  });
}

aclError aclrtMemPoolMallocAsync(void** ptr, size_t size, aclrtMemPool memPool,
                                 aclrtStream stream) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    void*& out = require_out(ptr, "ptr");
    out = nullptr;
    const auto pool = find_pool(runtime, memPool);
    Stream* const found = pool_stream(runtime, stream);
    if (size == 0) return;
    if (found->device() != pool->device()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "stream {} is on device {} and the pool on device {}",
           found->id(), runtime.logical(found->device()), runtime.logical(pool->device()));
    }
    if (auto* const intervener = watch::intervener()) intervener->before_allocation(pool->device());
    out = pools(runtime).allocate(*pool, size, *found, caller);
  });
}

aclError aclrtMemPoolFreeAsync(void* ptr, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(ptr, "ptr");
    Stream* const found = pool_stream(runtime, stream);
    pools(runtime).free_async(ptr, *found);
  });
}

aclError aclrtMemPoolTrimTo(aclrtMemPool memPool, size_t minBytesToKeep) {
  return guarded(__func__, [&](Runtime& runtime) {
    pools(runtime).trim(*find_pool(runtime, memPool), minBytesToKeep);
  });
}

}  // extern "C"
