// SPDX-License-Identifier: Apache-2.0
// Addresses that are reserved first and physical memory that is mapped at them.
#include "tests/acl/virtual_memory.h"
#include "tests/support/child.h"

using namespace world;

namespace {

constexpr std::size_t kPiece = std::size_t{2} << 20;

aclrtPhysicalMemProp changed(void (*change)(aclrtPhysicalMemProp&)) {
  aclrtPhysicalMemProp prop = on_device(0);
  change(prop);
  return prop;
}

std::uint64_t used_bytes(int device) {
  std::uint64_t used = 0;
  std::uint64_t total = 0;
  REQUIRE_ACL(aclsimGetDeviceMemory(device, &used, &total));
  return used;
}

aclError set_access(void* at, aclrtMemAccessFlags flags, std::uint32_t device,
                    std::size_t size = kPiece) {
  aclrtMemAccessDesc desc{};
  desc.flags = flags;
  desc.location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
  return aclrtMemSetAccess(at, size, &desc, 1);
}

std::uint64_t access_of(void* at, aclrtMemLocation location) {
  std::uint64_t flag = 99;
  REQUIRE_ACL(aclrtMemGetAccess(at, &location, &flag));
  return flag;
}

std::uint64_t access_of(void* at, std::uint32_t device) {
  return access_of(at, aclrtMemLocation{device, ACL_MEM_LOCATION_TYPE_DEVICE});
}

aclError read_from(const void* at) {
  int value = 0;
  return aclrtMemcpy(&value, sizeof value, at, sizeof value, ACL_MEMCPY_DEVICE_TO_HOST);
}

aclError write_to(void* at) {
  const int value = 1;
  return aclrtMemcpy(at, sizeof value, &value, sizeof value, ACL_MEMCPY_HOST_TO_DEVICE);
}

}  // namespace

// ---- use
// -------------------------------------------------------------------------------------------

