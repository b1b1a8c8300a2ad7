// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "acl/ops/acl_dvpp.h"
#include "tests/acl/world.h"
#include "tests/support/child.h"

using namespace world;

namespace {

std::uint64_t used_on(int device) {
  std::uint64_t used = 0;
  std::uint64_t total = 0;
  REQUIRE_ACL(aclsimGetDeviceMemory(device, &used, &total));
  return used;
}

aclrtMemLocation location_of(const void* address) {
  aclrtPtrAttributes attributes{};
  REQUIRE_ACL(aclrtPointerGetAttributes(address, &attributes));
  return attributes.location;
}

bool aligned(const void* address, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(address) % alignment == 0;
}

}  // namespace

// ---- device memory
// -------------------------------------------------------------------------------------

TEST_CASE("device memory is aligned and apart") {
  const Device device;
  std::vector<DeviceMemory> blocks;
  for (const std::size_t size : {1U, 31U, 32U, 33U, 64U, 4096U, 100000U, 3U << 20}) {
    blocks.emplace_back(size);
    CHECK(aligned(blocks.back(), 64));
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    REQUIRE_ACL(
        aclrtMemset(blocks[i], blocks[i].size(), static_cast<int>(i + 1), blocks[i].size()));
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<char> bytes(blocks[i].size());
    REQUIRE_ACL(aclrtMemcpy(bytes.data(), bytes.size(), blocks[i], bytes.size(),
                            ACL_MEMCPY_DEVICE_TO_HOST));
    CHECK(bytes == std::vector<char>(bytes.size(), static_cast<char>(i + 1)));
  }
}

CHILD_PROGRAM(read_fresh_memory) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  for (const std::size_t size : {1U, 33U, 4096U, 100000U, 3U << 20}) {
    void* memory = nullptr;
    std::vector<char> bytes(size, 1);
    CHILD_EXPECT_CODE(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    CHILD_EXPECT_CODE(aclrtMemcpy(bytes.data(), size, memory, size, ACL_MEMCPY_DEVICE_TO_HOST),
                      ACL_SUCCESS);
    CHILD_EXPECT(bytes == std::vector<char>(size, 0));
  }
  return 0;
}

TEST_CASE("fresh device memory reads as zero") {
  const auto child = support::run_child("read_fresh_memory");
  INFO(child.output);
  CHECK(child.clean());
}

TEST_CASE("every policy allocates, unknown ones too") {
  const Device device;
  for (const int policy : {0, 1, 2, 3, 4, 5, 6, 7, 0x100, 0x1000, 0x1003, 99}) {
    CAPTURE(policy);
    const DeviceMemory memory(4096, static_cast<aclrtMemMallocPolicy>(policy));
    store(memory, policy);
    CHECK(fetch<int>(memory) == policy);
  }
}

