// SPDX-License-Identifier: Apache-2.0
// The checks that the entries share, in the order in which HCCL makes them.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/hccl/base/error.h"
#include "runtime/hccl/base/guard.h"
#include "runtime/hccl/base/types.h"
#include "runtime/hccl/comm/registry.h"

namespace hccl {

inline std::shared_ptr<Communicator> require_communicator(HcclComm comm, aclrtStream stream) {
  require_input(stream, "stream");
  require_input(comm, "comm");
  return Registry::instance().find(comm);
}

inline void require_count(std::uint64_t count, const char* argument) {
  constexpr std::uint64_t kMost = 0x7FFFFFFFF;
  if (count > kMost) fail(HCCL_E_PARA, "{} is {}; expected {} or less", argument, count, kMost);
}

/// Returns the bytes of an element. Raises HCCL_E_NOT_SUPPORT.
inline std::size_t require_type(HcclDataType type, const char* argument = "dataType") {
  const std::size_t size = size_of(type);
  if (size == 0) {
    fail(HCCL_E_NOT_SUPPORT, "{} is {}; expected a data type of 1 to 8 bytes (HcclDataType)",
         argument, static_cast<int>(type));
  }
  return size;
}

inline std::size_t require_reducible(HcclDataType type, HcclReduceOp op) {
  const std::size_t size = require_type(type);
  if (!reducible(type, op)) {
    fail(HCCL_E_NOT_SUPPORT,
         "dataType is {} ({}) and op is {} ({}): such elements are not reduced so",
         static_cast<int>(type), name_of(type), static_cast<int>(op), name_of(op));
  }
  return size;
}

inline void require_rank(std::uint32_t rank, const Communicator& communicator,
                         const char* argument) {
  if (rank < communicator.size()) return;
  fail(HCCL_E_PARA, "{} is {}; expected less than {}, the number of ranks", argument, rank,
       communicator.size());
}

}  // namespace hccl
