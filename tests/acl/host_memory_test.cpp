// SPDX-License-Identifier: Apache-2.0
// Host memory that devices reach: registered by the program, or pinned with attributes.
#include <sys/mman.h>

#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr std::size_t kPage = 4096;

/// Pages of the program's own.
class Pages {
 public:
  explicit Pages(std::size_t count) : size_(count * kPage) {
    address_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(address_ != MAP_FAILED);
  }
  ~Pages() { unmap(); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  operator void*() const { return address_; }
  char* at(std::size_t offset) const { return static_cast<char*>(address_) + offset; }
  std::size_t size() const { return size_; }
  /// Unmaps the pages once and returns their address: later, another mapping may be there.
  void* unmap() {
    if (address_) munmap(address_, size_);
    return std::exchange(address_, nullptr);
  }

 private:
  void* address_ = nullptr;
  std::size_t size_;
};

class Registration {
 public:
  explicit Registration(const Pages& pages, std::uint32_t flags = ACL_HOST_REG_MAPPED)
      : address_(pages) {
    REQUIRE_ACL(aclrtHostRegisterV2(pages, pages.size(), flags));
  }
  ~Registration() { aclrtHostUnregister(address_); }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;

 private:
  void* address_;
};

aclrtMemLocationType type_of(const void* address) {
  aclrtPtrAttributes attributes{};
  REQUIRE_ACL(aclrtPointerGetAttributes(address, &attributes));
  return attributes.location.type;
}

aclError register_v1(void* pointer, std::uint64_t size, int type) {
  void* mapped = pointer;
  const aclError code =
      aclrtHostRegister(pointer, size, static_cast<aclrtHostRegisterType>(type), &mapped);
  CHECK((code == ACL_SUCCESS) == (mapped != nullptr));
  return code;
}

}  // namespace

TEST_CASE("kernels use registered memory through its device address") {
  const Device device;
  const Stream stream;
  const Pages pages(2);
  for (const int type : {ACL_HOST_REGISTER_MAPPED, ACL_HOST_REGISTER_IOMEMORY}) {
    CAPTURE(type);
    void* mapped = nullptr;
    REQUIRE_ACL(
        aclrtHostRegister(pages, pages.size(), static_cast<aclrtHostRegisterType>(type), &mapped));
    *static_cast<int*>(static_cast<void*>(pages)) = 4;
    launch(stream, [value = static_cast<int*>(mapped)] { *value += 1; });
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK(*static_cast<int*>(static_cast<void*>(pages)) == 5);
    void* inside = nullptr;
    REQUIRE_ACL(aclrtHostGetDevicePointer(pages.at(100), &inside, 0));
    CHECK(inside == static_cast<char*>(mapped) + 100);
    REQUIRE_ACL(aclrtHostUnregister(pages));
  }
}

TEST_CASE("asynchronous copies treat registered memory as pinned") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(kPage);
  const Pages pages(1);
  const Registration registration(pages, ACL_HOST_REG_PINNED);
  store(memory, 7);
  std::memset(pages, 0, kPage);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(
      aclrtMemcpyAsync(pages, kPage, memory, sizeof(int), ACL_MEMCPY_DEVICE_TO_HOST, stream));
  REQUIRE_ACL(aclrtMemsetAsync(pages.at(8), 8, 1, 1, stream));
  CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
  CHECK(*pages.at(0) == 0);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(*pages.at(0) == 7);
  CHECK(*pages.at(8) == 1);
}

