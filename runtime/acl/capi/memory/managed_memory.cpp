// SPDX-License-Identifier: Apache-2.0
// Memory that host and devices share by address.
#include "runtime/acl/memory/managed_memory.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "device_sim/streams/task.h"
#include "runtime/acl/base/runs.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/allocation.h"

using namespace acl;

namespace {

using ManagedPages = std::vector<ManagedMemory::Page>;
using Location = aclrtMemManagedLocation;

// ---- attributes of a range: a value only where all of its pages agree ----

Location common(const ManagedPages& pages, Location ManagedMemory::Page::*member) {
  const Location first = pages.front().*member;
  const bool same = std::all_of(pages.begin(), pages.end(), [&](const ManagedMemory::Page& page) {
    return (page.*member).type == first.type && (page.*member).id == first.id;
  });
  return same ? first : Location{ACL_MEM_LOCATIONTYPE_INVALID, 0};
}

std::int32_t plain_id(const Location& location) {
  switch (location.type) {
    case ACL_MEM_LOCATIONTYPE_DEVICE:
      return location.id;
    case ACL_MEM_LOCATIONTYPE_INVALID:
      return ManagedMemory::kNoId;
    default:
      return ManagedMemory::kHostId;
  }
}

std::int32_t number_of(aclrtMemManagedRangeAttribute attribute, const ManagedPages& pages) {
  constexpr auto kPreferred = &ManagedMemory::Page::preferred;
  constexpr auto kPrefetch = &ManagedMemory::Page::last_prefetch;
  switch (attribute) {
    case ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      return std::all_of(pages.begin(), pages.end(), [](const auto& p) { return p.read_mostly; });
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
      return plain_id(common(pages, kPreferred));
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
      return common(pages, kPreferred).type;
    case ACL_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
      return common(pages, kPreferred).id;
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      return plain_id(common(pages, kPrefetch));
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      return common(pages, kPrefetch).type;
    case ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
      return common(pages, kPrefetch).id;
    default:
      fail(ACL_ERROR_RT_PARAM_INVALID, "attribute is {}; expected 1 to 8",
           static_cast<int>(attribute));
  }
}

/// The devices that access every page; the rest of the list is kNoId.
std::vector<std::int32_t> readers_of(const ManagedPages& pages, std::size_t room) {
  std::vector<std::int32_t> readers = pages.front().accessed_by;
  std::erase_if(readers, [&](std::int32_t id) {
    return !std::all_of(pages.begin(), pages.end(), [&](const ManagedMemory::Page& page) {
      return std::binary_search(page.accessed_by.begin(), page.accessed_by.end(), id);
    });
  });
  readers.resize(room, ManagedMemory::kNoId);
  return readers;
}

void give_attribute(aclrtMemManagedRangeAttribute attribute, const ManagedPages& pages, void* data,
                    std::size_t size) {
  require_input(data, "data");
  constexpr std::size_t kNumber = sizeof(std::int32_t);
  const bool list = attribute == ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY;
  if (list ? size == 0 || size % kNumber != 0 : size != kNumber) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "dataSize is {} for attribute {}; expected {}{}", size,
         static_cast<int>(attribute), list ? "a multiple of " : "", kNumber);
  }
  if (list) {
    std::memcpy(data, readers_of(pages, size / kNumber).data(), size);
  } else {
    const std::int32_t number = number_of(attribute, pages);
    std::memcpy(data, &number, size);
  }
}

// ---- the rest ----

ManagedMemory::Range managed_range(Runtime& runtime, const void* pointer, std::size_t size,
                                   const char* argument = "ptr") {
  require_input(pointer, argument);
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "the size of {} is 0", argument);
  return runtime.section<ManagedMemory>().range(pointer, size, argument);
}

void check_advice(const ManagedMemory& managed, aclrtMemManagedAdviseType advice,
                  const Location& location) {
  switch (advice) {
    case ACL_MEM_ADVISE_SET_READ_MOSTLY:
    case ACL_MEM_ADVISE_UNSET_READ_MOSTLY:
    case ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      return;  // the location does not matter
    case ACL_MEM_ADVISE_SET_PREFERRED_LOCATION:
      managed.check_location(location, "location");
      return;
    case ACL_MEM_ADVISE_SET_ACCESSED_BY:
    case ACL_MEM_ADVISE_UNSET_ACCESSED_BY:
      managed.check_location(location, "location");
      if (location.type == ACL_MEM_LOCATIONTYPE_DEVICE ||
          location.type == ACL_MEM_LOCATIONTYPE_HOST)
        return;
      fail(ACL_ERROR_RT_PARAM_INVALID, "location is of type {}; expected a device or the host",
           static_cast<int>(location.type));
  }
  fail(ACL_ERROR_RT_PARAM_INVALID, "advise is {}; expected 0 to {}", static_cast<int>(advice),
       static_cast<int>(ACL_MEM_ADVISE_UNSET_ACCESSED_BY));
}