TEST_CASE("mapped memory takes part in copies, fills and kernels", "[vmm]") {
  const Device device;
  const Stream stream;
  const Reservation range(3 * kPiece);
  const Mapped first(range.at(0));
  const Mapped second(range.at(kPiece));

  store(first.at(4), 42);
  REQUIRE_ACL(
      aclrtMemcpyAsync(second.at(8), 4, first.at(4), 4, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  REQUIRE_ACL(aclrtMemsetAsync(second.at(12), 4, 1, 4, stream));
  launch(stream, [numbers = static_cast<int*>(second.at(0))] { numbers[0] = numbers[2] + 1; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(second.at(0)) == 43);
  CHECK(fetch<int>(second.at(12)) == 0x01010101);
  CHECK(fetch<int>(second.at(kPiece - 4)) == 0);
}

TEST_CASE("two pieces that are mapped side by side are two allocations", "[vmm]") {
  const Device device;
  const Reservation range(2 * kPiece);
  const Mapped first(range.at(0));
  const Mapped second(range.at(kPiece));
  const std::vector<char> bytes(16);
  CHECK_CODE(aclrtMemcpy(first.at(kPiece - 8), 16, bytes.data(), 16, ACL_MEMCPY_HOST_TO_DEVICE),
             ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("what was written stays when memory moves to another address", "[vmm]") {
  const Device device;
  const Reservation range(2 * kPiece);
  const Physical memory;
  REQUIRE_ACL(aclrtMapMem(range.at(0), kPiece, 0, memory, 0));
  store(range.at(100), 7);
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
  CHECK_CODE(read_from(range.at(100)), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtMapMem(range.at(kPiece), kPiece, 0, memory, 0));
  CHECK(fetch<int>(range.at(kPiece + 100)) == 7);
  REQUIRE_ACL(aclrtUnmapMem(range.at(kPiece)));
}

TEST_CASE("work that is in flight when its memory is unmapped does no harm", "[vmm]") {
  const Device device;
  const Stream stream;
  const Reservation range(kPiece);
  const DeviceMemory other(64);
  {
    const Mapped memory(range.at(0));
    Gate gate;
    gate.hold(stream);
    REQUIRE_ACL(aclrtMemcpyAsync(range.at(0), 64, other, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
    gate.open();
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    REQUIRE_ACL(aclrtMapMem(range.at(0), kPiece, 0, memory.handle(), 0));
  }
}

TEST_CASE("mapped memory belongs to its device for copies between devices", "[vmm]") {
  const Device one(1);
  const DeviceMemory there(64);
  const Device zero(0);
  const Reservation range(kPiece);
  const Mapped here(range.at(0));
  const auto copy = [&] {
    return aclrtMemcpy(here.at(0), 64, there, 64, ACL_MEMCPY_DEVICE_TO_DEVICE);
  };
  CHECK_CODE(copy(), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  CHECK(access_of(here.at(0), 1) == ACL_RT_MEM_ACCESS_FLAGS_NONE);
  SECTION("until both directions are enabled") {
    REQUIRE_ACL(aclrtDeviceEnablePeerAccess(1, 0));
    REQUIRE_ACL(aclrtSetDevice(1));
    REQUIRE_ACL(aclrtDeviceEnablePeerAccess(0, 0));
    REQUIRE_ACL(aclrtResetDevice(1));
    CHECK(access_of(here.at(0), 1) == ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
    REQUIRE_ACL(aclrtSetDevice(0));
    CHECK_CODE(copy(), ACL_SUCCESS);
    REQUIRE_ACL(aclrtResetDevice(0));
  }
  SECTION("until the other device is given access to it") {
    REQUIRE_ACL(set_access(here.at(0), ACL_RT_MEM_ACCESS_FLAGS_READ, 1));
    CHECK_CODE(copy(), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    REQUIRE_ACL(set_access(here.at(0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE, 1));
    CHECK_CODE(copy(), ACL_SUCCESS);
    CHECK(access_of(here.at(0), 1) == ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  }
}

TEST_CASE("physical memory of the host can be mapped", "[vmm]") {
  const Device device;
  const Reservation range(kPiece);
  aclrtPhysicalMemProp prop = on_device(0);
  prop.location.type = GENERATE(ACL_MEM_LOCATION_TYPE_HOST, ACL_MEM_LOCATION_TYPE_HOST_NUMA);
  prop.memAttr = GENERATE(ACL_DDR_MEM_HUGE, ACL_MEM_NORMAL);
  const Mapped memory(range.at(0), prop);
  static_cast<int*>(memory.at(0))[1] = 5;
  CHECK(fetch<int>(memory.at(4)) == 5);
  aclrtPtrAttributes attributes{};
  REQUIRE_ACL(aclrtPointerGetAttributes(memory.at(4), &attributes));
  CHECK(attributes.location.type == ACL_MEM_LOCATION_TYPE_HOST);
  CHECK(access_of(memory.at(0), 0) == ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
}

TEST_CASE("mapped memory says what it is", "[vmm]") {
  const Device device(1);
  const Reservation range(2 * kPiece);
  const Mapped memory(range.at(kPiece), on_device(1));
  aclrtPtrAttributes attributes{};
  REQUIRE_ACL(aclrtPointerGetAttributes(memory.at(10), &attributes));
  CHECK(attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE);
  CHECK(attributes.location.id == 1);
  CHECK_CODE(aclrtFree(memory.at(0)), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtFreeHost(memory.at(0)), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("threads map and unmap side by side", "[vmm]") {
  const Device device;
  Problems problems;
  in_threads(4, [&](int id) {
    EXPECT_ACL(problems, aclrtSetDevice(0));
    const aclrtPhysicalMemProp prop = on_device(0);
    for (int i = 0; i < 50; ++i) {
      void* at = nullptr;
      aclrtDrvMemHandle handle = nullptr;
      EXPECT_ACL(problems, aclrtReserveMemAddress(&at, kPiece, 0, nullptr, 0));
      EXPECT_ACL(problems, aclrtMallocPhysical(&handle, kPiece, &prop, 0));
      EXPECT_ACL(problems, aclrtMapMem(at, kPiece, 0, handle, 0));
      EXPECT_ACL(problems, aclrtFreePhysical(handle));
      int value = id;
      EXPECT_ACL(problems, aclrtMemcpy(at, 4, &value, 4, ACL_MEMCPY_HOST_TO_DEVICE));
      value = -1;
      EXPECT_ACL(problems, aclrtMemcpy(&value, 4, at, 4, ACL_MEMCPY_DEVICE_TO_HOST));
      EXPECT_TRUE(problems, value == id);
      EXPECT_ACL(problems, aclrtUnmapMem(at));
      EXPECT_ACL(problems, aclrtReleaseMemAddress(at));
    }
    EXPECT_ACL(problems, aclrtResetDevice(0));
  });
  CHECK(problems.text() == "");
}

// ---- how long memory lives
// -------------------------------------------------------------------------

TEST_CASE("memory that is freed while it is mapped goes when it is unmapped", "[vmm]") {
  const Device device;
  const Reservation range(kPiece);
  const std::uint64_t before = used_bytes(0);
  Physical memory;
  CHECK(used_bytes(0) == before + kPiece);
  REQUIRE_ACL(aclrtMapMem(range.at(0), kPiece, 0, memory, 0));
  const aclrtDrvMemHandle handle = memory.release();
  REQUIRE_ACL(aclrtFreePhysical(handle));
  CHECK_CODE(aclrtFreePhysical(handle), ACL_ERROR_RT_INVALID_HANDLE);
  store(range.at(0), 3);
  CHECK(fetch<int>(range.at(0)) == 3);
  CHECK(used_bytes(0) == before + kPiece);
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
  CHECK(used_bytes(0) == before);
}

TEST_CASE("physical memory counts against its device", "[vmm]") {
  const Device device;
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  REQUIRE_ACL(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total));
  const aclrtPhysicalMemProp prop = on_device(0);
  aclrtDrvMemHandle handle = nullptr;
  CHECK_CODE(aclrtMallocPhysical(&handle, free_bytes / kPiece * kPiece + kPiece, &prop, 0),
             ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHECK(handle == nullptr);
  const Physical memory;
  std::size_t left = 0;
  REQUIRE_ACL(aclrtGetMemInfo(ACL_HBM_MEM, &left, &total));
  CHECK(left == free_bytes - kPiece);
}

TEST_CASE("retaining adds a reference to the handle", "[vmm]") {
  const Device device;
  const Reservation range(kPiece);
  Physical memory;
  REQUIRE_ACL(aclrtMapMem(range.at(0), kPiece, 0, memory, 0));
  aclrtDrvMemHandle again = nullptr;
  REQUIRE_ACL(aclrtMemRetainAllocationHandle(range.at(77), &again));
  CHECK(again == memory.handle());
  REQUIRE_ACL(aclrtFreePhysical(again));
  aclrtPhysicalMemProp prop{};
  CHECK_CODE(aclrtMemGetAllocationPropertiesFromHandle(memory, &prop), ACL_SUCCESS);
  REQUIRE_ACL(aclrtFreePhysical(memory.release()));
  CHECK_CODE(aclrtMemGetAllocationPropertiesFromHandle(again, &prop), ACL_ERROR_RT_INVALID_HANDLE);

  SECTION("and gives memory that is only mapped a handle again") {
    REQUIRE_ACL(aclrtMemRetainAllocationHandle(range.at(0), &again));
    CHECK_CODE(aclrtMemGetAllocationPropertiesFromHandle(again, &prop), ACL_SUCCESS);
    CHECK(prop.memAttr == on_device(0).memAttr);
    REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
    REQUIRE_ACL(aclrtMapMem(range.at(0), kPiece, 0, again, 0));
    REQUIRE_ACL(aclrtFreePhysical(again));
  }
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
}

TEST_CASE("a device that is reset takes its mappings and handles along", "[vmm]") {
  const Reservation range(kPiece);
  aclrtDrvMemHandle handle = nullptr;
  {
    const Device device;
    const aclrtPhysicalMemProp prop = on_device(0);
    REQUIRE_ACL(aclrtMallocPhysical(&handle, kPiece, &prop, 0));
    REQUIRE_ACL(aclrtMapMem(range.at(0), kPiece, 0, handle, 0));
  }
  CHECK(used_bytes(0) == 0);
  CHECK_CODE(aclrtFreePhysical(handle), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtUnmapMem(range.at(0)), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("starting over ends what was reserved and mapped", "[vmm]") {
  void* at = nullptr;
  aclrtDrvMemHandle handle = nullptr;
  const aclrtPhysicalMemProp prop = on_device(2);
  REQUIRE_ACL(aclrtReserveMemAddress(&at, kPiece, 0, nullptr, 0));
  REQUIRE_ACL(aclrtMallocPhysical(&handle, kPiece, &prop, 0));
  REQUIRE_ACL(aclrtMapMem(at, kPiece, 0, handle, 0));
  CHECK(stats().otherHandles == 2);
  REQUIRE_ACL(aclsimResetAll());
  CHECK(stats().otherHandles == 0);
  CHECK(used_bytes(2) == 0);
  CHECK_CODE(aclrtFreePhysical(handle), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtReleaseMemAddress(at), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("virtual memory needs no context", "[vmm]") {
  const Reservation range(kPiece);
  const Mapped memory(range.at(0), on_device(1));
  CHECK(used_bytes(1) == kPiece);
}

// ---- access
// ----------------------------------------------------------------------------------------

TEST_CASE("memory mapped without access refuses copies and fills until it is given", "[vmm]") {
  const Device device;
  const Stream stream;
  const Reservation range(kPiece);
  const Physical memory;
  REQUIRE_ACL(aclrtMemMapNoAccess(range.at(0), kPiece, 0, memory, 0));
  CHECK(access_of(range.at(0), 0) == ACL_RT_MEM_ACCESS_FLAGS_NONE);
  const HostMemory host(64);
  for (const aclError code :
       {read_from(range.at(0)), write_to(range.at(0)), aclrtMemset(range.at(0), 8, 0, 8),
        aclrtMemsetAsync(range.at(0), 8, 0, 8, stream),
        aclrtMemcpyAsync(range.at(0), 8, host, 8, ACL_MEMCPY_HOST_TO_DEVICE, stream)}) {
    CHECK(code == ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  }
  CHECK(recent_message().find("aclrtMemSetAccess") != std::string::npos);

  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_READ, 0));
  CHECK(access_of(range.at(0), 0) == ACL_RT_MEM_ACCESS_FLAGS_READ);
  CHECK_CODE(read_from(range.at(0)), ACL_SUCCESS);
  CHECK_CODE(write_to(range.at(0)), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  CHECK_CODE(aclrtMemset(range.at(0), 8, 0, 8), ACL_ERROR_RT_DRV_INTERNAL_ERROR);

  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE, 0));
  CHECK_CODE(write_to(range.at(0)), ACL_SUCCESS);
  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_NONE, 0));
  CHECK_CODE(read_from(range.at(0)), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
}

TEST_CASE("access is a right of one device", "[vmm]") {
  const Reservation range(kPiece);
  const Physical memory;
  REQUIRE_ACL(aclrtMemMapNoAccess(range.at(0), kPiece, 0, memory, 0));
  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE, 1));
  const Device zero(0);
  CHECK_CODE(write_to(range.at(0)), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
  const Device one(1);
  REQUIRE_ACL(aclrtMemMapNoAccess(range.at(0), kPiece, 0, Physical(on_device(1)), 0));
  REQUIRE_ACL(set_access(range.at(0), ACL_RT_MEM_ACCESS_FLAGS_READWRITE, 1));
  CHECK_CODE(write_to(range.at(0)), ACL_SUCCESS);
  CHECK(access_of(range.at(0), 0) == ACL_RT_MEM_ACCESS_FLAGS_NONE);
  CHECK(access_of(range.at(0), aclrtMemLocation{0, ACL_MEM_LOCATION_TYPE_HOST}) ==
        ACL_RT_MEM_ACCESS_FLAGS_NONE);
  REQUIRE_ACL(aclrtUnmapMem(range.at(0)));
}

TEST_CASE("rights are set for exactly what was mapped", "[vmm]") {
  const Device device;
  const Reservation range(3 * kPiece);
  const Mapped memory(range.at(kPiece));
  CHECK(access_of(memory.at(5), 0) == ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
  const auto set = [&](std::size_t offset, std::size_t size) {
    return set_access(range.at(offset), ACL_RT_MEM_ACCESS_FLAGS_READ, 0, size);
  };
  CHECK_CODE(set(kPiece, kPiece / 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(kPiece + 4096, kPiece), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(0, kPiece), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(0, 2 * kPiece), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(kPiece, kPiece), ACL_SUCCESS);
}

// ---- bad input
// -------------------------------------------------------------------------------------

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
