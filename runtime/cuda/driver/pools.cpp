// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/pools.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "device_sim/base/mutex.h"
#include "runtime/cuda/base/guard.h"
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/driver/address_space.h"
#include "runtime/cuda/driver/handles.h"
#include "runtime/cuda/driver/physical_memory.h"

namespace cuda::pools {
namespace {

struct Pool {
  CUmemAllocationProp memory{};
  std::size_t most_bytes = 0;  // 0: no limit of its own
  bool is_default = false;
  std::size_t used = 0;  // guarded by the lock of all pools
};
using PoolRef = std::shared_ptr<Pool>;

struct Live {
  PoolRef pool;
  std::size_t size = 0;  // as asked for
  std::size_t span = 0;  // mapped
};

/// A block that a stream frees.
struct Leaving {
  CUdeviceptr begin = 0;
  std::size_t span = 0;
  std::shared_ptr<Stream> stream;
  aclrtEvent passed = nullptr;
};

struct All {
  sim::Mutex mutex;
  std::map<std::uintptr_t, PoolRef> pools GUARDED_BY(mutex);  // by handle
  std::map<int, CUmemoryPool> defaults GUARDED_BY(mutex);     // by device
  std::map<CUdeviceptr, Live> live GUARDED_BY(mutex);
  std::vector<Leaving> leaving GUARDED_BY(mutex);
  // Handles are never used again, and equal no address and no other handle.
  std::uintptr_t last_handle GUARDED_BY(mutex) = std::uintptr_t{0x506f} << 48;
};

All& all() {
  static All& made = *new All;  // used until the process ends
  return made;
}

CUmemoryPool add(const PoolRef& pool) REQUIRES(all().mutex) {
  const std::uintptr_t handle = ++all().last_handle;
  all().pools.emplace(handle, pool);
  return reinterpret_cast<CUmemoryPool>(handle);
}

PoolRef pool_of(CUmemoryPool handle) {
  const sim::LockGuard guard(all().mutex);
  const auto it = all().pools.find(reinterpret_cast<std::uintptr_t>(handle));
  if (it == all().pools.end()) {
    refuse("pool is {}, which is no live memory pool", static_cast<const void*>(handle));
  }
  return it->second;
}

CUmemAllocationProp memory_of(int device, CUmemAllocationHandleType types) {
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = types;
  prop.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return prop;
}

void require_unlimited(const Pool& pool, std::size_t span) REQUIRES(all().mutex) {
  if (pool.most_bytes == 0 || pool.used + span <= pool.most_bytes) return;
  fail(CUDA_ERROR_OUT_OF_MEMORY, "the pool has {} bytes of at most {} in use; {} more do not fit",
       pool.used, pool.most_bytes, span);
}

/// New addresses with new memory, which the device of the pool may access.
CUdeviceptr map_block(Caller caller, const CUmemAllocationProp& prop, std::size_t span) {
  const CUmemGenericAllocationHandle handle = handles::add(PhysicalMemory::create(span, prop));
  CUdeviceptr begin = 0;
  bool mapped = false;
  try {
    begin = address_space::reserve(span, 0, 0);
    address_space::map(caller, begin, span, 0, handle);
    mapped = true;
    const CUmemAccessDesc access{prop.location, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    address_space::set_access(begin, span, &access, 1);
  } catch (...) {
    handles::release(handle);
    if (mapped) address_space::unmap(begin, span);
    if (begin != 0) address_space::release(begin, span);
    throw;
  }
  handles::release(handle);  // the mapping keeps the memory
  return begin;
}

// The program may have unmapped the block by itself.
void unmap_block(CUdeviceptr begin, std::size_t span) {
  try {
    address_space::unmap(begin, span);
    address_space::release(begin, span);
  } catch (const std::exception&) {
  }
}

Live take(CUdeviceptr begin) REQUIRES(all().mutex) {
  const auto it = all().live.find(begin);
  if (it == all().live.end()) return {};
  Live taken = it->second;
  all().live.erase(it);
  taken.pool->used -= taken.span;
  return taken;
}

/// The end of a context completes its work, and ends its events.
bool is_over(const Leaving& block) {
  const InContext inside(*block.stream->context);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  return aclrtQueryEventStatus(block.passed, &status) != ACL_SUCCESS ||
         status == ACL_EVENT_RECORDED_STATUS_COMPLETE;
}

}  // namespace

CUmemoryPool create(const CUmemPoolProps& props) {
  if (props.allocType != CU_MEM_ALLOCATION_TYPE_PINNED) {
    refuse("poolProps->allocType is {}; expected CU_MEM_ALLOCATION_TYPE_PINNED (1)",
           static_cast<int>(props.allocType));
  }
  if (props.location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
    fail(CUDA_ERROR_NOT_SUPPORTED, "poolProps->location.type is {}; expected a device (1)",
         static_cast<int>(props.location.type));
  }
  const bool reserved = std::any_of(std::begin(props.reserved), std::end(props.reserved),
                                    [](unsigned char byte) { return byte != 0; });
  if (props.usage != 0 || reserved) refuse("poolProps->usage and reserved must be 0");
  auto pool = std::make_shared<Pool>();
  pool->memory = memory_of(props.location.id, props.handleTypes);
  pool->most_bytes = props.maxSize;
  require_properties(pool->memory);
  const sim::LockGuard guard(all().mutex);
  return add(pool);
}

void destroy(CUmemoryPool handle) {
  if (pool_of(handle)->is_default) refuse("pool is the default pool of a device");
  trim();
  const sim::LockGuard guard(all().mutex);
  all().pools.erase(reinterpret_cast<std::uintptr_t>(handle));
}

CUmemoryPool default_of(int device) {
  Machine::get().require_device(device);
  const sim::LockGuard guard(all().mutex);
  CUmemoryPool& known = all().defaults[device];
  if (!known) {
    auto pool = std::make_shared<Pool>();
    pool->memory = memory_of(device, CU_MEM_HANDLE_TYPE_NONE);
    pool->is_default = true;
    known = add(pool);
  }
  return known;
}

CUdeviceptr allocate(Caller caller, CUmemoryPool handle, std::size_t size,
                     const streams::StreamRef& stream) {
  if (size == 0) refuse("bytesize is 0");
  const PoolRef pool = pool_of(handle ? handle : default_of(stream->context->device));
  const std::size_t granularity = require_properties(pool->memory);
  if (size > SIZE_MAX - granularity) {
    fail(CUDA_ERROR_OUT_OF_MEMORY, "bytesize is {}; no device has so much memory", size);
  }
  const std::size_t span = (size + granularity - 1) / granularity * granularity;
  trim();
  {
    const sim::LockGuard guard(all().mutex);
    require_unlimited(*pool, span);
    pool->used += span;
  }
  CUdeviceptr begin = 0;
  try {
    begin = map_block(caller, pool->memory, span);
    const sim::LockGuard guard(all().mutex);
    all().live[begin] = {pool, size, span};
  } catch (...) {
    if (begin != 0) unmap_block(begin, span);
    const sim::LockGuard guard(all().mutex);
    pool->used -= span;
    throw;
  }
  return begin;
}

void free_in_order(CUdeviceptr begin, const streams::StreamRef& stream) {
  trim();
  Live block;
  {
    const sim::LockGuard guard(all().mutex);
    block = take(begin);
  }
  if (!block.pool) {
    refuse("dptr is {:#x}, where no block of a memory pool begins, or it is free already", begin);
  }
  Leaving leaving{begin, block.span, stream, nullptr};
  streams::enqueue(stream, [&](aclrtStream acl) {
    require_acl(aclrtCreateEventExWithFlag(&leaving.passed, ACL_EVENT_SYNC), "the event");
    require_acl(aclrtRecordEvent(leaving.passed, acl), "the free");
  });
  const sim::LockGuard guard(all().mutex);
  all().leaving.push_back(std::move(leaving));
}

bool free_now(CUdeviceptr begin) {
  Live block;
  {
    const sim::LockGuard guard(all().mutex);
    block = take(begin);
  }
  if (!block.pool) return false;
  if (const ContextRef context = contexts::current_or_null()) {
    streams::synchronize_context(*context);
  }
  unmap_block(begin, block.span);
  return true;
}

std::optional<Block> find(CUdeviceptr address) {
  const sim::LockGuard guard(all().mutex);
  auto it = all().live.upper_bound(address);
  if (it == all().live.begin()) return std::nullopt;
  --it;
  if (address - it->first >= it->second.size) return std::nullopt;
  return Block{it->first, it->second.size};
}

void trim() {
  std::vector<Leaving> gone;
  {
    const sim::LockGuard guard(all().mutex);
    auto& leaving = all().leaving;
    const auto over = std::partition(leaving.begin(), leaving.end(),
                                     [](const Leaving& block) { return !is_over(block); });
    gone.assign(std::make_move_iterator(over), std::make_move_iterator(leaving.end()));
    leaving.erase(over, leaving.end());
  }
  for (const Leaving& block : gone) {
    {
      const InContext inside(*block.stream->context);
      aclrtDestroyEvent(block.passed);
    }
    unmap_block(block.begin, block.span);
  }
}

}  // namespace cuda::pools