void check_no_flags(std::uint64_t flags) {
  if (flags != 0) fail(ACL_ERROR_INVALID_PARAM, "flags is {:#x}; expected 0", flags);
}

// The pages are everywhere already: the task only takes its place in the stream.
void prefetch(Runtime& runtime, Stream& stream, const ManagedMemory::Range& range,
              const Location& location) {
  runtime.section<ManagedMemory>().set_prefetched(range, location);
  stream.submit(
      sim::make_task(sim::make_simple_task("MEM_PREFETCH", range.last - range.first, {},
                                           [](sim::Stream&) -> sim::Failure { return {}; })));
}

}  // namespace

extern "C" {

aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    void*& out = require_out(ptr, "ptr");
    out = nullptr;
    if (flag != ACL_RT_MEM_ATTACH_GLOBAL) {
      fail(ACL_ERROR_INVALID_PARAM, "flag is {:#x}; expected ACL_RT_MEM_ATTACH_GLOBAL", flag);
    }
    if (size == 0) fail(ACL_ERROR_RT_PARAM_INVALID, "size is 0");
    current_context(runtime);
    AllocationRequest request;
    request.device = sim::kHostDevice;
    request.label.use = MemoryLabel::Use::managed;
    request.caller = caller;
    out = allocate(runtime, size, request);
  });
}

aclError aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute attribute, const void* ptr,
                                size_t size, void* data, size_t dataSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    const auto range = managed_range(runtime, ptr, size);
    give_attribute(attribute, runtime.section<ManagedMemory>().pages(range), data, dataSize);
  });
}

aclError aclrtMemManagedGetAttrs(aclrtMemManagedRangeAttribute* attributes, size_t numAttributes,
                                 const void* ptr, size_t size, void** data, size_t* dataSizes) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(attributes, "attributes");
    require_input(data, "data");
    require_input(dataSizes, "dataSizes");
    if (numAttributes == 0) fail(ACL_ERROR_INVALID_PARAM, "numAttributes is 0");
    current_context(runtime);
    const auto range = managed_range(runtime, ptr, size);
    const ManagedPages pages = runtime.section<ManagedMemory>().pages(range);
    for (size_t i = 0; i < numAttributes; ++i) {
      give_attribute(attributes[i], pages, data[i], dataSizes[i]);
    }
  });
}

aclError aclrtMemManagedAdvise(const void* const ptr, uint64_t size,
                               aclrtMemManagedAdviseType advise, aclrtMemManagedLocation location) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    auto& managed = runtime.section<ManagedMemory>();
    const auto range = managed_range(runtime, ptr, size);
    check_advice(managed, advise, location);
    managed.advise(range, advise, location);
  });
}

aclError aclrtMemManagedPrefetchAsync(const void* ptr, size_t size,
                                      aclrtMemManagedLocation location, uint32_t flags,
                                      aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    check_no_flags(flags);
    Stream* const found = own_stream(runtime, stream);
    const auto range = managed_range(runtime, ptr, size);
    runtime.section<ManagedMemory>().check_location(location, "location");
    prefetch(runtime, *found, range, location);
  });
}

aclError aclrtMemManagedPrefetchBatchAsync(const void** ptrs, size_t* sizes, size_t count,
                                           aclrtMemManagedLocation* prefetchLocs,
                                           size_t* prefetchLocIdxs, size_t numPrefetchLocs,
                                           uint64_t flags, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(ptrs, "ptrs");
    require_input(sizes, "sizes");
    require_input(prefetchLocs, "prefetchLocs");
    check_no_flags(flags);
    if (count == 0) fail(ACL_ERROR_INVALID_PARAM, "count is 0");
    check_runs(prefetchLocIdxs, numPrefetchLocs, count, "prefetchLocIdxs");
    Stream* const found = own_stream(runtime, stream);
    for (size_t k = 0; k < numPrefetchLocs; ++k) {
      runtime.section<ManagedMemory>().check_location(prefetchLocs[k], "prefetchLocs");
    }
    std::vector<ManagedMemory::Range> ranges;
    for (size_t i = 0; i < count; ++i) {
      ranges.push_back(managed_range(runtime, ptrs[i], sizes[i], "ptrs"));
    }
    for_each_in_runs(prefetchLocIdxs, numPrefetchLocs, count, [&](size_t i, size_t run) {
      prefetch(runtime, *found, ranges[i], prefetchLocs[run]);
    });
  });
}

}  // extern "C"
