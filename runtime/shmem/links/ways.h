// SPDX-License-Identifier: Apache-2.0
// The ways to PEs of other hosts.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/fabric/ranks/group.h"
#include "runtime/fabric/transport/memory.h"
#include "runtime/fabric/transport/transport.h"
#include "runtime/shmem/links/waiter.h"

namespace shmem {

/// Whether what was issued is there, and will be seen by whoever looks. Any thread.
class Arrival {
 public:
  bool done() const noexcept { return missing_.load() == 0; }
  /// A way was lost.
  bool failed() const noexcept { return failed_.load(); }

 private:
  friend class Ways;
  std::atomic<int> missing_{0};
  std::atomic<bool> failed_{false};
};

/// Offsets from here on are in a PE's block of the host.
inline constexpr std::size_t kHostSide = std::size_t{1} << 48;

/// Transfers to and from the blocks of PEs of other hosts, which are named by offsets. Nothing here
/// waits. What is changed behind a put arrives behind it; a get may overtake puts that are not
/// settled. Any thread.
class Ways final : public Progress {
 public:
  /// All PEs make theirs, until `end`. The bell is rung when something has arrived. Raises what
  /// `group` throws, FabricError(broken) where there is no transport.
  Ways(const std::shared_ptr<fabric::Group>& group, std::span<std::byte> block,
       std::shared_ptr<Bell> bell, fabric::Moment end);

  /// The blocks of the host too. All PEs call it once; the same is raised.
  void add_host_side(const std::shared_ptr<fabric::Group>& group, std::span<std::byte> block,
                     fabric::Moment end);

  /// Whether there are PEs of other hosts.
  bool any() const noexcept override { return !remote_.empty(); }
  bool is_remote(int pe) const noexcept { return any() && way(pe).transport != nullptr; }
  const std::vector<int>& remote_pes() const noexcept { return remote_; }

  /// `bytes` stay as they are until the put has arrived, where they are more than kCopiedPut.
  void put(int pe, std::size_t offset, std::span<const std::byte> bytes);
  /// `bytes` hold it once it has arrived.
  void get(int pe, std::size_t offset, std::span<std::byte> bytes);
  /// Wakes the PE. `before`: where the word as it was is once this has arrived; null: nobody asks.
  void change(int pe, std::size_t offset, const fabric::Atomic& what,
              std::uint64_t* before = nullptr);
  /// Adds 1 to a word, and wakes the PE. Whoever asks what has arrived is not asked for this.
  void tell(int pe, std::size_t offset);
  /// Sends what was put, and wakes the PE.
  void push(int pe);
  /// The same, and nobody who flushes waits until the PE is awake.
  void wake(int pe);

  /// Whether all that was issued has arrived.
  bool settled(int pe) const noexcept;
  /// Whether so much has not that the next one should wait.
  bool is_full(int pe) const noexcept;
  std::shared_ptr<const Arrival> flush(int pe);
  std::shared_ptr<const Arrival> flush_all();
  /// The same, and of what was told.
  std::shared_ptr<const Arrival> flush_told();
  bool poll() override { return any() && way(remote_.front()).transport->poll(); }
  void begin_polls() noexcept override {
    if (any()) way(remote_.front()).transport->begin_polls();
  }
  void end_polls() noexcept override {
    if (any()) way(remote_.front()).transport->end_polls();
  }

 private:
  struct Way {
    std::unique_ptr<fabric::Transport> transport;
    std::shared_ptr<fabric::PeerMemory> block;
    std::shared_ptr<fabric::PeerMemory> host_block;
    std::atomic<std::uint64_t> issued{0};
    std::shared_ptr<std::atomic<std::uint64_t>> arrived;  // of these
  };
  Way& way(int pe) noexcept { return ways_[static_cast<std::size_t>(pe)]; }
  const Way& way(int pe) const noexcept { return ways_[static_cast<std::size_t>(pe)]; }
  struct Target {
    fabric::PeerMemory& block;
    std::size_t offset;
  };
  Target target(int pe, std::size_t offset) noexcept;
  std::shared_ptr<const Arrival> flush_those(const std::vector<int>& pes);
  void begin_flush(int pe, const std::shared_ptr<Arrival>& arrival);

  const std::shared_ptr<Bell> bell_;
  std::shared_ptr<fabric::RegisteredMemory> own_;
  std::shared_ptr<fabric::RegisteredMemory> own_host_;
  std::vector<Way> ways_;
  std::vector<int> remote_;
};

}  // namespace shmem
