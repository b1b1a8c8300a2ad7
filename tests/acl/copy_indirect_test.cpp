// SPDX-License-Identifier: Apache-2.0
// Copies whose addresses are read when they run.
#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr auto kKind = ACL_MEMCPY_DEVICE_TO_DEVICE;

std::size_t copy_desc_size() {
  std::size_t size = 0;
  REQUIRE_ACL(aclrtGetMemcpyDescSize(kKind, &size));
  return size;
}

/// A table of addresses in device memory.
struct Table {
  DeviceMemory memory{4 * sizeof(void*)};
  void set(std::size_t i, const void* address) { store(memory.as<const void*>() + i, address); }
  void** addresses() const { return memory.as<void*>(); }
  const void** sources() const { return memory.as<const void*>(); }
};

}  // namespace

TEST_CASE("a copy takes its addresses from tables when it runs") {
  const Device device;
  const Stream stream;
  const DeviceMemory a(64);
  const DeviceMemory b(64);
  Table to;
  Table from;
  store(a, 5);
  store(b, 0);
  to.set(0, nullptr);
  from.set(2, nullptr);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtMemcpyAsyncWithOffset(to.addresses(), 64, 0, from.sources(), 4,
                                         2 * sizeof(void*), kKind, stream));
  to.set(0, b);
  from.set(2, a);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(b) == 5);
}

TEST_CASE("addresses that turn out wrong fail the stream") {
  const Device device;
  const Stream stream;
  const DeviceMemory a(64);
  Table to;
  Table from;
  int pageable = 0;
  const void* const bad[] = {nullptr, &pageable, a.as() + 61, a.as() + (1 << 20)};
  to.set(0, a);
  for (const void* const address : bad) {
    from.set(0, address);
    REQUIRE_ACL(
        aclrtMemcpyAsyncWithOffset(to.addresses(), 64, 0, from.sources(), 4, 0, kKind, stream));
    CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_SYS_DMA);
  }
}

TEST_CASE("a copy through tables is checked") {
  const Device device;
  const Event not_a_stream;
  Table to;
  Table from;
  const void* pageable[4] = {};
  const auto copy = [&](void** dst, std::size_t max, std::size_t dst_offset, const void** src,
                        std::size_t count, std::size_t src_offset, int kind = kKind) {
    return aclrtMemcpyAsyncWithOffset(dst, max, dst_offset, src, count, src_offset,
                                      static_cast<aclrtMemcpyKind>(kind), nullptr);
  };
  CHECK_CODE(copy(nullptr, 0, 0, nullptr, 0, 0), ACL_SUCCESS);
  CHECK_CODE(copy(nullptr, 4, 0, from.sources(), 4, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(to.addresses(), 4, 0, nullptr, 4, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(to.addresses(), 3, 0, from.sources(), 4, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(to.addresses(), 4, 4, from.sources(), 4, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(to.addresses(), 4, 0, from.sources(), 4, 32), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(to.addresses(), 4, 0, pageable, 4, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(to.addresses(), 4, 0, from.sources(), 4, 0, 9), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(
      aclrtMemcpyAsyncWithOffset(to.addresses(), 4, 0, from.sources(), 4, 0, kKind, not_a_stream),
      ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a copy follows its description in device memory") {
  const Device device;
  const Stream stream;
  const DeviceMemory desc(copy_desc_size());
  const DeviceMemory a(64);
  const DeviceMemory b(64);
  store(a, 6);
  store(b, 7);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtSetMemcpyDesc(desc, kKind, a, b, 4, nullptr));
  REQUIRE_ACL(aclrtMemcpyAsyncWithDesc(desc, kKind, stream));
  // The task uses the description that the memory holds when the copy runs.
  REQUIRE_ACL(aclrtSetMemcpyDesc(desc, kKind, b, a, 4, nullptr));
  CHECK(fetch<int>(a) == 6);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(a) == 7);
  CHECK(fetch<int>(b) == 7);
}

TEST_CASE("memory that holds no description fails the stream") {
  const Device device;
  const Stream stream;
  const DeviceMemory desc(copy_desc_size());
  const DeviceMemory a(64);
  REQUIRE_ACL(aclrtMemset(desc, desc.size(), 0, desc.size()));
  REQUIRE_ACL(aclrtMemcpyAsyncWithDesc(desc, kKind, stream));
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_SYS_DMA);
  REQUIRE_ACL(aclrtSetMemcpyDesc(desc, kKind, a, a, 4, nullptr));
  REQUIRE_ACL(aclrtMemcpyAsyncWithDesc(desc, ACL_MEMCPY_INNER_DEVICE_TO_DEVICE, stream));
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_SYS_DMA);
}

TEST_CASE("descriptions of copies are checked") {
  const Device device;
  const Event not_a_stream;
  const DeviceMemory desc(copy_desc_size());
  const DeviceMemory a(64);
  const HostMemory host(copy_desc_size());
  std::size_t size = 0;
  CHECK_CODE(aclrtGetMemcpyDescSize(kKind, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetMemcpyDescSize(ACL_MEMCPY_HOST_TO_DEVICE, &size), ACL_ERROR_INVALID_PARAM);
  const auto set = [&](void* at, aclrtMemcpyKind kind, void* src, void* dst, std::size_t count,
                       void* config = nullptr) {
    return aclrtSetMemcpyDesc(at, kind, src, dst, count, config);
  };
  CHECK_CODE(set(nullptr, kKind, a, a, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(desc, kKind, nullptr, a, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(desc, kKind, a, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(desc, kKind, a, a, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(desc, kKind, a, a, 4, a), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(desc, ACL_MEMCPY_DEFAULT, a, a, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(desc, kKind, a, a, 65), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(desc, kKind, host, a, 4), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(host, kKind, a, a, 4), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(set(desc.as() + 8, kKind, a, a, 4), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemcpyAsyncWithDesc(nullptr, kKind, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemcpyAsyncWithDesc(host, kKind, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemcpyAsyncWithDesc(desc, ACL_MEMCPY_DEFAULT, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemcpyAsyncWithDesc(desc, kKind, not_a_stream), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a copy with a condition copies as others do") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(64);
  const HostMemory pinned(64);
  int pageable = 3;
  launch(stream, [at = memory.as<int>()] { *at = 1; });
  REQUIRE_ACL(
      aclrtMemcpyAsyncWithCondition(memory, 64, &pageable, 4, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(
      aclrtMemcpyAsyncWithCondition(pinned, 64, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(*pinned.as<int>() == 3);
  CHECK_CODE(aclrtMemcpyAsyncWithCondition(nullptr, 0, nullptr, 0, kKind, stream), ACL_SUCCESS);
  CHECK_CODE(aclrtMemcpyAsyncWithCondition(nullptr, 64, memory, 4, kKind, stream),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtMemcpyAsyncWithCondition(memory, 3, &pageable, 4, kKind, stream),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(
      aclrtMemcpyAsyncWithCondition(pinned, 64, &pageable, 4, ACL_MEMCPY_HOST_TO_HOST, stream),
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}
