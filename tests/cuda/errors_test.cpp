// SPDX-License-Identifier: Apache-2.0
// Every row of the table of errors: the code, and that outputs and state stay as they were.
#include <fcntl.h>
#include <unistd.h>

#include "tests/cuda/world.h"

using namespace cudatest;
using catch_compat::ContainsSubstring;

namespace {

constexpr CUmemGenericAllocationHandle kUntouched = 0xabcdef;

CUresult create(const CUmulticastObjectProp& prop) {
  CUmemGenericAllocationHandle handle = kUntouched;
  const CUresult result = cuMulticastCreate(&handle, &prop);
  if (result == CUDA_SUCCESS) {
    OK(cuMemRelease(handle));
  } else {
    CHECK(handle == kUntouched);
  }
  return result;
}

}  // namespace

TEST_CASE("Without support for multicast its calls return 801 and leave their outputs alone") {
  const World world;
  const Setting off("ACLSIM_CUDA_MULTICAST", "0");
  int supported = 7;
  OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, 0));
  CHECK(supported == 0);
  const CUmulticastObjectProp prop{2, kG, 0, 0};
  std::size_t granularity = 77;
  CHECK(cuMulticastGetGranularity(&granularity, &prop, CU_MULTICAST_GRANULARITY_MINIMUM) ==
        CUDA_ERROR_NOT_SUPPORTED);
  CHECK(granularity == 77);
  CHECK(create(prop) == CUDA_ERROR_NOT_SUPPORTED);
  // There can be no object: what the other calls are given does not matter.
  const CUresult others[] = {
      cuMulticastCreate(nullptr, nullptr),
      cuMulticastGetGranularity(nullptr, nullptr, CU_MULTICAST_GRANULARITY_MINIMUM),
      cuMulticastAddDevice(1, 0),
      cuMulticastBindMem(1, 0, 1, 0, kG, 0),
      cuMulticastBindMem_v2(1, 0, 0, 1, 0, kG, 0),
      cuMulticastBindAddr(1, 0, 1, kG, 0),
      cuMulticastBindAddr_v2(1, 0, 0, 1, kG, 0),
      cuMulticastUnbind(1, 0, 0, kG),
  };
  for (const CUresult result : others) CHECK(result == CUDA_ERROR_NOT_SUPPORTED);
}