TEST_CASE("memory that is no longer registered is ordinary host memory again") {
  const Device device;
  const Pages pages(4);
  CHECK(type_of(pages) == ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  {
    const Registration registration(pages);
    CHECK(type_of(pages) == ACL_MEM_LOCATION_TYPE_HOST);
    CHECK(type_of(pages.at(pages.size() - 1)) == ACL_MEM_LOCATION_TYPE_HOST);
  }
  CHECK(type_of(pages) == ACL_MEM_LOCATION_TYPE_UNREGISTERED);
  void* mapped = nullptr;
  CHECK_CODE(aclrtHostGetDevicePointer(pages, &mapped, 0), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  CHECK_CODE(aclrtMemsetAsync(pages, kPage, 0, kPage, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("memory is registered once") {
  const Device device;
  const Pages pages(4);
  REQUIRE_ACL(aclrtHostRegisterV2(pages.at(kPage), 2 * kPage, ACL_HOST_REG_MAPPED));
  for (const std::size_t first : {0U, 1U, 2U}) {
    CAPTURE(first);
    CHECK_CODE(aclrtHostRegisterV2(pages.at(first * kPage), 2 * kPage, ACL_HOST_REG_MAPPED),
               ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    CHECK_CODE(register_v1(pages.at(first * kPage), 2 * kPage, 0),
               ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  }
  REQUIRE_ACL(aclrtHostRegisterV2(pages, kPage, ACL_HOST_REG_MAPPED));
  REQUIRE_ACL(aclrtHostRegisterV2(pages.at(3 * kPage), kPage, ACL_HOST_REG_MAPPED));
  CHECK_CODE(aclrtHostUnregister(pages.at(2 * kPage)), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
  for (const std::size_t first : {0U, 1U, 3U})
    REQUIRE_ACL(aclrtHostUnregister(pages.at(first * kPage)));
  CHECK_CODE(aclrtHostUnregister(pages), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_CASE("registering is checked") {
  const Device device;
  const Pages pages(2);
  const DeviceMemory memory(2 * kPage);
  CHECK_CODE(register_v1(nullptr, kPage, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(register_v1(pages, 0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtHostRegister(pages, kPage, ACL_HOST_REGISTER_MAPPED, nullptr),
             ACL_ERROR_INVALID_PARAM);
  for (const int type : {1, 2, 16, 5, -1}) {
    CAPTURE(type);
    CHECK_CODE(register_v1(pages, kPage, type), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
  CHECK_CODE(register_v1(pages.at(8), kPage, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(register_v1(pages, kPage + 8, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(register_v1(pages, UINT64_MAX - kPage + 1, 0), ACL_ERROR_RT_PARAM_INVALID);
  void* const aligned = reinterpret_cast<void*>(
      (reinterpret_cast<std::uintptr_t>(static_cast<void*>(memory)) + kPage - 1) / kPage * kPage);
  CHECK_CODE(register_v1(aligned, kPage, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtHostRegisterV2(nullptr, kPage, 2), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtHostRegisterV2(pages, 0, 2), ACL_ERROR_INVALID_PARAM);
  for (const std::uint32_t flag : {0U, 1U, 16U, 0x10000001U, 0xffffffffU}) {
    CAPTURE(flag);
    CHECK_CODE(aclrtHostRegisterV2(pages, kPage, flag), ACL_ERROR_RT_PARAM_INVALID);
  }
  CHECK_CODE(aclrtHostUnregister(nullptr), ACL_ERROR_INVALID_PARAM);
  Pages pages_that_go(1);
  void* const gone = pages_that_go.unmap();
  CHECK_CODE(register_v1(gone, kPage, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(in_thread([&] { return aclrtHostRegisterV2(pages, kPage, 2); }),
             ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_CASE("a device address is checked") {
  const Device device;
  const Pages pages(1);
  const Registration registration(pages, ACL_HOST_REG_PINNED);
  void* mapped = nullptr;
  CHECK_CODE(aclrtHostGetDevicePointer(pages, &mapped, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtHostGetDevicePointer(pages, &mapped, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtHostGetDevicePointer(nullptr, &mapped, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtHostGetDevicePointer(pages, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  const HostMemory pinned(64);
  CHECK_CODE(aclrtHostGetDevicePointer(pinned, &mapped, 0), ACL_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

TEST_CASE("registrations end with their device") {
  const Pages pages(1);
  {
    const Device device(1);
    REQUIRE_ACL(aclrtHostRegisterV2(pages, kPage, ACL_HOST_REG_MAPPED));
    CHECK(stats().otherHandles == 1);
  }
  CHECK(stats().otherHandles == 0);
}

TEST_CASE("a copy that leaves registered memory is a copy of ordinary memory") {
  const Device device;
  const Stream stream;
  const Pages pages(2);
  const DeviceMemory memory(pages.size());
  REQUIRE_ACL(aclrtHostRegisterV2(pages, kPage, ACL_HOST_REG_MAPPED));
  std::memset(pages, 3, pages.size());
  REQUIRE_ACL(aclrtMemcpyAsync(memory, pages.size(), pages, pages.size(), ACL_MEMCPY_HOST_TO_DEVICE,
                               stream));
  CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
  CHECK(fetch<int>(memory.as() + pages.size() - 4) == 0x03030303);
  REQUIRE_ACL(aclrtHostUnregister(pages));
}

TEST_CASE("threads register and unregister side by side") {
  const Device device;
  const aclrtContext context = current_context();
  const Pages pages(64);
  Problems problems;
  in_threads(4, [&](int t) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    for (std::size_t i = 0; i < 200; ++i) {
      void* const page = pages.at((static_cast<std::size_t>(t) * 16 + i % 16) * kPage);
      EXPECT_ACL(problems, aclrtHostRegisterV2(page, kPage, ACL_HOST_REG_MAPPED));
      void* mapped = nullptr;
      EXPECT_ACL(problems, aclrtHostGetDevicePointer(page, &mapped, 0));
      EXPECT_ACL(problems, aclrtHostUnregister(page));
    }
  });
  CHECK(problems.text().empty());
}

TEST_CASE("what of the device can reach host memory") {
  auto capability = ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
  REQUIRE_ACL(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_AIV, &capability));
  CHECK(capability == ACL_RT_HOST_MEM_MAP_SUPPORTED);
  REQUIRE_ACL(aclrtHostMemMapCapabilities(7, ACL_RT_HAC_TYPE_CCU, &capability));
  CHECK(capability == ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED);
  CHECK_CODE(aclrtHostMemMapCapabilities(0, ACL_RT_HAC_TYPE_AIV, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtHostMemMapCapabilities(0, static_cast<aclrtHacType>(10), &capability),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtHostMemMapCapabilities(99, ACL_RT_HAC_TYPE_AIV, &capability),
             ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST_CASE("pinned host memory takes attributes") {
  const Device device;
  aclrtMallocAttribute attributes[2] = {};
  attributes[0].attr = ACL_RT_MEM_ATTR_VA_FLAG;
  attributes[0].value.vaFlag = 1;
  attributes[1].attr = ACL_RT_MEM_ATTR_DEVICE_ID;
  aclrtMallocConfig config{attributes, 2};
  void* memory = nullptr;
  for (aclrtMallocConfig* const given : {&config, static_cast<aclrtMallocConfig*>(nullptr)}) {
    REQUIRE_ACL(aclrtMallocHostWithCfg(&memory, 100, given));
    std::memset(memory, 1, 100);
    CHECK(type_of(memory) == ACL_MEM_LOCATION_TYPE_HOST);
    REQUIRE_ACL(aclrtFreeHost(memory));
  }
  CHECK_CODE(aclrtMallocHostWithCfg(nullptr, 100, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMallocHostWithCfg(&memory, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  attributes[0].value.vaFlag = 2;
  CHECK_CODE(aclrtMallocHostWithCfg(&memory, 100, &config), ACL_ERROR_INVALID_PARAM);
  attributes[0].value.vaFlag = 0;
  attributes[1].value.deviceId = 1000;
  CHECK_CODE(aclrtMallocHostWithCfg(&memory, 100, &config), ACL_ERROR_RT_INVALID_DEVICEID);
}
