// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/hccl/board/board.h"
#include "runtime/hccl/comm/communicator.h"

namespace hccl {

/// Memory of the device where ranks of other hosts put the parts that this one reduces: one behind the
/// other, by rank; and a last one for a result that is wanted elsewhere.
class Staging {
 public:
  /// None where `bytes`, those of each part, are 0 or no rank is on another host.
  Staging(const Communicator& communicator, std::uint64_t bytes)
      : Staging(communicator, communicator.links()->remote_ranks().empty() ? 0 : bytes,
                communicator.links()->remote_ranks().size()) {}
  /// So many parts, and one more.
  Staging(const Communicator& communicator, std::uint64_t bytes, std::size_t parts);
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const BufferRef& ref() const noexcept { return ref_; }
  /// So far the parts are from each other.
  static std::uint64_t stride(std::uint64_t bytes) noexcept { return (bytes + 63) / 64 * 64; }
  std::byte* part(std::size_t index) const noexcept { return memory_ + index * stride_; }
  std::byte* result() const noexcept { return part(parts_); }

 private:
  const int physical_device_;
  const std::size_t parts_;
  const std::uint64_t stride_;
  void* owned_ = nullptr;
  std::byte* memory_ = nullptr;
  BufferRef ref_{};
};

}  // namespace hccl
