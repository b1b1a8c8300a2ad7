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
#include "runtime/shmem/links/connections.h"
#include "runtime/shmem/links/published_order.h"
#include "runtime/shmem/links/symmetric_memory.h"
#include "runtime/shmem/links/waiter.h"
#include "runtime/shmem/pe/symmetric_heap.h"
#include "runtime/shmem/teams/teams.h"

namespace shmem {

/// The checked parameters of init.
struct PeSpec {
  int my_pe = 0;
  int n_pes = 1;
  std::uint64_t heap_bytes = 0;
  std::chrono::seconds init_timeout{};
  std::chrono::seconds control_timeout{};
};

/// The kind of a heap.
enum class Side : std::uint8_t { device, host };

/// A place in the memory of a PE.
struct PeAddress {
  // the address that this library uses; null if the PE is on another host
  std::byte* here = nullptr;
  std::size_t offset = 0;  // in the PE's block; from kHostSide on in its block of host memory
};
/// The offset of a place that is in no block.
inline constexpr std::size_t kElsewhere = ~std::size_t{0};

class Pe;

/// A reference to the PE of this process, which a call holds. The PE does not end as long as there
/// are references. It counts users with two atomic operations: a put of a word takes no longer than
/// a mutex.
class PeInUse {
 public:
  /// Returns a null reference before init.
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
  // some PEs have ended and may still be in use
  static inline constinit std::atomic<bool> ended_{false};
  Pe* const pe_;
};

/// This process as a PE, from init to finalize. Any thread.
class Pe : public std::enable_shared_from_this<Pe> {
 public:
  /// The PE of this process. Raises ACLSHMEM_NOT_INITED.
  static PeInUse get() { return PeInUse::required(); }
  /// Returns a null reference before init.
  static PeInUse find() noexcept { return PeInUse::now(); }
  /// Sets or removes the PE of this process. The caller (init, finalize) holds `initialising`.
  static void set(std::shared_ptr<Pe> pe);
  static sim::Mutex& initialising();

  /// Lives while init makes the PE of this process.
  class Becoming {
   public:
    Becoming() = default;
    ~Becoming() { heap_made_ = false; }
    Becoming(const Becoming&) = delete;
    Becoming& operator=(const Becoming&) = delete;
    /// True from the allocation of the heap to the end of init.
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

  /// Whether calls that need no task become one, because tasks are measured or checked.
  bool shown() const noexcept {
    return runtime_.measured() || (published_.on() && !runtime_.in_kernel());
  }

  // --- the heaps ---
  // Allocates and then calls barrier_all, whose errors it raises. After the barrier it raises
  // ACLSHMEM_MALLOC_FAILED if there is no room, ACLSHMEM_INVALID_PARAM for 0 bytes or an invalid
  // alignment. The first allocation of host memory makes that heap, collectively, and raises the
  // errors of its constructor.
  void* allocate(Side side, std::size_t bytes, std::size_t alignment, bool zero);
  /// Calls barrier_all first. Raises ACLSHMEM_INVALID_PARAM if the address is not an allocation.
  void release(Side side, void* address);
  /// Null if the heap does not exist yet.
  std::byte* heap_begin(Side side = Side::device) const;
  std::size_t heap_bytes() const noexcept { return memory_.bytes(); }
  /// The same place in the heap of PE `pe`, as an address for programs; null if it does not exist.
  void* at(const void* address, int pe) const noexcept;

  // --- addresses for this library ---
  // Locates [address, address + size) of this PE's heap at PE `pe`. If `pe` is this PE, other
  // device memory is allowed too. Raises ACLSHMEM_INVALID_PARAM, and ACLSHMEM_INNER_ERROR after the
  // loss of a PE.
  PeAddress remote(const void* address, std::size_t size, int pe, const char* what) const;
  /// Locates any device memory of this process.
  std::byte* local(const void* address, std::size_t size, bool written, const char* what) const;

  // --- PEs on other hosts ---
  Connections& connections() noexcept { return connections_; }
  /// Returns when the operations have arrived. Raises ACLSHMEM_INNER_ERROR if the connection is
  /// lost.
  void await(const Arrival& arrival);
  /// Returns when everything that was issued for the PE has arrived.
  void settle(int pe) {
    if (!connections_.settled(pe)) await(*connections_.flush(pe));
  }

