// SPDX-License-Identifier: Apache-2.0
// Queries about memory: its size, and the allocation that contains an address.
#include <algorithm>
#include <map>
#include <vector>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/transfer.h"

using namespace acl;

namespace {

// Allocations without the attribute count for module 0.
aclrtMemUsageInfo usage_entry(std::uint16_t module, const sim::AddressSpace::Usage& usage) {
  aclrtMemUsageInfo info{};
  const std::string name = module == 0 ? "DEFAULT" : fmt::format("MODULE_{}", module);
  name.copy(info.name, sizeof info.name - 1);
  info.curMemSize = usage.current;
  info.memPeakSize = usage.peak;
  return info;
}

/// One entry for each module, the largest user first. A module's peak is the sum of the peaks of
/// its kinds of memory, which need not have been at the same time.
std::vector<aclrtMemUsageInfo> usage_of(const sim::AddressSpace& space) {
  std::map<std::uint16_t, sim::AddressSpace::Usage> modules;
  for (const auto& [label, usage] : space.usage()) {
    sim::AddressSpace::Usage& sum = modules[MemoryLabel::unpack(label).module];
    sum.current += usage.current;
    sum.peak += usage.peak;
  }
  std::vector<aclrtMemUsageInfo> entries;
  for (const auto& [module, usage] : modules) {
    if (usage.peak != 0) entries.push_back(usage_entry(module, usage));
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return a.curMemSize > b.curMemSize; });
  return entries;
}

aclrtMemLocation location_of(Runtime& runtime, const MemoryLocation& place) {
  aclrtMemLocation location{};
  if (place.managed()) {
    location.type = ACL_MEM_LOCATION_TYPE_MANAGED;
  } else if (place.on_device()) {
    location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
    location.id = static_cast<uint32_t>(runtime.logical(place.device()));
  } else {
    location.type =
        place.pageable() ? ACL_MEM_LOCATION_TYPE_UNREGISTERED : ACL_MEM_LOCATION_TYPE_HOST;
  }
  return location;
}

constexpr uint32_t kMemTypes = ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP | ACL_RT_MEM_TYPE_RSVD;

}  // namespace

extern "C" {

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& free_out = require_out(free, "free");
    size_t& total_out = require_out(total, "total");
    if (attr < ACL_DDR_MEM || attr > ACL_MEM_P2P_HUGE1G) {
      fail(ACL_ERROR_RT_INVALID_MEMORY_TYPE, "attr is {}; expected 0 to {}", static_cast<int>(attr),
           static_cast<int>(ACL_MEM_P2P_HUGE1G));
    }
    const sim::AddressSpace& space = runtime.memory().device(current_context(runtime).device());
    total_out = space.capacity();
    free_out = space.capacity() - space.used();
  });
}

aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
                              size_t* outputNum) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_out(memUsageInfo, "memUsageInfo");
    size_t& count = require_out(outputNum, "outputNum");
    if (inputNum == 0) fail(ACL_ERROR_INVALID_PARAM, "inputNum is 0; expected 1 or more");
    const auto entries = usage_of(runtime.memory().device(runtime.physical(deviceId)));
    count = std::min(inputNum, entries.size());
    std::copy_n(entries.begin(), count, memUsageInfo);
  });
}

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(ptr, "ptr");
    aclrtPtrAttributes& out = require_out(attributes, "attributes");
    current_context(runtime);
    out = {};
    const MemoryLocation place = find_location(runtime, ptr);
    out.location = location_of(runtime, place);
    out.pageSize = place.allocation ? MemoryLabel::of(*place.allocation).page_bytes()
                                    : MemoryLabel{}.page_bytes();
  });
}

aclError aclrtCheckMemType(void** addrList, uint32_t size, uint32_t memType, uint32_t* checkResult,
                           uint32_t reserve) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(addrList, "addrList");
    uint32_t& out = require_out(checkResult, "checkResult");
    if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
    if (reserve != 0) fail(ACL_ERROR_INVALID_PARAM, "reserve is {}; expected 0", reserve);
    if (memType == 0 || (memType & ~kMemTypes) != 0) {
      fail(ACL_ERROR_INVALID_PARAM, "memType is {:#x}; expected bits of {:#x}", memType, kMemTypes);
    }
    current_context(runtime);
    // Device memory is all of one type; memory of the other types does not exist here.
    const bool device = (memType & ACL_RT_MEM_TYPE_DEV) != 0;
    out = device && std::all_of(addrList, addrList + size, [&](const void* address) {
            return find_location(runtime, address).on_device();
          });
  });
}

}  // extern "C"
