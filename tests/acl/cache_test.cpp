// SPDX-License-Identifier: Apache-2.0
// Cache operations: checked, in order, without effect on data.
#include "tests/acl/world.h"

using namespace world;

namespace {
constexpr auto kFlush = ACL_RT_CMO_TYPE_FLUSH;

std::size_t desc_size() {
  std::size_t size = 0;
  REQUIRE_ACL(aclrtCmoGetDescSize(&size));
  return size;
}

aclrtBarrierTaskInfo barrier(std::size_t count, int type = kFlush) {
  aclrtBarrierTaskInfo info{};
  info.barrierNum = count;
  for (auto& entry : info.cmoInfo) entry = {static_cast<aclrtCmoType>(type), 1};
  return info;
}
}  // namespace

TEST_CASE("cache operations change no data") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(64);
  const DeviceMemory desc(desc_size());
  store(memory, 5);
  REQUIRE_ACL(aclrtCmoSetDesc(desc, memory, 64));
  for (int type = ACL_RT_CMO_TYPE_PREFETCH; type <= ACL_RT_CMO_TYPE_FLUSH; ++type) {
    const auto operation = static_cast<aclrtCmoType>(type);
    REQUIRE_ACL(aclrtCmoAsync(memory, 64, operation, stream));
    REQUIRE_ACL(aclrtCmoAsyncWithBarrier(memory, 64, operation, 1, stream));
    auto info = barrier(6, type);
    REQUIRE_ACL(aclrtCmoWaitBarrier(&info, stream, 0));
    REQUIRE_ACL(aclrtCmoAsyncWithDesc(desc, operation, stream, nullptr));
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE_ACL(aclrtMemFlush(memory, 64));
  REQUIRE_ACL(aclrtMemInvalidate(memory, 64));
  REQUIRE_ACL(aclrtDeviceL2CacheFlush(nullptr));
  CHECK(fetch<int>(memory) == 5);
}

TEST_CASE("cache operations take their turn") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(64);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtCmoAsync(memory, 64, kFlush, stream));
  auto info = barrier(1);
  REQUIRE_ACL(aclrtCmoWaitBarrier(&info, stream, 0));
  CHECK(stats().pendingTasks == 3);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("memory without a description of a cache operation fails the stream") {
  const Device device;
  const Stream stream;
  const DeviceMemory desc(desc_size());
  REQUIRE_ACL(aclrtMemset(desc, desc.size(), 0, desc.size()));
  REQUIRE_ACL(aclrtCmoAsyncWithDesc(desc, kFlush, stream, nullptr));
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_SYS_DMA);
}

TEST_CASE("cache operations are checked") {
  const Device device;
  const Event not_a_stream;
  const DeviceMemory memory(64);
  const DeviceMemory desc(desc_size());
  const HostMemory host(64);
  const auto both = [&](void* at, std::size_t size, int type, aclrtStream stream = nullptr) {
    const auto operation = static_cast<aclrtCmoType>(type);
    const aclError code = aclrtCmoAsync(at, size, operation, stream);
    CHECK_CODE(aclrtCmoAsyncWithBarrier(at, size, operation, 0, stream), code);
    return code;
  };
  CHECK_CODE(both(nullptr, 64, kFlush), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(both(memory, 0, kFlush), ACL_ERROR_INVALID_PARAM);
  for (const int type : {4, -1}) CHECK_CODE(both(memory, 64, type), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(both(memory, 65, kFlush), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(both(host, 64, kFlush), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(both(memory, 64, kFlush, not_a_stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtCmoWaitBarrier(nullptr, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  for (const std::size_t count : {0U, 7U}) {
    auto info = barrier(count);
    CHECK_CODE(aclrtCmoWaitBarrier(&info, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  }
  auto info = barrier(1);
  CHECK_CODE(aclrtCmoWaitBarrier(&info, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCmoWaitBarrier(&info, not_a_stream, 0), ACL_ERROR_RT_INVALID_HANDLE);
  info = barrier(1, 9);
  CHECK_CODE(aclrtCmoWaitBarrier(&info, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCmoGetDescSize(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCmoSetDesc(nullptr, memory, 64), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCmoSetDesc(desc, nullptr, 64), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCmoSetDesc(desc, memory, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCmoSetDesc(desc, memory, 65), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtCmoSetDesc(host, memory, 64), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtCmoAsyncWithDesc(nullptr, kFlush, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCmoAsyncWithDesc(desc, kFlush, nullptr, memory), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCmoAsyncWithDesc(desc, static_cast<aclrtCmoType>(4), nullptr, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCmoAsyncWithDesc(desc, kFlush, not_a_stream, nullptr),
             ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtDeviceL2CacheFlush(memory), ACL_ERROR_INVALID_PARAM);
  for (const auto maintain : {aclrtMemFlush, aclrtMemInvalidate}) {
    CHECK_CODE(maintain(nullptr, 64), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(maintain(memory, 0), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(maintain(memory, 65), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(maintain(host, 64), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(in_thread([&] { return maintain(memory, 64); }), ACL_ERROR_RT_CONTEXT_NULL);
  }
  CHECK_CODE(in_thread([&] { return aclrtDeviceL2CacheFlush(nullptr); }),
             ACL_ERROR_RT_CONTEXT_NULL);
}
