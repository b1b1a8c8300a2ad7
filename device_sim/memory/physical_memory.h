// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "device_sim/base/owned_fd.h"
#include "device_sim/base/ref.h"

namespace sim {

class AddressSpace;

/// Memory without an address: a file in memory, or a part of one. It can be mapped at any number of
/// addresses (mappings.h) and be given to other processes. Must not outlive its Memory.
class PhysicalMemory final : public RefCounted<PhysicalMemory> {
 public:
  /// Fresh memory, all zeros, which counts against its device and the host's share.
  /// Throws MachineError(out_of_memory).
  static Ref<PhysicalMemory> allocate(AddressSpace& owner, std::size_t size);
  /// Memory that another process made and pays for: `size` bytes from `offset` (a multiple of a
  /// page) of its file. Throws MachineError(invalid_argument) when the file is not such memory.
  static Ref<PhysicalMemory> adopt(OwnedFd file, std::size_t offset, std::size_t size, int device);

  const OwnedFd& file() const noexcept { return file_; }
  std::size_t offset() const noexcept { return offset_; }
  std::size_t size() const noexcept { return size_; }
  int device() const noexcept { return device_; }
  bool adopted() const noexcept { return owner_ == nullptr; }

 private:
  friend class RefCounted<PhysicalMemory>;
  PhysicalMemory(AddressSpace* owner, OwnedFd file, std::size_t offset, std::size_t size,
                 int device);
  ~PhysicalMemory();

  AddressSpace* const owner_;
  const OwnedFd file_;
  const std::size_t offset_;
  const std::size_t size_;
  const int device_;
};

}  // namespace sim
