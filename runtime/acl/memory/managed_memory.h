// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "device_sim/memory/address_space.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// The program's advice about managed memory, page by page. The pages themselves never move: host
/// and devices read and write the same bytes.
class ManagedMemory final : public Section {
 public:
  explicit ManagedMemory(Runtime& runtime) : runtime_(runtime) {}

  /// Ids of the host and of no location, for attributes that are only a device id.
  static constexpr std::int32_t kHostId = -1;
  static constexpr std::int32_t kNoId = -2;

  struct Page {
    bool read_mostly = false;
    aclrtMemManagedLocation preferred{ACL_MEM_LOCATIONTYPE_INVALID, 0};
    aclrtMemManagedLocation last_prefetch{ACL_MEM_LOCATIONTYPE_INVALID, 0};
    std::vector<std::int32_t> accessed_by;  // rising
  };

  /// A piece of one managed allocation, in whole pages.
  struct Range {
    std::uint64_t serial;  // of the allocation
    std::size_t first;     // bytes from its start
    std::size_t last;
  };
  /// Raises ACL_ERROR_RT_PARAM_INVALID unless [address, address + size) is managed memory.
  Range range(const void* address, std::size_t size, const char* argument) const;
  /// Raises ACL_ERROR_RT_PARAM_INVALID for a type that does not name a location,
  /// ACL_ERROR_RT_INVALID_DEVICEID for a device that does not exist.
  void check_location(const aclrtMemManagedLocation& location, const char* argument) const;

  void advise(const Range& range, aclrtMemManagedAdviseType advice,
              const aclrtMemManagedLocation& location);
  void set_prefetched(const Range& range, const aclrtMemManagedLocation& location);
  /// The states of the pages in the range, each once.
  std::vector<Page> pages(const Range& range) const;
  /// The allocation is freed.
  void forget(std::uint64_t serial);

  void reset() override;

 private:
  /// First byte of a run of equal pages -> their state; the first key is 0.
  using Pages = std::map<std::size_t, Page>;
  static Pages::iterator split(Pages& pages, std::size_t at);
  template <class F>
  void change(const Range& range, F&& f);

  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  std::map<std::uint64_t, Pages> known_ GUARDED_BY(mutex_);  // by allocation; absent: no advice
};

}  // namespace acl
