// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/stream_config.h"

#include <cstddef>
#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/stream.h"

namespace acl {
namespace {

struct ConfigRow {
  aclrtStreamConfigAttr attribute;
  std::size_t offset;
  std::size_t size;
  std::size_t short_size = 0;  // also taken: programs pass the flags in either width
};

constexpr ConfigRow kConfigRows[] = {
    {ACL_RT_STREAM_WORK_ADDR_PTR, offsetof(aclrtStreamConfigHandle, workptr), sizeof(void*)},
    {ACL_RT_STREAM_WORK_SIZE, offsetof(aclrtStreamConfigHandle, workSize), sizeof(std::size_t)},
    {ACL_RT_STREAM_FLAG, offsetof(aclrtStreamConfigHandle, flag), sizeof(std::size_t),
     sizeof(std::uint32_t)},
    {ACL_RT_STREAM_PRIORITY, offsetof(aclrtStreamConfigHandle, priority), sizeof(std::uint32_t)},
};

const ConfigRow& row_of(aclrtStreamConfigAttr attribute) {
  for (const ConfigRow& row : kConfigRows) {
    if (row.attribute == attribute) return row;
  }
  fail(ACL_ERROR_INVALID_PARAM, "attr is {}, which is not an attribute for creating streams",
       static_cast<int>(attribute));
}

}  // namespace

aclrtStreamConfigHandle* StreamConfigs::create() {
  auto config = std::make_unique<aclrtStreamConfigHandle>();
  aclrtStreamConfigHandle* const handle = config.get();
  const sim::LockGuard guard(mutex_);
  configs_.emplace(handle, std::move(config));
  return handle;
}

StreamConfigs::Owned::const_iterator StreamConfigs::find(
    const aclrtStreamConfigHandle* handle) const {
  const auto it = configs_.find(handle);
  if (it == configs_.end()) {
    fail(ACL_ERROR_RT_INVALID_HANDLE,
         "handle is {}, which is not a live result of aclrtCreateStreamConfigHandle",
         static_cast<const void*>(handle));
  }
  return it;
}

void StreamConfigs::destroy(const aclrtStreamConfigHandle* handle) {
  const sim::LockGuard guard(mutex_);
  configs_.erase(find(handle));
}

void StreamConfigs::set(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attribute,
                        const void* value, std::size_t value_size) {
  const ConfigRow& row = row_of(attribute);
  if (value_size == 0 || (value_size != row.size && value_size != row.short_size)) {
    fail(ACL_ERROR_INVALID_PARAM, "valueSize is {}; expected {}{} for this attribute", value_size,
         row.short_size == 0 ? "" : fmt::format("{} or ", row.short_size), row.size);
  }
  const sim::LockGuard guard(mutex_);
  aclrtStreamConfigHandle changed = *find(handle)->second;
  char* const field = reinterpret_cast<char*>(&changed) + row.offset;
  std::memset(field, 0, row.size);
  std::memcpy(field, value, value_size);
  if (changed.priority > kLeastPriority) {
    fail(ACL_ERROR_INVALID_PARAM, "the priority is {}; expected 0 to {}", changed.priority,
         kLeastPriority);
  }
  *handle = changed;
}

aclrtStreamConfigHandle StreamConfigs::read(const aclrtStreamConfigHandle* handle) const {
  const sim::LockGuard guard(mutex_);
  return *find(handle)->second;
}

void StreamConfigs::reset() {
  const sim::LockGuard guard(mutex_);
  configs_.clear();
}

std::size_t StreamConfigs::live_handles() const {
  const sim::LockGuard guard(mutex_);
  return configs_.size();
}

}  // namespace acl
