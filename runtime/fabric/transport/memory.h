// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "device_sim/base/owned_fd.h"
#include "runtime/fabric/ranks/group.h"

namespace fabric {

/// Memory that a rank lets others use: part of a file that exists in memory only, where it is
/// mapped here. The owner of both is whoever registers it.
struct MemorySpec {
  void* base = nullptr;
  std::size_t bytes = 0;
  const sim::OwnedFd* file = nullptr;
  std::size_t file_offset = 0;  // a multiple of a page
};

class Exposure;

/// How registered memory is named to other ranks.
struct MemoryCard {
  ProcessId process{};
  std::uint64_t key = 0;   // of the broker
  std::uint64_t base = 0;  // as its owner addresses it
  std::uint64_t bytes = 0;
  std::uint64_t file_offset = 0;
  Bytes network{};  // how other hosts reach it; empty: not at all

  Bytes pack() const;
  /// Throws FabricError(broken).
  static MemoryCard unpack(std::span<const std::byte> bytes);
};

/// Memory of this process, registered once for all ranks of a group. It must stay mapped until this
/// goes; what peers have mapped stays readable and writable after that, and reaches nobody.
class RegisteredMemory {
 public:
  /// Throws FabricError: invalid for memory without a file or off a page, broken.
  static std::shared_ptr<RegisteredMemory> of(const Group& group, const MemorySpec& spec);
  /// For ranks of other hosts alone: whoever is of this one has it otherwise.
  static std::shared_ptr<RegisteredMemory> for_hosts(const Group& group,
                                                     std::span<std::byte> memory);
  ~RegisteredMemory();
  RegisteredMemory(const RegisteredMemory&) = delete;
  RegisteredMemory& operator=(const RegisteredMemory&) = delete;

  const MemoryCard& card() const noexcept { return card_; }

 private:
  RegisteredMemory(std::shared_ptr<Process> process, const MemoryCard& card);
  void expose_to_hosts();
  const std::shared_ptr<Process> process_;
  MemoryCard card_;
  std::unique_ptr<Exposure> exposure_;  // to ranks of other hosts
};

/// A rank's registered memory, from here.
class PeerMemory {
 public:
  virtual ~PeerMemory() = default;
  int rank() const noexcept { return rank_; }
  std::size_t bytes() const noexcept { return card_.bytes; }
  /// Where it is mapped in this process; null where it is on another host.
  std::byte* mapped() const noexcept { return mapped_; }
  /// The offset of what the owner calls `address`. Throws FabricError(invalid) when [address,
  /// address + size) is not inside.
  std::size_t offset_of(std::uint64_t address, std::size_t size) const;
  /// Throws FabricError(invalid) unless [offset, offset + size) is inside.
  void require(std::size_t offset, std::size_t size, const char* what) const;

 protected:
  PeerMemory(int rank, const MemoryCard& card) : rank_(rank), card_(card) {}
  const int rank_;
  const MemoryCard card_;
  std::byte* mapped_ = nullptr;
};

/// Memory of a rank of this host. Throws FabricError: lost when the rank has gone, broken.
std::shared_ptr<PeerMemory> map_peer_memory(const Peer& peer, const MemoryCard& card);

}  // namespace fabric
