// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "device_sim/base/error.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace sim {
class AddressSpace;
}

namespace acl {

class Runtime;

/// Device memory that was freed while tasks of its device were pending. As on hardware, tasks that
/// were enqueued before find it as it was: it is allocated again when all of them have ended, or
/// when too much is kept.
class FreedMemory final : public Section {
 public:
  explicit FreedMemory(Runtime& runtime);

  /// False if no live allocation starts at `address`.
  bool free(sim::AddressSpace& space, void* address, std::size_t size, const void* caller)
      EXCLUDES(mutex_);
  /// Lets go of the memory whose tasks have ended. Cheap if no memory is kept.
  void sweep() EXCLUDES(mutex_);
  /// Lets go of all memory. False if there was none.
  bool give_up() EXCLUDES(mutex_);
  /// Calls `allocate`, and again after give_up() if it finds no room. A seeded schedule looks for
  /// mistakes, so there the memory is allocated again as early as hardware may do it.
  template <class Allocate>
  auto with_room(const Allocate& allocate) EXCLUDES(mutex_) {
    seeded_ ? static_cast<void>(give_up()) : sweep();
    try {
      return allocate();
    } catch (const sim::MachineError& error) {
      if (error.error() != sim::Error::out_of_memory || !give_up()) throw;
    }
    return allocate();
  }

  void reset() override { give_up(); }
  void device_ends(int device) override EXCLUDES(mutex_);

 private:
  /// The tasks of a stream that were enqueued before a number.
  struct Fence {
    std::uint32_t stream;
    std::uint64_t last;
  };
  using Retired = std::map<std::uint32_t, std::uint64_t>;  // tasks that have ended, by stream
  struct Piece {
    sim::AddressSpace* space;
    void* address;
    std::size_t size;
    std::vector<Fence> fences;
  };

  std::vector<Fence> pending_tasks(int device) const;
  Retired retired_tasks() const;
  void let_go(const Piece& piece) REQUIRES(mutex_);
  /// Those for which `over` is true.
  template <class Over>
  void let_go_if(const Over& over) EXCLUDES(mutex_);

  Runtime& runtime_;
  const bool seeded_;
  std::atomic<bool> empty_{true};
  sim::Mutex mutex_;
  std::deque<Piece> pieces_ GUARDED_BY(mutex_);  // the oldest first
  std::size_t bytes_ GUARDED_BY(mutex_) = 0;
};

}  // namespace acl