TEST_CASE("Properties that make no object are refused") {
  const World world;
  CHECK(cuMulticastCreate(nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CUmemGenericAllocationHandle handle = kUntouched;
  CHECK(cuMulticastCreate(&handle, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(handle == kUntouched);
  CHECK(create({0, kG, 0, 0}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(create({2, 0, 0, 0}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(create({2, kG / 2, 0, 0}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(create({2, kG, 0, 1}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(create({9, kG, 0, 0}) == CUDA_ERROR_INVALID_VALUE);  // of 8 devices, for this process alone
  CHECK(create({65, kG, 1, 0}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(create({2, kG, CU_MEM_HANDLE_TYPE_WIN32, 0}) == CUDA_ERROR_NOT_SUPPORTED);
  CHECK(create({1, kG, 0, 0}) == CUDA_SUCCESS);
  CHECK(create({9, kG, 1, 0}) == CUDA_SUCCESS);  // another process may add one
}

TEST_CASE("The granularity is 2 MiB; with fabric handles 512 MiB are recommended") {
  const World world;
  std::size_t size = 0;
  CUmulticastObjectProp prop{8, 0, 0, 0};
  // Programs ask with the size that they want, and round it up afterwards.
  for (const std::size_t wanted : {std::size_t{0}, std::size_t{4096}, kG, 3 * kG / 2 + 512}) {
    prop.size = wanted;
    size = 0;
    OK(cuMulticastGetGranularity(&size, &prop, CU_MULTICAST_GRANULARITY_MINIMUM));
    CHECK(size == kG);
  }
  OK(cuMulticastGetGranularity(&size, &prop, CU_MULTICAST_GRANULARITY_MINIMUM));
  CHECK(size == kG);
  OK(cuMulticastGetGranularity(&size, &prop, CU_MULTICAST_GRANULARITY_RECOMMENDED));
  CHECK(size == kG);
  prop.handleTypes = CU_MEM_HANDLE_TYPE_FABRIC;
  OK(cuMulticastGetGranularity(&size, &prop, CU_MULTICAST_GRANULARITY_RECOMMENDED));
  CHECK(size == 512 * kMiB);
  CHECK(cuMulticastGetGranularity(&size, &prop, static_cast<CUmulticastGranularity_flags>(2)) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastGetGranularity(nullptr, &prop, CU_MULTICAST_GRANULARITY_MINIMUM) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastGetGranularity(&size, nullptr, CU_MULTICAST_GRANULARITY_MINIMUM) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(size == 512 * kMiB);
  const Setting smaller("ACLSIM_CUDA_GRANULARITY_MB", "4");
  OK(cuMulticastGetGranularity(&size, &prop, CU_MULTICAST_GRANULARITY_RECOMMENDED));
  CHECK(size == 4 * kMiB);
}

TEST_CASE("A device that is not there, or there already, is not added") {
  const World world;
  const Object object(2, kG, 0, false);
  CHECK(cuMulticastAddDevice(object, -1) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuMulticastAddDevice(object, 8) == CUDA_ERROR_INVALID_DEVICE);
  OK(cuMulticastAddDevice(object, 5));
  CHECK(cuMulticastAddDevice(object, 5) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMulticastAddDevice(object, 6));
  CHECK(cuMulticastAddDevice(object, 7) == CUDA_ERROR_INVALID_VALUE);
  const Memory memory(0);
  CHECK(cuMulticastAddDevice(memory, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastAddDevice(0, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("Binds that fit nowhere are refused, whichever way the memory is named") {
  const World world;
  const Object object(1, 2 * kG);
  const Memory memory(0, kG);
  const Memory elsewhere(1, kG);
  const Mapped replica(memory, kG);
  CHECK(cuMulticastBindMem(object, 1, memory, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(object, 0, memory, 4096, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(object, 0, memory, 0, kG - 1, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(object, 0, memory, 0, 0, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(object, 0, memory, 0, 2 * kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(object, 2 * kG, memory, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(object, 0, memory, 0, kG, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(object, 0, elsewhere, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(object, 0, object, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(memory, 0, memory, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem(object, 0, 0, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem_v2(object, 1, 0, memory, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindMem_v2(object, 8, 0, memory, 0, kG, 0) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuMulticastBindAddr(object, 0, replica + 1, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindAddr(object, 0, replica, 2 * kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindAddr(object, 0, replica, kG, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindAddr(object, 0, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastBindAddr_v2(object, -1, 0, replica, kG, 0) == CUDA_ERROR_INVALID_DEVICE);
  OK(cuMulticastBindMem(object, 0, memory, 0, kG, 0));
  CHECK(cuMulticastBindMem(object, 0, memory, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("Memory of cuMemAlloc, and of the host, is not bound") {
  const World world;
  const Object object(1, kG);
  CUdeviceptr plain = 0;
  OK(cuMemAlloc(&plain, 2 * kG));
  CHECK(cuMulticastBindAddr(object, 0, (plain + kG - 1) / kG * kG, kG, 0) ==
        CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(plain));
  CUmemAllocationProp prop = memory_prop(0);
  prop.location.type = CU_MEM_LOCATION_TYPE_HOST_NUMA;
  CUmemGenericAllocationHandle host = 0;
  OK(cuMemCreate(&host, kG, &prop, 0));
  CHECK(cuMulticastBindMem(object, 0, host, 0, kG, 0) == CUDA_ERROR_NOT_SUPPORTED);
  OK(cuMemRelease(host));
}

TEST_CASE("An object that can be shared takes only memory that can") {
  const World world;
  const Object object(1, kG, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  const Memory own(0, kG);
  const Memory shareable(0, kG, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  CHECK(cuMulticastBindMem(object, 0, own, 0, kG, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMulticastBindMem(object, 0, shareable, 0, kG, 0));
}

TEST_CASE("Unbind names its device, and the values of the bind") {
  const World world;
  const Object object(1, 2 * kG);
  const Memory memory(0, 2 * kG);
  OK(cuMulticastBindMem(object, 0, memory, 0, 2 * kG, 0));
  CHECK(cuMulticastUnbind(object, -1, 0, 2 * kG) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuMulticastUnbind(object, 1, 0, 2 * kG) == CUDA_ERROR_INVALID_DEVICE);
  CHECK(cuMulticastUnbind(object, 0, 0, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastUnbind(object, 0, 1, 2 * kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMulticastUnbind(object, 0, 0, 4 * kG) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMulticastUnbind(object, 0, 0, 2 * kG));
  CHECK(cuMulticastUnbind(object, 0, 0, 2 * kG) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("Configured faults: 802 for a while, 401 when a device is added, out of memory") {
  const World world;
  const Object object(1, kG);
  const Memory memory(0, kG);
  {
    const Setting faults("ACLSIM_CUDA_FAULTS", "bind:802:2,add:401,create:801:1");
    CHECK(create({1, kG, 0, 0}) == CUDA_ERROR_NOT_SUPPORTED);
    const Object other(1, kG, 0, false);
    CHECK(cuMulticastAddDevice(other, 0) == CUDA_ERROR_ILLEGAL_STATE);
    CHECK(cuMulticastAddDevice(other, 0) == CUDA_ERROR_ILLEGAL_STATE);
    CHECK(cuMulticastBindMem(object, 0, memory, 0, kG, 0) == CUDA_ERROR_SYSTEM_NOT_READY);
    CHECK(cuMulticastBindMem(object, 0, memory, 0, kG, 0) == CUDA_ERROR_SYSTEM_NOT_READY);
    OK(cuMulticastBindMem(object, 0, memory, 0, kG, 0));
  }
  const Setting few("ACLSIM_CUDA_MULTICAST_OBJECTS", "1");
  CHECK(create({1, kG, 0, 0}) == CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_CASE("A configured map fault fails the map of an object and leaves the addresses free") {
  const World world;
  const Object object(1, kG);
  CUdeviceptr address = 0;
  OK(cuMemAddressReserve(&address, kG, 0, 0, 0));
  {
    const Setting faults("ACLSIM_CUDA_FAULTS", "map:401:1");
    CHECK(cuMemMap(address, kG, 0, object, 0) == CUDA_ERROR_ILLEGAL_STATE);
  }
  OK(cuMemAddressFree(address, kG));
}

TEST_CASE("Settings that make no sense fail cuInit with the variable's name") {
  const World world;
  setenv("ACLSIM_CUDA_FAULTS", "bind:eight", 1);
  CHECK(cuInit(0) == CUDA_ERROR_INVALID_VALUE);
  CHECK_THAT(message(), ContainsSubstring("ACLSIM_CUDA_FAULTS") && ContainsSubstring("bind:802:3"));
  unsetenv("ACLSIM_CUDA_FAULTS");
  OK(cuInit(0));
  CHECK(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("An object is mapped from its start, in granules, at reserved addresses that are free") {
  const World world;
  const Object object(1, 2 * kG);
  CUdeviceptr at = 0;
  OK(cuMemAddressReserve(&at, 4 * kG, 0, 0, 0));
  CHECK(cuMemMap(at, 2 * kG, kG, object, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at, 4 * kG, 0, object, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at + 1, kG, 0, object, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at, kG - 1, 0, object, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at, 0, 0, object, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at, kG, 0, object, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at, kG, 0, 12345, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemMap(at + 8 * kG, kG, 0, object, 0) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemMap(at, kG, 0, object, 0));  // a part of it, from its start
  CHECK(cuMemMap(at, kG, 0, object, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressFree(at, 4 * kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemUnmap(at, 2 * kG) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemUnmap(at, kG));
  CHECK(cuMemUnmap(at, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressFree(at, kG) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAddressFree(at + kG, 4 * kG) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAddressFree(at, 4 * kG));
}

TEST_CASE(
    "Rights are set for whole mappings; the last entry of a device counts; others keep theirs") {
  const World world;
  const Memory left(0, kG);
  const Memory right(1, 2 * kG);  // beside memory of another device
  CUdeviceptr at = 0;
  OK(cuMemAddressReserve(&at, 3 * kG, 0, 0, 0));
  OK(cuMemMap(at, kG, 0, left, 0));
  OK(cuMemMap(at + kG, 2 * kG, 0, right, 0));
  const auto access_of = [&](CUdeviceptr address, int device) {
    unsigned long long flags = 99;
    const CUmemLocation location{CU_MEM_LOCATION_TYPE_DEVICE, device};
    OK(cuMemGetAccess(&flags, &location, address));
    return flags;
  };
  const CUmemAccessDesc all[] = {
      {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READ},
      {{CU_MEM_LOCATION_TYPE_DEVICE, 1}, CU_MEM_ACCESS_FLAGS_PROT_READ},
      {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE}};
  CHECK(access_of(at, 0) == 0);
  CHECK(cuMemSetAccess(at + kG, kG, all, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemSetAccess(at, 2 * kG, all, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemSetAccess(at, 3 * kG, all, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(access_of(at, 0) == 0);
  CHECK(cuMemsetD8(at, 1, 1) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemSetAccess(at, 3 * kG, all, 3));
  CHECK(access_of(at, 0) == 3);
  CHECK(access_of(at + 2 * kG, 1) == 1);
  const CUmemAccessDesc none{{CU_MEM_LOCATION_TYPE_DEVICE, 1}, CU_MEM_ACCESS_FLAGS_PROT_NONE};
  OK(cuMemSetAccess(at, kG, &none, 1));
  CHECK(access_of(at, 1) == 0);
  CHECK(access_of(at, 0) == 3);
  CHECK(access_of(at + kG, 1) == 1);
  OK(cuMemsetD8(at + kG - 1, 1, 2));  // over both
  OK(cuMemUnmap(at, 3 * kG));
  OK(cuMemAddressFree(at, 3 * kG));
}

TEST_CASE("Rights of an object are for its team: 401 for others, and who has none may not store") {
  const World world;
  const Object object(2, kG);
  const Memory first(0);
  const Memory second(1);
  OK(cuMulticastBindMem(object, 0, first, 0, kG, 0));
  OK(cuMulticastBindMem(object, 0, second, 0, kG, 0));
  CUdeviceptr at = 0;
  OK(cuMemAddressReserve(&at, kG, 0, 0, 0));
  OK(cuMemMap(at, kG, 0, object, 0));
  auto access = everybody(3);
  CHECK(cuMemSetAccess(at, kG, access.data(), 3) == CUDA_ERROR_ILLEGAL_STATE);
  CHECK(cuMemsetD8(at, 1, 1) == CUDA_ERROR_INVALID_VALUE);
  access.erase(access.begin());
  access.resize(1);  // device 1
  OK(cuMemSetAccess(at, kG, access.data(), 1));
  CHECK(cuMemsetD8(at, 1, 1) == CUDA_ERROR_INVALID_VALUE);  // device 0 asks
  OK(cuMemUnmap(at, kG));
  OK(cuMemAddressFree(at, kG));
}

TEST_CASE("Memory that cannot be made leaves the handle alone") {
  const World world;
  CUmemGenericAllocationHandle handle = kUntouched;
  CUmemAllocationProp prop = memory_prop(0);
  CHECK(cuMemCreate(&handle, 0, &prop, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemCreate(&handle, kG + 1, &prop, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemCreate(&handle, kG, &prop, 1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemCreate(&handle, std::size_t{1} << 50, &prop, 0) == CUDA_ERROR_OUT_OF_MEMORY);
  prop.location.id = 8;
  CHECK(cuMemCreate(&handle, kG, &prop, 0) == CUDA_ERROR_INVALID_DEVICE);
  prop = memory_prop(0);
  prop.type = CU_MEM_ALLOCATION_TYPE_INVALID;
  CHECK(cuMemCreate(&handle, kG, &prop, 0) == CUDA_ERROR_NOT_SUPPORTED);
  prop = memory_prop(0, 1);
  prop.location.type = CU_MEM_LOCATION_TYPE_HOST;
  CHECK(cuMemCreate(&handle, kG, &prop, 0) == CUDA_ERROR_INVALID_VALUE);
  CHECK(handle == kUntouched);
}

TEST_CASE("Only what was asked for is exported, and only what this driver exported is imported") {
  const World world;
  const Memory own(0);
  const Memory memory(0, kG, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  int file = 77;
  CHECK(cuMemExportToShareableHandle(&file, own, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_FABRIC, 0) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemExportToShareableHandle(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 1) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(file == 77);
  CUmemGenericAllocationHandle handle = kUntouched;
  const auto import = [&](int from) {
    return cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(std::intptr_t{from}),
                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
  };
  CHECK(import(-1) == CUDA_ERROR_INVALID_VALUE);
  CHECK(import(1'000'000) == CUDA_ERROR_INVALID_VALUE);
  const int foreign = ::open("/dev/null", O_RDONLY);
  CHECK(import(foreign) == CUDA_ERROR_NOT_SUPPORTED);
  ::close(foreign);
  CUmemFabricHandle fabric{};
  CHECK(cuMemImportFromShareableHandle(&handle, &fabric, CU_MEM_HANDLE_TYPE_FABRIC) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(handle == kUntouched);
  const Setting off("ACLSIM_CUDA_FABRIC", "0");
  CHECK(create({1, kG, CU_MEM_HANDLE_TYPE_FABRIC, 0}) == CUDA_ERROR_NOT_PERMITTED);
}

TEST_CASE("Each import and retain is one reference more") {
  const World world;
  CUmemGenericAllocationHandle handle = 0;
  const CUmemAllocationProp prop = memory_prop(0);
  OK(cuMemCreate(&handle, kG, &prop, 0));
  const Mapped mapped(handle, kG);
  CUmemGenericAllocationHandle same = 0;
  OK(cuMemRetainAllocationHandle(&same, reinterpret_cast<void*>(mapped + kG - 1)));
  CHECK(same == handle);
  OK(cuMemRelease(handle));
  OK(cuMemRelease(handle));
  CHECK(cuMemRelease(handle) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemRetainAllocationHandle(&same, reinterpret_cast<void*>(CUdeviceptr{mapped})));
  CHECK(same == handle);
  CUmemAllocationProp found{};
  OK(cuMemGetAllocationPropertiesFromHandle(&found, same));
  CHECK(found.location.id == 0);
  OK(cuMemRelease(same));
  CHECK(cuMemRetainAllocationHandle(&same, nullptr) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("Codes have names and texts; other numbers have none") {
  const char* text = "x";
  OK(cuGetErrorString(CUDA_ERROR_INVALID_VALUE, &text));
  CHECK(text == std::string("invalid argument"));
  OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_STATE, &text));
  CHECK(text == std::string("CUDA_ERROR_ILLEGAL_STATE"));
  CHECK(cuGetErrorString(static_cast<CUresult>(12345), &text) == CUDA_ERROR_INVALID_VALUE);
  CHECK(text == nullptr);
}
