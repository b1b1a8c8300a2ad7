// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "acl/acl_rt_memory_soma.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "device_sim/memory/address_space.h"
#include "device_sim/streams/signal.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"

namespace acl {

class Stream;

/// A pool of device memory whose blocks are taken and given back in the order of streams. A block
/// that a stream gave back is handed out again
///   - to the same stream at once,
///   - to a stream that waited for an event behind the giving back (FOLLOW_EVENT_DEPENDENCIES),
///   - to any stream once the giving back has run (ALLOW_OPPORTUNISTIC),
///   - when nothing else is left, to a stream that is made to wait for it
///     (ALLOW_INTERNAL_DEPENDENCIES).
class MemoryPool : public sim::RefCounted<MemoryPool> {
 public:
  MemoryPool(int device, std::size_t most_bytes) : device_(device), most_bytes_(most_bytes) {}
  int device() const noexcept { return device_; }

 private:
  friend class MemoryPools;

  struct Watermark {
    std::size_t current = 0;
    std::size_t high = 0;
    void add(std::size_t bytes) noexcept {
      current += bytes;
      if (current > high) high = current;
    }
  };

  const int device_;
  const std::size_t most_bytes_;  // that may be reserved; 0: no limit
  // The mutex of MemoryPools guards the members below; annotations cannot name it from here.
  bool destroyed_ = false;
  bool follow_events_ = true;
  bool opportunistic_ = true;
  bool internal_dependencies_ = true;
  std::size_t release_threshold_ = 0;
  Watermark reserved_;
  Watermark used_;
  std::multimap<std::size_t, std::byte*> idle_;  // blocks that were given back, by span
};

using MemoryPoolTable = HandleTable<MemoryPool, HandleKind::memory_pool>;

/// All pools of the process, and whose block an address is.
class MemoryPools final : public Section {
 public:
  explicit MemoryPools(Runtime& runtime);

  MemoryPoolTable& table() noexcept { return table_; }
  void* create(int device, std::size_t most_bytes);
  /// The handle goes now, each block as soon as nothing uses it.
  void destroy(const MemoryPoolTable::Pin& pool);

  /// Raises ACL_ERROR_RT_MEMORY_ALLOCATION.
  void* allocate(MemoryPool& pool, std::size_t size, Stream& stream, const void* caller);
  /// Gives a block back in the stream's order. Raises ACL_ERROR_RT_PARAM_INVALID for an address
  /// where no live block starts.
  void free_async(void* pointer, Stream& stream);
  /// Gives a block back at once, ordered with nothing. False when no live block starts there.
  bool free_now(void* pointer);
  void trim(MemoryPool& pool, std::size_t keep);

  std::uint64_t get(const MemoryPool& pool, aclrtMemPoolAttr attribute) const;
  void set(MemoryPool& pool, aclrtMemPoolAttr attribute, std::uint64_t value);

  /// False as long as no pool holds memory.
  static bool in_use() noexcept { return blocks_count.load(std::memory_order_acquire) != 0; }
  /// A stream of that device was synchronised: what is beyond the thresholds goes.
  void after_synchronize(int device);
  /// Corrects the size of an allocation that is a block; false when the block was given back.
  bool narrow(sim::Allocation& allocation) const;

  void reset() override;
  void device_ends(int device) override;
  std::size_t live_handles() const override { return table_.count(); }

 private:
  struct Block {
    sim::Ref<MemoryPool> pool;
    std::size_t span = 0;  // bytes that it takes
    std::size_t size = 0;  // bytes that were asked for
    bool live = true;
    // Once given back:
    sim::Ref<sim::Stream> stream;  // null: by no stream
    std::uint64_t number = 0;      // of the giving back in that stream
    sim::Ref<sim::Signal> done;    // null: nothing needs to run first
  };
  using Blocks = std::map<std::byte*, Block>;
  enum class Reuse : std::uint8_t { ordered, with_wait };

  static bool finished(const Block& block) noexcept;
  static bool may_take(const Block& block, const Stream& stream);
  std::byte* take_idle(MemoryPool& pool, std::size_t span, std::size_t largest,
                       const Stream& stream, Reuse how) REQUIRES(mutex_);
  std::byte* grow(MemoryPool& pool, std::size_t span, const void* caller) REQUIRES(mutex_);
  void hand_out(std::byte* address, std::size_t size) REQUIRES(mutex_);
  std::optional<std::size_t> end_life(std::byte* address);
  [[noreturn]] static void refuse_free(const void* pointer);
  void put_back(Blocks::iterator it) REQUIRES(mutex_);
  void release_idle(MemoryPool& pool, std::size_t keep) REQUIRES(mutex_);
  void forget(Blocks::iterator it) REQUIRES(mutex_);
  void forget_empty_pools() REQUIRES(mutex_);

  inline static std::atomic<std::size_t> blocks_count{0};
  Runtime& runtime_;
  MemoryPoolTable table_;
  mutable sim::Mutex mutex_;          // never held while something is enqueued
  Blocks blocks_ GUARDED_BY(mutex_);  // of all pools
  std::vector<sim::Ref<MemoryPool>> pools_ GUARDED_BY(mutex_);  // also ended ones with blocks
};

}  // namespace acl
