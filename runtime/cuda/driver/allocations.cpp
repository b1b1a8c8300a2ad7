// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/allocations.h"

#include <map>

#include "acl/acl.h"
#include "device_sim/base/mutex.h"
#include "runtime/cuda/base/guard.h"
#include "runtime/cuda/driver/stream.h"

namespace cuda::allocations {
namespace {

struct All {
  sim::Mutex mutex;
  std::map<CUdeviceptr, Allocation> live GUARDED_BY(mutex);
};

All& all() {
  static All& made = *new All;
  return made;
}

void add(const Allocation& allocation) {
  const sim::LockGuard guard(all().mutex);
  all().live[allocation.begin] = allocation;
}

Allocation take(CUdeviceptr begin, bool host, const char* argument) {
  const sim::LockGuard guard(all().mutex);
  const auto it = all().live.find(begin);
  if (it == all().live.end() || it->second.host != host) {
    refuse("{} is {:#x}, which was not allocated by such a call, or is free already", argument,
           begin);
  }
  const Allocation taken = it->second;
  all().live.erase(it);
  return taken;
}

}  // namespace

CUdeviceptr allocate(const ContextRef& context, std::size_t size) {
  if (size == 0) refuse("bytesize is 0");
  const InContext inside(*context);
  void* at = nullptr;
  require_acl(aclrtMalloc(&at, size, ACL_MEM_MALLOC_HUGE_FIRST), "the memory");
  const auto begin = reinterpret_cast<CUdeviceptr>(at);
  add({begin, size, false, context});
  const sim::LockGuard guard(context->mutex);
  context->allocations.insert(begin);
  return begin;
}

void release(CUdeviceptr begin) {
  if (begin == 0) return;
  const Allocation taken = take(begin, false, "dptr");
  const ContextRef context = taken.context.lock();
  if (!context) return;
  {
    const sim::LockGuard guard(context->mutex);
    if (context->allocations.erase(begin) == 0) return;  // went with its context
  }
  streams::synchronize_context(*context);
  const InContext inside(*context);
  require_acl(aclrtFree(reinterpret_cast<void*>(begin)), "the memory");
}

void* allocate_host(const ContextRef& context, std::size_t size) {
  if (size == 0) refuse("bytesize is 0");
  const InContext inside(*context);
  void* at = nullptr;
  require_acl(aclrtMallocHost(&at, size), "the memory");
  add({reinterpret_cast<CUdeviceptr>(at), size, true, context});
  return at;
}

void release_host(void* begin) {
  if (!begin) return;
  const Allocation taken = take(reinterpret_cast<CUdeviceptr>(begin), true, "p");
  if (const ContextRef context = taken.context.lock()) {
    streams::synchronize_context(*context);
    const InContext inside(*context);
    require_acl(aclrtFreeHost(begin), "the memory");
  }
}

std::optional<Allocation> find(CUdeviceptr address) {
  const sim::LockGuard guard(all().mutex);
  auto it = all().live.upper_bound(address);
  if (it == all().live.begin()) return std::nullopt;
  --it;
  if (address - it->first >= it->second.size) return std::nullopt;
  return it->second;
}

}  // namespace cuda::allocations
