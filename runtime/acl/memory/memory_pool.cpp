// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/memory_pool.h"

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/context.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"

namespace acl {

MemoryPools::MemoryPools(Runtime& runtime) : runtime_(runtime) {
  runtime_.on_synchronized([](Runtime& of, int device) {
    if (in_use()) of.section<MemoryPools>().after_synchronize(device);
  });
}

void* MemoryPools::create(int device, std::size_t most_bytes) {
  StreamOrder::keep(true);
  const auto pool = sim::make_ref<MemoryPool>(device, most_bytes);
  void* const handle = table_.add(pool);
  if (!handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many memory pools");
  const sim::LockGuard guard(mutex_);
  pools_.push_back(pool);
  return handle;
}

void MemoryPools::destroy(const MemoryPoolTable::Pin& pool) {
  if (!table_.remove(pool)) return;
  const sim::LockGuard guard(mutex_);
  pool->destroyed_ = true;
  release_idle(*pool, 0);
  forget_empty_pools();
}

void MemoryPools::forget_empty_pools() {
  std::erase_if(pools_, [](const sim::Ref<MemoryPool>& pool) {
    return pool->destroyed_ && pool->reserved_.current == 0;
  });
}

void MemoryPools::trim(MemoryPool& pool, std::size_t keep) {
  const sim::LockGuard guard(mutex_);
  release_idle(pool, keep);
}

void MemoryPools::after_synchronize(int device) {
  const sim::LockGuard guard(mutex_);
  for (const sim::Ref<MemoryPool>& pool : pools_) {
    if (pool->device_ != device) continue;
    release_idle(*pool, pool->destroyed_ ? 0 : pool->release_threshold_);
  }
  forget_empty_pools();
}

void MemoryPools::device_ends(int device) {
  table_.for_each([&](const MemoryPoolTable::Pin& pool) {
    if (pool->device() == device) table_.remove(pool);
  });
  const sim::LockGuard guard(mutex_);
  for (auto it = blocks_.begin(); it != blocks_.end();) {
    const auto block = it++;
    if (block->second.pool->device_ != device) continue;
    block->second.pool->idle_.clear();
    forget(block);
  }
  std::erase_if(pools_, [&](const auto& pool) { return pool->device_ == device; });
}

void MemoryPools::reset() {
  for (int d = 0; d < runtime_.memory().device_count(); ++d) device_ends(d);
  StreamOrder::keep(false);
}

// ---- attributes ----

std::uint64_t MemoryPools::get(const MemoryPool& pool, aclrtMemPoolAttr attribute) const {
  const sim::LockGuard guard(mutex_);
  switch (attribute) {
    case ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      return pool.follow_events_;
    case ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC:
      return pool.opportunistic_;
    case ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      return pool.internal_dependencies_;
    case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
      return pool.release_threshold_;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_CURRENT:
      return pool.reserved_.current;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
      return pool.reserved_.high;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_CURRENT:
      return pool.used_.current;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH:
      return pool.used_.high;
  }
  return 0;
}

void MemoryPools::set(MemoryPool& pool, aclrtMemPoolAttr attribute, std::uint64_t value) {
  const auto restart = [&](MemoryPool::Watermark& mark) {
    if (value != 0) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "a high mark is set to {}; expected 0, which restarts it",
           value);
    }
    mark.high = mark.current;
  };
  const sim::LockGuard guard(mutex_);
  switch (attribute) {
    case ACL_RT_MEM_POOL_REUSE_FOLLOW_EVENT_DEPENDENCIES:
      pool.follow_events_ = value != 0;
      return;
    case ACL_RT_MEM_POOL_REUSE_ALLOW_OPPORTUNISTIC:
      pool.opportunistic_ = value != 0;
      return;
    case ACL_RT_MEM_POOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      pool.internal_dependencies_ = value != 0;
      return;
    case ACL_RT_MEM_POOL_ATTR_RELEASE_THRESHOLD:
      pool.release_threshold_ = value;
      return;
    case ACL_RT_MEM_POOL_ATTR_RESERVED_MEM_HIGH:
      restart(pool.reserved_);
      return;
    case ACL_RT_MEM_POOL_ATTR_USED_MEM_HIGH:
      restart(pool.used_);
      return;
    default:
      fail(ACL_ERROR_RT_PARAM_INVALID, "attr is {}, which cannot be set",
           static_cast<int>(attribute));
  }
}

}  // namespace acl
