// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/shmem/links/arrivals.h"
#include "runtime/shmem/links/bootstrap.h"
#include "runtime/shmem/links/symmetric_memory.h"
#include "runtime/shmem/links/told_order.h"
#include "runtime/shmem/links/waiter.h"
#include "runtime/shmem/links/ways.h"
#include "runtime/shmem/pe/symmetric_heap.h"
#include "runtime/shmem/teams/teams.h"

namespace shmem {

/// What a PE is made with, checked.
struct PeSpec {
  int my_pe = 0;
  int n_pes = 1;
  std::uint64_t heap_bytes = 0;
  std::chrono::seconds init_timeout{};
  std::chrono::seconds control_timeout{};
};

/// Where memory is.
enum class Side : std::uint8_t { device, host };

/// A place of a PE, from here.
struct Spot {
  std::byte* here = nullptr;  // as this library reads and writes it; null: at another host
  std::size_t offset = 0;     // in that PE's block; in its block of the host behind kHostSide
};
/// The offset of a spot that is in no block.
inline constexpr std::size_t kElsewhere = ~std::size_t{0};

class Pe;

/// The PE of this process, which does not end as long as a call has this. A count in and one out: a
/// put of a word takes no longer than a mutex.
class PeInUse {
 public:
  /// Null before init.
  static PeInUse now() noexcept {
    users_.fetch_add(1);
    return PeInUse(current_.load());
  }
  /// Raises ACLSHMEM_NOT_INITED.
  static PeInUse required() {
    users_.fetch_add(1);
    Pe* const pe = current_.load();
    if (!pe) [[unlikely]]
      refuse();
    return PeInUse(pe);
  }
  ~PeInUse() {
    if (users_.fetch_sub(1) == 1 && ended_.load()) [[unlikely]]
      end_unused();
  }
  PeInUse(const PeInUse&) = delete;
  PeInUse& operator=(const PeInUse&) = delete;

  explicit operator bool() const noexcept { return pe_ != nullptr; }
  Pe* get() const noexcept { return pe_; }
  Pe* operator->() const noexcept { return pe_; }
  Pe& operator*() const noexcept { return *pe_; }

 private:
  friend class Pe;
  explicit PeInUse(Pe* pe) noexcept : pe_(pe) {}
  [[noreturn]] static void refuse();
  static void end_unused() noexcept;
  static inline constinit std::atomic<int> users_{0};
  static inline constinit std::atomic<Pe*> current_{nullptr};
  static inline constinit std::atomic<bool> ended_{false};  // some have, and may be in use still
  Pe* const pe_;
};

/// This process as a PE, between init and finalize. Any thread.
class Pe : public std::enable_shared_from_this<Pe> {
 public:
  /// The one of this process. Raises ACLSHMEM_NOT_INITED.
  static PeInUse get() { return PeInUse::required(); }
  /// Null before init.
  static PeInUse find() noexcept { return PeInUse::now(); }
  /// Makes `pe` the one of this process, or none. init and finalize hold this.
  static void set(std::shared_ptr<Pe> pe);
  static sim::Mutex& initialising();

  /// Lasts as long as init makes the PE of this process.
  class Becoming {
   public:
    Becoming() = default;
    ~Becoming() { heap_made_ = false; }
    Becoming(const Becoming&) = delete;
    Becoming& operator=(const Becoming&) = delete;
    /// Between the making of the heap and the end of init.
    static bool heap_made() noexcept { return heap_made_; }

   private:
    friend class Pe;
    static inline constinit std::atomic<bool> heap_made_{false};
  };

  Pe(Met met, const PeSpec& spec, int device);
  ~Pe();
  Pe(const Pe&) = delete;
  Pe& operator=(const Pe&) = delete;

  const PeSpec& spec() const noexcept { return spec_; }
  Teams& teams() noexcept { return teams_; }
  aclrtStream stream() const noexcept { return stream_; }
  Waiter& waiter() noexcept { return waiter_; }
  acl::embedding::Runtime& runtime() const noexcept { return runtime_; }

  /// Whether calls that could do without a task become one: somebody measures tasks, or checks.
  bool shown() const noexcept {
    return runtime_.measured() || (told_.on() && !runtime_.in_kernel());
  }

  // --- the heaps ---
  /// Raises what barrier_all does; after the barrier ACLSHMEM_MALLOC_FAILED where there is no room
  /// and ACLSHMEM_INVALID_PARAM for no bytes and what is no alignment. The first one of the host
  /// makes its heap, together with all PEs: raises what the constructor does.
  void* allocate(Side side, std::size_t bytes, std::size_t alignment, bool zero);
  /// After a barrier. Raises ACLSHMEM_INVALID_PARAM for what is no allocation.
  void release(Side side, void* address);
  /// Null: there is none yet.
  std::byte* heap_begin(Side side = Side::device) const;
  std::size_t heap_bytes() const noexcept { return memory_.bytes(); }
  /// The same place of PE `pe`, as programs address it; null where there is none.
  void* at(const void* address, int pe) const noexcept;

  // --- addresses, as this library reads and writes them ---
  /// [address, address + size) of this PE's heap, at PE `pe`. For this PE itself other device
  /// memory does too. Raises ACLSHMEM_INVALID_PARAM, ACLSHMEM_INNER_ERROR where a PE was lost.
  Spot remote(const void* address, std::size_t size, int pe, const char* what) const;
  /// Any device memory of this process.
  std::byte* local(const void* address, std::size_t size, bool written, const char* what) const;