  // --- order ---
  PublishedOrder& published() noexcept { return published_; }
  /// Reports to the checker that the next operation changes bytes of a PE's block. Returns the key
  /// of the change; 0: the operation has none. `stream` null: the library's.
  std::uint64_t tell_change(const PeAddress& spot, int pe, std::size_t size,
                            const WordEffect& effect = {}, aclrtStream stream = nullptr);
  /// The place of words of this PE in its block; `kElsewhere` if they are in none.
  std::size_t offset_of(const void* word) const noexcept;
  /// Reports to the checker that a wait for words of this PE has ended. `ends` null: their
  /// values are not known.
  void tell_seen(const void* word, std::size_t size, const PublishedOrder::Ends& ends);
  /// Returns when all ops of the library's stream are complete. In a kernel it does nothing:
  /// kernels are not ordered after that stream.
  void drain();
  /// As `drain`, and all operations on PEs of other hosts have arrived.
  void quiet();
  /// An op was put on the library's stream.
  void enqueued() noexcept { enqueued_.fetch_add(1); }
  /// Has no effect for Teams::kInvalid. Raises ACLSHMEM_TIMEOUT_ERROR with the PEs that did not
  /// arrive, ACLSHMEM_INNER_ERROR for a PE that was lost. After an error every later barrier fails
  /// at once.
  void barrier(int team);
  /// A barrier without `quiet`.
  void meet(int team);
  void barrier_all() { barrier(Teams::kWorld); }
  /// For a barrier that is an op of a stream. Its number is taken by this call.
  Arrivals::Passage begin_barrier(int team);
  /// Notifies and wakes the PEs of the current round.
  void tell(const Arrivals::Passage& passage);
  /// Makes all later barriers fail.
  void broken(const std::string& why);
  void require_whole() const;
  /// "PE 3 has died"; nothing if no PE was lost.
  std::optional<std::string> loss() const;
  fabric::Moment control_limit() const;
  /// Raises the error of a barrier with the missing PEs, and makes all later barriers fail.
  [[noreturn]] void barrier_failed(const Arrivals::Passage& passage, Waiter::Outcome outcome);

  /// Ends all PEs with this status.
  void exit_all(int status);
  /// Leaves in order after the last barrier, so that no PE reports a loss. Returns when PE 0 has
  /// closed the store.
  void leave();
  /// As `leave`, but immediately, after the last barrier has failed.
  void abandon();

  /// The buffers of the engines that the program has set. The emulator does not read them.
  struct EngineBuffer {
    std::uint64_t offset = 0;
    std::uint32_t size = 0;
    std::uint32_t sync_id = 0;
  };
  enum class Engine { mte, sdma, rdma, udma };
  void set_buffer(Engine engine, const EngineBuffer& buffer);

 private:
  /// The heap of host memory. The PEs make it at the first allocation there.
  struct HostSide {
    HostSide(fabric::Group& group, const MemoryKind& sort, const PeSpec& spec, fabric::Moment end)
        : memory(group, sort, spec.heap_bytes, end), heap(memory, spec.my_pe, 0, spec.heap_bytes) {}
    SymmetricMemory memory;
    SymmetricHeap heap;
  };
  HostSide& host_side();
  void make_host_side() REQUIRES(host_side_mutex_);
  [[noreturn]] void refuse(SymmetricHeap& of, std::size_t bytes, std::size_t alignment) const;
  SymmetricHeap& heap(Side side) { return side == Side::host ? host_side().heap : heap_; }
  /// The memory that contains an address.
  struct Owned {
    const SymmetricMemory* memory = nullptr;  // null: no symmetric memory
    int pe = -1;
    std::size_t base = 0;  // added to offsets
  };
  Owned owner_of(const void* address) const noexcept;
  /// Raises ACLSHMEM_INVALID_PARAM for bytes beyond the end of the block.
  std::size_t offset_in(const Owned& owned, const void* address, std::size_t size,
                        const char* what) const;

  enum class Word : std::uint8_t { exit, closed };  // words at the beginning of each block
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
  PublishedOrder published_;
  sim::Mutex host_side_mutex_;
  std::unique_ptr<HostSide> host_side_ GUARDED_BY(host_side_mutex_);
  std::atomic<const SymmetricMemory*> host_memory_{nullptr};  // set once all PEs have it
  const std::shared_ptr<Bell> bell_ = std::make_shared<Bell>();
  Connections connections_;
  Arrivals arrivals_;
  Teams teams_;
  SymmetricHeap heap_;
  mutable sim::Mutex broken_mutex_;
  std::string broken_ GUARDED_BY(broken_mutex_);
  sim::Mutex buffers_mutex_;
  std::array<EngineBuffer, 4> buffers_ GUARDED_BY(buffers_mutex_){};
  std::atomic<std::uint64_t> enqueued_{0};
  std::atomic<std::uint64_t> awaited_{0};  // the number of ops whose end was awaited
  std::atomic<bool> exiting_{false};
  aclrtStream stream_ = nullptr;
  Waiter waiter_;  // last member: it calls other members
};

}  // namespace shmem
