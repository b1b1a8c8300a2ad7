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

/// Memory that a rank shares: a mapped part of a file that exists in memory only. The caller who
/// registers it keeps owning memory and file.
struct MemorySpec {
  void* base = nullptr;
  std::size_t bytes = 0;
  const sim::OwnedFd* file = nullptr;
  std::size_t file_offset = 0;  // a multiple of a page
};

class Exposure;

/// The description of registered memory that other ranks receive.
struct MemoryCard {
  ProcessId process{};
  std::uint64_t key = 0;   // of the broker
  std::uint64_t base = 0;  // as its owner addresses it
  std::uint64_t bytes = 0;
  std::uint64_t file_offset = 0;
  Bytes network{};  // how other hosts reach it; empty: they cannot

  Bytes pack() const;
  /// Throws FabricError(broken).
  static MemoryCard unpack(std::span<const std::byte> bytes);
};

/// Memory of this process, registered once for all ranks of a group. It must stay mapped as long as
/// this object lives. After that, the mappings of peers stay readable and writable, but writes
/// reach no other process.
class RegisteredMemory {
 public:
  /// Throws FabricError: invalid for memory without a file or not aligned to a page; broken.
  static std::shared_ptr<RegisteredMemory> of(const Group& group, const MemorySpec& spec);
  /// Only for ranks of other hosts. Ranks of this host reach the memory by other means.
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

/// The registered memory of another rank.
class PeerMemory {
 public:
  virtual ~PeerMemory() = default;
  int rank() const noexcept { return rank_; }
  std::size_t bytes() const noexcept { return card_.bytes; }
  /// The address at which it is mapped in this process; null if the rank is on another host.
  std::byte* mapped() const noexcept { return mapped_; }
  /// Converts an address of the owner to an offset. Throws FabricError(invalid) if [address,
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

/// Maps memory of a rank of this host. Throws FabricError: lost if the rank has gone; broken.
std::shared_ptr<PeerMemory> map_peer_memory(const Peer& peer, const MemoryCard& card);

}  // namespace fabric
