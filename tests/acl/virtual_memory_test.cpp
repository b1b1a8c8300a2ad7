// SPDX-License-Identifier: Apache-2.0
// Addresses that are reserved first and physical memory that is mapped at them.
#include "tests/acl/virtual_memory.h"

using namespace world;
using namespace vmmtest;

// ---- use ----------------------------------------------------------------------------------------

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
  SECTION("until one direction is enabled") {
    REQUIRE_ACL(aclrtDeviceEnablePeerAccess(1, 0));
    CHECK(access_of(here.at(0), 1) == ACL_RT_MEM_ACCESS_FLAGS_READWRITE);
    CHECK_CODE(copy(), ACL_SUCCESS);
  }
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

// ---- how long memory lives ----------------------------------------------------------------------

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
  // Programs that end them when the device is gone may: once.
  CHECK_CODE(aclrtUnmapMem(range.at(0)), ACL_SUCCESS);
  CHECK_CODE(aclrtFreePhysical(handle), ACL_SUCCESS);
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
