// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hcomm/hcomm_res_defs.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/fabric/base/bytes.h"

namespace hccl {

/// Memory of a rank that others may reach: its buffer, or what it has registered. What it tells
/// them.
struct Region {
  static constexpr const char* kBufferTag = "HcclBuffer";

  std::string tag{};
  CommMemType type = COMM_MEM_TYPE_DEVICE;
  std::uint64_t address = 0;  // as its rank addresses it
  std::uint64_t bytes = 0;
  bool in_file = true;      // of its device; else only threads of its process reach it
  std::uint64_t place = 0;  // the offset there; else where those threads read and write
  // What the checker calls the allocation in all processes, and where in it this is; 0: nobody
  // checks.
  std::uint64_t told_as = 0;
  std::uint64_t told_offset = 0;
  std::uint64_t serial = 0;  // of the allocation, in its own process alone; 0: not known

  /// Finds the bytes. Raises HCCL_E_PARA for what no device reaches.
  static Region at(acl::embedding::Caller caller, std::string tag, CommMemType type, void* address,
                   std::uint64_t bytes);
  /// Of memory of this process.
  void find_serial() noexcept;
  bool was_freed() const noexcept;
  void pack(fabric::Writer& writer) const;
  static Region unpack(fabric::Reader& reader);
};

/// Memory that the checkers of several processes know by one name, for as long as this lives.
/// Nobody's own: ranks may know by what the checker does not see that nobody uses it any more.
class ToldMemory {
 public:
  ToldMemory(std::uint64_t begin, std::uint64_t bytes, std::uint64_t told_as, std::uint64_t offset);
  ~ToldMemory();
  ToldMemory(const ToldMemory&) = delete;
  ToldMemory& operator=(const ToldMemory&) = delete;

 private:
  const void* const begin_;
  const std::uint64_t bytes_;
};

}  // namespace hccl
