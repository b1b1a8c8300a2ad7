// SPDX-License-Identifier: Apache-2.0
// Reports the order of PEs to the checkers of all processes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/shmem/links/arrivals.h"
#include "runtime/shmem/links/symmetric_memory.h"
#include "runtime/shmem/links/word_values.h"

namespace shmem {

/// Each block has a list of the changes that any PE has made in it, in one order. A wait for a word
/// reports the changes of that word so far, with the values that they leave, and the check of all
/// processes chooses the ones that the wait is ordered after. Has no effect unless all processes
/// are checked. Any thread.
class PublishedOrder {
 public:
  /// Offset in the block, after the counts of arrivals.
  static constexpr std::size_t kOffset = std::size_t{2} << 20;
  static constexpr std::size_t kBytes = std::size_t{2} << 20;

  PublishedOrder(const SymmetricMemory& memory, int me);

  bool on() const noexcept { return on_; }
  /// The order between PEs has become unknown to the checker: it reports nothing from here on.
  void lost();

  /// The origin of a change. The order of a kernel, or of a graph, is not known.
  enum class By : std::uint8_t { operation, other };
  /// To be called before bytes of a block change, by the thread that enqueues the operation.
  /// Returns the key that the operation reports as a flag that it sets (`setting`). `awaited`: a
  /// later wait of the thread first waits for the operation.
  std::uint64_t changes(int pe, std::size_t offset, std::size_t size, const WordEffect& effect,
                        By by, bool awaited);
  /// The flag of an operation with these keys of changes; 0: none.
  acl::embedding::FlagUse setting(std::uint64_t key, std::uint64_t second_key = 0) const;

  /// Whether a value ends a wait.
  using Ends = std::function<bool(std::uint64_t value)>;
  /// The sequence of operations that a wait belongs to: a host thread, or a stream.
  struct Waiter {
    bool stream = false;
    std::uint64_t number = 0;
  };
  /// A wait of the calling thread for a word of a block has ended. `ends` null: the changes so far
  /// all come before its end.
  void saw(int pe, std::size_t offset, std::size_t size, const Ends& ends);
  /// The same for an operation of a stream. Returns the key that it took.
  std::uint64_t took(std::uint64_t stream, std::size_t offset, std::size_t size, const Ends& ends);
  acl::embedding::FlagUse taking() const;

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
    std::uint64_t host;  // that returned from its call when it was complete; 0: none
    WordEffect effect;
    std::uint64_t before;  // what the word held, if it has the size of a value
  };
  static constexpr std::size_t kChanges = (kBytes - 64) / sizeof(Change);

  /// The word of a wait, and the changes of it.
  struct Word {
    int pe;
    std::size_t offset;
    std::size_t size;
  };
  /// The last change that ended a wait of the waiter; number 0: none.
  struct Seen {
    std::uint64_t number = 0;
    std::optional<std::uint64_t> value{};
  };
  struct SeenChange {
    Seen seen;
    acl::embedding::WordChange change{};
    bool own = false;  // the waiting thread has made it
  };
  using SeenBy = std::tuple<bool, std::uint64_t, int, std::size_t, std::size_t>;

  std::atomic_ref<std::uint64_t> count(int pe) const;
  Change& change(int pe, std::uint64_t number) const;
  std::uint64_t key(int pe, std::uint64_t kind, std::uint64_t number) const;
  std::optional<std::uint64_t> read(int pe, std::size_t offset, std::size_t size) const;
  std::uint64_t host() const;
  std::uint64_t report(const Waiter& waiter, const Word& word, const Ends& ends);
  bool take_in(const Word& word, std::uint64_t number, SeenChange& at, const Ends& ends);

  const SymmetricMemory& memory_;
  const int me_;
  const bool on_;
  std::atomic<bool> lost_{false};
  std::atomic<std::uint64_t> waits_{0};
  sim::Mutex mutex_;
  std::map<SeenBy, Seen> seen_ GUARDED_BY(mutex_);
};

}  // namespace shmem
