// SPDX-License-Identifier: Apache-2.0
// Connections to PEs on other hosts.
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

/// The state of transfers that were issued: whether they have arrived and are visible at the other
/// PE. Any thread.
class Arrival {
 public:
  bool done() const noexcept { return missing_.load() == 0; }
  /// The connection was lost.
  bool failed() const noexcept { return failed_.load(); }

 private:
  friend class Connections;
  std::atomic<int> missing_{0};
  std::atomic<bool> failed_{false};
};

/// Offsets from here on are in a PE's block of host memory.
inline constexpr std::size_t kHostSide = std::size_t{1} << 48;

/// Transfers to and from the blocks of PEs on other hosts, by offset. No function blocks.
/// Operations that change words arrive after earlier puts. A get may overtake puts that have not
/// arrived. Any thread.
class Connections final : public Progress {
 public:
  /// Collective, until `end`. The bell is rung when something has arrived. Raises the errors of
  /// `group`, and FabricError(broken) if there is no transport.
  Connections(const std::shared_ptr<fabric::Group>& group, std::span<std::byte> block,
              std::shared_ptr<Bell> bell, fabric::Moment end);

  /// Adds the blocks of host memory. Collective, called once. Raises the same errors.
  void add_host_side(const std::shared_ptr<fabric::Group>& group, std::span<std::byte> block,
                     fabric::Moment end);

  /// Whether there are PEs on other hosts.
  bool any() const noexcept override { return !remote_.empty(); }
  bool is_remote(int pe) const noexcept { return any() && way(pe).transport != nullptr; }

  /// If `bytes` has more than kCopiedPut bytes, the caller keeps them unchanged until the put has
  /// arrived.
  void put(int pe, std::size_t offset, std::span<const std::byte> bytes);
  /// `bytes` is filled when the get has arrived.
  void get(int pe, std::size_t offset, std::span<std::byte> bytes);
  /// Changes a word and wakes the PE. `before`: receives the old value by the time of the arrival;
  /// null: not wanted.
  void change(int pe, std::size_t offset, const fabric::Atomic& what,
              std::uint64_t* before = nullptr);
  /// Adds 1 to a word and wakes the PE. `settled` and `flush` ignore this operation.
  void tell(int pe, std::size_t offset);
  /// Sends pending puts and wakes the PE.
  void push(int pe);
  /// As `push`, but a flush does not wait until the PE is awake.
  void wake(int pe);

  /// Whether everything that was issued has arrived.
  bool settled(int pe) const noexcept;
  /// Whether so many operations are pending that the next one should wait.
  bool is_full(int pe) const noexcept;
  std::shared_ptr<const Arrival> flush(int pe);
  std::shared_ptr<const Arrival> flush_all();
  /// The same, including the operations of `tell`.
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
    std::shared_ptr<std::atomic<std::uint64_t>> arrived;  // number of operations that have arrived
  };
  Way& way(int pe) noexcept { return connections_[static_cast<std::size_t>(pe)]; }
  const Way& way(int pe) const noexcept { return connections_[static_cast<std::size_t>(pe)]; }
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
  std::vector<Way> connections_;
  std::vector<int> remote_;
};

}  // namespace shmem
