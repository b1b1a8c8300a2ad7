// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/fabric/ranks/group.h"

namespace shmem {

/// The runtime of libascendcl. Raises ACLSHMEM_INNER_ERROR if the two libraries have incompatible
/// versions.
acl::embedding::Runtime& embedding();

/// The kind of a symmetric memory.
struct MemoryKind {
  bool of_host = false;  // host memory; otherwise device memory
  int device = 0;        // the device of this PE
  std::string name{};    // unique among the symmetric memories of a group
};

/// One block of memory for each PE. All blocks are mapped in every process of the host, at equal
/// distances: the block of PE i at begin(0) + i * stride. Blocks of PEs on other hosts have
/// addresses but no memory behind them. The memory has no name, so nothing is left when all
/// processes have ended, even if they were killed.
class SymmetricMemory {
 public:
  /// Collective, until `end`. Raises ACLSHMEM_MALLOC_FAILED and the errors of `group`.
  SymmetricMemory(fabric::Group& group, const MemoryKind& sort, std::size_t bytes,
                  fabric::Moment end);
  ~SymmetricMemory();
  SymmetricMemory(const SymmetricMemory&) = delete;
  SymmetricMemory& operator=(const SymmetricMemory&) = delete;

  std::size_t bytes() const noexcept { return bytes_; }
  /// The address that programs use.
  std::byte* begin(int pe) const { return blocks_.at(static_cast<std::size_t>(pe)).begin; }
  /// The address that this library uses; null for a PE on another host.
  std::byte* engine(int pe) const { return blocks_.at(static_cast<std::size_t>(pe)).engine; }
  /// A unique number of this block, equal in all processes.
  std::uint64_t file(int pe) const { return blocks_.at(static_cast<std::size_t>(pe)).file; }
  /// Whether the checker sees all PEs: each of them is checked, and all are on this host.
  bool checked_everywhere() const noexcept { return checked_everywhere_; }
  bool holds(int pe, const void* address) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) -
                                    blocks_[static_cast<std::size_t>(pe)].begin) < bytes_;
  }
  /// The PE whose block contains the address; -1: none.
  int owner_of(const void* address) const noexcept;

 private:
  struct Block {
    std::byte* begin = nullptr;  // reserved
    bool mapped = false;
    aclrtDrvMemHandle handle = nullptr;
    std::byte* engine = nullptr;
    std::uint64_t file = 0;
  };
  void reserve();
  void map(Block& block);
  void import_others(fabric::Group& group, const MemoryKind& sort, fabric::Moment end);
  void tell(int me) const;
  void release() noexcept;

  std::size_t bytes_;
  std::size_t stride_ = 0;
  bool checked_everywhere_ = false;
  std::vector<Block> blocks_;
};

}  // namespace shmem
