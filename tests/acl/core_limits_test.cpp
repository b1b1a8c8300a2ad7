// SPDX-License-Identifier: Apache-2.0
// How many cores a device, a stream and a thread may use.
#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr auto kCube = ACL_RT_DEV_RES_CUBE_CORE;
constexpr auto kVector = ACL_RT_DEV_RES_VECTOR_CORE;
constexpr auto kNoType = static_cast<aclrtDevResLimitType>(2);

std::uint32_t of_device(int device, aclrtDevResLimitType type) {
  std::uint32_t value = 0;
  REQUIRE_ACL(aclrtGetDeviceResLimit(device, type, &value));
  return value;
}

std::uint32_t of_stream(aclrtStream stream, aclrtDevResLimitType type) {
  std::uint32_t value = 0;
  REQUIRE_ACL(aclrtGetStreamResLimit(stream, type, &value));
  return value;
}

std::uint32_t here(aclrtDevResLimitType type) {
  std::uint32_t value = 0;
  REQUIRE_ACL(aclrtGetResInCurrentThread(type, &value));
  return value;
}

}  // namespace

TEST_CASE("without limits all cores of the device may be used") {
  const Device device;
  const Stream stream;
  CHECK(of_device(0, kCube) == machine().aiCores);
  CHECK(of_device(0, kVector) == machine().vectorCores);
  CHECK(of_stream(stream, kCube) == machine().aiCores);
  CHECK(of_stream(nullptr, kVector) == machine().vectorCores);
  CHECK(here(kCube) == machine().aiCores);
  CHECK(here(kVector) == machine().vectorCores);
}

TEST_CASE("a stream's limit goes before its device's, and a thread takes its device's") {
  const Device device;
  const Stream limited;
  const Stream other;
  REQUIRE_ACL(aclrtSetDeviceResLimit(0, kCube, 12));
  CHECK(of_stream(limited, kCube) == 12);
  REQUIRE_ACL(aclrtSetStreamResLimit(limited, kCube, 15));
  CHECK(of_stream(limited, kCube) == 15);
  CHECK(of_stream(limited, kVector) == machine().vectorCores);
  CHECK(of_stream(other, kCube) == 12);
  CHECK(here(kCube) == 12);
  REQUIRE_ACL(aclrtResetStreamResLimit(limited));
  CHECK(of_stream(limited, kCube) == 12);
  REQUIRE_ACL(aclrtResetDeviceResLimit(0));
  CHECK(of_stream(limited, kCube) == machine().aiCores);
}

TEST_CASE("a thread that uses a stream's limits has them until it stops or the stream goes") {
  const Device device;
  Stream stream;
  REQUIRE_ACL(aclrtSetDeviceResLimit(0, kVector, 40));
  REQUIRE_ACL(aclrtSetStreamResLimit(stream, kVector, 8));
  REQUIRE_ACL(aclrtUseStreamResInCurrentThread(stream));
  CHECK(here(kVector) == 8);
  CHECK(here(kCube) == machine().aiCores);
  REQUIRE_ACL(aclrtSetStreamResLimit(stream, kVector, 9));
  CHECK(here(kVector) == 9);
  CHECK(in_thread([context = current_context()] {
          aclrtSetCurrentContext(context);
          std::uint32_t value = 0;
          aclrtGetResInCurrentThread(kVector, &value);
          return value;
        }) == 40);
  REQUIRE_ACL(aclrtUnuseStreamResInCurrentThread(stream));
  CHECK(here(kVector) == 40);
  REQUIRE_ACL(aclrtUseStreamResInCurrentThread(stream));
  REQUIRE_ACL(aclrtDestroyStream(stream.release()));
  CHECK(here(kVector) == 40);
}

TEST_CASE("a thread uses the limits of one stream at a time") {
  const Device device;
  const Stream first;
  const Stream second;
  REQUIRE_ACL(aclrtSetStreamResLimit(first, kCube, 1));
  REQUIRE_ACL(aclrtSetStreamResLimit(second, kCube, 2));
  CHECK_CODE(aclrtUnuseStreamResInCurrentThread(first), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtUseStreamResInCurrentThread(first));
  REQUIRE_ACL(aclrtUseStreamResInCurrentThread(second));
  CHECK(here(kCube) == 2);
  CHECK_CODE(aclrtUnuseStreamResInCurrentThread(first), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtUnuseStreamResInCurrentThread(second));
  REQUIRE_ACL(aclrtUseStreamResInCurrentThread(nullptr));  // the default stream
  REQUIRE_ACL(aclrtUnuseStreamResInCurrentThread(default_stream()));
}

TEST_CASE("core limits of a device end with it and are its own") {
  {
    const Device device(3);
    REQUIRE_ACL(aclrtSetDeviceResLimit(3, kCube, 5));
    CHECK(of_device(2, kCube) == machine().aiCores);
  }
  CHECK(of_device(3, kCube) == machine().aiCores);
}

TEST_CASE("a core limit is at least one and at most what there is, of a known kind") {
  const Device device;
  const Stream stream;
  std::uint32_t value = 77;
  for (const std::uint32_t bad : {0U, machine().aiCores + 1, UINT32_MAX}) {
    CHECK_CODE(aclrtSetDeviceResLimit(0, kCube, bad), ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(aclrtSetStreamResLimit(stream, kCube, bad), ACL_ERROR_RT_PARAM_INVALID);
  }
  REQUIRE_ACL(aclrtSetDeviceResLimit(0, kCube, machine().aiCores));
  CHECK_CODE(aclrtSetDeviceResLimit(0, kNoType, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtGetDeviceResLimit(0, kNoType, &value), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtSetStreamResLimit(stream, kNoType, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtGetStreamResLimit(stream, kNoType, &value), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtGetResInCurrentThread(kNoType, &value), ACL_ERROR_RT_PARAM_INVALID);
  CHECK(value == 77);
}

TEST_CASE("core limits need devices and streams that exist and places for results") {
  std::uint32_t value = 0;
  CHECK_CODE(aclrtGetDeviceResLimit(0, kCube, nullptr), ACL_ERROR_INVALID_PARAM);
  for (const int bad : {-1, 8}) {
    CHECK_CODE(aclrtGetDeviceResLimit(bad, kCube, &value), ACL_ERROR_RT_INVALID_DEVICEID);
    CHECK_CODE(aclrtSetDeviceResLimit(bad, kCube, 1), ACL_ERROR_RT_INVALID_DEVICEID);
    CHECK_CODE(aclrtResetDeviceResLimit(bad), ACL_ERROR_RT_INVALID_DEVICEID);
  }
  CHECK_CODE(aclrtGetStreamResLimit(nullptr, kCube, &value), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtSetStreamResLimit(nullptr, kCube, 1), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtResetStreamResLimit(nullptr), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtUseStreamResInCurrentThread(nullptr), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtUnuseStreamResInCurrentThread(nullptr), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtGetResInCurrentThread(kCube, &value), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  CHECK_CODE(aclrtGetStreamResLimit(nullptr, kCube, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetResInCurrentThread(kCube, nullptr), ACL_ERROR_INVALID_PARAM);
  aclrtStream destroyed = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&destroyed));
  REQUIRE_ACL(aclrtDestroyStream(destroyed));
  CHECK_CODE(aclrtGetStreamResLimit(destroyed, kCube, &value), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtSetStreamResLimit(destroyed, kCube, 1), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtResetStreamResLimit(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtUseStreamResInCurrentThread(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtUnuseStreamResInCurrentThread(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
}