  // --- PEs of other hosts ---
  Ways& ways() noexcept { return ways_; }
  /// Returns when it has arrived. Raises ACLSHMEM_INNER_ERROR where the way was lost.
  void await(const Arrival& arrival);
  /// What was issued for the PE has arrived.
  void settle(int pe) {
    if (!ways_.settled(pe)) await(*ways_.flush(pe));
  }

  // --- order ---
  ToldOrder& told() noexcept { return told_; }
  /// Bytes of a PE's block change with what is enqueued or done next.
  void tell_change(const Spot& spot, int pe, std::size_t size,
                   ToldOrder::By by = ToldOrder::By::host) {
    if (told_.on() && spot.here && spot.offset != kElsewhere) {
      told_.changes(pe, spot.offset, size, by);
    }
  }
  /// A wait for words of this PE has ended.
  void tell_seen(const void* word, std::size_t size);
  /// Returns when what was enqueued on the library's stream is done. In a kernel it does nothing:
  /// what a kernel does is not ordered behind that stream.
  void drain();
  /// The same, and what was issued for PEs of other hosts has arrived.
  void quiet();
  /// An op was put on the library's stream.
  void enqueued() noexcept { enqueued_.fetch_add(1); }
  /// Nothing for Teams::kInvalid. Raises ACLSHMEM_TIMEOUT_ERROR with who did not come,
  /// ACLSHMEM_INNER_ERROR for a PE that was lost; after that every barrier fails at once.
  void barrier(int team);
  /// The same without quiet.
  void meet(int team);
  void barrier_all() { barrier(Teams::kWorld); }
  /// Of a barrier that is an op of a stream; its number is taken now.
  Arrivals::Passage begin_barrier(int team);
  /// Tells and wakes the PEs of the round that begins.
  void tell(const Arrivals::Passage& passage);
  /// Nobody can count on barriers any more.
  void broken(const std::string& why);
  void require_whole() const;
  /// "PE 3 has died", while that is so.
  std::optional<std::string> loss() const;
  fabric::Moment control_limit() const;
  /// Names who is missing in a barrier, and breaks what follows.
  [[noreturn]] void barrier_failed(const Arrivals::Passage& passage, Waiter::Outcome outcome);

  /// All PEs end with this status.
  void exit_all(int status);
  /// After the last barrier: nobody is told that this PE has died. Returns when PE 0 has closed the
  /// place where the PEs met.
  void leave();
  /// The same where that barrier has failed: at once.
  void abandon();

  /// Buffers of the engines, as the program set them; nobody reads them.
  struct EngineBuffer {
    std::uint64_t offset = 0;
    std::uint32_t size = 0;
    std::uint32_t sync_id = 0;
  };
  enum class Engine { mte, sdma, rdma, udma };
  void set_buffer(Engine engine, const EngineBuffer& buffer);

 private:
  /// Blocks that PEs make when they first allocate there.
  struct HostSide {
    HostSide(fabric::Group& group, const MemorySort& sort, const PeSpec& spec, fabric::Moment end)
        : memory(group, sort, spec.heap_bytes, end), heap(memory, spec.my_pe, 0, spec.heap_bytes) {}
    SymmetricMemory memory;
    SymmetricHeap heap;
  };
  HostSide& host_side();
  void make_host_side();
  [[noreturn]] void refuse(SymmetricHeap& of, std::size_t bytes, std::size_t alignment) const;
  SymmetricHeap& heap(Side side) { return side == Side::host ? host_side().heap : heap_; }
  /// The memory whose blocks hold an address.
  struct Owned {
    const SymmetricMemory* memory = nullptr;  // null: none
    int pe = -1;
    std::size_t base = 0;  // of offsets there
  };
  Owned owner_of(const void* address) const noexcept;
  /// Raises ACLSHMEM_INVALID_PARAM for what passes the end of the block.
  std::size_t offset_in(const Owned& owned, const void* address, std::size_t size,
                        const char* what) const;

  enum class Word : std::uint8_t { exit, closed };  // at the beginning of each block
  std::atomic_ref<std::uint64_t> word(int pe, Word which) const;
  void tell_to_exit(int pe, std::uint64_t word);
  void look_for_exit();
  void set_and_settle(int pe, std::size_t offset);
  void wait_until_all_are_through();
  void close_others();

  const PeSpec spec_;
  const int device_;
  acl::embedding::Runtime& runtime_;
  Met met_;
  SymmetricMemory memory_;
  ToldOrder told_;
  sim::Mutex host_side_mutex_;
  std::unique_ptr<HostSide> host_side_;
  std::atomic<const SymmetricMemory*> host_memory_{nullptr};  // of it, once all have it
  const std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
  Ways ways_;
  Arrivals arrivals_;
  Teams teams_;
  SymmetricHeap heap_;
  mutable sim::Mutex broken_mutex_;
  std::string broken_;
  sim::Mutex buffers_mutex_;
  std::array<EngineBuffer, 4> buffers_{};
  std::atomic<std::uint64_t> enqueued_{0};
  std::atomic<std::uint64_t> awaited_{0};  // of them
  std::atomic<bool> exiting_{false};
  aclrtStream stream_ = nullptr;
  Waiter waiter_;  // last: it calls in
};

}  // namespace shmem
