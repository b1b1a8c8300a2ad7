// SPDX-License-Identifier: Apache-2.0
// What orders PEs, told to the checker of all processes.
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

/// Each block holds a list of what was changed in it, by whomever: who waits for a word is ordered
/// behind the changes of that word so far. That may be one too many, so that a race can be missed,
/// never one too few. Does nothing unless somebody listens in all processes. Any thread.
class ToldOrder {
 public:
  /// In the block, behind the counts of arrivals.
  static constexpr std::size_t kOffset = std::size_t{2} << 20;
  static constexpr std::size_t kBytes = std::size_t{2} << 20;

  ToldOrder(const SymmetricMemory& memory, int me);

  bool on() const noexcept { return on_; }
  /// PEs may be ordered in ways that are not told: nothing is found from here on.
  void lost();

  /// By a kernel or a stream of the program, nothing is known of its order.
  enum class By : std::uint8_t { host, other };
  /// Before bytes of a block change. By the host: `settle` has to follow when they have.
  void changes(int pe, std::size_t offset, std::size_t size, By by = By::host);
  /// The calling thread knows that all that was begun is done.
  void settle();
  /// A wait for bytes of a block has ended.
  void saw(int pe, std::size_t offset, std::size_t size);

  /// At barriers: how often a PE has told another by then.
  void told(int pe, std::uint64_t count);
  void was_told_by(int pe, std::uint64_t count);
  /// The same of a barrier that is an op of a stream, in one round.
  std::vector<acl::embedding::Rendezvous> meetings(std::span<const Arrivals::Pair> round) const;

 private:
  struct Change {
    std::atomic<std::uint64_t> number;  // from 1; of another one: it is not there (any more)
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
  std::vector<std::uint64_t> begun_;                                   // keys
  std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> seen_;  // of words of this PE
};

}  // namespace shmem
