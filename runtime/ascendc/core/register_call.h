// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ascendc {

/// The accesses of one call of a register function to the unified buffer. The call is one operation
/// of the vector pipe; inside of it, only barriers and common registers order a store before a
/// later load.
class RegisterCall {
 public:
  /// An access at an offset of the unified buffer.
  struct Access {
    std::uint64_t begin;
    std::uint64_t end;
    const void* site;
    const char* name;
    bool write;
  };
  /// A store that nothing orders before a load.
  struct Store {
    const void* site = nullptr;
    const char* name = "";
  };

  void begin(std::uint64_t memory_bytes);
  void end() noexcept { open_ = false; }
  bool open() const noexcept { return open_; }

  /// `data`: the address of the register. A load returns the conflicting store, if any.
  Store read(const Access& access, const void* data);
  void write(const Access& access, const void* data);
  /// Orders later loads after the earlier stores.
  void barrier() noexcept { ++epoch_; }

  /// All accesses; contiguous ones of one place are joined.
  const std::vector<Access>& accesses() const noexcept { return accesses_; }

 private:
  static constexpr std::uint64_t kBlock = 32;
  /// The ranges that are kept. Further accesses extend the previous range of their place, with the
  /// bytes between the two.
  static constexpr std::size_t kMost = 2048;

  struct Block {
    std::uint32_t epoch = 0;
    std::uint32_t bytes = 0;  // one bit each: stored in that epoch
    const void* data = nullptr;
    const void* site = nullptr;
    const char* name = "";
  };
  struct Recent {
    const void* site = nullptr;
    std::uint32_t call = 0;
    std::uint32_t number = 0;
  };

  void record(const Access& access);
  static std::uint32_t bits(std::uint64_t block, std::uint64_t begin, std::uint64_t end) noexcept;

  bool open_ = false;
  std::uint32_t epoch_ = 0;
  std::uint32_t call_ = 0;
  std::vector<Block> blocks_;
  std::vector<Access> accesses_;
  Recent recent_[64];
};

/// The ranges of the unified buffer that the kernel has pointers to: the tensors of these pointers.
class PointedTensors {
 public:
  struct Range {
    std::uint64_t begin;
    std::uint64_t end;
  };
  void clear() noexcept { ranges_.clear(); }
  void add(std::uint64_t begin, std::uint64_t end);
  /// The tensor of an offset: of several, the one that ends last. Empty if none is known.
  Range around(std::uint64_t offset) const noexcept;

 private:
  static constexpr std::size_t kMost = 64;
  std::vector<Range> ranges_;
};

}  // namespace ascendc
