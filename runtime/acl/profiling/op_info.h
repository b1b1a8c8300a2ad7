// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "acl/acl_prof.h"

namespace acl {

/// One operator that ran, as it goes through a subscription's pipe. Programs see its size only.
struct OpRecord {
  std::uint32_t mark = kMark;
  std::uint32_t model = 0;
  std::uint64_t start_ns = 0;  // times are 0 if they were not asked for
  std::uint64_t end_ns = 0;
  char type[ACL_PROF_MAX_OP_TYPE_LEN] = {};
  char name[ACL_PROF_MAX_OP_NAME_LEN] = {};
  char thread[11] = {};  // of the host thread that enqueued it, in digits; empty when unknown

  static constexpr std::uint32_t kMark = 0x3150504f;
};
static_assert(sizeof(OpRecord) <= 512, "less than a pipe writes at once");

/// Longer texts are cut.
OpRecord make_op_record(std::uint32_t model, const char* type, const char* name,
                        std::uint32_t thread);

/// Bytes that a program read from a pipe. Raises ACL_ERROR_INVALID_PARAM when they are null or not
/// whole records.
class OpRecords {
 public:
  OpRecords(const void* data, std::size_t size);
  std::uint32_t count() const noexcept { return count_; }
  /// An address in the program's bytes, of any alignment: fields are copied out with `get`. Raises
  /// ACL_ERROR_INVALID_PARAM for an index that is too large.
  const char* at(std::uint32_t index) const;
  OpRecord get(std::uint32_t index) const;

 private:
  const char* data_;
  std::uint32_t count_;
};

}  // namespace acl
