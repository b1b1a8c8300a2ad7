// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/handles.h"

#include "device_sim/base/mutex.h"
#include "runtime/cuda/base/error.h"

namespace cuda::handles {
namespace {

struct All {
  sim::Mutex mutex;
  std::map<CUmemGenericAllocationHandle, HandleRef> live GUARDED_BY(mutex);
  CUmemGenericAllocationHandle last GUARDED_BY(mutex) = 0x1000;
};

All& all() {
  static All& made = *new All;
  return made;
}

CUmemGenericAllocationHandle add(HandleRef handle) {
  const sim::LockGuard guard(all().mutex);
  handle->value = ++all().last;
  handle->references = 1;
  all().live.emplace(handle->value, handle);
  return handle->value;
}

}  // namespace

CUmemGenericAllocationHandle add(MemoryRef memory) {
  auto handle = std::make_shared<Handle>();
  handle->memory = std::move(memory);
  return add(std::move(handle));
}

CUmemGenericAllocationHandle add(MulticastRef multicast) {
  auto handle = std::make_shared<Handle>();
  handle->multicast = std::move(multicast);
  return add(std::move(handle));
}

HandleRef find(CUmemGenericAllocationHandle value, const char* argument) {
  const sim::LockGuard guard(all().mutex);
  const auto it = all().live.find(value);
  if (it == all().live.end()) {
    refuse("{} is {:#x}, which is no live handle of memory or of a multicast object", argument,
           value);
  }
  return it->second;
}

MemoryRef find_memory(CUmemGenericAllocationHandle value, const char* argument) {
  const HandleRef handle = find(value, argument);
  if (!handle->memory) refuse("{} is {:#x}, a multicast object; expected memory", argument, value);
  return handle->memory;
}

MulticastRef find_multicast(CUmemGenericAllocationHandle value) {
  const HandleRef handle = find(value, "mcHandle");
  if (!handle->multicast) refuse("mcHandle is {:#x}, memory; expected a multicast object", value);
  return handle->multicast;
}

void retain(const HandleRef& handle) {
  const sim::LockGuard guard(all().mutex);
  if (handle->references++ == 0) all().live.emplace(handle->value, handle);
}

void release(CUmemGenericAllocationHandle value) {
  HandleRef last;  // its object may end, outside of the lock
  {
    const sim::LockGuard guard(all().mutex);
    const auto it = all().live.find(value);
    if (it == all().live.end()) {
      refuse("handle is {:#x}, which is no live handle of memory or of a multicast object", value);
    }
    if (--it->second->references > 0) return;
    last = it->second;
    all().live.erase(it);
  }
}

}  // namespace cuda::handles
