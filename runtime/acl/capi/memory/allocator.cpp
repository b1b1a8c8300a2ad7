// SPDX-License-Identifier: Apache-2.0
// Allocators that the program lends to streams.
#include "runtime/acl/memory/allocator.h"

#include "runtime/acl/capi/core/lookup.h"

using namespace acl;

namespace {

Allocators& allocators(Runtime& runtime) { return runtime.section<Allocators>(); }

AllocatorTable::Pin find_desc(Runtime& runtime, aclrtAllocatorDesc handle) {
  require_input(handle, "allocatorDesc");
  AllocatorTable::Pin pin = allocators(runtime).table().find(handle);
  if (!pin) {
    fail_for_handle(
        handle, ACL_ERROR_RT_INVALID_HANDLE,
        "allocatorDesc is {}, which is not a live description (destroyed, or another kind of "
        "handle)",
        handle);
  }
  return pin;
}

template <class T>
aclError set(const char* function, aclrtAllocatorDesc desc, T AllocatorFunctions::*member, T value,
             const char* argument, bool optional = false) {
  return guarded(function, [&](Runtime& runtime) {
    const auto found = find_desc(runtime, desc);
    if (!optional) require_input(value, argument);
    found->change([&](AllocatorFunctions& functions) { functions.*member = value; });
  });
}

}  // namespace

extern "C" {

aclrtAllocatorDesc aclrtAllocatorCreateDesc(void) {
  aclrtAllocatorDesc desc = nullptr;
  guarded(__func__, [&](Runtime& runtime) {
    desc = allocators(runtime).table().add(sim::make_ref<AllocatorDesc>());
    if (!desc) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many allocators");
  });
  return desc;
}

aclError aclrtAllocatorDestroyDesc(aclrtAllocatorDesc allocatorDesc) {
  return guarded(__func__, [&](Runtime& runtime) {
    allocators(runtime).table().remove(find_desc(runtime, allocatorDesc));
  });
}

aclError aclrtAllocatorSetObjToDesc(aclrtAllocatorDesc allocatorDesc, aclrtAllocator allocator) {
  return set(__func__, allocatorDesc, &AllocatorFunctions::object, allocator, "allocator");
}

aclError aclrtAllocatorSetAllocFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                          aclrtAllocatorAllocFunc func) {
  return set(__func__, allocatorDesc, &AllocatorFunctions::alloc, func, "func");
}

aclError aclrtAllocatorSetFreeFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                         aclrtAllocatorFreeFunc func) {
  return set(__func__, allocatorDesc, &AllocatorFunctions::free, func, "func");
}

aclError aclrtAllocatorSetAllocAdviseFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                aclrtAllocatorAllocAdviseFunc func) {
  return set(__func__, allocatorDesc, &AllocatorFunctions::alloc_advise, func, "func", true);
}

aclError aclrtAllocatorSetGetAddrFromBlockFuncToDesc(aclrtAllocatorDesc allocatorDesc,
                                                     aclrtAllocatorGetAddrFromBlockFunc func) {
  return set(__func__, allocatorDesc, &AllocatorFunctions::get_address, func, "func");
}

aclError aclrtAllocatorRegister(aclrtStream stream, aclrtAllocatorDesc allocatorDesc) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(stream, "stream");
    const AllocatorFunctions functions = find_desc(runtime, allocatorDesc)->functions();
    if (!functions.object || !functions.alloc || !functions.free || !functions.get_address) {
      fail(ACL_ERROR_INVALID_PARAM, "allocatorDesc has no {}",
           !functions.object  ? "object"
           : !functions.alloc ? "function that allocates"
           : !functions.free  ? "function that frees"
                              : "function that tells addresses");
    }
    const auto pin = find_stream(runtime, stream);
    allocators(runtime).lend(stream, {allocatorDesc, functions});
  });
}

aclError aclrtAllocatorGetByStream(aclrtStream stream, aclrtAllocatorDesc* allocatorDesc,
                                   aclrtAllocator* allocator, aclrtAllocatorAllocFunc* allocFunc,
                                   aclrtAllocatorFreeFunc* freeFunc,
                                   aclrtAllocatorAllocAdviseFunc* allocAdviseFunc,
                                   aclrtAllocatorGetAddrFromBlockFunc* getAddrFromBlockFunc) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(stream, "stream");
    auto& desc_out = require_out(allocatorDesc, "allocatorDesc");
    auto& object_out = require_out(allocator, "allocator");
    auto& alloc_out = require_out(allocFunc, "allocFunc");
    auto& free_out = require_out(freeFunc, "freeFunc");
    auto& advise_out = require_out(allocAdviseFunc, "allocAdviseFunc");
    auto& address_out = require_out(getAddrFromBlockFunc, "getAddrFromBlockFunc");
    const auto pin = find_stream(runtime, stream);
    const auto lent = allocators(runtime).of(stream);
    if (!lent) {
      fail(ACL_ERROR_INVALID_PARAM, "stream {} has no registered allocator", pin->id());
    }
    desc_out = lent->desc;
    object_out = lent->functions.object;
    alloc_out = lent->functions.alloc;
    free_out = lent->functions.free;
    advise_out = lent->functions.alloc_advise;
    address_out = lent->functions.get_address;
  });
}

aclError aclrtAllocatorUnregister(aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(stream, "stream");
    const auto pin = find_stream(runtime, stream);
    allocators(runtime).take_back(stream);
  });
}

}  // extern "C"
