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

  /// Finds the bytes. Raises HCCL_E_PARA for what no device reaches.
  static Region at(acl::embedding::Caller caller, std::string tag, CommMemType type, void* address,
                   std::uint64_t bytes);
  void pack(fabric::Writer& writer) const;
  static Region unpack(fabric::Reader& reader);
};

}  // namespace hccl
