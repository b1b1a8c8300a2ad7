// SPDX-License-Identifier: Apache-2.0
// How a stream gets a block of a pool, and how the block is reused afterwards.
#include "device_sim/base/mutex.h"
#include "device_sim/base/sanitizer.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/call_place.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/memory/memory_label.h"
#include "runtime/acl/memory/memory_pool.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

constexpr std::size_t kBlockGrain = 512;  // blocks start and end on multiples of this

std::size_t span_of(std::size_t size) {
  if (size > SIZE_MAX - kBlockGrain) fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "size is {}", size);
  return (size + kBlockGrain - 1) / kBlockGrain * kBlockGrain;
}

}  // namespace

// One that was dropped with its stream is over too: nothing before it runs any more.
bool MemoryPools::finished(const Block& block) noexcept {
  return !block.done || block.done->done();
}

bool MemoryPools::may_take(const Block& block, const Stream& stream) {
  const MemoryPool& pool = *block.pool;
  if (!block.done || (pool.opportunistic_ && block.done->done())) return true;
  if (block.stream.get() == &stream.core()) return true;
  // A stream that was aborted counts its tasks anew.
  return pool.follow_events_ && !block.stream->abandoned() &&
         stream.order.comes_after(block.stream->id(), block.number);
}

/// The smallest usable block of `span` to `largest` bytes, out of the idle ones; null without.
std::byte* MemoryPools::take_idle(MemoryPool& pool, std::size_t span, std::size_t largest,
                                  const Stream& stream, Reuse how) {
  for (auto it = pool.idle_.lower_bound(span); it != pool.idle_.end() && it->first <= largest;
       ++it) {
    const Block& block = blocks_.find(it->second)->second;
    if (how == Reuse::ordered && !may_take(block, stream)) continue;
    std::byte* const address = it->second;
    pool.idle_.erase(it);
    return address;
  }
  return nullptr;
}

std::byte* MemoryPools::grow(MemoryPool& pool, std::size_t span, const void* caller) {
  MemoryLabel label;
  label.use = MemoryLabel::Use::pooled;
  label.page = MemoryLabel::page_of(ACL_MEM_MALLOC_HUGE_FIRST, span);
  const auto allocate = [&]() -> std::byte* {
    if (pool.most_bytes_ != 0 && pool.reserved_.current + span > pool.most_bytes_) return nullptr;
    try {
      return static_cast<std::byte*>(
          runtime_.memory()
              .device(pool.device_)
              .allocate(span, kBlockGrain, 0, place_to_keep(caller), label.pack()));
    } catch (const sim::MachineError&) {
      return nullptr;
    }
  };
  std::byte* address = allocate();
  if (!address) {
    release_idle(pool, 0);
    address = allocate();
  }
  if (!address) return nullptr;
  pool.reserved_.add(span);
  Block& block = blocks_[address];
  block.pool = sim::Ref<MemoryPool>::share(&pool);
  block.span = span;
  blocks_count.store(blocks_.size(), std::memory_order_release);
  return address;
}

void MemoryPools::hand_out(std::byte* address, std::size_t size) {
  Block& block = blocks_.find(address)->second;
  block.size = size;
  block.live = true;
  block.stream = nullptr;
  block.done = nullptr;
  block.pool->used_.add(block.span);
  sim::unpoison(address, size);
  sim::poison(address + size, block.span - size);
}

void* MemoryPools::allocate(MemoryPool& pool, std::size_t size, Stream& stream,
                            const void* caller) {
  const std::size_t span = span_of(size);
  bool over = true;  // the last owner's work is complete
  sim::Ref<sim::Signal> wait_for;
  std::byte* address = nullptr;
  {
    const sim::LockGuard guard(mutex_);
    address = take_idle(pool, span, span * 2, stream, Reuse::ordered);
    if (!address) address = grow(pool, span, caller);
    if (!address) address = take_idle(pool, span, SIZE_MAX, stream, Reuse::ordered);
    if (!address && pool.internal_dependencies_) {
      address = take_idle(pool, span, SIZE_MAX, stream, Reuse::with_wait);
      if (address) wait_for = blocks_.find(address)->second.done;
    }
    if (!address) {
      fail(ACL_ERROR_RT_MEMORY_ALLOCATION,
           "size is {}; the pool holds {} bytes{}, {} of them in use", size, pool.reserved_.current,
           pool.most_bytes_ != 0 ? fmt::format(" of at most {}", pool.most_bytes_) : "",
           pool.used_.current);
    }
    over = finished(blocks_.find(address)->second);
    hand_out(address, size);
  }
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (wait_for) {
    stream.submit(sim::make_wait(*wait_for, nullptr, 0), nullptr,
                  {TaskFacts::What::pool_wait, at, 0});
  }
  if (auto* const listener = watch::listener()) {
    listener->pool_allocated(stream, address, size, span, over);
  }
  return address;
}

