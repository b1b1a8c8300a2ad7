// SPDX-License-Identifier: Apache-2.0
// Reports the order of PEs to the checkers of all processes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/shmem/links/arrivals.h"
#include "runtime/shmem/links/symmetric_memory.h"

namespace shmem {

/// Each block has a list of the changes that any PE has made in it. A thread that has waited for a
/// word is ordered after the changes of that word so far. It may be ordered after too many changes,
/// so that a race is missed, but never after too few. Has no effect unless all processes are
/// checked. Any thread.
class PublishedOrder {
 public:
  /// Offset in the block, after the counts of arrivals.
  static constexpr std::size_t kOffset = std::size_t{2} << 20;
  static constexpr std::size_t kBytes = std::size_t{2} << 20;

  PublishedOrder(const SymmetricMemory& memory, int me);

  bool on() const noexcept { return on_; }
  /// The order between PEs has become unknown to the checker: it reports nothing from here on.
  void lost();

  /// The origin of a change. The order of a kernel or of a program's stream is not known.
  enum class By : std::uint8_t { host, other };
  /// To be called before bytes of a block change. A change by the host is followed by `settle` when
  /// it is complete.
  void changes(int pe, std::size_t offset, std::size_t size, By by = By::host);
  /// All changes that were recorded before are complete, as the calling thread knows.
  void settle();
  /// A wait for bytes of a block has ended.
  void saw(int pe, std::size_t offset, std::size_t size);

  /// For barriers: this PE notifies, or was notified by, `pe`. `count`: the number of notifications
  /// so far.
  void notified(int pe, std::uint64_t count);
  void was_notified_by(int pe, std::uint64_t count);
  /// The same for one round of a barrier that is an op of a stream.
  std::vector<acl::embedding::Rendezvous> rendezvous(std::span<const Arrivals::Pair> round) const;

 private:
  struct Change {
    // from 1; any other number means that the change is not recorded (any more)
    std::atomic<std::uint64_t> number;
    std::uint64_t offset;
    std::uint64_t size;
    std::uint64_t by;
  };
  static constexpr std::size_t kChanges = (kBytes - 64) / sizeof(Change);

  std::atomic_ref<std::uint64_t> count(int pe) const;
  Change& change(int pe, std::uint64_t number) const;
  std::uint64_t key(int pe, std::uint64_t kind, std::uint64_t number) const;
  bool take_in(int pe, std::uint64_t number, std::size_t offset, std::size_t size);

  const SymmetricMemory& memory_;
  const int me_;
  const bool on_;
  std::atomic<bool> lost_{false};
  sim::Mutex mutex_;
  std::vector<std::uint64_t> begun_ GUARDED_BY(mutex_);  // keys of changes that are not complete
  // By offset and size of words of this PE.
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> seen_ GUARDED_BY(mutex_);
};

}  // namespace shmem
