// SPDX-License-Identifier: Apache-2.0
// Input that reservations, physical memory and mappings refuse, and queries about them.
#include "tests/acl/virtual_memory.h"

using namespace world;
using namespace vmmtest;

TEST_CASE("bad input to a reservation is refused", "[vmm]") {
  void* at = &at;
  CHECK_CODE(aclrtReserveMemAddress(nullptr, kPiece, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtReserveMemAddress(&at, 0, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK(at == nullptr);
  CHECK_CODE(aclrtReserveMemAddress(&at, kPiece, 4096, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtReserveMemAddress(&at, kPiece, 0, nullptr, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtReserveMemAddress(&at, kPiece, 0, &at, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtReserveMemAddress(&at, ~std::size_t{0}, 0, nullptr, 0),
             ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHECK_CODE(aclrtReserveMemAddressNoUCMemory(&at, kPiece, 0, nullptr, 0),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtReserveMemAddressNoUCMemory(nullptr, 0, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtReserveMemAddressNoUCMemory(&at, 0, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);

  const Reservation range(kPiece, 1);
  CHECK_CODE(aclrtReserveMemAddress(&at, kPiece, 0, range.at(0), 0),
             ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHECK_CODE(aclrtReleaseMemAddress(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtReleaseMemAddress(range.at(1)), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtReleaseMemAddress(&at), ACL_ERROR_RT_PARAM_INVALID);
  const Mapped memory(range.at(0));
  CHECK_CODE(aclrtReleaseMemAddress(range.at(0)), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("addresses can be reserved where the program wants them", "[vmm]") {
  void* first = nullptr;
  REQUIRE_ACL(aclrtReserveMemAddressNoUCMemory(&first, std::size_t{1} << 30, 0, nullptr, 0));
  REQUIRE_ACL(aclrtReleaseMemAddress(first));
  void* again = nullptr;
  REQUIRE_ACL(aclrtReserveMemAddress(&again, 100, 0, first, 0));
  CHECK(again == first);
  CHECK_CODE(aclrtReleaseMemAddress(first), ACL_SUCCESS);
  CHECK_CODE(aclrtReleaseMemAddress(first), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("bad properties of physical memory are refused", "[vmm]") {
  using Prop = aclrtPhysicalMemProp;
  const std::pair<aclrtPhysicalMemProp, aclError> rows[] = {
      {changed([](Prop& p) { p.handleType = ACL_MEM_HANDLE_TYPE_POSIX; }), ACL_ERROR_INVALID_PARAM},
      {changed([](Prop& p) { p.allocationType = static_cast<aclrtMemAllocationType>(1); }),
       ACL_ERROR_INVALID_PARAM},
      {changed([](Prop& p) { p.memAttr = static_cast<aclrtMemAttr>(18); }),
       ACL_ERROR_INVALID_PARAM},
      {changed([](Prop& p) { p.memAttr = ACL_DDR_MEM; }), ACL_ERROR_INVALID_PARAM},
      {changed([](Prop& p) {
         p.location.type = ACL_MEM_LOCATION_TYPE_HOST;
         p.memAttr = ACL_HBM_MEM;
       }),
       ACL_ERROR_INVALID_PARAM},
      {changed([](Prop& p) { p.location.type = ACL_MEM_LOCATION_TYPE_UNREGISTERED; }),
       ACL_ERROR_INVALID_PARAM},
      {changed([](Prop& p) { p.location.type = ACL_MEM_LOCATION_TYPE_MANAGED; }),
       ACL_ERROR_INVALID_PARAM},
      {changed([](Prop& p) { p.location.type = static_cast<aclrtMemLocationType>(77); }),
       ACL_ERROR_INVALID_PARAM},
      {changed([](Prop& p) { p.location.id = 99; }), ACL_ERROR_RT_INVALID_DEVICEID},
  };
  for (auto [prop, code] : rows) {
    aclrtDrvMemHandle handle = &prop;
    CHECK_CODE(aclrtMallocPhysical(&handle, kPiece, &prop, 0), code);
    CHECK(handle == nullptr);
    std::size_t granularity = 0;
    CHECK_CODE(
        aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity),
        code);
  }
}

TEST_CASE("bad input to physical memory is refused", "[vmm]") {
  const aclrtPhysicalMemProp prop = on_device(0);
  aclrtDrvMemHandle handle = nullptr;
  CHECK_CODE(aclrtMallocPhysical(nullptr, kPiece, &prop, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMallocPhysical(&handle, kPiece, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMallocPhysical(&handle, 0, &prop, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMallocPhysical(&handle, kPiece, &prop, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMallocPhysical(&handle, kPiece + 4096, &prop, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtFreePhysical(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtFreePhysical(&handle), ACL_ERROR_RT_INVALID_HANDLE);
  aclrtPhysicalMemProp out{};
  CHECK_CODE(aclrtMemGetAllocationPropertiesFromHandle(nullptr, &out), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemGetAllocationPropertiesFromHandle(&out, &out), ACL_ERROR_RT_INVALID_HANDLE);
  const Device device;
  const Stream stream;
  CHECK_CODE(aclrtFreePhysical(static_cast<aclrtStream>(stream)), ACL_ERROR_RT_INVALID_HANDLE);
  const Physical memory;
  CHECK_CODE(aclrtMemGetAllocationPropertiesFromHandle(memory, nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtMemGetAllocationPropertiesFromHandle(memory, &out));
  CHECK(std::memcmp(&out, &prop, sizeof out) == 0);
}

TEST_CASE("bad input to a mapping is refused", "[vmm]") {
  const auto map = GENERATE(&aclrtMapMem, &aclrtMemMapNoAccess);
  const Reservation range(2 * kPiece);
  const Physical memory;
  CHECK_CODE(map(nullptr, kPiece, 0, memory, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(map(range.at(0), kPiece, 0, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(map(range.at(0), 0, 0, memory, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(map(range.at(0), kPiece, 4096, memory, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(map(range.at(0), kPiece, 0, memory, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(map(range.at(0), 2 * kPiece, 0, memory, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(map(range.at(0), kPiece, 0, range.at(0), 0), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(map(range.at(4096), kPiece, 0, memory, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(map(range.at(2 * kPiece), kPiece, 0, memory, 0), ACL_ERROR_RT_PARAM_INVALID);
  int not_reserved = 0;
  CHECK_CODE(map(&not_reserved, kPiece, 0, memory, 0), ACL_ERROR_RT_PARAM_INVALID);

  REQUIRE_ACL(map(range.at(0), kPiece, 0, memory, 0));
  CHECK_CODE(map(range.at(0), kPiece, 0, memory, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(map(range.at(kPiece), kPiece, 0, Physical(on_device(1)), 0),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtUnmapMem(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtUnmapMem(range.at(4096)), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtUnmapMem(range.at(kPiece)), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtUnmapMem(range.at(0)), ACL_SUCCESS);
  CHECK_CODE(aclrtUnmapMem(range.at(0)), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("bad input to rights is refused", "[vmm]") {
  const Reservation range(2 * kPiece);
  const Mapped memory(range.at(0));
  aclrtMemAccessDesc desc{};
  desc.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  const auto set = [&] { return aclrtMemSetAccess(range.at(0), kPiece, &desc, 1); };
  CHECK_CODE(aclrtMemSetAccess(nullptr, kPiece, &desc, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemSetAccess(range.at(0), 0, &desc, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemSetAccess(range.at(0), kPiece, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemSetAccess(range.at(0), kPiece, &desc, 0), ACL_ERROR_INVALID_PARAM);
  desc.flags = static_cast<aclrtMemAccessFlags>(2);
  CHECK_CODE(set(), ACL_ERROR_INVALID_PARAM);
  desc.flags = ACL_RT_MEM_ACCESS_FLAGS_READ;
  desc.location.id = 99;
  CHECK_CODE(set(), ACL_ERROR_RT_INVALID_DEVICEID);
  desc.location = {0, ACL_MEM_LOCATION_TYPE_UNREGISTERED};
  CHECK_CODE(set(), ACL_ERROR_INVALID_PARAM);

  aclrtMemLocation location{0, ACL_MEM_LOCATION_TYPE_DEVICE};
  std::uint64_t flag = 0;
  CHECK_CODE(aclrtMemGetAccess(nullptr, &location, &flag), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemGetAccess(range.at(0), nullptr, &flag), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemGetAccess(range.at(0), &location, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemGetAccess(range.at(kPiece), &location, &flag), ACL_ERROR_RT_PARAM_INVALID);
  location.id = 99;
  CHECK_CODE(aclrtMemGetAccess(range.at(0), &location, &flag), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_CASE("the granularity is that of pages", "[vmm]") {
  aclrtPhysicalMemProp prop = on_device(0);
  std::size_t granularity = 0;
  for (const auto option :
       {ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED}) {
    REQUIRE_ACL(aclrtMemGetAllocationGranularity(&prop, option, &granularity));
    CHECK(granularity == kPiece);
  }
  prop.memAttr = ACL_HBM_MEM_HUGE1G;
  REQUIRE_ACL(
      aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity));
  CHECK(granularity == std::size_t{1} << 30);
  CHECK_CODE(
      aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_UNDEF, &granularity),
      ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(
      aclrtMemGetAllocationGranularity(nullptr, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, &granularity),
      ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemGetAllocationGranularity(&prop, ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM, nullptr),
             ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("retaining takes an address where something is mapped", "[vmm]") {
  const Device device;
  aclrtDrvMemHandle handle = &handle;
  CHECK_CODE(aclrtMemRetainAllocationHandle(nullptr, &handle), ACL_ERROR_INVALID_PARAM);
  CHECK(handle == nullptr);
  const Reservation range(kPiece);
  const DeviceMemory memory(64);
  CHECK_CODE(aclrtMemRetainAllocationHandle(range.at(0), &handle), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemRetainAllocationHandle(memory, &handle), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemRetainAllocationHandle(range.at(0), nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("the range of an address is that of its allocation or mapping", "[vmm]") {
  const Device device;
  const DeviceMemory of_device(1000);
  const HostMemory of_host(500);
  const Reservation range(2 * kPiece);
  const Mapped mapped(range.at(kPiece));
  const std::tuple<void*, std::size_t> rows[] = {
      {of_device, 1000}, {of_host, 500}, {mapped.at(0), kPiece}};
  for (const auto& [start, wanted] : rows) {
    void* base = nullptr;
    std::size_t size = 0;
    REQUIRE_ACL(aclrtMemGetAddressRange(static_cast<char*>(start) + 300, &base, &size));
    CHECK(base == start);
    CHECK(size == wanted);
  }
  void* base = nullptr;
  std::size_t size = 0;
  CHECK_CODE(aclrtMemGetAddressRange(nullptr, &base, &size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemGetAddressRange(of_host, nullptr, &size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemGetAddressRange(of_host, &base, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemGetAddressRange(&size, &base, &size), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemGetAddressRange(range.at(0), &base, &size), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a mapping can be repeated elsewhere over a chosen link", "[vmm]") {
  const Device device;
  const Reservation range(2 * kPiece);
  const Mapped memory(range.at(0));
  store(memory.at(16), 5);
  REQUIRE_ACL(aclrtMemMapSelectedLink(range.at(kPiece), kPiece, range.at(0), 0));
  CHECK(fetch<int>(range.at(kPiece + 16)) == 5);
  CHECK_CODE(aclrtMemMapSelectedLink(range.at(kPiece), kPiece, range.at(0), 0),
             ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtUnmapMem(range.at(kPiece)));
  CHECK_CODE(aclrtMemMapSelectedLink(nullptr, kPiece, range.at(0), 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemMapSelectedLink(range.at(0), kPiece, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemMapSelectedLink(range.at(kPiece), 0, range.at(0), 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemMapSelectedLink(range.at(kPiece), kPiece, range.at(64), 0),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemMapSelectedLink(range.at(kPiece), kPiece, range.at(kPiece), 0),
             ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a link is advice for one piece of memory", "[vmm]") {
  const Physical memory;
  CHECK_CODE(aclrtMemMapSetLink(memory, ACL_RT_MEM_ACCESS_LINK_SIO), ACL_SUCCESS);
  CHECK_CODE(aclrtMemMapSetLink(memory, ACL_RT_MEM_ACCESS_LINK_HCCS), ACL_SUCCESS);
  CHECK_CODE(aclrtMemMapSetLink(memory, ACL_RT_MEM_ACCESS_UB_ONE_PORT_PATH),
             ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED);
  CHECK_CODE(aclrtMemMapSetLink(memory, static_cast<aclrtMemLinkType>(4)), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemMapSetLink(nullptr, ACL_RT_MEM_ACCESS_LINK_SIO), ACL_ERROR_INVALID_PARAM);
  int other = 0;
  CHECK_CODE(aclrtMemMapSetLink(&other, ACL_RT_MEM_ACCESS_LINK_SIO), ACL_ERROR_RT_INVALID_HANDLE);
}
