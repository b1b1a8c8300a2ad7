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

/// The runtime behind libascendcl. Raises ACLSHMEM_INNER_ERROR when the two libraries do not fit.
acl::embedding::Runtime& embedding();

/// What the blocks of a symmetric memory are.
struct MemorySort {
  bool of_host = false;  // else of the device
  int device = 0;        // the PE's
  std::string name{};    // one for each symmetric memory of a group
};

/// One block of each PE's memory, mapped in every process of the host, one behind the other: PE i's
/// at begin(0) + i * stride. Those of PEs of other hosts have addresses, and nothing behind them.
/// It is memory without a name, so nothing is left of it when all processes have ended, however
/// they end.
class SymmetricMemory {
 public:
  /// All PEs make theirs, until `end`. Raises ACLSHMEM_MALLOC_FAILED and what `group` throws.
  SymmetricMemory(fabric::Group& group, const MemorySort& sort, std::size_t bytes,
                  fabric::Moment end);
  ~SymmetricMemory();
  SymmetricMemory(const SymmetricMemory&) = delete;
  SymmetricMemory& operator=(const SymmetricMemory&) = delete;

  std::size_t bytes() const noexcept { return bytes_; }
  /// As programs address it.
  std::byte* begin(int pe) const { return blocks_.at(static_cast<std::size_t>(pe)).begin; }
  /// Where this library reads and writes it; null on another host.
  std::byte* engine(int pe) const { return blocks_.at(static_cast<std::size_t>(pe)).engine; }
  /// A number that this block has in all processes, and no other.
  std::uint64_t file(int pe) const { return blocks_.at(static_cast<std::size_t>(pe)).file; }
  /// Whether each process tells the checker what it does, and can: all are on this host.
  bool told_by_all() const noexcept { return told_by_all_; }
  bool holds(int pe, const void* address) const noexcept {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) -
                                    blocks_[static_cast<std::size_t>(pe)].begin) < bytes_;
  }
  /// The PE whose block holds the address; -1: none.
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
  void import_others(fabric::Group& group, const MemorySort& sort, fabric::Moment end);
  void tell(int me) const;
  void release() noexcept;

  std::size_t bytes_;
  std::size_t stride_ = 0;
  bool told_by_all_ = false;
  std::vector<Block> blocks_;
};

}  // namespace shmem
