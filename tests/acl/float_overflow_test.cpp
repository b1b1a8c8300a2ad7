// SPDX-License-Identifier: Apache-2.0
// The overflow status of device code, and the results of operations that overflow.
#include <array>

#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr std::size_t kStatusSize = 64;
using Status = std::array<std::uint8_t, kStatusSize>;

Status all(std::uint8_t value) {
  Status status;
  status.fill(value);
  return status;
}

// Each pair of calls that reads and resets the status.
struct Interface {
  aclError (*get)(void*, std::size_t, aclrtStream);
  aclError (*reset)(aclrtStream);
};
const Interface interfaces[] = {
    {aclrtGetOverflowStatus, aclrtResetOverflowStatus},
    {aclrtGetFloatOverflowStatus, aclrtResetFloatOverflowStatus},
    {[](void* output, std::size_t size, aclrtStream stream) {
       return aclrtNpuGetFloatOverFlowStatus(output, size, 0, stream);
     },
     [](aclrtStream stream) { return aclrtNpuClearFloatOverFlowStatus(0, stream); }},
};

/// Device code that overflows: it writes what the hardware would.
void overflow(aclrtStream stream, std::uint8_t value) {
  void* address = nullptr;
  REQUIRE_ACL(aclrtCtxGetFloatOverflowAddr(&address));
  launch(stream, [address, value] { std::memset(address, value, kStatusSize); });
}

}  // namespace

TEST_CASE("no overflow is reported before device code says so") {
  const Device device;
  const DeviceMemory output(kStatusSize);
  for (const Interface& interface : interfaces) {
    store(output, all(0xee));
    REQUIRE_ACL(interface.get(output, kStatusSize, nullptr));
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
    CHECK(fetch<Status>(output) == all(0));
  }
}

TEST_CASE("the overflow status follows the order of the stream") {
  const Device device;
  const Stream stream;
  const DeviceMemory before(kStatusSize);
  const DeviceMemory after(kStatusSize);
  const DeviceMemory cleared(kStatusSize);
  for (const Interface& interface : interfaces) {
    REQUIRE_ACL(interface.get(before, kStatusSize, stream));
    overflow(stream, 3);
    REQUIRE_ACL(interface.get(after, kStatusSize, stream));
    REQUIRE_ACL(interface.reset(stream));
    REQUIRE_ACL(interface.get(cleared, kStatusSize, stream));
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK(fetch<Status>(before) == all(0));
    CHECK(fetch<Status>(after) == all(3));
    CHECK(fetch<Status>(cleared) == all(0));
  }
}

TEST_CASE("asking for the overflow status waits for nothing") {
  const Device device;
  const Stream stream;
  const DeviceMemory output(kStatusSize);
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(aclrtGetOverflowStatus(output, kStatusSize, stream));
  REQUIRE_ACL(aclrtResetOverflowStatus(stream));
  CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
}

TEST_CASE("each context has an overflow status of its own that ends with it") {
  const Device device;
  const auto allocations = stats().deviceAllocations;
  const DeviceMemory output(kStatusSize);
  {
    const Context context;
    overflow(nullptr, 1);
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  }
  const Device again;
  REQUIRE_ACL(aclrtGetOverflowStatus(output, kStatusSize, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(fetch<Status>(output) == all(0));
  CHECK(stats().deviceAllocations == allocations + 2);
}

TEST_CASE("the overflow status takes 64 bytes of device memory that is there") {
  const Device device;
  const DeviceMemory output(kStatusSize);
  const DeviceMemory small(kStatusSize - 1);
  const HostMemory pinned(kStatusSize);
  char pageable[kStatusSize];
  for (const Interface& interface : interfaces) {
    for (const std::size_t bad : {std::size_t{0}, kStatusSize - 1, kStatusSize + 1}) {
      CHECK_CODE(interface.get(output, bad, nullptr), ACL_ERROR_RT_PARAM_INVALID);
    }
    CHECK_CODE(interface.get(nullptr, kStatusSize, nullptr), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(interface.get(small, kStatusSize, nullptr), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(interface.get(pinned, kStatusSize, nullptr), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(interface.get(pageable, kStatusSize, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  }
  CHECK_CODE(aclrtNpuGetFloatOverFlowStatus(output, kStatusSize, 1, nullptr),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtNpuClearFloatOverFlowStatus(1, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtCtxGetFloatOverflowAddr(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("the overflow status needs a stream of the current context") {
  void* address = nullptr;
  CHECK_CODE(aclrtCtxGetFloatOverflowAddr(&address), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  const DeviceMemory output(kStatusSize);
  const Stream stream;
  aclrtStream destroyed = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&destroyed));
  REQUIRE_ACL(aclrtDestroyStream(destroyed));
  for (const Interface& interface : interfaces) {
    CHECK_CODE(interface.get(output, kStatusSize, destroyed), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(interface.reset(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK(in_thread([&] { return interface.get(output, kStatusSize, nullptr); }) ==
          ACL_ERROR_RT_CONTEXT_NULL);
    CHECK(in_thread([&] { return interface.reset(nullptr); }) == ACL_ERROR_RT_CONTEXT_NULL);
  }
  {
    const Context context;
    for (const Interface& interface : interfaces) {
      CHECK_CODE(interface.get(output, kStatusSize, stream), ACL_ERROR_RT_STREAM_CONTEXT);
      CHECK_CODE(interface.reset(stream), ACL_ERROR_RT_STREAM_CONTEXT);
    }
  }
  const Device again;
}

TEST_CASE("overflow becomes infinity unless the device is told to saturate, until its reset") {
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  CHECK_CODE(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtGetDeviceSatMode(&mode), ACL_ERROR_RT_CONTEXT_NULL);
  for (int round = 0; round < 2; ++round) {
    const Device device;
    REQUIRE_ACL(aclrtGetDeviceSatMode(&mode));
    CHECK(mode == ACL_RT_OVERFLOW_MODE_INFNAN);
    REQUIRE_ACL(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION));
    REQUIRE_ACL(aclrtGetDeviceSatMode(&mode));
    CHECK(mode == ACL_RT_OVERFLOW_MODE_SATURATION);
    {
      const Device other(1);
      REQUIRE_ACL(aclrtGetDeviceSatMode(&mode));
      CHECK(mode == ACL_RT_OVERFLOW_MODE_INFNAN);
    }
    for (const int bad : {-1, 2, 3}) {
      const Device again;
      CHECK_CODE(aclrtSetDeviceSatMode(static_cast<aclrtFloatOverflowMode>(bad)),
                 ACL_ERROR_RT_PARAM_INVALID);
    }
    const Device again;
    CHECK_CODE(aclrtGetDeviceSatMode(nullptr), ACL_ERROR_INVALID_PARAM);
  }
}