TEST_CASE("aclrtMallocAlign32 allocates as aclrtMalloc does") {
  const Device device;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMallocAlign32(&memory, 100, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aligned(memory, 64));
  store(memory, 17);
  CHECK(fetch<int>(memory) == 17);
  REQUIRE_ACL(aclrtFree(memory));
  CHECK_CODE(aclrtMallocAlign32(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMallocAlign32(nullptr, 1, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("acldvppMalloc gives device memory that copies take, and acldvppFree gives it back") {
  const Device device;
  const std::uint64_t before = used_on(0);
  void* memory = nullptr;
  REQUIRE_ACL(acldvppMalloc(&memory, 1000));
  CHECK(aligned(memory, 64));
  CHECK(location_of(memory).type == ACL_MEM_LOCATION_TYPE_DEVICE);
  CHECK(used_on(0) > before);
  store(memory, 17);
  CHECK(fetch<int>(memory) == 17);
  REQUIRE_ACL(acldvppFree(memory));
  CHECK(used_on(0) == before);
  CHECK_CODE(acldvppFree(memory), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("every way to allocate device memory gives memory that works") {
  const Device device;
  const auto policy = ACL_MEM_MALLOC_HUGE_FIRST;
  const std::function<aclError(void**, std::size_t)> ways[] = {
      [&](void** out, std::size_t size) { return aclrtMallocCached(out, size, policy); },
      [&](void** out, std::size_t size) { return acldvppMalloc(out, size); },
      [&](void** out, std::size_t size) { return aclrtMallocWithCfg(out, size, policy, nullptr); },
      [&](void** out, std::size_t size) {
        return aclrtMallocForTaskScheduler(out, size, policy, nullptr);
      }};
  for (const auto& allocate : ways) {
    void* memory = nullptr;
    REQUIRE_ACL(allocate(&memory, 100));
    CHECK(aligned(memory, 64));
    store(memory, 17);
    CHECK(fetch<int>(memory) == 17);
    REQUIRE_ACL(aclrtFree(memory));
    CHECK_CODE(allocate(&memory, 0), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(allocate(nullptr, 64), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(in_thread([&] { return allocate(&memory, 64); }), ACL_ERROR_RT_CONTEXT_NULL);
  }
}

TEST_CASE("attributes of an allocation say where it goes and who it is for") {
  const Device device(2);
  aclrtMallocAttribute attributes[2] = {};
  attributes[0].attr = ACL_RT_MEM_ATTR_DEVICE_ID;
  attributes[0].value.deviceId = 4;
  attributes[1].attr = ACL_RT_MEM_ATTR_MODULE_ID;
  attributes[1].value.moduleId = 33;
  aclrtMallocConfig config{attributes, 2};
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMallocWithCfg(&memory, 1 << 20, ACL_MEM_MALLOC_NORMAL_ONLY, &config));
  CHECK(location_of(memory).id == 4);
  aclrtMemUsageInfo usage[4];
  std::size_t count = 0;
  REQUIRE_ACL(aclrtGetMemUsageInfo(4, usage, 4, &count));
  REQUIRE(count >= 1);
  CHECK(std::string(usage[0].name) == "MODULE_33");
  CHECK(usage[0].curMemSize >= 1 << 20);
  REQUIRE_ACL(aclrtFree(memory));
}

TEST_CASE("attributes of an allocation are checked") {
  const Device device;
  aclrtMallocAttribute attribute{};
  aclrtMallocConfig config{&attribute, 1};
  void* memory = nullptr;
  const auto allocate = [&] {
    return aclrtMallocWithCfg(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST, &config);
  };
  for (const int type : {0, 4, -1, 1000}) {
    attribute.attr = static_cast<aclrtMallocAttrType>(type);
    CHECK_CODE(allocate(), ACL_ERROR_INVALID_PARAM);
  }
  attribute.attr = ACL_RT_MEM_ATTR_VA_FLAG;
  attribute.value.vaFlag = 2;
  CHECK_CODE(allocate(), ACL_ERROR_INVALID_PARAM);
  attribute.attr = ACL_RT_MEM_ATTR_DEVICE_ID;
  for (const std::uint32_t id : {8U, 0xffffffffU}) {
    attribute.value.deviceId = id;
    CHECK_CODE(allocate(), ACL_ERROR_RT_INVALID_DEVICEID);
  }
  config = {nullptr, 1};
  CHECK_CODE(allocate(), ACL_ERROR_INVALID_PARAM);
  config = {nullptr, 0};
  REQUIRE_ACL(allocate());
  REQUIRE_ACL(aclrtFree(memory));
}

TEST_CASE("the size of pages follows the policy") {
  const Device device;
  const auto page_size = [](const void* address) {
    aclrtPtrAttributes attributes{};
    REQUIRE_ACL(aclrtPointerGetAttributes(address, &attributes));
    return attributes.pageSize;
  };
  CHECK(page_size(DeviceMemory(64, ACL_MEM_MALLOC_HUGE_FIRST)) == 2 << 20);
  CHECK(page_size(DeviceMemory(64, ACL_MEM_MALLOC_HUGE_ONLY_P2P)) == 2 << 20);
  CHECK(page_size(DeviceMemory(4 << 20, ACL_MEM_MALLOC_NORMAL_ONLY)) == 4096);
  CHECK(page_size(DeviceMemory(64, ACL_MEM_MALLOC_HUGE1G_ONLY)) == 1 << 30);
  CHECK(page_size(DeviceMemory(64, static_cast<aclrtMemMallocPolicy>(99))) == 4096);
  CHECK(page_size(DeviceMemory(2 << 20, static_cast<aclrtMemMallocPolicy>(99))) == 2 << 20);
  CHECK(page_size(HostMemory(64)) == 4096);
}

TEST_CASE("memory in use is told by module") {
  const Device device(1);
  aclrtMemUsageInfo usage[2];
  std::size_t count = 9;
  REQUIRE_ACL(aclrtGetMemUsageInfo(1, usage, 2, &count));
  CHECK(count == 0);
  {
    const DeviceMemory first(1 << 20);
    const DeviceMemory second(1 << 20);
    REQUIRE_ACL(aclrtGetMemUsageInfo(1, usage, 2, &count));
    REQUIRE(count == 1);
    CHECK(usage[0].curMemSize == used_on(1));
  }
  REQUIRE_ACL(aclrtGetMemUsageInfo(1, usage, 2, &count));
  REQUIRE(count == 1);
  CHECK(usage[0].curMemSize == 0);
  CHECK(usage[0].memPeakSize >= 2 << 20);
  CHECK_CODE(aclrtGetMemUsageInfo(1, nullptr, 2, &count), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetMemUsageInfo(1, usage, 2, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetMemUsageInfo(1, usage, 0, &count), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetMemUsageInfo(8, usage, 2, &count), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_CASE("the type of a list of addresses can be asked for") {
  const Device device;
  const DeviceMemory first(64);
  const DeviceMemory second(64);
  const HostMemory host(64);
  void* addresses[] = {first, second.as() + 8, host};
  std::uint32_t result = 9;
  const auto check = [&](std::uint32_t count, std::uint32_t type) {
    REQUIRE_ACL(aclrtCheckMemType(addresses, count, type, &result, 0));
    return result;
  };
  CHECK(check(2, ACL_RT_MEM_TYPE_DEV) == 1);
  CHECK(check(3, ACL_RT_MEM_TYPE_DEV) == 0);
  CHECK(check(2, ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP) == 1);
  CHECK(check(2, ACL_RT_MEM_TYPE_DVPP) == 0);
  CHECK_CODE(aclrtCheckMemType(nullptr, 1, 2, &result, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCheckMemType(addresses, 1, 2, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCheckMemType(addresses, 0, 2, &result, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCheckMemType(addresses, 1, 0, &result, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCheckMemType(addresses, 1, 4, &result, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCheckMemType(addresses, 1, 2, &result, 1), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("memory belongs to the device of the current context") {
  const Device first(0);
  const Context second(5);
  const std::uint64_t before = used_on(5);
  const DeviceMemory memory(1 << 20);
  CHECK(used_on(5) >= before + (1 << 20));
  CHECK(used_on(0) == 0);
  const aclrtMemLocation location = location_of(memory);
  CHECK(location.type == ACL_MEM_LOCATION_TYPE_DEVICE);
  CHECK(location.id == 5);
}

TEST_CASE("an allocation that no device can hold is refused") {
  const Device device;
  for (const std::size_t size : {std::size_t{1} << 60, std::size_t{1} << 45}) {
    void* memory = reinterpret_cast<void*>(std::uintptr_t{1});
    CHECK_CODE(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST),
               ACL_ERROR_RT_MEMORY_ALLOCATION);
    CHECK(memory == nullptr);
  }
  void* memory = nullptr;
  CHECK_CODE(aclrtMalloc(&memory, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMalloc(&memory, SIZE_MAX - 31, ACL_MEM_MALLOC_HUGE_FIRST),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMalloc(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("device memory is freed once, from any thread") {
  const Device device;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(in_thread([&] { return aclrtFree(memory); }) == ACL_SUCCESS);
  CHECK_CODE(aclrtFree(memory), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtFree(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtFreeWithDevSync(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("only the start of an allocation frees it") {
  const Device device;
  const DeviceMemory memory(4096);
  CHECK_CODE(aclrtFree(memory.as() + 64), ACL_ERROR_RT_PARAM_INVALID);
  store(memory, 5);
  CHECK(fetch<int>(memory) == 5);
}

TEST_CASE("freed memory is used again and leaves nothing behind") {
  const Device device;
  const std::uint64_t before = used_on(0);
  for (int i = 0; i < 1000; ++i) {
    const DeviceMemory memory(static_cast<std::size_t>(1 + i * 37 % 100000));
    const DeviceMemory another(64);
  }
  CHECK(used_on(0) == before);
  CHECK(stats().deviceAllocations == 0);
}

TEST_CASE("freeing with synchronisation waits for the device first") {
  const Device device;
  const Stream stream;
  void* memory = nullptr;
  void* host = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, sizeof(int), ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtMallocHost(&host, sizeof(int)));
  int done = 0;
  const Caller caller;
  launch(stream, [&, value = static_cast<int*>(memory)] {
    caller.await_blocked();
    *value = 1;
    ++done;
  });
  REQUIRE_ACL(aclrtFreeWithDevSync(memory));
  CHECK(done == 1);
  launch(stream, [&, value = static_cast<int*>(host)] {
    caller.await_blocked();
    *value = 1;
    ++done;
  });
  REQUIRE_ACL(aclrtFreeHostWithDevSync(host));
  CHECK(done == 2);
}

TEST_CASE("freeing does not wait for tasks") {
  const Device device;
  const Stream stream;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtFree(memory));
  CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
}

TEST_CASE("free and total memory add up") {
  const Device device;
  std::size_t free_before = 0;
  std::size_t total = 0;
  REQUIRE_ACL(aclrtGetMemInfo(ACL_HBM_MEM, &free_before, &total));
  CHECK(total == machine().memoryBytes);
  CHECK(free_before <= total);
  CHECK(free_before > 0);
  {
    const DeviceMemory memory(8 << 20);
    std::size_t free_now = 0;
    REQUIRE_ACL(aclrtGetMemInfo(ACL_HBM_MEM, &free_now, &total));
    CHECK(free_now + (8 << 20) <= free_before);
  }
  std::size_t free_after = 0;
  REQUIRE_ACL(aclrtGetMemInfo(ACL_HBM_MEM, &free_after, &total));
  CHECK(free_after == free_before);
}

TEST_CASE("every kind of memory can be asked for, unknown ones cannot") {
  const Device device;
  std::size_t free = 0;
  std::size_t total = 0;
  for (int kind = ACL_DDR_MEM; kind <= ACL_MEM_P2P_HUGE1G; ++kind) {
    CAPTURE(kind);
    REQUIRE_ACL(aclrtGetMemInfo(static_cast<aclrtMemAttr>(kind), &free, &total));
    CHECK(free <= total);
  }
  REQUIRE_ACL(aclrtGetMemInfo(ACL_DDR_MEM, &free, &total));
  CHECK(total == machine().memoryBytes);
  for (const int kind : {18, 1000, -1}) {
    CHECK_CODE(aclrtGetMemInfo(static_cast<aclrtMemAttr>(kind), &free, &total),
               ACL_ERROR_RT_INVALID_MEMORY_TYPE);
  }
  CHECK_CODE(aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &total), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetMemInfo(ACL_HBM_MEM, &free, nullptr), ACL_ERROR_INVALID_PARAM);
}

// ---- pinned host memory
// --------------------------------------------------------------------------------

TEST_CASE("pinned host memory is aligned and the host's to use") {
  const Device device;
  for (const std::size_t size : {1U, 63U, 4096U, 1U << 20}) {
    const HostMemory memory(size);
    CHECK(aligned(memory, 64));
    std::memset(memory, 0x5a, size);
    CHECK(memory.as<unsigned char>()[size - 1] == 0x5a);
  }
}

TEST_CASE("pinned host memory is checked") {
  const Device device;
  void* memory = nullptr;
  CHECK_CODE(aclrtMallocHost(&memory, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMallocHost(nullptr, 8), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMallocHost(&memory, std::size_t{1} << 60), ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHECK_CODE(aclrtFreeHost(nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtMallocHost(&memory, 64));
  CHECK_CODE(aclrtFreeHost(static_cast<char*>(memory) + 32), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(in_thread([&] { return aclrtFreeHost(memory); }) == ACL_SUCCESS);
  CHECK_CODE(aclrtFreeHost(memory), ACL_ERROR_RT_PARAM_INVALID);
  int local = 0;
  CHECK_CODE(aclrtFreeHost(&local), ACL_ERROR_RT_PARAM_INVALID);
  const DeviceMemory device_memory(64);
  CHECK_CODE(aclrtFreeHost(device_memory), ACL_ERROR_RT_PARAM_INVALID);
}

// ---- where an address lies
// -----------------------------------------------------------------------------

TEST_CASE("an address tells where it lies") {
  const Device device(3);
  const DeviceMemory memory(4096);
  const HostMemory host(4096);
  std::vector<char> pageable(4096);
  CHECK(location_of(memory).type == ACL_MEM_LOCATION_TYPE_DEVICE);
  CHECK(location_of(memory).id == 3);
  CHECK(location_of(memory.as() + 4095).type == ACL_MEM_LOCATION_TYPE_DEVICE);
  CHECK(location_of(host).type == ACL_MEM_LOCATION_TYPE_HOST);
  CHECK(location_of(host.as() + 100).type == ACL_MEM_LOCATION_TYPE_HOST);
  CHECK(location_of(pageable.data()).type == ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  CHECK(location_of(&device).type == ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  aclrtPtrAttributes attributes{};
  CHECK_CODE(aclrtPointerGetAttributes(memory, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtPointerGetAttributes(nullptr, &attributes), ACL_ERROR_INVALID_PARAM);
}

// ---- fill
// ----------------------------------------------------------------------------------------------

TEST_CASE("a fill writes its bytes and no others") {
  const Device device;
  const DeviceMemory memory(16);
  REQUIRE_ACL(aclrtMemset(memory, 16, 0x11, 16));
  REQUIRE_ACL(aclrtMemset(memory.as() + 4, 12, 0x1ff, 8));
  unsigned char bytes[16];
  REQUIRE_ACL(aclrtMemcpy(bytes, 16, memory, 16, ACL_MEMCPY_DEVICE_TO_HOST));
  for (int i = 0; i < 16; ++i) CHECK(bytes[i] == (i >= 4 && i < 12 ? 0xff : 0x11));
}

TEST_CASE("a fill in a stream takes its turn") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(4096);
  store(memory, 0);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtMemsetAsync(memory, 4096, 1, 4096, stream));
  CHECK(fetch<int>(memory) == 0);
  launch(stream, [value = memory.as<unsigned char>()] { value[0] += 1; });
  REQUIRE_ACL(aclrtMemsetAsync(memory.as() + 1, 4095, 7, 1, stream));
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(memory) == 0x01010702);
}

TEST_CASE("host memory can be filled too") {
  const Device device;
  const HostMemory host(64);
  REQUIRE_ACL(aclrtMemset(host, 64, 3, 64));
  CHECK(host.as()[63] == 3);
  char pageable[64] = {};
  REQUIRE_ACL(aclrtMemset(pageable, 64, 4, 64));
  CHECK(pageable[63] == 4);
  // A task of the device could not reach it.
  CHECK_CODE(aclrtMemsetAsync(pageable, 64, 4, 64, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a fill with words writes its words and no others") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(32);
  REQUIRE_ACL(aclrtMemset(memory, 32, 0, 32));
  REQUIRE_ACL(aclrtMemsetD32(memory.as() + 4, 28, 0x01020304, 2));
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtMemsetD32Async(memory.as() + 12, 20, 0xfffffffe, 4, stream));
  CHECK(fetch<std::uint32_t>(memory.as() + 12) == 0);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  const std::uint32_t expected[8] = {0,          0x01020304, 0x01020304, 0xfffffffe,
                                     0xfffffffe, 0xfffffffe, 0xfffffffe, 0};
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(fetch<std::uint32_t>(memory.as() + 4 * i) == expected[i]);
}

TEST_CASE("a fill with words is checked") {
  const Device device;
  const DeviceMemory memory(64);
  std::uint32_t pageable[16] = {};
  const Event not_a_stream;
  const auto fill = [&](void* at, std::size_t size, std::size_t n) {
    const aclError code = aclrtMemsetD32(at, size, 1, n);
    CHECK_CODE(aclrtMemsetD32Async(at, size, 1, n, nullptr), code);
    return code;
  };
  CHECK_CODE(fill(nullptr, 0, 0), ACL_SUCCESS);
  CHECK_CODE(fill(nullptr, 64, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(fill(memory, 63, 16), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(fill(memory, SIZE_MAX, SIZE_MAX / 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(fill(memory, 128, 17), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(fill(memory.as() + 2, 60, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(fill(pageable, 64, 16), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemsetD32Async(memory, 64, 1, 1, not_a_stream), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a fill is checked") {
  const Device device;
  const DeviceMemory memory(64);
  CHECK_CODE(aclrtMemset(nullptr, 0, 0, 0), ACL_SUCCESS);
  CHECK_CODE(aclrtMemsetAsync(nullptr, 0, 0, 0, nullptr), ACL_SUCCESS);
  CHECK_CODE(aclrtMemset(nullptr, 64, 0, 64), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemsetAsync(nullptr, 64, 0, 64, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemset(memory, 63, 0, 64), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemsetAsync(memory, 63, 0, 64, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemset(memory, 1 << 20, 0, 1 << 20), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemsetAsync(memory.as() + 32, 4096, 0, 4096, nullptr),
             ACL_ERROR_RT_PARAM_INVALID);
}

// ---- a small machine
// -----------------------------------------------------------------------------------

CHILD_PROGRAM(fill_a_small_device) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  std::size_t free = 0;
  std::size_t total = 0;
  CHILD_EXPECT_CODE(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), ACL_SUCCESS);
  CHILD_EXPECT(total == std::size_t{64} << 20);
  std::vector<void*> blocks;
  void* block = nullptr;
  aclError code = ACL_SUCCESS;
  while ((code = aclrtMalloc(&block, 4 << 20, ACL_MEM_MALLOC_HUGE_FIRST)) == ACL_SUCCESS) {
    blocks.push_back(block);
    CHILD_EXPECT(blocks.size() <= 16);
  }
  CHILD_EXPECT_CODE(code, ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHILD_EXPECT(blocks.size() >= 12);
  CHILD_EXPECT_CODE(aclrtFree(blocks.back()), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMalloc(&blocks.back(), 4 << 20, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSetDevice(1), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMalloc(&block, 4 << 20, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a full device refuses more and others still have room") {
  const auto child = support::run_child("fill_a_small_device", {{"ACLSIM_MEMORY", "64MiB"}});
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(free_in_front_of_pending_tasks) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  aclrtNotify notify = nullptr;
  void *first = nullptr, *second = nullptr, *third = nullptr;
  constexpr std::size_t kHalf = 30 << 20;
  std::size_t before = 0, after = 0, total = 0;
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateNotify(&notify, 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMalloc(&first, kHalf, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtWaitAndResetNotify(notify, stream, 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtFree(first), ACL_SUCCESS);
  // The task may still read it.
  CHILD_EXPECT_CODE(aclrtMalloc(&second, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT(second > first);
  // There is no other room for this one.
  CHILD_EXPECT_CODE(aclrtMalloc(&third, kHalf + (20 << 20), ACL_MEM_MALLOC_HUGE_FIRST),
                    ACL_ERROR_RT_MEMORY_ALLOCATION);
  CHILD_EXPECT_CODE(aclrtFree(second), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMalloc(&third, kHalf + (20 << 20), ACL_MEM_MALLOC_HUGE_FIRST),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtFree(third), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtRecordNotify(notify, nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total), ACL_SUCCESS);
  CHILD_EXPECT(after == before);
  return 0;
}

TEST_CASE("memory that pending tasks may use is allocated again when nothing else is left") {
  const auto child = support::run_child("free_in_front_of_pending_tasks",
                                        {{"ACLSIM_MEMORY", "64MiB"}, {"ACLSIM_SCHEDULE", ""}});
  INFO(child.output);
  CHECK(child.clean());
}
