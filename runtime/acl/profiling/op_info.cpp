// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/profiling/op_info.h"

#include <cstring>
#include <string_view>
#include <type_traits>

#include "runtime/acl/base/error.h"

namespace acl {
namespace {

template <std::size_t Size>
void copy_text(char (&to)[Size], std::string_view text) {
  text.copy(to, Size - 1);
}

}  // namespace

static_assert(std::is_trivially_copyable_v<OpRecord>);

OpRecord make_op_record(std::uint32_t model, const char* type, const char* name,
                        std::uint32_t thread) {
  OpRecord record;
  record.model = model;
  copy_text(record.type, type);
  copy_text(record.name, name);
  if (thread != 0) copy_text(record.thread, std::to_string(thread));
  return record;
}

OpRecords::OpRecords(const void* data, std::size_t size) : data_(static_cast<const char*>(data)) {
  if (!data) fail(ACL_ERROR_INVALID_PARAM, "opInfo is null");
  if (size == 0 || size % sizeof(OpRecord) != 0 || size / sizeof(OpRecord) > UINT32_MAX) {
    fail(ACL_ERROR_INVALID_PARAM,
         "opInfoLen is {}; expected a multiple of what aclprofGetOpDescSize stores ({})", size,
         sizeof(OpRecord));
  }
  count_ = static_cast<std::uint32_t>(size / sizeof(OpRecord));
  for (std::uint32_t i = 0; i < count_; ++i) {
    std::uint32_t mark = 0;
    std::memcpy(&mark, at(i) + offsetof(OpRecord, mark), sizeof mark);
    if (mark != OpRecord::kMark) {
      fail(ACL_ERROR_INVALID_PARAM, "opInfo: record {} was not written by this runtime", i);
    }
  }
}

const char* OpRecords::at(std::uint32_t index) const {
  if (index >= count_) {
    fail(ACL_ERROR_INVALID_PARAM, "index is {}; expected less than {}", index, count_);
  }
  return data_ + std::size_t{index} * sizeof(OpRecord);
}

OpRecord OpRecords::get(std::uint32_t index) const {
  OpRecord record;
  std::memcpy(&record, at(index), sizeof record);
  // The bytes went through the program's hands.
  record.type[sizeof record.type - 1] = '\0';
  record.name[sizeof record.name - 1] = '\0';
  return record;
}

}  // namespace acl
