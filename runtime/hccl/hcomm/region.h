// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hcomm/hcomm_res_defs.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/fabric/base/bytes.h"

namespace hccl {

/// Memory of a rank that others may reach (its buffer, or registered memory), and the description
/// that they receive.
struct Region {
  static constexpr const char* kBufferTag = "HcclBuffer";

  std::string tag{};
  CommMemType type = COMM_MEM_TYPE_DEVICE;
  std::uint64_t address = 0;  // the owner's address
  std::uint64_t bytes = 0;
  // in the file of the owner's device; otherwise only threads of its process reach it
  bool in_file = true;
  std::uint64_t place = 0;  // offset in that file, or the address in the owner's process
  // The checker's name of the allocation in all processes, and the offset of this region in it; 0:
  // not checked.
  std::uint64_t shared_name = 0;
  std::uint64_t shared_offset = 0;
  // serial number of the allocation, valid in its own process; 0: not known
  std::uint64_t serial = 0;

  /// Locates the memory. Raises HCCL_E_PARA for memory that no device can access.
  static Region at(acl::embedding::Caller caller, std::string tag, CommMemType type, void* address,
                   std::uint64_t bytes);
  /// Sets `serial`, for memory of this process.
  void find_serial() noexcept;
  bool was_freed() const noexcept;
  void pack(fabric::Writer& writer) const;
  static Region unpack(fabric::Reader& reader);
};

/// Memory that the checkers of several processes know under one name, as long as this object lives.
/// The checker ignores who frees it: ranks may know that it is unused in ways that the checker does
/// not see.
class SharedMemoryName {
 public:
  SharedMemoryName(std::uint64_t begin, std::uint64_t bytes, std::uint64_t shared_name,
                   std::uint64_t offset);
  ~SharedMemoryName();
  SharedMemoryName(const SharedMemoryName&) = delete;
  SharedMemoryName& operator=(const SharedMemoryName&) = delete;

 private:
  const void* const begin_;
  const std::uint64_t bytes_;
};

}  // namespace hccl