/// The block, no longer live, becomes idle; or goes, when its pool has gone.
void MemoryPools::put_back(Blocks::iterator it) {
  Block& block = it->second;
  block.pool->idle_.emplace(block.span, it->first);
  if (!block.pool->destroyed_) return;
  release_idle(*block.pool, 0);
  forget_empty_pools();
}

/// Its size; nothing where no live block starts.
std::optional<std::size_t> MemoryPools::end_life(std::byte* address) {
  const sim::LockGuard guard(mutex_);
  const auto it = blocks_.find(address);
  if (it == blocks_.end() || !it->second.live) return std::nullopt;
  it->second.live = false;
  it->second.pool->used_.current -= it->second.span;
  return it->second.span;
}

void MemoryPools::refuse_free(const void* pointer) {
  if (auto* const listener = watch::listener()) listener->nothing_to_free(pointer);
  fail(ACL_ERROR_RT_PARAM_INVALID,
       "ptr is {}, where no live block of a memory pool starts (given back already, inside one, or "
       "memory of another kind)",
       pointer);
}

void MemoryPools::free_async(void* pointer, Stream& stream) {
  auto* const address = static_cast<std::byte*>(pointer);
  const std::optional<std::size_t> ended = end_life(address);
  if (!ended) refuse_free(pointer);
  const std::size_t span = *ended;
  if (auto* const listener = watch::listener()) listener->pool_freeing(stream, pointer, span);
  const auto core = sim::Ref<sim::Stream>::share(&stream.core());
  const auto done = sim::make_ref<sim::Signal>(core.get(), runtime_.signal_id());
  const std::uint64_t number =
      stream.submit(sim::make_record(*done, false), nullptr,
                    {TaskFacts::What::pool_free, reinterpret_cast<std::uintptr_t>(pointer), 0});
  const sim::LockGuard guard(mutex_);
  const auto it = blocks_.find(address);
  if (it == blocks_.end()) return;  // its device ended meanwhile
  it->second.stream = core;
  it->second.number = number;
  it->second.done = done;
  put_back(it);
}

bool MemoryPools::free_now(void* pointer) {
  const sim::LockGuard guard(mutex_);
  const auto it = blocks_.find(static_cast<std::byte*>(pointer));
  if (it == blocks_.end() || !it->second.live) return false;
  it->second.live = false;
  it->second.pool->used_.current -= it->second.span;
  put_back(it);
  return true;
}

bool MemoryPools::narrow(sim::Allocation& allocation) const {
  const sim::LockGuard guard(mutex_);
  const auto it = blocks_.find(reinterpret_cast<std::byte*>(allocation.begin));
  if (it == blocks_.end() || !it->second.live) return false;
  allocation.size = it->second.size;
  return true;
}

// ---- giving memory back to the device ----

void MemoryPools::forget(Blocks::iterator it) {
  Block& block = it->second;
  block.pool->reserved_.current -= block.span;
  runtime_.memory().device(block.pool->device_).free(it->first);
  blocks_.erase(it);
  blocks_count.store(blocks_.size(), std::memory_order_release);
}

/// Releases idle blocks, the largest first, until `keep` bytes are left. Blocks that may still be
/// in use stay.
void MemoryPools::release_idle(MemoryPool& pool, std::size_t keep) {
  for (auto it = pool.idle_.end(); it != pool.idle_.begin() && pool.reserved_.current > keep;) {
    --it;
    const auto block = blocks_.find(it->second);
    if (!finished(block->second)) continue;
    it = pool.idle_.erase(it);
    forget(block);
  }
}

}  // namespace acl
