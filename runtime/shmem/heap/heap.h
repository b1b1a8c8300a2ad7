// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace shmem {

/// The allocator of a block. It is deterministic, so PEs that make the same calls get the same
/// offsets. One thread at a time.
class Heap {
 public:
  static constexpr std::size_t kRounding = 16;

  /// The block begins `lead` bytes after an address that is aligned to the largest alignment in
  /// use.
  explicit Heap(std::size_t bytes, std::size_t lead = 0);

  /// Best fit; among free segments of equal size the first. Returns nothing for 0 bytes and if no
  /// segment is large enough.
  std::optional<std::size_t> allocate(std::size_t bytes) { return allocate(bytes, kRounding); }
  /// `alignment` applies to lead + offset and is a power of two; returns nothing for other numbers.
  std::optional<std::size_t> allocate(std::size_t bytes, std::size_t alignment);
  /// Returns false if no allocation starts at the offset.
  bool release(std::size_t offset);

  std::size_t bytes() const noexcept { return bytes_; }
  std::size_t allocations() const noexcept { return taken_.size(); }
  std::size_t free_bytes() const noexcept { return free_bytes_; }

 private:
  using ByOffset = std::map<std::size_t, std::size_t>;           // the size
  using BySize = std::set<std::pair<std::size_t, std::size_t>>;  // size, offset
  /// The entries of one free segment, apart from the tables.
  struct Entries {
    ByOffset::node_type by_offset;
    BySize::node_type by_size;
  };
  /// An allocation has the entries of the segment that it becomes, so a release cannot fail.
  struct Taken {
    std::size_t bytes;
    Entries entries;
  };

  static Entries make_entries();
  void add_free(std::size_t offset, std::size_t bytes, Entries entries) noexcept;
  Entries drop_free(ByOffset::iterator segment) noexcept;

  const std::size_t bytes_;
  const std::size_t lead_;
  std::size_t free_bytes_ = 0;
  ByOffset free_;
  BySize by_size_;
  std::map<std::size_t, Taken> taken_;
};

}  // namespace shmem
