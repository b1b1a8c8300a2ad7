// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr std::size_t kPitch = 64;
constexpr std::size_t kRows = 10;
constexpr std::size_t kPlaneSize = kPitch * kRows;

std::vector<char> pattern() {
  std::vector<char> bytes(kPlaneSize);
  std::iota(bytes.begin(), bytes.end(), char{1});
  return bytes;
}

std::vector<char> read_all(const void* device) {
  std::vector<char> bytes(kPlaneSize);
  REQUIRE_ACL(aclrtMemcpy(bytes.data(), kPlaneSize, device, kPlaneSize, ACL_MEMCPY_DEVICE_TO_HOST));
  return bytes;
}

/// The expected content of zeroed memory after a copy of `width` bytes of each row from `source`.
std::vector<char> columns(const std::vector<char>& source, std::size_t width, std::size_t rows,
                          std::size_t dst_pitch, std::size_t src_pitch) {
  std::vector<char> bytes(kPlaneSize, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < width; ++i)
      bytes[row * dst_pitch + i] = source[row * src_pitch + i];
  }
  return bytes;
}

}  // namespace

TEST_CASE("a rectangle goes to the device and back, and nothing else") {
  const Device device;
  const std::vector<char> source = pattern();
  const DeviceMemory memory(kPlaneSize);
  REQUIRE_ACL(aclrtMemset(memory, kPlaneSize, 0, kPlaneSize));
  REQUIRE_ACL(
      aclrtMemcpy2d(memory, 32, source.data(), kPitch, 17, kRows, ACL_MEMCPY_HOST_TO_DEVICE));
  const std::vector<char> on_device = columns(source, 17, kRows, 32, kPitch);
  CHECK(read_all(memory) == on_device);
  std::vector<char> result(kPlaneSize, 0);
  REQUIRE_ACL(aclrtMemcpy2d(result.data(), kPitch, memory, 32, 17, kRows, ACL_MEMCPY_DEFAULT));
  CHECK(result == columns(on_device, 17, kRows, kPitch, 32));
}

TEST_CASE("rectangles in a stream take their turn") {
  const Device device;
  const Stream stream;
  const HostMemory pinned(kPlaneSize);
  const DeviceMemory first(kPlaneSize);
  const DeviceMemory second(kPlaneSize);
  const std::vector<char> source = pattern();
  std::memcpy(pinned, source.data(), kPlaneSize);
  REQUIRE_ACL(aclrtMemset(first, kPlaneSize, 0, kPlaneSize));
  REQUIRE_ACL(aclrtMemset(second, kPlaneSize, 0, kPlaneSize));
  Gate gate;
  gate.hold(stream);
  REQUIRE_ACL(
      aclrtMemcpy2dAsync(first, kPitch, pinned, kPitch, 5, 3, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  REQUIRE_ACL(
      aclrtMemcpy2dAsync(second, 8, first, kPitch, 8, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  CHECK(read_all(first) == std::vector<char>(kPlaneSize, 0));
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  const std::vector<char> expected = columns(source, 5, 3, kPitch, kPitch);
  CHECK(read_all(first) == expected);
  CHECK(read_all(second) == columns(expected, 8, 4, 8, kPitch));
}

TEST_CASE("a rectangle in ordinary host memory waits for its stream") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(kPlaneSize);
  std::vector<char> result(kPlaneSize, 0);
  launch(stream, [at = memory.as()] { std::memset(at, 6, kPlaneSize); });
  REQUIRE_ACL(aclrtMemcpy2dAsync(result.data(), kPitch, memory, kPitch, 2, kRows,
                                 ACL_MEMCPY_DEVICE_TO_HOST, stream));
  CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
  CHECK(result == columns(std::vector<char>(kPlaneSize, 6), 2, kRows, kPitch, kPitch));
}

TEST_CASE("a rectangle is checked") {
  const Device device;
  const DeviceMemory memory(kPlaneSize);
  std::vector<char> host(kPlaneSize);
  const auto copy = [&](void* dst, std::size_t dpitch, const void* src, std::size_t spitch,
                        std::size_t width, std::size_t height, int kind) {
    const auto direction = static_cast<aclrtMemcpyKind>(kind);
    const aclError code = aclrtMemcpy2d(dst, dpitch, src, spitch, width, height, direction);
    CHECK_CODE(aclrtMemcpy2dAsync(dst, dpitch, src, spitch, width, height, direction, nullptr),
               code);
    return code;
  };
  CHECK_CODE(copy(nullptr, 64, host.data(), 64, 8, 1, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(memory, 64, nullptr, 64, 8, 1, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(memory, 64, host.data(), 7, 8, 1, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(copy(memory, 7, host.data(), 64, 8, 1, 1), ACL_ERROR_INVALID_PARAM);
  for (const int kind : {0, 5, 6, 7, -1, 99}) {
    CAPTURE(kind);
    CHECK_CODE(copy(memory, 64, host.data(), 64, 8, 1, kind), ACL_ERROR_INVALID_PARAM);
  }
  CHECK_CODE(copy(memory, 64, host.data(), 64, 0, 1, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(memory, 64, host.data(), 64, 8, 0, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(memory, 6'000'000, host.data(), 6'000'000, 5'000'001, 1, 1),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(memory, 64, host.data(), 64, 8, 5'242'881, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(memory, SIZE_MAX, host.data(), 64, 8, 2, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(memory, 64, host.data(), 64, 8, kRows + 1, 1), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(
      aclrtMemcpy2d(memory.as() + 56, 64, host.data(), 64, 8, kRows, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK_CODE(copy(memory.as() + 57, 64, host.data(), 64, 8, kRows, 1), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a rectangle between two places on devices needs a stream") {
  const Device device;
  const DeviceMemory memory(kPlaneSize);
  std::vector<char> host(kPlaneSize);
  for (const auto kind : {ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEFAULT}) {
    CHECK_CODE(aclrtMemcpy2d(memory, 64, memory.as() + 32, 64, 8, 2, kind),
               ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
  CHECK_CODE(aclrtMemcpy2d(host.data(), 64, host.data() + 32, 64, 8, 2, ACL_MEMCPY_DEFAULT),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(
      aclrtMemcpy2dAsync(host.data(), 64, host.data() + 32, 64, 8, 2, ACL_MEMCPY_DEFAULT, nullptr),
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtMemcpy2dAsync(memory, 64, memory, 64, 8, 2, ACL_MEMCPY_DEFAULT, Event()),
             ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a rectangle between devices needs access") {
  const Context first(0);
  const DeviceMemory on_first(kPlaneSize);
  const Context second(1);
  const DeviceMemory on_second(kPlaneSize);
  CHECK_CODE(
      aclrtMemcpy2dAsync(on_second, 64, on_first, 64, 8, 2, ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr),
      ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}
